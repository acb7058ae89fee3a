"""Units: located, labelled units on a continuum (text, audio, video)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data.located import Beside, Located, Rows, Wrong, encoded, first_of
from accord.data.protocol import Shape
from accord.data.said import lengths_by_document
from accord.data.schema import UNITS
from accord.data.statements import Said

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from accord.data.said import Lengths


class Unit(NamedTuple):
    """One unit as people write it."""

    document: str
    annotator: str
    start: float
    end: float
    label: str | None


class BesideUnits(Beside, total=False):
    """What may be told beside the rows of units."""

    lengths: Lengths | None
    texts: Mapping[str, str] | None
    points: bool


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Units(Located):
    """Who marked what where, sorted by document, annotator, start, end, label.

    Offsets are half-open, in any unit (characters, milliseconds, seconds). Overlap and nesting are
    allowed. `coverage` says who saw which document: who saw it and marked nothing counts.

    >>> units = Units.from_rows([("d", "Ana", 0, 4, "x"), ("d", "Ben", 0, 5, "x")])
    >>> units.annotators, len(units)
    (('Ana', 'Ben'), 2)
    """

    shape: ClassVar[Shape] = "units"

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    #: extent of each document's continuum, NaN where unknown
    lengths: NDArray[np.float64]
    #: text of each document, when known
    texts: tuple[str | None, ...] | None = None
    #: what offsets count, where the format says it: characters, tokens, seconds, milliseconds
    unit: str | None = None
    #: the words of each document, where offsets count them
    words: tuple[tuple[str, ...] | None, ...] | None = None
    #: (document, annotator) → what is said of units beyond place and label: relations, events,
    #: attributes, notes, the fragments of discontinuous ones
    statements: Said = field(default_factory=dict)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[str, str, float, float, str | None]],
        **beside: Unpack[BesideUnits],
    ) -> Self:
        """Build from (document, annotator, start, end, label) rows.

        `coverage` lists (document, annotator) pairs (or maps documents to annotators, or is a dataframe
        of these columns; `lengths` likewise), added to those that occur in the rows; without
        it, every annotator is taken to have seen every document, which :attr:`reading` says (see
        :meth:`covered`). `points` allows units of length zero. `extras` are further
        columns, a cell for each row. What an annotator marks twice, label and all, counts once, unless
        `duplicates` says "keep". `path` and `lines` make errors name the place.

        >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")], lengths={"d": 9})
        >>> len(u), u.annotators, u.lengths.tolist()
        (2, ('A', 'B'), [9.0])
        """
        return cls.from_columns(*UNITS.of_rows(rows), **beside)

    @classmethod
    def from_columns(
        cls,
        document_names: Sequence[str],
        annotator_names: Sequence[str],
        starts: Sequence[float] | NDArray[np.float64],
        ends: Sequence[float] | NDArray[np.float64],
        labels: Sequence[str | None],
        *,
        lengths: Lengths | None = None,
        texts: Mapping[str, str] | None = None,
        points: bool = False,
        **beside: Unpack[Beside],
    ) -> Self:
        """Build from columns of equal length; the options are those of :meth:`from_rows`."""
        extents = lengths_by_document(lengths)
        rows = encoded(document_names, annotator_names, labels, documents=extents, **beside)
        start = np.asarray(starts, dtype=np.float64)
        end = np.asarray(ends, dtype=np.float64)
        extent = np.array([extents.get(d, np.nan) for d in rows.documents], dtype=np.float64)

        def name(i: int) -> str:
            return (
                f"the unit [{starts[i]}, {ends[i]}) {labels[i] or '(no label)'} of annotator "
                f"{annotator_names[i]!r} in document {document_names[i]!r}"
            )

        wrong = first_wrong(start, end, extent[rows.document], rows.foreign, points)
        if wrong is not None:
            i, what, hint = wrong
            raise rows.origin.error(i, f"{name(i)} {what}", hint)
        order, fields = rows.settled((start, end), what="units")
        return cls(
            **fields,
            start=start[order],
            end=end[order],
            lengths=extent,
            texts=rows.of_documents(texts),
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        start: str = "start",
        end: str = "end",
        label: str | Sequence[str] = "label",
        **beside: Unpack[BesideUnits],
    ) -> Self:
        """Build from any dataframe; the first keywords name its columns, the others are those of
        :meth:`from_rows`.

        Several `label` columns become one label of several features (``PER|sg``; see the categorical
        distance *features*). Without a document column all is one document; without a label column
        units have none.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [4, 4],
        ...                       "type": ["PER", "PER"], "number": ["sg", "pl"]})
        >>> Units.from_frame(frame, label=["type", "number"]).categories
        ('PER|pl', 'PER|sg')
        """
        columns = UNITS.of_frame(frame, document, annotator, start, end, label)
        return cls.from_columns(*columns.values(), **beside)

    def __iter__(self) -> Iterator[Unit]:
        """The units as people write them, in canonical order."""
        documents, annotators, labels = self._named()
        return map(Unit, documents, annotators, self.start.tolist(), self.end.tolist(), labels)

    @property
    def integral(self) -> bool:
        """All offsets are whole numbers (characters, tokens, milliseconds)."""
        return bool(np.all(self.start % 1 == 0) and np.all(self.end % 1 == 0))

    def _followed(self, fields: Mapping[str, Any], where: Rows, who: Rows) -> dict[str, Any]:
        documents, annotators = set(fields["documents"]), set(fields["annotators"])
        return {
            "statements": {
                (d, a): held
                for (d, a), held in self.statements.items()
                if d in documents and a in annotators
            }
        }


def first_wrong(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    extent: NDArray[np.float64],
    foreign: NDArray[np.bool_],
    points: bool,
) -> Wrong | None:
    """The first unit that no continuum can hold: its row, what is wrong, what to do."""
    problems = (
        (~np.isfinite(start) | ~np.isfinite(end), "has an offset that is not a number", None),
        (end < start, "ends before it starts", "swap the two offsets"),
        ((end == start) & (not points), "has length zero", "drop it, or pass `points=True`"),
        (end > extent, "ends past its document's end", "check the document's length"),
        (foreign, "has a label that is not among the declared categories", None),
    )
    return first_of(problems)
