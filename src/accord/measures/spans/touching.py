"""Pairs of spans of two sides: those that touch, those that are identical, and a choice among them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.errors import UsageError
from accord.measures.spans.sides import Both, Floats, Index, Side


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Touching:
    """Pairs of a reference span and a system span that overlap (or nearly coincide)."""

    first: Index
    second: Index
    same_bounds: NDArray[np.bool_]
    same_label: NDArray[np.bool_]
    #: shared length
    shared: Floats
    #: shared length over joint length, 0 to 1
    share: Floats

    def where(self, keep: NDArray[np.bool_]) -> Touching:
        return Touching(
            first=self.first[keep],
            second=self.second[keep],
            same_bounds=self.same_bounds[keep],
            same_label=self.same_label[keep],
            shared=self.shared[keep],
            share=self.share[keep],
        )


def touching(both: Both, *, tolerance: float = 0.0) -> Touching:
    """All pairs that overlap, and with a tolerance those whose two bounds differ by no more.

    Spans starting within another form a contiguous run in the sorted order, so the pairs come from
    binary searches alone: time grows with the spans and the pairs found.
    """
    if not 0 <= tolerance < float("inf"):
        raise UsageError(f"the tolerance must be at least 0 and finite, got {tolerance}")
    a, b = both.reference, both.system
    first, second = _overlaps(both)
    if tolerance > 0:
        near = _near(a, b, tolerance)
        pairs = np.unique(np.concatenate([first * len(b) + second, near[0] * len(b) + near[1]]))
        first, second = np.divmod(pairs, max(len(b), 1))
    s1, e1, s2, e2 = a.start[first], a.end[first], b.start[second], b.end[second]
    shared = np.maximum(np.minimum(e1, e2) - np.maximum(s1, s2), 0.0)
    joint = np.maximum(e1, e2) - np.minimum(s1, s2)
    return Touching(
        first=first,
        second=second,
        same_bounds=(np.abs(s1 - s2) <= tolerance) & (np.abs(e1 - e2) <= tolerance),
        same_label=a.label[first] == b.label[second],
        shared=shared,
        share=np.where(joint > 0, shared / np.where(joint > 0, joint, 1.0), 1.0),
    )


def _overlaps(both: Both) -> tuple[Index, Index]:
    a, b = both.reference, both.system
    (a0, a1), (b0, b1), width = _places(both)
    # a point (length zero) covers its own place only
    a0, a1 = a.document * width + a0, a.document * width + np.maximum(a1, a0 + 1)
    b0, b1 = b.document * width + b0, b.document * width + np.maximum(b1, b0 + 1)
    # b starts within a, or a starts within b after b's start: each overlap exactly once
    one = _ranges(np.searchsorted(b0, a0, "left"), np.searchsorted(b0, a1, "left"))
    two = _ranges(np.searchsorted(a0, b0, "right"), np.searchsorted(a0, b1, "left"))
    return np.concatenate([one[0], two[1]]), np.concatenate([one[1], two[0]])


def _places(both: Both) -> tuple[tuple[Index, Index], tuple[Index, Index], int]:
    """Offsets as whole numbers from 0 in the same order, and a number above them all plus one."""
    sides = (both.reference, both.system)
    every = [x for side in sides for x in (side.start, side.end) if len(x)]
    low, high = (
        (min(float(x.min()) for x in every), max(float(x.max()) for x in every))
        if every
        else (0.0, 0.0)
    )
    if both.integral and (high - low + 2) * (len(both.documents) + 1) < 2**60:
        one, two = (
            ((side.start - low).astype(np.int64), (side.end - low).astype(np.int64))
            for side in sides
        )
        return one, two, int(high - low) + 2
    where = np.unique(np.concatenate(every)) if every else np.empty(0)
    one, two = (
        (np.searchsorted(where, side.start), np.searchsorted(where, side.end)) for side in sides
    )
    return one, two, len(where) + 1


def _near(a: Side, b: Side, tolerance: float) -> tuple[Index, Index]:
    if not len(a) or not len(b):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    low = min(a.start.min(), b.start.min()) - tolerance
    width = max(a.start.max(), b.start.max()) + tolerance - low + 1
    ka, kb = ((s.start - low) + s.document * width for s in (a, b))
    # the keys round: widen the search by a hair, the exact test comes after
    hair = 4 * float(np.spacing(max(ka.max(), kb.max())))
    first, second = _ranges(
        np.searchsorted(kb, ka - tolerance - hair, "left"),
        np.searchsorted(kb, ka + tolerance + hair, "right"),
    )
    keep = (
        (a.document[first] == b.document[second])
        & (np.abs(a.start[first] - b.start[second]) <= tolerance)
        & (np.abs(a.end[first] - b.end[second]) <= tolerance)
    )
    return first[keep], second[keep]


def _ranges(low: Index, high: Index) -> tuple[Index, Index]:
    """Pairs (i, j) for low[i] <= j < high[i]."""
    counts = np.maximum(high - low, 0)
    left = np.repeat(np.arange(len(low), dtype=np.int64), counts)
    begin = np.cumsum(counts) - counts
    right = np.arange(len(left), dtype=np.int64) + np.repeat(low - begin, counts)
    return left, right


def choose(pairs: Touching, *ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    """The one-to-one choice of pairs that maximises the sums of `ranks`, the first most important.

    Between equals: the most pairs, then the greatest shared length. Returns numbers of pairs.
    Pairs that compete with no other are taken at once; the others form an assignment.
    """
    if not len(pairs.first):
        return np.empty(0, dtype=np.int64)
    alone = (np.bincount(pairs.first)[pairs.first] == 1) & (
        np.bincount(pairs.second)[pairs.second] == 1
    )
    rest = np.flatnonzero(~alone)
    if not len(rest):
        return np.flatnonzero(alone)
    # one number per pair whose sums compare as the lists (rank, …, pairs, share) do; sums need to
    # compare within a connected group only, which keeps the numbers small enough to be exact
    most = _largest_group(pairs.first[rest], pairs.second[rest]) + 1
    levels = 1000 if most < 4096 else 1
    weight = np.floor(pairs.share[rest] * levels) + (levels + 1.0) * most
    scale = (levels + 1.0) * most * most
    for rank in reversed(ranks):
        weight = weight + scale * rank[rest]
        scale *= most * (int(rank.max(initial=0)) + 1)
    chosen = best_matching(pairs.first[rest], pairs.second[rest], weight)
    return np.sort(np.concatenate([np.flatnonzero(alone), rest[chosen]]))


def _largest_group(first: Index, second: Index) -> int:
    """The most pairs that a connected group of pairs can contribute."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, i = np.unique(first, return_inverse=True)
    _, j = np.unique(second, return_inverse=True)
    size = int(i.max()) + 1
    graph = coo_array((np.ones(len(i)), (i, size + j)), shape=(size + int(j.max()) + 1,) * 2)
    group = connected_components(graph, directed=False)[1]
    counts = np.bincount(group[:size]), np.bincount(group[size:])
    shared = min(len(c) for c in counts)
    return int(np.minimum(counts[0][:shared], counts[1][:shared]).max())


