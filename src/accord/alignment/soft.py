"""Soft alignment: every unit at least once, γ's objective."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.candidates import Candidates, Near
from accord.alignment.exact import least_sum
from accord.alignment.floors import unit_floor
from accord.alignment.packing import Codes, ranges


def soft_cover(
    candidates: Candidates, deadline: float | None = None
) -> tuple[list[NDArray[np.int64]], float]:
    """Unitary alignments of least total δ that contain every unit, and the gap on the grid.

    A set cover, solved as an integer programme; for two annotators it is an edge cover. Splitting
    a unitary alignment covers the same units, so the same candidates are pruned as for a partition.
    Where they are not all listed, those that a partition may need serve, and the gap is to a floor.
    """
    if candidates.near is not None:
        some = replace(least_sum(candidates, deadline=deadline).among, near=None)
        groups, _ = soft_cover(some, deadline)
        reached = _cost(groups, candidates.near, candidates.empty)
        return groups, float(reached - unit_floor(candidates, candidates.near))
    import highspy

    units, pairs = candidates.units, len(candidates.close)
    if not units:
        return [], 0.0
    sizes = np.concatenate([candidates.sizes, np.ones(units, dtype=np.int64)])
    member = np.concatenate([candidates.member, np.arange(units, dtype=np.int32)])
    cost = np.concatenate([candidates.empty - candidates.close, np.full(units, candidates.empty)])
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    options: list[tuple[str, object]] = [
        ("output_flag", False),
        ("parallel", "off"),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.0),
    ]
    if deadline is not None:
        options.append(("time_limit", max(0.01, deadline - time.monotonic())))
    for option, value in options:
        solver.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = len(sizes), units
    model.col_cost_ = cost / candidates.empty
    model.col_lower_, model.col_upper_ = np.zeros(len(sizes)), np.ones(len(sizes))
    model.row_lower_ = np.ones(units)
    model.row_upper_ = np.full(units, highspy.kHighsInf)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    model.a_matrix_.index_ = member
    model.a_matrix_.value_ = np.ones(len(member))
    model.integrality_ = [highspy.HighsVarType.kInteger] * len(sizes)
    solver.passModel(model)
    solver.run()
    values = np.asarray(solver.getSolution().col_value)
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    if len(values) != len(sizes) or not _covers(values > 0.5, sizes, member, units):
        # stopped before a cover was found: every unit alone is one
        values = np.concatenate([np.zeros(pairs), np.ones(units)])
        optimal = False
    chosen = np.flatnonzero(values > 0.5)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    groups = [member[offsets[k] : offsets[k + 1]].astype(np.int64) for k in chosen]
    if optimal:
        return groups, 0.0
    bound = max(0.0, float(solver.getInfo().mip_dual_bound)) * candidates.empty
    return groups, max(0.0, float(cost[chosen].sum()) - bound)


def _cost(groups: list[NDArray[np.int64]], near: Near, empty: int) -> int:
    """Σ C·δ(K) on the grid."""
    total = len(groups) * empty
    for group in groups:
        for unit in group.tolist():
            part = slice(int(near.indptr[unit]), int(near.indptr[unit + 1]))
            total -= int(near.close[part][np.isin(near.other[part], group)].sum())
    return total


def _covers(chosen: NDArray[np.bool_], sizes: NDArray[np.int64], member: Codes, units: int) -> bool:
    starts = np.cumsum(sizes) - sizes
    hit = np.zeros(units, dtype=bool)
    hit[member[ranges(starts[chosen], sizes[chosen])]] = True
    return bool(hit.all())
