"""Leave one unit out: values, standard error, degrees of freedom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.result import Array, Sample
from accord.uncertainty.weights import CELLS

#: groups of units left out, where a measure costs a fit for each and there are more units
_GROUPS = 200
#: statistics of all units left out one by one, at most: many units that all have values of their own
_MOST_STATISTICS = 2_000_000_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LeftOut:
    """The value without each unit; `times` units share one of the values."""

    values: Array
    times: Array

    @property
    def n(self) -> float:
        return float(self.times.sum())

    @property
    def error(self) -> float:
        """√((n−1)/n Σ (v_(i) − v̄)²); NaN when the value is undefined without some unit."""
        mean = self.times @ self.values / self.n
        return float(np.sqrt((self.n - 1) / self.n * (self.times @ (self.values - mean) ** 2)))

    @property
    def share_of_five(self) -> float:
        """The share of the variance that the five most influential units make."""
        squares = (self.values - self.times @ self.values / self.n) ** 2
        total = float(self.times @ squares)
        if not total > 0:
            return 0.0
        order = np.argsort(-squares, kind="stable")
        room = np.clip(5 - (np.cumsum(self.times[order]) - self.times[order]), 0, self.times[order])
        return float(room @ squares[order] / total)


def leave_one_out(sample: Sample) -> LeftOut:
    """The value of the sample without each of its units."""
    counts = sample.counts.astype(np.float64)
    rows = np.flatnonzero(counts)
    if in_groups(sample):
        return _leave_groups_out(sample, rows)
    values = np.empty(len(rows))
    total = sample.totals()
    block = max(1, CELLS // max(1, sample.width))
    for start in range(0, len(rows), block):
        chosen = rows[start : start + block]
        if sample.rows is None:
            left_out = np.repeat(counts[None, :], len(chosen), axis=0)
            left_out[np.arange(len(chosen)), chosen] -= 1
        else:
            left_out = total - dense(sample.rows[chosen])
        values[start : start + block] = np.real(sample.score(left_out)["value"])
    return LeftOut(values=values, times=counts[rows])


def in_groups(sample: Sample) -> bool:
    """Units are too many to be left out one by one, where a value costs a fit or very many sums."""
    units = int(np.count_nonzero(sample.counts))
    return units > _GROUPS and (sample.whole or units * sample.width > _MOST_STATISTICS)


def _leave_groups_out(sample: Sample, rows: NDArray[np.int64]) -> LeftOut:
    """The same by groups of units, for measures that cost a fit each; alike units are spread."""
    counts = sample.counts.astype(np.float64)
    if sample.rows is not None:
        rows = rows[content_order(sample.rows[rows])]
    group = np.arange(len(rows)) % _GROUPS
    left_out = np.repeat(counts[None, :], _GROUPS, axis=0)
    left_out[group, rows] = 0.0
    values = np.concatenate(
        [np.real(sample.value(left_out[i : i + 50])) for i in range(0, _GROUPS, 50)]
    )
    return LeftOut(values=values, times=np.ones(_GROUPS))


def content_order(rows: Any, *by: Array) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """An order of rows that depends on them alone: by these figures, the last first, then by content."""
    direction = np.random.default_rng(0).random(rows.shape[1])
    content = np.round(np.asarray(rows @ direction).ravel(), 9)
    return np.asarray(np.lexsort((content, *(np.round(figures, 10) for figures in by))))


def effective_number(sample: Sample) -> float:
    """D_eff = (Σ n_d)²/Σ n_d²: how many equal documents the uneven ones are worth (Kish 1965)."""
    times = sample.counts.astype(np.float64)
    sizes = np.ones(len(times)) if sample.weight is None else sample.weight
    square = float(times @ sizes**2)
    return float(times @ sizes) ** 2 / square if square > 0 else 0.0


def freedom(sample: Sample) -> float:
    """Degrees of freedom of the jackknife: units less one, documents by their effective number."""
    if sample.unit == "document":
        return max(1.0, effective_number(sample) - 1)
    return max(1.0, float(sample.counts.sum()) - 1)


def student(df: float, p: float) -> float:
    """Quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(df, p))


def student_below(df: float, t: float) -> float:
    """P(T < t)."""
    from scipy.special import stdtr

    return float(stdtr(df, t))


def satterthwaite(*parts: tuple[float, float]) -> float:
    """Degrees of freedom of a sum of variances, each given with its own."""
    total = sum(v for v, _ in parts)
    below = sum(v * v / max(df, 1.0) for v, df in parts)
    return total * total / below if below > 0 else float("inf")


def dense(rows: Any) -> Array:
    array: Array = rows.toarray() if hasattr(rows, "toarray") else rows
    return array
