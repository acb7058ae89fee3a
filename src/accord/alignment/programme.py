"""What the search leaves open, as an integer programme (HiGHS)."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from accord.alignment.packing import Codes, Columns, Whole

#: sets from which on a linear programme is large
_LARGE = 5_000


class Answer(NamedTuple):
    """The sets chosen (None: no choice was found), a floor of the least cost, whether it is reached."""

    chosen: NDArray[np.bool_] | None
    floor: float
    optimal: bool


def cheapest_sets(
    cost: NDArray[np.float64],
    offsets: Whole,
    member: Codes,
    units: int,
    *,
    cover: bool,
    seconds: float | None,
    whole: bool = True,
) -> Answer:
    """Choose sets of units of least total cost, every unit in at least one (`cover`) or at most one.

    Sets may be taken in part unless `whole`.
    """
    import highspy

    count = len(cost)
    solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for option, value in (
        ("output_flag", False),
        ("parallel", "off"),
        ("mip_rel_gap", 0.0),
        ("mip_abs_gap", 0.0),
        *(() if seconds is None else (("time_limit", float(seconds)),)),
        # (an interior point tells the value of a large programme soonest)
        *((("solver", "ipm"), ("run_crossover", "off")) if not whole and count > _LARGE else ()),
    ):
        solver.setOptionValue(option, value)
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = count, units
    model.col_cost_ = cost
    model.col_lower_, model.col_upper_ = np.zeros(count), np.ones(count)
    model.row_lower_ = np.full(units, 1.0 if cover else -highspy.kHighsInf)
    model.row_upper_ = np.full(units, highspy.kHighsInf if cover else 1.0)
    model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    model.a_matrix_.start_ = offsets.astype(np.int32)
    model.a_matrix_.index_ = member
    model.a_matrix_.value_ = np.ones(len(member))
    if whole:
        model.integrality_ = [highspy.HighsVarType.kInteger] * count
    solver.passModel(model)
    solver.run()
    values = np.asarray(solver.getSolution().col_value, dtype=np.float64)
    optimal = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    info = solver.getInfo()
    if not whole:
        return Answer(None, float(info.objective_function_value), optimal)
    return Answer(
        values > 0.5 if len(values) == count else None, float(info.mip_dual_bound), optimal
    )


def bound_programme(
    part: Columns, held: Codes, *, ceiling: float, deadline: float | None
) -> tuple[Codes, float]:
    """The packing that is there already, and by how much (in gain) the best may exceed it at most.

    The bound is that of the linear programme: the same whatever the machine, nearly always reached by
    whole sets, and quick where a proof is not (random data have many equal optima).
    """
    left = None if deadline is None else max(0.0, deadline - time.monotonic())
    relaxed = cheapest_sets(
        -part.gain / part.one,
        part.offsets,
        part.member,
        part.units,
        cover=False,
        seconds=left,
        whole=False,
    )
    reached = float(part.gain[np.unique(held[held >= 0])].sum())
    if relaxed.optimal:
        ceiling = min(ceiling, -relaxed.floor * part.one)
    return held, max(0.0, ceiling - reached)


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
    found = cheapest_sets(
        -part.gain / part.one, part.offsets, part.member, part.units, cover=False, seconds=left
    )
    if found.chosen is not None:
        total = float(part.gain[found.chosen].sum())
        if total > reached:
            sizes = part.sizes
            cells = np.repeat(found.chosen, sizes)
            held = np.full(part.units, -1, dtype=np.int32)
            held[part.member[cells]] = np.repeat(np.arange(len(part)), sizes)[cells]
            reached = total
    if found.optimal:
        return held, 0.0
    return held, max(0.0, min(ceiling, -found.floor * part.one) - reached)


class Master:
    """The linear programme of the sets known so far, each unit in one at most; sets are added.

    Its prices are held back: a price that leaves the given one by more than some distance pays for it.
    """

    def __init__(self, units: int) -> None:
        import highspy

        self.units = units
        self.solver: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        for option, value in (
            ("output_flag", False),
            ("parallel", "off"),
            ("threads", 1),
            # (primal: the last solution stays feasible when sets are added)
            ("simplex_strategy", 4),
        ):
            self.solver.setOptionValue(option, value)
        none = np.empty(0, dtype=np.int32)
        self.solver.addRows(
            units,
            np.full(units, -highspy.kHighsInf),
            np.ones(units),
            0,
            np.zeros(units, dtype=np.int32),
            none,
            np.empty(0),
        )
        every = np.arange(units, dtype=np.int32)
        for sign in (1.0, -1.0):
            self.solver.addCols(
                units, np.zeros(units), np.zeros(units), np.zeros(units), units, every, every,
                np.full(units, sign),
            )  # fmt: skip

    def add(self, rows: Codes, gain: NDArray[np.float64]) -> None:
        """Sets as rows of units, -1 standing for none."""
        import highspy

        there = rows >= 0
        starts = np.concatenate([[0], np.cumsum(there.sum(1))])
        self.solver.addCols(
            len(rows),
            -gain,
            np.zeros(len(rows)),
            np.full(len(rows), highspy.kHighsInf),
            int(starts[-1]),
            starts[:-1].astype(np.int32),
            rows[there].astype(np.int32),
            np.ones(int(starts[-1])),
        )

    def solve(
        self, centre: NDArray[np.float64], far: float, held: float, seconds: float | None
    ) -> tuple[NDArray[np.float64], float]:
        """The prices, and how much they are held back in all (0: they are those of the programme itself)."""
        both = np.arange(2 * self.units, dtype=np.int32)
        self.solver.changeColsCost(len(both), both, np.concatenate([far - centre, far + centre]))
        self.solver.changeColsBounds(len(both), both, np.zeros(len(both)), np.full(len(both), held))
        if seconds is not None:
            self.solver.setOptionValue("time_limit", self.solver.getRunTime() + seconds)
        self.solver.run()
        solution = self.solver.getSolution()
        price = np.maximum(0.0, -np.asarray(solution.row_dual))
        return price, float(np.asarray(solution.col_value)[: 2 * self.units].sum())
