"""What a consensus of located annotations is, whatever their shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.alignment.alignment import Alignment
from accord.data import Annotations, Units
from accord.data.brief import brief, count
from accord.data.join import joined
from accord.data.remarks import Remarks
from accord.data.tabular import Tabular
from accord.gold.decisions.element import Element
from accord.gold.decisions.identity import Resolution
from accord.gold.notebook import reference_html
from accord.gold.worklist import BLANK, quoted
from accord.result import Row

#: what a person who judges afresh must not see
_OPINIONS = ("label", "support", "label_share", "tie", "disorder", "kept", "confidence", "dissent",
             "entity", "source")  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Consensus(Tabular):
    """A reference for units, segments, chains or boxes, as one more annotator.

    `rows` has one row per element considered (unitary alignment, pooled boundary, mention): where it
    is, how many annotators support it, its confidence, and whether it was kept. `elements` are the
    same (those a person added excepted) with what each annotator says; `resolution` tells which of
    them the decisions are about.
    """

    method: str
    data: Annotations
    reference: Annotations
    rows: tuple[Row, ...]
    elements: tuple[Element, ...]
    resolution: Resolution
    #: units: the alignments that the elements come from
    alignments: tuple[Alignment, ...] = ()
    annotators: tuple[Row, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    signature: str = ""

    def __repr__(self) -> str:
        kept = sum(bool(r["kept"]) for r in self.rows)
        return brief(
            self,
            self.method,
            f"{kept} of {count(len(self.rows), 'element')} kept",
            f"{len(self.resolution.held)} decided by people" if self.resolution.held else "",
        )

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per element considered."""
        return self.rows, ()

    def _repr_html_(self) -> str:
        doubtful = sorted(self.rows, key=lambda row: row["confidence"])
        hidden = ("item", "tie", "source")
        shown = [{k: v for k, v in row.items() if k not in hidden} for row in doubtful]
        return reference_html(self, "least sure first", shown, self.annotators, self.warnings)

    def valued(self) -> Annotations:
        """What is scored: the elements that were kept."""
        return self.reference

    def together(self) -> Annotations:
        """The annotators and the reference as one more."""
        return joined([self.data, self.reference])

    def worklist(
        self,
        *,
        confidence: float = 0.75,
        blind: bool = False,
        texts: Mapping[str, str] | None = None,
    ) -> list[Row]:
        """Elements kept or dropped with less than this confidence, or in high disorder, by gain.

        High disorder: among the tenth of the kept unitary alignments that cost most. An element whose
        annotations changed since it was decided is there again. `blind` hides what the annotators said
        and what the rule would choose.
        """
        costs = sorted(r["disorder"] for r in self.rows if "disorder" in r and r["kept"])
        high = costs[(9 * len(costs)) // 10] if costs else float("inf")
        todo = []
        beside = Remarks.of(self.data) if isinstance(self.data, Units) else Remarks({})
        for i, row in enumerate(self.rows):
            reasons = []
            if i in self.resolution.changed:
                reasons.append("changed since it was decided")
            elif row["source"] == "human":
                continue
            if row.get("tie"):
                reasons.append("label tie")
            if row["confidence"] < confidence:
                reasons.append("low confidence")
            if row["kept"] and row.get("disorder", 0.0) >= high and len(costs) >= 10:
                reasons.append("high disorder")
            if reasons:
                told = {"item": row["item"], "reason": "; ".join(reasons)}
                told["gain"] = round(1 - row["confidence"], 6)
                place = self.elements[i].place
                told["text"] = quoted(self.data, place, texts or {}) or beside.text(*_at(place))
                if beside.by_document and not blind:
                    told["remarks"] = beside.near(*_at(place))
                hidden = {"item", *(_OPINIONS if blind else ())}
                rest = {k: v for k, v in row.items() if k not in hidden}
                decision = self.resolution.decision(i)
                blank = {"replaces": "" if decision is None else decision.id}
                todo.append(told | rest | dict.fromkeys(BLANK, "") | blank)
        return sorted(todo, key=lambda r: (-r["gain"], str(r["item"])))

    def to_dict(self) -> dict[str, object]:
        return {
            "shape": self.data.shape,
            "method": self.method,
            "n": len(self.rows),
            "items": [dict(r) for r in self.rows],
            "annotators": [dict(r) for r in self.annotators],
            "terms": dict(self.terms),
            "aside": [s.item for s in self.resolution.aside],
            "moved": [self.resolution.names[i] for i in self.resolution.moved],
            "changed": [self.resolution.names[i] for i in sorted(self.resolution.changed)],
            "conflicts": [s.item for s in self.resolution.held.values() if s.conflict],
            "warnings": list(self.warnings),
            "signature": self.signature,
        }


def _at(place: Mapping[str, Any]) -> tuple[str, float, float]:
    """Document, start and end of a unit; what has no extent is nowhere."""
    return str(place.get("document", "")), place.get("start", 0.0), place.get("end", 0.0)
