"""GATE XML: a text with numbered nodes, and annotation sets that refer to them.

A named annotation set is an annotator; so is the default set when it is the only one, or when it
holds more than GATE's own scaffolding. The label is the annotation's type; `--feature` reads one of
its features instead.
"""

from __future__ import annotations

from accord.errors import InputError
from accord.files import safe_xml
from accord.files.archive import Tree
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.places import places
from accord.formats.sniff import Sniff

#: what GATE's own components add
SCAFFOLDING = frozenset(
    {"Token", "SpaceToken", "Sentence", "Split", "Lookup", "paragraph", "DEFAULT_TOKEN"}
)
_MARKUP = "Original markups"


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every annotation of every set."""
    export = Export(tree.path, "gate", notes=list(tree.notes))
    files = FORMAT.among(tree)
    by_place = options.annotator_from in ("folder", "file")
    placed = (
        [(p.entry, p.document, p.annotator) for p in places(tree, files, options)]
        if by_place
        else [(e, e.without_suffix(), None) for e in files]
    )
    for entry, document, annotator in placed:
        _read_file(entry.read(), entry.path, document, annotator, export)
    return export


def _read_file(
    data: bytes, path: str, document: str, annotator: str | None, export: Export
) -> None:
    root = safe_xml.parse(data, path)
    content = root.find("TextWithNodes")
    if root.tag != "GateDocument" or content is None:
        raise InputError("is not a GATE document with text", path=path, line=root.line)
    # a node stands where it stands: its number is a name, not an offset
    nodes: dict[str, int] = {}
    pieces = [content.text]
    length = len(content.text)
    for node in content.children:
        nodes[node.get("id")] = length
        pieces.append(node.tail)
        length += len(node.tail)
    export.add_text(document, "".join(pieces), path)
    sets = [s for s in root.all("AnnotationSet") if s.get("Name") != _MARKUP]
    left = [s for s in root.all("AnnotationSet") if s.get("Name") == _MARKUP]
    if left:
        export.ignored["annotations of the original markup were left out"] += sum(
            len(s.children) for s in left
        )
    named = any(s.get("Name") for s in sets)
    for found in sets:
        name = found.get("Name")
        content_here = any(a.get("Type") not in SCAFFOLDING for a in found.children)
        if not name and named and not content_here:
            export.ignored["tokens and sentences of the default set were left out"] += len(
                found.children
            )
            continue
        who = annotator or name or "default"
        export.see(document, who)
        for node in found.all("Annotation"):
            _read_annotation(node, nodes, document, who, path, export)


def _read_annotation(
    node: safe_xml.Node, nodes: dict[str, int], document: str, who: str, path: str, export: Export
) -> None:
    kind = node.get("Type")
    try:
        start, end = nodes[node.get("StartNode")], nodes[node.get("EndNode")]
    except KeyError as missing:
        raise InputError(
            f"annotation {node.get('Id')!r} refers to the node {missing}, which does not exist",
            path=path,
            line=node.line,
        ) from None
    if end < start:
        raise InputError(
            f"annotation {node.get('Id')!r} ends before it starts", path=path, line=node.line
        )
    features = {}
    for feature in node.all("Feature"):
        name, value = feature.find("Name"), feature.find("Value")
        if name is not None and value is not None:
            features[name.text] = value.text
    layer = "scaffolding" if kind in SCAFFOLDING else "annotations"
    if layer == "scaffolding":
        export.scaffolding.add(layer)
    export.marks.append(
        Mark(document, who, start, end, kind or None, layer, features or None, None, node.line)
    )


FORMAT = Format(
    name="gate",
    title="GATE XML",
    sniff=(Sniff(every=(b"<GateDocument",)),),
    people="folder",
    collect=collect,
)
