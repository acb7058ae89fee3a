"""Relations of two annotators matched one to one, as many as possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.alignment.matching import best_matching
from accord.alignment.relations import Costs, Network, without_direction
from accord.data.relations import Relations

Index = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule:
    """When two relations match."""

    overlap: bool
    labelled: bool
    #: by label (the last for none): the two ends may be swapped
    unordered: NDArray[np.int8]

    @classmethod
    def of(
        cls,
        relations: Relations,
        match: str,
        unlabelled: bool,
        undirected: bool,
        symmetric: tuple[str, ...] | None,
    ) -> Rule:
        return cls(
            overlap=match == "overlap",
            labelled=not unlabelled,
            unordered=without_direction(relations, undirected, symmetric),
        )


def matching_pairs(relations: Relations, rule: Rule) -> tuple[Index, Index]:
    """All pairs of relations of two annotators in one document that match, the first annotator first."""
    network = Network.of(relations)
    size = len(relations.categories) + 1
    # every pair that shares an end, whatever its label: the aligner's own list
    costs = Costs(alpha=1.0, delta=1.0, labels=np.zeros((size, size)), unordered=rule.unordered)
    first: list[Index] = []
    second: list[Index] = []
    for work in network.works(network.shared.tolist()):
        one, other = work.sharing(costs)
        first.append(work.rows[one])
        second.append(work.rows[other])
    if not first:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    i, j = np.concatenate(first), np.concatenate(second)
    source, target, label = relations.source, relations.target, relations.label
    met = _meet(source[i], source[j], rule) & _meet(target[i], target[j], rule)
    free = (rule.unordered[label[i]] > 0) | (rule.unordered[label[j]] > 0)
    met |= free & _meet(source[i], target[j], rule) & _meet(target[i], source[j], rule)
    if rule.labelled:
        met &= label[i] == label[j]
    return i[met], j[met]


def _meet(one: NDArray[np.float64], two: NDArray[np.float64], rule: Rule) -> NDArray[np.bool_]:
    found: NDArray[np.bool_]
    found = (
        (one[:, 0] < two[:, 1]) & (two[:, 0] < one[:, 1])
        if rule.overlap
        else (one == two).all(axis=1)
    )
    return found


def greatest_matching(first: Index, second: Index) -> tuple[Index, Index]:
    """As many pairs as possible, each relation once; greedy choice would find fewer."""
    chosen = best_matching(first, second, np.ones(len(first)))
    return first[chosen], second[chosen]
