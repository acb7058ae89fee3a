"""What the best alignment of one continuum says, as sums that add up over documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align import real_pairs
from accord.alignment.batch import batches, in_order
from accord.alignment.candidates import EFFORT
from accord.alignment.solution import Solution, solve
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
    (found,) = tallies(
        [continuum],
        d,
        by_category=by_category,
        greedy=greedy,
        time_limit=time_limit,
        effort=effort,
    )
    return found


def tallies(
    continua: Sequence[Continuum],
    d: Dissimilarity,
    *,
    by_category: bool = False,
    greedy: bool = False,
    time_limit: float | None = None,
    effort: int = EFFORT,
) -> list[Tally]:
    """Align continua, small ones together, and sum up each; `time_limit` and `effort` are for each."""
    together = batches(continua, d)
    answers = [
        [
            found
            for solution in solve(
                [continua[k] for k in some],
                d,
                canonical=by_category,
                greedy=greedy,
                effort=effort,
                time_limit=time_limit,
            )
            for found in _tallied(solution, d, by_category=by_category, greedy=greedy)
        ]
        for some in together
    ]
    return in_order(together, answers)


def _tallied(
    solution: Solution, d: Dissimilarity, *, by_category: bool, greedy: bool
) -> list[Tally]:
    """The sums of each document of a solution."""
    batch, gamma, step = solution.batch, d.objective == "gamma", solution.step
    costs, sizes = solution.costs(solution.ideal)
    totals, counts = (costs * step).tolist(), sizes.tolist()
    none = np.zeros(len(d.categories) + 1)
    fast: list[tuple[float, float]] = [(0.0, 0.0)] * len(totals)
    if greedy:
        # (NaN: too many overlap for Algorithm 1)
        fast = [(np.nan, c.mean_count) for c in batch.continua]
        if solution.greedy is not None:
            found, groups = solution.costs(solution.greedy)
            weights = [c.mean_count for c in batch.continua] if gamma else groups.tolist()
            fast = list(zip((found * step).tolist(), weights, strict=True))
    members = solution.members(solution.ideal) if by_category else None
    tallied, end = [], 0
    for k, continuum in enumerate(batch.continua):
        end += counts[k]
        sums = none, none
        if members is not None and len(continuum):
            own = members[end - counts[k] : end]
            sums = disagreements(continuum, np.where(own < 0, -1, own - batch.bounds[k, 0]), d)
        weight = continuum.mean_count if gamma else float(counts[k])
        missing = solution.ideal.gap * step * (1 if gamma else counts[k])
        tallied.append(Tally(totals[k], weight, missing, *fast[k], *sums))
    return tallied


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
