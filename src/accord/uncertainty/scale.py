"""Where a measure's values can lie: its range, its best value, and the value of chance."""

from __future__ import annotations

import math
from dataclasses import dataclass

from accord.errors import UsageError
from accord.registry import find


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The smallest and largest possible value; the best one; what a unit of pure chance gets."""

    low: float = -math.inf
    high: float = math.inf
    best: float = math.inf
    worst: float = -math.inf

    def clip(self, x: float) -> float:
        return min(max(x, self.low), self.high)

    def nearest_end(self, value: float) -> float | None:
        """The best value, or the other end of the range where it is nearer; None without an end.

        Of a coefficient corrected for chance only the best value is an end that values press against.
        """
        floor = self.low if self.best == self.high else self.high
        ends = [self.best, *([floor] if floor == self.worst else [])]
        known = [end for end in ends if math.isfinite(end)]
        return min(known, key=lambda end: abs(end - value)) if known else None


def scale_of(measure: str) -> Scale:
    """The scale of an enrolled measure; no limits for a name nobody enrolled.

    Chance-corrected coefficients without a least value (α, γ) are shown from −1: below it they say
    no more than that there is no agreement.
    """
    try:
        record = find(measure)
    except UsageError:
        return Scale()
    low, high = record.range
    if record.chance and math.isinf(low):
        low = -1.0
    if record.similarity:
        return Scale(low=low, high=high, best=high, worst=max(0.0, low))
    return Scale(low=low, high=high, best=low, worst=high)
