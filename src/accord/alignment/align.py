"""`align`: the best alignment of every document, with its proof."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import Alignment
from accord.alignment.candidates import EFFORT, Candidates, find_candidates, find_pairs
from accord.alignment.canonical import canonical_order, canonical_rank
from accord.alignment.exact import Partition, least_mean, least_sum
from accord.alignment.greedy import greedy_partition
from accord.alignment.soft import soft_cover
from accord.alignment.two import align_at_once, can_align_at_once
from accord.data.continuum import Continuum, Document, documents_of
from accord.data.parallel import map_tasks
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity, OwnFunction, unit_dissimilarity
from accord.errors import InputError, UsageError
from accord.kernels.outcome import unitary_costs, unitary_table
from accord.result import signature

METHODS = ("exact", "greedy", "soft")
#: documents of two annotators from which on they are aligned at once
_SEVERAL = 3


def align(
    units: Units,
    *,
    objective: str = "gamma",
    method: str = "exact",
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    matrix: str | Path | NDArray[np.float64] | None = None,
    forbid: bool = False,
    dissimilarity: OwnFunction | None = None,
    time_limit: float | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Alignment, ...]:
    """The alignment of least disorder of each document, proven so unless its gap says otherwise.

    A unitary alignment K takes at most one unit of each annotator; δ(K) is the mean over all pairs
    of annotators of d, a pair with an empty unit costing Δ. An alignment is a set of K in which
    every unit occurs once; its disorder is Σδ(K)/x̄, x̄ the units per annotator (objective
    "gamma"; Mathet, Widlöcher and Métivier 2015), or the mean of δ(K) (objective "holistic"; Mathet
    and Widlöcher 2011).

    Parameters
    ----------
    method : "exact"; "greedy", the 2011 Algorithm 1; "soft": a unit may serve more than once
        (γ's objective only)
    alpha, beta, delta, positional, categorical, matrix, forbid, dissimilarity : see
        :func:`accord.distance.units.unit_dissimilarity`; `dissimilarity` is a function of two
        (start, end, label) triples
    time_limit : seconds per document, after which the best alignment so far is returned with its gap

    Documents seen by fewer than two annotators have no alignment and are left out.

    Deviations: d/Δ is compared on a grid of 2⁻³⁰ (coarser beyond some ten thousand units), so that
    sums are exact and ties are ties; optimality is proven on that grid.

    >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x"), ("d", "B", 9, 12, "y")])
    >>> a, = align(u)
    >>> len(a), round(a.disorder, 4), a.proven
    (2, 0.6803, True)
    """
    if method not in METHODS:
        raise UsageError(f"the method must be one of {', '.join(METHODS)}, got {method!r}")
    if method == "soft" and objective == "holistic":
        raise UsageError(
            "soft alignment is for the gamma objective: under the mean, repeating a cheap unitary "
            "alignment would lower the disorder"
        )
    if time_limit is not None and not time_limit > 0:
        raise UsageError(f"the time limit must be above 0 seconds, got {time_limit}")
    d = unit_dissimilarity(
        units.categories,
        objective=objective,
        alpha=alpha,
        beta=beta,
        delta=delta,
        positional=positional,
        categorical=categorical,
        matrix=matrix,
        forbid=forbid,
        own=dissimilarity,
    )
    documents = alignable(units)
    run = partial(align_document, d=d, method=method, time_limit=time_limit)
    report = None if progress is None else partial(_tell, progress, len(documents))
    at_once = [x for x in documents if method == "exact" and can_align_at_once(x, d)]
    if len(at_once) < _SEVERAL:
        return tuple(map_tasks(run, documents, jobs=jobs, progress=report))
    found = {a.document: a for a in align_at_once(at_once, d)}
    rest = [x for x in documents if x.name not in found]
    found |= {a.document: a for a in map_tasks(run, rest, jobs=jobs, progress=report)}
    return tuple(found[x.name] for x in documents)


def alignment_signature(units: Units, alignments: Sequence[Alignment], **options: Any) -> str:
    """The line that lets a published alignment be reproduced."""
    objective = options.get("objective", "gamma")
    own = options.pop("dissimilarity", None)
    d = unit_dissimilarity(units.categories, own=own, **options)
    method = alignments[0].method if alignments else "exact"
    return signature("align", len(units), objective=objective, method=method, **d.words())


def alignable(units: Units) -> list[Document]:
    """The documents that at least two annotators saw; an error when there are none."""
    documents = [d for d in documents_of(units) if len(d.annotators) >= 2]
    if not documents:
        raise InputError(
            f"no document has two annotators (annotators: {len(units.annotators)})",
            hint="alignment compares at least two",
        )
    return documents


def align_document(
    document: Document,
    *,
    d: Dissimilarity,
    method: str = "exact",
    time_limit: float | None = None,
) -> Alignment:
    """The alignment of one document."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    continuum = document.continuum
    candidates = candidates_of(continuum, d)
    order = canonical_order(continuum)
    rank = canonical_rank(continuum, order)
    greedy = greedy_partition(candidates, rank)
    if method == "soft":
        groups, short = soft_cover(candidates, deadline)
        members = _soft_table(continuum, groups, rank)
        same = False
    else:
        ideal = solve(candidates, d, None if method == "greedy" else rank, deadline)
        found = ideal if method == "exact" else _or_refuse(greedy, document)
        # Algorithm 1 proves nothing: its bound is that of the ideal alignment
        short = found_gap(found, ideal, d)
        members = member_table(continuum, found, order)
        same = greedy is not None and (found.cost, found.size) == (greedy.cost, greedy.size)
    disorders = unitary_disorders(continuum, members, d)
    disorder = _disorder(disorders, continuum, d)
    scale = d.delta / candidates.empty
    fast = None if greedy is None else greedy.cost * scale
    if d.objective == "gamma":
        scale /= continuum.mean_count or 1.0
    if fast is not None and greedy is not None:
        fast /= (continuum.mean_count or 1.0) if d.objective == "gamma" else max(1, greedy.size)
    rows = members
    if len(document.rows) and document.rows[0]:
        rows = np.where(members < 0, -1, members + document.rows[0])
    return Alignment(
        document=document.name,
        annotators=document.annotators,
        members=rows,
        disorders=disorders,
        disorder=disorder,
        bound=disorder - short * scale if short else disorder,
        method=method,
        objective=d.objective,
        greedy=None if not len(continuum) else disorder if same else fast,
        candidates=None if candidates.near else len(candidates.close) + len(continuum),
    )


def _or_refuse(greedy: Partition | None, document: Document) -> Partition:
    if greedy is None:
        raise UsageError(
            f"{document.name}: too many of its units overlap for Algorithm 1; use the exact method"
        )
    return greedy


def candidates_of(continuum: Continuum, d: Dissimilarity, effort: int = EFFORT) -> Candidates:
    """The candidate unitary alignments of a continuum; `effort` limits the search of a proof."""
    return find_candidates(continuum, find_pairs(continuum, d), d.delta, effort)


def solve(
    candidates: Candidates,
    d: Dissimilarity,
    rank: NDArray[np.int32] | None = None,
    deadline: float | None = None,
) -> Partition:
    """The ideal partition for the objective of d."""
    least = least_sum if d.objective == "gamma" else least_mean
    return least(candidates, rank=rank, deadline=deadline)


def found_gap(found: Partition, ideal: Partition, d: Dissimilarity) -> float:
    """By how much the found partition may exceed the least disorder, on the grid."""
    if found is ideal:
        return ideal.gap
    if d.objective == "gamma":
        return ideal.gap + found.cost - ideal.cost
    return ideal.gap + found.cost / max(1, found.size) - ideal.cost / max(1, ideal.size)


def unitary_disorders(continuum: Continuum, members: NDArray[np.int64], d: Dissimilarity) -> Array:
    """δ of each unitary alignment: Δ + (1/C) Σ over its real pairs of (d − Δ)."""
    if d.own is None:
        found: Array = unitary_costs(
            members,
            continuum.start,
            continuum.end,
            continuum.label,
            d.costs,
            1 if d.positional == "hamming" else 0,
            d.alpha * d.position_scale(continuum),
            d.delta,
        )
        return found
    n = continuum.annotators
    row, first, second = real_pairs(members)
    values = _own_distances(continuum, first, second, d)
    total = np.bincount(row, weights=values - d.delta, minlength=len(members))
    return np.asarray(d.delta + total / (n * (n - 1) / 2))


def real_pairs(
    members: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """(unitary alignment, unit, unit) of every pair of real units that are aligned."""
    row, column = np.nonzero(members >= 0)
    unit = members[row, column]
    sizes = np.bincount(row, minlength=len(members))
    ends = np.cumsum(sizes)
    # each real unit is paired with those after it in its row
    after = ends[row] - np.arange(len(row)) - 1
    first = np.repeat(np.arange(len(row)), after)
    step = np.arange(len(first)) - np.repeat(np.cumsum(after) - after, after)
    return row[first], unit[first], unit[first + 1 + step]


def _own_distances(
    continuum: Continuum, first: NDArray[np.int64], second: NDArray[np.int64], d: Dissimilarity
) -> Array:
    """A user's own function on given pairs of units."""
    own = d.own
    assert own is not None
    names: list[str | None] = [*d.categories, None]
    located: list[Any] = [
        (s, e, names[c])
        for s, e, c in zip(
            continuum.start.tolist(), continuum.end.tolist(), continuum.label.tolist(), strict=True
        )
    ]
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return np.array([own(located[i], located[j]) for i, j in pairs], dtype=np.float64)


def member_table(
    continuum: Continuum, found: Partition, order: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The groups of a partition, unitary alignments × annotators, in canonical order."""
    table: NDArray[np.int64] = unitary_table(
        order, continuum.offsets, found.column, found.among.offsets, found.among.member
    )
    return table


def _disorder(disorders: Array, continuum: Continuum, d: Dissimilarity) -> float:
    if not len(continuum):
        return float("nan")
    if d.objective == "gamma":
        return float(disorders.sum() / continuum.mean_count)
    return float(disorders.mean())


def _soft_table(
    continuum: Continuum, groups: Sequence[NDArray[np.int64]], rank: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Groups that may share units, as a table in canonical order; a prefix comes first."""
    table = np.full((len(groups), continuum.annotators), -1, dtype=np.int64)
    for row, group in enumerate(groups):
        table[row, continuum.annotator[group]] = group
    if not groups:
        return table
    keys = np.sort(np.where(table < 0, len(rank), rank[table]), axis=1)
    keys[keys == len(rank)] = -1
    return table[np.lexsort(keys.T[::-1])]


def _tell(progress: Callable[[int, int], None], total: int, done: int) -> None:
    progress(done, total)
