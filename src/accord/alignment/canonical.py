"""Among equal optima the lexicographically smallest, so that what follows does not depend on luck."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.alignment.packing import Codes, Columns, Packing, Whole, ranges
from accord.kernels.covers import columns_of_units, repair_prices, search_covers
from accord.kernels.outcome import has_tight_exchange
from accord.kernels.regions import open_regions

#: steps of the search in one region; a tie that needs more keeps the optimum it has
_NODES = 200_000


def rank_of(order: Whole) -> Codes:
    """Place of each unit in the canonical order."""
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return rank


def canonical_packing(columns: Columns, packing: Packing, rank: Codes) -> Codes:
    """The optimal packing whose sorted list of unitary alignments is smallest.

    `packing` must be optimal. A unitary alignment is compared by the ranks of its units, in order;
    a shorter one comes before those it begins. Branching on the first free unit and trying its
    columns in that order, the first cover that is as good is the smallest.
    """
    if not len(columns):
        return packing.column
    indptr, column = columns_of_units(columns.offsets, columns.member, columns.units)
    price = np.rint(packing.price * columns.one).astype(np.int64)
    slack = repair_prices(columns.offsets, columns.member, columns.gain, indptr, column, price)
    if not has_tight_exchange(
        columns.offsets, columns.member, slack, indptr, column, price, packing.column
    ):
        return packing.column
    at, live, lone = open_regions(
        columns.offsets, columns.member, slack, indptr, column, price, packing.column, True
    )
    used = packing.column
    other = live.astype(bool)
    other[used[used >= 0]] = False
    if not (other.any() or (lone.astype(bool) & (used >= 0)).any()):
        return used
    inside = np.flatnonzero(at >= 0)
    # units by region, then by rank
    units = inside[np.lexsort((rank[inside], at[inside]))]
    number = np.full(columns.units, -1, dtype=np.int32)
    number[units] = np.arange(len(units), dtype=np.int32)
    _, region = np.unique(at[units], return_inverse=True)
    chosen_columns = np.flatnonzero(live)
    singles = units[lone[units] > 0]
    sizes = np.concatenate([columns.sizes[chosen_columns], np.ones(len(singles), dtype=np.int64)])
    # units of each column by rank, -1 after the last: a prefix sorts first
    table = np.full((len(sizes), int(sizes.max())), -1, dtype=np.int64)
    cells = ranges(columns.offsets[chosen_columns], columns.sizes[chosen_columns])
    row = np.repeat(np.arange(len(chosen_columns)), columns.sizes[chosen_columns])
    place = ranges(np.zeros(len(chosen_columns), dtype=np.int64), columns.sizes[chosen_columns])
    table[row, place] = number[columns.member[cells]]
    table[len(chosen_columns) :, 0] = number[singles]
    # pad with a number above all, sort each row, then put the padding below all
    above = len(units)
    table = np.sort(np.where(table < 0, above, table), axis=1)
    table[table == above] = -1
    order = np.lexsort((*table.T[::-1], region[table[:, 0]]))
    table, sizes = table[order], sizes[order]
    cost = np.concatenate([slack[chosen_columns], price[singles]])[order]
    budget = _held_slack(columns, packing.column, slack, price, units, region)
    chosen, found, _, _ = search_covers(
        np.concatenate([[0], np.cumsum(np.bincount(region))]).astype(np.int64),
        np.concatenate([[0], np.cumsum(np.bincount(region[table[:, 0]]))]).astype(np.int64),
        np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        table[table >= 0].astype(np.int32),
        cost,
        budget + 1,
        int(sizes.max()),
        _NODES,
        True,
    )
    result = packing.column.copy()
    renewed = found.astype(bool)[region]
    result[units[renewed]] = -1
    for k in np.flatnonzero(chosen):
        if order[k] < len(chosen_columns):
            result[units[table[k, : sizes[k]]]] = chosen_columns[order[k]]
    return result


def _held_slack(
    columns: Columns,
    held: Codes,
    slack: Whole,
    price: Whole,
    units: Whole,
    region: NDArray[np.integer],
) -> Whole:
    """What the packing held leaves of slack in each region: the optimum, measured by the prices."""
    total = np.zeros(int(region.max()) + 1, dtype=np.int64)
    column = held[units]
    alone = column < 0
    np.add.at(total, region[alone], price[units[alone]])
    used, first = np.unique(column[~alone], return_index=True)
    np.add.at(total, region[~alone][first], slack[used])
    return total
