"""Argilla records, nested (`to_json`) or flat (`to_list(flatten=True)`, datasets on disk), and the
feedback records of Argilla 1.x, whose responses are listed by user.

`<question>.responses` lists the values, `<question>.responses.users` who gave each, and
`.responses.status` whether it was submitted. Span questions become units, label, multi-label and
rating questions judgements; the layer is the question. Suggestions are systems: they are read,
under their agent, when predictions are asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, zip_longest
from typing import Any

from accord.files import safe_json
from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import SameItems
from accord.formats.records import Name, Place, Struct, key, records, shaped


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
            identity = row.get("id", row.get("external_id"))
            document = (
                names.known("\0".join(fields.values()))
                if identity is None
                else safe_json.word(identity, "the id of a record", entry.path, line)
            )
            where = f"{entry.path}: record {document}"
            for question, who, value in _responses(row, where, export):
                _read_value(question, value, fields, export.see(document, who), where)


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
)
