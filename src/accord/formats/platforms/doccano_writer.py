"""Writing doccano JSONL: a folder with one file per annotator, a record per document or item.

What one annotator said, and a reference, is one file that is called as asked. Records that the data
were read from keep their ids and fields; an import keeps both and gives them back.

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
from accord.formats.format import Origin
from accord.formats.places import SameItems
from accord.formats.records import records
from accord.formats.writing import by_annotator, by_item, file_names, said_of_reference, write_text

#: keys that hold answers, and those that are written anew
_ANSWERS = frozenset(
    {"label", "labels", "entities", "relations", "cats", "annotations", "Comments", "reference"}
)


def write_back(data: Annotations, path: Path, origin: Origin) -> Sequence[str]:
    """Write `<annotator>.jsonl` for each annotator, or the one file of the only one."""
    lost: list[str] = []
    if isinstance(data, Units):
        files = _unit_records(data, lost, origin)
    elif isinstance(data, Ratings):
        files = _rating_records(data, lost, origin)
    else:
        raise UsageError(f"doccano holds units and ratings, not {data.shape}")
    known, one_file = _known(origin), path.suffix in (".jsonl", ".json")
    if one_file and len(files) > 1:
        raise UsageError(
            f"doccano has a file for each annotator and {path.name} is one file: name a folder"
        )
    one_file |= origin.reference is not None and len(files) == 1
    names = file_names(list(files), folders=False)
    for annotator, rows in files.items():
        if names[annotator] != annotator and not one_file:
            lost.append(f"annotator {annotator!r} is written as {names[annotator]!r}")
        lines = []
        for item, text, held in rows:
            own = known.get(item, {"id": item, "text": text})
            lines.append(json.dumps(own | held, ensure_ascii=False))
        place = path if one_file else path / f"{names[annotator]}.jsonl"
        write_text(place, "".join(f"{line}\n" for line in lines))
    return lost


#: what it is called, its text, and what somebody says of it
_Row = tuple[str, str, dict[str, Any]]


def _known(origin: Origin) -> dict[str, dict[str, Any]]:
    """What the records of the export hold beside answers, by what they are called."""
    names, found = SameItems(), dict[str, dict[str, Any]]()
    for entry in origin.entries:
        names.begin_file()
        for _, row in records(entry, dict[str, Any]):
            text = next(
                (row[k] for k in ("text", "data", "filename") if row.get(k) is not None), ""
            )
            name = names.name(str(text)) if row.get("id") is None else str(row["id"])
            kept = {key: value for key, value in row.items() if key not in _ANSWERS}
            found.setdefault(name, {"id": row.get("id", name), **kept})
    return found


def _unit_records(units: Units, lost: list[str], origin: Origin) -> dict[str, list[_Row]]:
    # one layout for a file: a project labels relations, or it does not
    related = {
        annotator
        for (_, annotator), said in units.statements.items()
        if any(one.kind == "relation" for one in said)
    }
    files: dict[str, list[_Row]] = {}
    for one in by_annotator(units, "doccano", lost, folders=False):
        if any(row.label is None for row in one.units):
            lost.append("units without a label are written with the label '_'")
        held = (
            _entities(one.units, one.said)
            if one.annotator in related
            else {"label": [[int(r.start), int(r.end), r.label or "_"] for r in one.units]}
        )
        mine = one.annotator == origin.reference
        told: dict[str, Any] = {"reference": {}} if mine else {"Comments": []}
        files.setdefault(one.annotator, []).append((one.document, one.text, {**held, **told}))
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


def _rating_records(data: Ratings, lost: list[str], origin: Origin) -> dict[str, list[_Row]]:
    items = list(by_item(data, lost, what="records"))
    unknown = sum(one.text is None for one in items)
    if unknown:
        lost.append(f"the texts of {unknown} items are not known: their names stand in for them")
    if data.kind == "numbers":
        lost.append("numbers are written as labels: doccano has no others")
    files: dict[str, list[_Row]] = {}
    told = said_of_reference(data)
    for item, text, answers in items:
        given = {who: labels for who, _, labels in answers}
        if origin.reference is not None:
            given.setdefault(origin.reference, [])
        for who, labels in given.items():
            mine = who == origin.reference
            more: dict[str, Any] = {"reference": told[item]} if mine else {"Comments": []}
            files.setdefault(who, []).append((item, text or item, {"label": labels, **more}))
    return files
