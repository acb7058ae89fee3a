"""`align`: the best alignment of every document, with its proof."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align_boxes import align_boxes
from accord.alignment.align_relations import align_relations
from accord.alignment.alignment import Alignable, Alignment, real_pairs
from accord.alignment.batch import Batch, batches, guessed_seconds, in_order, relative_work
from accord.alignment.chosen import Chosen, chosen, kept_key
from accord.alignment.relations import Costs
from accord.alignment.soft import soft_cover
from accord.alignment.solution import solve
from accord.data.boxes import Boxes
from accord.data.continuum import Document, documents_of
from accord.data.parallel import map_tasks
from accord.data.progress import weighed
from accord.data.relations import Relations
from accord.data.units import Units
from accord.distance.units import Array, Dissimilarity, OwnFunction, unit_dissimilarity
from accord.errors import InputError, UsageError
from accord.kernels.dissimilarity import unitary_costs
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, Sides, of_kind, takes_sequences
from accord.reading.keywords import Keywords
from accord.result import signature

METHODS = ("exact", "greedy", "soft")


@takes_sequences(lambda _: "units")
@refuses_other_kinds
def align(
    data: Given,
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
    taxonomy: str | Path | None = None,
    feature_weights: Sequence[float] | None = None,
    fragments: str = "sets",
    tolerance: float | None = None,
    undirected: bool = False,
    symmetric: Sequence[str] | None = None,
    time_limit: float | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
    **reading: Unpack[Keywords],
) -> tuple[Alignment, ...]:
    """Align each document with the least disorder, proven so unless its gap says otherwise.

    A unitary alignment K takes at most one unit of each annotator; δ(K) is the mean over all pairs
    of annotators of d, a pair with an empty unit costing Δ. An alignment is a set of K in which
    every unit occurs once; its disorder is Σδ(K)/x̄, x̄ the units per annotator (objective
    "gamma"; Mathet, Widlöcher and Métivier 2015), or the mean of δ(K) (objective "holistic"; Mathet
    and Widlöcher 2011).

    Parameters
    ----------
    data : units, boxes or relations, or what :func:`accord.read` reads: a path, a dataframe
    method : "exact"; "greedy", the 2011 Algorithm 1; "soft": a unit may serve more than once
        (γ's objective only)
    alpha, beta, delta, positional, categorical, matrix, forbid, dissimilarity, taxonomy,
        feature_weights, fragments : see :func:`accord.distance.units.unit_dissimilarity`;
        `dissimilarity` is a function of two (start, end, label) triples
    tolerance : points count as units of this length around them; all units must be points
    undirected, symmetric : relations without direction: all of them, or those of these labels
    time_limit : seconds per document, after which the best alignment so far is returned with its gap
    **reading : those of :func:`accord.read`, for what is not read yet

    Documents seen by fewer than two annotators have no alignment and are left out.

    Deviations: d/Δ is compared on a grid of 2⁻³⁰ (coarser beyond some ten thousand units), so that
    sums are exact and ties are ties; optimality is proven on that grid.

    >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x"), ("d", "B", 9, 12, "y")])
    >>> a, = align(u)
    >>> len(a), round(a.disorder, 4), a.proven
    (2, 0.6803, True)
    """
    sides = Sides(reading, partly=False, meant="units")
    data = sides.data(data)
    sides.settle("align")
    directions = {"undirected": (undirected, False), "symmetric": (symmetric, None)}
    if isinstance(data, Boxes | Relations):
        of_units: dict[str, tuple[object, object]] = {
            "objective": (objective, "gamma"),
            "method": (method, "exact"),
            "positional": (positional, "sporadic"),
            "fragments": (fragments, "sets"),
            "dissimilarity": (dissimilarity, None),
            "tolerance": (tolerance, None),
        }
        if isinstance(data, Boxes):
            _refuse(of_units, "units: shapes in images are compared by their areas")
            _refuse(directions, "relations, these data are boxes")
        else:
            of_units["forbid"] = (forbid, False)
            _refuse(of_units, "units: relations are compared by what their ends share")
        between = unit_dissimilarity(
            data.categories,
            alpha=alpha,
            beta=beta,
            delta=delta,
            categorical=categorical,
            matrix=matrix,
            forbid=forbid,
            taxonomy=taxonomy,
            feature_weights=feature_weights,
        )
        if isinstance(data, Boxes):
            return align_boxes(data, between, time_limit=time_limit, jobs=jobs)
        costs = Costs.of(data, between, undirected=undirected, symmetric=symmetric)
        return align_relations(data, costs, time_limit=time_limit)
    units = of_kind(data, Units)
    _refuse(directions, "relations, these data are units")
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
        taxonomy=taxonomy,
        feature_weights=feature_weights,
        fragments=fragments,
    )
    documents = alignable(units)
    if tolerance is not None:
        documents = _widened(documents, units, tolerance)
    continua = [x.continuum for x in documents]
    together = batches(continua, d) if method == "exact" else [[k] for k in range(len(continua))]
    tasks = [[documents[k] for k in some] for some in together]
    kept = units.memo.get(kept_key(d, method, tolerance, time_limit))
    if kept is not None:
        known = [[kept[k] for k in some] for some in together]
        dressed = [
            _written_out(task, own, d, method) for task, own in zip(tasks, known, strict=True)
        ]
        return tuple(in_order(together, dressed))
    run = partial(_align_together, d=d, method=method, time_limit=time_limit)
    sizes, people = (
        np.array([len(c) for c in continua]), np.array([c.annotators for c in continua])
    )  # fmt: skip
    seconds = guessed_seconds(d, sizes, people) if method == "exact" else None
    # (a document that nobody marked is done as soon as it is looked at)
    work = relative_work(sizes + 1, people)
    report = weighed(progress, [work[some].sum() for some in together])
    return tuple(
        in_order(together, map_tasks(run, tasks, jobs=jobs, seconds=seconds, progress=report))
    )


def _refuse(told: Mapping[str, tuple[object, object]], what: str) -> None:
    """Options that speak of other data."""
    for name, (value, default) in told.items():
        if value != default:
            raise UsageError(f"`{name}` is for {what}")


def alignment_signature(units: Alignable, alignments: Sequence[Alignment], **options: Any) -> str:
    """The line that lets a published alignment be reproduced."""
    objective = options.get("objective", "gamma")
    own = options.pop("dissimilarity", None)
    tolerance = options.pop("tolerance", None)
    undirected, symmetric = options.pop("undirected", False), options.pop("symmetric", None)
    d = unit_dissimilarity(units.categories, own=own, **options)
    method = alignments[0].method if alignments else "exact"
    return signature(
        "align",
        len(units),
        objective=objective,
        method=method,
        **{**d.words(), **({} if isinstance(units, Units) else {"positional": "dice"})},
        tolerance=tolerance,
        undirected="yes" if undirected else None,
        symmetric="+".join(symmetric) if symmetric else None,
    )


def alignable(units: Units) -> list[Document]:
    """The documents that at least two annotators saw; an error when there are none."""
    documents = [d for d in documents_of(units) if len(d.annotators) >= 2]
    if not documents:
        raise InputError(
            f"no document has two annotators (annotators: {len(units.annotators)})",
            hint="alignment compares at least two",
        )
    return documents


def _widened(documents: Sequence[Document], units: Units, tolerance: float) -> list[Document]:
    """Points made units of length `tolerance`; only points keep their order then."""
    if not tolerance > 0:
        raise UsageError(f"the tolerance must be above 0, got {tolerance}")
    if np.any(units.end > units.start):
        raise UsageError("a tolerance is for points alone, some units have a length")
    return [replace(x, continuum=x.continuum.widened(tolerance)) for x in documents]


def _align_together(
    documents: Sequence[Document], *, d: Dissimilarity, method: str, time_limit: float | None
) -> list[Alignment]:
    """The alignments of documents that were batched."""
    deadline = None if time_limit is None else time.monotonic() + time_limit
    solved = solve(
        [x.continuum for x in documents],
        d,
        canonical=method == "exact",
        greedy_first=method == "greedy",
        time_limit=time_limit,
    )
    found: list[Chosen] = []
    for solution in solved:
        cover = soft_cover(solution.ideal, deadline) if method == "soft" else None
        found += chosen(solution, d, method, cover=cover)
    return _written_out(documents, found, d, method, solved[0].batch if len(solved) == 1 else None)


def _written_out(
    documents: Sequence[Document],
    found: Sequence[Chosen],
    d: Dissimilarity,
    method: str,
    batch: Batch | None = None,
) -> list[Alignment]:
    """The alignments of documents that were batched, from what was chosen for each."""
    if any(x.members is None for x in found):
        raise UsageError(
            f"{documents[0].name}: too many of its units overlap for Algorithm 1; use the exact method"
        )
    gamma = d.objective == "gamma"
    if batch is None:
        batch = Batch.of([x.continuum for x in documents])
    tables = [x.members for x in found if x.members is not None]
    sizes = np.array([len(table) for table in tables])
    whole = np.concatenate(tables)
    absent = whole < 0
    begins = batch.bounds[:, 0]
    members = np.where(absent, -1, whole + np.repeat(begins, sizes)[:, None])
    rows, firsts = members, [x.rows[0] if len(x.rows) else 0 for x in documents]
    if firsts != begins.tolist():
        rows = np.where(absent, -1, whole + np.repeat(firsts, sizes)[:, None])
    disorders = unitary_disorders(batch, members, sizes, d)
    owner = np.arange(len(documents)).repeat(sizes)
    totals = np.bincount(owner, weights=disorders, minlength=len(documents)).tolist()
    alignments = []
    end = 0
    for document, one, size, total in zip(documents, found, sizes.tolist(), totals, strict=True):
        part = slice(end, end := end + size)
        units = len(document.continuum.start)
        empty = not units
        weight = (units / len(document.annotators) or 1.0) if gamma else max(1, size)
        disorder = math.nan if empty else total / weight
        missing = one.missing / (weight if gamma else 1.0)
        fast = None
        if one.greedy is not None and not empty:
            entire, count = one.greedy
            fast = disorder if one.as_good else entire / (weight if gamma else max(1, count))
        alignments.append(
            Alignment(
                document=document.name,
                annotators=document.annotators,
                members=rows[part],
                disorders=disorders[part],
                disorder=disorder,
                bound=disorder - missing if missing else disorder,
                method=method,
                objective=d.objective,
                greedy=fast,
                candidates=None if one.candidates is None else one.candidates + units,
            )
        )
    return alignments


def unitary_disorders(
    batch: Batch, members: NDArray[np.int64], sizes: NDArray[np.int64], d: Dissimilarity
) -> Array:
    """δ of each unitary alignment: Δ + (1/C) Σ over its real pairs of (d − Δ).

    `sizes` are the numbers of unitary alignments of the documents of the batch.
    """
    by_sets = d.by_sets(batch.continua[0])
    if d.own is None and not by_sets:
        found: Array = unitary_costs(
            members,
            batch.start,
            batch.end,
            batch.label,
            d.costs,
            d.kind,
            np.repeat(batch.weights(d), sizes),
            d.delta,
        )
        return found
    n = batch.annotators
    row, first, second = real_pairs(members)
    if by_sets:
        label = batch.label
        costs = d.costs[label[first], label[second]]
        values = d.alpha * d.apart(batch.continua[0], first, second) + costs
    else:
        units = d.located(batch.continua[0])
        values = np.array(
            [
                d.own_value(units[i], units[j])
                for i, j in zip(first.tolist(), second.tolist(), strict=True)
            ]
        )
    total = np.bincount(row, weights=values - d.delta, minlength=len(members))
    return np.asarray(d.delta + total / (n * (n - 1) / 2))
