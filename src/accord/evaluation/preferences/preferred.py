"""Who is really better, by preferences: strengths with intervals, and what the judges are worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from os import PathLike
from typing import Any

import numpy as np

from accord.data.preferences import TIE, Preferences
from accord.data.tabular import Tabular
from accord.errors import UsageError, in_python
from accord.evaluation.preferences.judges import consistency, kendall_u, position
from accord.evaluation.preferences.strengths import (
    Array,
    Strengths,
    counts,
    fit,
    refuse_unbounded,
    why_unbounded,
)
from accord.options import LEVEL, check_draws
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printed
from accord.reading.given import Frame
from accord.reading.preferences import read_preferences
from accord.result import Result, signature
from accord.uncertainty import interval
from accord.uncertainty.jackknife import student
from accord.uncertainty.scale import Scale

#: share of resamples without a finite fit beyond which no interval is claimed
_LOST = 0.05
#: where Kendall's u can lie
_U = Scale(low=-1.0, high=1.0, best=1.0, worst=-1.0)
#: judges (or items) that an interval over them needs
_LEAST = 5


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Preferred(Tabular):
    """The objects from the strongest, which of them differ, and how far the judges can be trusted."""

    #: strongest first: object, theta, low, high, error (information), wins, losses, ties, group
    objects: tuple[dict[str, Any], ...]
    #: every pair, the stronger first: better, worse, difference, low, high, decided, chance_to_win
    differences: tuple[dict[str, Any], ...]
    #: ν of Davidson's model, 0 without ties
    nu: float
    log_likelihood: float
    agreement: Result
    consistency: tuple[dict[str, Any], ...]
    position: dict[str, Any]
    signature: str
    judgements: int
    #: what the intervals speak for: other judges, other items, other judgements
    drawn: str
    warnings: tuple[str, ...] = field(default_factory=tuple)

    def _printed(self) -> Printed:
        """The objects from the strongest; those that share a letter with it stand out."""
        first = set(self.objects[0]["group"] or "")
        counts = ("wins", "losses", "ties")
        rows = [
            {k: int(v) if k in counts else v for k, v in row.items() if k != "error"}
            for row in self.objects
        ]
        told = "Bold: the strongest, and what is not told apart from it: one letter in common."
        return Printed.of_rows(
            rows, notes=[told], bold=lambda row: bool(first & set(row["group"] or ""))
        )

    def __str__(self) -> str:
        """The objects from the strongest; = between two that are not told apart.

        >>> rows = [("J", "a", "b", "a"), ("J", "b", "a", "b"), ("J", "a", "b", "a")]
        >>> print(prefer(Preferences.from_rows(rows, repeats="keep"), resamples=50))
        a = b (3 judgements)
        """
        told = {(d["better"], d["worse"]): d["decided"] for d in self.differences}
        names = [o["object"] for o in self.objects]
        line = names[0] + "".join(
            f" {'>' if told.get(pair) else '='} {pair[1]}" for pair in pairwise(names)
        )
        return f"{line} ({self.judgements} judgements)"

    def __repr__(self) -> str:
        return (
            f"<Preferred: {self}>"
            if len(self.objects) <= 6
            else f"<Preferred: {self.objects[0]['object']} first of {len(self.objects)} objects>"
        )

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per object, the strongest first."""
        return self.objects, ()

    def _repr_html_(self) -> str:
        from accord.markup import block, folded, paragraph, table

        rows = [
            {"object": o["object"], "value": o["theta"], "low": o["low"], "high": o["high"]}
            | {name: int(o[name]) for name in ("wins", "losses", "ties")}
            | {"group": o["group"]}
            for o in self.objects
        ]
        return block(
            f"{len(self.objects)} objects by {self.judgements} judgements",
            paragraph("strength θ; objects with a letter in common are not told apart", soft=True),
            table(rows),
            folded("differences", table(self.differences)),
            paragraph(str(self.agreement)),
            *(paragraph(f"⚠ {in_python(w)}") for w in self.warnings),
            paragraph(self.signature, soft=True),
        )

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "objects": [dict(o) for o in self.objects],
            "differences": [dict(d) for d in self.differences],
            "nu": self.nu,
            "log_likelihood": self.log_likelihood,
            "agreement": self.agreement.to_dict(),
            "consistency": [dict(c) for c in self.consistency],
            "position": self.position,
            "judgements": self.judgements,
            "drawn": self.drawn,
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


