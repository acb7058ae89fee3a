"""The first question of all: is the agreement high enough to build on?

Krippendorff's lines: from .8 on, values are reliable; from .667 on, they allow tentative
conclusions; below, they are not to be used. The value is known with an interval, so a line is passed
or missed only when the whole interval lies on one side of it; between, the campaign is undecided at
its size.
"""

from __future__ import annotations

import math
from typing import Any

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.permutation import chance_p
from accord.audit.rule import rule
from accord.registry import Measure, find
from accord.result import Result
from accord.study.verdict import (
    NEGATIVE,
    NO_BETTER,
    ONLY_TENTATIVE,
    OR_CHANCE,
    RELIABLE,
    TENTATIVE,
    TOO_LOW,
    borrowed,
    undecided,
)

KRIPPENDORFF = "Krippendorff (2013), Content Analysis, ch. 12"

#: level of the test of chance
_LEVEL = 0.05


@rule(
    "undefined-agreement",
    looks_for="data on which no agreement can be measured: one annotator, one category, nothing shared",
    citation=KRIPPENDORFF,
)
def undefined_agreement(case: Case) -> Finding | None:
    """No agreement can be computed, so that nothing supports these annotations."""
    result = case.headline()
    advice = "Have a part annotated by two people or more, independently, before relying on it."
    if len(case.data.annotators) < 2:
        why = "there is one annotator" if case.data.annotators else "there are no annotators"
    elif result is None:
        why = case.refusal
        advice = "Give accord agree what it asks for; nothing here rests on a value."
    elif result.undefined is not None:
        why = result.undefined
    else:
        return None
    return Finding(
        severity="serious",
        statement=f"No agreement can be measured on these data: {why}.",
        evidence={"annotators": len(case.data.annotators), "reason": why},
        advice=advice,
    )


@rule(
    "low-agreement",
    looks_for="agreement that is negative, at chance, or below .667 or .8 with its whole interval",
    citation=KRIPPENDORFF,
)
def low_agreement(case: Case) -> Finding | None:
    """Agreement too low for a reference, by the interval and not by the value alone."""
    known = _limits(case)
    if known is None:
        return None
    result, low, high = known
    shown = _shown(result)
    record = find(result.measure)
    where = _where(record)
    p: float | None = None
    # (the thresholds are named in some sentences only)
    aside = ""
    if result.value < 0:
        severity, says = (
            "serious",
            (f"{shown}. {NEGATIVE if high < 0 else f'{NEGATIVE} {OR_CHANCE}'}"),
        )
        advice = (
            "Look for swapped or shifted labels, items that do not match, or opposite readings of the "
            f"guideline (accord agree --by {where}), then annotate again."
        )
    elif (p := _by_chance(case, result, low)) is not None:
        severity, says = (
            "serious",
            (f"{shown}. {NO_BETTER} (p = {p:.2g}, permutation test within documents)"),
        )
        advice = "Revise the guideline with the annotators, or annotate more if the data are few."
    elif high < TENTATIVE:
        severity, says = (
            "serious",
            (
                f"{shown}. {TOO_LOW} Systems scored against it would be ranked in part by its errors."
            ),
        )
        aside = borrowed(result)
        advice = (
            f"Find what is confused (accord agree --by {where}), revise the guideline, and annotate a new "
            "part"
        )
        if record.shape == "ratings":
            keep = "keep the distribution of the votes instead of one label (accord gold --soft)"
            advice += f"; meanwhile {keep}"
        advice += "."
    elif low >= TENTATIVE and high < RELIABLE:
        severity, says = (
            "caution",
            (f"{shown}. {ONLY_TENTATIVE}"),
        )
        aside = borrowed(result)
        advice = "Adjudicate what is disputed, and say so when reporting."
    else:
        return None
    return Finding(
        severity=severity,  # type: ignore[arg-type]
        statement=says + aside,
        evidence=_figures(result, low, high) | ({} if p is None else {"p_chance": p}),
        advice=advice,
    )


def _by_chance(case: Case, result: Result, low: float) -> float | None:
    """p of the permutation test where chance does as much; None where it is not shown to.

    An interval that does not hold 0 needs no test.
    """
    if result.value < 0 or (low > 0 and result.interval is not None) or low >= TENTATIVE:
        return None
    p = chance_p(case)
    return p if p is not None and p > _LEVEL else None


@rule(
    "wide-interval",
    looks_for="an interval that holds .667 or .8, so that these data cannot show whether it is reached",
    citation=KRIPPENDORFF,
)
def wide_interval(case: Case) -> Finding | None:
    """The data do not say on which side of a line the agreement lies."""
    known = _limits(case)
    if known is None:
        return None
    result, low, high = known
    if result.interval is None or result.value < 0 or _by_chance(case, result, low) is not None:
        return None  # said by low-agreement, or by the lack of an interval
    line = next((x for x in (TENTATIVE, RELIABLE) if low < x <= high), None)
    if line is None:
        return None
    wide = high - low
    return Finding(
        severity="caution" if line == TENTATIVE else "note",
        statement=(f"{_shown(result)}. {undecided(line)}" + borrowed(result)),
        evidence={**_figures(result, low, high), "line": line, "width": wide},
        advice="Report the interval, and annotate more to decide; accord simulate size says how much.",
    )


def _where(record: Measure) -> str:
    """The breakdowns of a measure that show what is confused, and by whom."""
    what = next((by for by in ("category", "item") if by in record.breakdowns), "document")
    return f"{what},pair"


def _limits(case: Case) -> tuple[Result, float, float] | None:
    """The result and the ends of its interval (the value itself where there is none)."""
    result = case.headline()
    if result is None or result.undefined is not None or len(case.data.annotators) < 2:
        return None
    if result.interval is None or not math.isfinite(result.interval.high - result.interval.low):
        return result, result.value, result.value
    return result, result.interval.low, result.interval.high


def _shown(result: Result) -> str:
    text = f"{find(result.measure).name} is {result.value:.2f}"
    if result.interval is None:
        return f"{text} (no interval)"
    return f"{text} ({result.interval.low:.2f} to {result.interval.high:.2f})"


def _figures(result: Result, low: float, high: float) -> dict[str, Any]:
    return {
        "measure": result.measure,
        "value": result.value,
        "low": low,
        "high": high,
        "n": result.n,
        "method": None if result.interval is None else result.interval.method,
    }
