"""Agreement weights between categories, for weighted κ, AC2 and their cousins (Gwet 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.distance.categories import (
    Metric,
    bipolar,
    embedded,
    from_matrix,
    general,
    linear,
    nominal,
)
from accord.distance.matrices import square
from accord.distance.taxonomy import KINDS, taxonomy_distances
from accord.errors import UsageError

Array = NDArray[np.float64]

WEIGHTS = (
    "identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar", *KINDS,
)  # fmt: skip


#: different values whose pairs are all compared, at most
_MOST_COMPARED = 3_000


@dataclass(frozen=True, slots=True)
class Tree:
    """Weights from a tree of labels: one less their distance over the largest among them."""

    kind: str
    #: a table label,parent; None where labels are paths
    table: str | Path | None = None

    def __str__(self) -> str:
        return self.kind


def name_of(weights: str | Path | Array | Tree) -> str | None:
    """The weights as a signature has them: a file by its name, None for those that are none."""
    if not isinstance(weights, (str, Path, Tree)):
        return "matrix"
    return None if str(weights) == "identity" else Path(str(weights)).name


def is_matrix(weights: str | Path | Array | Tree) -> bool:
    """Whether somebody gave the weights, as a matrix or a file of one."""
    return not isinstance(weights, Tree) and str(weights) not in WEIGHTS


def in_tree(weights: str | Path | Tree, taxonomy: str | Path | None) -> str | Path | Tree:
    """The weights, with the tree that path and wu-palmer are measured in."""
    if isinstance(weights, str) and weights in KINDS:
        return Tree(weights, taxonomy)
    if taxonomy is not None:
        raise UsageError(f"`taxonomy` is for the weights {' and '.join(KINDS)}: name one")
    return weights


def agreement_loss(
    weights: str | Path | Array | Tree, values: Sequence[Any], labels: Sequence[str], *, kind: str,
    directed: bool = False,
) -> Metric:  # fmt: skip
    """How far two values are from agreeing: 1 − w, w their agreement weight in [0, 1].

    With x the numeric values (or ranks 1..q), r their range: linear 1−|x−y|/r, quadratic
    1−(x−y)²/r², radical 1−√(|x−y|/r), ordinal 1−C(|k−l|+1, 2)/C(q, 2) on ranks, ratio
    1−((x−y)/(x+y))²/((max−min)/(max+min))², circular and bipolar scaled by their largest entry. A
    file or matrix holds the weights themselves, the same both ways unless `directed`; a :class:`Tree`
    the distances of labels.

    No q × q matrix is made of the weights that are sums of moments or of steps along the scale; the
    others (radical, ratio, bipolar) are refused of too many values.

    >>> 1 - agreement_loss("quadratic", (1., 2., 3.), ("1", "2", "3"), kind="numbers").matrix()[0]
    array([1.  , 0.75, 0.  ])
    """
    q = len(values)
    if isinstance(weights, Tree):
        far = taxonomy_distances(labels, tree=weights.table, kind=weights.kind)
        return from_matrix(weights.kind, far / (float(far.max(initial=0.0)) or 1.0))
    if not isinstance(weights, (str, PathLike)):
        return from_matrix("matrix", 1 - square(weights, labels, "weights", directed=directed))
    if weights not in WEIGHTS:
        if Path(weights).is_file():
            held = square(weights, labels, "weights", directed=directed)
            return from_matrix(Path(weights).name, 1 - held)
        raise UsageError(
            f"the weights must be one of {', '.join(WEIGHTS)} or a matrix file, got {str(weights)!r}"
        )
    if weights == "identity" or q < 2:
        return nominal(q)
    x = np.asarray(values, dtype=np.float64) if kind == "numbers" else np.arange(1.0, q + 1)
    low, high = float(x.min()), float(x.max())
    if weights == "linear":
        return linear(x / (high - low))
    if weights == "quadratic":
        return embedded("quadratic", ((x - x.mean()) / (high - low))[:, None])
    if weights == "ordinal":
        rank, most = np.arange(float(q)), q * (q - 1)
        return _both("ordinal", embedded("", rank[:, None] / most**0.5), linear(rank / most))
    if weights == "circular":
        return _circular(x, high - low + 1)
    if q > _MOST_COMPARED:
        raise UsageError(
            f"{weights} weights compare all values two by two, and {q} different values are too many (at "
            f"most {_MOST_COMPARED}); use quadratic or linear weights, or alpha with the interval metric"
        )
    if weights == "radical":
        return general("radical", q, lambda c, k: np.sqrt(np.abs(x[c] - x[k]) / (high - low)))
    if weights == "ratio":
        if low <= 0:
            raise UsageError(f"ratio weights need values above 0, got {low:g}")
        scale = ((high - low) / (high + low)) ** 2
        return general("ratio", q, lambda c, k: ((x[c] - x[k]) / (x[c] + x[k])) ** 2 / scale)
    apart = bipolar(x, low, high)
    rows = np.arange(q)
    largest = max(float(apart(np.array([i]), rows).max()) for i in range(q))
    return general("bipolar", q, lambda c, k: apart(c, k) / largest)


def _both(name: str, one: Metric, other: Metric) -> Metric:
    """The sum of a distance of moments and of one of counts."""
    moments = one.moments
    if moments is None:
        raise ValueError(f"{name}: the first has no moments")
    return Metric(
        name=name,
        size=one.size,
        pairs=lambda c, k: one.pairs(c, k) + other.pairs(c, k),
        moments=None,
        expected=lambda n: one.expected(n @ moments) + other.expected(n),
    )


def _circular(x: Array, period: float) -> Metric:
    """sin² of half the angle between two values, over the largest of them."""
    # the value nearest to the opposite of each is its farthest one
    rising = np.sort(x)
    place = np.searchsorted(rising, x + period / 2)
    near = np.stack([rising[np.clip(place - shift, 0, len(x) - 1)] for shift in (0, 1)])
    largest = float((np.sin(np.pi * (near - x) / period) ** 2).max())
    angle = 2 * np.pi * x / period
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) / 2
    return embedded("circular", points / largest**0.5)
