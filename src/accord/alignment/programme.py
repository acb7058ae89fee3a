"""What the search leaves open, as an integer programme (HiGHS)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from accord.alignment.packing import Codes, Columns


def solve_programme(
    part: Columns, held: Codes, *, ceiling: float, deadline: float | None
) -> tuple[Codes, float]:
    """The best packing of the columns, and by how much (in gain) the optimum may exceed it.

    `held` is a packing to fall back on, `ceiling` a proven upper bound of the total gain. With a
    deadline (of :func:`time.monotonic`) the answer may be `held` itself.
    """
    used = np.unique(held[held >= 0])
    reached = float(part.gain[used].sum())
    left = None if deadline is None else deadline - time.monotonic()
    if left is not None and left <= 0:
        return held, max(0.0, ceiling - reached)
    values, bound, optimal = _solve(part, left)
    if values is not None:
        chosen = np.flatnonzero(values > 0.5)
        total = float(part.gain[chosen].sum())
        if total > reached:
            held = np.full(part.units, -1, dtype=np.int32)
            sizes = part.sizes
            cells = np.repeat(np.isin(np.arange(len(part)), chosen), sizes)
            held[part.member[cells]] = np.repeat(chosen, sizes[chosen]).astype(np.int32)
            reached = total
    if optimal:
        return held, 0.0
    return held, max(0.0, min(ceiling, bound * part.one) - reached)


def _solve(part: Columns, seconds: float | None) -> tuple[NDArray[np.float64] | None, float, bool]:
    """Values of the columns (None: no packing found), upper bound in units of one, optimality."""
    import highspy

    count = len(part)
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("parallel", "off"),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.0),
        *(() if seconds is None else (("time_limit", float(seconds)),)),
    ):
        solver.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = count, part.units
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = part.gain / part.one
    model.col_lower_, model.col_upper_ = np.zeros(count), np.ones(count)
    model.row_lower_ = np.full(part.units, -highspy.kHighsInf)
    model.row_upper_ = np.ones(part.units)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = part.offsets.astype(np.int32)
    model.a_matrix_.index_ = part.member
    model.a_matrix_.value_ = np.ones(len(part.member))
    model.integrality_ = [highspy.HighsVarType.kInteger] * count
    solver.passModel(model)
    solver.run()
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    info = solver.getInfo()
    values = np.asarray(solver.getSolution().col_value, dtype=np.float64)
    bound = float(info.mip_dual_bound)
    return (values if len(values) == count else None), bound, optimal