@refuses_other_kinds
def prefer(
    data: Preferences | str | PathLike[str] | Frame,
    *,
    columns: Mapping[str, str] | None = None,
    repeats: str = "error",
    prior: float = 0.0,
    level: float = LEVEL,
    resamples: int = 1000,
    seed: int = 0,
) -> Preferred:
    """Rank objects by paired judgements (Bradley–Terry; Davidson with ties).

    Intervals draw the judges again (the items when there is one judge, the judgements when there is
    neither): ± t times the spread of the draws, which covers where percentiles do not
    (benchmarks/results/preferences.md). Who is better is decided by the differences: a pair counts as
    decided when 0 lies outside limits that hold for all pairs at once; objects in one group are not told
    apart.

    Parameters
    ----------
    data : preferences, or a table of judgements: judge, left, right, winner (and item)
    columns : what the columns of the table are called
    repeats : a judge judges a pair again: "error" refuses it, "keep" counts all, "first" the first
    prior : wins and losses of each object against an average opponent
    level, resamples, seed : of the intervals

    >>> rows = [("J", "a", "b", "a"), ("J", "b", "c", "b"), ("J", "c", "a", "c"), ("K", "a", "b", "a"),
    ...         ("K", "b", "c", "b"), ("K", "c", "a", "a")]
    >>> found = prefer(Preferences.from_rows(rows), resamples=50)
    >>> [o["object"] for o in found.objects]
    ['a', 'b', 'c']
    """
    if not isinstance(data, Preferences):
        data = read_preferences(data, columns=columns, repeats=repeats)
    elif columns or repeats != "error":
        name = "columns" if columns else "repeats"
        raise UsageError(f"`{name}` says how preferences are read, and these are read already")
    check_draws(level=level, seed=seed)
    if not (isinstance(prior, (int, float)) and 0 <= prior < math.inf):
        raise UsageError(f"`prior` must be a number from 0, got {prior}")
    if len(data.objects) < 2:
        raise UsageError("preferences need two objects at least")
    wins, ties = counts(data)
    if not prior:
        refuse_unbounded(wins, ties, data.objects)
    best = fit(wins, ties, prior)
    drawn, draws, lost = _draws(data, prior, resamples, seed)
    units = {"judge": len(data.judges), "item": len(data.items), "judgement": len(data)}[drawn]
    warnings = [*data.notes, *_about(data, drawn, units, lost, resamples)]
    usable = units >= _LEAST and lost <= _LOST * resamples
    spread = _Draws(draws, units, level) if usable else None
    order = np.argsort(-best.theta, kind="stable")
    differences = _differences(data.objects, best, spread, order)
    groups = _groups(order, differences, data.objects)
    agreement = interval(kendall_u(data), level=level, seed=seed, scale=_U)
    return Preferred(
        objects=tuple(
            {
                "object": data.objects[o],
                "theta": float(best.theta[o]),
                **_limits(
                    float(best.theta[o]),
                    None if spread is None else spread.error(draws[:, o]),
                    spread,
                ),
                "error": float(np.sqrt(best.covariance[o, o])),
                "wins": float(wins[o].sum()),
                "losses": float(wins[:, o].sum()),
                "ties": float(ties[o].sum()),
                "group": groups[o],
            }
            for o in order.tolist()
        ),
        differences=differences,
        nu=best.nu,
        log_likelihood=best.log_likelihood,
        agreement=agreement,
        consistency=tuple(consistency(data)),
        position=position(data, level),
        signature=signature(
            "bradley-terry" if not ties.any() else "davidson",
            len(data),
            repeats=data.repeats or None,
            prior=prior or None,
            ci=f"bootstrap-{drawn}-{resamples}",
            level=None if level == LEVEL else level,
            seed=seed,
        ),
        judgements=len(data),
        drawn=drawn,
        warnings=tuple(warnings),
    )


def _draws(data: Preferences, prior: float, resamples: int, seed: int) -> tuple[str, Array, int]:
    """What is drawn again, the strengths of each draw that has some, and how many have none."""
    if len(data.judges) > 1:
        drawn, unit, n = "judge", data.judge, len(data.judges)
    elif len(data.items) > 1:
        drawn, unit, n = "item", data.item, len(data.items)
    else:
        drawn, unit, n = "judgement", np.arange(len(data), dtype=np.int32), len(data)
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(resamples):
        weight = rng.multinomial(n, np.full(n, 1 / n)).astype(np.float64)[unit]
        wins, ties = counts(data, weight)
        if prior or why_unbounded(wins, ties, data.objects) is None:
            found.append(fit(wins, ties, prior).theta)
    return drawn, np.array(found).reshape(-1, len(data.objects)), resamples - len(found)


