"""The ideal alignment of one continuum, for γ's objective and for the 2011 one."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from accord.alignment.candidates import Candidates
from accord.alignment.canonical import canonical_packing
from accord.alignment.packing import Codes, Columns, Packing, best_packing
from accord.kernels.graphs import match_rows
from accord.kernels.outcome import packing_total


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The candidate that each unit is in (-1: alone), the number of groups, and what they cost.

    `cost` is Σ C·δ(K) in units of Δ/scale; `gap` is what may be missing of the optimum of the
    objective in the same unit (of the sum for γ, of the mean for the 2011 objective).
    """

    column: Codes
    size: int
    cost: int
    gap: float


def least_sum(
    candidates: Candidates, *, rank: Codes | None = None, deadline: float | None = None
) -> Partition:
    """Minimise Σ δ(K), γ's objective; with `rank`, the canonical one of several optima."""
    columns = candidates.columns()
    packing = _pack(columns, candidates.annotators, deadline)
    found = _partition(candidates, columns, packing, rank, packing.gap)
    if candidates.complete:
        return found
    return Partition(found.column, found.size, found.cost, float(found.cost - candidates.floor))


def least_mean(
    candidates: Candidates, *, rank: Codes | None = None, deadline: float | None = None
) -> Partition:
    """Minimise the mean of δ(K), the 2011 objective: Dinkelbach's iteration (1967).

    For a given λ minimise Σ(δ(K) − λ); the mean of what is found is the next λ; when it does not
    fall any more it is the least. Candidates pruned at λ = 0 serve every λ ≥ 0.
    """
    best = least_sum(candidates, deadline=deadline)
    if best.size == 0:
        return best
    if not candidates.complete:
        # no alignment has more groups than there are units
        mean = best.cost / best.size - candidates.floor / candidates.units
        return Partition(best.column, best.size, best.cost, mean)
    level = -(-best.cost // best.size)
    while True:
        columns = candidates.columns(level)
        packing = _pack(columns, candidates.annotators, deadline)
        found = _partition(candidates, columns, packing, None, packing.gap)
        if Fraction(found.cost, found.size) >= Fraction(best.cost, best.size):
            break
        best = found
        level = -(-best.cost // best.size)
    # Σ(δ−λ) ≥ found − gap for every alignment, and none has fewer groups than its largest annotator
    gap = packing.gap / _digits(candidates, columns)
    short = max(0.0, gap / max(1, best.size))
    if rank is not None and gap == 0:
        smallest = _partition(candidates, columns, packing, rank, 0.0)
        if Fraction(smallest.cost, smallest.size) <= Fraction(best.cost, best.size):
            best = smallest
    return Partition(best.column, best.size, best.cost, short)


def _pack(columns: Columns, annotators: int, deadline: float | None) -> Packing:
    if annotators == 2 and len(columns):
        return _assign(columns)
    return best_packing(columns, deadline=deadline)


def _assign(columns: Columns) -> Packing:
    """Two annotators: a linear assignment problem, its prices proven by construction."""
    first, second = columns.member[0::2], columns.member[1::2]
    indptr = np.searchsorted(first, np.arange(columns.units + 1)).astype(np.int64)
    match, row_price, column_price = match_rows(
        indptr, np.ascontiguousarray(second), -columns.gain.astype(np.float64), columns.units
    )
    column = np.full(columns.units, -1, dtype=np.int32)
    used = match[match >= 0]
    column[first[used]] = used
    column[second[used]] = used
    return Packing(column, 0.0, -(row_price + column_price) / columns.one)


def _digits(candidates: Candidates, columns: Columns) -> float:
    return columns.one / candidates.empty


def _partition(
    candidates: Candidates, columns: Columns, packing: Packing, rank: Codes | None, gap: float
) -> Partition:
    column = packing.column
    if rank is not None and gap == 0:
        column = canonical_packing(columns, packing, rank)
    if columns.origin is not None and len(columns):
        column = np.where(column < 0, -1, columns.origin[column]).astype(np.int32)
    used, alone, close = packing_total(
        column, candidates.offsets, candidates.member, candidates.close
    )
    size = used + alone
    # C·δ(K) = C·Δ − Σ(Δ − d) over the pairs of K
    cost = size * candidates.empty - close
    return Partition(column, size, cost, gap / _digits(candidates, columns))
