"""Argilla 1.x records of text and token classification (`to_pandas`, saved as JSON).

`annotation` is what one agent decided (`annotation_agent`), `prediction` what a system said, with its
scores. A record of status Default was never annotated and counts as not seen.
"""

from __future__ import annotations

from typing import Any

from accord.files import safe_json
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span
from accord.formats.places import SameItems
from accord.formats.records import Name, Number, Struct, Whole, records, shaped


class _Record(Struct):
    text: str
    id: Name | None = None
    status: Any = None
    annotation: Any = None
    annotation_agent: Name | None = None
    prediction: Any = None
    prediction_agent: Name | None = None


def collect(export: Export) -> None:
    """Every annotation, and every prediction when systems are asked for."""
    names = SameItems()
    for entry in export.files:
        names.begin_file()
        for _, row in records(entry, _Record):
            document = names.name(row.text) if row.id is None else row.id
            answers: dict[str, Any] = {}
            if row.annotation is None or row.status in ("Default", "Discarded"):
                left = "records that are not annotated or were discarded"
                export.leave_out(left, why="count as not annotated")
            else:
                answers[row.annotation_agent or "annotator"] = row.annotation
            if row.prediction is not None and export.options.predictions:
                answers[row.prediction_agent or "prediction"] = row.prediction
            elif row.prediction is not None:
                export.leave_out("predictions", keep=("predictions", True))
            for who, given in answers.items():
                _read_answer(given, row.text, export.see(document, who), entry.path)


def _read_answer(given: Any, text: str, sheet: Sheet, path: str) -> None:
    where = f"{path}: record {sheet.document}"
    values = given if isinstance(given, list) else [given]
    spans: list[Span] = []
    scored: list[tuple[float, str]] = []
    labels: set[str] = set()
    for value in values:
        if isinstance(value, list) and len(value) >= 3:
            label, start, end = shaped(value[:3], tuple[Name, Whole, Whole], where)
            spans.append(Span(start, end, None, label))
        elif isinstance(value, list) and len(value) == 2:
            label, score = shaped(value, tuple[Name, Number], where)
            scored.append((score, label))
        else:
            labels.add(safe_json.word(value, "a label", where))
    if scored:
        # a system names every label with its score: the one it prefers is its answer
        labels.add(max(scored)[1])
    if labels:
        sheet.judge(frozenset(labels), "annotation")
        if text:
            sheet.export.texts.setdefault(sheet.document, text)
    if spans or not values:
        sheet.mark_spans(text, spans, where)


FORMAT = Format(
    name="argilla-1",
    title="Argilla 1.x records (text and token classification)",
    sniff=(
        Sniff(
            start=b"{[",
            every=(b'"annotation"', b'"annotation_agent"', b'"prediction"', b'"prediction_agent"'),
        ),
    ),
    collect=collect,
)
