"""Where a response goes wrong: by entity, by entity size, by type of mention."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.errors import UsageError
from accord.measures.coreference.contingency import Integers
from accord.measures.coreference.corrections import (
    by_correction,
    by_error,
    errors_by,
    size_class,
    size_name,
)
from accord.measures.coreference.key_response import Paired, Rows
from accord.measures.coreference.specification import Specification

Listing = Sequence[Mapping[str, Any]]


def by_entity(specification: Specification, paired: Paired) -> Listing:
    """Every entity that is not exactly reproduced, and what happened to it.

    *missing*: a key entity none of whose mentions the response has; *split*: a key entity in
    several response entities; *merged*: a response entity with mentions of several key entities;
    *spurious*: a response entity none of whose mentions the key has; *incomplete* and *extended*:
    an entity that only lost or gained mentions.
    """
    table = paired.table
    key_mentions, response_mentions = _members(paired.key), _members(paired.response)
    key_texts, response_texts = _texts(paired.key), _texts(paired.response)
    partners: list[list[int]] = [[] for _ in key_mentions]
    sources: list[list[int]] = [[] for _ in response_mentions]
    for k, r in zip(table.row.tolist(), table.column.tolist(), strict=True):
        partners[k].append(r)
        sources[r].append(k)
    rows: list[dict[str, Any]] = []
    for side, members, links, others, texts, their_texts in (
        ("key", key_mentions, partners, response_mentions, key_texts, response_texts),
        ("response", response_mentions, sources, key_mentions, response_texts, key_texts),
    ):
        entities = table.key if side == "key" else table.response
        for e, mentions in enumerate(members):
            error = _error(side, len(links[e]), int(entities.size[e]), int(entities.shared[e]))
            if error is None:
                continue
            rows.append(
                {
                    "document": table.documents[int(entities.document[e])],
                    "error": error,
                    "side": side,
                    "entity": e,
                    "size": len(mentions),
                    "pieces": len(links[e]),
                    "unmatched": int(entities.size[e] - entities.shared[e]),
                    "mentions": mentions,
                    "text": texts[e],
                    "others": [others[o] for o in links[e]],
                    "others_text": [their_texts[o] for o in links[e]],
                }
            )
    return sorted(
        rows, key=lambda r: (table.documents.index(r["document"]), r["side"], r["entity"])
    )


def by_size(specification: Specification, paired: Paired) -> Listing:
    """The score of entities of each size: recall over the key's, precision over the response's."""
    if not specification.parts:
        raise UsageError(
            f"{specification.name} is not a sum over entities and has no breakdown by size; "
            "muc, b3, ceaf-m, ceaf-e, lea and conll have one"
        )
    table = paired.table
    key_class, response_class = _size_class(table.key.size), _size_class(table.response.size)
    rows = []
    for c in sorted({*key_class.tolist(), *response_class.tolist()}):
        k, r = key_class == c, response_class == c
        found = []
        for parts in specification.parts:
            p = parts(table)
            found.append(
                _shares(
                    p.recalled[k].sum(),
                    p.recallable[k].sum(),
                    p.precise[r].sum(),
                    p.claimed[r].sum(),
                )
            )
        rows.append(
            {
                "size": size_name(c),
                "key_entities": int(k.sum()),
                "response_entities": int(r.sum()),
                **{name: float(np.mean([f[name] for f in found])) for name in ("R", "P", "F")},
            }
        )
    return rows


def by_fact(fact: str) -> Callable[[Specification, Paired], Listing]:
    """Breakdown by a fact about mentions (type, upos): found mentions, and B³ over them."""

    def listing(specification: Specification, paired: Paired) -> Listing:
        table = paired.table
        recall = _agreement_per_mention(paired, table.key.size, paired.key, 0)
        precision = _agreement_per_mention(paired, table.response.size, paired.response, 1)
        kinds = [_facts(side, fact) for side in (paired.key, paired.response)]
        if all(kind is None for side in kinds for kind in side):
            raise UsageError(
                f"the mentions have no {fact!r}: the breakdown needs a format that gives it, "
                "as CorefUD does"
            )
        found = [np.zeros(len(side.mention), dtype=bool) for side in (paired.key, paired.response)]
        for side in (0, 1):
            found[side][paired.twins[side]] = True
        rows = []
        for kind in sorted({k for side in kinds for k in side if k is not None}):
            masks = [np.array([k == kind for k in side], dtype=bool) for side in kinds]
            scores = _shares(
                recall[masks[0]].sum(), masks[0].sum(), precision[masks[1]].sum(), masks[1].sum()
            )
            rows.append(
                {
                    fact: kind,
                    "key_mentions": int(masks[0].sum()),
                    "found": int((found[0] & masks[0]).sum()),
                    "response_mentions": int(masks[1].sum()),
                    "spurious": int((~found[1] & masks[1]).sum()),
                    **{f"B3_{name}": scores[name] for name in ("R", "P", "F")},
                }
            )
        return rows

    return listing


DETAILS: Mapping[str, Callable[[Specification, Paired], Listing]] = {
    "entity": by_entity,
    "error": by_error,
    "error-document": errors_by("document"),
    "error-type": errors_by("type"),
    "error-size": errors_by("size"),
    "correction": by_correction,
    "size": by_size,
    "type": by_fact("type"),
    "upos": by_fact("upos"),
}


def _shares(tp_r: float, all_r: float, tp_p: float, all_p: float) -> dict[str, float]:
    """R, P and F of a part of the entities; NaN where that part is empty on a side."""
    R = tp_r / all_r if all_r else math.nan
    P = tp_p / all_p if all_p else math.nan
    return {"R": float(R), "P": float(P), "F": float(2 * R * P / (R + P) if R + P else R + P)}


def _error(side: str, pieces: int, size: int, shared: int) -> str | None:
    if shared == 0:
        return "missing" if side == "key" else "spurious"
    if pieces > 1:
        return "split" if side == "key" else "merged"
    if shared < size:
        return "incomplete" if side == "key" else "extended"
    return None


def _entity_numbers(rows: Rows) -> Integers:
    """The number that the table gives to the entity of each row."""
    width = int(rows.entity.max(initial=0)) + 1
    _, number = np.unique(rows.document * width + rows.entity, return_inverse=True)
    numbers: Integers = number.reshape(-1).astype(np.int64)
    return numbers


def _members(rows: Rows) -> list[list[Any]]:
    number = _entity_numbers(rows)
    members: list[list[Any]] = [[] for _ in range(int(number.max(initial=-1)) + 1)]
    chains = rows.chains
    where, which = rows.place.tolist(), rows.mention.tolist()
    for e, d, m in zip(number.tolist(), where, which, strict=True):
        members[e].append(chains.mentions[d][m])
    return members


def _texts(rows: Rows) -> list[list[str | None]]:
    """The words of the mentions of each entity, None where they are not known."""
    number = _entity_numbers(rows)
    texts: list[list[str | None]] = [[] for _ in range(int(number.max(initial=-1)) + 1)]
    chains = rows.chains
    for e, d, m in zip(number.tolist(), rows.place.tolist(), rows.mention.tolist(), strict=True):
        known = chains.words is not None and chains.words[d] is not None
        texts[e].append(chains.text(d, m) if known else None)
    return texts


def _agreement_per_mention(
    paired: Paired, size: Integers, rows: Rows, side: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """|K(m)∩R(m)| / |own entity of m| for each mention of a side; 0 without a twin."""
    table = paired.table
    key, response = _entity_numbers(paired.key), _entity_numbers(paired.response)
    width = max(1, len(table.response.size))
    code = key[paired.twins[0]] * width + response[paired.twins[1]]
    cell = np.searchsorted(table.row * width + table.column, code)
    share = np.zeros(len(rows.mention))
    own = (key, response)[side][paired.twins[side]]
    share[paired.twins[side]] = table.count[cell] / size[own]
    return share


def _facts(rows: Rows, fact: str) -> list[str | None]:
    chains = rows.chains
    if chains.facts is None:
        return [None] * len(rows.mention)
    where, which = rows.place.tolist(), rows.mention.tolist()
    return [chains.facts[d][m].get(fact) for d, m in zip(where, which, strict=True)]


def _size_class(size: Integers) -> Integers:
    return np.array([size_class(int(n)) for n in size], dtype=np.int64)
