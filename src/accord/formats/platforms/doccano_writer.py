"""Writing doccano JSONL: a folder with one file per annotator, a record per document or item.

Records of an annotator with relations have `entities` and `relations`, as projects with relation
labelling export them; others have `label`. Attributes, notes, events and gaps have no place there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.data import Annotations, Ratings, Units
from accord.data.statements import Statement, matched
from accord.data.units import Unit
from accord.errors import UsageError
from accord.formats.writing import by_annotator, by_item, file_names, write_text


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write `<annotator>.jsonl` for each annotator."""
    lost: list[str] = []
    if isinstance(data, Units):
        files = _unit_records(data, lost)
    elif isinstance(data, Ratings):
        files = _rating_records(data, lost)
    else:
        raise UsageError(f"doccano holds units and ratings, not {data.shape}")
    names = file_names(list(files), folders=False)
    for annotator, records in files.items():
        if names[annotator] != annotator:
            lost.append(f"annotator {annotator!r} is written as {names[annotator]!r}")
        lines = [json.dumps(record, ensure_ascii=False) for record in records]
        write_text(path / f"{names[annotator]}.jsonl", "".join(f"{line}\n" for line in lines))
    return lost


def _unit_records(units: Units, lost: list[str]) -> dict[str, list[dict[str, Any]]]:
    # one layout for a file: a project labels relations, or it does not
    related = {
        annotator
        for (_, annotator), said in units.statements.items()
        if any(one.kind == "relation" for one in said)
    }
    files: dict[str, list[dict[str, Any]]] = {}
    for one in by_annotator(units, "doccano", lost, folders=False):
        if any(row.label is None for row in one.units):
            lost.append("units without a label are written with the label '_'")
        held = (
            _entities(one.units, one.said)
            if one.annotator in related
            else {"label": [[int(r.start), int(r.end), r.label or "_"] for r in one.units]}
        )
        record = {"id": one.document, "text": one.text, **held, "Comments": []}
        files.setdefault(one.annotator, []).append(record)
    return files


def _entities(rows: Sequence[Unit], said: Sequence[Statement]) -> dict[str, Any]:
    known, others, _ = matched(rows, said)
    numbers = {one.name: i for i, one in enumerate(known, start=1) if one is not None}
    entities = [
        {
            "id": i,
            "label": row.label or "_",
            "start_offset": int(row.start),
            "end_offset": int(row.end),
        }
        for i, row in enumerate(rows, start=1)
    ]
    relations: list[dict[str, Any]] = []
    for one in others:
        ends = [numbers.get(name) for _, name in one.targets]
        if one.kind == "relation" and len(ends) == 2 and None not in ends:
            made = {"id": len(relations) + 1, "from_id": ends[0], "to_id": ends[1]}
            relations.append({**made, "type": one.label})
    return {"entities": entities, "relations": relations}


def _rating_records(data: Ratings, lost: list[str]) -> dict[str, list[dict[str, Any]]]:
    items = list(by_item(data, lost, what="records"))
    unknown = sum(one.text is None for one in items)
    if unknown:
        lost.append(f"the texts of {unknown} items are not known: their names stand in for them")
    if data.kind == "numbers":
        lost.append("numbers are written as labels: doccano has no others")
    files: dict[str, list[dict[str, Any]]] = {}
    for item, text, answers in items:
        for who, _, labels in answers:
            record = {"id": item, "text": text or item, "label": labels, "Comments": []}
            files.setdefault(who, []).append(record)
    return files
