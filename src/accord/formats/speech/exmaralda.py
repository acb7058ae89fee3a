"""EXMARaLDA basic transcriptions (`.exb`): tiers of events between the points of one timeline.

A tier is a layer, named after its category (and its speaker, where it has one), and an event's text
the label. Points have times in seconds; where none has, they are counted, because order is all that
the file says. The tiers of words (`tok`, `txt`, `v`) are read when they are named.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from accord.data.values import is_number
from accord.errors import InputError
from accord.files import safe_xml
from accord.formats.export import Export, Mark
from accord.formats.format import Format
from accord.formats.places import recordings
from accord.formats.sniff import Sniff

_WORDS = frozenset({"tok", "token", "txt", "text", "v"})


def collect(export: Export) -> None:
    """Every event of every tier."""
    export.unit = "seconds"
    files = export.files
    for entry, document, annotator in recordings(export.tree, files, export.options, export):
        export.see(document, annotator)
        _read_file(entry.read(), entry.path, document, annotator, export)


def _read_file(data: bytes, path: str, document: str, annotator: str, export: Export) -> None:
    root = safe_xml.parse(data, path)
    body = root.find("basic-body")
    line = body.find("common-timeline") if body is not None else None
    if root.tag != "basic-transcription" or body is None or line is None:
        raise InputError("is no basic transcription with a timeline", path=path, line=root.line)
    times = _times(line, path, export)
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
                raise InputError(
                    f"has an event at the point {missing}, which is not on the timeline",
                    path=path,
                    line=event.line,
                ) from None
            if end < start:
                raise InputError(
                    "has an event that ends before it starts", path=path, line=event.line
                )
            if tier.get("category").lower() in _WORDS:
                export.scaffolding.add(layer)
            label = "".join(n.text + n.tail for n in event.walk())[: 1 << 20]
            export.marks.append(
                Mark(document, annotator, start, end, label.strip() or None, layer, line=event.line)
            )


def _layer(tier: safe_xml.Node) -> str:
    category = tier.get("category") or tier.get("display-name") or tier.get("id")
    return f"{category} [{tier.get('speaker')}]" if tier.get("speaker") else category


def _times(timeline: safe_xml.Node, path: str, export: Export) -> dict[str, float]:
    """The time of each point; one that has none lies between its neighbours."""
    points = list(timeline.all("tli"))
    for point in points:
        if point.get("time") and not is_number(point.get("time")):
            raise InputError(
                f"the time {point.get('time')[:30]!r} is no number", path=path, line=point.line
            )
    known = [(i, float(p.get("time"))) for i, p in enumerate(points) if p.get("time")]
    if len(known) < 2:
        export.notes.append(f"{path}: the timeline has no times; its points are counted 0, 1, 2 …")
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
