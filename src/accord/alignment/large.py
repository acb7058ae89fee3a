"""When there are more candidates than can be listed: a good alignment, and an honest bound.

Annotators are aligned one after the other with the groups so far, each step an exact assignment, and
then taken out and put back until nothing improves; tuples of closer pairs are added as candidates.
The bound holds for every alignment.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from accord.alignment.candidates import FEW, Candidates, Pairs
from accord.alignment.matching import best_matching
from accord.alignment.packing import Codes, Whole
from accord.data.continuum import Continuum
from accord.kernels.candidates import candidate_tuples

#: times every annotator is taken out and put back, at most
_ROUNDS = 20


def closest_candidates(
    continuum: Continuum, pairs: Pairs, delta: float, scale: int, most: int
) -> Candidates:
    """The groups of one good alignment and the tuples of closer pairs, as many as can be listed.

    With a proven floor of the cost. With dozens of annotators who mark the same, even the closest
    tuples are too many: then only the groups are candidates.
    """
    n = continuum.annotators
    limit = delta * (n * (n - 1) // 2 + n - 1)
    near = _Near.both_ways(continuum, pairs, scale / delta)
    floor = _floor(continuum, near, scale, limit / delta)
    group = _assemble(continuum, near, n * (n - 1) // 2 * scale, scale)
    order = np.argsort(group, kind="stable")
    counts = np.bincount(group)
    several = counts[group[order]] > 1
    member = order[several].astype(np.int32)
    offsets = np.concatenate([[0], np.cumsum(counts[counts > 1])]).astype(np.int64)
    close = np.array(
        [_closeness(near, member[a:b], scale) for a, b in pairwise(offsets.tolist())],
        dtype=np.int64,
    )
    for factor in (2, 4, 8, 16, 32) if n <= FEW else ():
        keep = pairs.distance < limit / factor
        kept = np.concatenate([[0], np.cumsum(keep)])[pairs.indptr].astype(np.int64)
        more, others, nearness, complete = candidate_tuples(
            kept, pairs.other[keep], pairs.distance[keep], n, scale, scale / delta, most // 4
        )
        if complete:
            offsets = np.concatenate([offsets, offsets[-1] + more[1:]])
            member = np.concatenate([member, others])
            close = np.concatenate([close, nearness])
            break
    return Candidates(offsets, member, close, len(continuum), n, scale, False, floor)


class _Near:
    """Near pairs in both directions, on the grid."""

    def __init__(self, indptr: Whole, other: Codes, distance: Whole) -> None:
        self.indptr, self.other, self.distance = indptr, other, distance

    @classmethod
    def both_ways(cls, continuum: Continuum, pairs: Pairs, factor: float) -> _Near:
        first = np.repeat(np.arange(len(continuum)), np.diff(pairs.indptr))
        one = np.concatenate([first, pairs.other])
        two = np.concatenate([pairs.other, first])
        value = np.rint(np.concatenate([pairs.distance, pairs.distance]) * factor)
        order = np.lexsort((two, one))
        indptr = np.searchsorted(one[order], np.arange(len(continuum) + 1))
        return cls(indptr, two[order].astype(np.int32), value[order].astype(np.int64))

    def of(self, unit: int) -> tuple[Codes, Whole]:
        part = slice(int(self.indptr[unit]), int(self.indptr[unit + 1]))
        return self.other[part], self.distance[part]


def _assemble(continuum: Continuum, near: _Near, empty: int, scale: int) -> NDArray[np.int64]:
    """A group number per unit, by repeated exact assignment of one annotator to the groups."""
    group = np.full(len(continuum), -1, dtype=np.int64)
    fresh = 0
    by_size = np.argsort(-continuum.counts, kind="stable")
    for round_ in range(_ROUNDS if continuum.annotators <= FEW else 3):
        before = group.copy()
        for a in by_size:
            own = range(int(continuum.offsets[a]), int(continuum.offsets[a + 1]))
            group[own.start : own.stop] = -1
            size = np.bincount(group[group >= 0], minlength=fresh + 1)
            rows, columns, gains = [], [], []
            for u in own:
                other, distance = near.of(u)
                placed = group[other] >= 0
                where, slot = np.unique(group[other[placed]], return_inverse=True)
                count = np.bincount(slot, minlength=len(where))
                total = np.bincount(slot, weights=scale - distance[placed], minlength=len(where))
                gain = empty + total
                # a member that is not near rules the group out
                good = (count == size[where]) & (gain > 0)
                rows.append(np.full(int(good.sum()), u))
                columns.append(where[good])
                gains.append(gain[good])
            if rows:
                row, column = np.concatenate(rows), np.concatenate(columns)
                for e in best_matching(row, column, np.concatenate(gains)):
                    group[row[e]] = column[e]
            for u in own:
                if group[u] < 0:
                    group[u] = fresh
                    fresh += 1
        if round_ and _same(before, group):
            break
    return np.unique(group, return_inverse=True)[1]


def _same(a: NDArray[np.int64], b: NDArray[np.int64]) -> bool:
    """Whether two numberings make the same groups."""
    joint = len(np.unique(np.stack([a, b]), axis=1).T)
    return joint == len(np.unique(a)) == len(np.unique(b))


def _closeness(near: _Near, units: Codes, scale: int) -> int:
    """Σ (Δ − d) over the pairs of a group, on the grid."""
    inside = set(units.tolist())
    total = 0
    for u in units.tolist():
        other, distance = near.of(u)
        keep = np.array([o > u and o in inside for o in other.tolist()], dtype=bool)
        total += int((scale - distance[keep]).sum())
    return total


def _floor(continuum: Continuum, near: _Near, scale: int, limit: float) -> int:
    """A lower bound of Σ C·δ(K), on the grid: what each unit costs at least.

    With m units in K, C·δ(K) is the sum over them of (C·Δ − Δ·m(m−1)/2)/m + ½ Σ d to the others;
    the least a unit can pay is reached with its nearest units, one of each other annotator.
    """
    n = continuum.annotators
    annotator = continuum.annotator
    far = int(limit * scale)
    m = np.arange(1, n + 1)
    share = (n * (n - 1) / 2 - m * (m - 1) / 2) * scale / m
    total = 0.0
    for u in range(len(continuum)):
        other, distance = near.of(u)
        nearest = np.full(n, far, dtype=np.float64)
        np.minimum.at(nearest, annotator[other], distance)
        ranked = np.sort(np.delete(nearest, annotator[u]))
        total += float((share + np.concatenate([[0.0], np.cumsum(ranked)]) / 2).min())
    return int(np.floor(total))
