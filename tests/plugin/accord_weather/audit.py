"""A rule of the audit."""

from __future__ import annotations

from accord.audit import Finding
from accord.audit.case import Case
from accord.audit.rule import rule


@rule("too-sunny", looks_for="days that are all fine", citation="The weather office")
def too_sunny(case: Case) -> Finding | None:
    """Nobody saw a cloud."""
    data = case.ratings
    if data is None or set(data.labels) != {"sun"}:
        return None
    return Finding(severity="note", statement="It never rains.", evidence={}, advice="Wait.")
