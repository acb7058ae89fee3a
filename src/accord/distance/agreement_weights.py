"""Agreement weights between categories, for weighted κ, AC2 and their cousins (Gwet 2014)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.distance.categories import read_square
from accord.distance.taxonomy import KINDS, taxonomy_distances
from accord.errors import UsageError

Array = NDArray[np.float64]

WEIGHTS = (
    "identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar", *KINDS,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tree:
    """Weights from a tree of labels: one less their distance over the largest among them."""

    kind: str
    #: a table label,parent; None where labels are paths
    table: str | Path | None = None

    def __str__(self) -> str:
        return self.kind


def in_tree(weights: str | Path | Tree, taxonomy: str | Path | None) -> str | Path | Tree:
    """The weights, with the tree that path and wu-palmer are measured in."""
    if isinstance(weights, str) and weights in KINDS:
        return Tree(weights, taxonomy)
    if taxonomy is not None:
        raise UsageError(f"`taxonomy` is for the weights {' and '.join(KINDS)}: name one")
    return weights


def agreement_weights(
    weights: str | Path | Array | Tree, values: Sequence[Any], labels: Sequence[str], *, kind: str
) -> Array:
    """The q × q matrix of agreement weights in [0, 1], 1 on the diagonal.

    With x the numeric values (or ranks 1..q), r their range: linear 1−|x−y|/r, quadratic
    1−(x−y)²/r², radical 1−√(|x−y|/r), ordinal 1−C(|k−l|+1, 2)/C(q, 2) on ranks, ratio
    1−((x−y)/(x+y))²/((max−min)/(max+min))², circular and bipolar scaled by their largest entry. A
    file holds the weights themselves, a :class:`Tree` the distances of labels.

    >>> agreement_weights("quadratic", (1., 2., 3.), ("1", "2", "3"), kind="numbers")[0]
    array([1.  , 0.75, 0.  ])
    """
    if isinstance(weights, np.ndarray):
        return weights
    if isinstance(weights, Tree):
        far = taxonomy_distances(labels, tree=weights.table, kind=weights.kind)
        return 1 - far / (float(far.max(initial=0.0)) or 1.0)
    if weights not in WEIGHTS:
        if Path(weights).is_file():
            return read_square(weights, labels)
        raise UsageError(
            f"the weights must be one of {', '.join(WEIGHTS)} or a matrix file, got {str(weights)!r}"
        )
    q = len(values)
    if weights == "identity" or q < 2:
        return np.eye(q)
    x = np.asarray(values, dtype=np.float64) if kind == "numbers" else np.arange(1.0, q + 1)
    apart = np.abs(x[:, None] - x[None, :])
    low, high = float(x.min()), float(x.max())
    if weights == "linear":
        return 1 - apart / (high - low)
    if weights == "quadratic":
        return 1 - (apart / (high - low)) ** 2
    if weights == "radical":
        return np.asarray(1 - np.sqrt(apart / (high - low)))
    if weights == "ordinal":
        rank = np.arange(q)
        steps = np.abs(rank[:, None] - rank[None, :])
        return np.asarray(1 - steps * (steps + 1) / (q * (q - 1)))
    if weights == "ratio":
        if low <= 0:
            raise UsageError(f"ratio weights need values above 0, got {low:g}")
        return 1 - (apart / (x[:, None] + x[None, :])) ** 2 / ((high - low) / (high + low)) ** 2
    if weights == "circular":
        loss = np.sin(np.pi * apart / (high - low + 1)) ** 2
    else:
        total = x[:, None] + x[None, :]
        scale = (total - 2 * low) * (2 * high - total)
        loss = np.where(apart == 0, 0.0, apart**2 / np.where(scale == 0, 1.0, scale))
    largest: float = loss.max()
    return 1 - loss / largest
