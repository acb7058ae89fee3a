"""Everything small of one kind: all partitions, partial partitions, segmentations, unit sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """A family of small objects: `elements(n)` lists all that live on n places."""

    name: str
    elements: Callable[[int], list[Any]]
    #: which of the n places an element uses, as bits; None when every element uses all
    used: Callable[[Any], int] | None
    show: Callable[[Any], str]
    #: largest n for pairs and for triples that stays quick
    default: tuple[int, int]


@lru_cache(maxsize=16)
def partition_codes(n: int) -> Codes:
    """All partitions of n mentions, one a row, as entity numbers by first appearance.

    >>> partition_codes(3).tolist()
    [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [0, 1, 2]]
    """
    rows: list[list[int]] = [[]]
    for _ in range(n):
        rows = [[*row, e] for row in rows for e in range(max(row, default=-1) + 2)]
    return np.array(rows, dtype=np.int8).reshape(len(rows), n)


@lru_cache(maxsize=16)
def partial_codes(n: int) -> Codes:
    """All partitions of non-empty subsets of n mentions; -1 for a mention that is not there.

    >>> partial_codes(2).tolist()
    [[-1, 0], [0, -1], [0, 0], [0, 1]]
    """
    rows: list[list[int]] = [[]]
    for _ in range(n):
        rows = [[*row, e] for row in rows for e in range(-1, max(row, default=-1) + 2)]
    return np.array([r for r in rows if max(r, default=-1) >= 0], dtype=np.int8).reshape(-1, n)


def clusters_of(code: Sequence[int]) -> list[list[int]]:
    """A partition as people write it, mentions numbered from 1.

    >>> clusters_of([0, 0, 1])
    [[1, 2], [3]]
    """
    entities: dict[int, list[int]] = {}
    for mention, entity in enumerate(code, 1):
        if entity >= 0:
            entities.setdefault(int(entity), []).append(mention)
    return list(entities.values())


def segmentations(n: int) -> list[list[int]]:
    """All cuttings of n atoms, as masses.

    >>> segmentations(3)
    [[3], [1, 2], [2, 1], [1, 1, 1]]
    """
    found = []
    for k in range(n):
        for cuts in combinations(range(1, n), k):
            edges = [0, *cuts, n]
            found.append([b - a for a, b in pairwise(edges)])
    return found


def unit_sets(n: int, *, most: int = 2) -> list[list[tuple[int, int]]]:
    """All sets of at most `most` units on a continuum of length n (they may overlap).

    >>> len(unit_sets(3))
    22
    """
    spans = [(s, e) for s in range(n) for e in range(s + 1, n + 1)]
    return [list(chosen) for k in range(most + 1) for chosen in combinations(spans, k)]


def show_clusters(clusters: Sequence[Sequence[Any]]) -> str:
    """``{1,2 | 3}``."""
    return "{" + " | ".join(",".join(map(str, entity)) for entity in clusters) + "}"


def _bits(clusters: Sequence[Sequence[int]]) -> int:
    return sum(1 << (m - 1) for entity in clusters for m in entity)


SPACES = {
    "partitions": Space(
        "partitions",
        lambda n: [clusters_of(c) for c in partition_codes(n).tolist()],
        None,
        show_clusters,
        (6, 5),
    ),
    "predicted": Space(
        "predicted",
        lambda n: [clusters_of(c) for c in partial_codes(n).tolist()],
        _bits,
        show_clusters,
        (5, 4),
    ),
    "segmentations": Space(
        "segmentations", segmentations, None, lambda masses: " ".join(map(str, masses)), (6, 5)
    ),
    "units": Space(
        "units",
        unit_sets,
        None,
        lambda units: "{" + ", ".join(f"[{s},{e})" for s, e in units) + "}",
        (3, 3),
    ),
}
