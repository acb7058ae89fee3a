"""The partition that contradicts the annotators least: correlation clustering, with a bound.

For each pair of mentions, `yes` is the share of the annotators who marked both that link them and
``no = 1 − yes``; a partition costs `no` for each pair it joins and `yes` for each pair it keeps apart
(both 0 where nobody marked both). Finding the cheapest is NP-hard (Bansal, Blum & Chawla 2004), yet
annotators mostly agree: mentions that all of them treat alike are one node, and pairs that no
majority links never need one entity, so that what is left are small components.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

import numpy as np
from numpy.typing import NDArray

from accord.gold.dissent import least_dissent

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clustering:
    """A partition of mentions, what it costs, and what no partition can beat."""

    #: entity of each mention, numbered by first mention
    labels: Integers
    cost: float
    bound: float
    #: for each mention, the mean share of annotators that the partition follows on its pairs
    followed: Floats
    #: mentions that all annotators treat alike are one node
    nodes: int
    components: int
    largest: int


def cluster(entity: Integers) -> Clustering:
    """The best partition found for annotators × mentions: their entity, or -1 for not marked.

    >>> found = cluster(np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 1, 1, 1]]))
    >>> found.labels.tolist(), round(found.cost, 4), found.bound == found.cost, found.nodes
    ([0, 0, 1, 1], 1.0, True, 3)
    """
    mentions = entity.shape[1]
    if not mentions:
        nothing = np.empty(0)
        return Clustering(
            labels=nothing.astype(np.int64),
            cost=0.0,
            bound=0.0,
            followed=nothing,
            nodes=0,
            components=0,
            largest=0,
        )
    node, vectors, size = _contracted(entity)
    first, second, yes = _linked(vectors)
    component = _components(len(size), first[yes > 0.5], second[yes > 0.5])
    # every cost is a multiple of this: a bound within one step of the cost proves it
    parts = lcm(*range(1, len(entity) + 1))
    step = 1.0 / parts if parts <= 10_000 else 0.0
    labels = np.arange(len(size), dtype=np.int64)
    across = component[first] != component[second]
    cost = bound = float(np.sum((size[first] * size[second] * yes)[across]))
    order = np.argsort(component, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(component[order])) + 1)
    for group in groups:
        if len(group) == 1:
            continue
        # within the group the order of the nodes is that of their first mentions
        share, no = _shares(vectors[:, group])
        scale = np.outer(size[group], size[group])
        found = least_dissent(
            share * scale, no * scale, [_own(row) for row in vectors[:, group]], step
        )
        labels[group] = group[_first_of(found.labels)]
        cost += found.cost
        bound += found.bound
    followed = _followed(labels, size, first, second, yes)
    return Clustering(
        labels=renumbered(labels[node]),
        cost=cost,
        bound=bound,
        followed=followed[node],
        nodes=len(size),
        components=len(groups),
        largest=max(map(len, groups)),
    )


def renumbered(labels: Integers) -> Integers:
    """The same partition, its entities numbered by first occurrence."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def _contracted(entity: Integers) -> tuple[Integers, Integers, Integers]:
    """The node of each mention, the entities of each node, and its number of mentions."""
    key = entity.astype(np.int64).T
    # who was marked by nobody is like nobody
    lonely = np.where((key < 0).all(axis=1), np.arange(len(key)), -1)
    node = np.unique(np.column_stack([key, lonely]), axis=0, return_inverse=True)[1]
    node = renumbered(node.reshape(-1))
    size = np.bincount(node)
    _, first = np.unique(node, return_index=True)
    return node, entity[:, first], size


def _linked(vectors: Integers) -> tuple[Integers, Integers, Floats]:
    """Pairs of nodes that somebody links, and the share of those who marked both that do."""
    nodes = vectors.shape[1]
    codes = []
    for row in vectors:
        order = np.argsort(row, kind="stable")
        order = order[row[order] >= 0]
        for members in np.split(order, np.flatnonzero(np.diff(row[order])) + 1):
            if len(members) > 1:
                i, j = np.triu_indices(len(members), 1)
                codes.append(members[i] * nodes + members[j])
    code = np.unique(np.concatenate([np.empty(0, dtype=np.int64), *codes]))
    first, second = code // nodes, code % nodes
    yes, both = np.zeros(len(code)), np.zeros(len(code))
    for row in vectors:
        marked = (row[first] >= 0) & (row[second] >= 0)
        both += marked
        yes += marked & (row[first] == row[second])
    return first, second, yes / np.maximum(both, 1)


def _components(nodes: int, first: Integers, second: Integers) -> Integers:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(first)), (first, second)), shape=(nodes, nodes))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _shares(vectors: Integers) -> tuple[Floats, Floats]:
    """For each two nodes of a component: yes and no."""
    n = vectors.shape[1]
    yes, both = np.zeros((n, n)), np.zeros((n, n))
    for row in vectors:
        marked = row >= 0
        pair = np.outer(marked, marked)
        both += pair
        yes += pair & (row[:, None] == row[None, :])
    np.fill_diagonal(yes, 0)
    np.fill_diagonal(both, 0)
    share = np.divide(yes, both, out=np.zeros_like(yes), where=both > 0)
    return share, np.where(both > 0, 1 - share, 0.0)


def _own(row: Integers) -> Integers:
    """One annotator's entities; what they did not mark stands alone."""
    labels = row.copy()
    absent = labels < 0
    labels[absent] = labels.max(initial=0) + 1 + np.arange(int(absent.sum()))
    return renumbered(labels)


def _first_of(labels: Integers) -> Integers:
    """For each node the first of its entity."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.asarray(first[inverse.reshape(-1)], dtype=np.int64)


def _followed(
    labels: Integers, size: Integers, first: Integers, second: Integers, yes: Floats
) -> Floats:
    """Only pairs that somebody links, or that the partition links, count: the others are easy."""
    nodes = len(size)
    same = labels[first] == labels[second]
    good = np.where(same, yes, 1 - yes)
    mates = size - 1.0
    total, sum_good, linked_mates = mates.copy(), mates.copy(), np.zeros(nodes)
    for here, there in ((first, second), (second, first)):
        total += np.bincount(here, size[there], nodes)
        sum_good += np.bincount(here, size[there] * good, nodes)
        linked_mates += np.bincount(here, size[there] * same, nodes)
    # in one entity although nobody links them: counted, followed by nobody
    whole = np.bincount(labels, size, nodes)[labels] - size
    total += whole - linked_mates
    return np.where(total > 0, sum_good / np.maximum(total, 1), 1.0)
