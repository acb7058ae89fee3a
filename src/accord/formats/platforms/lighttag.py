"""LightTag JSON: examples, each with annotations that say who made them, and `seen_by`."""

from __future__ import annotations

from typing import Any

from accord.data.statements import Statement
from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.sniff import Sniff


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the examples."""
    export = Export(tree.path, "lighttag", notes=list(tree.notes))
    for entry in tree.ending(".json") or list(tree):
        path = entry.path
        whole = safe_json.record(safe_json.load(entry.read(), path), "the export", path)
        for number, value in enumerate(
            safe_json.listed(whole.get("examples"), "examples", path), 1
        ):
            example = safe_json.record(value, "an example", path)
            name = example.get("example_id")
            document = str(number) if name is None else safe_json.word(name, "example_id", path)
            _read_example(example, document, f"{path}: example {document}", export, options)
        for relation in safe_json.listed(whole.get("relations"), "relations", path):
            row = relation if isinstance(relation, dict) else {}
            kind = row.get("tag", row.get("type"))
            export.relations[str(kind or "(unnamed)")] += 1
            _read_relation(row, str(kind or ""), path, export)
    return export


def _read_example(
    example: dict[str, Any], document: str, where: str, export: Export, options: ReadOptions
) -> None:
    text = example.get("content")
    if not isinstance(text, str):
        raise InputError("has no content", path=where, hint="export with the text")
    for who in _people(example.get("seen_by"), where):
        export.see(document, who)
    spans: list[Span] = []
    found: list[tuple[list[str], str, str]] = []
    for value in safe_json.listed(example.get("annotations"), "annotations", where):
        row = safe_json.record(value, "an annotation", where)
        people = _people(row.get("annotated_by"), where)
        if not people:
            export.ignored["annotations that name nobody were left out"] += 1
            continue
        covered = row.get("value")
        label = safe_json.word(row.get("tag", ""), "a tag", where)
        spans.append(
            Span(
                safe_json.integer(row.get("start"), "a start offset", where),
                safe_json.integer(row.get("end"), "an end offset", where),
                covered if isinstance(covered, str) else None,
                label,
            )
        )
        found.append((people, label, str(row.get("tagged_token_id", row.get("id", "")))))
    read = settle(text, spans, path=where, forced=options.offsets)
    export.add_text(document, read.text, where)
    export.notes.extend(read.notes)
    for (people, label, name), start, end in zip(found, read.starts, read.ends, strict=True):
        for who in people:
            export.see(document, who)
            export.marks.append(Mark(document, who, start, end, label or None, name=name))
    _read_classes(example.get("classifications"), document, where, export)


#: how an end of a relation may be written: by the identifier of its annotation
_ENDS = (
    ("source", "target"),
    ("from", "to"),
    ("from_id", "to_id"),
    ("source_id", "target_id"),
    ("parent", "child"),
    ("head", "child"),
)


def _read_relation(row: dict[str, Any], kind: str, path: str, export: Export) -> None:
    """A relation between two annotations of one example, of the people who made it."""
    ends = next(((a, b) for a, b in _ENDS if a in row and b in row), None)
    if ends is None or row.get("example_id") is None:
        return
    targets = tuple((role, str(row[end])) for role, end in zip(("Arg1", "Arg2"), ends, strict=True))
    document = safe_json.word(row["example_id"], "example_id", path)
    for who in _people(row.get("annotated_by"), path):
        said = export.statements.setdefault((document, who), [])
        said.append(Statement("", "relation", kind, targets))


def _read_classes(values: Any, document: str, where: str, export: Export) -> None:
    chosen: dict[str, set[str]] = {}
    for value in safe_json.listed(values, "classifications", where):
        row = safe_json.record(value, "a classification", where)
        name = row.get("classname", row.get("tag", row.get("name")))
        for who in _people(row.get("annotated_by"), where):
            chosen.setdefault(who, set()).add(safe_json.word(name, "a class", where))
    for who, labels in chosen.items():
        export.see(document, who)
        export.judgements.append(Judgement(document, who, frozenset(labels)))


def _people(values: Any, where: str) -> list[str]:
    people = []
    for value in safe_json.listed(values, "annotated_by", where):
        if isinstance(value, dict):
            value = value.get("annotator", value.get("annotator_id"))
        people.append(safe_json.word(value, "an annotator", where))
    return list(dict.fromkeys(people))


FORMAT = Format(
    name="lighttag",
    title="LightTag JSON",
    sniff=(
        Sniff(
            start=b"{",
            every=(b'"examples"',),
            some=(b'"seen_by"', b'"annotated_by"', b'"example_id"'),
        ),
    ),
    collect=collect,
)
