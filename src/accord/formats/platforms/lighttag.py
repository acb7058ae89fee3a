"""LightTag JSON: examples, each with annotations that say who made them, and `seen_by`."""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.records import Name, Place, Struct, key, record, shaped


class _Annotator(Struct):
    annotator: Name | None = None
    annotator_id: Name | None = None


_Who = _Annotator | str | int | float


class _Annotation(Place):
    label: Name = key(default="", name="tag")
    text: Any = key(default=None, name="value")
    annotated_by: list[_Who] | None = None
    id: Any = ""
    tagged_token_id: Any = None


class _Class(Struct):
    annotated_by: list[_Who] | None = None
    classname: Name | None = None
    tag: Name | None = None
    name: Name | None = None


class _Example(Struct):
    content: str
    example_id: Name | None = None
    seen_by: list[_Who] | None = None
    annotations: list[_Annotation] | None = None
    classifications: list[_Class] | None = None


class _Examples(Struct):
    examples: list[_Example] | None = None
    relations: list[dict[str, Any]] | None = None


def collect(export: Export) -> None:
    """Everything in the examples."""
    for entry in export.tree.ending(".json") or list(export.tree):
        whole = record(entry, _Examples)
        for number, example in enumerate(whole.examples or (), 1):
            _read_example(example, example.example_id or str(number), entry.path, export)
        for row in whole.relations or ():
            kind = str(row.get("tag", row.get("type")) or "")
            export.relations[kind or "(unnamed)"] += 1
            _read_relation(row, kind, entry.path, export)


def _read_example(example: _Example, document: str, path: str, export: Export) -> None:
    for who in _people(example.seen_by, path):
        export.see(document, who)
    found: list[tuple[_Annotation, list[str]]] = []
    for row in example.annotations or ():
        people = _people(row.annotated_by, path)
        if people:
            found.append((row, people))
        else:
            export.leave_out("annotations that name nobody")
    spans = [row.span for row, _ in found]
    settled = export.settle(document, example.content, spans, f"{path}: example {document}")
    for (row, people), (start, end) in zip(found, settled, strict=True):
        name = str(row.id if row.tagged_token_id is None else row.tagged_token_id)
        for who in people:
            export.see(document, who).mark(start, end, row.label or None, name=name)
    chosen: dict[str, set[str]] = {}
    for given in example.classifications or ():
        label = given.classname or given.tag or given.name
        if label is None:
            raise InputError("a classification names no class", path=path)
        for who in _people(given.annotated_by, path):
            chosen.setdefault(who, set()).add(label)
    for who, labels in chosen.items():
        export.see(document, who).judge(frozenset(labels))


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
    ends = next((pair for pair in _ENDS if all(end in row for end in pair)), None)
    if ends is None or row.get("example_id") is None:
        return
    document = safe_json.word(row["example_id"], "example_id", path)
    people = shaped(row.get("annotated_by") or [], list[_Who], path, place="annotated_by")
    for who in _people(people, path):
        export.sheet(document, who).relate(kind, [str(row[end]) for end in ends])


def _people(given: list[_Who] | None, path: str) -> list[str]:
    names = []
    for one in given or ():
        name = (one.annotator or one.annotator_id) if isinstance(one, _Annotator) else one
        names.append(safe_json.word(name, "an annotator", path))
    return list(dict.fromkeys(names))


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
