"""What the audit says: findings with their evidence and advice, and what it could not look at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["serious", "caution", "note"]

#: the most serious first
SEVERITIES: tuple[Severity, ...] = ("serious", "caution", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to know about the data or a number before trusting it.

    *serious*: the number, or what is built on it, should not be used as it is. *caution*: it can
    be, with what the advice says. *note*: worth knowing; nothing is wrong. Sentences name options as
    those of errors do: by their keyword in backticks (see :mod:`accord.errors`).
    """

    #: name of the rule that found it
    rule: str = ""
    severity: Severity
    #: one line a campaign manager understands
    statement: str
    #: the figures that support it
    evidence: Mapping[str, Any] = field(default_factory=dict)
    #: what to do
    advice: str = ""
    #: the paper behind the rule
    citation: str = ""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that is for such data and could not look at these."""

    reason: str
    rule: str = ""


class Findings(tuple[Finding, ...]):
    """The findings, the most serious first, and the rules that were skipped.

    >>> found = Findings([Finding(severity="note", statement="small")], skipped=[Skipped("no time")])
    >>> len(found), found.skipped[0].reason, found.worst
    (1, 'no time', 'note')
    """

    skipped: tuple[Skipped, ...]

    def __new__(cls, findings: Iterable[Finding] = (), skipped: Iterable[Skipped] = ()) -> Findings:
        self = super().__new__(cls, sorted(findings, key=lambda f: SEVERITIES.index(f.severity)))
        self.skipped = tuple(skipped)
        return self

    @property
    def worst(self) -> Severity | None:
        """Severity of the first finding; None for a clean bill."""
        return self[0].severity if self else None

    def at_least(self, severity: Severity) -> bool:
        """Whether a finding is as serious as this, or more."""
        return self.worst is not None and SEVERITIES.index(self.worst) <= SEVERITIES.index(severity)
