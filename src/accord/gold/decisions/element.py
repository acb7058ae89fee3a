"""What can be decided: an item, a group of aligned units, a pool of boundaries, a mention."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.gold.decisions.decision import Value, canonical, number

#: of relations: what stands between the labels of one pair, and for none
JOINT, NO_LABEL = " + ", "(no label)"
#: where an element is: {"document", …} with start, end and label, or position, or mention
Place = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """One thing that some annotators say of an element; None is that nothing is there."""

    value: Value
    annotators: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """Something the annotators' data give rise to, and what each of them says of it."""

    item: str
    document: str
    place: Place
    versions: tuple[Version, ...]

    @property
    def digest(self) -> str:
        return digest(self.versions)


def versions_of(said: Iterable[tuple[str, Value]]) -> tuple[Version, ...]:
    """(annotator, value) pairs as distinct versions, the most frequent first, "nothing" last.

    >>> [(v.value, v.annotators) for v in versions_of([("A", "x"), ("B", None), ("C", "x")])]
    [('x', ('A', 'C')), (None, ('B',))]
    """
    held: dict[str | None, tuple[Value, list[str]]] = {}
    for who, value in said:
        key = None if value is None else canonical(value)
        held.setdefault(key, (value, []))[1].append(who)
    ordered = sorted(
        held.items(), key=lambda pair: (pair[0] is None, -len(pair[1][1]), str(pair[0]))
    )
    return tuple(Version(value=value, annotators=tuple(who)) for _, (value, who) in ordered)


def digest(versions: Sequence[Version]) -> str:
    """A short text for what was said of an element, whoever said it and in whatever order.

    The names of the annotators are not in it: renaming them changes no judgement.
    """
    counts = Counter[str]()
    for version in versions:
        counts["" if version.value is None else "=" + canonical(version.value)] += len(
            version.annotators
        )
    text = "\n".join(f"{n} {value}" for value, n in sorted(counts.items()))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def unit_name(document: str, start: float, end: float) -> str:
    """The name of a unit's element: document:start-end, in full precision."""
    return f"{document}:{number(start)}-{number(end)}"


_SPAN = re.compile(r"(\+?)(-?[0-9][0-9.]*(?:e[+-]?[0-9]+)?)-(-?[0-9][0-9.]*(?:e[+-]?[0-9]+)?)")


def parsed(item: str) -> Place | None:
    """Where an element was, from its name alone: what old logs and tables by hand have.

    >>> parsed("d:2e+06-2.00001e+06")
    {'document': 'd', 'start': 2000000.0, 'end': 2000010.0}
    >>> parsed("d:7"), parsed("x")
    ({'document': 'd', 'position': 7.0, 'mention': '7'}, None)
    """
    bare = re.sub(r"#\d+$", "", item)
    document, colon, where = bare.rpartition(":")
    if not colon:
        return None
    span = _SPAN.fullmatch(where)
    if span is not None:
        return {"document": document, "start": float(span[2]), "end": float(span[3])}
    try:
        return {"document": document, "position": float(where), "mention": where}
    except ValueError:
        return {"document": document, "mention": where}


def is_added(item: str) -> bool:
    """Whether a person added the element to those that the annotators' data give."""
    return ":+" in item and item.rpartition(":")[2].startswith("+")
