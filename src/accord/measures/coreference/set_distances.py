"""Distances between two sets of mentions, from their sizes and what they share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.result import Array

Counts = NDArray[np.int64]


def relation(a: Counts, b: Counts, common: Counts) -> Array:
    """Passonneau's four cases: 0 equal, 1/3 one within the other, 2/3 overlapping, 1 disjoint.

    >>> sizes = np.array([2, 2, 2, 2]), np.array([2, 3, 3, 3]), np.array([2, 2, 1, 0])
    >>> relation(*sizes).round(2).tolist()
    [0.0, 0.33, 0.67, 1.0]
    """
    equal = (common == a) & (common == b)
    inside = (common == a) | (common == b)
    return np.select([equal, (common > 0) & inside, common > 0], [0.0, 1 / 3, 2 / 3], 1.0)


def jaccard(a: Counts, b: Counts, common: Counts) -> Array:
    """1 − |A∩B| / |A∪B|."""
    distance: Array = 1 - common / (a + b - common)
    return distance


def masi(a: Counts, b: Counts, common: Counts) -> Array:
    """1 − J·M: Jaccard's index times 1, 2/3, 1/3 or 0 for Passonneau's four cases."""
    return 1 - (1 - jaccard(a, b, common)) * (1 - relation(a, b, common))


def dice(a: Counts, b: Counts, common: Counts) -> Array:
    """1 − 2|A∩B| / (|A|+|B|)."""
    distance: Array = 1 - 2 * common / (a + b)
    return distance


def nominal(a: Counts, b: Counts, common: Counts) -> Array:
    """0 for equal sets, 1 otherwise."""
    return np.where((common == a) & (common == b), 0.0, 1.0)


DISTANCES: Mapping[str, Callable[[Counts, Counts, Counts], Array]] = {
    "passonneau": relation,
    "masi": masi,
    "jaccard": jaccard,
    "dice": dice,
    "nominal": nominal,
}


def set_distance(name: str) -> Callable[[Any, Any, Any], Array]:
    """The distance of that name."""
    if name not in DISTANCES:
        raise UsageError(f"the set distance must be one of {', '.join(DISTANCES)}, got {name!r}")
    return DISTANCES[name]
