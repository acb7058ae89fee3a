"""How unlike two shapes in a plane are: by the area they share.

Dice = 2|A∩B|/(|A|+|B|) = 2·IoU/(1+IoU), d_pos = Δ·(1−Dice)². For boxes of one height this is γ's
distance of units on a line: |s_u−s_v| + |e_u−e_v| = len_u + len_v − 2|u∩v| while they overlap. It needs
an intersection only, so that polygons need nothing new.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.boxes import Boxes
from accord.data.polygons import made_polygons, shapely
from accord.kernels.boxes import meeting_boxes

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Places = NDArray[np.int64] | NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Geometry:
    """Where shapes are: rectangles, or the rectangles around polygons, and the polygons themselves."""

    x0: Array
    y0: Array
    x1: Array
    y1: Array
    area: Array
    #: place in the order of x0, y0, x1, y1; shapes in one rectangle have the same
    rank: Array
    #: the library's polygons, of rectangles too; None where all are rectangles
    polygons: Any = None
    #: which are no rectangles
    drawn: NDArray[np.bool_] | None = None

    @classmethod
    def of(cls, boxes: Boxes, *, scaled: bool = False) -> Self:
        """The shapes as they were drawn, or each image scaled to the unit square."""
        wide, high = boxes.sizes[boxes.document].T if scaled else np.ones((2, len(boxes)))
        made = cls(
            x0=boxes.x0 / wide,
            y0=boxes.y0 / high,
            x1=boxes.x1 / wide,
            y1=boxes.y1 / high,
            area=boxes.area / (wide * high),
            rank=_ranks(boxes),
        )
        if boxes.outlines is None:
            return made
        drawn = np.array([outline is not None for outline in boxes.outlines])
        polygons = shapely().box(made.x0, made.y0, made.x1, made.y1)
        scale = np.column_stack([wide, high])
        polygons[drawn] = made_polygons(
            [o / scale[i] for i, o in enumerate(boxes.outlines) if o is not None]
        )
        return replace(made, polygons=polygons, drawn=drawn)

    def __len__(self) -> int:
        return len(self.x0)

    def take(self, rows: Whole) -> Self:
        """These shapes, in this order; one may come several times."""
        return replace(
            self,
            x0=self.x0[rows],
            y0=self.y0[rows],
            x1=self.x1[rows],
            y1=self.y1[rows],
            area=self.area[rows],
            rank=self.rank[rows],
            polygons=None if self.polygons is None else self.polygons[rows],
            drawn=None if self.drawn is None else self.drawn[rows],
        )

    def moved(self, x: Array, y: Array) -> Self:
        """The shapes with the upper left corners of their rectangles at (x, y)."""
        right, down = x - self.x0, y - self.y0
        polygons = self.polygons
        if polygons is not None:
            library = shapely()
            points, whose = library.get_coordinates(polygons, return_index=True)
            step = np.column_stack([right, down])[whose]
            polygons = library.set_coordinates(polygons.copy(), points + step)
        return replace(self, x0=x, y0=y, x1=self.x1 + right, y1=self.y1 + down, polygons=polygons)

    def meeting(self, bounds: Whole) -> tuple[Whole, NDArray[np.int32], Array]:
        """Pairs of shapes of different annotators that overlap, and what they share, as a ragged table.

        Annotator a of image x has the shapes bounds[x, a] .. bounds[x, a+1].
        """
        image = np.repeat(np.arange(len(bounds)), bounds[:, -1] - bounds[:, 0])
        order = np.lexsort((self.x0, image))
        indptr, other, shared = meeting_boxes(bounds, order, self.x0, self.y0, self.x1, self.y1)
        first = np.repeat(np.arange(len(self)), np.diff(indptr))
        if self.drawn is not None and len(other):
            some = np.flatnonzero(self.drawn[first] | self.drawn[other])
            library = shapely()
            one, two = self.polygons[first[some]], self.polygons[other[some]]
            shared[some] = library.area(library.intersection(one, two))
            kept = shared > 0
            first, other, shared = first[kept], other[kept], shared[kept]
            indptr = np.searchsorted(first, np.arange(len(self) + 1)).astype(np.int64)
        return indptr, other, shared

    def shared(self, first: Whole, second: Whole) -> Array:
        """The area that the two shapes of each pair have in common."""
        wide = np.minimum(self.x1[first], self.x1[second]) - np.maximum(
            self.x0[first], self.x0[second]
        )
        high = np.minimum(self.y1[first], self.y1[second]) - np.maximum(
            self.y0[first], self.y0[second]
        )
        found: Array = np.maximum(0.0, wide) * np.maximum(0.0, high)
        if self.drawn is not None:
            some = np.flatnonzero(self.drawn[first] | self.drawn[second])
            library = shapely()
            one, two = self.polygons[first[some]], self.polygons[second[some]]
            found[some] = library.area(library.intersection(one, two))
        return found

    def dice(self, first: Places, second: Places, shared: Array) -> Array:
        """Dice's coefficient of pairs: what they share over the mean of their areas."""
        # (the library's areas are rounded otherwise than the sums of products)
        found: Array = np.minimum(1.0, 2 * shared / (self.area[first] + self.area[second]))
        return found

    def iou(self, first: Places, second: Places, shared: Array) -> Array:
        """Intersection over union of pairs."""
        union = self.area[first] + self.area[second] - shared
        found: Array = np.minimum(1.0, shared / union)
        return found


def _ranks(boxes: Boxes) -> Array:
    columns = (boxes.y1, boxes.x1, boxes.y0, boxes.x0)
    order = np.argsort(boxes.x0)
    if not (boxes.x0[order][1:] > boxes.x0[order][:-1]).all():
        order = np.lexsort(columns)
    other = np.zeros(len(boxes), dtype=np.int64)
    for column in columns:
        other[1:] |= column[order][1:] != column[order][:-1]
    rank = np.empty(len(boxes))
    rank[order] = np.cumsum(other)
    return rank
