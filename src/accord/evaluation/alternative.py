"""The alternative-annotator test: may this system replace a human annotator?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Ratings
from accord.data.roles import signed
from accord.data.tabular import Tabular
from accord.errors import InputError, UsageError, in_python, some
from accord.evaluation.discoveries import benjamini_yekutieli
from accord.evaluation.entrants import NO_SYSTEM, Systems, models_among, people_and_systems
from accord.evaluation.located import document_scores
from accord.measures.validity.matched_items import pair
from accord.measures.validity.pairing import Pairing
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, Sides
from accord.reading.keywords import Keywords
from accord.result import Row, signature

Array = NDArray[np.float64]
SCORINGS = ("accuracy", "rmse")
#: prices of a human at which the curve of ω is drawn
EPSILONS = tuple(i / 20 for i in range(11))
#: how near to ε the verdict must flip to be called borderline
_NEAR = 0.02
#: for one human: their scores and the system's, over the items both can be scored on
Duels = Mapping[str, tuple[Array, Array]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AltTest(Tabular):
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
    #: least ε at which the system passes; it may be below 0 or above 1
    smallest_epsilon: float = float("nan")
    #: (ε, ω) for the prices people use
    curve: tuple[tuple[float, float], ...] = ()

    def __str__(self) -> str:
        verdict = "passes" if self.passed else "does not pass"
        return (
            f"{self.system} {verdict}: winning rate {self.winning_rate:.3f} over "
            f"{len(self.annotators)} annotators (ε = {self.epsilon:g}), "
            f"advantage {self.advantage:.3f}"
        )

    def __repr__(self) -> str:
        return f"<{self}>"

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per human."""
        return self.annotators, ()

    def _repr_html_(self) -> str:
        from accord.markup import block, folded, interval_bar, paragraph, table

        curve = [{"ε": e, "ω": w} for e, w in self.curve]
        return block(
            str(self),
            interval_bar(self.winning_rate, None, None, axis=(0.0, 1.0)),
            paragraph(
                "The system passes at a winning rate of one half or more. The least ε at which it "
                f"passes is {self.smallest_epsilon:.3f}.",
                soft=True,
            ),
            folded("human by human", table(self.annotators), unfolded=len(self.annotators) <= 12),
            folded("winning rate by the price of a human", table(curve)) if curve else "",
            *(paragraph(f"⚠ {in_python(w)}") for w in self.warnings),
            paragraph(self.signature, soft=True),
        )

    def to_dict(self) -> dict[str, object]:
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
            "smallest_epsilon": self.smallest_epsilon,
            "curve": [list(point) for point in self.curve],
        }


