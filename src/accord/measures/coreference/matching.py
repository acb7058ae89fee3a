"""When are a mention of the key and a mention of the response the same mention?

As the scorer of the CRAC shared tasks does it (corefud-scorer 1.2; Žabokrtský et al. 2022, 2023;
Novák et al. 2024), in three steps, all one-to-one: zeros by their dependencies if asked, identical
mentions, then the rest by the assignment with the greatest sum of overlaps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.data import Chains
from accord.data.chains import Mention
from accord.errors import InputError
from accord.kernels.components import label_components
from accord.measures.coreference.contingency import Integers

#: exact: the same words (or name); head: the same head word; partial: a response mention inside
#: the key's and containing its head
MATCHINGS = ("exact", "head", "partial")
#: linear: a zero is at its place; dependent: it is what depends on what; drop: it is left out
ZEROS = ("linear", "dependent", "drop")
#: up to so many free mentions a side the assignment is solved as the official scorer solves it, so
#: that equal sums are broken alike
DENSE = 2_000

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rule:
    """What makes two mentions the same."""

    matching: str = "exact"
    zeros: str = "linear"
    #: a mention whose file gives no head: its first word, not the top of its tree
    first_heads: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Twins:
    """Mentions (numbers) of a document of the key and of the response that are the same."""

    key: Integers
    response: Integers
    #: another assignment has the same sum
    tied: bool = False
    #: zeros without dependencies
    unattached: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Marked:
    """A mention with what matching needs to know of it."""

    number: int
    words: frozenset[float]
    head: float | None
    fact: Mapping[str, Any]

    @property
    def zero(self) -> bool:
        """Its head is an empty node."""
        return is_zero(self.fact)

    @property
    def order(self) -> tuple[float, float, int]:
        """Mentions are ordered by first word, last word, number of words."""
        return (min(self.words), max(self.words), len(self.words))


def twin_mentions(
    ours: Chains, d: int, in_key: Mask, theirs: Chains, e: int, in_response: Mask, rule: Rule
) -> Twins:
    """Mentions of document d of the key and e of the response that are the same.

    Head: the overlap ``|k∩r|/|k|`` of mentions with one head. Partial: ``|r|/|k|`` of a response
    mention inside the key's that holds its head. Dependent zeros: ten times the Dice coefficient of
    their (parent, relation) pairs plus that of their parents, within a sentence.
    """
    by_tree = rule.zeros == "dependent" and ours.facts is not None and theirs.facts is not None
    if rule.matching == "exact" and not by_tree:
        return Twins(
            *_exact(_identities(ours, d), in_key, _identities(theirs, e), in_response),
        )
    left, right = marked(ours, d, in_key, rule), marked(theirs, e, in_response, rule)
    found: list[tuple[int, int]] = []
    tied = False
    unattached = 0
    if by_tree:
        zeros = [m for m in left if m.zero], [m for m in right if m.zero]
        unattached = sum(not m.fact.get("deps") for side in zeros for m in side)
        pairs, tied = _assigned(*zeros, _by_dependency(*zeros))
        found += pairs
        left, right = _free(left, right, found)
    identity = {_identity(m, rule): m.number for m in left}
    found += [
        (identity[_identity(m, rule)], m.number) for m in right if _identity(m, rule) in identity
    ]
    if rule.matching != "exact":
        left, right = _free(left, right, found)
        weigh = _by_head if rule.matching == "head" else _inside
        pairs, ambiguous = _assigned(left, right, weigh(left, right))
        found += pairs
        tied = tied or ambiguous
    table = np.array(found, dtype=np.int64).reshape(-1, 2)
    return Twins(table[:, 0], table[:, 1], tied, unattached)


def words_of(
    mention: Mention, empty: Sequence[float] = (), *, need: str = "head and partial matching"
) -> frozenset[float]:
    """Places of the words of a mention (start, end[, start, end …]), empty nodes among them.

    >>> sorted(words_of((0, 2, 3, 4))), sorted(words_of((1, 3), (1.01,)))
    ([0, 1, 3], [1, 1.01, 2])
    """
    if not isinstance(mention, tuple) or len(mention) % 2:
        raise InputError(
            f"mention {mention!r} has no offsets, which {need} needs", hint="use `matching=exact`"
        )
    words: set[float] = set(empty)
    for start, end in zip(mention[::2], mention[1::2], strict=True):
        words.update(range(ceil(start), ceil(end)))
        if start != int(start):
            words.add(start)
    return frozenset(words)


def is_zero(fact: Mapping[str, Any]) -> bool:
    """Whether a mention's head is an empty node."""
    head = fact.get("head")
    return isinstance(head, float) and head != int(head)


def marked(chains: Chains, d: int, present: Mask, rule: Rule) -> list[Marked]:
    """The mentions of a document that count, in order."""
    if chains.facts is None:
        raise InputError(
            "the mentions have no heads, which head and partial matching need",
            hint="use CorefUD files, or `matching=exact`",
        )
    out = []
    for i in np.nonzero(present)[0].tolist():
        mention, fact = chains.mentions[d][i], chains.facts[d][i]
        words = words_of(mention, fact.get("empty", ()))
        head = fact.get("head")
        if head is None and rule.matching != "exact":
            raise InputError(
                f"mention {mention!r} of document {chains.documents[d]!r} has no head",
                hint="use `matching=exact`",
            )
        if rule.first_heads and fact.get("guessed"):
            head = min(words)
            fact = {**fact, "head": head}
        out.append(Marked(i, words, head, fact))
    return sorted(out, key=lambda m: m.order)


