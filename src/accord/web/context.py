"""What surrounds a card in its document: the annotators' marks near it, and the text they stand on."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

import numpy as np

from accord.adjudication.campaign import Campaign
from accord.data import Chains, Relations, Segments, Units
from accord.data.context import atoms
from accord.gold.decisions.element import Element

#: characters, atoms or tokens shown on each side, at least
_AROUND = {"units": 160.0, "segments": 40.0, "chains": 60.0}


def neighbourhood(campaign: Campaign, element: Element) -> dict[str, Any] | None:
    """The stretch of the document that a card is about.

    `low` and `high` are its ends, `atoms` its text as a string (units) or a list, `rows` each
    annotator's marks in it; those of the card itself are `mine`. Names are hidden when blind.
    """
    data = campaign.data
    if not element.place or element.document not in data.documents:
        return None
    if isinstance(data, Relations):
        # its two ends stand in the passage that every card shows
        return None
    d = data.documents.index(element.document)
    start = float(element.place.get("start", element.place.get("position", 0)))
    end = float(element.place.get("end", start))
    if isinstance(data, Units):
        return _units(campaign, data, d, element, start, end)
    if isinstance(data, Segments):
        return _segments(campaign, data, d, element, start)
    assert isinstance(data, Chains)
    return _chains(campaign, data, d, element)


def _units(
    campaign: Campaign, data: Units, d: int, element: Element, start: float, end: float
) -> dict[str, Any]:
    first, last = (int(x) for x in np.searchsorted(data.document, [d, d + 1]))
    spans = [v.value for v in element.versions if isinstance(v.value, dict)]
    low = min([start, *(float(v["start"]) for v in spans)])
    high = max([end, *(float(v["end"]) for v in spans)])
    text = atoms(data, d, campaign.deck.texts)
    length = float(data.lengths[d])
    reach = length if np.isfinite(length) else float(data.end[first:last].max(initial=high))
    if text is not None:
        reach = max(reach, len(text)) if not np.isfinite(length) else reach
    # without a text the scale may be anything: as much as the group is long, three times over
    side = _AROUND["units"] if text is not None else max(1.5 * (high - low), reach / 50)
    left, right = max(min(0.0, low), low - side), min(reach, high + side)
    if isinstance(text, str):
        left, right = _whole_words(text, int(left), int(right))
    close = max(1.5 * (high - low), 24.0) if text is not None else side
    near = np.flatnonzero((data.end[first:last] > left) & (data.start[first:last] < right)) + first
    mine = {
        (a, float(v.value["start"]), float(v.value["end"]), v.value["label"])
        for v in element.versions if isinstance(v.value, dict) for a in v.annotators
    }  # fmt: skip
    who = [a for a in range(len(data.annotators)) if data.coverage[d, a]]
    rows = []
    for n, a in enumerate(who):
        marks = []
        for j in near[data.annotator[near] == a].tolist():
            code = int(data.label[j])
            label = None if code < 0 else data.categories[code]
            key = (data.annotators[a], float(data.start[j]), float(data.end[j]), label)
            marks.append({"start": key[1], "end": key[2], "label": label, "mine": key in mine})
        rows.append({"annotator": _name(campaign, data.annotators[a], n), "marks": marks})
    return {
        "low": left,
        "high": right,
        "zoom": [max(left, low - close), min(right, high + close)],
        "extent": [min(0.0, low), reach],
        "text": text[int(left) : int(right)] if isinstance(text, str) else None,
        "integral": data.integral,
        "rows": rows,
        "decided": _decided_units(campaign, element.document, left, right),
    }


def _whole_words(text: str, low: int, high: int, most: int = 20) -> tuple[int, int]:
    """The same stretch without half words at its ends, where the words are not too long."""
    while low > 0 and not text[low - 1].isspace() and most > 0:
        low, most = low - 1, most - 1
    while high < len(text) and not text[high].isspace() and most > -20:
        high, most = high + 1, most - 1
    return low, high


def _decided_units(
    campaign: Campaign, document: str, low: float, high: float
) -> list[dict[str, Any]]:
    """What was decided nearby: the reference in the making."""
    out = []
    for decision in campaign.decided_in(document):
        if decision.kind != "label":
            continue
        place: dict[str, Any] = dict(decision.place or {})
        if isinstance(decision.value, dict):
            place |= decision.value
        elif isinstance(decision.value, str):
            place["label"] = decision.value
        if "start" in place and place["end"] > low and place["start"] < high:
            out.append({"start": place["start"], "end": place["end"], "label": place.get("label"),
                        "item": decision.item})  # fmt: skip
    return out


def _segments(
    campaign: Campaign, data: Segments, d: int, element: Element, position: float
) -> dict[str, Any]:
    side = int(_AROUND["segments"])
    low, high = max(0, int(position) - side), min(int(data.lengths[d]), int(position) + side)
    parts = atoms(data, d, campaign.deck.texts)
    mine = {(a, v.value) for v in element.versions if v.value is not None for a in v.annotators}
    who = [a for a in range(len(data.annotators)) if (d, a) in data.boundaries]
    rows = []
    for n, a in enumerate(who):
        held = data.boundaries[d, a]
        first, last = bisect_left(held, low + 1), bisect_left(held, high)
        marks = [{"position": int(p), "mine": (data.annotators[a], int(p)) in mine}
                 for p in held[first:last]]  # fmt: skip
        rows.append({"annotator": _name(campaign, data.annotators[a], n), "marks": marks})
    return {
        "low": low,
        "high": high,
        "extent": [0, int(data.lengths[d])],
        "atoms": None if parts is None else list(parts[low:high]),
        "characters": isinstance(parts, str),
        "rows": rows,
    }


def _chains(campaign: Campaign, data: Chains, d: int, element: Element) -> dict[str, Any]:
    parts = atoms(data, d, campaign.deck.texts)
    place = element.place
    low, high = 0, len(parts) if parts is not None else 0
    if parts is not None and "start" in place:
        low = max(0, int(place["start"]) - int(_AROUND["chains"]))
        high = min(len(parts), int(place["end"]) + int(_AROUND["chains"]))
    names = {m: "-".join(map(str, m)) if isinstance(m, tuple) else str(m) for m in data.mentions[d]}
    order = {m: k for k, m in enumerate(data.mentions[d])}
    rows = []
    who = [a for a in range(len(data.annotators)) if (d, a) in data.coverage]
    for n, a in enumerate(who):
        entities = []
        for cluster in data.clusters(d, a):
            members = sorted(cluster, key=order.__getitem__)
            entities.append(
                {"entity": names[members[0]], "mentions": [_mention(m, names[m]) for m in members]}
            )
        rows.append({"annotator": _name(campaign, data.annotators[a], n), "entities": entities})
    return {
        "low": low,
        "high": high,
        "atoms": None if parts is None else list(parts[low:high]),
        "mention": place["mention"],
        "mentions": [_mention(m, names[m]) for m in data.mentions[d]][:2000],
        "rows": rows,
    }


def _mention(mention: Any, name: str) -> dict[str, Any]:
    found: dict[str, Any] = {"name": name}
    if isinstance(mention, tuple) and len(mention) >= 2:
        found |= {"start": mention[0], "end": mention[-1]}
    return found


def _name(campaign: Campaign, annotator: str, number: int) -> str:
    return f"annotator {number + 1}" if campaign.blind else annotator
