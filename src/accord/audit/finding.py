"""What the audit says: one finding, with its evidence and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Severity = Literal["serious", "caution", "note"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to know about the data or a number before trusting it."""

    #: name of the rule that found it
    rule: str
    severity: Severity
    #: one line a campaign manager understands
    statement: str
    #: the figures that support it
    evidence: Mapping[str, Any] = field(default_factory=dict)
    #: what to do
    advice: str = ""
    #: the paper behind the rule
    citation: str = ""
