"""Numbers: mean, median, and annotators with a bias and a noise of their own."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.progress import Progress
from accord.errors import UsageError
from accord.gold.labels import Array
from accord.gold.rounds import Rounds

Index = NDArray[np.integer]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Numbers:
    """A number per item, its standard error, and what was learnt of the annotators.

    `reliability` is 1 - (standard error)² / variance of the items: 1 when the number is certain, 0
    when the ratings of the item say nothing about it.
    """

    value: Array
    error: Array
    reliability: Array
    bias: Array | None = None
    noise: Array | None = None
    objective: tuple[float, ...] = ()
    converged: bool | None = None


def mean(data: Ratings, *, weight: Array, known: Array) -> Numbers:
    """The (weighted) mean of the ratings of each item; NaN for an item nobody rated."""
    y, w, item, n = _columns(data, weight)
    total = np.bincount(item, weights=w, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.bincount(item, weights=w * y, minlength=n) / total
    return _spread(data, np.where(np.isnan(known), value, known), known, weight, inflate=1.0)


def median(data: Ratings, *, weight: Array, known: Array) -> Numbers:
    """The (weighted) median of the ratings of each item: half the weight on either side.

    When exactly half the weight lies below, the midpoint of the two middle ratings.
    """
    y, w, item, n = _columns(data, weight)
    order = np.lexsort((y, item))
    y, w, item = y[order], w[order], item[order]
    total = np.bincount(item, weights=w, minlength=n)
    before = np.concatenate([[0.0], np.cumsum(total)])[:-1]
    reached = np.cumsum(w) - before[item]
    half = total[item] / 2
    low = _first(reached >= half - 1e-12 * total[item], item, n)
    high = _first(reached > half + 1e-12 * total[item], item, n)
    value = np.full(n, np.nan)
    rated = total > 0
    value[rated] = (y[low[rated]] + y[high[rated]]) / 2
    # the median of a normal sample varies π/2 times as much as its mean
    return _spread(data, np.where(np.isnan(known), value, known), known, weight, inflate=np.pi / 2)


def bias_noise(
    data: Ratings,
    *,
    weight: Array,
    known: Array,
    tolerance: float = 1e-8,
    rounds: int = 2000,
    progress: Progress | None = None,
) -> Numbers:
    r"""A number per item from annotators who are shifted and noisy, each in a way of their own.

    .. math:: y_{ai} = \mu_i + b_a + \varepsilon_{ai}, \quad \varepsilon_{ai} \sim N(0, s_a^2),
              \quad \mu_i \sim N(m, S^2), \quad b_a \sim N(0, B^2)

    B² is a quarter of the variance of all ratings; 1/s_a² has a weak Gamma prior worth one rating at
    the pooled noise, so that no annotator becomes infinitely precise. Climbed by ECM: the objective
    (log posterior of b, s, m, S with μ integrated out) never falls.

    The additive case of the model of Raykar et al. (2010), JMLR 11, 1297–1322, §5.
    """
    y, w, item, n = _columns(data, weight)
    A = len(data.annotators)
    who = data.annotator
    if len(y) < 2 or float(np.var(y)) == 0.0:
        return mean(data, weight=weight, known=known)
    clamped = ~np.isnan(known)
    total = np.bincount(item, weights=w, minlength=n)
    given = np.bincount(who, weights=w, minlength=A)
    start = mean(data, weight=weight, known=known)
    mu = np.where(np.isnan(start.value), float(np.mean(y)), start.value)
    bias, B2 = np.zeros(A), float(np.var(y)) / 4
    pooled = max(float(np.average((y - mu[item]) ** 2)), float(np.var(y)) * 1e-6)
    noise2 = np.full(A, pooled)
    m, S2 = float(np.mean(mu)), max(float(np.var(mu)), float(np.var(y)) * 1e-6)
    objective: list[float] = []
    converged = False
    v = np.zeros(n)
    told = Rounds(progress, tolerance * len(y), rounds)
    for turn in range(rounds):
        precision = w / noise2[who]
        weighed = np.bincount(item, weights=precision, minlength=n)
        v = np.where(clamped, 0.0, 1 / (1 / S2 + weighed))
        pulled = np.bincount(item, weights=precision * (y - bias[who]), minlength=n)
        mu = np.where(clamped, known, v * (m / S2 + pulled))
        objective.append(
            _evidence(y, w, item, who, bias, noise2, m, S2, mu, v, clamped)
            - float(np.sum(bias**2)) / (2 * B2)
            - float(np.sum(np.log(noise2) + pooled / noise2)) / 2
        )
        told.told(objective[-1] - objective[-2] if turn else math.inf)
        if turn and objective[-1] - objective[-2] <= tolerance * len(y):
            converged = True
            break
        gap = y - mu[item]
        bias = np.bincount(who, weights=w * gap, minlength=A) / (given + noise2 / B2)
        squares = (y - mu[item] - bias[who]) ** 2 + v[item]
        noise2 = (np.bincount(who, weights=w * squares, minlength=A) + pooled) / (given + 1)
        m = float(np.mean(mu))
        S2 = float(np.mean((mu - m) ** 2 + v))
    rated = (total > 0) | clamped
    return Numbers(
        value=np.where(rated, mu, np.nan),
        error=np.where(rated, np.sqrt(v), np.nan),
        reliability=np.where(rated, 1 - v / S2, np.nan),
        bias=np.where(given > 0, bias, np.nan),
        noise=np.where(given > 0, np.sqrt(noise2), np.nan),
        objective=tuple(objective),
        converged=converged,
    )


def _evidence(
    y: Array,
    w: Array,
    item: Index,
    who: Index,
    bias: Array,
    noise2: Array,
    m: float,
    S2: float,
    mu: Array,
    v: Array,
    clamped: NDArray[np.bool_],
) -> float:
    """log p(ratings, known numbers), unknown μ integrated out: the complete term plus the entropy."""
    residual = (y - mu[item] - bias[who]) ** 2 + v[item]
    spread = noise2[who]
    fit = -0.5 * np.sum(w * (np.log(2 * np.pi * spread) + residual / spread))
    prior = -0.5 * np.sum(np.log(2 * np.pi * S2) + ((mu - m) ** 2 + v) / S2)
    free = v[~clamped]
    entropy = 0.5 * np.sum(np.log(2 * np.pi * math.e * free)) if len(free) else 0.0
    return float(fit + prior + entropy)


def _columns(data: Ratings, weight: Array) -> tuple[Array, Array, NDArray[np.int64], int]:
    if data.multiplicity is not None:
        raise UsageError("a reference needs the single items; these data are counts of them")
    return data.numbers[data.code], weight[data.annotator], data.item, len(data.indptr) - 1


def _first(reached: NDArray[np.bool_], item: Index, n: int) -> NDArray[np.int64]:
    """Place of the first true of each item; 0 where there is none."""
    places = np.flatnonzero(reached)
    first = np.zeros(n, dtype=np.int64)
    first[item[places][::-1]] = places[::-1]
    return first


def _spread(data: Ratings, value: Array, known: Array, weight: Array, inflate: float) -> Numbers:
    """Standard errors from the pooled variance within items, as in a one-way analysis."""
    y, w, item, n = _columns(data, weight)
    per = np.bincount(item, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = np.bincount(item, weights=y, minlength=n) / per
    within = float(np.sum((y - centre[item]) ** 2)) / max(1, len(y) - int(np.sum(per > 0)))
    between = float(np.nanvar(value)) if np.any(~np.isnan(value)) else 0.0
    total = np.bincount(item, weights=w, minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        error2 = np.where(np.isnan(known), inflate * within / total, 0.0)
        reliability = np.clip(1 - error2 / (between if between > 0 else np.nan), 0.0, 1.0)
    if between == 0:
        reliability = np.where(error2 == 0, 1.0, 0.0)
    missing = np.isnan(value)
    return Numbers(
        value=value,
        error=np.where(missing, np.nan, np.sqrt(error2)),
        reliability=np.where(missing, np.nan, reliability),
    )
