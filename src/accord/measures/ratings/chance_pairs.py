"""Chance between values of any kind: all pairs when they are few, else a sample of them, with its error."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.distance.categories import Metric
from accord.distance.objects import same_objects, uniform_expectation
from accord.errors import UsageError
from accord.result import Array

#: pairs compared for chance, at most
MOST_PAIRS = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """The distance with its expectation by chance, and how well that is known."""

    metric: Metric
    #: pairs compared; 0 when all were
    pairs: int = 0
    #: standard error of the mean distance by chance
    error: float = 0.0

    @property
    def terms(self) -> dict[str, float]:
        """What a result says about a sampled chance."""
        return {"chance_pairs": self.pairs, "chance_error": self.error} if self.pairs else {}

    def noise(self, value: float, expected: float) -> tuple[float, float] | None:
        """(variance, degrees of freedom) that the sampling adds to 1 − D_o/D_e."""
        if not self.pairs or not expected > 0:
            return None
        return ((1 - value) * self.error / expected) ** 2, self.pairs - 1.0


def by_chance(ratings: Ratings, metric: Metric, chance: str, seed: int) -> Chance:
    """How far two values are apart by chance: the values that were given, or rankings at random."""
    if chance == "uniform":
        if metric.name not in ("kendall", "footrule") or metric.compared is None:
            raise UsageError("`chance` uniform is for rankings: with `metric` kendall or footrule")
        mean = uniform_expectation(metric.name, metric.compared.values)
        return Chance(_with_mean(metric, lambda n: np.full(n.shape[:-1], mean)))
    if metric.compared is not None and metric.name in ("kendall", "footrule"):
        same_objects(metric.name, metric.compared.values)
    if metric.compared is None or metric.size * (metric.size - 1) // 2 <= MOST_PAIRS:
        return Chance(metric)
    pairable = np.repeat(ratings.per_item >= 2, ratings.per_item)
    times = 1 if ratings.multiplicity is None else ratings.multiplicity[ratings.item[pairable]]
    # (by value: in which rows and under whose name they stand must not choose the pairs)
    codes = np.sort(np.repeat(ratings.code[pairable], times))
    first, second = some_pairs(len(codes), MOST_PAIRS, np.random.default_rng(seed))
    c, k = codes[first], codes[second]
    apart = metric.pairs(c, k)
    whole = len(codes) * (len(codes) - 1) / 2
    # two annotators of many may have few values, or none, in common: then all are compared
    error = 0.0
    if len(apart) < whole:
        error = float(apart.std(ddof=1) * np.sqrt((1 - len(apart) / whole) / len(apart)))
    given = np.bincount(codes, minlength=metric.size).astype(np.float64)

    def mean_of(n: Array) -> Array:
        # values that weigh more now than in the data make their pairs weigh more
        share = n / np.where(given > 0, given, 1.0)
        weight = share[..., c] * share[..., k]
        total = weight.sum(axis=-1)
        # no pair, no distance by chance
        mean = np.full(total.shape, np.nan)
        np.divide((weight * apart).sum(axis=-1), total, out=mean, where=total > 0)
        return mean

    return Chance(_with_mean(metric, mean_of), len(apart), error)


def some_pairs(
    n: int, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of n places without replacement: all of them when there are no more than `most`.

    >>> a, b = some_pairs(4, 10, np.random.default_rng(0))
    >>> list(zip(a.tolist(), b.tolist()))
    [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3)]
    """
    whole = n * (n - 1) // 2
    if whole <= most:
        chosen = np.arange(whole, dtype=np.int64)
    else:
        chosen = np.empty(0, dtype=np.int64)
        while len(chosen) < most:  # few are drawn twice, or all would be taken
            more = rng.integers(0, whole, size=most + most // 4)
            chosen = np.unique(np.concatenate([chosen, more]))
        chosen = np.sort(rng.permutation(chosen)[:most])
    # pair number t is (i, j) with j(j−1)/2 ≤ t
    j = np.floor((1 + np.sqrt(1 + 8.0 * chosen)) / 2).astype(np.int64)
    j -= j * (j - 1) // 2 > chosen
    return chosen - j * (j - 1) // 2, j


def _with_mean(metric: Metric, mean_of: Any) -> Metric:
    """The metric with Σ_ck n_c n_k δ_ck from the mean distance of two different values."""

    def expected(n: Array) -> Array:
        N = n.sum(axis=-1)
        return np.asarray(mean_of(n) * N * (N - 1))

    return replace(metric, expected=expected)
