"""Candidate units, people's decisions on them, and the reference that remains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Units
from accord.errors import some
from accord.gold.decisions.decision import Decision
from accord.gold.decisions.element import Element, parsed
from accord.gold.decisions.identity import Resolution, resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.result import Row

#: a unit that may be in the reference: its row, its element, who takes part
Candidate = tuple[dict[str, Any], Element, list[str]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Settled:
    """Candidates after people's decisions: rows, the reference, and what became of each decision."""

    rows: tuple[Row, ...]
    reference: Units
    elements: tuple[Element, ...]
    resolution: Resolution
    #: units of each annotator that are in the reference
    matched: Counter[str]
    warnings: tuple[str, ...]


def settle(
    data: Units, found: Sequence[Candidate], covered: Sequence[str], name: str, decisions: Ledger
) -> Settled:
    """Apply people's decisions to candidate units and build the reference from what is kept."""
    elements = tuple(element for _, element, _ in found)
    resolution = resolve(elements, decisions)
    rows: list[dict[str, Any]] = []
    kept: list[tuple[str, str, float, float, str | None]] = []
    matched = Counter[str]()
    lost = []
    for i, (row, element, present) in enumerate(found):
        row["item"] = resolution.names[i]
        decision = resolution.decision(i)
        if decision is not None and not _fits(data, row["document"], decision.value):
            lost.append(resolution.held[i])
        elif decision is not None:
            _settle(row, decision, element, present)
        rows.append(row)
        if row["kept"]:
            kept.append((row["document"], name, row["start"], row["end"], row["label"]))
            matched.update(present)
    for standing in resolution.added:
        unit = _added(standing, covered, name)
        if unit is None or not _fits(data, unit[0], {"end": unit[3]}):
            lost.append(standing)
        elif standing.in_force is not None and standing.in_force.kind == "label":
            kept.append(unit)
            rows.append(_decided(standing.item, unit))
    resolution = resolution.without(lost)
    reference = Units.from_rows(
        kept,
        lengths={
            d: float(data.lengths[data.documents.index(d)])
            for d in covered
            if np.isfinite(data.lengths[data.documents.index(d)])
        },
        coverage=[(d, name) for d in covered],
        texts=_texts(data),
        categories=_categories(data, kept),
        points=bool(np.any(data.start == data.end)),
    )
    return Settled(
        rows=tuple(rows),
        reference=reference,
        elements=elements,
        resolution=resolution,
        matched=matched,
        warnings=(*resolution.sentences(elements), *_foreign(data, kept)),
    )


def _settle(
    row: dict[str, Any], decision: Decision, element: Element, present: Sequence[str]
) -> None:
    """A person's word over the rule's."""
    holds = decision.kind == "label"
    everybody = sorted(a for v in element.versions for a in v.annotators)
    row["dissent"] = ";".join(a for a in everybody if (a in present) != holds)
    if holds:
        value = decision.value
        if isinstance(value, Mapping):
            row["start"], row["end"] = float(value["start"] or 0), float(value["end"] or 0)
            value = value.get("label")
        row["label"] = None if value is None else str(value)
    row |= {"kept": holds, "confidence": 1.0, "source": "human"}


def _added(
    standing: Standing, covered: Sequence[str], name: str
) -> tuple[str, str, float, float, str | None] | None:
    """The unit that a person added."""
    decision = standing.in_force
    place = parsed(standing.item)
    if place is None or str(place["document"]) not in covered or decision is None:
        return None
    if isinstance(decision.value, Mapping):
        place = {**place, **decision.value}
        label = place.get("label")
    else:
        label = decision.value
    said = None if label is None else str(label)
    return str(place["document"]), name, float(place["start"]), float(place["end"]), said


def _fits(data: Units, document: str, value: Any) -> bool:
    """Whether a decided unit lies within its document as it is now."""
    if not isinstance(value, Mapping):
        return True
    length = float(data.lengths[data.documents.index(document)])
    return not np.isfinite(length) or float(value["end"] or 0) <= length


def _foreign(
    data: Units, kept: Sequence[tuple[str, str, float, float, str | None]]
) -> tuple[str, ...]:
    """Labels that only decisions have: perhaps the annotators' were renamed since."""
    extra = sorted({label for *_, label in kept if label is not None} - set(data.categories))
    if not extra:
        return ()
    return (
        f"decisions use labels that no annotator uses now: {some(extra)}; were labels renamed?",
    )


def _decided(item: str, unit: tuple[str, str, float, float, str | None]) -> dict[str, Any]:
    document, _, start, end, label = unit
    return {
        "item": item, "document": document, "start": start, "end": end, "label": label,
        "support": 0, "annotators": 0, "label_share": 0.0, "tie": False, "disorder": 0.0,
        "kept": True, "confidence": 1.0, "source": "human", "dissent": "",
    }  # fmt: skip


def _texts(data: Units) -> dict[str, str] | None:
    if data.texts is None:
        return None
    return {d: t for d, t in zip(data.documents, data.texts, strict=True) if t is not None}


def _categories(data: Units, kept: list[tuple[str, str, float, float, str | None]]) -> list[str]:
    """The campaign's categories, and any that a person added."""
    extra = {label for *_, label in kept if label is not None} - set(data.categories)
    return [*data.categories, *sorted(extra)]
