"""Argilla 1.x records of text and token classification (`to_pandas`, saved as JSON).

`annotation` is what one agent decided (`annotation_agent`), `prediction` what a system said, with its
scores. A record of status Default was never annotated and counts as not seen.
"""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.same_items import SameItems
from accord.formats.sniff import Sniff


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every annotation, and every prediction when systems are asked for."""
    export = Export(tree.path, "argilla-1", notes=list(tree.notes))
    names = SameItems()
    for entry in FORMAT.among(tree):
        names.begin_file()
        for line, value in safe_json.load_lines(entry.read(), entry.path):
            row = safe_json.record(value, "a record", entry.path, line)
            text = row.get("text")
            if not isinstance(text, str):
                raise InputError("has no text", path=entry.path, line=line)
            identity = row.get("id")
            document = (
                names.name(text)
                if identity is None
                else safe_json.word(identity, "the id of a record", entry.path, line)
            )
            where = f"{entry.path}: record {document}"
            for who, given in _answers(row, where, export, options):
                export.see(document, who)
                _read_answer(given, who, text, document, where, export, options)
    return export


def _answers(
    row: dict[str, Any], where: str, export: Export, options: ReadOptions
) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    given, agent = row.get("annotation"), row.get("annotation_agent")
    if given is None or row.get("status") in ("Default", "Discarded"):
        export.ignored["records that are not annotated or were discarded count as not seen"] += 1
    else:
        who = "annotator" if agent is None else safe_json.word(agent, "annotation_agent", where)
        found.append((who, given))
    said = row.get("prediction")
    if said is not None:
        if options.predictions:
            agent = row.get("prediction_agent") or "prediction"
            found.append((safe_json.word(agent, "prediction_agent", where), said))
        else:
            export.ignored["predictions were left out (`predictions=True` reads them)"] += 1
    return found


def _read_answer(
    given: Any,
    who: str,
    text: str,
    document: str,
    where: str,
    export: Export,
    options: ReadOptions,
) -> None:
    values = given if isinstance(given, list) else [given]
    spans: list[Span] = []
    scored: list[tuple[float, str]] = []
    labels: set[str] = set()
    for value in values:
        if isinstance(value, list) and len(value) >= 3:
            label = safe_json.word(value[0], "a label", where)
            start = safe_json.integer(value[1], "a start offset", where)
            end = safe_json.integer(value[2], "an end offset", where)
            spans.append(Span(start, end, None, label))
        elif isinstance(value, list) and len(value) == 2:
            score = safe_json.number(value[1], "a score", where)
            scored.append((score, safe_json.word(value[0], "a label", where)))
        else:
            labels.add(safe_json.word(value, "a label", where))
    if scored:
        # a system names every label with its score: the one it prefers is its answer
        labels.add(max(scored)[1])
    if labels:
        export.judgements.append(Judgement(document, who, frozenset(labels), "annotation"))
        if text:
            export.texts.setdefault(document, text)
    if spans or not values:
        read = settle(text, spans, path=where, forced=options.offsets)
        export.add_text(document, read.text, where)
        export.notes.extend(read.notes)
        for span, start, end in zip(spans, read.starts, read.ends, strict=True):
            export.marks.append(Mark(document, who, start, end, span.name))


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
