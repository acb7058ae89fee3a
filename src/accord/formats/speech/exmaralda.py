"""EXMARaLDA basic transcriptions (`.exb`): tiers of events between the points of one timeline.

A tier is a layer, named after its category (and its speaker, where it has one), and an event's text
the label. Points have times in seconds; where none has, they are counted, because order is all that
the file says. The tiers of words (`tok`, `txt`, `v`) are read when they are named.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from accord.data.values import is_number
from accord.files import safe_xml
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import recordings

_WORDS = frozenset({"tok", "token", "txt", "text", "v"})


def collect(export: Export) -> None:
    """Every event of every tier."""
    export.unit = "seconds"
    for entry, sheet in recordings(export):
        _read_file(safe_xml.parse(entry.read(), entry.path), sheet)


def _read_file(root: safe_xml.Node, sheet: Sheet) -> None:
    body = root.find("basic-body")
    line = body.find("common-timeline") if body is not None else None
    if root.tag != "basic-transcription" or body is None or line is None:
        raise root.wrong("is no basic transcription with a timeline")
    times = _times(line, sheet.export)
    tiers = list(body.all("tier"))
    named = Counter(_layer(tier) for tier in tiers)
    for tier in tiers:
        layer = _layer(tier)
        if named[layer] > 1:
            layer = f"{layer} ({tier.get('id')})"
        for event in tier.all("event"):
            try:
                start, end = times[event.get("start")], times[event.get("end")]
            except KeyError as missing:
                raise event.wrong(
                    f"has an event at the point {missing}, which is not on the timeline"
                ) from None
            if end < start:
                raise event.wrong("has an event that ends before it starts")
            if tier.get("category").lower() in _WORDS:
                sheet.export.scaffolding.add(layer)
            label = "".join(n.text + n.tail for n in event.walk())[: 1 << 20]
            sheet.mark(start, end, label.strip() or None, layer, line=event.line)


def _layer(tier: safe_xml.Node) -> str:
    category = tier.get("category") or tier.get("display-name") or tier.get("id")
    return f"{category} [{tier.get('speaker')}]" if tier.get("speaker") else category


def _times(timeline: safe_xml.Node, export: Export) -> dict[str, float]:
    """The time of each point; one that has none lies between its neighbours."""
    points = list(timeline.all("tli"))
    for point in points:
        if point.get("time") and not is_number(point.get("time")):
            raise point.wrong(f"the time {point.get('time')[:30]!r} is no number")
    known = [(i, float(p.get("time"))) for i, p in enumerate(points) if p.get("time")]
    if len(known) < 2:
        export.record.assume("a timeline without times counts its points 0, 1, 2 …")
        export.unit = "points of the timeline"
        return {p.get("id"): float(i) for i, p in enumerate(points)}
    places = np.arange(len(points))
    read = np.interp(places, [i for i, _ in known], [t for _, t in known])
    return {p.get("id"): float(t) for p, t in zip(points, read, strict=True)}


FORMAT = Format(
    name="exmaralda",
    title="EXMARaLDA basic transcription",
    sniff=(Sniff(every=(b"<basic-transcription",), within=4096, utf16=True),),
    people="file",
    collect=collect,
)
