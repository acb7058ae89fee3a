"""What a consensus of located annotations is, whatever their shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.data import Annotations
from accord.data.choose import some
from accord.data.join import joined
from accord.result import Row


def orphans(
    decisions: Mapping[str, Mapping[str, Any]], rows: Sequence[Row]
) -> dict[str, Mapping[str, Any]]:
    """Decisions on elements that the annotators' data no longer give rise to."""
    known = {row["item"] for row in rows}
    return {item: d for item, d in decisions.items() if item not in known}


def unused(items: Sequence[str]) -> tuple[str, ...]:
    """A warning that names decisions without an element, when there are some."""
    if not items:
        return ()
    return (f"{len(items)} decisions are on elements that do not exist now: {some(items)}",)


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
        """Elements kept or dropped with less than this confidence, or in high disorder, by gain.

        High disorder: among the tenth of the kept unitary alignments that cost most.
        """
        costs = sorted(r["disorder"] for r in self.rows if "disorder" in r and r["kept"])
        high = costs[(9 * len(costs)) // 10] if costs else float("inf")
        todo = []
        for row in self.rows:
            if row["source"] == "human":
                continue
            reasons = []
            if row.get("tie"):
                reasons.append("label tie")
            if row["confidence"] < confidence:
                reasons.append("low confidence")
            if row["kept"] and row.get("disorder", 0.0) >= high and len(costs) >= 10:
                reasons.append("high disorder")
            if reasons:
                told = {"item": row["item"], "reason": "; ".join(reasons)}
                told["gain"] = round(1 - row["confidence"], 6)
                rest = {k: v for k, v in row.items() if k != "item"}
                todo.append(told | rest | dict.fromkeys(("decision", "who", "when", "why"), ""))
        return sorted(todo, key=lambda r: (-r["gain"], str(r["item"])))

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
