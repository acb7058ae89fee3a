"""What the audit says: findings with their evidence and advice, and what it could not look at."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from accord.data.tabular import Tabular
from accord.errors import in_python
from accord.result import Row

Severity = Literal["serious", "caution", "note"]

#: the most serious first
SEVERITIES: tuple[Severity, ...] = ("serious", "caution", "note")


_SIGNS = {"serious": "✖", "caution": "⚠", "note": "·"}


def percent(share: float) -> str:
    """A share as people read it: all and none only where it is all or none.

    >>> percent(0.9985), percent(1.0), percent(0.254), percent(0.0004)
    ('99.8%', '100%', '25%', '0.1%')
    """
    text = f"{share:.0%}"
    if text == "100%" and share < 1:
        return f"{math.floor(share * 1000) / 10:.1f}%"
    if text == "0%" and share > 0:
        return f"{max(0.1, math.floor(share * 1000) / 10):.1f}%"
    return text


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
    evidence: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: what to do
    advice: str = field(default="", repr=False)
    #: the paper behind the rule
    citation: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A rule that is for such data and could not look at these."""

    reason: str
    rule: str = ""


class Findings(tuple[Finding, ...], Tabular):
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

    def __repr__(self) -> str:
        counts = [(s, sum(f.severity == s for f in self)) for s in SEVERITIES]
        told = ", ".join(f"{n} {s}" for s, n in counts if n) or "nothing to say against the data"
        return f"<Findings: {told}>"

    def __str__(self) -> str:
        """A paragraph per finding: severity, statement, advice.

        >>> print(Findings([Finding(severity="note", statement="Small.", advice="Add items.")]))
        note: Small. Add items.
        """
        if not self:
            return "nothing to say against the data"
        return "\n".join(in_python(f"{f.severity}: {f.statement} {f.advice}".strip()) for f in self)

    def rows(self) -> list[Row]:
        """One row per finding."""
        return [
            {
                "severity": f.severity,
                "rule": f.rule,
                "statement": in_python(f.statement),
                "advice": in_python(f.advice),
                "citation": f.citation,
            }
            for f in self
        ]

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per finding."""
        return self.rows(), ("severity", "rule", "statement", "advice", "citation")

    def _repr_html_(self) -> str:
        from accord.markup import block, folded, paragraph, table

        told = [
            folded(
                f"{_SIGNS[f.severity]} {in_python(f.statement)}",
                paragraph(in_python(f.advice))
                + table([dict(f.evidence)] if f.evidence else [])
                + paragraph(f.citation, soft=True),
                unfolded=f.severity == "serious",
            )
            for f in self
        ]
        left = [paragraph(f"{s.rule}: {in_python(s.reason)}", soft=True) for s in self.skipped]
        if left:
            told.append(folded(f"{len(left)} rules could not look at these data", "".join(left)))
        return block(repr(self)[1:-1], *told)
