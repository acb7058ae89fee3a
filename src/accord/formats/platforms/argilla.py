"""Argilla records, nested (`to_json`) or flat (`to_list(flatten=True)`, datasets on disk), and the
feedback records of Argilla 1.x, whose responses are listed by user.

`<question>.responses` lists the values, `<question>.responses.users` who gave each, and
`.responses.status` whether it was submitted. Span questions become units, label, multi-label and
rating questions judgements; the layer is the question. Suggestions are systems: they are read,
under their agent, when predictions are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.same_items import SameItems
from accord.formats.sniff import Regex, Sniff

_FLAT = re.compile(rb'"[^"]*(\.(responses|suggestion)(\.\w+)?|-suggestion(-metadata)?)"\s*:')


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every submitted response of every record."""
    export = Export(tree.path, "argilla", notes=list(tree.notes))
    names = SameItems()
    for entry in tree.ending(".json", ".jsonl") or list(tree):
        for line, row in _records(entry.read(), entry.path, export):
            fields = {k: v for k, v in _fields(row).items() if isinstance(v, str)}
            identity = row.get("id", row.get("external_id"))
            document = (
                names.known("\0".join(fields.values()))
                if identity is None
                else safe_json.word(identity, "the id of a record", entry.path, line)
            )
            where = f"{entry.path}: record {document}"
            for question, who, value in _responses(row, where, export, options):
                _read_value(question, who, value, document, fields, where, export, options)
    return export


def _records(data: bytes, path: str, export: Export) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, value in safe_json.load_lines(data, path):
        row = safe_json.record(value, "a record", path, line)
        lists = [v for v in row.values() if isinstance(v, list) and v and isinstance(v[0], dict)]
        flat = any(".responses" in k or k.endswith("-suggestion") for k in row)
        if "responses" not in row and not flat and lists:
            # several lists of records in one file are the same records in several layouts
            if len(lists) > 1:
                export.notes.append(
                    f"{path}: only the first of {len(lists)} lists of records is read"
                )
            for item in lists[0]:
                yield line, safe_json.record(item, "a record", path, line)
        else:
            yield line, row


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    fields = row.get("fields")
    if isinstance(fields, dict):
        return fields
    skip = {"id", "status", "_server_id", "inserted_at", "updated_at"}
    given = {k.removesuffix("-suggestion") for k in row if k.endswith("-suggestion")}
    skip |= given | {f"{k}-suggestion" for k in given} | {"metadata", "external_id"}
    return {k: v for k, v in row.items() if k not in skip and "." not in k}


def _responses(
    row: dict[str, Any], where: str, export: Export, options: ReadOptions
) -> Iterator[tuple[str, str, Any]]:
    nested = row.get("responses")
    if isinstance(nested, list):
        yield from _feedback(nested, where, export)
    for key, given in row.items():
        if f"{key}-suggestion" in row:
            for value in safe_json.listed(given, f"the responses to {key!r}", where):
                response = safe_json.record(value, "a response", where)
                if _submitted(response.get("status"), export):
                    yield key, _user(response.get("user_id"), where), response.get("value")
    if isinstance(nested, dict):
        for question, given in nested.items():
            for response in safe_json.listed(given, f"the responses to {question!r}", where):
                response = safe_json.record(response, "a response", where)
                if _submitted(response.get("status"), export):
                    yield question, _user(response.get("user_id"), where), response.get("value")
    for key in row:
        if key.endswith(".responses"):
            question = key.removesuffix(".responses")
            values = safe_json.listed(row[key], f"the responses to {question!r}", where)
            users = safe_json.listed(row.get(f"{key}.users"), "the users", where)
            states = safe_json.listed(row.get(f"{key}.status"), "the states", where)
            for i, value in enumerate(values):
                if _submitted(states[i] if i < len(states) else None, export):
                    yield question, _user(users[i] if i < len(users) else None, where), value
    yield from _suggestions(row, where, export, options)


