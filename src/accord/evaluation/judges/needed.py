"""How many human labels a wanted width takes, and which items to label next."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from accord.errors import UsageError
from accord.evaluation.judges.estimate import parts_of, strata_of
from accord.evaluation.judges.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """Labelled items that a post-stratified interval of the wanted width takes."""

    width: float
    #: items labelled in all; half of the campaigns then get the width, 90 % get 1.02–1.09 of it
    labels: int
    more: int
    reachable: bool
    #: the width if all items were labelled
    least_width: float
    #: the same with the people's labels alone, and when the unsure answers are labelled more often
    people_alone: int
    best_allocation: int
    #: answers of the judge that would do with the labels at hand; None when no number would
    judge_labels: int | None


def needed(labels: Labels, width: float, level: float, *, finite: bool = False) -> Needed | None:
    """Labels for an interval of this width; None for means of numbers.

    With h = width/2, A = Σ w ρ(1−ρ) and B = Σ w ρ² − θ² over the strata of the judge's answers,

    .. math:: n = \\lceil z^2 A / (h^2 - z^2 B / M) \\rceil

    A stratum in which people never differ enters A with ρ = (x + ½)/(n + 1).
    """
    from scipy.special import ndtri

    if not width > 0:
        raise UsageError(f"the width must be above 0, got {width}")
    if labels.target != "rate":
        return None
    z2, h2 = float(ndtri((1 + level) / 2)) ** 2, (width / 2) ** 2
    strata = strata_of(labels)
    w, rho, n_k = strata.w, strata.rho, strata.n
    M, n, theta = int(strata.size.sum()), int(n_k.sum()), strata.value
    B = max(0.0, float(w @ rho**2) - theta**2)
    y = labels.y[labels.m > 0]
    if np.any((y > 0) & (y < 1)):
        within = strata.s2
        least = float(w @ within) + B
    else:
        smooth = np.where((rho <= 0) | (rho >= 1), (rho * n_k + 0.5) / (n_k + 1), rho)
        within = smooth * (1 - smooth)
        least = theta * (1 - theta)
    A, neyman = float(w @ within), float(w @ np.sqrt(within)) ** 2

    def enough(a: float) -> int:
        if finite:
            return math.ceil(M * z2 * a / (M * h2 + z2 * a))
        room = h2 - z2 * B / M
        return M + 1 if room <= 0 else math.ceil(z2 * a / room)

    wanted = enough(A)
    reachable = wanted <= M
    room = h2 - z2 * A / n
    return Needed(
        width=width,
        labels=min(wanted, M),
        more=max(0, min(wanted, M) - n),
        reachable=reachable,
        least_width=0.0 if finite else 2 * math.sqrt(z2 * least / M),
        people_alone=math.ceil(z2 * theta * (1 - theta) / h2),
        best_allocation=min(M, enough(neyman)),
        judge_labels=None if room <= 0 else math.ceil(z2 * B / room),
    )


def next_items(labels: Labels, count: int = 20) -> list[Hashable]:
    """Items to label next: from the stratum where another label narrows the interval most.

    The variance of a stratum falls by w² ρ(1−ρ) (1/n − 1/(n+1)) with one more label; within a stratum
    items come in the order of the data, since the judge says nothing more of them (its least certain
    first when it gives probabilities).
    """
    strata = strata_of(labels)
    part = parts_of(labels)
    smooth = (strata.rho * strata.n + 0.5) / (strata.n + 1)
    spread = smooth * (1 - smooth) if labels.target == "rate" else np.maximum(strata.s2, 1e-9)
    n = strata.n.astype(np.float64)
    free = [np.flatnonzero((part == k) & (labels.m == 0)) for k in range(len(n))]
    free = [rows[np.argsort(np.abs(labels.f[rows] - 0.5), kind="stable")] for rows in free]
    taken = np.zeros(len(n), dtype=np.int64)
    chosen: list[Hashable] = []
    while len(chosen) < count:
        gain = strata.w**2 * spread * (1 / np.maximum(n, 0.5) - 1 / (n + 1))
        gain[[taken[k] >= len(free[k]) for k in range(len(n))]] = -1.0
        k = int(np.argmax(gain))
        if gain[k] < 0:
            break
        chosen.append(labels.items[int(free[k][taken[k]])])
        taken[k] += 1
        n[k] += 1
    return chosen
