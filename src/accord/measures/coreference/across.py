"""Entities that cross documents: the documents of a topic, or of the corpus, taken as one.

A mention is then (document, words), an entity may have mentions in several documents, and every score
is as it is, summed over the groups. Documents are laid one after the other, so that the matching of
mentions stays within each.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import ceil
from typing import Any

from accord.data import Chains
from accord.data.chains import Mention, mention_text
from accord.errors import InputError, UsageError, some

#: all documents are one
CORPUS = "corpus"


@lru_cache(maxsize=2)
def across_documents(
    reference: Chains, system: Chains, across: str, missing_documents: str = "error"
) -> tuple[Chains, Chains]:
    """Both sides with the documents of each group as one.

    `across` is ``corpus``, or a column that says the group of each document (its topic).

    >>> key = Chains.from_clusters(
    ...     {("d", "k"): [[(0, 1)]], ("e", "k"): [[(0, 1)], [(2, 3)]]},
    ...     names={("d", "k"): ["storm"], ("e", "k"): ["storm", "flood"]}, lengths={"d": 4, "e": 4},
    ... )
    >>> whole, _ = across_documents(key, key, "corpus")
    >>> whole.documents, whole.clusters(0, 0)
    (('corpus',), [[(0, 1), (4, 5)], [(6, 7)]])
    """
    sides = (reference, system)
    documents = sorted({d for side in sides for d in side.documents})
    if missing_documents == "error":
        for name, side in zip(("reference", "system"), sides, strict=True):
            if lacking := [d for d in documents if d not in side.documents]:
                raise InputError(
                    f"the {name} lacks {some(lacking, 3)}",
                    hint="score the same documents, or count missing documents as empty "
                    "(`missing_documents=empty`)",
                )
    group = _groups(sides, documents, across)
    size = {d: _length(sides, d) for d in documents}
    start: dict[str, int] = {}
    filled: dict[str, int] = {}
    for d in documents:
        start[d] = filled.get(group[d], 0)
        filled[group[d]] = start[d] + size[d]
    return _as_one(reference, group, start, size), _as_one(system, group, start, size)


def _groups(sides: tuple[Chains, ...], documents: list[str], across: str) -> dict[str, str]:
    if across == CORPUS:
        return dict.fromkeys(documents, CORPUS)
    found: dict[str, str] = {}
    columns: dict[str, None] = {}
    for side in sides:
        columns |= dict.fromkeys(side.groups or {})
        for d, value in zip(side.documents, (side.groups or {}).get(across, ()), strict=False):
            if value is not None and found.setdefault(d, value) != value:
                raise InputError(
                    f"document {d!r} has the {across} {found[d]!r} on one side and {value!r} on the "
                    "other"
                )
    if not found:
        raise UsageError(
            f"`across` must be {CORPUS} or a column of the documents"
            f"{' (' + ', '.join(columns) + ')' if columns else ', which these data lack'}, "
            f"got {across!r}"
        )
    if lacking := [d for d in documents if d not in found]:
        raise InputError(f"{some(lacking, 3)} has no {across}", hint="give every document one")
    return found


def _length(sides: tuple[Chains, ...], document: str) -> int:
    """The tokens of a document: as known, else up to the last mention of either side."""
    last = 0
    for side in sides:
        if document not in side.documents:
            continue
        d = side.documents.index(document)
        if side.lengths is not None and (known := side.lengths[d]) is not None:
            return known
        ends = [m[-1] for m in side.mentions[d] if isinstance(m, tuple) and m]
        last = max([last, *(ceil(end) for end in ends)])
    return last


def _as_one(
    chains: Chains, group: Mapping[str, str], start: Mapping[str, int], size: Mapping[str, int]
) -> Chains:
    """One side laid out anew; entities of one name are one."""
    entities: dict[tuple[str, str], dict[str, list[Mention]]] = {}
    facts: dict[tuple[str, Mention], dict[str, Any]] = {}
    for d, a in sorted(chains.coverage):
        name, who = chains.documents[d], chains.annotators[a]
        called = chains.entity_names(d, a)
        found = entities.setdefault((group[name], who), {})
        clusters = chains.clusters(d, a, repeated=True)
        if called is None and clusters:
            raise InputError(
                f"the entities of document {name!r} have no names that hold in other documents",
                hint="`across` needs a table with the column entity, mentions [document, start, "
                "end] in JSON, or files whose entities are named",
            )
        for entity, mentions in zip(called or (), clusters, strict=True):
            found.setdefault(entity, []).extend(_moved(m, name, start[name]) for m in mentions)
    for d, name in enumerate(chains.documents):
        for mention, fact in zip(
            chains.mentions[d], () if chains.facts is None else chains.facts[d], strict=False
        ):
            place = (group[name], _moved(mention, name, start[name]))
            facts[place] = _moved_fact(fact, name, start[name])
    lengths: dict[str, int] = {}
    for name, own in group.items():
        lengths[own] = lengths.get(own, 0) + size[name]
    return Chains.from_clusters(
        {key: list(found.values()) for key, found in entities.items()},
        facts=facts if chains.facts is not None else None,
        words=_words(chains, group, start),
        lengths=lengths,
        notes=[note for note in chains.notes if "`across`" not in note],
    )


def _words(
    chains: Chains, group: Mapping[str, str], start: Mapping[str, int]
) -> dict[str, list[str]] | None:
    """The tokens of each group whose documents all have theirs."""
    if chains.words is None:
        return None
    found: dict[str, list[str]] = {}
    own = dict(zip(chains.documents, chains.words, strict=True))
    lacking = {group[d] for d in group if own.get(d) is None}
    for name in sorted(group, key=lambda d: (group[d], start[d])):
        if group[name] not in lacking:
            found.setdefault(group[name], []).extend(own[name] or ())
    return found or None


def _moved(mention: Mention, document: str, by: int) -> Mention:
    if isinstance(mention, tuple):
        return tuple(_along(x, by) for x in mention)
    return f"{document}: {mention_text(mention, None)}"


def _moved_fact(fact: Mapping[str, Any], document: str, by: int) -> dict[str, Any]:
    moved = dict(fact)
    if "head" in moved:
        moved["head"] = _along(moved["head"], by)
    if "empty" in moved:
        moved["empty"] = tuple(_along(x, by) for x in moved["empty"])
    if "deps" in moved:
        moved["deps"] = tuple((_along(p, by) if p >= 0 else p, r) for p, r in moved["deps"])
    if "sentence" in moved:
        moved["sentence"] = (document, moved["sentence"])
    return moved


def _along(place: float, by: int) -> float:
    """A place further on; places of empty nodes have four decimals."""
    return place + by if isinstance(place, int) else round(place + by, 4)
