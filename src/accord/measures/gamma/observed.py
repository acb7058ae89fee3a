"""What the best alignment of one continuum says, as sums that add up over documents."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align import (
    candidates_of,
    member_table,
    real_pairs,
    solve,
)
from accord.alignment.candidates import EFFORT
from accord.alignment.canonical import canonical_order, canonical_rank
from accord.alignment.greedy import greedy_partition
from accord.data.continuum import Continuum
from accord.distance.units import Array, Dissimilarity


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Sums over the unitary alignments of one continuum.

    Disorder is total/weight: the weight is x̄ for γ and the number of unitary alignments for the
    2011 measure. `gap` and `greedy` are in the unit of the total; the latter is NaN where it was too
    long to find. For γ-cat and γ-k, `numerator`
    is Σ w·d_cat and `denominator` Σ w over aligned pairs, by category, then over all.
    """

    total: float
    weight: float
    gap: float
    greedy_total: float
    greedy_weight: float
    numerator: Array
    denominator: Array

    @property
    def disorder(self) -> float:
        return self.total / self.weight


def tally(
    continuum: Continuum,
    d: Dissimilarity,
    *,
    by_category: bool = False,
    greedy: bool = False,
    time_limit: float | None = None,
    effort: int = EFFORT,
) -> Tally:
    """Align one continuum and sum up."""
    none = np.zeros(len(d.categories) + 1)
    if not len(continuum):
        return Tally(0.0, 0.0, 0.0, 0.0, 0.0, none, none)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    candidates = candidates_of(continuum, d, effort)
    rank = canonical_rank(continuum) if by_category or greedy else None
    found = solve(candidates, d, rank if by_category else None, deadline)
    scale = d.delta / candidates.empty
    gamma = d.objective == "gamma"
    x = continuum.mean_count
    numerator, denominator = none, none
    if by_category:
        order = canonical_order(continuum)
        members = member_table(continuum, found, order)
        numerator, denominator = disagreements(continuum, members, d)
    fast_total, fast_weight = 0.0, 0.0
    if greedy and rank is not None:
        fast = greedy_partition(candidates, rank)
        fast_total = np.nan if fast is None else fast.cost * scale
        fast_weight = x if gamma or fast is None else float(fast.size)
    return Tally(
        total=found.cost * scale,
        weight=x if gamma else float(found.size),
        gap=found.gap * scale * (1 if gamma else found.size),
        greedy_total=fast_total,
        greedy_weight=fast_weight,
        numerator=numerator,
        denominator=denominator,
    )


def disagreements(
    continuum: Continuum, members: NDArray[np.int64], d: Dissimilarity
) -> tuple[Array, Array]:
    """Σ w·d_cat and Σ w over the aligned real pairs, for each category and (last) for all.

    w = max(0, 1 − d_pos/Δ)/(n_v − 1), n_v the number of real units of the unitary alignment; a pair
    counts for category k when at least one of its units has it (Mathet 2017).
    """
    row, first, second = real_pairs(members)
    size = len(d.categories)
    start, end, label = continuum.start, continuum.end, continuum.label
    position = d.position(
        start[first], end[first], start[second], end[second], d.position_scale(continuum)
    )
    present = (members >= 0).sum(axis=1)
    weight = np.maximum(0.0, 1 - position / d.delta) / (present[row] - 1)
    cost = weight * d.matrix[label[first], label[second]]
    denominator, numerator = np.zeros(size + 1), np.zeros(size + 1)
    for side, counted in (
        (first, np.full(len(row), True)),
        (second, label[first] != label[second]),
    ):
        use = counted & (label[side] >= 0)
        denominator[:size] += np.bincount(label[side][use], weights=weight[use], minlength=size)
        numerator[:size] += np.bincount(label[side][use], weights=cost[use], minlength=size)
    denominator[size], numerator[size] = weight.sum(), cost.sum()
    return numerator, denominator
