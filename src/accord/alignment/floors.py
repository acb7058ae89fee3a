"""What every alignment costs at least, whatever tuples it uses: bounds for problems too large to prove.

`level` is λ·C on the grid: the bounds are of Σ(C·δ(K) − level), for any alignment.
"""

from __future__ import annotations

import numpy as np

from accord.alignment.tuples import Candidates, Near
from accord.kernels.matching import matching_costs

#: steps of the matchings beyond which they are not worth their time
_STEPS = 2_000_000_000


def least_cost(candidates: Candidates, near: Near, level: int = 0) -> int:
    """The better of the two floors."""
    floor = unit_floor(candidates, near, level)
    if candidates.annotators**2 * candidates.fewest**3 <= _STEPS:
        floor = max(floor, _pair_floor(candidates, near, level))
    return floor


def _pair_floor(candidates: Candidates, near: Near, level: int) -> int:
    """In g groups, annotators a and b meet in |a| + |b| − g of them at least.

    No pair of annotators does better there than in the best matching of their own, of that size
    or more; g is whatever makes the sum least.
    """
    groups = np.arange(candidates.units + 1)
    costs = matching_costs(near.own, near.indptr, near.other, -near.close, len(groups))
    enough = (costs > -(1 << 61)) & (groups >= candidates.fewest)
    return int((costs + groups * (candidates.empty - level))[enough].min())


def unit_floor(candidates: Candidates, near: Near, level: int = 0) -> int:
    """What each unit pays at least, with its nearest units, one of each other annotator.

    With m units in K, C·δ(K) − level is the sum over them of (C·Δ − level − Δ·m(m−1)/2)/m + ½ Σ d
    to the others. It holds where units may serve more than once, too.
    """
    n, units, scale = candidates.annotators, candidates.units, candidates.scale
    far = scale * (n * (n - 1) // 2 + n - 1)
    nearest = np.full((units, n), far, dtype=np.int64)
    first = np.repeat(np.arange(units), np.diff(near.indptr))
    distance = scale - near.close
    np.minimum.at(nearest, (first, near.annotator[near.other]), distance)
    np.minimum.at(nearest, (near.other, near.annotator[first]), distance)
    # a unit is not its own neighbour
    nearest[np.arange(units), near.annotator] = np.iinfo(np.int64).max
    ranked = np.sort(nearest, axis=1)[:, : n - 1]
    m = np.arange(1, n + 1)
    share = (candidates.empty - level - m * (m - 1) / 2 * scale) / m
    sums = np.concatenate([np.zeros((units, 1)), np.cumsum(ranked, axis=1)], axis=1)
    return int(np.floor((share + sums / 2).min(axis=1).sum()))
