"""The verdict on a judge in words that name their conditions, and a sentence for a paper."""

from __future__ import annotations

from accord.evaluation.alternative import AltTest
from accord.evaluation.judges.agreement import Agreement
from accord.evaluation.judges.answer import Corrected
from accord.result import Interval

#: χ² of one degree that chance exceeds once in a hundred: what a coin may seem to gain, halved by n
_COIN = 6.63


def verdict(judge: str, test: AltTest | None, why_not: str | None, people: int) -> str:
    """May it stand in for people? With the condition under which the answer holds."""
    if test is None:
        first = f"{judge}: whether it may replace a person cannot be tested: {why_not}."
        if people == 1:
            first += " What is measured is agreement with one unvalidated person."
    elif test.passed:
        first = (
            f"{judge} may stand in for one of these {people} people on items like these, if a person "
            f"is worth ε = {test.epsilon:g} (it does at least as well as {test.winning_rate:.0%} of "
            f"them; it passes from ε = {test.smallest_epsilon:.3f} on)."
        )
    else:
        first = (
            f"{judge} has not shown that it may stand in for these people (ω = "
            f"{test.winning_rate:.2f} at ε = {test.epsilon:g}; it would pass from ε = "
            f"{test.smallest_epsilon:.3f} on)."
        )
    return first


def beyond_chance(found: Agreement) -> str:
    """What the judge's agreement with people is worth, beside that of people among themselves."""
    if found.kappa_x is None:
        return ""
    kappa, alpha = f"{found.kappa_x:.2f}", found.alpha
    if alpha is None:
        return f"Beyond chance it agrees with people at κ = {kappa}."
    return f"Beyond chance it agrees with people at κ = {kappa} (people among themselves: α = {alpha:.2f})."


def gain(found: Interval, without: Interval | None, n: int) -> str:
    """How much narrower the interval is than by the same method with a judge that says nothing.

    With r the correlation of answers and labels the width falls by nearly r²/2, and for a coin n r² is
    chi-squared: what a coin gains once in a hundred times is no gain.
    """
    if without is None or not _width(without):
        return ""
    narrower = 1 - _width(found) / _width(without)
    if narrower > max(0.005, _COIN / (2 * n)):
        return f"With its answers the interval is {narrower:.0%} narrower than by people's labels alone."
    return "With its answers the interval is no narrower than by people's labels alone."


def sentence(
    judge: str, target: str, corrected: Corrected | None, n: int, total: int, test: AltTest | None
) -> str:
    """One sentence for a paper."""
    parts = []
    if corrected is not None and corrected.interval is not None:
        i = corrected.interval
        parts.append(
            f"The {target} was {corrected.value:.3f} ({i.level:.0%} CI [{i.low:.3f}, {i.high:.3f}], "
            f"{corrected.method} estimate from {n} items labelled by people and {total} by {judge})"
        )
    if test is not None:
        parts.append(
            f"the alternative annotator test gave ω = {test.winning_rate:.2f} at ε = "
            f"{test.epsilon:g} (smallest passing ε {test.smallest_epsilon:.3f})"
        )
    return "; ".join(parts) + "." if parts else ""


def _width(found: Interval) -> float:
    return found.high - found.low
