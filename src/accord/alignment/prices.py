"""Prices for tuples that are too many to be listed: the dual of their packing, by generating columns.

Prices u ≥ 0 with Σu ≥ gain for every tuple bound the gain of every packing by their sum. The least such sum
is looked for in two steps. A descent along subgradients of

    Σu + Σ over units of what the worst tuple of each lacks, divided by its size

(Held, Wolfe and Crowder 1974; the step is Polyak's) leads from any prices to good ones. From there a linear
programme of the tuples known so far is solved, its prices held back where they leave the best ones known
(du Merle, Villeneuve, Desrosiers and Hansen 1999), and the tuples that it undervalues join the known ones
(Dantzig and Wolfe 1960; Gilmore and Gomory 1961). In both, tuples are found by exchange around every unit;
only when that finds no more is it proven that there are none, and prices are raised by what is missing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from accord.alignment.packing import Codes, Whole
from accord.alignment.programme import Master
from accord.alignment.tuples import Candidates, Near
from accord.distance.units import Array
from accord.kernels.exchange import exchange_units

if TYPE_CHECKING:
    from accord.alignment.pricing import Market, Tuples

#: rounds of the descent at most; its step is taken back after some rounds without a gain, until it is short
_ROUNDS, _PATIENCE, _BACK, _SHORT = 150, 5, 0.7, 0.2
#: part of the time that it may take
_DESCENT = 0.4
#: part of the cost by which a bound must fall to be better: tuples are not always found
_WORSE = 0.001
#: rounds of the programme at most
_PROGRAMMES = 400
#: fresh starts of the exchange around each unit: in the descent, with the programme, when nothing is found
_FEW_KICKS, _KICKS, _MORE_KICKS = 2, 5, 15
#: tuples per unit that the programme begins with
_TUPLES = 30
#: how far a price may go from the best ones without being held back, as a part of the mean cost of a unit,
#: and how many times as far after a round that was better
_AT_LARGE, _FARTHER = 0.02, 1.5
#: how much it is held back, what is left of that after a round that was no better, and when nothing is found
_HELD, _LESS_HELD, _MUCH_LESS_HELD = 0.5, 0.9, 0.3
#: rounds without anything to find after which a proof is looked for, and how many times as long as the last
#: proof prices are made better before another
_QUIET, _PROOFS = 3, 4
#: what a tuple may lack in the programme
_TOLERANCE = 1e-9
#: tuples per unit that are packed at last, at most, and the slack that they may have
_PACKED, _SLACK = 10, 0.002
#: steps of search from each unit when a proof is looked for
_STEPS = 200_000_000


class Offer(NamedTuple):
    """Prices that are feasible, whether they are as good as it gets, and tuples that are worth packing."""

    price: Whole
    sharp: bool
    tuples: Candidates


@dataclass(slots=True, eq=False)
class _Known:
    """The tuples known so far: the unit of each annotator (-1: none), and their gain."""

    rows: list[Codes]
    gains: list[Whole]
    seen: set[bytes] = field(default_factory=set)

    @classmethod
    def of(cls, candidates: Candidates, near: Near, gain: Whole) -> _Known:
        found = cls([], [])
        rows = np.full((len(gain), candidates.annotators), -1, dtype=np.int32)
        owner = np.repeat(np.arange(len(gain)), candidates.sizes)
        rows[owner, near.annotator[candidates.member]] = candidates.member
        found.add(rows, gain)
        return found

    def add(self, rows: Codes, gain: Whole) -> int:
        """How many of the tuples are new; they join the known ones."""
        fresh = []
        for k, row in enumerate(rows):
            key = row.tobytes()
            if key not in self.seen:
                self.seen.add(key)
                fresh.append(k)
        self.rows.append(rows[fresh])
        self.gains.append(gain[fresh])
        return len(fresh)

    def all(self) -> tuple[Codes, Whole]:
        self.rows, self.gains = [np.concatenate(self.rows)], [np.concatenate(self.gains)]
        return self.rows[0], self.gains[0]


class BothWays(NamedTuple):
    """Near pairs in both directions, gains in whole numbers."""

    indptr: Whole
    other: Codes
    close: Whole

    @classmethod
    def of(cls, near: Near, digits: int) -> BothWays:
        units = len(near.annotator)
        first = np.repeat(np.arange(units, dtype=np.int32), np.diff(near.indptr))
        one, two = np.concatenate([first, near.other]), np.concatenate([near.other, first])
        order = np.lexsort((two, one))
        indptr = np.searchsorted(one[order], np.arange(units + 1)).astype(np.int64)
        close = np.concatenate([near.close, near.close])[order] * digits
        return cls(indptr, two[order], close)


class Bidding:
    """Prices being made for one problem."""

    def __init__(
        self,
        candidates: Candidates,
        level: int,
        market: Market,
        price: Array,
        reached: int,
        deadline: float | None,
    ) -> None:
        columns = candidates.columns(level)
        near = market.near
        self.market, self.deadline, self.candidates = market, deadline, candidates
        self.one, self.units, self.n = columns.one, candidates.units, candidates.annotators
        #: the best prices so far, by what was found of tuples
        self.centre = price
        #: what an alignment is known to gain
        self.reached = reached / self.one
        kept = candidates if columns.origin is None else candidates.subset(columns.origin)
        self.known = _Known.of(kept, near, columns.gain)
        self.pairs = BothWays.of(near, market.digits)
        self.nearby = np.full((self.units, self.n), -1, dtype=np.int32)
        self.nearby[np.arange(self.units), near.annotator] = np.arange(self.units)
        for row in self.known.all()[0]:
            self.nearby[row[row >= 0]] = row
        self.left = near.effort if deadline is None else 1 << 62
        self.rounds = 0
        #: the best prices that are proven, and what the last proof took
        self.proven = np.full(self.units, market.highest, dtype=np.int64)
        self.proof = 0

    @property
    def late(self) -> bool:
        return self.left <= 0 or _past(self.deadline)

    def exchange(self, price: Array, kicks: int) -> tuple[float, Array]:
        """About what these prices bound, and how often each unit is asked for."""
        whole = np.rint(price * self.one).astype(np.int64)
        self.rounds += 1
        slack, steps = exchange_units(
            *self.pairs,
            self.market.near.annotator,
            self.market.bonus,
            whole,
            self.nearby,
            kicks,
            self.rounds,
        )
        self.left -= steps
        lacking = np.flatnonzero(slack < 0)
        rows = self.nearby[lacking]
        there = rows >= 0
        share = 1 / there.sum(1)
        bound = float(price.sum()) - float((slack[lacking] * share).sum()) / self.one
        asked = np.bincount(
            rows[there], weights=np.repeat(share, there.sum(1)), minlength=self.units
        ).astype(np.float64)
        asked[slack >= 0] += 1 / self.n
        prices = np.append(whole, 0)[rows].sum(1)
        self.known.add(rows, prices - slack[lacking])
        return bound, asked

    def descend(self) -> None:
        """Better prices, not proven: along subgradients."""
        price, lowest, length, stalled = self.centre, np.inf, 1.0, 0
        enough = self.left * (1 - _DESCENT)
        deadline = self.deadline
        if deadline is not None:
            deadline -= (1 - _DESCENT) * max(0.0, deadline - time.monotonic())
        for _ in range(_ROUNDS):
            bound, asked = self.exchange(price, _FEW_KICKS)
            if bound < lowest:
                lowest, self.centre, stalled = bound, price, 0
            else:
                stalled += 1
                if stalled == _PATIENCE:
                    length, stalled, price = length * _BACK, 0, self.centre
                    lowest += _WORSE * (self.units - lowest)
            slope = 1 - asked
            steep = float((slope**2).sum())
            over = bound - self.reached
            late = self.left <= enough or _past(deadline)
            if late or length < _SHORT or over <= 1e-9 * self.units or not steep:
                break
            price = np.maximum(0.0, price - length * over / steep * slope)

    def prove(self, price: Array) -> Tuples:
        """The tuples that prices undervalue, all of them; prices raised by that are proven."""
        whole = np.rint(price * self.one).astype(np.int64)
        found = self.market.search(whole, -1, least_only=True, steps=_STEPS, deadline=self.deadline)
        self.left -= found.steps
        self.proof = found.steps
        if len(found.least) == self.units:
            # raising the first unit of every undervalued tuple by what is missing makes prices feasible
            raised = whole - np.minimum(found.least, 0)
            if raised.sum() < self.proven.sum():
                self.proven = raised
        return found

    def learn(self, found: Tuples) -> int:
        """How many of the tuples of a search are new."""
        return self.known.add(*self.rows(found))

    def rows(self, found: Tuples) -> tuple[Codes, Whole]:
        """The tuples of a search and their gains."""
        sizes = np.diff(found.offsets)
        rows = np.full((len(sizes), self.n), -1, dtype=np.int32)
        owner = np.repeat(np.arange(len(sizes)), sizes)
        rows[owner, self.market.near.annotator[found.member]] = found.member
        return rows, found.close * self.market.digits + (sizes - 1) * self.market.bonus

    def settle(self, enough: int) -> bool:
        """The least prices, by a linear programme of ever more tuples; whether they were reached."""
        far = least = _AT_LARGE * max(1e-6, 1 - self.reached / self.units)
        master, inside = Master(self.units), np.zeros(0, dtype=bool)
        price, lowest, held, quiet, spent = self.centre, np.inf, _HELD, 0, 0
        for round_ in range(_PROGRAMMES):
            rows, gain = self.known.all()
            inside = np.append(inside, np.zeros(len(gain) - len(inside), dtype=bool))
            slack = np.append(price, 0.0)[rows].sum(1) - gain / self.one
            if round_:
                wanted = np.flatnonzero(~inside & (slack < -_TOLERANCE))
            else:
                wanted = slack.argsort(kind="stable")[: _TUPLES * self.units]
            if round_ and not len(wanted):
                quiet += 1
                held = held * _MUCH_LESS_HELD if quiet < _QUIET else 0.0
            else:
                quiet = 0
            inside[wanted] = True
            master.add(rows[wanted], gain[wanted] / self.one)
            price, strain = master.solve(self.centre, far, held, self.seconds())
            if self.late:
                return False
            before = self.left
            bound = self.exchange(price, _KICKS + _MORE_KICKS * quiet)[0]
            spent += before - self.left
            better = bound < lowest
            if better:
                lowest, self.centre = bound, price
                # (nothing holds prices back any more: those that are near the best ones will do)
                far = far * _FARTHER if strain > _TOLERANCE else least
            elif len(wanted):
                held *= _LESS_HELD
            last = quiet >= _QUIET and strain < _TOLERANCE
            if last or (better and spent > _PROOFS * self.proof):
                found = self.prove(price)
                spent = 0
                if self.proven.sum() <= enough:
                    return True
                if last and not self.learn(found):
                    return found.finished
            if self.late:
                return False
        return False

    def seconds(self) -> float | None:
        return None if self.deadline is None else max(0.0, self.deadline - time.monotonic())

    def tuples(self) -> Candidates:
        """Of the tuples known those with the least slack at the best prices."""
        rows, gain = self.known.all()
        slack = np.append(self.centre, 0.0)[rows].sum(1) - gain / self.one
        best = slack.argsort(kind="stable")[: _PACKED * self.units]
        best = best[slack[best] <= _SLACK]
        rows, gain = rows[best], gain[best]
        there = rows >= 0
        sizes = there.sum(1)
        return replace(
            self.candidates,
            offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            member=rows[there],
            close=(gain - (sizes - 1) * self.market.bonus) // self.market.digits,
        )


def _past(deadline: float | None) -> bool:
    return deadline is not None and time.monotonic() > deadline


def offer_prices(
    candidates: Candidates,
    level: int,
    market: Market,
    price: Array,
    reached: int,
    enough: int,
    deadline: float | None,
) -> Offer:
    """Feasible prices, from these; `reached` is what an alignment gains, `enough` what they may sum up to."""
    bidding = Bidding(candidates, level, market, price, reached, deadline)
    bidding.descend()
    found = bidding.prove(bidding.centre)
    sharp = bool(bidding.proven.sum() <= enough)
    if not sharp and not bidding.late:
        bidding.learn(found)
        sharp = bidding.settle(enough)
    return Offer(bidding.proven, sharp, bidding.tuples())
