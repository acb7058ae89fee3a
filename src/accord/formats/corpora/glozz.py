"""Glozz: `.ac` holds the text, `.aa` the annotations in XML.

A `unit` has a type, features and two positions; `relation`s and `schema`s are counted. The
annotator is the folder (or the file), because `<author>` names whoever created a unit in the tool,
often the importer; `annotator_from="author"` reads it all the same. Types called `paragraph` come
from the importer and are scaffolding.

Widlöcher, A. & Mathet, Y. (2012). The Glozz platform. DocEng.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from accord.data import Annotations
from accord.files import safe_xml
from accord.files.archive import Entry
from accord.files.safe_xml import Node
from accord.files.text import decode
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions, Sniff
from accord.formats.offsets import Span
from accord.formats.places import by_place
from accord.formats.writing import by_annotator, without_controls, write_text

_RETURN = {"\r": "&#13;"}


def collect(export: Export) -> None:
    """Everything in the `.aa` files, placed on the `.ac` beside each."""
    tree = export.tree
    files = tree.ending(".aa") or export.files
    by_author = export.options.annotator_from == "author"
    texts = {e.stem: e for e in tree.ending(".ac")}

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        # a text may stand once, beside the annotators' folders
        text_entry = tree.find(entry.without_suffix() + ".ac") or texts.get(entry.stem)
        root, text = safe_xml.parse(entry.read(), entry.path), None
        if root.tag != "annotations":
            raise root.wrong(f"is not Glozz: its root is {root.tag!r}")
        if not by_author:
            export.see(document, annotator)
        if text_entry is None:
            export.notes.append(f"{entry.path}: no .ac beside it; offsets were not checked")
        else:
            raw = text_entry.read()
            text = decode(raw, text_entry.path, keep_mark=True)
            _check_hash(root, raw, entry.path, export)
        _read_units(root, text, document, None if by_author else annotator, export)

    way = ReadOptions() if by_author else None
    by_place(export, files, read_one, default="folder", options=way)


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one folder per annotator, an `.ac` and an `.aa` per document."""
    lost: list[str] = []
    for one in by_annotator(data, "Glozz", lost):
        body = []
        for number, row in enumerate(one.units):
            label = without_controls(row.label or "", lost)
            body.append(
                f"<unit id={quoteattr(f'{one.folder}_{number}')}>\n<metadata>\n"
                f"<author>{escape(one.folder)}</author>\n<creation-date>{number}</creation-date>\n"
                "<lastModifier>n/a</lastModifier>\n<lastModificationDate>0</lastModificationDate>\n"
                "</metadata>\n<characterisation>\n"
                f"<type>{escape(label, _RETURN)}</type>\n<featureSet/>\n"
                "</characterisation>\n<positioning>\n<start>\n"
                f'<singlePosition index="{int(row.start)}"/>\n</start>\n<end>\n'
                f'<singlePosition index="{int(row.end)}"/>\n</end>\n</positioning>\n</unit>\n'
            )
        base = path / one.folder / one.file
        write_text(base.with_name(base.name + ".ac"), one.text)
        write_text(
            base.with_name(base.name + ".aa"),
            '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<annotations>\n'
            f'<metadata corpusHashcode="{hashcode(one.text.encode("utf-8", "replace"))}"/>\n'
            + "".join(body)
            + "</annotations>\n",
        )
    return lost


def hashcode(data: bytes) -> str:
    """Glozz's checksum of the text: its length in bytes, and the product of the bytes.

    length - Π bytes mod 99 999 999, zero bytes left out.

    >>> hashcode(b"ab")
    '2-9506'
    """
    code = 1
    for byte in data:
        if byte:
            code = code * byte % 99_999_999
    return f"{len(data)}-{code}"


def _check_hash(root: Node, raw: bytes, path: str, export: Export) -> None:
    metadata = root.find("metadata")
    declared = metadata.get("corpusHashcode") if metadata is not None else ""
    size = declared.partition("-")[0]
    # the whole product takes a second per ten megabytes; a wrong length tells as much
    if declared and size.isdigit() and size != str(len(raw)):
        export.notes.append(
            f"{path}: the text beside it has {len(raw)} bytes, but the annotations were made on "
            f"{size}; check that it is the right text"
        )
    elif declared and len(raw) <= 1 << 20 and declared != hashcode(raw):
        export.notes.append(
            f"{path}: the text beside it is not the one that was annotated (its checksum differs)"
        )


def _read_units(
    root: Node, text: str | None, document: str, annotator: str | None, export: Export
) -> None:
    units: list[Node] = []
    for node in root.children:
        if node.tag == "unit":
            units.append(node)
        elif node.tag in ("relation", "schema"):
            kind = node.said("characterisation", "type")
            export.relations[f"{node.tag} {kind or '(unnamed)'}"] += 1
            holder = node.find("positioning")
            terms = [t.get("id") for t in holder.all("term")] if holder is not None else []
            if node.tag == "relation" and len(terms) == 2:
                who = annotator or _author(node)
                export.sheet(document, who).relate(kind, terms, node.get("id"))
        elif node.tag != "metadata":
            export.leave_out(f"<{node.tag}> elements")
    spans = [
        Span(_position(u, "start"), _position(u, "end"), None, u.get("id"), u.line) for u in units
    ]
    for unit, place in zip(units, export.settle(document, text, spans, root.path), strict=True):
        label = unit.said("characterisation", "type")
        layer = "paragraph" if label == "paragraph" else "units"
        if layer == "paragraph":
            export.scaffolding.add("paragraph")
        held = unit.find("characterisation", "featureSet")
        said = () if held is None else held.all("feature")
        features = {f.get("name"): f.text.strip() for f in said}
        sheet = export.see(document, annotator or _author(unit))
        sheet.mark(
            *place, label or None, layer, features or None, line=unit.line, name=unit.get("id")
        )


def _author(node: Node) -> str:
    return node.said("metadata", "author") or "(no author)"


def _position(node: Node, which: str) -> int:
    place = node.find("positioning", which, "singlePosition")
    index = place.get("index").strip() if place is not None else ""
    if not (index.isascii() and index.isdigit() and len(index) < 16):
        raise node.wrong(f"unit {node.get('id')!r} has no {which} position")
    return int(index)


FORMAT = Format(
    name="glozz",
    title="Glozz (.aa beside .ac)",
    sniff=(
        Sniff(every=(b"<annotations",), some=(b"corpusHashcode", b"<characterisation")),
        Sniff(every=(b"<annotations",), endings=(".aa",)),
    ),
    people="folder",
    collect=collect,
    beside=(".ac",),
    write=write,
    holds=("units",),
)
