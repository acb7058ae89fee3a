"""doccano JSONL: one file per annotator, usually a zip of `<user>.jsonl`.

`label: [[start, end, name]]`, or `entities` with `relations`, are units; `label: ["name"]`, `cats`
and `labels` of words are judgements. Before version 1.2 a record held the `annotations` of all its
users, who are then the annotators, and labels were numbers. Offsets count code points, or graphemes
in a project that was created so (pass offsets="graphemes").
"""

from __future__ import annotations

import re
from typing import Any

from accord.data.statements import Statement
from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.platforms.doccano_writer import write
from accord.formats.same_items import SameItems
from accord.formats.sniff import Regex, Sniff

_LABELS = re.compile(rb'"(label|labels|cats|entities)"\s*:\s*[\[{]')
#: keys that other platforms write beside the same ones
_OTHERS = (b'"_input_hash"', b'"answer"', b'"annotations"', b'"classId"', b'"tokens"')
#: before version 1.2 annotators were inside of the record, and here is what only doccano wrote
_OLD = b'"annotation_approver"'
_PICTURE = Regex(rb'"filename"\s*:\s*"[^"]*"\s*,\s*"(label|bbox|segmentation)"\s*:\s*\[')


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the records of all files; each file is one annotator."""
    export = Export(tree.path, "doccano", notes=list(tree.notes))
    names = SameItems()
    for entry in tree.ending(".jsonl", ".json") or list(tree):
        names.begin_file()
        for line, value in safe_json.load_lines(entry.read(), entry.path):
            row = safe_json.record(value, "a record", entry.path, line)
            text = row.get("text", row.get("data", row.get("filename")))
            if not isinstance(text, str):
                raise InputError(
                    "has no text", path=entry.path, line=line, hint="export with the text"
                )
            if "bbox" in row or "segmentation" in row:
                raise InputError(
                    "holds boxes and polygons on pictures, which no measure of accord compares",
                    path=entry.path,
                    line=line,
                )
            document = (
                safe_json.word(row["id"], "the id", entry.path, line)
                if row.get("id") is not None
                else names.name(text)
            )
            for annotator, mine in _by_user(row, entry.stem, entry.path, line):
                export.see(document, annotator)
                _read_record(mine, text, document, annotator, entry.path, line, export, options)
    return export


def _by_user(
    row: dict[str, Any], stem: str, path: str, line: int
) -> list[tuple[str, dict[str, Any]]]:
    """The record of each annotator: the file's, or before version 1.2 each user's in the record."""
    given = row.get("annotations")
    if not isinstance(given, list):
        return [(stem, row)]
    people: dict[str, list[Any]] = {}
    for value in given:
        annotation = safe_json.record(value, "an annotation", path, line)
        user = safe_json.word(annotation.get("user", stem), "a user", path, line)
        located = "start_offset" in annotation
        item = annotation if located else annotation.get("label", annotation.get("text"))
        people.setdefault(user, []).append(item)
    return [(user, {"label": items}) for user, items in people.items()]


def _read_record(
    row: dict[str, Any],
    text: str,
    document: str,
    annotator: str,
    path: str,
    line: int,
    export: Export,
    options: ReadOptions,
) -> None:
    spans: list[Span] = []
    labels: list[str] = []
    given = row.get("label", row.get("labels"))
    names: list[str] = []
    for item in safe_json.listed(
        given if not isinstance(given, str) else [given], "label", path, line
    ):
        if isinstance(item, list):
            _read_triple(item, spans, labels, path, line)
            names.append("")
        elif isinstance(item, dict):
            _read_entity(item, spans, labels, path, line)
            names.append(str(item.get("id", "")))
        else:
            labelled = safe_json.word(item, "a label", path, line)
            _judge(export, document, annotator, labelled)
    for item in safe_json.listed(row.get("entities"), "entities", path, line):
        if isinstance(item, list):
            _read_triple(item, spans, labels, path, line)
            names.append("")
        else:
            entity = safe_json.record(item, "an entity", path, line)
            _read_entity(entity, spans, labels, path, line)
            names.append(str(entity.get("id", "")))
    cats = row.get("cats")
    for item in cats if isinstance(cats, list) else []:
        _judge(export, document, annotator, safe_json.word(item, "a category", path, line))
    if isinstance(cats, dict):
        for name, chosen in cats.items():
            if chosen:
                _judge(export, document, annotator, name)
    for item in safe_json.listed(row.get("relations"), "relations", path, line):
        relation = item if isinstance(item, dict) else {}
        kind = str(relation.get("type", relation.get("label")) or "")
        export.relations[kind or "(unnamed)"] += 1
        targets = (
            ("Arg1", str(relation.get("from_id", ""))),
            ("Arg2", str(relation.get("to_id", ""))),
        )
        said = export.statements.setdefault((document, annotator), [])
        said.append(Statement("", "relation", kind, targets))
    for comment in safe_json.listed(row.get("Comments"), "Comments", path, line):
        export.ignored["comments were left out"] += 1 if comment else 0
    read = settle(text, spans, path=f"{path}:{line}", forced=options.offsets)
    export.add_text(document, read.text, f"{path}:{line}")
    export.notes.extend(read.notes)
    for start, end, label, name in zip(read.starts, read.ends, labels, names, strict=True):
        export.marks.append(Mark(document, annotator, start, end, label, line=line, name=name))


def _judge(export: Export, item: str, annotator: str, label: str) -> None:
    """Several categories of one record are one set."""
    last = export.judgements[-1] if export.judgements else None
    if last is not None and (last.item, last.annotator) == (item, annotator):
        export.judgements[-1] = last._replace(value=last.value | {label})
    else:
        export.judgements.append(Judgement(item, annotator, frozenset({label})))


def _read_triple(
    item: list[Any], spans: list[Span], labels: list[str], path: str, line: int
) -> None:
    if len(item) != 3:
        raise InputError("has a label that is not [start, end, name]", path=path, line=line)
    labels.append(safe_json.word(item[2], "a label", path, line))
    spans.append(_span(item[0], item[1], labels[-1], path, line))


def _read_entity(
    item: dict[str, Any], spans: list[Span], labels: list[str], path: str, line: int
) -> None:
    label = safe_json.word(item.get("label"), "the label of an entity", path, line)
    start = item.get("start_offset", item.get("start"))
    spans.append(_span(start, item.get("end_offset", item.get("end")), label, path, line))
    labels.append(label)


def _span(start: Any, end: Any, label: str, path: str, line: int) -> Span:
    return Span(
        safe_json.integer(start, "a start offset", path, line),
        safe_json.integer(end, "an end offset", path, line),
        None,
        label,
        None,
    )


FORMAT = Format(
    name="doccano",
    title="doccano JSONL (zip of one file per user)",
    sniff=(
        Sniff(start=b"{[", some=(_OLD, _PICTURE)),
        # a text and labels, and no trace of the platforms that look alike
        Sniff(
            start=b"{[",
            every=(Regex(rb'"(text|data)"'), Regex(rb'"(label|labels|cats|entities)"\s*:\s*[\[{]')),
            none=(b'"_input_hash"', b'"answer"', b'"annotations"', b'"classId"', b'"tokens"'),
        ),
    ),
    collect=collect,
    write=write,
    holds=("units", "ratings", "relations"),
)
