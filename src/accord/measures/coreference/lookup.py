"""Look-ups: how the official scorers find a mention's entity when it has several.

Scores come from one table as long as every mention is in one entity of a side. Where a span is in
two, the scorers differ in what they look up and where; and the CorefUD scorer 1.2 loses pairs of its
own alignment when zeros are matched by their dependencies. Both are tables with the look-ups of each
side in them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from accord.data import Chains
from accord.measures.coreference.contingency import Integers, Table, tabulate
from accord.measures.coreference.key_response import (
    Paired,
    Rows,
    counted_rows,
    paired_places,
    row_words,
)
from accord.measures.coreference.matching import identities, twin_mentions

#: first: in the entity opened first; conll: as the scorer 8.01; corefud: as the scorer 1.2
REPEATED = ("first", "conll", "corefud")
#: the CoNLL scorer refuses to score after so many removals
_MOST_REMOVED = 10

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Views:
    """What recall, precision and the alignment of entities are counted on."""

    #: entities of the key by where their mentions are found in the response, and the reverse
    recall: Table
    precision: Table
    #: entities by the mentions they hold
    members: Table
    #: all rows, and the response row that is looked up for each of the key
    paired: Paired
    #: copies that the CoNLL scorer takes out of a response
    removed: int = 0

    @property
    def warnings(self) -> list[str]:
        if self.removed <= _MOST_REMOVED:
            return []
        return [
            f"{self.removed} repeated mentions were taken out of the system's: the official scorer "
            f"refuses to score after {_MOST_REMOVED}"
        ]


def has_copies(paired: Paired) -> bool:
    """Whether a mention is in several entities of a side."""
    return paired.key.chains.copies is not None or paired.response.chains.copies is not None


@lru_cache(maxsize=4)
def views(paired: Paired, repeated: str, *, official: bool = False) -> Views:
    """The tables of a rule for repeated mentions, or with the look-ups of the CorefUD scorer 1.2.

    The official ones differ where zeros are matched by dependency: it keeps its alignment in one
    dictionary for both directions, by place, so that a chain of moved zeros overwrites itself.
    """
    key, response = (
        _members(paired, rows, paired.where[:, side], repeated)
        for side, rows in enumerate((paired.key, paired.response))
    )
    pairs = _pairs(paired, key, response)
    removed = 0
    if repeated == "conll":
        taken = {r for _, r in pairs}
        keep = ~_again(response) | ~np.array([m in taken for m in _places(response)], dtype=bool)
        removed = int((~keep).sum())
        response = response.only(keep)
    forward, backward, anaphors = pairs, [(r, k) for k, r in pairs], pairs
    if official:
        forward, backward, anaphors = _official(paired, key, response, pairs)
    rank = [_ranks(rows, repeated) for rows in (key, response)]
    last = [_last(rows, own) for rows, own in zip((key, response), rank, strict=True)]
    sides = ((key.document, key.entity), (response.document, response.entity))
    names = paired.table.documents
    seen = _looked(key, dict(forward), last[1])
    back = _looked(response, dict(backward), last[0])
    members = tabulate(names, *sides, _everywhere(key, response, dict(forward)))
    recall = tabulate(names, *sides, seen)
    precision = tabulate(names, *sides, back[::-1])
    if repeated == "conll":
        precision = replace(precision, common=_at(precision, members))
        recall = precision
    return Views(
        recall=recall,
        precision=precision,
        members=members,
        paired=replace(
            paired,
            key=key,
            response=response,
            twins=_looked(key, dict(anaphors), last[1]),
            table=recall,
        ),
        removed=removed,
    )


def _members(paired: Paired, rows: Rows, where: Integers, repeated: str) -> Rows:
    """The rows of a side with the copies of its mentions, ordered by document and mention."""
    chains = rows.chains
    copies = chains.copies
    if copies is None or repeated == "first":
        return rows
    found = np.concatenate(
        [np.stack([chains.document, chains.mention, chains.entity]), copies[:, [0, 2, 3]].T], axis=1
    ).astype(np.int64)
    if repeated == "corefud":
        # identical mentions of one entity count once
        found = np.unique(found, axis=1)
    found = found[:, np.lexsort(found[::-1])]
    whole = Rows(
        chains=chains,
        document=paired_places(chains, where)[found[0]],
        place=found[0],
        mention=found[1],
        entity=found[2],
    )
    return counted_rows(whole, paired.drop_singletons, paired.rule.zeros == "drop")


def _places(rows: Rows) -> list[int]:
    """Each row's mention, numbered over all documents of the table."""
    start = _starts(rows.chains)
    return (start[rows.place] + rows.mention).tolist()  # type: ignore[no-any-return]


def _starts(chains: Chains) -> Integers:
    return np.concatenate([[0], np.cumsum([len(m) for m in chains.mentions], dtype=np.int64)])


