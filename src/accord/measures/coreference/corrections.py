"""What it takes to correct a response: classes of errors, and every single one.

The classes are those of Kummerfeld & Klein 2013 (Error-driven analysis of challenges in coreference
resolution), as steps in a fixed order from the response to the key: spans first, then what does not
belong is taken out and entities are split, then what is missing is added and the parts are merged.
Counts depend on no order. Deviations: the authors' program takes singletons as absent and counts
operations before it groups them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from accord.alignment.matching import best_matching
from accord.measures.coreference.key_response import Paired, Rows, row_words
from accord.measures.coreference.specification import Specification

Listing = Sequence[Mapping[str, Any]]

#: in the order of the corrections
CLASSES = (
    "span",
    "extra entity",
    "extra mention",
    "conflated",
    "missing entity",
    "missing mention",
    "divided",
)

#: what each class says of a response
MEANINGS: Mapping[str, str] = {
    "span": "the mention is there with other words",
    "extra entity": "an entity that the key lacks altogether",
    "extra mention": "a mention that is not in the key",
    "conflated": "a part of an entity that belongs to another one",
    "missing entity": "an entity of which no mention was found",
    "missing mention": "a mention that was not found",
    "divided": "a part of an entity that was left apart",
}


@dataclass(frozen=True, slots=True, eq=False)
class Correction:
    """One error: its class, the side it is told on, the rows of its mentions there."""

    error: str
    side: Side
    rows: Sequence[int]
    #: the parts of a torn entity (rows of the same side); of a span, the rows of its twin
    parts: Sequence[Sequence[int]] = ()

    @property
    def document(self) -> int:
        return self.side.entity[self.rows[0]][0]

    @property
    def size(self) -> int:
        """Mentions of the entity."""
        return len(self.side.entities[self.side.entity[self.rows[0]]])


@dataclass(frozen=True, slots=True, eq=False)
class Corrections:
    """All errors of a response, and the mentions of both sides that are the same or nearly."""

    key: Side
    response: Side
    twins: Sequence[tuple[int, int]]
    found: Sequence[Correction]


def by_error(specification: Specification, paired: Paired) -> Listing:
    """How many errors of each class, and in how many documents."""
    found = corrections(paired).found
    return [
        {
            "error": name,
            "count": sum(c.error == name for c in found),
            "documents": len({c.document for c in found if c.error == name}),
        }
        for name in CLASSES
    ]


def errors_by(what: str) -> Callable[[Specification, Paired], Listing]:
    """Errors of each class per document, type of the mention, or size of the entity."""

    def listing(specification: Specification, paired: Paired) -> Listing:
        counts: dict[Any, dict[str, int]] = {}
        order: dict[Any, Any] = {}
        for c in corrections(paired).found:
            place: Any = c.document
            name = paired.table.documents[place]
            if what == "type":
                place = name = str(c.side.fact(c.rows[0], "type") or "(none)")
            elif what == "size":
                place, name = size_class(c.size), size_name(size_class(c.size))
            order[name] = place
            counts.setdefault(name, dict.fromkeys(CLASSES, 0))[c.error] += 1
        return [{what: name, **counts[name]} for name in sorted(counts, key=order.__getitem__)]

    return listing


def size_class(size: int) -> int:
    """0 for singletons, 1 for pairs, 2 for 3–4, 3 for 5–8, …"""
    return max(size - 1, 0).bit_length()


def size_name(number: int) -> str:
    """The sizes of a class.

    >>> [size_name(c) for c in range(4)]
    ['1', '2', '3–4', '5–8']
    """
    low, high = 2 ** (number - 1) + 1 if number else 1, 2**number
    return str(low) if low == high else f"{low}–{high}"


def by_correction(specification: Specification, paired: Paired) -> Listing:
    """Every error: *span* a mention with other words than its twin; *extra* and *missing* what one
    side lacks; *conflated* a part of a response entity that belongs to another key entity than its
    largest part; *divided* a part of a key entity found in another response entity than its largest.
    """
    found = corrections(paired)
    out = []
    for c in found.found:
        other = found.response if c.error == "span" else c.side
        first = c.rows[0]
        out.append(
            {
                "document": paired.table.documents[c.document],
                "error": c.error,
                "side": c.side.name,
                "entity": c.side.entity[first][1],
                "size": c.size,
                "mentions": c.side.mentions(c.rows),
                "text": c.side.texts(c.rows),
                "parts": [other.mentions(part) for part in c.parts],
                "parts_text": [other.texts(part) for part in c.parts],
                "type": c.side.fact(first, "type"),
                "upos": c.side.fact(first, "upos"),
            }
        )
    return out


@lru_cache(maxsize=2)
def corrections(paired: Paired) -> Corrections:
    """Every error of a response, in the order of documents and classes."""
    key, response = (
        Side("key", paired.key, paired.table.documents),
        Side("response", paired.response, paired.table.documents),
    )
    twins, near = _twins(paired, key, response)
    out = [
        Correction("span", key, [k], [[r]])
        for k, r in twins
        if (k, r) in near or (key.words and key.words[k] != response.words[r])
    ]
    for side, other, pairs, extra, torn in (
        (response, key, [(r, k) for k, r in twins], "extra", "conflated"),
        (key, response, twins, "missing", "divided"),
    ):
        partner = dict(pairs)
        for members in side.entities.values():
            parts: dict[tuple[int, int], list[int]] = {}
            for m in members:
                if m in partner:
                    parts.setdefault(other.entity[partner[m]], []).append(m)
            if not parts:
                out.append(Correction(f"{extra} entity", side, members))
                continue
            out += [Correction(f"{extra} mention", side, [m]) for m in members if m not in partner]
            # the largest part stays, the earliest of equal ones
            stays = max(parts, key=lambda e: (len(parts[e]), -parts[e][0]))
            shown = list(parts.values())
            out += [Correction(torn, side, part, shown) for e, part in parts.items() if e != stays]
    out.sort(key=lambda c: (c.document, CLASSES.index(c.error)))
    return Corrections(key, response, twins, out)


class Side:
    """The mentions of one side, by row, and the rows of each entity."""

    def __init__(self, name: str, rows: Rows, documents: Sequence[str]) -> None:
        self.name = name
        # as the pair calls them: the two sides may have other names for one document
        self.documents = documents
        self.rows = rows
        chains = rows.chains
        self.where = rows.place.tolist()
        self.which = rows.mention.tolist()
        self.entity: list[tuple[int, int]] = list(
            zip(rows.document.tolist(), rows.entity.tolist(), strict=True)
        )
        self.entities: dict[tuple[int, int], list[int]] = {}
        for i, entity in enumerate(self.entity):
            self.entities.setdefault(entity, []).append(i)
        spans = all(
            isinstance(chains.mentions[d][m], tuple)
            for d, m in zip(self.where, self.which, strict=True)
        )
        #: the words of each mention; nothing for mentions that are only named
        self.words = row_words(rows) if spans else []

    def fact(self, row: int, name: str) -> Any:
        facts = self.rows.chains.facts
        return None if facts is None else facts[self.where[row]][self.which[row]].get(name)

    def headed(self) -> bool:
        """Whether the file gives the heads."""
        return all(
            self.fact(i, "head") is not None and not self.fact(i, "guessed")
            for i in range(len(self.where))
        )

    def mentions(self, rows: Sequence[int]) -> list[Any]:
        chains = self.rows.chains
        return [chains.mentions[self.where[i]][self.which[i]] for i in rows]

    def texts(self, rows: Sequence[int]) -> list[str | None]:
        """The words of mentions, None where they are not known."""
        chains = self.rows.chains
        return [
            chains.text(self.where[i], self.which[i])
            if chains.words is not None and chains.words[self.where[i]] is not None
            else None
            for i in rows
        ]


Pairs = list[tuple[int, int]]


def _twins(paired: Paired, key: Side, response: Side) -> tuple[Pairs, set[tuple[int, int]]]:
    """Rows that are one mention; under exact matching also near misses, which are given apart."""
    twins: Pairs = list(zip(*(side.tolist() for side in paired.twins), strict=True))
    if paired.rule.matching != "exact" or not key.words or not response.words:
        return twins, set()
    taken = {k for k, _ in twins}, {r for _, r in twins}
    by_head = key.headed() and response.headed()
    holders: dict[Any, list[int]] = {}
    for r, words in enumerate(response.words):
        if r not in taken[1]:
            for place in [response.fact(r, "head")] if by_head else words:
                holders.setdefault((response.entity[r][0], place), []).append(r)
    weights: dict[tuple[int, int], float] = {}
    for k, words in enumerate(key.words):
        if k in taken[0]:
            continue
        for place in [key.fact(k, "head")] if by_head else words:
            for r in holders.get((key.entity[k][0], place), ()):
                common = len(words & response.words[r])
                size = len(words) if by_head else (len(words) + len(response.words[r])) / 2
                weights[k, r] = common / size
    pairs = np.array(list(weights), dtype=np.int64).reshape(-1, 2)
    chosen = best_matching(pairs[:, 0], pairs[:, 1], list(weights.values()))
    near = {(int(k), int(r)) for k, r in pairs[chosen]}
    return sorted([*twins, *near]), near
