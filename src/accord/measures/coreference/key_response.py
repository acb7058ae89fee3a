"""Key and response side by side: the same documents, the same words, the same mentions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Chains
from accord.errors import InputError, UsageError, some
from accord.measures.coreference.contingency import Integers, Table, tabulate
from accord.measures.coreference.matching import (
    MATCHINGS,
    ZEROS,
    Rule,
    is_zero,
    twin_mentions,
    words_of,
)

#: the words of both sides: the same, or only as many
WORDS = ("same", "ignore")
#: what to do with a document that one side lacks
MISSING = ("error", "empty")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rows:
    """The mentions of one side that count, one row each; one per entity with copies."""

    chains: Chains
    #: index into the paired documents, and into those of `chains`
    document: Integers
    place: Integers
    mention: Integers
    entity: Integers

    def only(self, keep: NDArray[np.bool_]) -> Rows:
        """Some of the rows."""
        return Rows(
            chains=self.chains,
            document=self.document[keep],
            place=self.place[keep],
            mention=self.mention[keep],
            entity=self.entity[keep],
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Paired:
    """Both sides, which mentions are the same, and the table of their entities."""

    key: Rows
    response: Rows
    #: rows of `key` and of `response` that are the same mention
    twins: tuple[Integers, Integers]
    table: Table
    warnings: tuple[str, ...]
    rule: Rule
    #: for each document of the table, its number in the key and in the response (-1: it has none)
    where: Integers
    drop_singletons: bool = False


# one pair of files is usually scored by several measures: the last tables are kept at hand
@lru_cache(maxsize=2)
def pair(
    reference: Chains,
    system: Chains,
    *,
    drop_singletons: bool = False,
    matching: str = "exact",
    zeros: str = "linear",
    first_heads: bool = False,
    words: str = "same",
    missing_documents: str = "error",
) -> Paired:
    """Pair the documents and mentions of two annotations and tabulate their entities."""
    if matching not in MATCHINGS:
        raise UsageError(f"the matching must be one of {', '.join(MATCHINGS)}, got {matching!r}")
    if zeros not in ZEROS:
        raise UsageError(f"the zeros must be one of {', '.join(ZEROS)}, got {zeros!r}")
    if words not in WORDS:
        raise UsageError(f"the words must be one of {', '.join(WORDS)}, got {words!r}")
    if missing_documents not in MISSING:
        raise UsageError(
            f"missing documents must be one of {', '.join(MISSING)}, got {missing_documents!r}"
        )
    for side, chains in (("reference", reference), ("system", system)):
        if len(chains.annotators) > 1:
            raise InputError(
                f"the {side} has {len(chains.annotators)} annotators ({some(chains.annotators)})",
                hint="choose one of them",
            )
    names, where, renamed = _documents(reference, system, missing_documents)
    differing = [
        said
        for name, (d, e) in zip(names, where, strict=True)
        if d >= 0 and e >= 0 and (said := _differing(name, reference, d, system, e, words))
    ]
    if differing:
        renamed.append(
            f"{len(differing)} of {len(names)} documents have other words in the system; the first: "
            f"{differing[0]}"
        )
    rule = Rule(matching, zeros, first_heads)
    key = _rows(reference, where[:, 0], drop_singletons, zeros == "drop")
    response = _rows(system, where[:, 1], drop_singletons, zeros == "drop")
    twins, remarks = _twins(key, response, where, rule)
    return Paired(
        key=key,
        response=response,
        twins=twins,
        table=tabulate(
            names, (key.document, key.entity), (response.document, response.entity), twins
        ),
        warnings=tuple(dict.fromkeys([*renamed, *reference.notes, *system.notes, *remarks])),
        rule=rule,
        where=where,
        drop_singletons=drop_singletons,
    )


def row_words(rows: Rows) -> list[frozenset[float]]:
    """The words of each mention of a side."""
    chains = rows.chains
    where, which = rows.place.tolist(), rows.mention.tolist()
    return [
        words_of(
            chains.mentions[d][m],
            () if chains.facts is None else chains.facts[d][m].get("empty", ()),
            need="their overlap",
        )
        for d, m in zip(where, which, strict=True)
    ]


def plain_name(document: str) -> str:
    """A document's name without the parentheses and part number of CoNLL-2012, when it is part 0.

    >>> plain_name("(bc/cctv); part 000"), plain_name("(bc/cctv); part 002"), plain_name("x")
    ('bc/cctv', 'bc/cctv; part 2', 'x')
    """
    found = re.fullmatch(r"\((.*)\)(?:; part (\d+))?", document)
    if found is None:
        return document
    part = int(found[2] or 0)
    return f"{found[1]}; part {part}" if part else found[1]


def _documents(
    reference: Chains, system: Chains, missing: str
) -> tuple[list[str], NDArray[np.int64], list[str]]:
    """Names of the documents of both sides, where each side has them (-1: nowhere), and remarks."""
    ours, theirs = list(reference.documents), list(system.documents)
    if set(ours) != set(theirs):
        short_ours, short_theirs = ([plain_name(d) for d in side] for side in (ours, theirs))
        if len(set(short_ours)) == len(ours) and len(set(short_theirs)) == len(theirs):
            ours, theirs = short_ours, short_theirs
    remarks: list[str] = []
    if len(ours) == len(theirs) == 1 and ours != theirs and _one_text(reference, system):
        remarks = [f"document {theirs[0]!r} of the system has the words of {ours[0]!r}: paired"]
        theirs = ours
    place_ours = {d: i for i, d in enumerate(ours)}
    place_theirs = {d: i for i, d in enumerate(theirs)}
    lacking = [d for d in ours if d not in place_theirs]
    extra = [d for d in theirs if d not in place_ours]
    if missing == "error" and (lacking or extra):
        parts = [
            f"the {side} lacks {some(absent, 3)}"
            for side, absent in (("system", lacking), ("reference", extra))
            if absent
        ]
        raise InputError(
            "; ".join(parts),
            hint="score the same documents, or count missing documents as empty "
            "(`missing_documents=empty`)",
        )
    names = [*ours, *extra]
    where = np.array(
        [(place_ours.get(d, -1), place_theirs.get(d, -1)) for d in names], dtype=np.int64
    ).reshape(-1, 2)
    return names, where, remarks


def _one_text(reference: Chains, system: Chains) -> bool:
    """Both sides are the same single text, whatever it is called."""
    ours, theirs = reference.words, system.words
    return ours is not None and theirs is not None and ours[0] is not None and ours[0] == theirs[0]


def _differing(
    name: str, reference: Chains, d: int, system: Chains, e: int, words: str
) -> str | None:
    """Where the words differ; an error unless they may: offsets mean the same over the same tokens."""
    said = None
    ours = None if reference.words is None else reference.words[d]
    theirs = None if system.words is None else system.words[e]
    n_ours = None if reference.lengths is None else reference.lengths[d]
    n_theirs = None if system.lengths is None else system.lengths[e]
    hint = "score files of the same tokenisation"
    if ours is not None and theirs is not None and ours is not theirs and ours != theirs:
        for i, (a, b) in enumerate(zip(ours, theirs, strict=False)):
            if a != b:
                said = f"document {name!r}: token {i} is {a!r} in the reference and {b!r} in the system"
                break
    if said is not None and words == "same":
        raise InputError(said, hint=f"{hint}, or compare their number only (`words=ignore`)")
    if n_ours is not None and n_theirs is not None and n_ours != n_theirs:
        raise InputError(
            f"document {name!r} has {n_ours} tokens in the reference and {n_theirs} in the system",
            hint=hint,
        )
    return said


def _rows(
    chains: Chains, where: NDArray[np.int64], drop_singletons: bool, drop_zeros: bool
) -> Rows:
    """Rows of one side in the order of the paired documents."""
    own = chains.document.astype(np.int64)
    rows = Rows(
        chains=chains,
        document=paired_places(chains, where)[own],
        place=own,
        mention=chains.mention.astype(np.int64),
        entity=chains.entity.astype(np.int64),
    )
    return counted_rows(rows, drop_singletons, drop_zeros)


def paired_places(chains: Chains, where: NDArray[np.int64]) -> Integers:
    """For each document of a side, its number in the table."""
    place = np.full(max(1, len(chains.documents)), -1, dtype=np.int64)
    present = where >= 0
    place[where[present]] = np.nonzero(present)[0]
    return place


def counted_rows(rows: Rows, drop_singletons: bool, drop_zeros: bool) -> Rows:
    """The rows that are left without singletons, then without zeros."""
    if drop_singletons and len(rows.mention):
        code = rows.place * (int(rows.entity.max()) + 1) + rows.entity
        _, inverse, size = np.unique(code, return_inverse=True, return_counts=True)
        rows = rows.only(size[inverse.reshape(-1)] > 1)
    facts = rows.chains.facts
    if drop_zeros and facts is not None:
        # after the singletons: an entity of a zero and a word is one of a word, and stays
        where, which = rows.place.tolist(), rows.mention.tolist()
        zero = [is_zero(facts[d][m]) for d, m in zip(where, which, strict=True)]
        rows = rows.only(~np.array(zero, dtype=bool))
    return rows


def _twins(
    key: Rows, response: Rows, where: NDArray[np.int64], rule: Rule
) -> tuple[tuple[Integers, Integers], list[str]]:
    """Rows of the key and of the response that are the same mention, and what to say of them."""
    ours, theirs = key.chains, response.chains
    start_ours = _starts(ours)
    start_theirs = _starts(theirs)
    row_ours = _row_of_mention(key, start_ours)
    row_theirs = _row_of_mention(response, start_theirs)
    if ours.mentions is theirs.mentions and rule.matching == "exact" and rule.zeros != "dependent":
        both = (row_ours >= 0) & (row_theirs >= 0)
        return (row_ours[both], row_theirs[both]), []
    first: list[Any] = []
    second: list[Any] = []
    tied = unattached = 0
    for d, e in where.tolist():
        if d < 0 or e < 0:
            continue
        here = row_ours[start_ours[d] : start_ours[d + 1]]
        there = row_theirs[start_theirs[e] : start_theirs[e + 1]]
        twins = twin_mentions(ours, d, here >= 0, theirs, e, there >= 0, rule)
        first.append(here[twins.key])
        second.append(there[twins.response])
        tied += twins.tied
        unattached += twins.unattached
    remarks = []
    if tied:
        remarks.append(
            f"{tied} of {len(where)} documents have several best assignments of mentions: the "
            "official value depends on the order of an assignment there"
        )
    if unattached:
        remarks.append(
            f"{unattached} zeros have no dependencies (DEPS): they are matched by their place"
        )
    empty = np.empty(0, dtype=np.int64)
    return (np.concatenate([empty, *first]), np.concatenate([empty, *second])), remarks


def _starts(chains: Chains) -> Integers:
    return np.concatenate([[0], np.cumsum([len(m) for m in chains.mentions], dtype=np.int64)])


def _row_of_mention(rows: Rows, start: Integers) -> Integers:
    """For each mention of each document, the row that holds it, or -1."""
    found = np.full(int(start[-1]), -1, dtype=np.int64)
    found[start[rows.place] + rows.mention] = np.arange(len(rows.mention))
    return found
