"""Two systems on the same units: answers swapped, and McNemar's exact test."""

from __future__ import annotations

from itertools import combinations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from accord.result import Array, Sample
from accord.uncertainty.jackknife import content_order, dense
from accord.uncertainty.joint import Joint
from accord.uncertainty.weights import blocks

#: swaps drawn when not all can be tried
SWAPS = 9_999
#: units up to which every swap is tried
_ALL = 12
#: units alike up to which the coin of each is a random bit: a binomial draw costs as much as forty
_BITS = 40


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
        return _far(joint, total, counted @ gap, observed) / len(every)
    gap, whole = _apart(gap, joint.counts)
    rng = np.random.default_rng(seed)
    few = whole <= _BITS
    alone, many = np.repeat(gap[few], whole[few], axis=0), gap[~few]
    far = 0
    for height in blocks(swaps, max(len(whole), len(alone), gap.shape[1])):
        bits = rng.integers(0, 256, (height, -(-len(alone) // 8)), dtype=np.uint8)
        moved = np.unpackbits(bits, axis=1, count=len(alone)).astype(np.float64) @ alone
        if len(many):
            moved += rng.binomial(whole[~few], 0.5, (height, len(many))).astype(np.float64) @ many
        far += _far(joint, total, moved, observed)
    return (far + 1) / (swaps + 1)


def permutation_p(
    first: Sample, second: Sample, *, permutations: int = SWAPS, seed: int = 0
) -> float:
    """Two-sided p: how often documents dealt at random to the two campaigns lie as far apart.

    Exact when both come from one kind of documents, whatever their numbers. All ways to deal them are
    tried when they are no more than `permutations`; else p = (far + 1)/(permutations + 1).
    """
    pool = np.vstack([np.repeat(dense(s.rows), s.counts, axis=0) for s in (first, second)])
    total = pool.sum(axis=0)
    sizes = sorted(int(s.counts.sum()) for s in (first, second))
    pool = pool[content_order(pool)]

    def apart(one: Array) -> Array:
        return np.abs(first.score(one)["value"] - first.score(total - one)["value"])

    observed = float(apart(first.totals())[0])
    every = comb(len(pool), sizes[0])
    rng, far = np.random.default_rng(seed), 0
    if every <= permutations:
        dealt = np.array(list(combinations(range(len(pool)), sizes[0])))
        far = int(np.sum(~(apart(pool[dealt].sum(axis=1)) < observed - 1e-12)))
        return far / every
    for height in blocks(permutations, max(len(pool), pool.shape[1])):
        dealt = np.argpartition(rng.random((height, len(pool))), sizes[0], axis=1)[:, : sizes[0]]
        taken = np.zeros((height, len(pool)))
        np.put_along_axis(taken, dealt, 1.0, axis=1)
        far += int(np.sum(~(apart(taken @ pool) < observed - 1e-12)))
    return (far + 1) / (permutations + 1)


def _apart(gap: Array, counts: Array) -> tuple[Array, NDArray[np.int64]]:
    """The units whose swap changes anything, alike ones together, and how many there are of each.

    Most items are answered alike by two good systems, and of many classes few are confused.
    """
    kept = np.any(gap != 0, axis=1) & (counts > 0)
    alike, group = np.unique(gap[kept], axis=0, return_inverse=True)
    number = np.bincount(group.ravel(), weights=counts[kept], minlength=len(alike))
    return alike, number.astype(np.int64)


def _far(joint: Joint, total: tuple[Array, Array], moved: Array, observed: float) -> int:
    """Swaps that leave the systems at least as far apart; an undefined difference counts as far."""
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
