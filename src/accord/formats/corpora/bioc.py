"""BioC, XML or JSON: documents of passages (of sentences), with annotations by location.

Offsets count characters of the document; a passage says where its text stands in it. The label is
the infon `type` (or the only one there is); an infon `annotator` names who made an annotation, else
the file does. An annotation of several locations is discontinuous.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from accord.errors import InputError
from accord.files import safe_json, safe_xml
from accord.files.archive import Tree
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.places import by_place
from accord.formats.sniff import Sniff

_LABELS = ("type", "label", "category", "class", "entity_type")
#: characters of a document: an offset beyond is a slip
_LONGEST = 100_000_000

Fields = dict[str, Any]


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every annotation of every document."""
    export = Export(tree.path, "bioc", notes=list(tree.notes))
    files = FORMAT.among(tree)

    def read_one(entry: Any, document: str, annotator: str) -> None:
        data, path = entry.read(), entry.path
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<":
            found = _from_xml(safe_xml.parse(data, path), path)
        else:
            found = _from_json(safe_json.load(data, path), path)
        for record in found:
            name = safe_json.word(record.get("id", document), "the id of a document", path)
            _read_document(record, name, annotator, f"{path}: document {name}", export, options)

    by_place(tree, files, options, export, read_one)
    _label(export)
    return export


def _read_document(
    record: Fields, name: str, annotator: str, where: str, export: Export, options: ReadOptions
) -> None:
    export.see(name, annotator)
    text: list[str] = []
    length = 0
    annotations = list(safe_json.listed(record.get("annotations"), "annotations", where))
    relations = list(safe_json.listed(record.get("relations"), "relations", where))
    for part in _parts(record, where):
        offset = safe_json.integer(part.get("offset", 0), "an offset", where)
        piece = part.get("text") or ""
        if not isinstance(piece, str) or not 0 <= offset <= _LONGEST:
            raise InputError("has a passage without a usable text or offset", path=where)
        if piece:
            if offset < length:
                raise InputError(f"has passages that overlap at character {offset}", path=where)
            text.append(" " * (offset - length) + piece)
            length = offset + len(piece)
        annotations += safe_json.listed(part.get("annotations"), "annotations", where)
        relations += safe_json.listed(part.get("relations"), "relations", where)
    for value in relations:
        relation = safe_json.record(value, "a relation", where)
        infons = _infons(relation, where)
        export.relations[infons.get("type", infons.get("relation", "(unnamed)"))] += 1
    _read_annotations(annotations, "".join(text), name, annotator, where, export, options)


def _read_annotations(
    values: list[Any],
    text: str,
    name: str,
    annotator: str,
    where: str,
    export: Export,
    options: ReadOptions,
) -> None:
    spans: list[Span] = []
    held: list[tuple[Fields, int]] = []
    for value in values:
        annotation = safe_json.record(value, "an annotation", where)
        places = safe_json.listed(annotation.get("locations"), "locations", where)
        covered = annotation.get("text")
        for place in places:
            location = safe_json.record(place, "a location", where)
            start = safe_json.integer(location.get("offset"), "an offset", where)
            end = start + safe_json.integer(location.get("length"), "a length", where)
            known = covered if isinstance(covered, str) and len(places) == 1 else None
            spans.append(Span(start, end, known, str(annotation.get("id", ""))))
        if places:
            held.append((annotation, len(places)))
        else:
            export.ignored["annotations without a location were left out"] += 1
    if text:
        read = settle(text, spans, path=where, forced=options.offsets)
        export.add_text(name, read.text, where)
        export.notes.extend(read.notes)
        ends = list(zip(read.starts, read.ends, strict=True))
    else:
        ends = [(s.start, s.end) for s in spans]
    first = 0
    for annotation, count in held:
        pieces = tuple(sorted((float(s), float(e)) for s, e in ends[first : first + count]))
        first += count
        infons = _infons(annotation, where)
        who = infons.get("annotator") or annotator
        export.see(name, who)
        export.marks.append(
            Mark(
                name,
                who,
                pieces[0][0],
                max(e for _, e in pieces),
                None,
                "",
                infons,
                pieces if count > 1 else None,
            )
        )


def _label(export: Export) -> None:
    """The infon that every reader of BioC takes for the label, or the only one there is."""
    keys = dict.fromkeys(k for m in export.marks for k in m.features or ())
    keys.pop("annotator", None)
    chosen = next((k for k in _LABELS if k in keys), next(iter(keys)) if len(keys) == 1 else None)
    if chosen is not None:
        export.label_features[""] = chosen
        export.marks[:] = [m._replace(label=(m.features or {}).get(chosen)) for m in export.marks]


def _infons(record: Fields, where: str) -> dict[str, str]:
    infons = record.get("infons")
    held = safe_json.record({} if infons is None else infons, "the infons", where)
    return {
        k: v if isinstance(v, str) else safe_json.word(v, f"the infon {k!r}", where)
        for k, v in held.items()
        if v is not None and not isinstance(v, (list, dict))
    }


def _parts(record: Fields, where: str) -> Iterator[Fields]:
    for value in safe_json.listed(record.get("passages"), "passages", where):
        passage = safe_json.record(value, "a passage", where)
        yield passage
        for sentence in safe_json.listed(passage.get("sentences"), "sentences", where):
            yield safe_json.record(sentence, "a sentence", where)


def _from_json(whole: Any, path: str) -> list[Fields]:
    collections = whole if isinstance(whole, list) else [whole]
    return [
        safe_json.record(document, "a document", path)
        for value in collections
        for document in safe_json.listed(
            safe_json.record(value, "a collection", path).get("documents"), "documents", path
        )
    ]


def _from_xml(root: safe_xml.Node, path: str) -> list[Fields]:
    if root.tag != "collection":
        raise InputError(f"is not BioC: its root is {root.tag!r}", path=path, line=root.line)
    return [_fields(node, path) for node in root.all("document")]


def _fields(node: safe_xml.Node, path: str) -> Fields:
    """An element as the JSON of the same format has it."""
    out: Fields = {"infons": {i.get("key"): i.text for i in node.all("infon")}}
    if node.get("id"):
        out["id"] = node.get("id")
    for child in node.children:
        if child.tag in ("id", "text"):
            out[child.tag] = child.text
        elif child.tag == "offset":
            out["offset"] = _whole(child.text, path, child.line)
        elif child.tag == "location":
            place = {k: _whole(child.get(k), path, child.line) for k in ("offset", "length")}
            out.setdefault("locations", []).append(place)
        elif child.tag in ("passage", "sentence", "annotation", "relation"):
            out.setdefault(f"{child.tag}s", []).append(_fields(child, path))
    return out


def _whole(text: str, path: str, line: int) -> int:
    if not text.strip().isdecimal() or len(text.strip()) > 12:
        raise InputError(f"an offset must be a number, got {text[:30]!r}", path=path, line=line)
    return int(text)


FORMAT = Format(
    name="bioc",
    title="BioC (XML, JSON)",
    sniff=(
        Sniff(start=b"<", every=(b"<collection", b"<document", b"<passage")),
        Sniff(start=b"{[", every=(b'"passages"', b'"documents"')),
    ),
    people="file",
    collect=collect,
)
