"""Shapes of several annotators in images, as they were drawn or put together by chance, aligned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import real_pairs
from accord.alignment.candidates import EFFORT
from accord.alignment.layout import Layout, farthest
from accord.alignment.packing import ranges
from accord.alignment.solution import Solution, solve_pairs
from accord.alignment.tuples import Pairs
from accord.data.boxes import Boxes
from accord.distance.boxes import Geometry
from accord.distance.units import Dissimilarity
from accord.kernels.outcome import canonical_order

Array = NDArray[np.float64]
Whole = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Scenes(Layout):
    """Images with as many annotators each, their shapes numbered image by image."""

    #: the row of each shape among the boxes
    rows: Whole
    shapes: Geometry
    label: NDArray[np.int32]

    def order(self) -> Whole:
        """The shapes of each image by x0, y0, x1, y1, label, annotator."""
        rank = self.shapes.rank
        found: Whole = canonical_order(self.bounds, rank, rank, self.label)
        return found

    def alone(self, image: int) -> Scenes:
        """One of the images by itself."""
        first, last = int(self.bounds[image, 0]), int(self.bounds[image, -1])
        part = np.arange(first, last)
        return Scenes(
            self.bounds[image : image + 1] - first,
            self.rows[part],
            self.shapes.take(part),
            self.label[part],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """The ideal alignment of one image.

    `members` are unitary alignments × annotators: a row of the boxes, or -1. `row`, `first`, `second`
    are the aligned pairs (numbers of the unitary alignment, rows of the boxes), `dice` and `iou`
    what they have in common and `distance` d. `total` is Σδ(K), `gap` what is missing of its proof.
    """

    members: Whole
    row: Whole
    first: Whole
    second: Whole
    dice: Array
    iou: Array
    distance: Array
    total: float
    gap: float
    #: δ of each unitary alignment
    disorders: Array


def cells_of(boxes: Boxes) -> Whole:
    """Where the shapes of each (image, annotator) begin among the boxes; the last entry is their number."""
    people = len(boxes.annotators)
    cell = boxes.document.astype(np.int64) * people + boxes.annotator
    found: Whole = cell.searchsorted(np.arange(len(boxes.documents) * people + 1))
    return found


def assembled(boxes: Boxes, shapes: Geometry, edges: Whole, cells: Whole) -> Scenes:
    """Scenes from the cells (image × annotator) that they are put together of, a row for each."""
    first, last = edges[cells], edges[cells + 1]
    counts = (last - first).ravel()
    ends = np.cumsum(counts)
    start = np.concatenate([[0], ends])
    rows = ranges(first.ravel(), counts)
    people = cells.shape[1]
    bounds = np.column_stack([start[:-1].reshape(-1, people), ends.reshape(-1, people)[:, -1:]])
    return Scenes(bounds.astype(np.int64), rows, shapes.take(rows), boxes.label[rows])


def align_scenes(
    scenes: Scenes,
    d: Dissimilarity,
    *,
    canonical: bool = True,
    effort: int = EFFORT,
    time_limit: float | None = None,
) -> list[Aligned]:
    """The ideal alignment of each image: of least Σδ(K), disjoint shapes never together.

    Several images are aligned as one; each alone where together they are too much to be proven.
    """
    n = scenes.annotators
    indptr, other, shared = scenes.shapes.meeting(scenes.bounds)
    first = np.repeat(np.arange(len(scenes)), np.diff(indptr))
    dice = scenes.shapes.dice(first, other, shared)
    distance = (
        d.alpha * d.delta * (1 - dice) ** 2 + d.costs[scenes.label[first], scenes.label[other]]
    )
    near = distance < farthest(d.delta, n)
    if not near.all():
        first, other, shared, distance = first[near], other[near], shared[near], distance[near]
        indptr = np.searchsorted(first, np.arange(len(scenes) + 1)).astype(np.int64)
    pairs = Pairs(indptr, other, distance)
    solution = solve_pairs(
        scenes, pairs, d.delta, canonical=canonical, effort=effort, time_limit=time_limit
    )
    if solution is None:
        return [
            one
            for image in range(scenes.documents)
            for one in align_scenes(
                scenes.alone(image), d, canonical=canonical, effort=effort, time_limit=time_limit
            )
        ]
    return _written_out(solution, shared)


def _written_out(solution: Solution[Scenes], shared: Array) -> list[Aligned]:
    """What was chosen for each image; sums are of the distances themselves, not of the grid's."""
    scenes = solution.batch
    _, sizes = solution.costs(solution.ideal)
    table = solution.members(solution.ideal)
    row, one, two = real_pairs(table)
    at = solution.pairs.at(one, two)
    shared, distance = shared[at], solution.pairs.distance[at]
    dice, iou = scenes.shapes.dice(one, two, shared), scenes.shapes.iou(one, two, shared)
    disorders = solution.disorders(row, at, len(table))
    members = np.where(table < 0, -1, scenes.rows[table]) if len(scenes) else table
    ends = np.cumsum(sizes).tolist()
    starts = [0, *ends[:-1]]
    cuts = row.searchsorted([*starts, len(table)]).tolist()
    missing = solution.ideal.gap * solution.step
    found = []
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        part = slice(cuts[k], cuts[k + 1])
        found.append(
            Aligned(
                members=members[start:end],
                row=row[part] - start,
                first=scenes.rows[one[part]],
                second=scenes.rows[two[part]],
                dice=dice[part],
                iou=iou[part],
                distance=distance[part],
                total=float(disorders[start:end].sum()),
                gap=missing,
                disorders=disorders[start:end],
            )
        )
    return found


def scenes_of(boxes: Boxes, shapes: Geometry, images: Sequence[int]) -> Scenes:
    """Images as they were drawn; all must have as many annotators who saw them."""
    people = len(boxes.annotators)
    cells = np.array([image * people + np.flatnonzero(boxes.coverage[image]) for image in images])
    return assembled(boxes, shapes, cells_of(boxes), cells)
