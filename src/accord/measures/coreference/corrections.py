"""What it takes to correct a response: classes of errors, and every single one.

The classes are those of Kummerfeld & Klein 2013 (Error-driven analysis of challenges in coreference
resolution), as steps in a fixed order from the response to the key: spans first, then what does not
belong is taken out and entities are split, then what is missing is added and the parts are merged.
Counts depend on no order. Deviations: the authors' program takes singletons as absent and counts
operations before it groups them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
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


def by_error(specification: Specification, paired: Paired) -> Listing:
    """How many errors of each class, and in how many documents."""
    found = by_correction(specification, paired)
    return [
        {
            "error": name,
            "count": sum(row["error"] == name for row in found),
            "documents": len({row["document"] for row in found if row["error"] == name}),
        }
        for name in CLASSES
    ]


def by_correction(specification: Specification, paired: Paired) -> Listing:
    """Every error: *span* a mention with other words than its twin; *extra* and *missing* what one
    side lacks; *conflated* a part of a response entity that belongs to another key entity than its
    largest part; *divided* a part of a key entity found in another response entity than its largest.
    """
    key, response = (
        _Side("key", paired.key, paired.table.documents),
        _Side("response", paired.response, paired.table.documents),
    )
    twins, near = _twins(paired, key, response)
    out = [
        {**key.row("span", [k]), "parts": [response.mentions([r])]}
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
                out.append(side.row(f"{extra} entity", members))
                continue
            out += [side.row(f"{extra} mention", [m]) for m in members if m not in partner]
            # the largest part stays, the earliest of equal ones
            stays = max(parts, key=lambda e: (len(parts[e]), -parts[e][0]))
            shown = [side.mentions(part) for part in parts.values()]
            out += [
                {**side.row(torn, part), "parts": shown} for e, part in parts.items() if e != stays
            ]
    order = {name: i for i, name in enumerate(paired.table.documents)}
    return sorted(out, key=lambda row: (order[row["document"]], CLASSES.index(row["error"])))


class _Side:
    """The mentions of one side, by row, and the rows of each entity."""

    def __init__(self, name: str, rows: Rows, documents: Sequence[str]) -> None:
        self.name = name
        # as the pair calls them: the two sides may have other names for one document
        self.documents = documents
        self.rows = rows
        chains = rows.chains
        self.where = rows.place.tolist()
        self.which = rows.mention.tolist()
        self.entity = list(zip(rows.document.tolist(), rows.entity.tolist(), strict=True))
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

    def row(self, error: str, rows: Sequence[int]) -> dict[str, Any]:
        first = rows[0]
        return {
            "document": self.documents[self.entity[first][0]],
            "error": error,
            "side": self.name,
            "entity": self.entity[first][1],
            "mentions": self.mentions(rows),
            "text": [self._text(i) for i in rows],
            "parts": [],
            "type": self.fact(first, "type"),
            "upos": self.fact(first, "upos"),
        }

    def _text(self, row: int) -> str | None:
        chains = self.rows.chains
        words = None if chains.words is None else chains.words[self.where[row]]
        mention = chains.mentions[self.where[row]][self.which[row]]
        if words is None or not isinstance(mention, tuple):
            return None
        parts = [
            " ".join(words[ceil(start) : ceil(end)])
            for start, end in zip(mention[::2], mention[1::2], strict=True)
        ]
        return " … ".join(part for part in parts if part) or "∅"


Pairs = list[tuple[int, int]]


def _twins(paired: Paired, key: _Side, response: _Side) -> tuple[Pairs, set[tuple[int, int]]]:
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
