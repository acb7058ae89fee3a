"""Set packing along an order: from left to right, remembering only which units beyond are taken already.

The leftmost unit that is still free is alone or in a column whose leftmost unit it is. Two beginnings that
have taken the same units go on alike, so that only the better one is kept; and what has more slack than
the optimum may have is dropped. Where columns are short compared with the line there are few beginnings,
however long it is.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.alignment.packing import Codes, Columns, Packing, Whole
from accord.kernels.frontier import extend_beginnings


class Along(NamedTuple):
    """The packing found, if any, and whether every beginning within the budget was looked at."""

    packing: Packing | None
    whole: bool
    #: choices tried
    steps: int = 0


def pack_along(
    columns: Columns, place: Whole | Codes, price: Whole, budget: int, steps: int
) -> Along:
    """The packing of least slack, at most `budget`, units being decided on by their `place`.

    `price` are feasible, so that a packing gains their sum minus its slack; all columns with slack up to
    the budget must be there. After so many `steps` it is given up.
    """
    choices = _Choices.of(columns, np.argsort(place, kind="stable"), price, budget)
    taken = np.zeros((1, choices.masks.shape[1]), dtype=np.uint64)
    slack = np.zeros(1, dtype=np.int64)
    ways: list[tuple[Whole, Codes]] = []
    left = steps
    for first, last in pairwise(choices.offsets):
        taken, slack, origin, choice, tried = extend_beginnings(
            taken, slack, choices.masks[first:last], choices.slack[first:last], budget, left
        )
        left -= tried
        if left < 0:
            return Along(None, whole=False, steps=steps - left)
        if not len(slack):
            return Along(None, whole=True, steps=steps - left)
        ways.append((origin, choice))
    packed = np.full(columns.units, -1, dtype=np.int32)
    at = 0
    for (origin, choice), first in zip(reversed(ways), reversed(choices.offsets[:-1]), strict=True):
        if choice[at] >= 0:
            column = choices.column[first + choice[at]]
            if column >= 0:
                packed[columns.member[columns.offsets[column] : columns.offsets[column + 1]]] = (
                    column
                )
        at = int(origin[at])
    return Along(Packing(packed, 0.0, price / columns.one), whole=True, steps=steps - left)


class _Choices(NamedTuple):
    """What the unit at each place may be in, if it is the leftmost: by slack within each place."""

    #: the unit at place k has the choices offsets[k] .. offsets[k+1]
    offsets: list[int]
    #: units from there on, as words of 64 bits
    masks: NDArray[np.uint64]
    slack: Whole
    #: -1: alone
    column: Whole

    @classmethod
    def of(cls, columns: Columns, order: Whole, price: Whole, budget: int) -> _Choices:
        units, sizes = len(order), columns.sizes
        rank = np.empty(units, dtype=np.int64)
        rank[order] = np.arange(units)
        place = rank[columns.member]
        starts = columns.offsets[:-1]
        slack = np.empty(0, dtype=np.int64)
        first = slack
        if len(columns):
            slack = np.add.reduceat(price[columns.member], starts) - columns.gain
            first = np.minimum.reduceat(place, starts)
        bit = place - np.repeat(first, sizes)
        masks = np.zeros((len(columns) + units, int(bit.max(initial=0)) // 64 + 1), dtype=np.uint64)
        row = np.repeat(np.arange(len(columns)), sizes)
        np.bitwise_or.at(masks, (row, bit // 64), np.uint64(1) << (bit % 64).astype(np.uint64))
        masks[len(columns) :, 0] = 1
        where = np.concatenate([first, rank])
        whole = np.concatenate([slack, price])
        column = np.concatenate([np.arange(len(columns)), np.full(units, -1)])
        kept = np.flatnonzero(whole <= budget)
        kept = kept[np.lexsort((whole[kept], where[kept]))]
        offsets: list[int] = np.searchsorted(where[kept], np.arange(units + 1)).tolist()
        return cls(offsets, masks[kept], whole[kept], column[kept])
