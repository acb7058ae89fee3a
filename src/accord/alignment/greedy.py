"""Algorithm 1 of Mathet and Widlöcher (2011): the fast alignment that is not always ideal."""

from __future__ import annotations

import numpy as np

from accord.alignment.candidates import Candidates
from accord.alignment.exact import Partition
from accord.alignment.packing import Codes, Whole
from accord.kernels.covers import take_greedily


def greedy_partition(candidates: Candidates, rank: Codes) -> Partition:
    """Take candidates by ascending δ, strike out those that share a unit; the rest stay alone.

    Equal δ are taken in canonical order. A candidate with δ ≥ Δ comes after the singleton of its
    first unit and is never taken; pruning drops only such candidates.
    """
    good = (candidates.close > 0).nonzero()[0]
    close = candidates.close[good]
    order = (-close).argsort(kind="stable")
    ranked = close[order]
    if len(order) > 1 and (ranked[1:] == ranked[:-1]).any():
        order = np.lexsort((*_keys(candidates, good, rank), -close))
    taken = np.empty(candidates.units, dtype=np.int32)
    taken.fill(-1)
    count, units, total = take_greedily(
        candidates.offsets, candidates.member, good[order], taken, candidates.close
    )
    size = count + candidates.units - units
    return Partition(taken, size, size * candidates.empty - total, 0.0)


def _keys(candidates: Candidates, good: Whole, rank: Codes) -> Whole:
    """Sort keys of the canonical order, least important first; a prefix comes first."""
    sizes = candidates.sizes[good]
    table = np.full((len(good), int(sizes.max())), len(rank), dtype=np.int64)
    for place in range(table.shape[1]):
        has = sizes > place
        table[has, place] = rank[candidates.member[candidates.offsets[good[has]] + place]]
    table = np.sort(table, axis=1)
    table[table == len(rank)] = -1
    return table.T[::-1]
