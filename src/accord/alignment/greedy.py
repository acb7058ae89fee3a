"""Algorithm 1 of Mathet and Widlöcher (2011): the fast alignment that is not always ideal."""

from __future__ import annotations

import numpy as np

from accord.alignment.candidates import Candidates
from accord.alignment.exact import Partition
from accord.alignment.packing import Codes
from accord.kernels.prices import take_greedily


def greedy_partition(candidates: Candidates, rank: Codes) -> Partition:
    """Take candidates by ascending δ, strike out those that share a unit; the rest stay alone.

    Equal δ are taken in canonical order. A candidate with δ ≥ Δ comes after the singleton of its
    first unit and is never taken; pruning drops only such candidates.
    """
    good = np.flatnonzero(candidates.close > 0)
    sizes = candidates.sizes[good]
    width = int(sizes.max(initial=1))
    table = np.full((len(good), width), len(rank), dtype=np.int64)
    for place in range(width):
        has = sizes > place
        table[has, place] = rank[candidates.member[candidates.offsets[good[has]] + place]]
    table = np.sort(table, axis=1)
    # a prefix sorts before what it begins
    table[table == len(rank)] = -1
    order = np.lexsort((*table.T[::-1], -candidates.close[good]))
    taken = np.full(candidates.units, -1, dtype=np.int32)
    take_greedily(candidates.offsets, candidates.member, good[order], taken)
    used, group = np.unique(taken, return_inverse=True)
    alone = taken < 0
    group = group.astype(np.int32) - (1 if alone.any() else 0)
    real = used[used >= 0]
    group[alone] = len(real) + np.arange(int(alone.sum()), dtype=np.int32)
    size = len(real) + int(alone.sum())
    return Partition(group, size, size * candidates.empty - int(candidates.close[real].sum()), 0.0)
