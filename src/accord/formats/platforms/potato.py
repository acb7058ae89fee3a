"""Potato: one folder per user, `annotated_instances.jsonl` (1.x) or `user_state.json` (2.x).

Spans are units, their scheme the layer; every other scheme is a question. A ticked label (`true`) is
a category, several make a set; a scale (`scale_4`) is the number that was chosen, a text box its
text. Version 2 does not write the texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from accord.data import Annotations, Units
from accord.files import safe_json
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Origin, Sniff
from accord.formats.records import Name, Place, Struct, Whole, key, records
from accord.formats.writing import (
    answers_of,
    file_names,
    labels_of,
    said_of_reference,
    texts_of,
    write_text,
)

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
    #: what a reference said of the instance
    reference: Any = None


def collect(export: Export) -> None:
    """Everything that every user answered."""
    for entry in export.files:
        folder = entry.parts[-2] if len(entry.parts) > 1 else export.tree.path.resolve().parent.name
        for line, row in records(entry, _Record):
            if row.id is not None and isinstance(row.reference, dict):
                export.said[row.id] = row.reference
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


def write_back(data: Annotations, path: Path, origin: Origin) -> Sequence[str]:
    """Write a folder for each annotator, and for the reference, as `annotated_instances.jsonl`."""
    shown, schemes = _originals(origin)
    texts, said = texts_of(data), said_of_reference(data)
    scheme = min(origin.layers or schemes or {"label"})
    files: dict[str, list[dict[str, Any]]] = {}
    lost = (
        []
        if set(data.documents if isinstance(data, Units) else ()) <= {*shown, *texts}
        else ["texts that are not known"]
    )
    for name, given in answers_of(data, "Potato").items():
        if origin.reference is not None:
            given.setdefault(origin.reference, None)
        for who, value in given.items():
            row: dict[str, Any] = {
                "id": name, "displayed_text": shown.get(name, texts.get(name, "")),
                "label_annotations": {}, "span_annotations": [], "behavioral_data": {},
            }  # fmt: skip
            if isinstance(value, list):
                text = row["displayed_text"]
                row["span_annotations"] = [
                    {
                        "start": int(u.start), "end": int(u.end), "schema": scheme,
                        "span": text[int(u.start) : int(u.end)], "annotation": u.label,
                    }
                    for u in value
                ]  # fmt: skip
            elif isinstance(value, float):
                row["label_annotations"] = {scheme: {f"scale_{value:g}": f"{value:g}"}}
            elif value is not None:
                row["label_annotations"] = {scheme: dict.fromkeys(labels_of(value), "true")}
            if who == origin.reference:
                row["reference"] = said.get(name, {})
            files.setdefault(who, []).append(row)
    folders = file_names(list(files), folders=False)
    for who, rows in files.items():
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        write_text(path / folders[who] / "annotated_instances.jsonl", "\n".join(lines) + "\n")
    return lost


def _originals(origin: Origin) -> tuple[dict[str, str], set[str]]:
    """The texts of the instances of the export, and its schemes."""
    shown: dict[str, str] = {}
    schemes: set[str] = set()
    for entry in origin.entries:
        for _, row in records(entry, _Record):
            if row.id is not None and isinstance(row.displayed_text, str):
                shown[row.id] = row.displayed_text
            schemes |= set(row.label_annotations or ())
            for held in (row.labels, row.places):
                schemes |= {str(at.schema) for given in (held or {}).values() for at, _ in given}
    return shown, schemes


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
    write_back=write_back,
    holds=("units", "ratings"),
)
