"""Bland and Altman's limits of agreement: how far two annotators' numbers lie apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from accord.data import Ratings
from accord.errors import InputError
from accord.measures.ratings.components import positions
from accord.options import check_draws
from accord.result import Array


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Limits:
    """Bias and limits of first − second, each with its own interval."""

    first: str
    second: str
    n: int
    #: mean difference and its interval
    bias: float
    bias_low: float
    bias_high: float
    #: standard deviation of the differences
    spread: float
    #: limits between which 95 % of the differences are expected, and the half width of each
    lower: float
    upper: float
    margin: float
    #: Spearman's ρ of |difference| with the mean, and its p
    trend: float
    trend_p: float
    #: mean and difference of each item, for the drawing
    points: Array

    def to_dict(self) -> dict[str, object]:
        names = (
            "first", "second", "n", "bias", "bias_low", "bias_high", "spread", "lower", "upper",
            "margin", "trend", "trend_p",
        )  # fmt: skip
        out = {name: getattr(self, name) for name in names}
        return {**out, "lower_low": self.lower - self.margin, "lower_high": self.lower + self.margin,
                "upper_low": self.upper - self.margin, "upper_high": self.upper + self.margin}  # fmt: skip


def limits_of_agreement(
    ratings: Ratings, *, others: bool = False, level: float = 0.95
) -> tuple[Limits, ...]:
    """The limits of each pair of annotators, or of each against the mean of the others.

    .. math:: \\bar d \\pm z_{.975}\\, s_d, \\qquad
              \\bar d \\pm t_{n-1}\\, s_d/\\sqrt n, \\qquad
              se = s_d \\sqrt{1/n + z^2/(2(n-1))}

    for the limits, the interval of the bias, and the standard error of a limit (Bland, J. M. & Altman,
    D. G. (1986). Statistical methods for assessing agreement between two methods of clinical
    measurement. *Lancet* 327). The differences should not grow with the values: `trend` tells.

    >>> pair = limits_of_agreement(Ratings.from_matrix([[1, 2, 3, 4, 5], [2, 2, 4, 4, 6]]))[0]
    >>> round(pair.bias, 2), round(pair.lower, 6), round(pair.upper, 6)
    (-0.6, -1.673516, 0.473516)
    """
    check_draws(level=level)
    if len(ratings.annotators) < 2:
        raise InputError("limits of agreement need at least two annotators")
    ratings = ratings.single()
    x = positions(ratings, "limits of agreement")
    table = np.full((len(ratings.indptr) - 1, len(ratings.annotators)), np.nan)
    table[ratings.item, ratings.annotator] = x[ratings.code]
    names = ratings.annotators
    found = []
    if others:
        for a, name in enumerate(names):
            rest = np.delete(table, a, axis=1)
            count = np.isfinite(rest).sum(axis=1)
            mean = np.where(count > 0, np.nansum(rest, axis=1) / np.maximum(count, 1), np.nan)
            found.append(_limits(name, "the others", table[:, a], mean, level))
    else:
        for a, b in combinations(range(len(names)), 2):
            found.append(_limits(names[a], names[b], table[:, a], table[:, b], level))
    kept = tuple(one for one in found if one is not None)
    if not kept:
        raise InputError("no two annotators share three items or more")
    return kept


def _limits(first: str, second: str, a: Array, b: Array, level: float) -> Limits | None:
    from scipy.special import ndtri, stdtrit

    both = np.isfinite(a) & np.isfinite(b)
    n = int(both.sum())
    if n < 3:
        return None
    d, middle = (a - b)[both], ((a + b) / 2)[both]
    bias, s = float(d.mean()), float(d.std(ddof=1))
    z, t = float(ndtri(0.975)), float(stdtrit(n - 1, (1 + level) / 2))
    trend, p = _trend(np.abs(d - bias), middle)
    return Limits(
        first=first,
        second=second,
        n=n,
        bias=bias,
        bias_low=bias - t * s / np.sqrt(n),
        bias_high=bias + t * s / np.sqrt(n),
        spread=s,
        lower=bias - z * s,
        upper=bias + z * s,
        margin=float(t * s * np.sqrt(1 / n + z**2 / (2 * (n - 1)))),
        trend=trend,
        trend_p=p,
        points=np.column_stack([middle, d]),
    )


def _trend(size: Array, middle: Array) -> tuple[float, float]:
    """Spearman's ρ and its p by Student's t."""
    from scipy.special import stdtr

    ranks = []
    for v in (size, middle):
        _, place, count = np.unique(v, return_inverse=True, return_counts=True)
        ranks.append((np.cumsum(count) - (count - 1) / 2)[place])
    n = len(size)
    sd = [r.std() for r in ranks]
    if min(sd) == 0 or n < 4:
        return float("nan"), 1.0
    rho = float(
        ((ranks[0] - ranks[0].mean()) * (ranks[1] - ranks[1].mean())).mean() / (sd[0] * sd[1])
    )
    if abs(rho) >= 1:
        return rho, 0.0
    t = rho * np.sqrt((n - 2) / (1 - rho * rho))
    return rho, float(2 * stdtr(n - 2, -abs(t)))


def growing(found: Limits) -> str | None:
    """What to say when the differences grow with the values."""
    if not (found.trend_p < 0.05 and found.trend > 0):
        return None
    return (
        f"{found.first} and {found.second}: differences grow with the values "
        f"(ρ = {found.trend:.2f}, p = {found.trend_p:.2g}); take ratios or logarithms"
    )
