"""Heads of mentions from constituent trees, for files that have trees and no heads.

A tree is written one bracketed piece per word, as in CoNLL-2012: ``(NP(NP*``, ``*)``. Heads follow the rules
for noun phrases of Collins (1999, *Head-driven statistical models for natural language parsing*, appendix A);
other phrases are headed by their last word, verb phrases by their first verb.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

_PIECE = re.compile(r"((?:\([^()*\s]*)*)\*(\)*)")
_NOMINAL = frozenset(("NP", "NX", "NML", "WHNP", "NAC", "QP"))
_VERBAL = frozenset(("VP", "S", "SQ", "SINV", "SBAR"))
#: (labels, from the right): the first that is there is the head of a noun phrase
_NOUNS: tuple[tuple[frozenset[str], bool], ...] = (
    (frozenset(("NN", "NNP", "NNPS", "NNS", "NX", "NML", "POS", "JJR", "PRP", "WP", "EX")), True),
    (frozenset(("NP", "WHNP")), False),
    (frozenset(("$", "ADJP", "PRN")), True),
    (frozenset(("CD",)), True),
    (frozenset(("JJ", "JJS", "RB", "QP")), True),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """A constituent: label, first word, word after the last, and its parts (none for a word)."""

    label: str
    start: int
    end: int
    parts: list[Phrase] = field(default_factory=list)


def phrases(tokens: Sequence[tuple[str, str]], first: int) -> list[Phrase] | None:
    """The trees of one sentence, (tag, piece) of each word, that begins at word `first`.

    None when its brackets do not match.

    >>> top, = phrases([("DT", "(NP*"), ("NN", "*)")], 0)
    >>> top.label, top.end, [p.label for p in top.parts]
    ('NP', 2, ['DT', 'NN'])
    """
    done: list[Phrase] = []
    open_: list[tuple[str, int, list[Phrase]]] = []
    for i, (tag, piece) in enumerate(tokens, first):
        found = _PIECE.fullmatch(piece)
        if found is None:
            return None
        open_ += [(label, i, []) for label in found[1].split("(")[1:]]
        (open_[-1][2] if open_ else done).append(Phrase(tag, i, i + 1))
        for _ in found[2]:
            if not open_:
                return None
            label, start, parts = open_.pop()
            (open_[-1][2] if open_ else done).append(Phrase(label, start, i + 1, parts))
    return None if open_ else done


def head_of(mention: tuple[int, int], trees: Sequence[Phrase]) -> int:
    """The head word of a mention: that of its phrase, or of the phrases it is made of.

    >>> trees = phrases([("DT", "(NP(NP*"), ("NN", "*)"), ("IN", "(PP*"), ("NNP", "(NP*)))")], 0)
    >>> head_of((0, 4), trees), head_of((3, 4), trees), head_of((1, 4), trees)
    (1, 3, 1)
    """
    inside = _inside(mention, trees)
    if not inside:
        return mention[1] - 1
    return _head(inside[0] if len(inside) == 1 else Phrase("NP", *mention, inside))


def _inside(mention: tuple[int, int], trees: Sequence[Phrase]) -> list[Phrase]:
    """The largest phrases that lie within the mention, in order."""
    start, end = mention
    found: list[Phrase] = []
    for tree in trees:
        if start <= tree.start and tree.end <= end:
            found.append(tree)
        elif tree.start < end and tree.end > start:
            found += _inside(mention, tree.parts)
    return found


def _head(phrase: Phrase) -> int:
    while phrase.parts:
        phrase = _main_part(phrase)
    return phrase.start


def _main_part(phrase: Phrase) -> Phrase:
    label = phrase.label.split("-")[0]
    parts = phrase.parts
    if label in _VERBAL:
        verbs = (
            p for p in parts if p.label.startswith(("VB", "MD")) or p.label.split("-")[0] in _VERBAL
        )
        return next(verbs, parts[-1])
    if label in _NOMINAL:
        if parts[-1].label == "POS":
            return parts[-1]
        for labels, from_right in _NOUNS:
            for part in reversed(parts) if from_right else parts:
                if part.label.split("-")[0] in labels:
                    return part
    return parts[-1]
