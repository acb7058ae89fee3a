"""One-to-one matching of two sets of units with the greatest total weight."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from accord.kernels.matching import match_rows


def best_matching(
    first: ArrayLike,
    second: ArrayLike,
    weight: ArrayLike,
) -> NDArray[np.int64]:
    """Choose among weighted pairs, each element at most once, the greatest sum of weights.

    Pair e joins element first[e] of one side with element second[e] of the other (small integers);
    pairs that are not listed cannot be chosen, and a pair of weight ≤ 0 never is. Returns the
    numbers e of the chosen pairs, sorted by (first, second). Exact (shortest augmenting paths;
    Jonker and Volgenant 1987). Time grows with the number of pairs, not with the product of the
    sides, so list only pairs that touch. Equal sums are broken by the elements' order, not by the
    order of the pairs.

    >>> best_matching([0, 0, 1], [0, 1, 0], [5.0, 4.0, 3.0]).tolist()
    [1, 2]
    """
    left = np.asarray(first, dtype=np.int64)
    right = np.asarray(second, dtype=np.int64)
    gain = np.asarray(weight, dtype=np.float64)
    useful = np.flatnonzero(gain > 0)
    if not len(useful):
        return np.empty(0, dtype=np.int64)
    order = useful[np.lexsort((-gain[useful], right[useful], left[useful]))]
    _, row = np.unique(left[order], return_inverse=True)
    columns, column = np.unique(right[order], return_inverse=True)
    counts = np.bincount(row)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    chosen, _, _ = match_rows(indptr, column.astype(np.int32), -gain[order], len(columns))
    return np.asarray(order[chosen[chosen >= 0]])
