"""What the best alignment of one continuum says, as sums that add up over documents."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align import unitary_disorders
from accord.alignment.alignment import real_pairs
from accord.alignment.batch import Batch, batches, in_order
from accord.alignment.candidates import EFFORT
from accord.alignment.chosen import Chosen, chosen, soft_table, tables_of
from accord.alignment.own_labels import mapped
from accord.alignment.soft import soft_cover
from accord.alignment.solution import Solution, solve
from accord.data.continuum import Continuum
from accord.distance.units import Array, Dissimilarity


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """Sums over the unitary alignments of one continuum: values are numerators/denominators.

    The first of them is the disorder: Σδ over x̄ for γ, over the number of unitary alignments for
    the 2011 measure. For γ-cat and γ-k there follow Σ w·d_cat over Σ w for each category, then for
    all. `gap` and `greedy_total` are in the unit of Σδ; the latter is NaN where it was too long to
    find.
    """

    numerators: Array
    denominators: Array
    gap: float = 0.0
    greedy_total: float = 0.0
    greedy_weight: float = 0.0
    #: the alignment itself, where it was to be kept
    chosen: Chosen | None = None

    @property
    def total(self) -> float:
        return float(self.numerators[0])


def tallies(
    continua: Sequence[Continuum],
    d: Dissimilarity,
    *,
    by_category: bool = False,
    greedy: bool = False,
    time_limit: float | None = None,
    effort: int = EFFORT,
    method: str = "exact",
    tolerance: float = 0.0,
    keep: bool = False,
    own_labels: bool = False,
) -> list[Tally]:
    """Align continua, small ones together, and sum up each; `time_limit` and `effort` are for each.

    `method` is "exact", or "soft": a unit may serve more than once. Points are widened to
    `tolerance`, `own_labels` mapped between annotators. With `keep` the (exact, canonical) alignments
    stay with the sums.
    """
    if tolerance:
        continua = [c.widened(tolerance) for c in continua]
    if own_labels:
        alone = partial(_solved, effort=effort, time_limit=time_limit)
        continua = [mapped(c, d, alone) for c in continua]
    soft = method == "soft"
    together = [[k] for k in range(len(continua))] if soft else batches(continua, d)
    answers = []
    for some in together:
        solved = solve(
            [continua[k] for k in some],
            d,
            canonical=(by_category or keep) and not soft,
            greedy=greedy and not soft,
            effort=effort,
            time_limit=time_limit,
        )
        answers.append(
            [
                found
                for x in solved
                for found in (
                    [_softly_tallied(x, d, by_category=by_category, time_limit=time_limit)]
                    if soft
                    else _tallied(x, d, by_category=by_category, greedy=greedy, keep=keep)
                )
            ]
        )
    return in_order(together, answers)


def _solved(
    continuum: Continuum, d: Dissimilarity, *, effort: int, time_limit: float | None
) -> Solution[Batch]:
    (found,) = solve(
        [continuum], d, canonical=False, greedy=False, effort=effort, time_limit=time_limit
    )
    return found


def _tallied(
    solution: Solution[Batch], d: Dissimilarity, *, by_category: bool, greedy: bool, keep: bool
) -> list[Tally]:
    """The sums of each document of a solution."""
    batch, gamma, step = solution.batch, d.objective == "gamma", solution.step
    costs, sizes = solution.costs(solution.ideal)
    totals, counts = (costs * step).tolist(), sizes.tolist()
    fast: list[tuple[float, float]] = [(0.0, 0.0)] * len(totals)
    if greedy:
        # (NaN: too many overlap for Algorithm 1)
        fast = [(np.nan, c.mean_count) for c in batch.continua]
        if solution.greedy is not None:
            found, groups = solution.costs(solution.greedy)
            weights = [c.mean_count for c in batch.continua] if gamma else groups.tolist()
            fast = list(zip((found * step).tolist(), weights, strict=True))
    kept: list[Chosen | None] = [None] * len(totals)
    tables: list[NDArray[np.int64] | None] = [None] * len(totals)
    if keep:
        kept = [*chosen(solution, d, "exact")]
        tables = [one.members for one in kept if one is not None]
    elif by_category:
        tables = [*tables_of(solution, solution.ideal, sizes)]
    tallied = []
    for k, continuum in enumerate(batch.continua):
        weight = continuum.mean_count if gamma else float(counts[k])
        missing = solution.ideal.gap * step * (1 if gamma else counts[k])
        sums = _sums(continuum, totals[k], weight, tables[k] if by_category else None, d)
        tallied.append(Tally(*sums, missing, *fast[k], chosen=kept[k]))
    return tallied


def _softly_tallied(
    solution: Solution[Batch], d: Dissimilarity, *, by_category: bool, time_limit: float | None
) -> Tally:
    """The sums of the soft alignment of the one document of a solution."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    (continuum,) = solution.batch.continua
    cover = soft_cover(solution.ideal, deadline)
    members = soft_table(solution.batch, cover.groups)
    total = unitary_disorders(solution.batch, members, np.array([len(members)]), d).sum()
    sums = _sums(continuum, float(total), continuum.mean_count, members if by_category else None, d)
    return Tally(*sums, cover.gap * solution.step)


def _sums(
    continuum: Continuum,
    total: float,
    weight: float,
    members: NDArray[np.int64] | None,
    d: Dissimilarity,
) -> tuple[Array, Array]:
    """Numerators and denominators, those of the categories only where the alignment is given."""
    if members is None:
        return np.array([total]), np.array([weight])
    if not len(continuum):
        nothing = np.zeros(len(d.categories) + 2)
        return nothing, nothing
    numerator, denominator = disagreements(continuum, members, d)
    return np.concatenate([[total], numerator]), np.concatenate([[weight], denominator])


def disagreements(
    continuum: Continuum, members: NDArray[np.int64], d: Dissimilarity
) -> tuple[Array, Array]:
    """Σ w·d_cat and Σ w over the aligned real pairs, for each category and (last) for all.

    w = max(0, 1 − d_pos/Δ)/(n_v − 1), n_v the number of real units of the unitary alignment; a pair
    counts for category k when at least one of its units has it (Mathet 2017). Where the dissimilarity
    says so, a unit and an annotator without one there are a pair of weight and cost 1.
    """
    row, first, second = real_pairs(members)
    size = len(d.categories)
    label = continuum.label
    position = d.apart(continuum, first, second)
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
    if d.alone:
        row, column = np.nonzero(members >= 0)
        lacking = (members.shape[1] - present)[row].astype(np.float64)
        named = label[members[row, column]]
        more = np.bincount(named[named >= 0], weights=lacking[named >= 0], minlength=size)
        for sums in (numerator, denominator):
            sums += np.append(more, lacking.sum())
    return numerator, denominator
