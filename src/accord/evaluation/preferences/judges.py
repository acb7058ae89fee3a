"""The judges of preferences: do they agree, is each consistent, do they look at the side?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.data.preferences import (
    ALIKE,
    BOTH_LEFT,
    BOTH_RIGHT,
    LEFT,
    ONCE,
    RIGHT,
    TIE,
    Preferences,
)
from accord.result import Array, Result, Sample, signature
from accord.uncertainty.spread import of_share


def kendall_u(data: Preferences) -> Result:
    """Kendall's u: agreement of judges on which of two objects is better.

    .. math:: u = 2 A_o - 1

    with A_o the mean, over the pairs (of one item) that at least two judges decided, of the share of
    pairs of judges who agree. Chance is ½, since which object is written first means nothing: 0 by
    chance, 1 when all agree. Ties are left out and counted.

    Kendall, M. G. & Babington Smith, B. (1940). On the method of paired comparisons. Biometrika 31.
    """
    decided = np.flatnonzero(data.winner != TIE)
    low = np.minimum(data.left, data.right)[decided]
    high = np.maximum(data.left, data.right)[decided]
    first_won = (data.winner[decided] == 0) == (data.left[decided] == low)
    pair = np.column_stack([data.item[decided], low, high])
    keys, place = np.unique(pair, axis=0, return_inverse=True)
    place = place.ravel()
    n = np.bincount(place, minlength=len(keys)).astype(np.float64)
    yes = np.bincount(place, weights=first_won, minlength=len(keys))
    # a judge who judged a pair several times is no second judge of it
    own, at = np.unique(np.column_stack([place, data.judge[decided]]), axis=0, return_inverse=True)
    m = np.bincount(at.ravel(), minlength=len(own)).astype(np.float64)
    won = np.bincount(at.ravel(), weights=first_won, minlength=len(own))
    alone = np.bincount(own[:, 0], weights=m * m, minlength=len(keys))
    alike = np.bincount(own[:, 0], weights=won**2 + (m - won) ** 2, minlength=len(keys))
    pairs = n * n - alone
    agree = (yes**2 + (n - yes) ** 2 - alike) / np.maximum(1, pairs)
    agree, keys = agree[pairs > 0], keys[pairs > 0]

    def score(totals: Array) -> Mapping[str, Array]:
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = totals[:, 0] / totals[:, 1]
        return {"value": 2 * observed - 1, "A_o": observed}

    sample = Sample(
        rows=np.column_stack([agree, np.ones(len(agree))]),
        score=score,
        keys=[tuple(k) for k in keys.tolist()],
        graded=True,
    )
    value = float(score(sample.totals())["value"][0]) if len(agree) else float("nan")
    return Result(
        measure="kendall-u",
        value=value,
        observed=float(agree.mean()) if len(agree) else None,
        expected=0.5,
        terms={"ties": float(np.mean(data.winner == TIE)) if len(data) else float("nan")},
        n=len(agree),
        signature=signature("kendall-u", len(agree)),
        undefined=None if len(agree) else "no pair was decided by two judges",
        annotators=data.judges,
        sample=sample,
    )


def consistency(data: Preferences) -> list[dict[str, Any]]:
    """Circular triads of each judge (a over b over c over a) and ζ, where all pairs were decided.

    .. math:: \\zeta = 1 - 24c/(k^3-k) \\text{ (k odd)}, \\quad 1 - 24c/(k^3-4k) \\text{ (k even)}
    """
    k = len(data.objects)
    rows = []
    for j, name in enumerate(data.judges):
        for i in np.unique(data.item[data.judge == j]).tolist():
            mine = data.take(np.flatnonzero((data.judge == j) & (data.item == i)))
            won = np.bincount(
                np.where(mine.winner == 1, mine.right, mine.left)[mine.winner != TIE], minlength=k
            )
            row: dict[str, Any] = {"judge": name}
            if i >= 0:
                row["item"] = data.items[i]
            whole = len(mine) == k * (k - 1) // 2 and int(won.sum()) == len(mine)
            if whole and k >= 3:
                triads = k * (k - 1) * (2 * k - 1) / 12 - float((won * won).sum()) / 2
                most = (k**3 - k) / 24 if k % 2 else (k**3 - 4 * k) / 24
                rows.append({**row, "circular_triads": round(triads), "zeta": 1 - triads / most})
    return rows


def position(data: Preferences, level: float) -> dict[str, Any]:
    """How often the object on the left wins, of the decided ones: ½ when the side does not matter.

    A pair judged in both orders has a winner on either side, or the same side twice; *flips* is the
    share of them that the order decided.
    """
    once = np.ones(len(data), dtype=bool) if data.orders is None else data.orders == ONCE
    orders = np.array([], dtype=np.int8) if data.orders is None else data.orders[~once]
    alike = int(np.sum(data.winner[~once][orders == ALIKE] != TIE))
    left = int((data.winner[once] == LEFT).sum()) + alike + 2 * int((orders == BOTH_LEFT).sum())
    right = int((data.winner[once] == RIGHT).sum()) + alike + 2 * int((orders == BOTH_RIGHT).sum())
    n = left + right
    swapped: dict[str, Any] = {}
    if len(orders):
        swapped = {"swapped": len(orders), "flips": float(np.mean(orders != ALIKE))}
    if not n:
        return {"left": None, "low": None, "high": None, "n": 0, **swapped}
    # neither side is the worse one: the same doubt on both
    up, down = (of_share(a, n - a, level, "") for a in (left, right))
    return {
        "left": left / n,
        "low": min(up.low, 1 - down.high),
        "high": max(up.high, 1 - down.low),
        "n": n,
        **swapped,
    }


__all__ = ["consistency", "kendall_u", "position"]
