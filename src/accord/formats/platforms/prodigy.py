"""Prodigy JSONL: one record per answered task, the annotator in `_annotator_id` or `_session_id`.

Records with the same `_input_hash` are about the same document. `spans` of accepted tasks are
units; `accept` (multiple choice) and the answer to a `label` (binary classification) are
judgements. Ignored tasks count as not seen, rejected spans are left out; both are reported.
"""

from __future__ import annotations

import re
from typing import Any

from accord.data.statements import Statement
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.same_items import SameItems
from accord.formats.sniff import Regex, Sniff

_OWN = re.compile(rb'"(_input_hash|_task_hash|_session_id|_annotator_id|_view_id)"\s*:')
_ANSWER = re.compile(rb'"answer"\s*:\s*"(accept|reject|ignore)"')


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the records of all files."""
    export = Export(tree.path, "prodigy", notes=list(tree.notes))
    names = SameItems()
    taken: set[tuple[str, str, float, float, str | None]] = set()
    for entry in tree.ending(".jsonl", ".json") or list(tree):
        for line, value in safe_json.load_lines(entry.read(), entry.path):
            row = safe_json.record(value, "a record", entry.path, line)
            annotator = entry.stem
            for key in ("_annotator_id", "_session_id"):
                if row.get(key) not in (None, ""):
                    annotator = safe_json.word(row[key], key, entry.path, line)
                    break
            _read_record(row, annotator, entry.path, line, names, taken, export, options)
    return export


def _read_record(
    row: dict[str, Any],
    annotator: str,
    path: str,
    line: int,
    names: SameItems,
    taken: set[tuple[str, str, float, float, str | None]],
    export: Export,
    options: ReadOptions,
) -> None:
    answer = row.get("answer", "accept")
    text = row.get("text")
    text = text if isinstance(text, str) else None
    identity = row.get("_input_hash")
    if identity is not None:
        document = safe_json.word(identity, "_input_hash", path, line)
    else:
        document = names.known(text or str(line))
    if answer == "ignore":
        export.ignored["ignored tasks (answer: ignore) count as not seen"] += 1
        return
    export.see(document, annotator)
    linked = [
        relation if isinstance(relation, dict) else {}
        for relation in safe_json.listed(row.get("relations"), "relations", path, line)
    ]
    export.relations.update(str(relation.get("label") or "(unnamed)") for relation in linked)
    if answer == "accept":
        _read_relations(linked, document, annotator, export)
    choice = row.get("accept")
    label = row.get("label")
    spans = safe_json.listed(row.get("spans"), "spans", path, line)
    if "options" in row or isinstance(choice, list):
        if answer == "accept":
            chosen = safe_json.listed(choice, "accept", path, line)
            value = frozenset(safe_json.word(c, "an accepted option", path, line) for c in chosen)
            export.judgements.append(Judgement(document, annotator, value, "accept"))
        else:
            export.ignored["rejected multiple-choice tasks were left out"] += 1
    elif isinstance(label, str) and not spans:
        export.judgements.append(Judgement(document, annotator, str(answer), label))
    if not spans:
        if text is not None:
            export.add_text(document, text, f"{path}:{line}")
        return
    if answer != "accept":
        export.ignored["spans of rejected tasks were left out"] += len(spans)
        return
    _read_spans(spans, text, document, annotator, path, line, taken, export, options)


def _read_relations(
    linked: list[dict[str, Any]], document: str, annotator: str, export: Export
) -> None:
    """Each from its head to its child, which say where they are; ends without a label are marked, too."""
    known = {m.name for m in export.marks if (m.document, m.annotator) == (document, annotator)}
    for relation in linked:
        places = [relation.get(end) for end in ("head_span", "child_span")]
        ends = [
            (p["start"], p["end"], p.get("label"))
            for p in places
            if isinstance(p, dict)
            and isinstance(p.get("start"), int)
            and isinstance(p.get("end"), int)
        ]
        if len(ends) < 2:
            continue
        for start, end, label in ends:
            name = _called(start, end)
            if label is None and name not in known:
                known.add(name)
                export.scaffolding.add(_BARE)
                export.marks.append(Mark(document, annotator, start, end, None, _BARE, name=name))
        targets = tuple(
            (role, _called(start, end))
            for role, (start, end, _) in zip(("Arg1", "Arg2"), ends, strict=True)
        )
        said = export.statements.setdefault((document, annotator), [])
        said.append(Statement("", "relation", str(relation.get("label") or ""), targets))


#: ends of relations that are tokens and no spans
_BARE = "tokens in relations"


def _called(start: int, end: int) -> str:
    """What a span is called in relations: its place."""
    return f"{start}-{end}"


def _read_spans(
    values: list[Any],
    text: str | None,
    document: str,
    annotator: str,
    path: str,
    line: int,
    taken: set[tuple[str, str, float, float, str | None]],
    export: Export,
    options: ReadOptions,
) -> None:
    spans: list[Span] = []
    labels: list[str | None] = []
    for value in values:
        span = safe_json.record(value, "a span", path, line)
        if "start" not in span or "end" not in span:
            export.ignored["spans without character offsets (pictures) were left out"] += 1
            continue
        name = span.get("label")
        labels.append(None if name is None else safe_json.word(name, "a label", path, line))
        covered = span.get("text")
        spans.append(
            Span(
                safe_json.integer(span["start"], "a start offset", path, line),
                safe_json.integer(span["end"], "an end offset", path, line),
                covered if isinstance(covered, str) else None,
                str(labels[-1]),
            )
        )
    where = f"{path}:{line}"
    if text is None:
        starts, ends = [s.start for s in spans], [s.end for s in spans]
    else:
        read = settle(text, spans, path=where, forced=options.offsets)
        export.add_text(document, read.text, where)
        export.notes.extend(read.notes)
        starts, ends = read.starts, read.ends
    for at, start, end, label in zip(spans, starts, ends, labels, strict=True):
        key = (document, annotator, start, end, label)
        # one text can be asked about in several tasks, each showing the spans accepted before
        if key in taken:
            export.ignored["spans repeated in another task on the same text, kept once"] += 1
            continue
        taken.add(key)
        name = _called(at.start, at.end)
        export.marks.append(Mark(document, annotator, start, end, label, line=line, name=name))


FORMAT = Format(
    name="prodigy",
    title="Prodigy JSONL",
    sniff=(
        Sniff(
            start=b"{[",
            some=(
                Regex(rb'"(_input_hash|_task_hash|_session_id|_annotator_id|_view_id)"\s*:'),
                Regex(rb'"answer"\s*:\s*"(accept|reject|ignore)"'),
            ),
        ),
    ),
    collect=collect,
)
