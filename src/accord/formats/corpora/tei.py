"""TEI standOff: spans that point into the text, and who is responsible for each (`@resp`).

Offsets are those of `string-range(//p[@xml:id='x'], start, end)`, or of `from` and `to` holding
numbers or `#id` of anchors and words; the document's text is the concatenation of the elements that
are pointed into. `xml:space` being what it is, white space inside an element counts as it stands.
The label is the span's `ana` or `type`, else the type of the list it stands in.
"""

from __future__ import annotations

import re

from accord.files import safe_xml
from accord.files.safe_xml import Node
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Counting, Settled, Span, settle
from accord.formats.places import documents, named_files

_RANGE = re.compile(
    r"#?string-range\(\s*(?://\w+\[@xml:id\s*=\s*['\"]([^'\"]+)['\"]\]|#?([^,()]*?))\s*,"
    r"\s*(\d{1,15})\s*(?:,\s*(\d{1,15})\s*)?\)"
)
_BLANKS = re.compile(r"\s+")
#: who is responsible, type of the list, span
_Found = tuple[str, str, Node]
_LISTS = ("listAnnotation", "spanGrp")


def collect(export: Export) -> None:
    """Every span of every file."""
    files = list(export.tree) if export.tree.single else export.files
    for entry, document, annotator in named_files(export, documents(files)):
        _read_file(safe_xml.parse(entry.read(), entry.path), document, annotator, export)


def _read_file(root: Node, document: str, annotator: str | None, export: Export) -> None:
    nodes, names, path = _spans(root), _raw_names(root), root.path
    for node in root.walk():
        # a group that names who is responsible and holds nothing: seen, nothing marked
        if node.tag in _LISTS and node.get("resp"):
            export.see(document, annotator or _who(node, ""))
        if node.tag in ("relation", "link"):
            export.relations[node.get("type") or node.get("name") or node.tag] += 1
    for resp, _, node in nodes:
        export.see(document, annotator or _who(node, resp))
    forced = export.options.offsets
    read, found = _settled(nodes, names, _Flat(root, collapse=False), path, forced)
    if read.notes:
        # XML editors indent: then offsets count the text as it is read, with single blanks
        other, places = _settled(nodes, names, _Flat(root, collapse=True), path, forced)
        if not other.notes:
            read, found = other, places
            export.record.assume("offsets count the text with its white space collapsed")
    export.add_text(document, read.text, path)
    export.notes.extend(read.notes)
    if len(found) < len(nodes):
        said = "spans whose place is written in a way that is not read"
        export.leave_out(said, len(nodes) - len(found))
    for (resp, group, node), start, end in zip(found, read.starts, read.ends, strict=True):
        sheet = export.see(document, annotator or _who(node, resp))
        sheet.mark(start, end, _label(node, group), line=node.line)


def _who(node: Node, inherited: str) -> str:
    return (node.get("resp") or inherited).lstrip("#") or "annotator"


def _settled(
    nodes: list[_Found], names: dict[int, str], flat: _Flat, path: str, forced: Counting | None
) -> tuple[Settled, list[_Found]]:
    found: list[_Found] = []
    spans: list[Span] = []
    for resp, group, node in nodes:
        place = _place(node, flat)
        if place is not None:
            covered = node.text.strip() or names.get(id(node))
            name = node.get("id") or _label(node, group) or ""
            found.append((resp, group, node))
            spans.append(Span(*place, covered, name, node.line))
    return settle(flat.text, spans, path=path, forced=forced), found


def _raw_names(root: Node) -> dict[int, str]:
    """The covered text of each span, where its annotation block repeats it as a raw name."""
    names: dict[int, str] = {}
    for block in root.walk():
        if block.tag == "annotationBlock":
            raw = [n.text.strip() for n in block.walk() if n.get("type") == "rawName"]
            if len(raw) == 1:
                names.update({id(n): raw[0] for n in block.walk() if n.tag == "span"})
    return names


class _Flat:
    """The text of the `<text>` element, and where each element in it begins and ends."""

    def __init__(self, root: Node, *, collapse: bool) -> None:
        body = next((n for n in root.children if n.tag == "text"), None)
        self.places: dict[str, tuple[int, int]] = {}
        self._pieces: list[str] = []
        self._length = 0
        self._collapse = collapse
        self._blank = True
        # (node, where it began, or -1 before that): no recursion, however deep the markup
        stack: list[tuple[Node, int]] = [] if body is None else [(body, -1)]
        while stack:
            node, begun = stack.pop()
            if begun >= 0:
                if node.get("id"):
                    self.places[node.get("id")] = (begun, self._length)
                if node is not body:
                    self._add(node.tail)
                continue
            if node.tag in ("p", "ab", "head"):
                self._blank = True
            stack.append((node, self._length))
            self._add(node.text)
            stack.extend((child, -1) for child in reversed(node.children))
        self.text = "".join(self._pieces)

    def _add(self, text: str) -> None:
        if self._collapse:
            text = _BLANKS.sub(" ", text)
            if self._blank:
                text = text.removeprefix(" ")
            if text:
                self._blank = text.endswith(" ")
        self._pieces.append(text)
        self._length += len(text)


def _spans(root: Node) -> list[_Found]:
    """(responsible, type of the list, span) for each span, inheriting from what it stands in."""
    found: list[_Found] = []
    stack: list[tuple[Node, str, str]] = [(root, "", "")]
    while stack:
        node, resp, group = stack.pop()
        resp = node.get("resp") or resp
        if node.tag in _LISTS:
            group = node.get("subType") or node.get("subtype") or node.get("type") or group
        if node.tag == "span" and (node.get("from") or node.get("target")):
            found.append((resp, group, node))
        stack.extend((c, resp, group) for c in reversed(node.children))
    return found


def _place(node: Node, flat: _Flat) -> tuple[int, int] | None:
    start_at, end_at = node.get("from") or node.get("target"), node.get("to")
    match = _RANGE.search(start_at)
    if match is not None:
        where = match[1] or match[2] or ""
        begin = 0
        if where:
            if where not in flat.places:
                raise node.wrong(
                    f"span {node.get('id')!r} points into {where!r}, which the text does not have"
                )
            begin = flat.places[where][0]
        end_match = _RANGE.search(end_at) if end_at else None
        if end_match is not None:
            return begin + int(match[3]), begin + int(end_match[3])
        if match[4] is not None:
            return begin + int(match[3]), begin + int(match[4])
    elif start_at.isascii() and start_at.isdigit() and end_at.isascii() and end_at.isdigit():
        if len(start_at) < 16 and len(end_at) < 16:
            return int(start_at), int(end_at)
    else:
        pointers = [p.lstrip("#") for p in (start_at.split() + end_at.split())]
        if pointers and all(p in flat.places for p in pointers):
            begins, ends = zip(*(flat.places[p] for p in pointers), strict=True)
            return min(begins), max(ends)
    return None


def _label(node: Node, group: str) -> str | None:
    ana = node.get("ana")
    if ana:
        return ana.lstrip("#")
    return node.get("type") or group or None


FORMAT = Format(
    name="tei",
    title="TEI standOff",
    sniff=(
        Sniff(
            every=(b"http://www.tei-c.org/ns/1.0",),
            some=(b"<standOff", b"<spanGrp", b"<span ", b"listAnnotation"),
        ),
    ),
    people="folder",
    collect=collect,
)
