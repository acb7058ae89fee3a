"""Algorithm 1 of Mathet and Widlöcher (2011): the fast alignment that is not always ideal."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from accord.alignment.exact import Partition
from accord.alignment.packing import Codes, Whole
from accord.alignment.tuples import Candidates, Near
from accord.kernels.covers import take_greedily

#: a price that no tuple can pay: the unit is taken
_TAKEN = 1 << 50


def greedy_partition(
    candidates: Candidates, rank: Codes, deadline: float | None = None
) -> Partition | None:
    """Take candidates by ascending δ, strike out those that share a unit; the rest stay alone.

    Equal δ are taken in canonical order. A candidate with δ ≥ Δ comes after the singleton of its
    first unit and is never taken; pruning drops only such candidates. None when there are too many
    to find the next one, in all or before the deadline.
    """
    if candidates.near is not None:
        return _unlisted(candidates, candidates.near, rank, deadline)
    good = (candidates.close > 0).nonzero()[0]
    close = candidates.close[good]
    order = (-close).argsort(kind="stable")
    ranked = close[order]
    if not (ranked[1:] != ranked[:-1]).all():
        order = np.lexsort((*_keys(candidates, good, rank), -close))
    taken = np.empty(candidates.units, dtype=np.int32)
    taken.fill(-1)
    count, units, total = take_greedily(
        candidates.offsets, candidates.member, good[order], taken, candidates.close
    )
    size = count + candidates.units - units
    return Partition(candidates, taken, size, size * candidates.empty - total, 0.0)


def _unlisted(
    candidates: Candidates, near: Near, rank: Codes, deadline: float | None
) -> Partition | None:
    """The same where candidates are not listed: the closest tuple from each unit is searched for."""
    from accord.alignment.pricing import MANY_ANNOTATORS, Market

    if candidates.annotators > MANY_ANNOTATORS:
        return None
    market = Market(near, candidates.annotators, bonus=0, digits=1, scale=candidates.scale)
    price = np.zeros(candidates.units, dtype=np.int64)
    # without bonus and prices the slack of a tuple is −Σ(Δ − d)
    slack = np.zeros(candidates.units, dtype=np.int64)
    closest: dict[int, Codes] = {}
    taken: list[tuple[Codes, int]] = []
    stale = np.arange(candidates.units)
    while True:
        found = market.search(price, -1, least_only=True, units=stale, deadline=deadline)
        if not found.finished:
            return None
        slack[stale] = np.minimum(found.least, 0)
        for a, b in pairwise(found.offsets.tolist()):
            # later tuples of a unit are closer
            closest[int(found.member[a])] = found.member[a:b]
        least = int(slack.min())
        if least == 0:
            break
        near_least = np.flatnonzero(slack == least)
        tied = market.search(price, least, least_only=False, units=near_least, deadline=deadline)
        if not tied.finished:
            return None
        tuples = [tied.member[a:b] for a, b in pairwise(tied.offsets.tolist())]
        for members in sorted(tuples, key=lambda t: sorted(rank[t].tolist())):
            if not price[members].any():
                price[members] = _TAKEN
                slack[members] = 0
                taken.append((members, -least))
        open_ = np.flatnonzero(slack)
        stale = open_[[bool(price[closest[u]].any()) for u in open_.tolist()]]
    return _of_groups(candidates, taken)


def _of_groups(candidates: Candidates, taken: list[tuple[Codes, int]]) -> Partition:
    """The partition of given groups, each with its Σ(Δ − d)."""
    sizes = np.array([len(members) for members, _ in taken], dtype=np.int64)
    member = np.concatenate([*(m for m, _ in taken), np.empty(0, dtype=np.int32)]).astype(np.int32)
    close = np.array([c for _, c in taken], dtype=np.int64)
    column = np.full(candidates.units, -1, dtype=np.int32)
    column[member] = np.repeat(np.arange(len(taken), dtype=np.int32), sizes)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    size = candidates.units - int((sizes - 1).sum())
    among = replace(candidates, offsets=offsets, member=member, close=close)
    return Partition(among, column, size, size * candidates.empty - int(close.sum()), 0.0)


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