def identities(chains: Chains, d: int, rule: Rule) -> dict[int, Any]:
    """What the mentions of a document are recognised by, by number."""
    everything = np.ones(len(chains.mentions[d]), dtype=bool)
    return {m.number: _identity(m, rule) for m in marked(chains, d, everything, rule)}


def _identity(mention: Marked, rule: Rule) -> tuple[Any, ...]:
    return (mention.words, mention.head if rule.matching == "head" else None)


def _identities(chains: Chains, d: int) -> tuple[Any, ...]:
    """What the mentions of a document are recognised by: an empty node inside is a word too."""
    mentions = chains.mentions[d]
    if chains.facts is None or not any("empty" in fact for fact in chains.facts[d]):
        return mentions
    return tuple(
        (m, fact["empty"]) if "empty" in fact else m
        for m, fact in zip(mentions, chains.facts[d], strict=True)
    )


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


def _free(
    left: Sequence[Marked], right: Sequence[Marked], found: Sequence[tuple[int, int]]
) -> tuple[list[Marked], list[Marked]]:
    """What no pair has taken yet."""
    taken = {i for i, _ in found}, {j for _, j in found}
    return [m for m in left if m.number not in taken[0]], [
        m for m in right if m.number not in taken[1]
    ]


Weights = list[tuple[int, int, float]]


def _by_head(left: Sequence[Marked], right: Sequence[Marked]) -> Weights:
    groups: dict[Any, list[int]] = {}
    for j, other in enumerate(right):
        groups.setdefault(other.head, []).append(j)
    return [
        (i, j, len(m.words & right[j].words) / len(m.words))
        for i, m in enumerate(left)
        for j in groups.get(m.head, ())
    ]


def _inside(left: Sequence[Marked], right: Sequence[Marked]) -> Weights:
    covering: dict[Any, list[int]] = {}
    for j, other in enumerate(right):
        for word in other.words:
            covering.setdefault(word, []).append(j)
    return [
        (i, j, len(right[j].words) / len(m.words))
        for i, m in enumerate(left)
        for j in covering.get(m.head, ())
        if right[j].words <= m.words
    ]


def _by_dependency(left: Sequence[Marked], right: Sequence[Marked]) -> Weights:
    here: dict[Any, list[int]] = {}
    for j, other in enumerate(right):
        here.setdefault(other.fact.get("sentence"), []).append(j)
    out = []
    for i, m in enumerate(left):
        for j in here.get(m.fact.get("sentence"), ()):
            ours, theirs = set(m.fact.get("deps", ())), set(right[j].fact.get("deps", ()))
            relations = _dice(ours, theirs)
            parents = _dice({p for p, _ in ours}, {p for p, _ in theirs})
            out.append((i, j, 10 * relations + parents))
    return out


def _dice(a: set[Any], b: set[Any]) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def _assigned(
    left: Sequence[Marked], right: Sequence[Marked], weights: Weights
) -> tuple[list[tuple[int, int]], bool]:
    """The pairs (numbers of mentions) with the greatest sum, and whether another choice ties."""
    weights = [w for w in weights if w[2] > 0]
    if not weights:
        return [], False
    first = np.array([w[0] for w in weights], dtype=np.int64)
    second = np.array([w[1] for w in weights], dtype=np.int64)
    weight = np.array([w[2] for w in weights])
    if max(len(left), len(right)) <= DENSE:
        from scipy.optimize import linear_sum_assignment

        matrix = np.zeros((len(left), len(right)))
        matrix[first, second] = weight
        rows, columns = linear_sum_assignment(matrix, maximize=True)
        good = matrix[rows, columns] > 0
        chosen = set(zip(rows[good].tolist(), columns[good].tolist(), strict=True))
    else:
        taken = best_matching(first, second, weight)
        chosen = set(zip(first[taken].tolist(), second[taken].tolist(), strict=True))
    tied = _tied(first, second, weight, chosen, len(left), len(right))
    return [(left[i].number, right[j].number) for i, j in sorted(chosen)], tied


def _tied(
    first: Integers,
    second: Integers,
    weight: NDArray[np.float64],
    chosen: set[tuple[int, int]],
    n: int,
    m: int,
) -> bool:
    """Whether an assignment without one of the chosen pairs reaches the same sum."""
    label = label_components(first, second, n, m)[first]
    order = np.argsort(label, kind="stable")
    for group in np.split(order, np.flatnonzero(np.diff(label[order])) + 1):
        if len(group) == 1:
            continue
        i, j, w = first[group], second[group], weight[group]
        picked = [e for e in range(len(group)) if (int(i[e]), int(j[e])) in chosen]
        best = w[picked].sum()
        for e in picked:
            other = np.delete(w, e)
            rival = best_matching(np.delete(i, e), np.delete(j, e), other)
            if other[rival].sum() > best - 1e-9:
                return True
    return False
