"""What a consensus of located annotations is, whatever their shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from accord.data import Annotations
from accord.data.join import joined
from accord.result import Row


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Consensus:
    """A reference for units, segments or chains, as one more annotator.

    `rows` has one row per element considered (unitary alignment, pooled boundary, mention): where it
    is, how many annotators support it, its confidence, and whether it was kept.
    """

    method: str
    data: Annotations
    reference: Annotations
    rows: tuple[Row, ...]
    annotators: tuple[Row, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    signature: str = ""

    def together(self) -> Annotations:
        """The annotators and the reference as one more."""
        return joined([self.data, self.reference])

    def worklist(self, *, confidence: float = 0.75) -> list[dict[str, Any]]:
        """Elements kept or dropped with less than this confidence, least sure first."""
        weak = [dict(r) for r in self.rows if r["confidence"] < confidence]
        for row in weak:
            row["gain"] = round(1 - row["confidence"], 6)
            row |= dict.fromkeys(("decision", "who", "when", "why"), "")
        return sorted(weak, key=lambda r: (-r["gain"], str(r["item"])))

    def to_dict(self) -> dict[str, Any]:
        return {
            "shape": self.data.shape,
            "method": self.method,
            "n": len(self.rows),
            "items": [dict(r) for r in self.rows],
            "annotators": [dict(r) for r in self.annotators],
            "terms": dict(self.terms),
            "warnings": list(self.warnings),
            "signature": self.signature,
        }