def _about(data: Preferences, drawn: str, units: int, lost: int, resamples: int) -> list[str]:
    said = []
    if lost > _LOST * resamples:
        said.append(
            f"{lost} of {resamples} resamples have no finite strengths, too many for an interval; "
            "pass `prior=0.5` to judge each object against an average opponent too"
        )
    elif lost:
        said.append(f"{lost} of {resamples} resamples have no finite strengths and are left out")
    if units < _LEAST:
        said.append(f"{units} {drawn}s say nothing about others: an interval needs {_LEAST}")
    if drawn == "judgement":
        said.append("one judge and no items: the judgements are taken as independent")
    share = float(np.mean(data.winner == TIE))
    if share > 0.5:
        said.append(f"{share:.0%} of the judgements are ties: little is said about who is better")
    return said


@dataclass(frozen=True, slots=True, eq=False)
class _Draws:
    """Strengths drawn again over so many judges, and the t that goes with them."""

    theta: Array
    units: int
    level: float

    @property
    def t(self) -> float:
        return student(self.units - 1.0, (1 + self.level) / 2)

    def error(self, values: Array) -> float:
        """Standard error; drawing n out of n loses a share 1/n of the variance."""
        return float(values.std(ddof=1) * np.sqrt(self.units / (self.units - 1)))


def _limits(value: float, error: float | None, draws: _Draws | None) -> dict[str, float | None]:
    if draws is None or error is None:
        return {"low": None, "high": None}
    return {"low": value - draws.t * error, "high": value + draws.t * error}


def _differences(
    names: Sequence[str], best: Strengths, draws: _Draws | None, order: Any
) -> tuple[dict[str, Any], ...]:
    """θ_i − θ_j of every pair with its limits, and whether it is told apart among all pairs at once."""
    pairs = [(int(a), int(b)) for r, a in enumerate(order) for b in order[r + 1 :]]
    errors: list[float | None] = [None] * len(pairs)
    limit = np.inf
    if draws is not None:
        apart = np.stack([draws.theta[:, a] - draws.theta[:, b] for a, b in pairs], axis=1)
        errors = [draws.error(column) for column in apart.T]
        spread = apart.std(axis=0, ddof=1)
        size = np.abs(apart - apart.mean(axis=0)) / np.where(spread > 0, spread, np.inf)
        # the largest of all pairs, widened as t is wider than the normal law
        normal = student(np.inf, (1 + draws.level) / 2)
        limit = float(np.quantile(size.max(axis=1), draws.level)) * draws.t / normal
    rows = []
    for (a, b), error in zip(pairs, errors, strict=True):
        gap = float(best.theta[a] - best.theta[b])
        rows.append(
            {
                "better": names[a],
                "worse": names[b],
                "difference": gap,
                **_limits(gap, error, draws),
                "decided": error is not None and error > 0 and gap > limit * error,
                # without ties, how often the better one wins
                "chance_to_win": float(1 / (1 + np.exp(-gap))),
            }
        )
    return tuple(rows)


def _groups(order: Any, differences: Sequence[dict[str, Any]], names: Sequence[str]) -> list[str]:
    """Letters: two objects share one when they are not told apart (Piepho's compact display, in order)."""
    alike = np.eye(len(names), dtype=bool)
    place = {name: i for i, name in enumerate(names)}
    for row in differences:
        a, b = place[row["better"]], place[row["worse"]]
        alike[a, b] = alike[b, a] = not row["decided"]
    ranked = [int(o) for o in order]
    runs: list[set[int]] = []
    for start in range(len(ranked)):
        run = [ranked[start]]
        for other in ranked[start + 1 :]:
            if all(alike[other, member] for member in run):
                run.append(other)
        if not any(set(run) <= known for known in runs):
            runs.append(set(run))
    letters = "abcdefghijklmnopqrstuvwxyz"
    label = [letters[i] if i < 26 else f"{letters[i % 26]}{i // 26}" for i in range(len(runs))]
    return ["".join(label[i] for i, run in enumerate(runs) if o in run) for o in range(len(names))]
