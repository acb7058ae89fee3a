"""From units to their ideal alignment: candidates, the best partition of them, and Algorithm 1 beside it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.alignment.batch import Batch
from accord.alignment.candidates import EFFORT, find_candidates, find_pairs, points_of
from accord.alignment.canonical import rank_of
from accord.alignment.exact import Partition, least_mean, least_sum
from accord.alignment.greedy import greedy_partition
from accord.alignment.layout import Layout
from accord.alignment.packing import Whole
from accord.alignment.tuples import Candidates, Pairs
from accord.data.continuum import Continuum
from accord.distance.units import Array, Dissimilarity
from accord.kernels.outcome import packing_totals, unitary_table

Kind = TypeVar("Kind", bound=Layout)


@dataclass(frozen=True, slots=True, eq=False)
class Solution(Generic[Kind]):
    """The ideal partition of the elements of some documents, and the one of Algorithm 1 if asked for."""

    batch: Kind
    candidates: Candidates
    ideal: Partition
    greedy: Partition | None
    #: what one step of the grid is worth in Σδ(K)
    step: float
    #: what it was found from, and what an element without counterpart costs
    pairs: Pairs
    delta: float
    #: the canonical order of the elements, where it was needed
    order: NDArray[np.int64] | None = None

    def costs(self, found: Partition) -> tuple[Whole, Whole]:
        """(Σ C·δ(K) on the grid, number of unitary alignments) of each document."""
        if self.batch.documents == 1:
            return np.array([found.cost]), np.array([found.size])
        among = found.among
        size, close = packing_totals(
            found.column, among.offsets, among.member, among.close, self.batch.bounds
        )
        return size * among.empty - close, size

    def members(self, found: Partition) -> NDArray[np.int64]:
        """The unitary alignments × annotators: a unit of the batch, or -1; in canonical order."""
        table: NDArray[np.int64] = unitary_table(
            self.batch.order() if self.order is None else self.order,
            self.batch.bounds,
            found.column,
            found.among.offsets,
            found.among.member,
        )
        return table

    def disorders(self, row: Whole, at: Whole, size: int) -> Array:
        """δ of `size` unitary alignments: Δ + (1/C) Σ over their pairs of (d − Δ), d itself, not the grid's.

        `row` is the unitary alignment of each pair, `at` where the pair stands among the pairs.
        """
        n = self.batch.annotators
        total = np.bincount(row, weights=self.pairs.distance[at] - self.delta, minlength=size)
        return np.asarray(self.delta + total / (n * (n - 1) / 2))


def solve(
    continua: Sequence[Continuum],
    d: Dissimilarity,
    *,
    canonical: bool = True,
    greedy: bool = True,
    greedy_first: bool = False,
    effort: int = EFFORT,
    time_limit: float | None = None,
) -> list[Solution[Batch]]:
    """The ideal partitions of continua that :func:`~accord.alignment.batch.batches` put together.

    One solution for all of them; one for each where together they are too much to be proven. With
    `canonical` it is the smallest of several optima. `greedy` asks for Algorithm 1 beside it, in what is
    left of the time; `greedy_first` gives it the first half. `effort` limits the search of a proof and
    `time_limit` its seconds, per solution.
    """
    batch = Batch.of(continua)
    together = solve_pairs(
        batch,
        find_pairs(batch, d),
        d.delta,
        objective=d.objective,
        points=points_of(batch, d),
        canonical=canonical,
        greedy=greedy,
        greedy_first=greedy_first,
        effort=effort,
        time_limit=time_limit,
    )
    if together is not None:
        return [together]
    return [
        solution
        for continuum in continua
        for solution in solve(
            [continuum],
            d,
            canonical=canonical,
            greedy=greedy,
            greedy_first=greedy_first,
            effort=effort,
            time_limit=time_limit,
        )
    ]


def solve_pairs(
    layout: Kind,
    pairs: Pairs,
    delta: float,
    *,
    objective: str = "gamma",
    points: Array | None = None,
    canonical: bool = True,
    greedy: bool = False,
    greedy_first: bool = False,
    effort: int = EFFORT,
    time_limit: float | None = None,
    proof: bool = True,
) -> Solution[Kind] | None:
    """The ideal partition of elements of any kind, from the pairs of them that may be aligned.

    None where several documents are too much together. The options are those of :func:`solve`; without
    `proof` what is hard is bounded: the gap says how far below the best may be.
    """
    deadline = None if time_limit is None else time.monotonic() + time_limit
    candidates = find_candidates(layout, pairs, delta, effort, points)
    if candidates is None:
        return None
    order = layout.order() if canonical or greedy else None
    rank = None if order is None else rank_of(order)
    chosen = rank if canonical else None
    fast = None
    if rank is not None and greedy_first:
        # Algorithm 1 is what is asked for: it has the first half of the time
        half = None if time_limit is None else time.monotonic() + time_limit / 2
        fast = greedy_partition(candidates, rank, half)
    if objective == "gamma":
        ideal = least_sum(candidates, rank=chosen, deadline=deadline, proof=proof)
    else:
        ideal = least_mean(candidates, rank=chosen, deadline=deadline)
    if ideal.gap > 0 and layout.documents > 1:
        return None
    if greedy and not greedy_first and rank is not None:
        # only what is left of the time: it is told beside the ideal alignment
        fast = greedy_partition(candidates, rank, deadline)
    step = delta / candidates.empty
    return Solution(layout, candidates, ideal, fast, step, pairs, delta, order)
