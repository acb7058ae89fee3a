"""BioC, XML or JSON: documents of passages (of sentences), with annotations by location.

Offsets count characters of the document; a passage says where its text stands in it. The label is
the infon `type` (or the only one there is); an infon `annotator` names who made an annotation, else
the file does. An annotation of several locations is discontinuous.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from accord.errors import InputError
from accord.files import safe_json, safe_xml
from accord.files.archive import Entry
from accord.files.text import first_sign
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span
from accord.formats.places import by_place
from accord.formats.records import Name, Struct, Whole, shaped

_LABELS = ("type", "label", "category", "class", "entity_type")
#: characters of a document: an offset beyond is a slip
_LONGEST = 100_000_000


class _Informed(Struct):
    infons: dict[str, Any] | None = None

    @property
    def named(self) -> dict[str, str]:
        """What is said of it in a word."""
        held = (self.infons or {}).items()
        return {k: str(v) for k, v in held if v is not None and not isinstance(v, (list, dict))}


class _Location(Struct):
    offset: Whole
    length: Whole


class _Annotation(_Informed):
    id: Any = ""
    text: Any = None
    locations: list[_Location] | None = None


class _Part(Struct):
    """A passage or a sentence."""

    offset: Whole = 0
    text: str | None = None
    annotations: list[_Annotation] | None = None
    relations: list[_Informed] | None = None
    sentences: list[_Part] | None = None


class _Document(Struct):
    id: Name | None = None
    passages: list[_Part] | None = None
    annotations: list[_Annotation] | None = None
    relations: list[_Informed] | None = None


class _Collection(Struct):
    documents: list[_Document] | None = None


def collect(export: Export) -> None:
    """Every annotation of every document."""

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        for record in _documents(entry):
            where = f"{entry.path}: document {record.id or document}"
            _read_document(record, export.see(record.id or document, annotator), where)

    by_place(export, export.files, read_one)
    _label(export)


def _read_document(record: _Document, sheet: Sheet, where: str) -> None:
    text: list[str] = []
    length = 0
    parts = [p for whole in record.passages or () for p in (whole, *(whole.sentences or ()))]
    for part in parts:
        if not 0 <= part.offset <= _LONGEST:
            raise InputError("has a passage without a usable text or offset", path=where)
        if part.text:
            if part.offset < length:
                raise InputError(
                    f"has passages that overlap at character {part.offset}", path=where
                )
            text.append(" " * (part.offset - length) + part.text)
            length = part.offset + len(part.text)
    for relation in (r for part in (record, *parts) for r in part.relations or ()):
        kinds = relation.named
        sheet.export.relations[kinds.get("type", kinds.get("relation", "(unnamed)"))] += 1
    found = [a for part in (record, *parts) for a in part.annotations or ()]
    _read_annotations(found, "".join(text), sheet, where)


def _read_annotations(annotations: list[_Annotation], text: str, sheet: Sheet, where: str) -> None:
    spans: list[Span] = []
    for one in annotations:
        places = one.locations or []
        covered = one.text if isinstance(one.text, str) and len(places) == 1 else None
        spans += [Span(p.offset, p.offset + p.length, covered, str(one.id)) for p in places]
        if not places:
            sheet.export.leave_out("annotations without a location")
    ends = iter(sheet.settle(text or None, spans, where))
    for one in annotations:
        pieces = sorted((float(s), float(e)) for s, e in islice(ends, len(one.locations or ())))
        if pieces:
            who = one.named.get("annotator") or sheet.annotator
            sheet.export.see(sheet.document, who).mark_pieces(pieces, features=one.named)


def _label(export: Export) -> None:
    """The infon that every reader of BioC takes for the label, or the only one there is."""
    keys = dict.fromkeys(k for m in export.marks for k in m.features or ())
    keys.pop("annotator", None)
    chosen = next((k for k in _LABELS if k in keys), next(iter(keys)) if len(keys) == 1 else None)
    if chosen is not None:
        export.label_features[""] = chosen
        export.marks[:] = [m._replace(label=(m.features or {}).get(chosen)) for m in export.marks]


def _documents(entry: Entry) -> list[_Document]:
    """The documents of a collection, or of several."""
    data, path = entry.read(), entry.path
    if first_sign(data) == b"<":
        root = safe_xml.parse(data, path)
        if root.tag != "collection":
            raise root.wrong(f"is not BioC: its root is {root.tag!r}")
        return [shaped(_fields(node), _Document, path) for node in root.all("document")]
    whole = safe_json.load(data, path)
    collections = shaped(whole if isinstance(whole, list) else [whole], list[_Collection], path)
    return [document for each in collections for document in each.documents or ()]


def _fields(node: safe_xml.Node) -> dict[str, Any]:
    """An element as the JSON of the same format has it."""
    out: dict[str, Any] = {"infons": {i.get("key"): i.text for i in node.all("infon")}}
    if node.get("id"):
        out["id"] = node.get("id")
    for child in node.children:
        if child.tag in ("id", "text"):
            out[child.tag] = child.text
        elif child.tag == "offset":
            out["offset"] = _whole(child.text, child)
        elif child.tag == "location":
            place = {k: _whole(child.get(k), child) for k in ("offset", "length")}
            out.setdefault("locations", []).append(place)
        elif child.tag in ("passage", "sentence", "annotation", "relation"):
            out.setdefault(f"{child.tag}s", []).append(_fields(child))
    return out


def _whole(text: str, node: safe_xml.Node) -> int:
    if not text.strip().isdecimal() or len(text.strip()) > 12:
        raise node.wrong(f"an offset must be a number, got {text[:30]!r}")
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
