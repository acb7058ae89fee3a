"""Claims beyond the people who labelled: what other people like them would say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord.evaluation.judges.estimate import Estimate
from accord.evaluation.judges.labels import Labels
from accord.result import Interval


def people_interval(
    labels: Labels, found: Estimate, estimator: Callable[[Labels, float], Estimate], level: float
) -> Interval | None:
    """The interval of an estimate for humans like these, by leaving each of them out.

    .. math:: V = V_{items} + \\frac{g-1}{g} \\sum_h (\\theta_{(-h)} - \\bar\\theta)^2

    with Student's t on Satterthwaite's degrees of freedom (n − 2 and g − 1). An item that loses its
    only label becomes unlabelled. None with fewer than two people.
    """
    from scipy.special import ndtri, stdtrit

    g = len(np.unique(labels.person))
    n = int((labels.m > 0).sum())
    if g < 2 or n < 3 or found.ends is None:
        return None
    thetas = []
    for h in np.unique(labels.person):
        rest = labels.without(int(h))
        if not len(rest.item):
            return None
        thetas.append(estimator(rest, level).value)
    if not np.all(np.isfinite(thetas)):
        return None
    z = float(ndtri((1 + level) / 2))
    items = found.variance
    if items is None:
        items = ((found.ends[1] - found.ends[0]) / (2 * z)) ** 2
    who = (g - 1) / g * float(np.sum((np.array(thetas) - np.mean(thetas)) ** 2))
    total = items + who
    if total == 0:
        return None
    degrees = total**2 / (items**2 / (n - 2) + who**2 / (g - 1))
    half = float(stdtrit(degrees, (1 + level) / 2)) * float(np.sqrt(total))
    low, high = found.value - half, found.value + half
    if labels.target == "rate":
        low, high = max(0.0, low), min(1.0, high)
    return Interval(low, high, level, f"{found.method}:people")
