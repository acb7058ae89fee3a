"""A rule about places: agreement that people would reach who know the genre and do not look."""

from __future__ import annotations

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped
from accord.audit.rule import rule

#: so much of the value, and so large a part of it, is worth saying
_MUCH, _PART = 0.08, 0.2


@rule(
    "habits-of-place",
    looks_for="agreement on places that people would reach who know the genre and do not look",
    citation="Mathet & Widlöcher 2011, §5, on chance from other documents",
    shapes=("units", "segments", "relations"),
)
def habits_of_place(case: Case) -> Finding | Skipped | None:
    """What annotators marked in other documents agrees with this one: layout that all share."""
    result = case.headline()
    if result is None or "beyond_layout" not in result.terms:
        return None
    told = result.terms["beyond_layout"]
    if told["value"] is None:
        return Skipped(told["undefined"])
    shared = float(told["shared"])
    if shared < _MUCH or shared < _PART * result.value:
        return None
    return Finding(
        severity="caution",
        statement=f"Of {result.measure} = {result.value:.2f}, {shared:.2f} is what people who know the "
        f"genre would reach without looking; beyond that layout it is {told['value']:.2f}.",
        evidence={key: told[key] for key in ("value", "low", "high", "shared")},
        advice="Report both values: the one against turned units, and the one against other documents "
        "(accord agree --chance documents).",
    )