@refuses_other_kinds
def alt_test(
    judges: Given,
    system: Systems = None,
    *,
    epsilon: float = 0.2,
    q: float = 0.05,
    least_items: int = 30,
    scoring: str | None = None,
    system_annotator: str | None = None,
    **reading: Unpack[Keywords],
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

    Humans with fewer than `least_items` items are named and left out; three must remain. For units,
    segments and chains an item is a document, and S the mean score of an annotation of it against
    each other human's (`scoring` names the measure). `system` is data or a file, or the name of an
    annotator who is a system; without it, the one that was set aside when the data were read.
    Of data of several annotators, `system_annotator` names the one that is the system. What is not
    read yet is read with the options of :func:`accord.read`.

    The smallest ε that passes has a closed form: with d̄_h and s_h the mean and standard error of
    W^h − W^f, m humans and H = Σ 1/k, it is the least over j ≥ m/2 of the j-th smallest
    d̄_h − s_h t⁻¹(jq/(mH)).
    """
    sides = Sides(reading)
    judges, system = _sides(sides, judges, system, system_annotator)
    sides.settle("alt_test")
    if not 0 <= epsilon < 1:
        raise UsageError(f"epsilon must be at least 0 and below 1, got {epsilon}")
    if not 0 < q < 1:
        raise UsageError(f"q must be between 0 and 1, got {q}")
    chosen, duels, n, noted = _duels(judges, system, scoring)
    rows: list[dict[str, Any]] = []
    left_out: list[dict[str, Any]] = []
    for name, (human, machine) in duels.items():
        if len(human) < least_items:
            left_out.append({"annotator": name, "n": len(human)})
            continue
        w_f = (machine >= human).astype(np.float64)
        w_h = (human >= machine).astype(np.float64)
        spread = float((w_h - w_f).std(ddof=1)) if len(w_h) > 1 else 0.0
        rows.append(
            {
                "annotator": name,
                "n": len(human),
                "advantage": float(w_f.mean()),
                "human_advantage": float(w_h.mean()),
                "difference": float((w_h - w_f).mean()),
                "standard_error": spread / float(np.sqrt(len(w_h))),
            }
        )
    if len(rows) < 3:
        kind = "items" if judges.shape == "ratings" else "documents"
        raise InputError(
            f"the test needs at least three humans with {least_items} {kind} each, got {len(rows)}",
            hint="collect more labels; do not lower the number of items lightly",
        )
    for row in rows:
        row["p"] = _one_sided(row, epsilon)
    for row, rejected in zip(rows, _rejected(rows, epsilon, q), strict=True):
        row["rejected"] = rejected
    omega = float(np.mean([r["rejected"] for r in rows]))
    least = _smallest_epsilon(rows, q)
    warnings = [*models_among(judges), *noted]
    if left_out:
        names = [r["annotator"] for r in left_out]
        warnings.append(
            f"{len(left_out)} annotators with fewer than {least_items} items are left out: {some(names)}"
        )
    if abs(least - epsilon) <= _NEAR:
        warnings.append(
            f"borderline: the system passes from ε = {least:.4f} on, and ε = {epsilon:g} was used"
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
        signature=signed(
            signature("alt-test", n, scoring=chosen, epsilon=epsilon, q=q, least_items=least_items),
            judges,
            system,
        ),
        smallest_epsilon=least,
        curve=tuple((e, float(np.mean(_rejected(rows, e, q)))) for e in EPSILONS),
    )


def _sides(
    sides: Sides, judges: Given, system: Systems, system_annotator: str | None
) -> tuple[Annotations, Annotations]:
    """The humans and the one system that is tested."""
    people, found = people_and_systems(
        judges, system, system_annotator=system_annotator, sides=sides
    )
    if len(found) != 1:
        raise UsageError(
            f"one system is tested at a time, and there are {some(list(found))}: name one"
            if found
            else NO_SYSTEM
        )
    return people, next(iter(found.values()))


def _duels(
    judges: Annotations, system: Annotations, scoring: str | None
) -> tuple[str, Duels, int, tuple[str, ...]]:
    """How the humans and the system are scored, and both scores for each human."""
    if not isinstance(judges, Ratings) or not isinstance(system, Ratings):
        scores = document_scores(judges, system, scoring)
        return scores.measure, scores.duels, scores.n, scores.warnings
    if scoring not in (None, *SCORINGS):
        raise UsageError(f"the scoring must be one of {', '.join(SCORINGS)}, got {scoring!r}")
    judges = judges.single()
    pairing = pair(judges, system)
    chosen = scoring or ("rmse" if pairing.numbers is not None else "accuracy")
    human, machine, usable, who = _scores(judges, pairing, chosen)
    found = {}
    for a, name in enumerate(judges.annotators):
        mine = np.flatnonzero((who == a) & usable)
        found[name] = human[mine], machine[mine]
    return chosen, found, pairing.n, tuple(pairing.warnings)


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


def _one_sided(row: Mapping[str, Any], epsilon: float) -> float:
    """p of mean(W^h − W^f) ≥ ε against <; without variance 0 or 1 by the sign."""
    from scipy.special import stdtr

    gap, error = row["difference"] - epsilon, row["standard_error"]
    if error == 0:
        return 0.0 if gap < 0 else 1.0
    return float(stdtr(row["n"] - 1, gap / error))


def _rejected(rows: list[dict[str, Any]], epsilon: float, q: float) -> list[bool]:
    return benjamini_yekutieli([_one_sided(r, epsilon) for r in rows], q)


def _smallest_epsilon(rows: list[dict[str, Any]], q: float) -> float:
    from scipy.special import stdtrit

    m = len(rows)
    harmonic = sum(1 / i for i in range(1, m + 1))
    least = float("inf")
    for j in range((m + 1) // 2, m + 1):
        edges = sorted(
            r["difference"]
            - r["standard_error"] * float(stdtrit(r["n"] - 1, j * q / (m * harmonic)))
            for r in rows
        )
        least = min(least, edges[j - 1])
    return least
