"""The passage of a text that something annotated stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data.chains import Chains
from accord.data.protocol import Annotations
from accord.data.relations import Relations
from accord.data.segments import Segments
from accord.data.units import Units

Place = Mapping[str, Any]


def passage(
    data: Annotations, place: Place, texts: Mapping[str, str], *, around: int = 200
) -> tuple[str, str, str] | None:
    """What stands before, within and after a place, about `around` characters on each side.

    A unit has `start` and `end` in characters, a boundary a `position` between atoms, a mention its
    tokens. None when there is no text, or it is not that of these offsets.

    >>> u = Units.from_rows([("d", "A", 4, 7, "x")], texts={"d": "the cat sat"})
    >>> passage(u, {"document": "d", "start": 4, "end": 7}, {})
    ('the ', 'cat', ' sat')
    """
    document = place.get("document")
    if document is None or document not in data.documents:
        return None
    d = data.documents.index(document)
    parts = atoms(data, d, texts)
    if parts is None:
        return None
    if "position" in place:
        start = end = int(place["position"])
    elif "start" in place:
        start, end = int(place["start"]), int(place["end"])
    elif place.get("ends"):
        # a relation: from the first of its two ends to the last
        start, end = int(min(s for s, _ in place["ends"])), int(max(e for _, e in place["ends"]))
        if isinstance(parts, str) and 0 <= start <= end <= len(parts):
            low = max(0, start - around)
            return parts[low:start], _linked(parts, place["ends"]), parts[end : end + around]
    else:
        return None
    if not 0 <= start <= end <= len(parts):
        return None
    low, high = max(0, start - around), end + around
    if isinstance(parts, str):
        return parts[low:start], parts[start:end], parts[end:high]
    before, after = " ".join(parts[low:start]), " ".join(parts[end:high])
    # an atom has a character at least: no more than `around` atoms are needed
    before = before[max(0, len(before) - around) :]
    return before + " ", " ".join(parts[start:end]), " " + after[:around]


def _linked(text: str, ends: Sequence[Sequence[float]]) -> str:
    """From the first end of a relation to the last, which is the source and which the target shown.

    >>> _linked("rain flooded the road", [(13, 21), (0, 4)])
    '[→ rain] flooded [the road →]'
    """
    (s, e), (t, f) = ((int(a), int(b)) for a, b in ends)
    if (s, e) == (t, f):
        return f"[{text[s:e]} ↺]"
    source, target = f"[{text[s:e]} →]", f"[→ {text[t:f]}]"
    if e <= t:
        return f"{source}{text[e:t]}{target}"
    if f <= s:
        return f"{target}{text[f:s]}{source}"
    # one within the other, or across it
    return f"{text[min(s, t) : max(e, f)]} ({source} {target})"


def atoms(data: Annotations, d: int, texts: Mapping[str, str]) -> str | Sequence[str] | None:
    """The text of a document, cut as its offsets count it: characters, or a list of atoms."""
    given = texts.get(data.documents[d])
    if isinstance(data, (Units, Relations)):
        known = None if data.texts is None else data.texts[d]
        return given if given is not None else known
    if isinstance(data, Chains):
        words = None if data.words is None else data.words[d]
        return words if words is not None else None if given is None else given.split()
    if isinstance(data, Segments) and given is not None:
        length = int(data.lengths[d])
        for parts in (given, given.splitlines(), given.split()):
            if len(parts) == length:
                return parts
    return None
