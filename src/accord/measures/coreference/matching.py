"""When are a mention of the key and a mention of the response the same mention?"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Chains
from accord.data.chains import Mention
from accord.errors import InputError
from accord.measures.coreference.contingency import Integers

#: exact: the same offsets (or name); head: the same head word; partial: a response mention inside
#: the key's and containing its head (CorefUD)
MATCHINGS = ("exact", "head", "partial")

Mask = NDArray[np.bool_]


def twin_mentions(
    ours: Chains, d: int, in_key: Mask, theirs: Chains, e: int, in_response: Mask, matching: str
) -> tuple[Integers, Integers]:
    """Mentions (numbers) of document d of the key and e of the response that are the same.

    One-to-one. Exact twins are paired first; the inexact rules then pair what is left, the largest
    overlap first (Nedoluzhko et al. 2022; Žabokrtský et al. 2022, CRAC shared task).
    """
    exact = _exact(ours.mentions[d], in_key, theirs.mentions[e], in_response)
    if matching == "exact":
        return exact
    left = _rest(ours, d, in_key, exact[0])
    right = _rest(theirs, e, in_response, exact[1])
    candidates: list[tuple[int, int, int, int]] = []
    if matching == "head":
        by_head: dict[Any, list[tuple[int, frozenset[Any]]]] = {}
        for j, words, head in right:
            by_head.setdefault(head, []).append((j, words))
        for i, words, head in left:
            for j, others in by_head.get(head, ()):
                common = len(words & others)
                candidates.append((-common, len(words ^ others), i, j))
    else:
        by_word: dict[Any, list[tuple[int, frozenset[Any]]]] = {}
        for j, words, _ in right:
            for word in words:
                by_word.setdefault(word, []).append((j, words))
        for i, words, head in left:
            for j, others in by_word.get(head, ()):
                if others <= words:
                    candidates.append((-len(others), len(words ^ others), i, j))
    taken_i: set[int] = set()
    taken_j: set[int] = set()
    for _, _, i, j in sorted(candidates):
        if i not in taken_i and j not in taken_j:
            taken_i.add(i)
            taken_j.add(j)
            exact = (np.append(exact[0], i), np.append(exact[1], j))
    return exact


def words_of(mention: Mention) -> frozenset[Any]:
    """Token positions that a mention (start, end[, start, end …]) covers."""
    if not isinstance(mention, tuple) or len(mention) % 2:
        raise InputError(
            f"mention {mention!r} has no offsets, which head and partial matching need",
            hint="use matching=exact",
        )
    words: set[Any] = set()
    for start, end in zip(mention[::2], mention[1::2], strict=True):
        if start == int(start) and end == int(end):
            words.update(range(int(start), int(end)))
        else:
            words.add(start)
    return frozenset(words)


def _exact(
    ours: tuple[Mention, ...], in_key: Mask, theirs: tuple[Mention, ...], in_response: Mask
) -> tuple[Integers, Integers]:
    if ours is theirs or ours == theirs:
        both = np.nonzero(in_key & in_response)[0]
        return both, both
    place = {mention: i for i, mention in enumerate(ours)}
    j = np.nonzero(in_response)[0]
    i = np.fromiter((place.get(theirs[k], -1) for k in j.tolist()), dtype=np.int64, count=len(j))
    good = i >= 0
    good[good] = in_key[i[good]]
    return i[good], j[good]


def _rest(
    chains: Chains, d: int, present: Mask, matched: Integers
) -> list[tuple[int, frozenset[Any], Any]]:
    """Mentions not matched yet: number, words, head."""
    if chains.facts is None:
        raise InputError(
            "the mentions have no heads, which head and partial matching need",
            hint="use CorefUD files, or matching=exact",
        )
    wanted = present.copy()
    wanted[matched] = False
    rest = []
    for i in np.nonzero(wanted)[0].tolist():
        mention = chains.mentions[d][i]
        head = chains.facts[d][i].get("head")
        if head is None:
            raise InputError(
                f"mention {mention!r} of document {chains.documents[d]!r} has no head",
                hint="use matching=exact",
            )
        rest.append((i, words_of(mention), head))
    return rest
