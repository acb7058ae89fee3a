"""The alternative-annotator test: may this system replace a human annotator?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.choose import some
from accord.errors import InputError, UsageError
from accord.measures.validity.pairing import Pairing, pair
from accord.result import Row, signature

Array = NDArray[np.float64]
SCORINGS = ("accuracy", "rmse")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AltTest:
    """Winning rate ω, mean advantage ρ, and the test of each human."""

    winning_rate: float
    advantage: float
    passed: bool
    epsilon: float
    q: float
    scoring: str
    annotators: tuple[Row, ...]
    left_out: tuple[Row, ...]
    system: str
    warnings: tuple[str, ...] = ()
    signature: str = ""

    def __str__(self) -> str:
        verdict = "passes" if self.passed else "does not pass"
        return (
            f"{self.system} {verdict}: winning rate {self.winning_rate:.3f} over "
            f"{len(self.annotators)} annotators (ε = {self.epsilon:g}), "
            f"advantage {self.advantage:.3f}"
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "system": self.system,
            "winning_rate": self.winning_rate,
            "omega": self.winning_rate,
            "advantage": self.advantage,
            "rho": self.advantage,
            "passed": self.passed,
            "epsilon": self.epsilon,
            "q": self.q,
            "scoring": self.scoring,
            "annotators": [dict(r) for r in self.annotators],
            "left_out": [dict(r) for r in self.left_out],
            "warnings": list(self.warnings),
            "signature": self.signature,
        }


def alt_test(
    judges: Ratings,
    system: Ratings,
    *,
    epsilon: float = 0.2,
    q: float = 0.05,
    least_items: int = 30,
    scoring: str | None = None,
) -> AltTest:
    r"""Test whether a system may stand in for the human annotators.

    For each human h and each item i that h, another human and the system labelled, S(v) is the share
    of the *other* humans who gave item i the value v (*accuracy*), or minus the root mean squared
    distance to their values (*rmse*, for numbers). With

    .. math:: W^f_i = [S(f_i) \ge S(h_i)], \qquad W^h_i = [S(h_i) \ge S(f_i)]

    the null hypothesis mean(W^h − W^f) ≥ ε is tested by a one-sided t-test. ε is the price of a human:
    about .2 for experts, .15 for skilled, .1 for crowd annotators. The nulls are rejected by the
    procedure of Benjamini & Yekutieli at level q. The winning rate ω is the share of humans whose
    null is rejected; the system passes at ω ≥ ½. The advantage ρ is the mean of W^f over items, then
    over humans.

    N. Calderon, R. Reichart and R. Dror (2025). The alternative annotator test for LLM-as-a-judge.
    ACL. arXiv:2501.10970.

    Humans with fewer than `least_items` items are named and left out; three must remain.
    """
    if not 0 <= epsilon < 1:
        raise UsageError(f"epsilon must be at least 0 and below 1, got {epsilon}")
    if not 0 < q < 1:
        raise UsageError(f"q must be between 0 and 1, got {q}")
    if scoring not in (None, *SCORINGS):
        raise UsageError(f"the scoring must be one of {', '.join(SCORINGS)}, got {scoring!r}")
    pairing = pair(judges, system)
    chosen = scoring or ("rmse" if pairing.numbers is not None else "accuracy")
    human, machine, usable, who = _scores(judges, pairing, chosen)
    rows: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for a, name in enumerate(judges.annotators):
        mine = np.flatnonzero((who == a) & usable)
        if len(mine) < least_items:
            left_out.append({"annotator": name, "n": len(mine)})
            continue
        w_f = (machine[mine] >= human[mine]).astype(np.float64)
        w_h = (human[mine] >= machine[mine]).astype(np.float64)
        rows.append(
            {
                "annotator": name,
                "n": len(mine),
                "advantage": float(w_f.mean()),
                "human_advantage": float(w_h.mean()),
                "difference": float((w_h - w_f).mean()),
                "p": _one_sided(w_h - w_f, epsilon),
            }
        )
    if len(rows) < 3:
        raise InputError(
            f"the test needs at least three humans with {least_items} items each, got {len(rows)}",
            hint="collect more labels; do not lower the number of items lightly",
        )
    for row, rejected in zip(rows, _reject([r["p"] for r in rows], q), strict=True):
        row["rejected"] = rejected
    omega = float(np.mean([r["rejected"] for r in rows]))
    warnings = list(pairing.warnings)
    if left_out:
        names = [r["annotator"] for r in left_out]
        warnings.append(
            f"{len(left_out)} annotators with fewer than {least_items} items are left out: {some(names)}"
        )
    return AltTest(
        winning_rate=omega,
        advantage=float(np.mean([r["advantage"] for r in rows])),
        passed=omega >= 0.5,
        epsilon=epsilon,
        q=q,
        scoring=chosen,
        annotators=tuple(rows),
        left_out=tuple(left_out),
        system=system.annotators[0] if system.annotators else "system",
        warnings=tuple(dict.fromkeys(warnings)),
        signature=signature(
            "alt-test", pairing.n, scoring=chosen, epsilon=epsilon, q=q, least_items=least_items
        ),
    )


def _scores(
    judges: Ratings, pairing: Pairing, scoring: str
) -> tuple[Array, Array, NDArray[np.bool_], NDArray[np.int32]]:
    """For each judgement: score of the human, of the system, whether both exist, and who."""
    row, code = pairing.judged
    who = judges.annotator
    count = np.bincount(row, minlength=pairing.n)
    others = count[row] - 1
    line = pairing.index[row]
    answered = pairing.given[line]
    usable = (others >= 1) & answered
    below = np.maximum(others, 1)
    if scoring == "accuracy":
        shares, choice = pairing.shares, pairing.choice
        human = (shares[line, code] * count[row] - 1) / below
        # a system whose own answers tie gets the mean over them
        behind = np.sum(shares * choice, axis=1)[line] * count[row]
        machine = (behind - choice[line, code]) / below
        # equal shares must compare as equal, whatever the order of the sums
        return human.round(12), machine.round(12), usable, who
    x = pairing.positions
    y = x[code]
    total, squares = (np.bincount(row, weights=t, minlength=pairing.n) for t in (y, y * y))
    answers = np.bincount(pairing.answered[0], weights=x[pairing.answered[1]], minlength=pairing.n)
    sizes = np.bincount(pairing.answered[0], minlength=pairing.n)
    f = (answers / np.maximum(sizes, 1))[row]
    rest, rest2 = total[row] - y, squares[row] - y * y

    def far(v: Array) -> Array:
        mean = np.maximum(v * v - 2 * v * rest / below + rest2 / below, 0.0)
        distance: Array = -np.sqrt(mean)
        return np.round(distance, 9)

    return far(y), far(f), usable, who


def _one_sided(difference: Array, epsilon: float) -> float:
    """p of mean(difference) ≥ ε against <; without variance 0 or 1 by the sign."""
    from scipy.special import stdtr

    n = len(difference)
    spread = float(difference.std(ddof=1)) if n > 1 else 0.0
    gap = float(difference.mean()) - epsilon
    if spread == 0:
        return 0.0 if gap < 0 else 1.0
    return float(stdtr(n - 1, gap / (spread / np.sqrt(n))))


def _reject(p: list[float], q: float) -> list[bool]:
    """Benjamini & Yekutieli (2001): false discoveries below q under any dependence."""
    m = len(p)
    harmonic = sum(1 / i for i in range(1, m + 1))
    order = sorted(range(m), key=lambda i: p[i])
    last = 0
    for place, i in enumerate(order, 1):
        if p[i] <= place * q / (m * harmonic):
            last = place
    rejected = [False] * m
    for i in order[:last]:
        rejected[i] = True
    return rejected
