"""Boxes: labelled rectangles and polygons that annotators draw in images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data.box_checks import first_wrong, outside, scale_notes
from accord.data.encode import picked
from accord.data.located import Beside, Located, Origin, Rows, encoded
from accord.data.polygons import is_rectangle, outline_of, polygon_area
from accord.data.protocol import Shape
from accord.data.schema import BOXES, Columns

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


Array = NDArray[np.float64]
#: the columns of the corners of a rectangle
CORNERS = ("x0", "y0", "x1", "y1")
#: the corners of a polygon, one after the other around it
Points = Sequence[tuple[float, float]]


class Box(NamedTuple):
    """One shape as people write it; of a polygon, the rectangle around it and its corners."""

    document: str
    annotator: str
    x0: float
    y0: float
    x1: float
    y1: float
    label: str | None
    points: tuple[tuple[float, float], ...] | None = None


class BesideBoxes(Beside, total=False):
    """What may be told beside the rows of boxes."""

    sizes: Mapping[str, tuple[float, float]] | None
    images: Mapping[str, str] | None


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Boxes(Located):
    """Who drew what where, sorted by document, annotator, x0, y0, x1, y1, label.

    (x0, y0) and (x1, y1) are opposite corners, x0 < x1 and y0 < y1, in any unit. A document is an
    image. `coverage` says who saw which image: who saw it and drew nothing counts.

    >>> boxes = Boxes.from_rows([("i", "Ana", 0, 0, 2, 1, "cat"), ("i", "Ben", 0, 0, 2, 2, "cat")])
    >>> boxes.annotators, len(boxes)
    (('Ana', 'Ben'), 2)
    """

    shape: ClassVar[Shape] = "boxes"

    x0: Array
    y0: Array
    x1: Array
    y1: Array
    area: Array
    #: the corners of polygons, None for a rectangle; None when all are rectangles
    outlines: tuple[Array | None, ...] | None
    #: documents × 2: width and height of each image, NaN where unknown
    sizes: Array
    #: file of each image, when known
    images: tuple[str | None, ...] | None = None

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[
            tuple[str, str, float, float, float, float, str | None]
            | tuple[str, str, Points, str | None]
        ],
        **beside: Unpack[BesideBoxes],
    ) -> Self:
        """Build from (document, annotator, x0, y0, x1, y1, label) or (document, annotator, points, label).

        `sizes` gives the (width, height) of images, in the unit of the corners, `images` their files.
        `coverage` lists (document, annotator) pairs beside those that occur in the rows; without it,
        every annotator is taken to have seen every image (see :meth:`covered`). What an annotator
        draws twice, label and all, counts once, unless `duplicates` says "keep". `path` and `lines` make
        errors name the place.

        >>> b = Boxes.from_rows([("p", "A", 0, 0, 10, 10, "cat"),
        ...                      ("p", "B", [(0, 0), (10, 0), (0, 10)], "cat")])
        >>> b.area.tolist(), b.annotators
        ([100.0, 50.0], ('A', 'B'))
        """
        corners, outlines = [], []
        for row in rows:
            outline = outline_of(row[2]) if len(row) == 4 else None
            outlines.append(outline)
            corners.append(hull(outline) if outline is not None else row[2:6])
        return cls.from_columns(
            [row[0] for row in rows],
            [row[1] for row in rows],
            np.array(corners, dtype=np.float64).reshape(-1, 4),
            [row[-1] for row in rows],
            outlines=outlines,
            **beside,
        )

    @classmethod
    def from_columns(
        cls,
        document_names: Sequence[str],
        annotator_names: Sequence[str],
        corners: Array,
        labels: Sequence[str | None],
        *,
        outlines: Sequence[Array | None] | None = None,
        sizes: Mapping[str, tuple[float, float]] | None = None,
        images: Mapping[str, str] | None = None,
        **beside: Unpack[Beside],
    ) -> Self:
        """Build from columns of equal length, `corners` having x0, y0, x1, y1 in its columns.

        `outlines` are the corners of polygons, None for rectangles; the other options are those of
        :meth:`from_rows`.
        """
        # sizes and images tell about images; those nobody saw are none of the campaign's
        rows = encoded(document_names, annotator_names, labels, **beside)
        drawn = _polygons(outlines)
        area = _areas(corners, drawn)
        extent = np.array(
            [(sizes or {}).get(d, (np.nan, np.nan)) for d in rows.documents], dtype=np.float64
        ).reshape(-1, 2)

        def name(i: int) -> str:
            return (
                f"{_shown(corners[i], None if drawn is None else drawn[i])} "
                f"{labels[i] or '(no label)'} of annotator {annotator_names[i]!r} in image "
                f"{document_names[i]!r}"
            )

        over = 0
        wrong = first_wrong(corners, drawn, area, rows.foreign)
        if wrong is None:
            wrong, over = outside(corners, *extent[rows.document].T)
        if wrong is not None:
            i, what, hint = wrong
            raise rows.origin.error(i, f"{name(i)} {what}", hint)
        slips = scale_notes(corners, rows.document, rows.annotator, rows.annotators, extent)
        if over:
            slips.insert(0, f"{over} shapes reach over the edge of their image a little")
        order, fields = rows.settled(
            list(corners.T),
            what="shapes",
            beside=[_numbers(drawn, len(corners))],
            notes=slips,
        )
        x0, y0, x1, y1 = corners[order].T
        return cls(
            **fields,
            x0=x0,
            y0=y0,
            x1=x1,
            y1=y1,
            area=area[order],
            outlines=None if drawn is None else picked(tuple(drawn), order),
            sizes=extent,
            images=rows.of_documents(images or None),
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        x0: str = "x0",
        y0: str = "y0",
        x1: str = "x1",
        y1: str = "y1",
        points: str = "points",
        label: str = "label",
        **beside: Unpack[BesideBoxes],
    ) -> Self:
        """Build from any dataframe; the first keywords name its columns, the others are those of
        :meth:`from_rows`.

        Where there is a column of `points` (``x,y x,y …``), its cells are polygons, and an empty cell
        leaves the rectangle of the four corners. Without a document column all is one image.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"annotator": ["A", "B"], "points": ["0,0 4,0 0,3", "0,0 4,0 4,3 0,3"]})
        >>> Boxes.from_frame(frame).area.tolist()
        [6.0, 12.0]
        """
        columns = BOXES.of_frame(frame, document, annotator, x0, y0, x1, y1, points, label)
        return cls.of(columns, **beside)

    @classmethod
    def of(cls, columns: Columns, **beside: Unpack[BesideBoxes]) -> Self:
        """Build from the columns of the roles of a table: corners, or points where a cell has some."""
        corners = np.column_stack([columns[name] for name in CORNERS])
        corners, outlines = with_outlines(
            corners, columns["points"], path=beside.get("path"), lines=beside.get("lines")
        )
        return cls.from_columns(
            columns["document"],
            columns["annotator"],
            corners,
            columns["label"],
            outlines=outlines,
            **beside,
        )

    @property
    def polygons(self) -> bool:
        """Some shapes are no upright rectangles."""
        return self.outlines is not None

    @property
    def corners(self) -> Array:
        """x0, y0, x1, y1 of each shape, in columns."""
        return np.column_stack([self.x0, self.y0, self.x1, self.y1])

    @property
    def columns(self) -> tuple[str, ...]:
        """A column of points where there are polygons."""
        return (*Box._fields[: 7 + self.polygons], *self.extras)

    def _cells(self) -> Iterator[Sequence[object]]:
        for *row, points in self:
            outline = None if points is None else written(points)
            yield (*row, outline) if self.polygons else row

    def __iter__(self) -> Iterator[Box]:
        """The shapes as people write them, in canonical order."""
        documents, annotators, labels = self._named()
        outlines = self.outlines or (None,) * len(self)
        points = (None if o is None else tuple(map(tuple, o.tolist())) for o in outlines)
        return map(Box, documents, annotators, *self.corners.T.tolist(), labels, points)

    def size_of(self, document: str) -> tuple[float, float] | None:
        """Return width and height of an image, when known."""
        width, height = self.sizes[self.documents.index(document)].tolist()
        return (width, height) if np.isfinite(width + height) else None

    def _followed(self, fields: Mapping[str, Any], where: Rows, who: Rows) -> dict[str, Any]:
        drawn = any(outline is not None for outline in fields["outlines"] or ())
        return {} if drawn else {"outlines": None}


def written(points: Points) -> str:
    """Points as a table holds them.

    >>> written([(0.0, 0.0), (4.5, 0.0)])
    '0,0 4.5,0'
    """
    return " ".join(f"{x!r},{y!r}".replace(".0,", ",").removesuffix(".0") for x, y in points)


def with_outlines(
    corners: Array,
    cells: Sequence[Any],
    *,
    path: str | None = None,
    lines: Sequence[int] | None = None,
) -> tuple[Array, list[Array | None] | None]:
    """The corners of all shapes and the outlines of polygons, from a column of points.

    A cell is ``x,y x,y …``, a list of pairs, or empty: then the row's own corners hold.
    """
    corners = corners.copy()
    outlines: list[Array | None] = [None] * len(cells)
    for row, cell in enumerate(cells):
        if cell is None or cell == "" or (isinstance(cell, float) and cell != cell):
            continue
        try:
            outlines[row] = outline = outline_of(cell)
        except ValueError:
            raise Origin(path, lines).error(
                row, f"the points must be x,y x,y …, got {str(cell)[:60]!r}"
            ) from None
        corners[row] = hull(outline)
    return corners, outlines if any(o is not None for o in outlines) else None


def hull(outline: Array) -> tuple[float, float, float, float]:
    if not len(outline):
        return (np.nan,) * 4
    (x0, y0), (x1, y1) = outline.min(axis=0).tolist(), outline.max(axis=0).tolist()
    return x0, y0, x1, y1


def _polygons(outlines: Sequence[Array | None] | None) -> list[Array | None] | None:
    """The outlines that are no upright rectangles, without a last point that repeats the first."""
    if outlines is None or all(o is None for o in outlines):
        return None
    found: list[Array | None] = []
    for outline in outlines:
        if outline is not None and len(outline) > 1 and np.array_equal(outline[0], outline[-1]):
            outline = outline[:-1]
        found.append(None if outline is None or is_rectangle(outline) else outline)
    return found if any(o is not None for o in found) else None


def _areas(corners: Array, outlines: Sequence[Array | None] | None) -> Array:
    with np.errstate(invalid="ignore", over="ignore"):
        area: Array = (corners[:, 2] - corners[:, 0]) * (corners[:, 3] - corners[:, 1])
    for i, outline in enumerate(outlines or ()):
        if outline is not None and len(outline):
            area[i] = polygon_area(outline)
    return area


def _numbers(outlines: Sequence[Array | None] | None, size: int) -> NDArray[np.int64]:
    """The same number for the same outline."""
    if outlines is None:
        return np.zeros(size, dtype=np.int64)
    texts = [b"" if o is None else o.tobytes() for o in outlines]
    return np.unique(texts, return_inverse=True)[1].astype(np.int64)


def _shown(corners: Array, outline: Array | None) -> str:
    if outline is not None:
        return f"the polygon {written(outline[:3].tolist())}{' …' if len(outline) > 3 else ''}"
    return f"the box ({', '.join(f'{c:g}' for c in corners.tolist())})"
