"""Glozz: `.ac` holds the text, `.aa` the annotations in XML.

A `unit` has a type, features and two positions; `relation`s and `schema`s are counted. The
annotator is the folder (or the file), because `<author>` names whoever created a unit in the tool,
often the importer; `annotator_from="author"` reads it all the same. Types called `paragraph` come
from the importer and are scaffolding.

Widlöcher, A. & Mathet, Y. (2012). The Glozz platform. DocEng.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from accord.data import Annotations
from accord.data.statements import Statement
from accord.errors import InputError
from accord.files import safe_xml
from accord.files.text import decode
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Settled, Span, settle
from accord.formats.places import places
from accord.formats.sniff import Sniff
from accord.formats.writing import (
    by_annotator,
    file_names,
    require_units,
    text_or_blanks,
    write_text,
)

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

_RETURN = {"\r": "&#13;"}


def collect(export: Export) -> None:
    """Everything in the `.aa` files, placed on the `.ac` beside each."""
    files = export.tree.ending(".aa") or export.files
    by_author = export.options.annotator_from == "author"
    way = ReadOptions() if by_author else export.options
    texts = {e.stem: e for e in export.tree.ending(".ac")}
    for entry, document, annotator in places(export.tree, files, way):
        # a text may stand once, beside the annotators' folders
        text_entry = export.tree.find(entry.without_suffix() + ".ac") or texts.get(entry.stem)
        raw = None if text_entry is None else text_entry.read()
        text = None
        if raw is not None and text_entry is not None:
            text = decode(raw, text_entry.path, keep_mark=True)
        root = safe_xml.parse(entry.read(), entry.path)
        if root.tag != "annotations":
            raise entry.wrong(f"is not Glozz: its root is {root.tag!r}", root.line)
        if not by_author:
            export.see(document, annotator)
        if raw is not None:
            _check_hash(root, raw, entry.path, export)
        else:
            export.notes.append(f"{entry.path}: no .ac beside it; offsets were not checked")
        _read_units(
            root,
            text,
            document,
            None if by_author else annotator,
            entry.path,
            export,
            export.options,
        )


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one folder per annotator, an `.ac` and an `.aa` per document."""
    units = require_units(data, "Glozz")
    lost: list[str] = []
    if units.texts is None or None in units.texts:
        lost.append("the texts are not known: blanks stand in for them")
    names = file_names(units.documents)
    for annotator, document, rows in by_annotator(units, lost):
        text = text_or_blanks(units, units.documents.index(document))
        body = []
        for number, row in enumerate(rows):
            label = _FORBIDDEN.sub("\ufffd", row.label or "")
            if label != (row.label or ""):
                lost.append("control characters, which XML cannot hold, are written as U+FFFD")
            body.append(
                f"<unit id={quoteattr(f'{annotator}_{number}')}>\n<metadata>\n"
                f"<author>{escape(annotator)}</author>\n<creation-date>{number}</creation-date>\n"
                "<lastModifier>n/a</lastModifier>\n<lastModificationDate>0</lastModificationDate>\n"
                "</metadata>\n<characterisation>\n"
                f"<type>{escape(label, _RETURN)}</type>\n<featureSet/>\n"
                "</characterisation>\n<positioning>\n<start>\n"
                f'<singlePosition index="{int(row.start)}"/>\n</start>\n<end>\n'
                f'<singlePosition index="{int(row.end)}"/>\n</end>\n</positioning>\n</unit>\n'
            )
        base = path / annotator / names[document]
        write_text(base.with_name(base.name + ".ac"), text)
        write_text(
            base.with_name(base.name + ".aa"),
            '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<annotations>\n'
            f'<metadata corpusHashcode="{hashcode(text.encode("utf-8", "replace"))}"/>\n'
            + "".join(body)
            + "</annotations>\n",
        )
    return list(dict.fromkeys(lost))


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


def _check_hash(root: safe_xml.Node, raw: bytes, path: str, export: Export) -> None:
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
    root: safe_xml.Node,
    text: str | None,
    document: str,
    annotator: str | None,
    path: str,
    export: Export,
    options: ReadOptions,
) -> None:
    spans: list[Span] = []
    found: list[tuple[str, str, dict[str, str]]] = []
    for node in root.children:
        if node.tag == "unit":
            author = node.find("metadata", "author")
            who = annotator or (author.text.strip() if author is not None else "") or "(no author)"
            kind = node.find("characterisation", "type")
            features = {
                f.get("name"): f.text.strip()
                for holder in (node.find("characterisation", "featureSet"),)
                if holder is not None
                for f in holder.all("feature")
            }
            spans.append(
                Span(
                    _position(node, "start", path),
                    _position(node, "end", path),
                    None,
                    node.get("id"),
                    node.line,
                )
            )
            found.append((who, kind.text.strip() if kind is not None else "", features))
        elif node.tag in ("relation", "schema"):
            kind = node.find("characterisation", "type")
            name = kind.text.strip() if kind is not None else ""
            export.relations[f"{node.tag} {name or '(unnamed)'}"] += 1
            terms = [t.get("id") for t in _terms(node)] if node.tag == "relation" else []
            if len(terms) == 2:
                author = node.find("metadata", "author")
                who = (
                    annotator
                    or (author.text.strip() if author is not None else "")
                    or "(no author)"
                )
                targets = (("Arg1", terms[0]), ("Arg2", terms[1]))
                said = export.statements.setdefault((document, who), [])
                said.append(Statement(node.get("id"), "relation", name, targets))
        elif node.tag != "metadata":
            export.ignored[f"<{node.tag}> elements were left out"] += 1
    if text is None:
        read = Settled("", [s.start for s in spans], [s.end for s in spans])
    else:
        read = settle(text, spans, path=path, forced=options.offsets)
        export.add_text(document, read.text, path)
    export.notes.extend(read.notes)
    for (who, label, features), span, start, end in zip(
        found, spans, read.starts, read.ends, strict=True
    ):
        layer = "paragraph" if label == "paragraph" else "units"
        if layer == "paragraph":
            export.scaffolding.add("paragraph")
        export.see(document, who)
        export.marks.append(
            Mark(
                document,
                who,
                start,
                end,
                label or None,
                layer,
                features or None,
                None,
                span.line,
                name=span.name,
            )
        )


def _terms(node: safe_xml.Node) -> Iterable[safe_xml.Node]:
    """The two units that a relation joins."""
    holder = node.find("positioning")
    return () if holder is None else holder.all("term")


def _position(node: safe_xml.Node, which: str, path: str) -> int:
    place = node.find("positioning", which, "singlePosition")
    index = place.get("index").strip() if place is not None else ""
    if not (index.isascii() and index.isdigit() and len(index) < 16):
        raise InputError(
            f"unit {node.get('id')!r} has no {which} position", path=path, line=node.line
        )
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
