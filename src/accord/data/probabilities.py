"""Answers that are distributions: how probable each value is, rating by rating."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError

Array = NDArray[np.float64]

#: how a column that holds the probability of a label begins
PREFIX = "p:"
#: how far the probabilities of an item may be from 1 together: what printing a few digits costs
TOLERANCE = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """What stands beside the codes of ratings whose file gives probabilities."""

    #: ratings × values; each row sums to 1
    share: Array
    #: the rating names its value too, which need not be the most probable one
    named: NDArray[np.bool_]

    def take(self, ratings: NDArray[Any]) -> Self:
        """Those of these ratings, in this order."""
        return type(self)(self.share[ratings], self.named[ratings])

    def alike(self, one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.bool_]:
        """Which of these ratings say just what those others say."""
        same: NDArray[np.bool_] = (self.share[one] == self.share[other]).all(axis=1)
        same &= self.named[one] == self.named[other]
        return same

    def recoded(self, codes: NDArray[np.int32], size: int) -> Self:
        """The same under other values: `codes` gives the new value of each old one."""
        merged = np.zeros((len(self.share), size))
        np.add.at(merged.T, codes, self.share.T)
        return type(self)(merged, self.named)

    def choice(self, code: NDArray[np.int32]) -> Array:
        """The answer of each rating: the value it names, else the most probable ones in equal parts."""
        best = self.share == self.share.max(axis=1, keepdims=True)
        picked: Array = best / best.sum(axis=1, keepdims=True)
        rows = np.flatnonzero(self.named)
        picked[rows] = 0.0
        picked[rows, code[rows]] = 1.0
        return picked


def shares_of(
    columns: Mapping[str, Sequence[Any] | NDArray[Any]],
    items: Sequence[Any] | NDArray[Any],
    *,
    path: str | None = None,
    line: Any = lambda row: None,
) -> tuple[Array, NDArray[np.bool_]]:
    """Rows × labels, and which rows say anything; every row that does must sum to 1.

    >>> share, said = shares_of({"x": ["0.6", None], "y": ["0.4", None]}, ["i", "j"])
    >>> share[0].tolist(), said.tolist()
    ([0.6, 0.4], [True, False])
    """

    def refuse(row: int, what: str, hint: str) -> InputError:
        problem = f"item {str(items[row])!r}: {what}"
        return InputError(problem, path=path, line=line(row), hint=hint)

    share = np.stack(
        [_numbers(column, label, refuse) for label, column in columns.items()], axis=1
    ).astype(np.float64)
    said: NDArray[np.bool_] = np.asarray(~np.isnan(share).all(axis=1))
    # a label that a row leaves out has no chance there
    share = np.where(np.isnan(share), 0.0, share)
    labels = list(columns)
    wrong = (share < 0) | (share > 1 + TOLERANCE)
    if wrong.any():
        row, k = (int(v) for v in np.argwhere(wrong)[0])
        raise refuse(
            row,
            f"the probability of {labels[k]!r} is {share[row, k]:g}",
            "a probability is a number from 0 to 1; turn logits or per cent into probabilities",
        )
    total = share.sum(axis=1)
    off = said & (np.abs(total - 1) > TOLERANCE)
    if off.any():
        row = int(np.argmax(off))
        raise refuse(
            row,
            f"the probabilities sum to {total[row]:g}, not to 1",
            "give every label its probability, or pass `separator` if items have several labels",
        )
    share[said] /= total[said, None]
    return share, said


def _numbers(column: Sequence[Any] | NDArray[Any], label: str, refuse: Any) -> Array:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    quick = getattr(column, "numbers", lambda: None)()
    if quick is not None:
        return np.asarray(quick, dtype=np.float64)
    out = np.full(len(column), np.nan)
    for row, cell in enumerate(column):
        if cell is None or cell == "":
            continue
        try:
            out[row] = float(cell)
        except (TypeError, ValueError, OverflowError):
            out[row] = math.inf
        if not math.isfinite(out[row]):
            raise refuse(
                row,
                f"the probability of {label!r} is {cell!r}",
                "a probability is a number from 0 to 1",
            )
    return out
