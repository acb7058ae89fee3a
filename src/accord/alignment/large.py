"""When there are more candidates than can be listed: one good alignment to begin with.

Annotators are aligned one after the other with the groups so far, each step an exact assignment, and
then taken out and put back until nothing improves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.alignment.canonical import rank_of
from accord.alignment.layout import Layout
from accord.alignment.matching import best_matching
from accord.alignment.packing import Codes, Whole
from accord.alignment.tuples import Candidates, Near, Pairs
from accord.distance.units import Array

#: times every annotator is taken out and put back, at most; with many annotators, and along a line
#: (where the optimum is found anyway), the first do
_ROUNDS, _ROUNDS_OF_MANY = 20, 3
_MANY = 12
#: entries of the table that tuples of points on a line are found with, at most
_TABLE = 4_000_000


def first_candidates(
    layout: Layout,
    pairs: Pairs,
    delta: float,
    scale: int,
    effort: int,
    points: Array | None = None,
) -> Candidates:
    """The groups of one good alignment of one document, and the pairs from which all others can be made."""
    n = layout.annotators
    place = None
    distance = np.rint(pairs.distance * (scale / delta)).astype(np.int64)
    if points is not None and len(layout) << n <= _TABLE:
        # rounded places, not distances: these are then distances of points on a line still
        place = np.rint(points * scale).astype(np.int64)
        first = np.repeat(np.arange(len(layout)), np.diff(pairs.indptr))
        distance = np.abs(place[first] - place[pairs.other])
    both = _BothWays.of(layout, pairs, distance)
    rounds = _ROUNDS if n <= _MANY and place is None else _ROUNDS_OF_MANY
    group = _assemble(layout, both, n * (n - 1) // 2 * scale, scale, rounds)
    counts = np.bincount(group)
    order = np.argsort(group, kind="stable")
    several = counts[group[order]] > 1
    near = Near(
        indptr=pairs.indptr,
        other=pairs.other,
        close=scale - distance,
        own=layout.bounds[0],
        annotator=layout.annotator,
        rank=rank_of(layout.along()),
        effort=effort,
        place=place,
    )
    return Candidates(
        offsets=np.concatenate([[0], np.cumsum(counts[counts > 1])]).astype(np.int64),
        member=order[several].astype(np.int32),
        close=closeness(near, group)[counts > 1],
        units=len(layout),
        annotators=n,
        scale=scale,
        fewest=int(layout.counts[0].max()),
        near=near,
    )


def closeness(near: Near, group: NDArray[np.int64]) -> Whole:
    """Σ (Δ − d) over the pairs of each group, on the grid."""
    first = np.repeat(np.arange(len(group)), np.diff(near.indptr))
    inside = group[first] == group[near.other]
    total = np.zeros(int(group.max()) + 1, dtype=np.int64)
    np.add.at(total, group[first[inside]], near.close[inside])
    return total


class _BothWays:
    """Near pairs in both directions, on the grid."""

    def __init__(self, indptr: Whole, other: Codes, distance: Whole) -> None:
        self.indptr, self.other, self.distance = indptr, other, distance

    @classmethod
    def of(cls, layout: Layout, pairs: Pairs, distance: Whole) -> _BothWays:
        first = np.repeat(np.arange(len(layout)), np.diff(pairs.indptr))
        one = np.concatenate([first, pairs.other])
        two = np.concatenate([pairs.other, first])
        value = np.concatenate([distance, distance])
        order = np.lexsort((two, one))
        indptr = np.searchsorted(one[order], np.arange(len(layout) + 1))
        return cls(indptr, two[order].astype(np.int32), value[order])


def _assemble(
    layout: Layout, near: _BothWays, empty: int, scale: int, rounds: int
) -> NDArray[np.int64]:
    """A group number per unit, by repeated exact assignment of one annotator to the groups."""
    group = np.full(len(layout), -1, dtype=np.int64)
    fresh = 0
    by_size = np.argsort(-layout.counts[0], kind="stable")
    for round_ in range(rounds):
        before = group.copy()
        for a in by_size:
            own = range(int(layout.bounds[0][a]), int(layout.bounds[0][a + 1]))
            group[own.start : own.stop] = -1
            size = np.bincount(group[group >= 0], minlength=fresh + 1)
            row, column, gain = _joined(near, own, group, size, empty, scale)
            for e in best_matching(row, column, gain):
                group[row[e]] = column[e]
            for u in own:
                if group[u] < 0:
                    group[u] = fresh
                    fresh += 1
        if round_ and _same(before, group):
            break
    return np.unique(group, return_inverse=True)[1]


def _joined(
    near: _BothWays, own: range, group: Whole, size: Whole, empty: int, scale: int
) -> tuple[Whole, Whole, NDArray[np.float64]]:
    """The units of one annotator, the groups that each may join, and what that gains."""
    part = slice(int(near.indptr[own.start]), int(near.indptr[own.stop]))
    unit = np.repeat(np.arange(own.start, own.stop), np.diff(near.indptr[own.start : own.stop + 1]))
    where, close = group[near.other[part]], scale - near.distance[part]
    placed = where >= 0
    pair, slot = np.unique(unit[placed] * len(size) + where[placed], return_inverse=True)
    count = np.bincount(slot, minlength=len(pair))
    gain = empty + np.bincount(slot, weights=close[placed], minlength=len(pair))
    unit, where = pair // len(size), pair % len(size)
    # a member that is not near rules the group out
    good = (count == size[where]) & (gain > 0)
    return unit[good], where[good], gain[good]


def _same(a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Whether two numberings make the same groups."""
    joint = len(np.unique(np.stack([a, b]), axis=1).T)
    return joint == len(np.unique(a)) == len(np.unique(b))