def _feedback(given: list[Any], where: str, export: Export) -> Iterator[tuple[str, str, Any]]:
    """Responses as Argilla 1.x has them: one per user, with the values of all questions."""
    for item in given:
        response = safe_json.record(item, "a response", where)
        if _submitted(response.get("status"), export):
            who = _user(response.get("user_id"), where)
            values = safe_json.record(response.get("values") or {}, "the values", where)
            for question, value in values.items():
                held = safe_json.record(value, f"the value of {question!r}", where)
                yield question, who, held.get("value")


def _suggestions(
    row: dict[str, Any], where: str, export: Export, options: ReadOptions
) -> Iterator[tuple[str, str, Any]]:
    found: list[tuple[str, Any, Any]] = []
    nested = row.get("suggestions")
    for question, value in nested.items() if isinstance(nested, dict) else ():
        if isinstance(value, dict):
            found.append((question, value.get("agent"), value.get("value")))
    for value in nested if isinstance(nested, list) else ():
        if isinstance(value, dict):
            question = str(value.get("question_name", ""))
            found.append((question, value.get("agent"), value.get("value")))
    for key, value in row.items():
        if key.endswith("-suggestion") and value not in (None, []):
            about = row.get(f"{key}-metadata")
            agent = about.get("agent") if isinstance(about, dict) else None
            found.append((key.removesuffix("-suggestion"), agent, value))
    found.extend(
        (key.removesuffix(".suggestion"), row.get(f"{key}.agent"), row[key])
        for key in row
        if key.endswith(".suggestion") and row[key] is not None
    )
    for question, agent, value in found:
        if options.predictions:
            yield question, safe_json.word(agent or "suggestion", "the agent", where), value
        else:
            export.ignored["suggestions were left out (predictions=True reads them)"] += 1


def _submitted(status: Any, export: Export) -> bool:
    if status in (None, "submitted"):
        return True
    export.ignored[f"responses with status {status!s:.20} were left out"] += 1
    return False


def _user(user: Any, where: str) -> str:
    return "annotator" if user is None else safe_json.word(user, "a user", where)


def _read_value(
    question: str,
    who: str,
    value: Any,
    document: str,
    fields: dict[str, str],
    where: str,
    export: Export,
    options: ReadOptions,
) -> None:
    export.see(document, who)
    items = value if isinstance(value, list) else None
    text = fields.get("text", next(iter(fields.values())) if len(fields) == 1 else None)
    if items is not None and all(isinstance(v, dict) and "start" in v for v in items):
        spans = [
            Span(
                safe_json.integer(v["start"], "a start offset", where),
                safe_json.integer(v.get("end"), "an end offset", where),
                None,
                str(v.get("label", "")),
            )
            for v in items
        ]
        starts, ends = [s.start for s in spans], [s.end for s in spans]
        if text is not None:
            read = settle(text, spans, path=where, forced=options.offsets)
            export.add_text(document, read.text, where)
            export.notes.extend(read.notes)
            starts, ends = read.starts, read.ends
        for v, start, end in zip(items, starts, ends, strict=True):
            label = v.get("label")
            name = None if label is None else safe_json.word(label, "a label", where)
            export.marks.append(Mark(document, who, start, end, name, question))
        return
    if text is not None:
        export.texts.setdefault(document, text)
    if items is not None and all(isinstance(v, (str, int, float)) for v in items):
        labels = frozenset(safe_json.word(v, "a label", where) for v in items)
        export.judgements.append(Judgement(document, who, labels, question))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        number = safe_json.number(value, f"the value of {question!r}", where)
        export.judgements.append(Judgement(document, who, number, question))
    elif isinstance(value, (str, bool)):
        export.judgements.append(Judgement(document, who, str(value), question))
    else:
        export.ignored[f"responses to {question!r} in a form that is not read (ranking)"] += 1


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
