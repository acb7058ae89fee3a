"""Weighted set packing, exactly: which disjoint sets of units gain the most.

Prices bound the gain from above, a greedy packing from below; where the two disagree a region stays
open (:mod:`accord.kernels.regions`). Small regions are searched depth first; what is left goes
round again with sharper prices, and in the end to an integer programme.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.kernels.covers import (
    columns_of_units,
    first_prices,
    repair_prices,
    search_covers,
    smooth_prices,
    take_greedily,
)
from accord.kernels.regions import open_regions

Whole = NDArray[np.int64]
Codes = NDArray[np.int32]

#: temperatures of the smoothed prices, in units of the cost of one empty unit
_TEMPERATURES = (0.03, 0.01, 0.003, 0.001, 0.0003)
#: temperature and sweeps of a first approach, before anything is decided; it begins with prices that
#: are this part of what a unit's best column gains for each of its units
_APPROACH, _BEGINNING = (0.1, 12), 0.8
_SWEEPS = 40
_NODES = 500


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Sets of units (two or more) and what each gains over leaving its units alone."""

    offsets: Whole
    member: Codes
    gain: Whole
    #: number of units
    units: int
    #: gain that counts as 1 when prices are smoothed
    one: float
    #: number of each column among the candidates it was made from; None when it is the same
    origin: Whole | None = None

    def __len__(self) -> int:
        return len(self.gain)

    @property
    def sizes(self) -> Whole:
        return self.offsets[1:] - self.offsets[:-1]

    def subset(self, keep: NDArray[np.bool_], number: Codes, units: int) -> Columns:
        """The columns kept, over the units renumbered (number[i] >= 0 for all of theirs)."""
        sizes = self.sizes
        member = number[self.member[np.repeat(keep, sizes)]]
        offsets = np.concatenate([[0], np.cumsum(sizes[keep])])
        origin = np.flatnonzero(keep) if self.origin is None else self.origin[keep]
        return Columns(offsets, member, self.gain[keep], units, self.one, origin)


@dataclass(frozen=True, slots=True, eq=False)
class Packing:
    """The column that each unit is in (-1: alone), and what may be missing from the optimum.

    `price` bounds from above what each unit contributes, nearly: repaired before use.
    """

    column: Codes
    gap: float
    price: NDArray[np.float64]


def best_packing(columns: Columns, *, deadline: float | None = None, proof: bool = True) -> Packing:
    """Disjoint columns with the greatest total gain; gap 0 unless the deadline passed.

    Without `proof`, what is hard is not searched: the gap is to the bound of its linear programme.
    """
    best = np.full(columns.units, -1, dtype=np.int32)
    if not len(columns):
        return Packing(best, 0.0, np.zeros(columns.units))
    part, names, ids = columns, np.arange(columns.units), np.arange(len(columns))
    held = best.copy()
    region: Codes | None = None
    price = np.zeros(columns.units)
    final = np.zeros(columns.units)
    for round_, temperature in enumerate(_TEMPERATURES):
        if round_ and deadline is not None and time.monotonic() > deadline:
            break
        indptr, column = columns_of_units(part.offsets, part.member, part.units)
        whole = fitted_prices(part, indptr, column, price, temperature, _SWEEPS << round_)
        slack = repair_prices(part.offsets, part.member, part.gain, indptr, column, whole)
        taken = _greedy(part, slack)
        if region is not None:
            _keep_better(part, region, held, taken)
        at, live, lone = open_regions(
            part.offsets, part.member, slack, indptr, column, whole, taken, False
        )
        final[names] = whole / part.one
        settled = at < 0
        best[names[settled]] = _globally(taken[settled], ids)
        if settled.all():
            return Packing(best, 0.0, final)
        open_ = _Region.collect(part, at, live, lone, slack, whole, taken)
        part, names, ids, held, region, price = open_.search(
            best, names, ids, whole / part.one, _NODES << round_
        )
        if not part.units:
            return Packing(best, 0.0, final)
    from accord.alignment.programme import bound_programme, solve_programme

    indptr, column = columns_of_units(part.offsets, part.member, part.units)
    whole = np.rint(price * part.one).astype(np.int64)
    repair_prices(part.offsets, part.member, part.gain, indptr, column, whole)
    solve = solve_programme if proof else bound_programme
    held, gap = solve(part, held, ceiling=float(whole.sum()), deadline=deadline)
    best[names] = _globally(held, ids)
    return Packing(best, gap, final)


def fitted_prices(
    part: Columns,
    indptr: Whole,
    column: Codes,
    price: NDArray[np.float64],
    temperature: float,
    sweeps: int,
) -> Whole:
    """Prices smoothed at this temperature, in place, and rounded; not yet feasible."""
    gain = part.gain / part.one
    stages = [(temperature, sweeps)]
    if not price.any():
        first_prices(part.offsets, part.member, gain, price, _BEGINNING)
        stages.insert(0, _APPROACH)
    for degree, most in stages:
        smooth_prices(part.offsets, part.member, gain, indptr, column, price, degree, most, 0.01)
    return np.rint(price * part.one).astype(np.int64)


