"""GATE documents as JSON (`.bdocjs` of GateNLP): a text and its annotation sets.

As in GATE XML a named set is an annotator, and the default set when it is the only one. The document
says itself what its offsets count: Java's UTF-16 code units (`j`) or code points (`p`).
"""

from __future__ import annotations

from typing import Any, Literal

from accord.formats.corpora.gate_xml import SCAFFOLDING, mark
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Counting, Span
from accord.formats.places import documents
from accord.formats.records import Name, Struct, Whole, key, record


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


def collect(export: Export) -> None:
    """Every annotation of every set."""
    for entry, document in documents(export.files):
        whole = record(entry, _Document)
        export.add_text(document, whole.text, entry.path)
        sets = whole.sets or {}
        for name, held in sets.items():
            found = held.annotations or []
            if not name and len(sets) > 1 and {a.type for a in found} <= SCAFFOLDING:
                export.leave_out("tokens and sentences of the default set", len(found))
                continue
            sheet = export.see(document, name or "default")
            counting: Counting = "utf-16" if whole.counting == "j" else "code-points"
            spans = [Span(a.start, a.end, None, a.type) for a in found]
            places = sheet.settle(whole.text, spans, entry.path, counting)
            for a, place in zip(found, places, strict=True):
                features = {
                    k: str(v)
                    for k, v in (a.features or {}).items()
                    if isinstance(v, (str, int, float))
                }
                mark(sheet, place, a.type, features)


FORMAT = Format(
    name="gate-json",
    title="GATE document as JSON (bdocjs)",
    sniff=(
        Sniff(start=b"{", every=(b'"annotation_sets"',)),
        Sniff(start=b"{", every=(b'"offset_type"',), endings=(".bdocjs",)),
    ),
    collect=collect,
)
