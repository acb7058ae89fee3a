"""GATE XML: a text with numbered nodes, and annotation sets that refer to them.

A named annotation set is an annotator; so is the default set when it is the only one, or when it
holds more than GATE's own scaffolding. The label is the annotation's type; `--feature` reads one of
its features instead.
"""

from __future__ import annotations

from accord.files import safe_xml
from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import places

#: what GATE's own components add
SCAFFOLDING = frozenset(
    {"Token", "SpaceToken", "Sentence", "Split", "Lookup", "paragraph", "DEFAULT_TOKEN"}
)
_MARKUP = "Original markups"


def collect(export: Export) -> None:
    """Every annotation of every set."""
    if export.options.annotator_from in ("folder", "file"):
        placed: list[tuple[Entry, str, str | None]] = [
            (*p,) for p in places(export.tree, export.files, export.options)
        ]
    else:
        placed = [(e, e.without_suffix(), None) for e in export.files]
    for entry, document, annotator in placed:
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
        if not name and named and all(a.get("Type") in SCAFFOLDING for a in found.children):
            export.leave_out("tokens and sentences of the default set", len(found.children))
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
    mark(sheet, (start, end), node.get("Type"), features, node.line)


def mark(
    sheet: Sheet,
    place: tuple[int, int],
    kind: str,
    features: dict[str, str],
    line: int | None = None,
) -> None:
    """Add an annotation; what GATE's own components add stands in a layer of its own."""
    layer = "scaffolding" if kind in SCAFFOLDING else "annotations"
    if layer == "scaffolding":
        sheet.export.scaffolding.add(layer)
    sheet.mark(*place, kind or None, layer, features or None, line=line)


FORMAT = Format(
    name="gate",
    title="GATE XML",
    sniff=(Sniff(every=(b"<GateDocument",)),),
    people="folder",
    collect=collect,
)