def identical(both: Both) -> tuple[Index, Index]:
    """Pairs of spans equal in bounds and label, each span once."""
    a, b = both.reference, both.system
    *places, width = _places(both)

    def keyed(side: Side, start: Index, end: Index) -> Index:
        span = (side.document * width + start) * width + end
        return span * (len(both.labels) + 1) + side.label

    if float(len(both.documents)) * width * width * (len(both.labels) + 1) > 2**62:
        rows = np.concatenate(
            [np.column_stack([s.document, s.start, s.end, s.label]) for s in (a, b)]
        )
        codes = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
        one, two = codes[: len(a)], codes[len(a) :]
    else:
        one, two = keyed(a, *places[0]), keyed(b, *places[1])
    order = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    one, two = one[order[0]], two[order[1]]
    if len(one) and len(two) and not (np.diff(one) == 0).any() and not (np.diff(two) == 0).any():
        _, i, j = np.intersect1d(one, two, assume_unique=True, return_indices=True)
        return order[0][i], order[1][j]
    # equal spans on one side: the n-th of one side goes with the n-th of the other
    code = np.unique(np.concatenate([one, two]), return_inverse=True)[1].reshape(-1)
    nth = [_nth(c) for c in (code[: len(one)], code[len(one) :])]
    size = max((int(n.max(initial=0)) for n in nth), default=0) + 1
    _, i, j = np.intersect1d(
        code[: len(one)] * size + nth[0],
        code[len(one) :] * size + nth[1],
        assume_unique=True,
        return_indices=True,
    )
    return order[0][i], order[1][j]


def _nth(codes: Index) -> Index:
    """How many equal entries stand before each entry of a sorted array."""
    if not len(codes):
        return codes
    starts = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]]))
    return np.arange(len(codes)) - np.repeat(starts, np.diff([*starts, len(codes)]))
