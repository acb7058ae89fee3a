"""Exact without listing every tuple: columns are generated where prices show that they are missing.

Prices u ≥ 0 with Σu ≥ gain for every tuple bound the gain of every packing by their sum. Starting
from one alignment, prices are fitted to the tuples known so far; a search finds the tuples that they
undervalue, which join the known ones, until there are none (Dantzig and Wolfe 1960; Gilmore and
Gomory 1961). Then only tuples whose slack is within the gap to the best packing can improve on it:
they are listed, and their packing is the optimum.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.alignment.floors import least_cost
from accord.alignment.frontier import Along, pack_along
from accord.alignment.line_prices import offer_on_line
from accord.alignment.packing import Columns, Packing, Whole, best_packing
from accord.alignment.prices import offer_prices
from accord.alignment.tuples import Candidates, Near
from accord.kernels.line_pricing import priced_on_line
from accord.kernels.pricing import priced_tuples

#: rounds below which no proof was ever seen: without effort for so many the floors have to do
_FEW_ROUNDS = 20
#: annotators above which tuples have so many units that not even the closest around one is found in minutes
MANY_ANNOTATORS = 64
#: slack within which tuples are listed first, in the same unit, and by what it grows: the more are
#: listed, the longer is their packing
_SLACK, _WIDER = 0.002, 2
#: tuples listed at most
_MOST = 300_000
#: steps of the search from each unit
_MANY_STEPS = 200_000_000
#: steps of search that one beginning of a packing along a line is worth, and columns up to which it is
#: looked for that way: with more an integer programme takes less time
_STEP_ALONG, _MOST_ALONG = 10, 60_000
#: choices tried in vain from one end of the line, from which on the other end is tried, too
_MANY_STEPS_ALONG = 5_000
#: choices tried where units are on no line: it tells at once when there is no packing within a slack
_FEW_STEPS_ALONG = 300_000
#: units searched between two looks at the clock, and steps that they take together at most
_BATCH, _BATCH_STEPS = 64, 16_000_000


class Tuples(NamedTuple):
    """Tuples found, Σ(Δ − d) of each on the grid, and how far each unit's were searched."""

    offsets: Whole
    member: NDArray[np.int32]
    close: Whole
    #: floor of the slack of the tuples that begin with each unit searched
    least: Whole
    #: whether every unit was searched to the end, and in how many steps
    finished: bool
    steps: int


