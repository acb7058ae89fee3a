"""ELAN `.eaf`: tiers of annotations between time slots, in milliseconds.

Each tier is an annotator, unless files or folders are (`annotator_from`): then tiers are layers.
Tiers that refer to others (symbolic association) take the times of what they refer to, and are
scaffolding when tiers are annotators. Time slots without a time are interpolated between their
neighbours, as ELAN shows them. Read directly rather than through pympi-ling, which parses XML
without refusing entities and cannot read from an archive; pympi is the oracle in the tests.
"""

from __future__ import annotations

from pathlib import Path

from accord.errors import InputError
from accord.formats import safe_xml
from accord.formats.annotators import places
from accord.formats.archive import Entry, Tree
from accord.formats.export import Export, Mark, read_with
from accord.formats.format import Format, ReadOptions


def recognise(path: Path, head: bytes) -> bool:
    return b"<ANNOTATION_DOCUMENT" in head


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every annotation of every tier."""
    export = Export(tree.path, "elan", notes=list(tree.notes), unit="milliseconds")
    files = [e for e in tree if recognise(Path(e.name), e.head(4096))]
    for entry, document, annotator in tier_places(tree, files, options):
        _read_file(entry.read(), entry.path, document, annotator, export)
    return export


def tier_places(
    tree: Tree, files: list[Entry], options: ReadOptions
) -> list[tuple[Entry, str, str | None]]:
    """Document and annotator of each recording; the annotator is None where tiers name it."""
    if options.annotator is None and options.annotator_from in (None, "tier"):
        return [(e, e.without_suffix(), None) for e in files]
    return [(p.entry, p.document, p.annotator) for p in places(tree, files, options)]


def _read_file(
    data: bytes, path: str, document: str, annotator: str | None, export: Export
) -> None:
    root = safe_xml.parse(data, path)
    if root.tag != "ANNOTATION_DOCUMENT":
        raise InputError(f"is not ELAN: its root is {root.tag!r}", path=path, line=root.line)
    times = _times(root, path)
    spans: dict[str, tuple[float, float]] = {}
    referring: list[tuple[str, str, safe_xml.Node]] = []
    for tier in root.all("TIER"):
        name = tier.get("TIER_ID")
        child = bool(tier.get("PARENT_REF"))
        who = annotator or name
        if not child or annotator is not None:
            if not tier.children and annotator is None and name == "default":
                continue  # ELAN makes this tier in every new file
            export.see(document, who)
        for holder in tier.all("ANNOTATION"):
            for node in holder.children:
                layer = name if annotator is not None else ("" if not child else f"tier {name}")
                if child and annotator is None:
                    export.scaffolding.add(layer)
                if node.tag == "ALIGNABLE_ANNOTATION":
                    place = _span(node, times, path)
                    spans[node.get("ANNOTATION_ID")] = place
                    _mark(node, place, document, who, layer, path, export)
                else:
                    referring.append((who, layer, node))
    _read_references(referring, spans, document, path, export)


def _read_references(
    referring: list[tuple[str, str, safe_xml.Node]],
    spans: dict[str, tuple[float, float]],
    document: str,
    path: str,
    export: Export,
) -> None:
    parents = {node.get("ANNOTATION_ID"): node.get("ANNOTATION_REF") for _, _, node in referring}
    for who, layer, node in referring:
        parent = node.get("ANNOTATION_REF")
        seen: set[str] = set()
        while parent in parents and parent not in spans and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        if parent in spans:
            _mark(node, spans[parent], document, who, layer, path, export)
        else:
            export.ignored["annotations that refer to none with times were left out"] += 1


def _mark(
    node: safe_xml.Node,
    place: tuple[float, float],
    document: str,
    who: str,
    layer: str,
    path: str,
    export: Export,
) -> None:
    value = node.find("ANNOTATION_VALUE")
    label = value.text.strip() if value is not None else ""
    if place[1] < place[0]:
        raise InputError(
            f"annotation {node.get('ANNOTATION_ID')!r} ends before it starts",
            path=path,
            line=node.line,
        )
    export.see(document, who)
    export.marks.append(Mark(document, who, *place, label or None, layer, line=node.line))


def _times(root: safe_xml.Node, path: str) -> dict[str, float]:
    order = root.find("TIME_ORDER")
    slots: list[tuple[str, float | None]] = []
    for slot in order.all("TIME_SLOT") if order is not None else ():
        value = slot.get("TIME_VALUE")
        if value and not (value.isascii() and value.isdigit() and len(value) < 16):
            raise InputError(
                f"has a time that is no number: {value[:20]!r}", path=path, line=slot.line
            )
        slots.append((slot.get("TIME_SLOT_ID"), float(value) if value else None))
    times: dict[str, float] = {}
    waiting: list[str] = []
    last = 0.0
    for name, time in slots:
        if time is None:
            waiting.append(name)
            continue
        for i, unknown in enumerate(waiting, start=1):
            times[unknown] = last + (time - last) * i / (len(waiting) + 1)
        waiting.clear()
        times[name] = last = time
    times.update(dict.fromkeys(waiting, last))
    return times


def _span(node: safe_xml.Node, times: dict[str, float], path: str) -> tuple[float, float]:
    try:
        return times[node.get("TIME_SLOT_REF1")], times[node.get("TIME_SLOT_REF2")]
    except KeyError as missing:
        raise InputError(
            f"annotation {node.get('ANNOTATION_ID')!r} refers to the time slot {missing}, "
            "which does not exist",
            path=path,
            line=node.line,
        ) from None


FORMAT = Format(
    name="elan",
    title="ELAN (.eaf)",
    recognise=recognise,
    read=read_with(collect),
    collect=collect,
)
