"""Squared distances between categories, for α; and matrices given as files.

A metric answers two questions: the δ² of given pairs of values (`pairs`), and Σ_ck n_c n_k δ²_ck for
given counts n (`expected`). For most metrics the second has a closed form in a few moments of the
counts, so that no V × V matrix is ever made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.distance.matrices import square
from accord.distance.objects import OBJECTS, Compared, Distance, compared
from accord.distance.taxonomy import KINDS, taxonomy_distances
from accord.errors import UsageError

Array = NDArray[np.float64]
Index = NDArray[np.integer[Any]]

METRICS = (
    "nominal",
    "ordinal",
    "interval",
    "ratio",
    "circular",
    "bipolar",
    "linear",
    "jaccard",
    "masi",
    *OBJECTS,
    "path",
    "wu-palmer",
)

#: numbers beyond it have no square
_LARGEST = 1e150
#: cells of a distance matrix made at once
_BLOCK_CELLS = 4_000_000
#: values whose pairs are summed one by one, where another way is there
_FEW = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """δ² between the values of one data set."""

    name: str
    size: int
    #: indices of values → δ²
    pairs: Callable[[Index, Index], Array]
    #: (V, m) moments of a value; None for the counts themselves
    moments: Array | None
    #: totals of the moments (B, m) → Σ_ck n_c n_k δ²_ck, ordered pairs, c = k included (0)
    expected: Callable[[Array], Array]
    #: the distance depends on the counts: ordinal, on mid-ranks
    by_rank: bool = False
    #: values of any kind, compared one pair at a time: all pairs may be too many
    compared: Compared | None = None

    def matrix(self) -> Array:
        """All δ² at once."""
        index = np.arange(self.size)
        return self.pairs(index[:, None], index[None, :])


def category_metric(
    metric: str | Path | Array | Distance,
    values: Sequence[Any],
    *,
    kind: str = "categories",
    ordered: bool = False,
    period: float | None = None,
    taxonomy: str | Path | None = None,
) -> Metric:
    """The metric called `metric`, or given as a matrix or the path of one, on these values.

    * nominal: 0 or 1; any values.
    * ordinal: δ = ranks between, ties shared (Krippendorff 2013): (Σ_{g=c..k} n_g − (n_c+n_k)/2)²,
      the squared difference of mid-ranks; numbers, or categories declared in order.
    * interval (c−k)², ratio ((c−k)/(c+k))², circular sin²(π(c−k)/period),
      bipolar (c−k)²/((c+k−2min)(2max−c−k)), linear |c−k| taken as it is; numbers, or the ranks
      1, 2, 3 … of categories declared in order.
    * jaccard 1−|A∩B|/|A∪B| and MASI 1−jaccard·monotonicity (Passonneau 2006); sets of labels, the
      distance taken as it is.
    * edit, token-f1 (texts), cosine, euclidean (vectors), kendall, footrule (rankings), bracket-f1
      (trees), or a function of two values: :mod:`accord.distance.objects`.
    * path, the edges between two labels of a tree, and wu-palmer, both taken as they are
      (:func:`accord.distance.taxonomy.taxonomy_distances`); labels are paths, or `taxonomy` is a
      table ``label,parent``.
    """
    if taxonomy is not None and (not isinstance(metric, (str, Path)) or metric not in KINDS):
        raise UsageError(f"`taxonomy` is for the metrics {' and '.join(KINDS)}: name one")
    if not (isinstance(metric, (str, PathLike)) or callable(metric)):
        return from_matrix("matrix", square(metric, [_text(v) for v in values], "distances"))
    if callable(metric) or metric in OBJECTS:
        met = compared(metric if callable(metric) else str(metric), values)
        return replace(general(met.name, len(values), met.between), compared=met)
    if metric not in METRICS:
        path = Path(metric)
        if path.is_file():
            held = square(path, [_text(v) for v in values], "distances")
            return from_matrix(f"matrix:{path.name}", held)
        raise UsageError(
            f"the metric must be one of {', '.join(METRICS)} or a matrix file, got {metric!r}"
        )
    name = str(metric)
    if name == "nominal":
        return nominal(len(values))
    if name in ("jaccard", "masi"):
        return _on_sets(name, values, kind)
    if name in KINDS:
        if kind == "sets":
            raise UsageError(f"the {name} metric compares single labels, these are sets")
        return from_matrix(
            name, taxonomy_distances([_text(v) for v in values], tree=taxonomy, kind=name)
        )
    numbers = _coordinates(name, values, kind, ordered)
    if name != "ordinal" and len(numbers) and float(np.abs(numbers).max()) > _LARGEST:
        raise UsageError(
            f"the {name} metric squares differences, and numbers as large as "
            f"{float(np.abs(numbers).max()):g} cannot be squared; divide them first"
        )
    if name == "ordinal":
        return _ordinal(len(values))
    if name == "interval":
        centred = numbers - (numbers.mean() if len(numbers) else 0.0)
        return embedded("interval", centred[:, None])
    if name == "circular":
        if period is None or period <= 0:
            raise UsageError("the circular metric needs a period above 0, for example period=360")
        angle = 2 * np.pi * numbers / period
        return embedded("circular", np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2)
    if name == "linear":
        return linear(numbers)
    if name == "ratio":
        if len(numbers) and numbers.min() < 0:
            raise UsageError(f"the ratio metric needs numbers from 0, got {numbers.min():g}")
        ratio = general("ratio", len(numbers), lambda c, k: _ratio(numbers[c], numbers[k]))
        return ratio if len(numbers) <= _FEW else _summed(ratio, _relative(numbers, 2))
    low, high = (float(numbers.min()), float(numbers.max())) if len(numbers) else (0.0, 1.0)
    between = general("bipolar", len(numbers), bipolar(numbers, low, high))
    if len(numbers) <= _FEW:
        return between
    # 1/((x+y)(x'+y')) = (1/(x+y) + 1/(x'+y')) / 2L for the distances x, y and x', y' from the ends
    ends = np.hstack([_relative(numbers - low, 1), _relative(high - numbers, 1)])
    return _summed(between, ends / np.sqrt(2 * (high - low)))


def squared_distances(
    metric: str | Path | Array,
    values: Sequence[Any],
    counts: Array | None = None,
    *,
    kind: str = "categories",
    ordered: bool = False,
    period: float | None = None,
    taxonomy: str | Path | None = None,
) -> Array:
    """The V × V matrix of δ²; `counts` are needed by the ordinal metric.

    >>> squared_distances("ordinal", ["low", "mid", "high"], np.array([2., 2., 2.]), ordered=True)
    array([[ 0.,  4., 16.],
           [ 4.,  0.,  4.],
           [16.,  4.,  0.]])
    """
    chosen = category_metric(
        metric, values, kind=kind, ordered=ordered, period=period, taxonomy=taxonomy
    )
    if chosen.by_rank:
        if counts is None:
            raise UsageError("the ordinal metric needs the counts of the values")
        ranks = mid_ranks(np.asarray(counts, dtype=np.float64))
        return (ranks[:, None] - ranks[None, :]) ** 2
    return chosen.matrix()


def mid_ranks(counts: Array) -> Array:
    """Mid-rank of each value along the last axis, from how often it occurs."""
    return np.cumsum(counts, axis=-1) - counts / 2


# --- families ------------------------------------------------------------------------------------


def nominal(size: int) -> Metric:
    """Return 0 for equal values and 1 for others."""
    return Metric(
        name="nominal",
        size=size,
        pairs=lambda c, k: np.asarray(c != k, dtype=np.float64),
        moments=None,
        expected=lambda n: n.sum(axis=-1) ** 2 - (n * n).sum(axis=-1),
    )


def embedded(name: str, z: Array) -> Metric:
    """δ² = |z_c − z_k|²: Σ n_c n_k δ² = 2 (N Σ n|z|² − |Σ n z|²)."""

    def expected(totals: Array) -> Array:
        n, square, mean = totals[..., 0], totals[..., 1], totals[..., 2:]
        total = 2 * (n * square - (mean * mean).sum(axis=-1))
        # one value only: the two terms cancel up to rounding, and the difference is 0
        nothing = np.real(total) <= 1e-12 * np.real(n * square)
        return np.where(nothing, 0.0, total)

    return Metric(
        name=name,
        size=len(z),
        pairs=lambda c, k: ((z[c] - z[k]) ** 2).sum(axis=-1),
        moments=np.column_stack([np.ones(len(z)), (z * z).sum(axis=1), z]),
        expected=expected,
    )


def _ordinal(size: int) -> Metric:
    def refuse(*_: Any) -> Array:
        raise TypeError("ordinal distances depend on the counts: use mid_ranks")

    return Metric(
        name="ordinal", size=size, pairs=refuse, moments=None, expected=refuse, by_rank=True
    )


def linear(numbers: Array) -> Metric:
    """|c − k|, summed by the steps between sorted numbers."""
    order = np.argsort(numbers, kind="stable")
    steps = np.diff(numbers[order])

    def expected(n: Array) -> Array:
        below = np.cumsum(n[..., order], axis=-1)[..., :-1]
        return np.asarray(
            2 * (below * (n.sum(axis=-1, keepdims=True) - below) * steps).sum(axis=-1)
        )

    return Metric(
        name="linear",
        size=len(numbers),
        pairs=lambda c, k: np.abs(numbers[c] - numbers[k]),
        moments=None,
        expected=expected,
    )


def general(name: str, size: int, pairs: Callable[[Index, Index], Array]) -> Metric:
    """Any distance, its pairs summed block by block."""

    def expected(n: Array) -> Array:
        total = np.zeros(n.shape[:-1], dtype=n.dtype)
        height = max(1, _BLOCK_CELLS // max(1, size))
        for start in range(0, size, height):
            rows = np.arange(start, min(size, start + height))
            block = pairs(rows[:, None], np.arange(size)[None, :])
            total = total + ((n @ block.T) * n[..., rows]).sum(axis=-1)
        return total

    return Metric(name=name, size=size, pairs=pairs, moments=None, expected=expected)


def _summed(metric: Metric, z: Array) -> Metric:
    """The same distance, whose pairs are summed by the points z that are so far apart."""
    return replace(embedded(metric.name, z - z.mean(axis=0)), pairs=metric.pairs)


def _relative(x: Array, power: int) -> Array:
    """Points whose squared distance is (a−b)²/(a+b)^power, power 1 or 2, for numbers from 0.

    As 1/s^p = ∫ exp(pu − s exp u) du for p of 1 and 2, 4ab/(a+b)^p is the product of functions of a and
    of b, over all u. They are analytic, so the trapezoid rule with this step is exact to rounding.

    >>> z = _relative(np.array([0.0, 1.0, 3.0]), 2)
    >>> [round(float(((a - b) ** 2).sum()), 12) for a, b in ((z[0], z[1]), (z[1], z[2]))]
    [1.0, 0.25]
    """
    step, low, high = 0.22, float(x[x > 0].min()), float(x.max())
    u = np.arange(-np.log(high) - 40 / power, np.log(30) - np.log(low), step)
    with np.errstate(divide="ignore", over="ignore"):
        z = np.exp(np.log(x)[:, None] + power / 2 * u - x[:, None] * np.exp(u))
    # 0 is 1 apart from every other number where the distance is relative, else a number from a number
    zero = (x == 0) / np.sqrt(2) * (power - 1)
    return np.column_stack([np.sqrt(2 * step) * z, zero])


def from_matrix(name: str, matrix: Array) -> Metric:
    """Take the distances of a matrix as they are."""
    return general(name, len(matrix), lambda c, k: matrix[c, k])


def _on_sets(name: str, values: Sequence[Any], kind: str) -> Metric:
    if kind != "sets":
        raise UsageError(
            f"the {name} metric compares sets of labels, these are {kind}; "
            "say what separates the labels of a cell"
        )
    distance = jaccard if name == "jaccard" else masi

    def pairs(c: Index, k: Index) -> Array:
        c, k = np.broadcast_arrays(c, k)
        key = c.astype(np.int64).ravel() * len(values) + k.ravel()
        distinct, place = np.unique(key, return_inverse=True)
        found = np.array(
            [distance(values[i // len(values)], values[i % len(values)]) for i in distinct.tolist()]
        )
        return found[place].reshape(c.shape)

    return general(name, len(values), pairs)


def jaccard(a: frozenset[Any], b: frozenset[Any]) -> float:
    """1 − |A∩B|/|A∪B|; two empty sets are equal.

    >>> round(jaccard(frozenset("ab"), frozenset("bc")), 4)
    0.6667
    """
    return 1 - len(a & b) / len(a | b) if a or b else 0.0


def masi(a: frozenset[Any], b: frozenset[Any]) -> float:
    """MASI distance (Passonneau 2006): 1 − |A∩B|/|A∪B| · M.

    M = 1 for equal sets, 2/3 when one contains the other, 1/3 when they overlap, 0 when disjoint.

    >>> round(masi(frozenset("a"), frozenset("ab")), 4)
    0.6667
    """
    if a == b:
        return 0.0
    if not a & b:
        return 1.0
    monotone = 2 / 3 if a <= b or b <= a else 1 / 3
    return 1 - len(a & b) / len(a | b) * monotone


def _ratio(c: Array, k: Array) -> Array:
    total = c + k
    return np.where(total == 0, 0.0, ((c - k) / np.where(total == 0, 1.0, total)) ** 2)


def bipolar(x: Array, low: float, high: float) -> Callable[[Index, Index], Array]:
    """(c−k)²/((c+k−2min)(2max−c−k)) of two of these numbers."""

    def pairs(c: Index, k: Index) -> Array:
        total, apart = x[c] + x[k], x[c] - x[k]
        scale = (total - 2 * low) * (2 * high - total)
        return np.where(apart == 0, 0.0, apart**2 / np.where(scale == 0, 1.0, scale))

    return pairs


def _coordinates(name: str, values: Sequence[Any], kind: str, ordered: bool) -> Array:
    if kind == "numbers" or not len(values):
        return np.asarray(values, dtype=np.float64)
    if ordered:
        return np.arange(1.0, len(values) + 1)
    shown = next(iter(values), "")
    raise UsageError(
        f"the {name} metric needs numbers or categories declared in order, got {kind} such as "
        f"{_text(shown)!r}; declare their order with `categories=low<mid<high`, or use nominal"
    )


def _text(value: Any) -> str:
    if isinstance(value, float) and math.isfinite(value) and value.is_integer():
        return str(int(value))
    return str(value)