@dataclass(frozen=True, slots=True)
class Market:
    """Where tuples are looked for: near pairs, and what joining a unit gains apart from its pairs.

    Gains and prices are whole numbers, `digits` to the unit of the grid.
    """

    near: Near
    annotators: int
    bonus: int
    digits: int
    #: Δ on the grid
    scale: int

    @property
    def highest(self) -> int:
        """A price that pays for any tuple: every other unit joins, and every pair is equal."""
        return max(
            0, self.bonus + int(self.near.close.max(initial=0)) * self.digits * self.annotators
        )

    @property
    def round_steps(self) -> int:
        """Steps that a search from every unit takes at least: each looks at all pairs around it."""
        return int((np.diff(self.near.indptr) ** 2).sum())

    def search(
        self,
        price: Whole,
        limit: int,
        *,
        least_only: bool,
        units: NDArray[np.int64] | None = None,
        steps: int = _MANY_STEPS,
        deadline: float | None = None,
    ) -> Tuples:
        """The tuples with slack ≤ limit that begin with one of `units`; see the kernels."""
        if self.near.place is not None and units is None:
            return self._on_line(price, limit, least_only=least_only)
        near, count, empty64 = self.near, len(price), np.empty(0, dtype=np.int64)
        close = near.close * self.digits
        some = max(1, min(_BATCH, _BATCH_STEPS // max(1, steps)))
        starts = [(i, min(i + some, count)) for i in range(0, count, some)]
        if units is not None:
            starts = [(i, i + 1) for i in units.tolist()]
        sizes, members, closes = [empty64], [np.empty(0, dtype=np.int32)], [empty64]
        leasts, left, finished, spent = [empty64], _MOST, True, 0
        for first, last in starts:
            if left <= 0 or (deadline is not None and time.monotonic() > deadline):
                finished = False
                break
            offsets, member, total, least, whole, taken = priced_tuples(
                near.indptr,
                near.other,
                close,
                near.annotator,
                self.annotators,
                first,
                last,
                self.bonus,
                price,
                limit,
                least_only,
                left,
                steps,
            )
            sizes.append(np.diff(offsets))
            members.append(member)
            closes.append(total // self.digits)
            leasts.append(least)
            left -= len(total)
            finished = finished and whole
            spent += taken
        return Tuples(
            np.concatenate([[0], np.cumsum(np.concatenate(sizes))]).astype(np.int64),
            np.concatenate(members),
            np.concatenate(closes),
            np.concatenate(leasts),
            finished,
            spent,
        )

    def _on_line(self, price: Whole, limit: int, *, least_only: bool) -> Tuples:
        """The same among points on a line."""
        near = self.near
        return Tuples(
            *priced_on_line(
                near.place,
                near.annotator,
                self.annotators,
                self.bonus,
                self.scale,
                self.digits,
                price,
                limit,
                least_only,
                _MOST,
            )
        )


def price_out(
    candidates: Candidates, level: int = 0, deadline: float | None = None
) -> tuple[Candidates, Columns, Packing]:
    """The best packing of all tuples, listed or not, among those that it may need.

    Its gap is 0 when it is proven; it is not when the search was too long or the deadline passed.
    """
    near = candidates.near
    assert near is not None
    columns = candidates.columns(level)
    digits = round(columns.one / candidates.empty)
    bonus = (candidates.empty - level) * digits - 1
    market = Market(near, candidates.annotators, bonus, digits, candidates.scale)
    packing = best_packing(columns)
    held = candidates, columns, packing
    gain, limit = packed_gain(columns, packing), round(_SLACK * columns.one)
    price, sharp = np.full(columns.units, market.highest, dtype=np.int64), False
    hopeless = deadline is None and _FEW_ROUNDS * market.round_steps > near.effort
    if not hopeless and candidates.annotators <= MANY_ANNOTATORS:
        shares = _shares(columns, market, packing)
        if near.place is None:
            price, sharp, known = offer_prices(
                candidates, level, market, shares, gain, gain + limit, deadline
            )
            # what was found on the way may be packed better
            columns = known.columns(level)
            packing = best_packing(columns, deadline=deadline)
            if packed_gain(columns, packing) > gain:
                gain, held = packed_gain(columns, packing), (known, columns, packing)
        else:
            price, sharp = offer_on_line(candidates, level, market, shares, gain + limit, deadline)
    ceiling = most = sum(price.tolist())
    limit = min(limit, ceiling - gain)
    place, either_end = near.rank if near.place is None else near.place, True
    while sharp:
        found = market.search(price, limit, least_only=False, deadline=deadline)
        if not found.finished:
            break
        listed = replace(candidates, offsets=found.offsets, member=found.member, close=found.close)
        columns = listed.columns(level)
        along = Along(None, whole=False)
        if len(columns) <= _MOST_ALONG:
            steps = near.effort // _STEP_ALONG if near.place is not None else _FEW_STEPS_ALONG
            along = pack_along(columns, place, price, limit, steps)
            in_vain = along.whole and along.packing is None and along.steps > _MANY_STEPS_ALONG
            if in_vain and either_end:
                # what cannot be packed may be seen earlier from the other end: begin there next time
                either_end = pack_along(columns, -place, price, limit, along.steps).whole
                place = -place if either_end else place
        better = along.packing
        if not along.whole and near.place is None:
            better = best_packing(columns, deadline=deadline)
        if better is not None and packed_gain(columns, better) >= gain:
            gain, held = packed_gain(columns, better), (listed, columns, better)
        if along.whole and better is None:
            # every packing has more slack than that
            most = ceiling - limit - 1
        elif better is None or better.gap > 0:
            break
        elif ceiling - gain <= limit:
            return held
        if deadline is not None and time.monotonic() > deadline:
            break
        wider = limit + limit // 4 if near.place is not None else _WIDER * limit
        limit = min(ceiling - gain, wider)
    candidates, columns, packing = held
    floor = least_cost(candidates, near, level)
    sure = (candidates.units * (candidates.empty - level) - floor) * digits
    missing = min(sure, most) - gain
    return candidates, columns, Packing(packing.column, float(missing), packing.price)


def _shares(columns: Columns, market: Market, packing: Packing) -> NDArray[np.float64]:
    """Prices that divide the gain of each group among its units, half of every pair to each."""
    column, near = packing.column, market.near
    size = np.where(column < 0, 1, columns.sizes[column] if len(columns) else 1)
    first = np.repeat(np.arange(columns.units), np.diff(near.indptr))
    inside = (column[first] >= 0) & (column[first] == column[near.other])
    half = near.close[inside] * market.digits / 2
    gain = (
        market.bonus * (size - 1) / size
        + np.bincount(first[inside], half, minlength=columns.units)
        + np.bincount(near.other[inside], half, minlength=columns.units)
    )
    return np.maximum(0.0, gain / columns.one)


def packed_gain(columns: Columns, packing: Packing) -> int:
    """What the columns of a packing gain together."""
    used = np.unique(packing.column[packing.column >= 0])
    return int(columns.gain[used].sum())
