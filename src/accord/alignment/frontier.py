"""Set packing along a line: from left to right, remembering only which units beyond are taken already.

The leftmost unit that is still free is alone or in a column whose leftmost unit it is. Two beginnings that
have taken the same units go on alike, so that only the better one is kept; and what has more slack than
the optimum may have is dropped. Where columns are short compared with the line there are few beginnings,
however long it is.
"""

from __future__ import annotations

import numpy as np

from accord.alignment.packing import Columns, Packing, Whole

#: beginnings kept once the steps are used up
_NARROW = 500

#: a chain of columns chosen, the last one first (-1: a unit alone)
Chain = tuple[int, "Chain"] | None


def pack_along(
    columns: Columns, place: Whole, price: Whole, budget: int, steps: int
) -> Packing | None:
    """The packing of least slack, at most `budget`; None when there is none.

    `price` are feasible, so that a packing gains their sum minus its slack; all columns with slack up to
    the budget must be there. After so many `steps` only the best beginnings are kept: its slack is then
    its gap, otherwise it is the optimum.
    """
    order = np.argsort(place, kind="stable")
    choices = _choices(columns, order, price, budget)
    #: units taken, the one to decide on being the lowest bit: slack so far, and how
    states: dict[int, tuple[int, Chain]] = {0: (0, None)}
    taken, whole = 0, True
    for here in choices:
        after: dict[int, tuple[int, Chain]] = {}
        for units, (slack, chain) in states.items():
            if units & 1:
                held = after.get(units >> 1)
                if held is None or held[0] > slack:
                    after[units >> 1] = (slack, chain)
                continue
            for more, mask, column in here:
                if slack + more > budget:
                    break
                taken += 1
                if units & mask:
                    continue
                key = (units | mask) >> 1
                held = after.get(key)
                if held is None or held[0] > slack + more:
                    after[key] = (slack + more, (column, chain))
        if taken > steps and len(after) > _NARROW:
            whole = False
            best = sorted(after.items(), key=lambda state: (state[1][0], state[0]))[:_NARROW]
            after = dict(best)
        states = after
    if not states:
        return None
    ((slack, chain),) = states.values()
    packed = np.full(columns.units, -1, dtype=np.int32)
    while chain is not None:
        column, chain = chain
        if column >= 0:
            packed[columns.member[columns.offsets[column] : columns.offsets[column + 1]]] = column
    return Packing(packed, 0.0 if whole else float(slack), price / columns.one)


def _choices(
    columns: Columns, order: Whole, price: Whole, budget: int
) -> list[list[tuple[int, int, int]]]:
    """For each unit along the line: slack, units (itself the lowest bit) and number of its columns."""
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    first = columns.offsets[:-1]
    slack = np.add.reduceat(price[columns.member], first) - columns.gain if len(columns) else first
    places = rank[columns.member].tolist()
    offsets = columns.offsets.tolist()
    found: list[list[tuple[int, int, int]]] = [
        [(cost, 1, -1)] if cost <= budget else [] for cost in price[order].tolist()
    ]
    for column, cost in enumerate(slack.tolist()):
        if cost <= budget:
            own = places[offsets[column] : offsets[column + 1]]
            leftmost = min(own)
            found[leftmost].append((cost, sum(1 << (p - leftmost) for p in own), column))
    for here in found:
        here.sort()
    return found
