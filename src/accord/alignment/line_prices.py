"""Prices for tuples of points on a line, where every search is quick and a proof.

Prices are smoothed over the tuples known so far, ever less; the tuples that they undervalue, which dynamic
programming finds at once (:mod:`accord.kernels.line_pricing`), join the known ones.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from accord.alignment.packing import Whole, fitted_prices
from accord.alignment.tuples import Candidates
from accord.distance.units import Array
from accord.kernels.covers import columns_of_units, repair_prices

if TYPE_CHECKING:
    from accord.alignment.pricing import Market

#: temperatures between which prices are smoothed, in units of the cost of one empty unit
_WARM, _COLD = 0.05, 0.0003
_SWEEPS, _ROUNDS = 40, 200
#: tuples per unit that prices are fitted to, at most; half of them stay
_KEPT_PER_UNIT = 40


def offer_on_line(
    candidates: Candidates,
    level: int,
    market: Market,
    price: Array,
    enough: int,
    deadline: float | None,
) -> tuple[Whole, bool]:
    """Feasible prices, from these, and whether they sum up to `enough` or as little as it gets."""
    best = np.full(candidates.units, market.highest, dtype=np.int64)
    left, temperature = market.near.effort, _WARM
    for _ in range(_ROUNDS):
        columns = candidates.columns(level)
        indptr, column = columns_of_units(columns.offsets, columns.member, columns.units)
        whole = fitted_prices(columns, indptr, column, price, temperature, _SWEEPS)
        slack = repair_prices(columns.offsets, columns.member, columns.gain, indptr, column, whole)
        if len(columns) > _KEPT_PER_UNIT * columns.units:
            candidates = _near_the_prices(candidates, slack, _KEPT_PER_UNIT * columns.units // 2)
        found = market.search(whole, -1, least_only=True)
        left -= found.steps
        # raising the last unit of every undervalued tuple by what is missing makes prices feasible
        raised = whole - np.minimum(found.least, 0)
        if raised.sum() < best.sum():
            best = raised
        sharp = bool(best.sum() <= enough)
        late = left <= 0 or (deadline is not None and time.monotonic() > deadline)
        if sharp or late or not found.finished:
            return best, sharp
        if len(found.close):
            candidates = replace(
                candidates,
                offsets=np.concatenate(
                    [candidates.offsets, candidates.offsets[-1] + found.offsets[1:]]
                ),
                member=np.concatenate([candidates.member, found.member]),
                close=np.concatenate([candidates.close, found.close]),
            )
            if found.least.min() > -temperature * columns.one:
                temperature = max(_COLD, temperature / 2)
        elif temperature > _COLD:
            temperature = max(_COLD, temperature / 3)
        else:
            return best, True
    return best, False


def _near_the_prices(candidates: Candidates, slack: Whole, count: int) -> Candidates:
    """So many of the candidates, those with the least slack: what is missing later is found again."""
    return candidates.subset(np.sort(np.argpartition(slack, count)[:count]))
