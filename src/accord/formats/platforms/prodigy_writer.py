"""Writing Prodigy JSONL, one task a line, as `prodigy db-in` takes it.

Tasks that the data were read from keep their hashes, meta data, tokens and options. A reference has no
annotator and no session: the data set it is put into is whose it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.data import Annotations
from accord.data.ratings import label_of
from accord.formats.format import Origin
from accord.formats.places import SameItems
from accord.formats.records import records
from accord.formats.writing import (
    answers_of,
    labels_of,
    said_of_reference,
    texts_of,
    write_text,
)

#: what somebody answered, and who
_ANSWERS = frozenset(
    {
        "answer",
        "accept",
        "spans",
        "relations",
        "reference",
        "_annotator_id",
        "_session_id",
        "_timestamp",
    }
)


def write_back(data: Annotations, path: Path, origin: Origin) -> Sequence[str]:
    """Write one file of tasks."""
    tasks, texts, said = _tasks(origin), texts_of(data), said_of_reference(data)
    lines: list[dict[str, Any]] = []
    lost: list[str] = []
    for name, given in answers_of(data, "Prodigy").items():
        own = tasks.get(name, {"text": texts.get(name, name), "_input_hash": name})
        if origin.reference is not None:
            given = {origin.reference: given.get(origin.reference)} | given
        for who, value in given.items():
            task = {**own, **_answered(value, own)}
            if who == origin.reference:
                task["reference"] = said.get(name, {})
            else:
                task |= {"_annotator_id": who, "_session_id": who}
            lines.append(task)
        if name not in texts and name not in tasks:
            lost.append("texts that are not known: names stand in for them")
    write_text(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return list(dict.fromkeys(lost))


def _tasks(origin: Origin) -> dict[str, dict[str, Any]]:
    """The tasks of the export without answers, by what their documents are called."""
    names, found = SameItems(), dict[str, dict[str, Any]]()
    for entry in origin.entries:
        for line, task in records(entry, dict[str, Any]):
            known = task.get("_input_hash")
            name = names.known(str(task.get("text") or line)) if known is None else str(known)
            if not origin.layers or "options" in task or task.get("label") in origin.layers:
                found.setdefault(name, {k: v for k, v in task.items() if k not in _ANSWERS})
    return found


def _answered(value: Any, task: dict[str, Any]) -> dict[str, Any]:
    """What the value is to the task: units, an answer to its question, or options of it."""
    if value is None:
        return {"answer": "ignore"}
    if isinstance(value, list):
        first = {token["start"]: token["id"] for token in task.get("tokens") or ()}
        last = {token["end"]: token["id"] for token in task.get("tokens") or ()}
        spans = []
        for unit in value:
            span: dict[str, Any] = {"start": int(unit.start), "end": int(unit.end)}
            if span["start"] in first and span["end"] in last:
                span |= {"token_start": first[span["start"]], "token_end": last[span["end"]]}
            spans.append(span | ({} if unit.label is None else {"label": unit.label}))
        return {"spans": spans, "answer": "accept"}
    if "label" in task and "options" not in task:
        return {"answer": label_of(value)}
    labels = labels_of(value)
    options = task.get("options") or [{"id": label, "text": label} for label in labels]
    return {"options": options, "accept": labels, "answer": "accept"}
