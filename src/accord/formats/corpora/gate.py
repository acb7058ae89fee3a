"""GATE documents, as XML or as JSON (`.bdocjs` of GateNLP): a text and its annotation sets.

A named annotation set is an annotator; so is the default set when it is the only one, or when it
holds more than GATE's own scaffolding. The label is the annotation's type; `--feature` reads one of
its features instead. XML numbers the nodes of its text, to which annotations refer; JSON says itself
what its offsets count: Java's UTF-16 code units (`j`) or code points (`p`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from accord.files import safe_xml
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Counting, Span
from accord.formats.places import documents, named_files
from accord.formats.records import Name, Struct, Whole, key, record

#: what GATE's own components add
_SCAFFOLDING = frozenset(
    {"Token", "SpaceToken", "Sentence", "Split", "Lookup", "paragraph", "DEFAULT_TOKEN"}
)
_MARKUP = "Original markups"


def collect_xml(export: Export) -> None:
    """Every annotation of every set."""
    for entry, document, annotator in named_files(
        export, [(e, e.without_suffix()) for e in export.files]
    ):
        _read_file(safe_xml.parse(entry.read(), entry.path), document, annotator, export)


def _read_file(root: safe_xml.Node, document: str, annotator: str | None, export: Export) -> None:
    content = root.find("TextWithNodes")
    if root.tag != "GateDocument" or content is None:
        raise root.wrong("is not a GATE document with text")
    # a node stands where it stands: its number is a name, not an offset
    nodes: dict[str, int] = {}
    pieces = [content.text]
    length = len(content.text)
    for node in content.children:
        nodes[node.get("id")] = length
        pieces.append(node.tail)
        length += len(node.tail)
    export.add_text(document, "".join(pieces), root.path)
    sets = [s for s in root.all("AnnotationSet") if s.get("Name") != _MARKUP]
    for left in root.all("AnnotationSet"):
        if left.get("Name") == _MARKUP:
            export.leave_out("annotations of the original markup", len(left.children))
    named = any(s.get("Name") for s in sets)
    for found in sets:
        name = found.get("Name")
        if named and _is_aside(name, [a.get("Type") for a in found.children], export):
            continue
        sheet = export.see(document, annotator or name or "default")
        for node in found.all("Annotation"):
            _read_annotation(node, nodes, sheet)


def _read_annotation(node: safe_xml.Node, nodes: dict[str, int], sheet: Sheet) -> None:
    try:
        start, end = nodes[node.get("StartNode")], nodes[node.get("EndNode")]
    except KeyError as missing:
        raise node.wrong(
            f"annotation {node.get('Id')!r} refers to the node {missing}, which does not exist"
        ) from None
    if end < start:
        raise node.wrong(f"annotation {node.get('Id')!r} ends before it starts")
    features = {}
    for feature in node.all("Feature"):
        name, value = feature.find("Name"), feature.find("Value")
        if name is not None and value is not None:
            features[name.text] = value.text
    _mark(sheet, (start, end), node.get("Type"), features, node.line)


class _Annotation(Struct):
    start: Whole
    end: Whole
    type: Name = ""
    features: dict[str, Any] | None = None


class _Set(Struct):
    annotations: list[_Annotation] | None = None


class _Document(Struct):
    text: str
    counting: Literal["p", "j"] = key(default="p", name="offset_type")
    sets: dict[str, _Set] | None = key(default=None, name="annotation_sets")


def collect_json(export: Export) -> None:
    """Every annotation of every set."""
    for entry, document in documents(export.files):
        whole = record(entry, _Document)
        export.add_text(document, whole.text, entry.path)
        sets = whole.sets or {}
        for name, held in sets.items():
            found = held.annotations or []
            if len(sets) > 1 and _is_aside(name, [a.type for a in found], export):
                continue
            sheet = export.see(document, name or "default")
            counting: Counting = "utf-16" if whole.counting == "j" else "code-points"
            spans = [Span(a.start, a.end, None, a.type) for a in found]
            places = sheet.settle(whole.text, spans, entry.path, counting)
            for a, place in zip(found, places, strict=True):
                given = (a.features or {}).items()
                features = {k: str(v) for k, v in given if isinstance(v, (str, int, float))}
                _mark(sheet, place, a.type, features)


def _is_aside(name: str, kinds: Sequence[str], export: Export) -> bool:
    """Whether a set beside named ones is the default set with nothing but scaffolding, left out then."""
    aside = not name and _SCAFFOLDING.issuperset(kinds)
    if aside:
        export.leave_out("tokens and sentences of the default set", len(kinds))
    return aside


def _mark(
    sheet: Sheet,
    place: tuple[int, int],
    kind: str,
    features: dict[str, str],
    line: int | None = None,
) -> None:
    """Add an annotation; what GATE's own components add stands in a layer of its own."""
    layer = "scaffolding" if kind in _SCAFFOLDING else "annotations"
    if layer == "scaffolding":
        sheet.export.scaffolding.add(layer)
    sheet.mark(*place, kind or None, layer, features or None, line=line)


FORMATS = (
    Format(
        name="gate",
        title="GATE XML",
        sniff=(Sniff(every=(b"<GateDocument",)),),
        people="folder",
        collect=collect_xml,
    ),
    Format(
        name="gate-json",
        title="GATE document as JSON (bdocjs)",
        sniff=(
            Sniff(start=b"{", every=(b'"annotation_sets"',)),
            Sniff(start=b"{", every=(b'"offset_type"',), endings=(".bdocjs",)),
        ),
        collect=collect_json,
    ),
)
