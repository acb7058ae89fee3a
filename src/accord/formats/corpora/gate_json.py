"""GATE documents as JSON (`.bdocjs` of GateNLP): a text and its annotation sets.

As in GATE XML a named set is an annotator, and the default set when it is the only one. The document
says itself what its offsets count: Java's UTF-16 code units (`j`) or code points (`p`).
"""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.formats.corpora.gate_xml import SCAFFOLDING
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Counting, Span, settle
from accord.formats.places import documents
from accord.formats.sniff import Sniff


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every annotation of every set."""
    export = Export(tree.path, "gate-json", notes=list(tree.notes))
    files = FORMAT.among(tree)
    for entry, document in documents(files):
        path = entry.path
        whole = safe_json.record(safe_json.load(entry.read(), path), "the document", path)
        text = whole.get("text")
        if not isinstance(text, str):
            raise InputError("has no text", path=path, hint="export it with its text")
        kind = whole.get("offset_type", "p")
        if kind not in ("p", "j"):
            raise InputError(f"has offsets of an unknown type {kind!r}", path=path)
        counting: Counting = "utf-16" if kind == "j" else "code-points"
        export.add_text(document, text, path)
        sets = safe_json.record(whole.get("annotation_sets") or {}, "annotation_sets", path)
        for name, value in sets.items():
            held = safe_json.record(value, "an annotation set", path)
            rows = safe_json.listed(held.get("annotations"), "annotations", path)
            who = name or "default"
            kinds = {str(r.get("type")) for r in rows if isinstance(r, dict)}
            if not name and len(sets) > 1 and kinds <= SCAFFOLDING:
                export.ignored["tokens and sentences of the default set were left out"] += len(rows)
                continue
            export.see(document, who)
            _read_set(rows, text, counting, document, who, path, export, options)
    return export


def _read_set(
    rows: list[Any],
    text: str,
    counting: Counting,
    document: str,
    who: str,
    path: str,
    export: Export,
    options: ReadOptions,
) -> None:
    annotations = [safe_json.record(row, "an annotation", path) for row in rows]
    spans = [
        Span(
            safe_json.integer(a.get("start"), "a start offset", path),
            safe_json.integer(a.get("end"), "an end offset", path),
            None,
            str(a.get("type", "")),
        )
        for a in annotations
    ]
    read = settle(text, spans, path=path, counting=counting, forced=options.offsets)
    export.notes.extend(read.notes)
    for a, start, end in zip(annotations, read.starts, read.ends, strict=True):
        kind = str(a.get("type") or "")
        layer = "scaffolding" if kind in SCAFFOLDING else "annotations"
        if layer == "scaffolding":
            export.scaffolding.add(layer)
        held = safe_json.record(a.get("features") or {}, "features", path)
        features = {k: str(v) for k, v in held.items() if isinstance(v, (str, int, float))}
        export.marks.append(Mark(document, who, start, end, kind or None, layer, features or None))


FORMAT = Format(
    name="gate-json",
    title="GATE document as JSON (bdocjs)",
    sniff=(
        Sniff(start=b"{", every=(b'"annotation_sets"',)),
        Sniff(start=b"{", every=(b'"offset_type"',), endings=(".bdocjs",)),
    ),
    collect=collect,
)
