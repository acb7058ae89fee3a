"""Two systems on the same units: answers swapped, and McNemar's exact test."""

from __future__ import annotations

from itertools import product

import numpy as np

from accord.result import Array
from accord.uncertainty.joint import Joint
from accord.uncertainty.weights import blocks

#: swaps drawn when not all can be tried
SWAPS = 9_999
#: units up to which every swap is tried
_ALL = 12


def swap_p(joint: Joint, *, swaps: int = SWAPS, seed: int = 0) -> float:
    """Two-sided p: how often swapping answers at random moves the systems as far apart.

    Up to twelve units all 2ⁿ swaps are tried; else p = (far + 1)/(swaps + 1).
    """
    gap = joint.second - joint.first
    total = joint.counts @ joint.first, joint.counts @ joint.second
    observed = abs(float(joint.apart(total[0][None, :], total[1][None, :])[0]))
    n = int(joint.counts.sum())
    if n <= _ALL:
        row = np.repeat(np.arange(len(joint.counts)), joint.counts.astype(np.int64))
        every = np.array(list(product((0.0, 1.0), repeat=n)))
        counted = np.zeros((len(every), len(joint.counts)))
        for unit, r in enumerate(row.tolist()):
            counted[:, r] += every[:, unit]
        return _far(joint, total, gap, counted, observed) / len(every)
    rng = np.random.default_rng(seed)
    whole = joint.counts.astype(np.int64)
    far = 0
    for height in blocks(swaps, max(len(whole), gap.shape[1])):
        swapped = rng.binomial(whole, 0.5, (height, len(whole))).astype(np.float64)
        far += _far(joint, total, gap, swapped, observed)
    return (far + 1) / (swaps + 1)


def _far(
    joint: Joint, total: tuple[Array, Array], gap: Array, swapped: Array, observed: float
) -> int:
    """Swaps that leave the systems at least as far apart; an undefined difference counts as far."""
    moved = swapped @ gap
    apart = np.abs(joint.apart(total[0] + moved, total[1] - moved))
    return int(np.sum(~(apart < observed - 1e-12)))


def mcnemar_p(joint: Joint) -> float:
    """Exact p of the items that one system alone has right: 2·P(Bin(b + c, ½) ≤ min(b, c)).

    Items whose credit is split by a tie of the judges count for the system with more of it.
    """
    from scipy.special import bdtr

    ahead = joint.first[:, 0] - joint.second[:, 0]
    b, c = (int(joint.counts[side].sum()) for side in (ahead > 1e-12, ahead < -1e-12))
    if b + c == 0:
        return 1.0
    return min(1.0, 2 * float(bdtr(min(b, c), b + c, 0.5)))
