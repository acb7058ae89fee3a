"""The ideal alignment of one continuum, for γ's objective and for the 2011 one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from accord.alignment.canonical import canonical_packing
from accord.alignment.packing import Codes, Columns, Packing, best_packing
from accord.alignment.tuples import Candidates
from accord.kernels.matching import match_pairs
from accord.kernels.outcome import packing_total


@dataclass(frozen=True, slots=True, eq=False)
class Partition:
    """The candidate that each unit is in (-1: alone), the number of groups, and what they cost.

    `column` numbers the candidates of `among`. `cost` is Σ C·δ(K) in units of Δ/scale; `gap` is
    what may be missing of the optimum of the objective in the same unit (of the sum for γ, of the
    mean for the 2011 objective).
    """

    among: Candidates
    column: Codes
    size: int
    cost: int
    gap: float


def least_sum(
    candidates: Candidates,
    *,
    rank: Codes | None = None,
    deadline: float | None = None,
    proof: bool = True,
) -> Partition:
    """Minimise Σ δ(K), γ's objective; with `rank`, the canonical one of several optima."""
    return _partition(*_pack(candidates, 0, deadline, proof), rank)


def least_mean(
    candidates: Candidates, *, rank: Codes | None = None, deadline: float | None = None
) -> Partition:
    """Minimise the mean of δ(K), the 2011 objective: Dinkelbach's iteration (1967).

    For a given λ minimise Σ(δ(K) − λ); the mean of what is found is the next λ; when it does not
    fall any more it is the least. Candidates pruned at λ = 0 serve every λ ≥ 0.
    """
    if candidates.near is None:
        best = least_sum(candidates, deadline=deadline)
    else:
        # any alignment will do to begin with, and one is at hand
        columns = candidates.columns()
        best = _partition(candidates, columns, best_packing(columns), None)
    if best.size == 0:
        return best
    while True:
        level = -(-best.cost // best.size)
        # (tuples found for one level are a good beginning for the next)
        packed = _pack(best.among, level, deadline)
        found = _partition(*packed, None)
        if Fraction(found.cost, found.size) >= Fraction(best.cost, best.size):
            break
        best = found
    if found.gap > 0:
        # no alignment A has Σ(δ−λ) below this, and its mean is λ plus its sum over |A|
        lowest = min(0.0, found.cost - level * found.size - found.gap)
        least = level + lowest / candidates.fewest
        return replace(best, gap=max(0.0, best.cost / best.size - least))
    if rank is not None:
        smallest = _partition(*packed, rank)
        if Fraction(smallest.cost, smallest.size) <= Fraction(best.cost, best.size):
            best = smallest
    return replace(best, gap=0.0)


def _pack(
    candidates: Candidates, level: int, deadline: float | None, proof: bool = True
) -> tuple[Candidates, Columns, Packing]:
    """The best packing at this level, with the candidates and columns that it numbers."""
    if candidates.near is not None:
        from accord.alignment.blocks import pack_many

        return pack_many(candidates, level, deadline)
    columns = candidates.columns(level)
    if candidates.annotators == 2 and len(columns):
        return candidates, columns, _assign(columns)
    return candidates, columns, best_packing(columns, deadline=deadline, proof=proof)


def _assign(columns: Columns) -> Packing:
    """Two annotators: a linear assignment problem, its prices proven by construction."""
    column, price = match_pairs(columns.member, columns.gain, columns.units)
    price /= columns.one
    return Packing(column, 0.0, price)


def _partition(
    candidates: Candidates, columns: Columns, packing: Packing, rank: Codes | None
) -> Partition:
    column = packing.column
    if rank is not None and packing.gap == 0:
        column = canonical_packing(columns, packing, rank)
    if columns.origin is not None and len(columns):
        column = np.where(column < 0, -1, columns.origin[column]).astype(np.int32)
    used, alone, close = packing_total(
        column, candidates.offsets, candidates.member, candidates.close
    )
    size = used + alone
    # C·δ(K) = C·Δ − Σ(Δ − d) over the pairs of K
    cost = size * candidates.empty - close
    return Partition(candidates, column, size, cost, packing.gap * candidates.empty / columns.one)
