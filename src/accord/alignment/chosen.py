"""The unitary alignments chosen for a document, small enough to be kept with the data.

γ aligns every document to sum up its disorder; who draws the alignments afterwards need not find them again.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.batch import Batch
from accord.alignment.canonical import rank_of
from accord.alignment.exact import Partition
from accord.alignment.soft import SoftCover
from accord.alignment.solution import Solution
from accord.distance.units import Dissimilarity


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Chosen:
    """What was chosen for one document, and how good that is."""

    #: unitary alignments × annotators: a unit of the document, or -1; None where Algorithm 1 gave up
    members: NDArray[np.int64] | None
    #: what is missing of a proof: of Σδ(K), or of the mean of δ(K)
    missing: float
    #: Σδ(K) and number of unitary alignments of Algorithm 1; None where that is too long to find
    greedy: tuple[float, int] | None
    #: Algorithm 1 found as good an alignment
    as_good: bool
    #: candidates that were left after pruning; None where they were not listed
    candidates: int | None


def kept_key(
    d: Dissimilarity, method: str, tolerance: float | None, time_limit: float | None
) -> Hashable:
    """Under which the choices for all documents of units are kept with them."""
    return ("chosen", d.key, method, tolerance or 0.0, time_limit)


def chosen(
    solution: Solution[Batch], d: Dissimilarity, method: str, *, cover: SoftCover | None = None
) -> list[Chosen]:
    """What a solution (or the soft cover made from it) chooses for each of its documents."""
    batch, step = solution.batch, solution.step
    documents = len(batch.continua)
    fast: list[tuple[float, int] | None] = [None] * documents
    as_good = [False] * documents
    if solution.greedy is not None:
        totals, counts = solution.costs(solution.greedy)
        fast = list(zip((totals * step).tolist(), counts.tolist(), strict=True))
    tables: list[NDArray[np.int64] | None] = [None] * documents
    short = 0.0
    if cover is not None:
        tables, short = [soft_table(batch, cover.groups)], cover.gap
    elif (found := solution.ideal if method == "exact" else solution.greedy) is not None:
        costs, sizes = solution.costs(found)
        tables = list(tables_of(solution, found, sizes))
        # Algorithm 1 proves nothing: its bound is that of the ideal alignment
        short = _gap(found, solution.ideal, d)
        if solution.greedy is not None:
            as_good = ((totals == costs) & (counts == sizes)).tolist()
    listed = _listed(solution)
    return [
        Chosen(
            members=tables[k],
            missing=short * step,
            greedy=fast[k],
            as_good=as_good[k],
            candidates=None if listed is None else listed[k],
        )
        for k in range(documents)
    ]


def tables_of(
    solution: Solution[Batch], found: Partition, sizes: NDArray[np.int64]
) -> Iterator[NDArray[np.int64]]:
    """The unitary alignments of each document, its units numbered from 0; `sizes` says how many."""
    whole = solution.members(found)
    if len(sizes) > 1:
        whole -= np.repeat(solution.batch.bounds[:, 0], sizes)[:, None]
        np.maximum(whole, -1, out=whole)
    end = 0
    for size in sizes.tolist():
        yield whole[end : end + size]
        end += size


def _listed(solution: Solution[Batch]) -> list[int] | None:
    """Candidates of each document that were left after pruning; None where they were not listed."""
    candidates, documents = solution.candidates, len(solution.batch.continua)
    if candidates.near is not None:
        return None
    if documents == 1:
        return [len(candidates.close)]
    # candidates are listed by their first unit
    first = candidates.member[candidates.offsets[:-1]]
    ends: list[int] = first.searchsorted(solution.batch.bounds[:, -1]).tolist()
    return [end - begin for begin, end in zip([0, *ends], ends, strict=False)]


def _gap(found: Partition, ideal: Partition, d: Dissimilarity) -> float:
    """By how much the found partition may exceed the least disorder, on the grid."""
    if found is ideal:
        return ideal.gap
    if d.objective == "gamma":
        return ideal.gap + found.cost - ideal.cost
    return ideal.gap + found.cost / max(1, found.size) - ideal.cost / max(1, ideal.size)


def soft_table(batch: Batch, groups: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Groups that may share units, as a table in canonical order; a prefix comes first."""
    (continuum,) = batch.continua
    annotator, rank = continuum.annotator, rank_of(batch.order())
    table = np.full((len(groups), batch.annotators), -1, dtype=np.int64)
    for row, group in enumerate(groups):
        table[row, annotator[group]] = group
    if not groups:
        return table
    keys = np.sort(np.where(table < 0, len(rank), rank[table]), axis=1)
    keys[keys == len(rank)] = -1
    return table[np.lexsort(keys.T[::-1])]
