"""ELAN `.eaf`: tiers of annotations between time slots, in milliseconds.

Tiers are annotators or layers (:mod:`accord.formats.speech.tiers`). Where tiers name two annotators or
more (ELAN's field "Annotator"), these are taken. Tiers that refer to others take the times of what they
refer to, and are scaffolding when tiers are annotators. Time slots without a time are interpolated
between their neighbours, as ELAN shows them. Read directly rather than through pympi-ling, which parses XML
without refusing entities and cannot read from an archive; pympi is the oracle in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from accord.errors import InputError
from accord.files import safe_xml
from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.speech.tiers import check_tiers, distinct, tier_places


def collect(export: Export) -> None:
    """Every annotation of every tier."""
    export.unit = "milliseconds"
    files = export.files
    read = [
        _read_file(entry, document, annotator, export)
        for entry, document, annotator in tier_places(export, files)
    ]
    if not all(read):
        check_tiers(export, files)


class _Annotation(NamedTuple):
    """An annotation as the file has it; one that refers to another has no time slots of its own."""

    tier: int
    name: str
    slots: tuple[str, str] | None
    parent: str
    line: int
    value: list[str]


class _File:
    """What a file holds, filled element by element: long recordings have very many of them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root = ""
        self.slots: list[tuple[str, str, int]] = []
        #: attributes of each tier, and whether there is an annotation in it
        self.tiers: list[Mapping[str, str]] = []
        self.used: set[int] = set()
        self.annotations: list[_Annotation] = []
        self._value: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str], line: int) -> None:
        if not self.root:
            self.root = tag
            if tag != "ANNOTATION_DOCUMENT":
                raise InputError(f"is not ELAN: its root is {tag!r}", path=self.path, line=line)
        elif tag == "TIME_SLOT":
            self.slots.append(
                (attributes.get("TIME_SLOT_ID", ""), attributes.get("TIME_VALUE", ""), line)
            )
        elif tag == "ANNOTATION_VALUE":
            self._value = self.annotations[-1].value if self.annotations else None
        elif tag in ("ALIGNABLE_ANNOTATION", "REF_ANNOTATION"):
            tier = len(self.tiers) - 1
            if tier < 0:
                raise InputError("has an annotation outside of any tier", path=self.path, line=line)
            self.used.add(tier)
            name, parent, first, last = (
                attributes.get(key, "")
                for key in ("ANNOTATION_ID", "ANNOTATION_REF", "TIME_SLOT_REF1", "TIME_SLOT_REF2")
            )
            slots = (first, last) if tag == "ALIGNABLE_ANNOTATION" else None
            self.annotations.append(_Annotation(tier, name, slots, parent, line, []))
        elif tag == "TIER":
            self.tiers.append(attributes)

    def end(self, tag: str) -> None:
        if tag == "ANNOTATION_VALUE":
            self._value = None

    def characters(self, text: str) -> None:
        if self._value is not None:
            self._value.append(text)


def _read_file(entry: Entry, document: str, annotator: str | None, export: Export) -> bool:
    """Read one recording; whether its tiers name their annotators."""
    path = entry.path
    held = _File(path)
    safe_xml.scan(entry.read(), path, start=held.start, end=held.end, characters=held.characters)
    times = _times(held.slots, path)
    #: sheet and layer of each tier
    places: list[tuple[Sheet, str]] = []
    own = _annotators(held.tiers) if annotator is None else {}
    names = distinct([tier.get("TIER_ID", "") for tier in held.tiers])
    for number, tier in enumerate(held.tiers):
        name = names[number]
        child = bool(tier.get("PARENT_REF"))
        who = annotator or own.get(number, name)
        aside = child or (bool(own) and number not in own)
        layer = name if annotator is not None else (f"tier {name}" if aside else "")
        sheet = export.sheet(document, who)
        places.append((sheet, layer))
        if aside and annotator is None:
            if number in held.used:
                export.scaffolding.add(layer)
        # ELAN makes the tier "default" in every new file
        elif number in held.used or annotator is not None or name != "default":
            export.see(document, who)
    spans: dict[str, tuple[float, float]] = {}
    for mark in held.annotations:
        if mark.slots is not None:
            spans[mark.name] = _span(mark, mark.slots, times, path)
            _mark(mark, spans[mark.name], *places[mark.tier], path)
    referring = [mark for mark in held.annotations if mark.slots is None]
    parents = {mark.name: mark.parent for mark in referring}
    for mark in referring:
        parent = mark.parent
        seen: set[str] = set()
        while parent in parents and parent not in spans and parent not in seen:
            seen.add(parent)
            parent = parents[parent]
        if parent in spans:
            _mark(mark, spans[parent], *places[mark.tier], path)
        else:
            export.leave_out("annotations that refer to none with times")
    return bool(own)


def _annotators(tiers: Sequence[Mapping[str, str]]) -> dict[int, str]:
    """The annotator that each independent tier names; nothing when they name fewer than two."""
    named = {
        i: tier["ANNOTATOR"].strip()
        for i, tier in enumerate(tiers)
        if tier.get("ANNOTATOR", "").strip() and not tier.get("PARENT_REF")
    }
    return named if len(set(named.values())) > 1 else {}


def _mark(
    mark: _Annotation, place: tuple[float, float], sheet: Sheet, layer: str, path: str
) -> None:
    if place[1] < place[0]:
        problem = f"annotation {mark.name!r} ends before it starts"
        raise InputError(problem, path=path, line=mark.line)
    sheet.mark(*place, "".join(mark.value).strip() or None, layer, line=mark.line)


def _times(found: list[tuple[str, str, int]], path: str) -> dict[str, float]:
    slots: list[tuple[str, float | None]] = []
    for name, value, line in found:
        if value and not (value.isascii() and value.isdigit() and len(value) < 16):
            raise InputError(f"has a time that is no number: {value[:20]!r}", path=path, line=line)
        slots.append((name, float(value) if value else None))
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


def _span(
    mark: _Annotation, slots: tuple[str, str], times: dict[str, float], path: str
) -> tuple[float, float]:
    try:
        return times[slots[0]], times[slots[1]]
    except KeyError as missing:
        raise InputError(
            f"annotation {mark.name!r} refers to the time slot {missing}, which does not exist",
            path=path,
            line=mark.line,
        ) from None


FORMAT = Format(
    name="elan",
    title="ELAN (.eaf)",
    sniff=(Sniff(every=(b"<ANNOTATION_DOCUMENT",), utf16=True),),
    people="tier",
    collect=collect,
)
