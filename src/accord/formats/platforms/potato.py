"""Potato: one folder per user, `annotated_instances.jsonl` (1.x) or `user_state.json` (2.x).

Spans are units, their scheme the layer; every other scheme is a question. A ticked label (`true`) is
a category, several make a set; a scale (`scale_4`) is the number that was chosen, a text box its
text. Version 2 does not write the texts.
"""

from __future__ import annotations

import re
from typing import Any

from accord.files import safe_json
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.sniff import Sniff

_TICKED = ("true", "on", "True", True)
_SCALE = re.compile(r"(?:scale_)?\d+")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything that every user answered."""
    export = Export(tree.path, "potato", notes=list(tree.notes))
    for entry in FORMAT.among(tree):
        folder = entry.parts[-2] if len(entry.parts) > 1 else tree.path.resolve().parent.name
        for line, value in safe_json.load_lines(entry.read(), entry.path):
            row = safe_json.record(value, "a record", entry.path, line)
            if "label_annotations" in row:
                _read_instance(row, folder, entry, line, export, options)
            else:
                _read_state(row, folder, entry, export)
    return export


def _read_instance(
    row: dict[str, Any], who: str, entry: Entry, line: int, export: Export, options: ReadOptions
) -> None:
    path = entry.path
    document = safe_json.word(row.get("id"), "the id", path, line)
    export.see(document, who)
    given = safe_json.record(row.get("label_annotations") or {}, "label_annotations", path, line)
    for scheme, answers in given.items():
        pairs = safe_json.record(answers, f"the answers to {scheme!r}", path, line).items()
        _judge(scheme, list(pairs), document, who, path, line, export)
    spans, labels = [], []
    for value in safe_json.listed(row.get("span_annotations"), "span_annotations", path, line):
        span = safe_json.record(value, "a span", path, line)
        covered = span.get("span")
        label = safe_json.word(span.get("annotation"), "the label of a span", path, line)
        labels.append(label)
        spans.append(
            Span(
                safe_json.integer(span.get("start"), "a start offset", path, line),
                safe_json.integer(span.get("end"), "an end offset", path, line),
                covered if isinstance(covered, str) else None,
                label,
            )
        )
    text = row.get("displayed_text")
    starts, ends = [s.start for s in spans], [s.end for s in spans]
    if isinstance(text, str):
        read = settle(text, spans, path=f"{path}:{line}", forced=options.offsets)
        export.add_text(document, read.text, f"{path}:{line}")
        export.notes.extend(read.notes)
        starts, ends = read.starts, read.ends
    for start, end, label in zip(starts, ends, labels, strict=True):
        export.marks.append(Mark(document, who, start, end, label, line=line))


def _read_state(row: dict[str, Any], folder: str, entry: Entry, export: Export) -> None:
    path = entry.path
    who = safe_json.word(row.get("user_id") or folder, "the user_id", path)
    for document, values in _instances(row, "instance_id_to_label_to_value", path):
        schemes: dict[str, list[tuple[str, Any]]] = {}
        for key, value in values:
            name = safe_json.word(key.get("name"), "the name of a label", path)
            schemes.setdefault(str(key.get("schema", "")), []).append((name, value))
        export.see(document, who)
        for scheme, pairs in schemes.items():
            _judge(scheme, pairs, document, who, path, None, export)
    for document, values in _instances(row, "instance_id_to_span_to_value", path):
        export.see(document, who)
        for key, value in values:
            if value in (None, False, "false"):
                continue
            export.marks.append(
                Mark(
                    document,
                    who,
                    safe_json.integer(key.get("start"), "a start offset", path),
                    safe_json.integer(key.get("end"), "an end offset", path),
                    safe_json.word(key.get("name"), "the label of a span", path),
                    str(key.get("schema", "")),
                )
            )


def _instances(
    row: dict[str, Any], key: str, path: str
) -> list[tuple[str, list[tuple[dict[str, Any], Any]]]]:
    held = safe_json.record(row.get(key) or {}, key, path)
    found = []
    for document, values in held.items():
        pairs = []
        for value in safe_json.listed(values, key, path):
            pair = safe_json.listed(value, "an answer", path)
            head = pair[0] if len(pair) == 2 else None
            pairs.append((safe_json.record(head, "what an answer is to", path), pair[-1]))
        found.append((document, pairs))
    return found


def _judge(
    scheme: str,
    pairs: list[tuple[str, Any]],
    document: str,
    who: str,
    path: str,
    line: int | None,
    export: Export,
) -> None:
    ticked = frozenset(name for name, value in pairs if value in _TICKED)
    if ticked:
        export.judgements.append(Judgement(document, who, ticked, scheme))
        return
    for name, value in pairs:
        if value in (None, False, "", "false"):
            continue
        word = safe_json.word(value, f"the answer to {scheme!r}", path, line)
        scale = _SCALE.fullmatch(name) is not None and word.isdecimal() and len(word) < 10
        answer: Any = int(word) if scale else word
        question = scheme if len(pairs) == 1 else f"{scheme}.{name}"
        export.judgements.append(Judgement(document, who, answer, question))


FORMAT = Format(
    name="potato",
    title="Potato annotation output",
    sniff=(
        Sniff(start=b"{", every=(b'"label_annotations"', b'"id"')),
        Sniff(
            start=b"{", some=(b'"instance_id_to_label_to_value"', b'"instance_id_to_span_to_value"')
        ),
    ),
    collect=collect,
)
