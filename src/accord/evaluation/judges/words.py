"""The verdict on a judge in words that name their conditions, and a sentence for a paper."""

from __future__ import annotations

from accord.evaluation.alternative import AltTest
from accord.evaluation.judges.answer import Corrected
from accord.result import Interval


def verdict(
    judge: str, test: AltTest | None, why_not: str | None, corrected: Corrected | None, people: int
) -> str:
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
    if corrected is None or corrected.interval is None:
        return first
    alone = corrected.people_alone.interval
    if alone is None or corrected.method == "human":
        return first
    gain = 1 - _width(corrected.interval) / _width(alone) if _width(alone) else 0.0
    worth = f"is {gain:.0%} narrower than" if gain > 0.005 else "is no narrower than"
    return f"{first} With its answers the interval {worth} that of people's labels alone."


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
