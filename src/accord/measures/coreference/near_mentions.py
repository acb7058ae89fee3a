"""Near misses: *the old king* and *old king* of two annotators are one mention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.data import Chains
from accord.data.chains import Mention
from accord.errors import InputError
from accord.measures.coreference.matching import words_of

#: nodes up to which all partitions of a component are tried; an integer programme beyond
MOST_TRIED = 12

Classes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The chains over classes of mentions, and what was joined."""

    data: Chains
    #: classes of more than one span
    classes: int
    #: mean Dice coefficient of the spans joined
    dice: float
    #: of each document and mention with several spans: the spans and how many marked them
    votes: Mapping[tuple[str, Mention], Sequence[tuple[Mention, int]]]

    def spans(self, document: str, mention: Mention) -> list[dict[str, Any]]:
        """The other spans of a mention, with the number of annotators of each."""
        found = self.votes.get((document, mention), ())
        return [{"span": span, "votes": votes} for span, votes in found]


def near_mentions(data: Chains, overlap: float = 0.5) -> Near:
    """Put mentions of different annotators that nearly are the same into one.

    Two spans may be one mention when nobody marked both, twice their common words are at least
    `overlap` of the words of both, and their heads, where known, are equal. Of all partitions into
    groups of such spans the one with the greatest Σ |A_s||A_t| Dice(s, t) over joined pairs is taken
    (A: who marked it); ties: fewest groups, then the first in order. A group is called by its most
    frequent span, then the one most like the others, the shortest, the first.
    """
    names: list[dict[Mention, Mention]] = []
    joined: list[float] = []
    votes: dict[tuple[str, Mention], list[tuple[Mention, int]]] = {}
    count = 0
    for d, mentions in enumerate(data.mentions):
        renamed: dict[Mention, Mention] = {m: m for m in mentions}
        nodes = _nodes(data, d)
        weights = _alike(nodes, overlap)
        for component in _components(len(nodes), weights):
            for members in _best_classes(component, nodes, weights):
                if len(members) < 2:
                    continue
                count += 1
                chosen = _representative(members, nodes)
                votes[data.documents[d], mentions[chosen]] = [
                    (mentions[s], len(nodes[s].who)) for s in members
                ]
                for s in members:
                    renamed[mentions[s]] = mentions[chosen]
                joined += [
                    _dice(nodes[s].words, nodes[t].words) for s in members for t in members if s < t
                ]
        names.append(renamed)
    clusters = {
        (data.documents[d], data.annotators[a]): [
            [names[d][m] for m in entity] for entity in data.clusters(d, a)
        ]
        for d, a in sorted(data.coverage)
    }
    facts = None
    if data.facts is not None:
        facts = {
            (name, m): f
            for name, ms, fs in zip(data.documents, data.mentions, data.facts, strict=True)
            for m, f in zip(ms, fs, strict=True)
        }
    rebuilt = Chains.from_clusters(clusters, facts=facts, notes=data.notes)
    place = {name: d for d, name in enumerate(data.documents)}
    order = [place[name] for name in rebuilt.documents]
    return Near(
        replace(
            rebuilt,
            words=None if data.words is None else tuple(data.words[d] for d in order),
            lengths=None if data.lengths is None else tuple(data.lengths[d] for d in order),
            roles=data.roles,
        ),
        count,
        float(np.mean(joined)) if joined else float("nan"),
        votes,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    words: frozenset[float]
    who: frozenset[int]
    head: Any


def _nodes(data: Chains, d: int) -> list[_Node]:
    who: list[set[int]] = [set() for _ in data.mentions[d]]
    here = data.document == d
    for m, a in zip(data.mention[here].tolist(), data.annotator[here].tolist(), strict=True):
        who[m].add(a)
    facts: Sequence[Mapping[str, Any]] = [{}] * len(who) if data.facts is None else data.facts[d]
    return [
        _Node(
            words_of(mention, fact.get("empty", ()), need="near mentions"),
            frozenset(marked),
            fact.get("head"),
        )
        for mention, marked, fact in zip(data.mentions[d], who, facts, strict=True)
    ]


def _dice(a: frozenset[float], b: frozenset[float]) -> float:
    return 2 * len(a & b) / (len(a) + len(b))


def _alike(nodes: Sequence[_Node], overlap: float) -> dict[tuple[int, int], float]:
    """Pairs s < t that may be one mention, and what joining them is worth."""
    holders: dict[float, list[int]] = {}
    out: dict[tuple[int, int], float] = {}
    for t, node in enumerate(nodes):
        for s in sorted({s for word in node.words for s in holders.get(word, ())}):
            other = nodes[s]
            common = len(node.words & other.words)
            heads = {node.head, other.head} - {None}
            if (
                # what none of these annotators marked (a reference did) is nobody's near miss
                node.who
                and other.who
                and not node.who & other.who
                and 2 * common >= overlap * (len(node.words) + len(other.words))
                and len(heads) < 2
            ):
                out[s, t] = len(node.who) * len(other.who) * _dice(node.words, other.words)
        for word in node.words:
            holders.setdefault(word, []).append(t)
    return out


def _components(n: int, weights: Mapping[tuple[int, int], float]) -> list[list[int]]:
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            i = parent[i]
        return i

    for s, t in weights:
        a, b = sorted((root(s), root(t)))
        parent[b] = a
    groups: dict[int, list[int]] = {}
    for i in range(n):
        groups.setdefault(root(i), []).append(i)
    return [group for group in groups.values() if len(group) > 1]


def _best_classes(
    component: Sequence[int], nodes: Sequence[_Node], weights: Mapping[tuple[int, int], float]
) -> Classes:
    if len(component) > MOST_TRIED:
        return _by_programme(component, weights)
    best: list[tuple[float, int, Classes]] = []
    # what the nodes from place p on can still add
    reach = [
        sum(w for (_, t), w in weights.items() if t in component[p:])
        for p in range(len(component) + 1)
    ]

    def extend(p: int, classes: list[list[int]], value: float) -> None:
        if best and value + reach[p] < -best[0][0] - 1e-9:
            return
        if p == len(component):
            found = (-round(value, 9), len(classes), tuple(sorted(map(tuple, classes))))
            if not best or found < best[0]:
                best[:] = [found]
            return
        node = component[p]
        for members in classes:
            if all((m, node) in weights for m in members):
                gain = sum(weights[m, node] for m in members)
                members.append(node)
                extend(p + 1, classes, value + gain)
                members.pop()
        classes.append([node])
        extend(p + 1, classes, value)
        classes.pop()

    extend(0, [], 0.0)
    return best[0][2]


def _by_programme(component: Sequence[int], weights: Mapping[tuple[int, int], float]) -> Classes:
    """The same optimum by an integer programme; equal sums as the solver leaves them."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import lil_array

    inside = set(component)
    edges = [e for e in weights if e[0] in inside]
    number = {e: i for i, e in enumerate(edges)}
    near: dict[int, set[int]] = {m: set() for m in component}
    for s, t in edges:
        near[s].add(t)
        near[t].add(s)
    rows: list[tuple[int, int, int | None]] = []
    for m in component:
        around = sorted(near[m])
        for i, s in enumerate(around):
            for t in around[i + 1 :]:
                # s and t both with m: then s with t
                pair = number[min(s, m), max(s, m)], number[min(t, m), max(t, m)]
                rows.append((*pair, number.get((s, t))))
    table = lil_array((len(rows), len(edges)))
    for r, (a, b, c) in enumerate(rows):
        table[r, a] = table[r, b] = 1
        if c is not None:
            table[r, c] = -1
    solved = milp(
        -np.array([weights[e] for e in edges]),
        constraints=LinearConstraint(table.tocsr(), ub=np.ones(len(rows))) if rows else (),
        bounds=Bounds(0, 1),
        integrality=np.ones(len(edges), dtype=np.int64),
    )
    if solved.x is None:
        raise InputError(
            f"{len(component)} mentions that overlap could not be grouped", hint="raise the overlap"
        )
    chosen = {e: 1.0 for e, x in zip(edges, solved.x, strict=True) if x > 0.5}
    place = {m: i for i, m in enumerate(component)}
    linked = {(place[s], place[t]): w for (s, t), w in chosen.items()}
    return tuple(
        tuple(component[i] for i in group) for group in _components(len(component), linked)
    )


def _representative(members: Sequence[int], nodes: Sequence[_Node]) -> int:
    def rank(s: int) -> tuple[Any, ...]:
        likeness = sum(_dice(nodes[s].words, nodes[t].words) for t in members if t != s)
        return (-len(nodes[s].who), -round(likeness, 9), len(nodes[s].words), s)

    return min(members, key=rank)
