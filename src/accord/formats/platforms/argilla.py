"""Argilla records, nested (`to_json`) or flat (`to_list(flatten=True)`, datasets on disk), and the
feedback records of Argilla 1.x, whose responses are listed by user.

`<question>.responses` lists the values, `<question>.responses.users` who gave each, and
`.responses.status` whether it was submitted. Span questions become units, label, multi-label and
rating questions judgements; the layer is the question. Suggestions are systems: they are read,
under their agent, when predictions are asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from accord.data import Annotations
from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Origin, ReadOptions, Regex, Sniff
from accord.formats.places import SameItems
from accord.formats.records import Name, Place, Struct, key, records, shaped
from accord.formats.writing import answers_of, labels_of, said_of_reference, texts_of, write_text


class _Response(Struct):
    user: Name | None = key(default=None, name="user_id")
    status: Any = None
    value: Any = None
    #: of all questions, as Argilla 1.x has them
    values: dict[str, dict[str, Any]] | None = None


def collect(export: Export) -> None:
    """Every submitted response of every record."""
    names = SameItems()
    for entry in export.tree.ending(".json", ".jsonl") or list(export.tree):
        for line, row in _records(entry, export):
            fields = {k: v for k, v in _fields(row).items() if isinstance(v, str)}
            document = _called(row, names, entry, line)
            told = row.get("metadata")
            for name, cell in told.items() if isinstance(told, dict) else ():
                if name.startswith(_SAID):
                    export.said.setdefault(document, {})[name.removeprefix(_SAID)] = cell
            if document in export.said and export.options.predictions:
                export.see(document, "reference")
            where = f"{entry.path}: record {document}"
            for question, who, value in _responses(row, where, export):
                _read_value(question, value, fields, export.see(document, who), where)


def _called(row: dict[str, Any], names: SameItems, entry: Entry, line: int | None = None) -> str:
    """What a record is called: by its id, or by its texts."""
    identity = row.get("id", row.get("external_id"))
    if identity is not None:
        return safe_json.word(identity, "the id of a record", entry.path, line)
    return names.known("\0".join(v for v in _fields(row).values() if isinstance(v, str)))


def _records(entry: Entry, export: Export) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in records(entry, dict[str, Any]):
        lists = [v for v in row.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        flat = any(".responses" in k or k.endswith("-suggestion") for k in row)
        if "responses" in row or flat or not lists:
            yield line, row
            continue
        # several lists of records in one file are the same records in several layouts
        if len(lists) > 1:
            why = "the same records in another layout"
            export.leave_out("further lists of records", len(lists) - 1, why=why)
        for item in shaped(lists[0], list[dict[str, Any]], entry.path, line):
            yield line, item


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    fields = row.get("fields")
    if isinstance(fields, dict):
        return fields
    skip = {"id", "status", "_server_id", "inserted_at", "updated_at", "metadata", "external_id"}
    for name in row:
        if name.endswith("-suggestion"):
            skip |= {name, name.removesuffix("-suggestion")}
    return {k: v for k, v in row.items() if k not in skip and "." not in k}


def _responses(row: dict[str, Any], where: str, export: Export) -> Iterator[tuple[str, str, Any]]:
    """Question, person and value of what was submitted, in the layouts of all versions."""
    nested = row.get("responses")
    if isinstance(nested, list):
        for one in _submitted(nested, "responses", where, export):
            for question, value in (one.values or {}).items():
                yield question, one.user or "annotator", value.get("value")
    listed = {name: given for name, given in row.items() if f"{name}-suggestion" in row}
    listed |= nested if isinstance(nested, dict) else {}
    for name in row:
        if name.endswith(".responses"):
            values, users, states = (
                safe_json.listed(row.get(f"{name}{part}"), f"{name}{part}", where)
                for part in ("", ".users", ".status")
            )
            held = islice(zip_longest(users, states, values), len(values))
            listed[name.removesuffix(".responses")] = [
                {"user_id": user, "status": state, "value": value} for user, state, value in held
            ]
    for question, given in listed.items():
        for one in _submitted(given, question, where, export):
            yield question, one.user or "annotator", one.value
    yield from _suggestions(row, where, export)


def _submitted(given: Any, place: str, where: str, export: Export) -> Iterator[_Response]:
    for one in shaped(given or [], list[_Response], where, place=place):
        if one.status in (None, "submitted"):
            yield one
        else:
            export.leave_out(f"responses with status {one.status!s:.20}")


def _suggestions(row: dict[str, Any], where: str, export: Export) -> Iterator[tuple[str, str, Any]]:
    found: list[tuple[str, Any, Any]] = []
    nested = row.get("suggestions")
    given = list(nested.items()) if isinstance(nested, dict) else []
    given += [(None, value) for value in nested] if isinstance(nested, list) else []
    for question, value in given:
        if isinstance(value, dict):
            name = value.get("question_name", "") if question is None else question
            found.append((str(name), value.get("agent"), value.get("value")))
    for name, value in row.items():
        if name.endswith("-suggestion") and value not in (None, []):
            about = row.get(f"{name}-metadata")
            agent = about.get("agent") if isinstance(about, dict) else None
            found.append((name.removesuffix("-suggestion"), agent, value))
    for name, value in row.items():
        if name.endswith(".suggestion") and value is not None:
            found.append((name.removesuffix(".suggestion"), row.get(f"{name}.agent"), value))
    for question, agent, value in found:
        if export.options.predictions:
            yield question, safe_json.word(agent or "suggestion", "the agent", where), value
        else:
            export.leave_out("suggestions", keep=("predictions", True))


def _read_value(
    question: str, value: Any, fields: dict[str, str], sheet: Sheet, where: str
) -> None:
    items = value if isinstance(value, list) else None
    text = fields.get("text", next(iter(fields.values())) if len(fields) == 1 else None)
    if items is not None and all(isinstance(v, dict) and "start" in v for v in items):
        spans = [at.span for at in shaped(items, list[Place], where, place=question)]
        sheet.mark_spans(text, spans, where, question)
        return
    if text is not None:
        sheet.export.texts.setdefault(sheet.document, text)
    if items is not None and all(isinstance(v, (str, int, float)) for v in items):
        value = frozenset(safe_json.word(v, "a label", where) for v in items)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        value = safe_json.number(value, f"the value of {question!r}", where)
    elif isinstance(value, (str, bool)):
        value = str(value)
    else:
        left = f"responses to {question!r} in a form that is not read (ranking)"
        sheet.export.leave_out(left)
        return
    sheet.judge(value, question)


def write_back(data: Annotations, path: Path, origin: Origin) -> Sequence[str]:
    """Write records with everybody's responses; a reference is nobody's, so it is a suggestion."""
    rows, questions = _originals(origin)
    texts, said = texts_of(data), said_of_reference(data)
    question = min(origin.layers or questions or {"answer"})
    several = questions.get(question, data.shape == "units" or getattr(data, "kind", "") == "sets")
    out = []
    for name, given in answers_of(data, "Argilla").items():
        row = rows.get(
            name, {"id": name, "fields": {"text": texts.get(name, name)}, "metadata": {}}
        )
        told = said.get(name, {})
        row = {**row, "suggestions": {}, "responses": {}}
        for who, value in given.items():
            held = _value_of(value, several=bool(several))
            if who == origin.reference:
                score = told.get("confidence")
                row["suggestions"] = {question: {"value": held, "score": score, "agent": who}}
            else:
                one = {"value": held, "user_id": who, "status": "submitted"}
                row["responses"].setdefault(question, []).append(one)
        if origin.reference is not None:
            # (meta data of Argilla are texts and numbers)
            more = {f"{_SAID}{key}": cell for key, cell in told.items()}
            row["metadata"] = {**(row.get("metadata") or {}), **more}
        out.append(row)
    write_text(path, json.dumps(out, ensure_ascii=False, indent=1))
    unknown = sum(name not in texts and name not in rows for name in said or texts)
    return [f"the texts of {unknown} records: names stand in for them"] if unknown else []


#: how meta data of a record are called that say something of a reference
_SAID = "reference_"


def _originals(origin: Origin) -> tuple[dict[str, dict[str, Any]], dict[str, bool]]:
    """The records of the export without answers, and which questions take lists of labels."""
    rows: dict[str, dict[str, Any]] = {}
    questions: dict[str, bool] = {}
    names = SameItems()
    for entry in origin.entries:
        export = Export(FORMAT, Tree(Path(entry.path)), ReadOptions(predictions=True))
        for _, row in _records(entry, export):
            name = _called(row, names, entry)
            kept: dict[str, Any] = {n: row[n] for n in ("id", "metadata", "vectors") if n in row}
            rows.setdefault(name, {"id": name, "fields": _fields(row), **kept})
            for question, _, value in _responses(row, entry.path, export):
                questions[question] = isinstance(value, list)
    return rows, questions


def _value_of(value: Any, *, several: bool) -> Any:
    if isinstance(value, list):
        return [{"start": int(u.start), "end": int(u.end), "label": u.label} for u in value]
    if isinstance(value, float) and not several:
        return int(value) if value.is_integer() else value
    return labels_of(value) if several else "|".join(labels_of(value))


FORMAT = Format(
    name="argilla",
    title="Argilla records (JSON)",
    sniff=(
        # records with responses and fields, or the flat columns
        Sniff(
            start=b"{[", every=(b'"responses"', b'"fields"'), some=(b'"suggestions"', b'"user_id"')
        ),
        Sniff(
            start=b"{[",
            every=(
                Regex(rb'"[^"]*(\.(responses|suggestion)(\.\w+)?|-suggestion(-metadata)?)"\s*:'),
            ),
        ),
    ),
    over=("doccano",),
    collect=collect,
    write_back=write_back,
    suffixes=(".argilla.json",),
    holds=("units", "ratings"),
)
