"""Mentions that one annotator marked and nobody else: what agreement on chains cannot see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.data import Chains
from accord.measures.coreference.matching import words_of


def unmatched_mentions(data: Chains) -> list[dict[str, Any]]:
    """Each of them, in documents that several annotated, with the nearest mention of another.

    `overlap` is the Dice coefficient of the words of both, 0 where nothing overlaps. The nearest
    first among the mentions with the same overlap.

    >>> rows = unmatched_mentions(Chains.from_clusters(
    ...     {("d", "Ana"): [[(0, 3), (8, 9)]], ("d", "Ben"): [[(1, 3), (8, 9)]]}))
    >>> [(r["annotator"], r["text"], r["nearest_text"], r["overlap"]) for r in rows]
    [('Ana', '(0, 3)', '(1, 3)', 0.8), ('Ben', '(1, 3)', '(0, 3)', 0.8)]
    """
    seen = np.bincount([d for d, _ in data.coverage], minlength=len(data.documents))
    width = max(map(len, data.mentions), default=0) + 1
    code = data.document.astype(np.int64) * width + data.mention
    _, inverse, count = np.unique(code, return_inverse=True, return_counts=True)
    alone = (count[inverse.reshape(-1)] == 1) & (seen[data.document] > 1)
    out: list[dict[str, Any]] = []
    for d in np.unique(data.document[alone]).tolist():
        here = np.flatnonzero(data.document == d).tolist()
        words = {row: _words(data, d, int(data.mention[row])) for row in here}
        holders: dict[float, list[int]] = {}
        for row in here:
            for word in words[row]:
                holders.setdefault(word, []).append(row)
        out += [_row(data, d, row, words, holders) for row in here if alone[row]]
    return out


def _words(data: Chains, d: int, m: int) -> frozenset[float]:
    mention = data.mentions[d][m]
    fact: Mapping[str, Any] = {} if data.facts is None else data.facts[d][m]
    return words_of(mention, fact.get("empty", ())) if isinstance(mention, tuple) else frozenset()


def _row(
    data: Chains,
    d: int,
    row: int,
    words: Mapping[int, frozenset[float]],
    holders: Mapping[float, Sequence[int]],
) -> dict[str, Any]:
    own, m = words[row], int(data.mention[row])
    common: dict[int, int] = {}
    for word in own:
        for other in holders[word]:
            if data.annotator[other] != data.annotator[row]:
                common[other] = common.get(other, 0) + 1
    likeness = {o: 2 * n / (len(own) + len(words[o])) for o, n in common.items()}
    nearest = max(likeness, key=lambda o: (likeness[o], -o), default=None)
    return {
        "document": data.documents[d],
        "annotator": data.annotators[int(data.annotator[row])],
        "mention": data.mentions[d][m],
        "text": data.text(d, m),
        "nearest": None if nearest is None else data.mentions[d][int(data.mention[nearest])],
        "nearest_text": None if nearest is None else data.text(d, int(data.mention[nearest])),
        "nearest_by": None if nearest is None else data.annotators[int(data.annotator[nearest])],
        "overlap": 0.0 if nearest is None else likeness[nearest],
    }
