"""Writing Label Studio tasks: one annotation per annotator who saw them.

Attributes are choices per region under the region's id, notes the text of its meta data, relations
results of their own. Events and gaps have no place there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Ratings, Units
from accord.data.statements import NOTE, Statement, matched
from accord.data.units import Unit
from accord.errors import UsageError
from accord.formats.writing import by_item, units_of, write_text


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one file of tasks."""
    if isinstance(data, Units):
        tasks, lost = _units_as_tasks(data)
    elif isinstance(data, Ratings):
        tasks, lost = _ratings_as_tasks(data)
    else:
        raise UsageError(f"Label Studio holds units and ratings, not {data.shape}")
    write_text(path, json.dumps(tasks, ensure_ascii=False, indent=1))
    return lost


def _units_as_tasks(units: Units) -> tuple[list[dict[str, Any]], list[str]]:
    rows = units_of(units)
    lost = []
    if units.texts is None or None in units.texts:
        lost.append("the texts are not known: tasks hold the document's name alone")
        if np.any(np.isfinite(units.lengths)):
            lost.append("the lengths of documents without a text")
    if np.any(units.label < 0):
        lost.append("units without a label have no labels in Label Studio")
    tasks = []
    for d, document in enumerate(units.documents):
        text = None if units.texts is None else units.texts[d]
        fields = (
            {"document": document} if text is None else {"text": text, "document_name": document}
        )
        annotations = []
        for a, annotator in enumerate(units.annotators):
            if units.coverage[d, a]:
                key = (document, annotator)
                said = units.statements.get(key, ())
                annotations.append(_annotation(annotator, _results(rows.get(key, []), said, text)))
        tasks.append(
            {"id": document, "data": fields, "annotations": annotations, "predictions": []}
        )
    return tasks, lost


def _annotation(annotator: str, results: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "completed_by": {"email": annotator},
        "was_cancelled": False,
        "ground_truth": False,
        "result": results,
    }


def _results(
    rows: Sequence[Unit], said: Sequence[Statement], text: str | None
) -> list[dict[str, Any]]:
    known, others, _ = matched(rows, said)
    regions = [_region(row, f"u{i}", text) for i, row in enumerate(rows)]
    named = {
        one.name: region for one, region in zip(known, regions, strict=True) if one is not None
    }
    more = []
    for one in others:
        about = [named[name] for _, name in one.targets if name in named]
        if not about or len(about) < len(one.targets):
            continue
        first = about[0]
        if one.kind == "attribute":
            place = {k: v for k, v in first["value"].items() if k != "labels"}
            value = {**place, "choices": [one.value or "true"]}
            more.append({**first, "from_name": one.label, "type": "choices", "value": value})
        elif one.kind == "note" and one.label == NOTE:
            first.setdefault("meta", {"text": []})["text"].append(one.value)
        elif one.kind == "relation" and len(about) == 2:
            arrow = {
                "from_id": first["id"],
                "to_id": about[1]["id"],
                "type": "relation",
                "direction": one.value or "right",
            }
            more.append(arrow | ({"labels": [one.label]} if one.label else {}))
    for result in more:
        result.pop("meta", None)
    return [*regions, *more]


def _region(unit: Unit, name: str, text: str | None) -> dict[str, Any]:
    start, end = unit.start, unit.end
    whole = start.is_integer() and end.is_integer()
    value: dict[str, Any] = (
        {"start": int(start), "end": int(end)} if whole else {"start": start, "end": end}
    )
    if text is not None and whole:
        value["text"] = text[int(start) : int(end)]
    if unit.label is not None:
        value["labels"] = [unit.label]
    return {"id": name, "from_name": "label", "to_name": "text", "type": "labels", "value": value}


def _ratings_as_tasks(data: Ratings) -> tuple[list[dict[str, Any]], list[str]]:
    lost: list[str] = []
    kind = "number" if data.kind == "numbers" else "choices"
    tasks = []
    for item, text, answers in by_item(data, lost, what="tasks"):
        annotations = []
        for who, value, labels in answers:
            held = {kind: float(value) if kind == "number" else labels}
            result = {"from_name": "value", "to_name": "item", "type": kind, "value": held}
            annotations.append(_annotation(who, [result]))
        fields = {"item": item} if text is None else {"item": item, "text": text}
        tasks.append({"id": item, "data": fields, "annotations": annotations, "predictions": []})
    return tasks, lost
