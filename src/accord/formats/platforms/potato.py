"""Potato: one folder per user, `annotated_instances.jsonl` (1.x) or `user_state.json` (2.x).

Spans are units, their scheme the layer; every other scheme is a question. A ticked label (`true`) is
a category, several make a set; a scale (`scale_4`) is the number that was chosen, a text box its
text. Version 2 does not write the texts.
"""

from __future__ import annotations

import re
from typing import Any

from accord.files import safe_json
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.records import Name, Place, Struct, Whole, key, records

_TICKED = ("true", "on", "True", True)
_SCALE = re.compile(r"(?:scale_)?\d+")


class _Span(Place, kw_only=True):
    label: Name = key(name="annotation")
    text: Any = key(default=None, name="span")


class _Answered(Struct):
    """What an answer of version 2 is to: a label, or a place."""

    name: Name
    schema: Any = ""
    start: Whole | None = None
    end: Whole | None = None


_Answers = dict[str, list[tuple[_Answered, Any]]] | None


class _Record(Struct):
    """An instance of version 1, or all that one user said in version 2."""

    id: Name | None = None
    label_annotations: dict[str, dict[str, Any]] | None = None
    span_annotations: list[_Span] | None = None
    displayed_text: Any = None
    user_id: Name | None = None
    labels: _Answers = key(default=None, name="instance_id_to_label_to_value")
    places: _Answers = key(default=None, name="instance_id_to_span_to_value")


def collect(export: Export) -> None:
    """Everything that every user answered."""
    for entry in export.files:
        folder = entry.parts[-2] if len(entry.parts) > 1 else export.tree.path.resolve().parent.name
        for line, row in records(entry, _Record):
            if row.id is not None:
                _read_instance(row, export.see(row.id, folder), entry.path, line)
            else:
                _read_state(row, row.user_id or folder, entry.path, export)


def _read_instance(row: _Record, sheet: Sheet, path: str, line: int) -> None:
    for scheme, answers in (row.label_annotations or {}).items():
        _judge(scheme, list(answers.items()), sheet, path, line)
    spans = [at.span._replace(line=line) for at in row.span_annotations or ()]
    text = row.displayed_text if isinstance(row.displayed_text, str) else None
    sheet.mark_spans(text, spans, f"{path}:{line}")


def _read_state(row: _Record, who: str, path: str, export: Export) -> None:
    for document, answers in (row.labels or {}).items():
        schemes: dict[str, list[tuple[str, Any]]] = {}
        for label, value in answers:
            schemes.setdefault(str(label.schema), []).append((label.name, value))
        sheet = export.see(document, who)
        for scheme, pairs in schemes.items():
            _judge(scheme, pairs, sheet, path)
    for document, answers in (row.places or {}).items():
        sheet = export.see(document, who)
        for at, value in answers:
            if value not in (None, False, "false"):
                start = safe_json.integer(at.start, "a start offset", path)
                end = safe_json.integer(at.end, "an end offset", path)
                sheet.mark(start, end, at.name, str(at.schema))


def _judge(
    scheme: str, pairs: list[tuple[str, Any]], sheet: Sheet, path: str, line: int | None = None
) -> None:
    ticked = frozenset(name for name, value in pairs if value in _TICKED)
    if ticked:
        sheet.judge(ticked, scheme)
        return
    for name, value in pairs:
        if value in (None, False, "", "false"):
            continue
        word = safe_json.word(value, f"the answer to {scheme!r}", path, line)
        scale = _SCALE.fullmatch(name) is not None and word.isdecimal() and len(word) < 10
        question = scheme if len(pairs) == 1 else f"{scheme}.{name}"
        sheet.judge(int(word) if scale else word, question)


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