def _greedy(part: Columns, slack: Whole) -> Codes:
    """Take the columns with the least slack first, those nobody doubts only."""
    taken = np.full(part.units, -1, dtype=np.int32)
    near = np.flatnonzero(slack <= 0.25 * part.one)
    ranking = near[np.argsort(slack[near], kind="stable")]
    take_greedily(part.offsets, part.member, ranking, taken, part.gain)
    return taken


def _keep_better(part: Columns, region: Codes, held: Codes, taken: Codes) -> None:
    """Where the packing held so far gains more than the new one, go back to it, in place."""
    gains = [np.zeros(int(region.max()) + 1, dtype=np.int64) for _ in range(2)]
    for total, packing in zip(gains, (held, taken), strict=True):
        used = np.unique(packing[packing >= 0])
        np.add.at(total, region[part.member[part.offsets[used]]], part.gain[used])
    back = (gains[0] > gains[1])[region]
    taken[back] = held[back]


def _globally(column: Codes, ids: Whole) -> Codes:
    return np.where(column < 0, -1, ids[column]).astype(np.int32)


@dataclass(frozen=True, slots=True, eq=False)
class _Region:
    """The open regions of a problem, as one problem of their own (units sorted by region)."""

    part: Columns
    region: Codes
    #: where its units and columns were in the problem it comes from
    units: Whole
    columns: Whole
    slack: Whole
    price: Whole
    lone: NDArray[np.int8]
    held: Codes

    @classmethod
    def collect(
        cls,
        part: Columns,
        at: Codes,
        live: NDArray[np.int8],
        lone: NDArray[np.int8],
        slack: Whole,
        price: Whole,
        taken: Codes,
    ) -> _Region:
        units = np.flatnonzero(at >= 0)
        units = units[np.argsort(at[units], kind="stable")]
        _, region = np.unique(at[units], return_inverse=True)
        number = np.full(part.units, -1, dtype=np.int32)
        number[units] = np.arange(len(units), dtype=np.int32)
        keep = live.astype(bool)
        columns = np.flatnonzero(keep)
        place = np.full(len(part), -1, dtype=np.int32)
        place[columns] = np.arange(len(columns), dtype=np.int32)
        held = taken[units]
        return cls(
            part.subset(keep, number, len(units)),
            region.astype(np.int32),
            units,
            columns,
            slack[columns],
            price[units],
            lone[units],
            np.where(held < 0, -1, place[held]).astype(np.int32),
        )

    def search(
        self, best: Codes, names: Whole, ids: Whole, price: NDArray[np.float64], nodes: int
    ) -> tuple[Columns, Whole, Whole, Codes, Codes, NDArray[np.float64]]:
        """Search every region; write what is settled into `best`, give back what is not."""
        part, regions = self.part, int(self.region[-1]) + 1
        first = part.member[part.offsets[:-1]]
        alone = np.flatnonzero(self.lone)
        # lone units are columns of one unit whose slack is their price
        where = np.concatenate([self.region[first], self.region[alone]])
        slack = np.concatenate([self.slack, self.price[alone]])
        order = np.lexsort((slack, where))
        sizes = np.concatenate([part.sizes, np.ones(len(alone), dtype=np.int64)])
        starts = np.concatenate([part.offsets[:-1], len(part.member) + np.arange(len(alone))])
        offsets = np.concatenate([[0], np.cumsum(sizes[order])])
        member = np.concatenate([part.member, alone.astype(np.int32)])[
            ranges(starts[order], sizes[order])
        ]
        used = np.unique(self.held[self.held >= 0])
        budget = np.bincount(self.region, weights=None, minlength=regions) * 0
        np.add.at(budget, self.region[first[used]], self.slack[used])
        single = self.held < 0
        np.add.at(budget, self.region[single], self.price[single])
        chosen, _, finished, _ = search_covers(
            np.concatenate([[0], np.cumsum(np.bincount(self.region))]),
            np.concatenate([[0], np.cumsum(np.bincount(where, minlength=regions))]),
            offsets,
            member,
            slack[order],
            budget,
            int(sizes.max()),
            nodes,
            False,
        )
        held = self.held.copy()
        pick = np.flatnonzero(chosen)
        cells = ranges(offsets[pick], sizes[order][pick])
        column = np.where(order[pick] < len(part), order[pick], -1)
        held[member[cells]] = np.repeat(column, sizes[order][pick]).astype(np.int32)
        done = finished.astype(bool)[self.region]
        best[names[self.units[done]]] = _globally(held[done], ids[self.columns])
        left = ~done
        number = np.full(part.units, -1, dtype=np.int32)
        number[left] = np.arange(left.sum(), dtype=np.int32)
        keep = left[first]
        place = np.full(len(part) + 1, -1, dtype=np.int32)
        place[np.flatnonzero(keep)] = np.arange(keep.sum(), dtype=np.int32)
        _, region = np.unique(self.region[left], return_inverse=True)
        return (
            part.subset(keep, number, int(left.sum())),
            names[self.units[left]],
            ids[self.columns[keep]],
            place[held[left]],
            region.astype(np.int32),
            price[self.units[left]],
        )


def ranges(starts: Whole, sizes: Whole) -> Whole:
    """starts[0], starts[0]+1, ... sizes[0] of them, then the same for the next.

    >>> ranges(np.array([5, 0]), np.array([2, 3])).tolist()
    [5, 6, 0, 1, 2]
    """
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], sizes)
