"""Many tests at once: procedures that bound the share of false discoveries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p-values of Benjamini & Hochberg (1995), in the order given.

    >>> [round(v, 6) for v in benjamini_hochberg([0.01, 0.04, 0.03, 0.5])]
    [0.04, 0.053333, 0.053333, 0.5]
    """
    m = len(p)
    if not m:
        return []
    order = np.argsort(p, kind="stable")
    raised = np.asarray(p, dtype=np.float64)[order] * m / np.arange(1, m + 1)
    adjusted = np.empty(m)
    adjusted[order] = np.minimum(1.0, np.minimum.accumulate(raised[::-1])[::-1])
    return [float(v) for v in adjusted]


def benjamini_yekutieli(p: Sequence[float], q: float) -> list[bool]:
    """Which nulls fall at level q: false discoveries below q under any dependence (2001).

    >>> benjamini_yekutieli([0.001, 0.2, 0.02], 0.05)
    [True, False, False]
    """
    m = len(p)
    harmonic = sum(1 / i for i in range(1, m + 1))
    order = sorted(range(m), key=lambda i: p[i])
    last = 0
    for place, i in enumerate(order, 1):
        if p[i] <= place * q / (m * harmonic):
            last = place
    rejected = [False] * m
    for i in order[:last]:
        rejected[i] = True
    return rejected