def _again(rows: Rows) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Whether a row repeats the mention of the row before."""
    place = np.array(_places(rows), dtype=np.int64)
    again = np.zeros(len(place), dtype=bool)
    again[1:] = place[1:] == place[:-1]
    return again


def _pairs(paired: Paired, key: Rows, response: Rows) -> Pairs:
    """Mentions (numbers over all documents) of the key and the response that are the same."""
    found: Pairs = []
    starts = _starts(key.chains), _starts(response.chains)
    present = []
    for rows, start in zip((key, response), starts, strict=True):
        mask = np.zeros(int(start[-1]), dtype=bool)
        mask[np.array(_places(rows), dtype=np.int64)] = True
        present.append(mask)
    for d, e in paired.where.tolist():
        if d >= 0 and e >= 0:
            twins = twin_mentions(
                key.chains,
                d,
                present[0][starts[0][d] : starts[0][d + 1]],
                response.chains,
                e,
                present[1][starts[1][e] : starts[1][e + 1]],
                paired.rule,
            )
            ours, theirs = twins.key + starts[0][d], twins.response + starts[1][e]
            found += list(zip(ours.tolist(), theirs.tolist(), strict=True))
    return found


def _official(
    paired: Paired, key: Rows, response: Rows, pairs: Pairs
) -> tuple[Pairs, Pairs, Pairs]:
    """What the CorefUD scorer 1.2 looks up: for the key, for the response, and for zero anaphors."""
    names: list[dict[int, Any]] = []
    for side, rows in enumerate((key, response)):
        chains = rows.chains
        start = _starts(chains)
        known = {d: identities(chains, d, paired.rule) for d in set(rows.place.tolist())}
        table = {number: t for t, number in enumerate(paired.where[:, side].tolist())}
        names.append(
            {
                int(start[d]) + m: (table[d], known[d][m])
                for d, m in zip(rows.place.tolist(), rows.mention.tolist(), strict=True)
            }
        )
    ours, theirs = names
    kept = {ours[k]: theirs[r] for k, r in pairs if ours[k] != theirs[r]}
    kept |= {theirs[r]: ours[k] for k, r in pairs if ours[k] != theirs[r]}
    find_ours, find_theirs = ({name: m for m, name in own.items()} for own in names)

    def images(own: dict[int, Any], there: dict[Any, int], *, place_first: bool = False) -> Pairs:
        found = []
        for m, name in own.items():
            image = name if place_first and name in there else kept.get(name, name)
            if image in there:
                found.append((m, there[image]))
        return found

    return (
        images(ours, find_theirs),
        images(theirs, find_ours),
        images(ours, find_theirs, place_first=True),
    )


def _ranks(rows: Rows, repeated: str) -> Integers:
    """The order of the entities within their documents, for each row."""
    if repeated != "corefud" or rows.chains.copies is None:
        return rows.entity
    size = [(min(words), -len(words), max(words)) for words in row_words(rows)]
    first: dict[tuple[int, int], tuple[Any, ...]] = {}
    for d, e, span in zip(rows.place.tolist(), rows.entity.tolist(), size, strict=True):
        called = (rows.chains.names or {}).get((d, 0))
        place = (*span, called[e] if called is not None else f"{e:09d}")
        first[d, e] = min(first.get((d, e), place), place)
    order = {entity: i for i, entity in enumerate(sorted(first, key=first.__getitem__))}
    where = zip(rows.place.tolist(), rows.entity.tolist(), strict=True)
    return np.array([order[entity] for entity in where], dtype=np.int64)


def _last(rows: Rows, rank: Integers) -> dict[int, int]:
    """For each mention, the row of the last entity that has it."""
    found: dict[int, int] = {}
    for i, m in enumerate(_places(rows)):
        if m not in found or rank[found[m]] <= rank[i]:
            found[m] = i
    return found


def _looked(rows: Rows, image: dict[int, int], last: dict[int, int]) -> tuple[Integers, Integers]:
    """Rows of a side, and the row that is looked up for each on the other."""
    found = [
        (i, last[image[m]]) for i, m in enumerate(_places(rows)) if m in image and image[m] in last
    ]
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _everywhere(key: Rows, response: Rows, image: dict[int, int]) -> tuple[Integers, Integers]:
    """All pairs of rows that hold the same mention."""
    held: dict[int, list[int]] = {}
    for j, m in enumerate(_places(response)):
        held.setdefault(m, []).append(j)
    found = [
        (i, j) for i, m in enumerate(_places(key)) if m in image for j in held.get(image[m], ())
    ]
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _at(cells: Table, members: Table) -> Integers:
    """The mentions in common at the cells of another table."""
    width = max(1, len(members.response.size))
    code = members.row * width + members.column
    return members.count[np.searchsorted(code, cells.row * width + cells.column)]
