"""How far a value may move, by one method: two limits, and the chance of lying below a number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from accord.result import Array
from accord.uncertainty.jackknife import student, student_below
from accord.uncertainty.scale import Scale


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Spread:
    """Limits of a value; `below` gives the probability that the truth lies below a number."""

    low: float
    high: float
    method: str
    below: Callable[[float], float]
    error: float | None = None
    df: float | None = None
    resamples: int | None = None
    dropped: int = 0
    warnings: tuple[str, ...] = ()

    def around(self, value: float, scale: Scale) -> Spread:
        """Widened, never narrowed, to hold the value, and cut to what the measure can be."""
        low, high = min(self.low, value), max(self.high, value)
        return replace(
            self, low=max(low, min(scale.low, value)), high=min(high, max(scale.high, value))
        )

    @property
    def flat(self) -> bool:
        """No width, up to rounding."""
        return not self.high - self.low > 1e-12 * max(1.0, abs(self.low))


def hull(a: Spread, b: Spread, method: str) -> Spread:
    """The least limits that hold both; the probability nearer to ½ is the more careful one."""

    def below(x: float) -> float:
        return min((a.below(x), b.below(x)), key=lambda p: abs(p - 0.5))

    first, second = (a, b) if a.error is not None else (b, a)
    return Spread(
        low=min(a.low, b.low),
        high=max(a.high, b.high),
        method=method,
        below=below,
        error=first.error,
        df=first.df,
        resamples=a.resamples or b.resamples,
        dropped=a.dropped + b.dropped,
        warnings=(*first.warnings, *second.warnings),
    )


def of_draws(values: Array, level: float, method: str) -> Spread | None:
    """Quantiles of resampled values; None when most of them are undefined."""
    good = values[np.isfinite(values)]
    if len(good) < max(2, len(values) // 2):
        return None
    ordered = np.sort(good)
    tail = (1 - level) / 2
    low, high = np.quantile(ordered, [tail, 1 - tail])
    dropped = len(values) - len(good)
    warnings = (
        (
            f"the value is undefined on {dropped} of {len(values)} resamples; "
            "the interval rests on the others",
        )
        if dropped
        else ()
    )
    return Spread(
        low=float(low),
        high=float(high),
        method=method,
        below=lambda x: float(np.searchsorted(ordered, x) / len(ordered)),
        resamples=len(values),
        dropped=dropped,
        warnings=warnings,
    )


def of_error(value: float, error: float, df: float, level: float, method: str) -> Spread:
    """value ± t·error."""
    half = student(df, (1 + level) / 2) * error

    def below(x: float) -> float:
        if error == 0:
            return float(x > value)
        return student_below(df, (x - value) / error)

    return Spread(
        low=value - half, high=value + half, method=method, below=below, error=error, df=df
    )


def of_root(value: float, u: float, error: float, df: float, level: float, end: float) -> Spread:
    """The limit away from an end of the scale, with Student's t on the square root of the distance.

    A distance from the best value is positive and has its long tail away from it: with distance u and
    its standard error s, the limit is (√u + t·s/(2√u))² = u + t·s + t²s²/(4u). The other limit is the
    value itself. `u` may be larger than the distance of the value, when something unseen is added.
    """
    root, far = math.sqrt(u), -1.0 if end >= value else 1.0
    scaled = error / (2 * root)
    limit = end + far * (root + student(df, (1 + level) / 2) * scaled) ** 2

    def below(x: float) -> float:
        z = (math.sqrt(max(0.0, far * (x - end))) - root) / scaled
        return student_below(df, far * z)

    return Spread(
        low=min(limit, value), high=max(limit, value), method="", below=below, error=error, df=df
    )


def toward(found: Spread, other: Spread, value: float, *, down: bool) -> Spread:
    """The first, as far on one side of the value as the second goes."""

    def below(x: float) -> float:
        both = (found.below(x), other.below(x))
        return min(both, key=lambda p: abs(p - 0.5)) if (x < value) == down else both[0]

    return replace(
        found,
        low=min(found.low, other.low) if down else found.low,
        high=found.high if down else max(found.high, other.high),
        below=below,
    )


def of_law(quantile: Callable[[float], float], level: float, method: str) -> Spread:
    """Limits by a quantile function of the measure's own."""

    def below(x: float) -> float:
        least, most = 1e-9, 1 - 1e-9
        if not quantile(least) < x:
            return least
        if not quantile(most) > x:
            return most
        for _ in range(60):
            middle = (least + most) / 2
            if quantile(middle) < x:
                least = middle
            else:
                most = middle
        return (least + most) / 2

    tail = (1 - level) / 2
    return Spread(low=quantile(tail), high=quantile(1 - tail), method=method, below=below)


def of_share(right: int, wrong: int, level: float, method: str) -> Spread:
    """A share of right units: Beta(right + 1, wrong + ½), what Dirichlet weights come to.

    >>> found = of_share(27, 3, 0.95, "")
    >>> round(found.low, 4), round(found.high, 4)
    (0.7602, 0.9715)
    """
    from scipy.special import betainc, betaincinv

    a, b = right + 1.0, wrong + 0.5
    tail = (1 - level) / 2
    return Spread(
        low=float(betaincinv(a, b, tail)),
        high=float(betaincinv(a, b, 1 - tail)),
        method=method,
        below=lambda x: float(betainc(a, b, min(1.0, max(0.0, x)))),
    )


def of_few(value: float, units: int, level: float, scale: Scale, method: str) -> Spread:
    """What so many units alike cannot exclude: a share of units of another kind.

    With D units of one value, the share s of units that are worse (or better) may be up to
    1 − Beta⁻¹((1 − level)/2; D + 1, ½): .35 of 5 units, .21 of 10. The limits are the value moved by
    that share towards the value of chance, and towards the best.
    """
    from scipy.special import betaincc, betaincinv

    share = 1 - float(betaincinv(units + 1, 0.5, (1 - level) / 2))
    ends = [t for t in (scale.worst, scale.best) if math.isfinite(t)]
    down, up = min([value, *ends]), max([value, *ends])

    def below(x: float) -> float:
        toward, room = (value - x, value - down) if x < value else (x - value, up - value)
        if room <= 0:
            return 0.0 if x < value else 1.0
        left = float(betaincc(0.5, units + 1, min(1.0, toward / room)))
        return left if x < value else 1 - left

    return Spread(
        low=value - share * (value - down),
        high=value + share * (up - value),
        method=method,
        below=below,
    )
