"""Continua side by side: documents are independent, so many small ones are aligned as one.

What takes long with small documents, going from one step to the next, is then paid once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.alignment.layout import Layout
from accord.data.continuum import Continuum
from accord.data.encode import Codes
from accord.distance.units import Array, Dissimilarity
from accord.kernels.outcome import canonical_order

Answer = TypeVar("Answer")

#: units of a document up to which it is aligned together with others (of two annotators, who are
#: assigned to each other, more), and of all of them together
FEW, _FEW_OF_TWO, _TOGETHER = 400, 2_000, 4_000

#: seconds to align a unit among three annotators, and how many times that with one more
_PER_UNIT, _EACH_MORE = 1.5e-6, 4.0
#: annotators beyond whom more of them make no more tuples: crowds are aligned in another way
_CROWD = 8


@dataclass(frozen=True, slots=True, eq=False)
class Batch(Layout):
    """Continua with as many annotators each, their units numbered document by document."""

    continua: tuple[Continuum, ...]
    start: Array
    end: Array
    label: Codes

    @classmethod
    def of(cls, continua: Sequence[Continuum]) -> Self:
        if len(continua) == 1:
            (only,) = continua
            return cls(only.offsets[None, :], (only,), only.start, only.end, only.label)
        bounds = np.array([c.offsets for c in continua])
        bounds[1:] += np.cumsum(bounds[:-1, -1])[:, None]
        return cls(
            bounds,
            tuple(continua),
            np.concatenate([c.start for c in continua]),
            np.concatenate([c.end for c in continua]),
            np.concatenate([c.label for c in continua]),
        )

    def weights(self, d: Dissimilarity) -> Array:
        """What multiplies the plain positional formula in each document."""
        if d.positional == "sporadic":
            return np.full(len(self.continua), d.alpha * d.position_scale(self.continua[0]))
        return np.array([d.alpha * d.position_scale(c) for c in self.continua])

    def along(self) -> NDArray[np.int64]:
        """The units of each document by their middles."""
        return np.lexsort((self.start + self.end, self.document))

    def order(self) -> NDArray[np.int64]:
        """The units of each document sorted by (start, end, label, annotator), the canonical order."""
        found: NDArray[np.int64] = canonical_order(self.bounds, self.start, self.end, self.label)
        return found


def batches(continua: Sequence[Continuum], d: Dissimilarity) -> list[list[int]]:
    """Which continua are aligned together; a large one alone.

    The mean of δ does not add up over documents, and a user's function takes its own time: then every
    continuum is alone.
    """
    if d.objective != "gamma" or d.own is not None:
        return [[k] for k in range(len(continua))]
    found: list[list[int]] = []
    #: per number of annotators the batch that is being filled, and its units
    filling: dict[int, tuple[list[int], int]] = {}
    for k, continuum in enumerate(continua):
        # (n annotators have n + 1 offsets)
        size, n = len(continuum.start), len(continuum.offsets)
        if size > (_FEW_OF_TWO if n == 3 else FEW) or (
            continuum.pieces is not None and d.by_sets(continuum)
        ):
            found.append([k])
            continue
        some, units = filling.get(n, ([], 0))
        if not some or units + size > _TOGETHER:
            some, units = [], 0
            found.append(some)
        some.append(k)
        filling[n] = (some, units + size)
    return found


def relative_work(units: NDArray[Any], annotators: NDArray[Any]) -> Array:
    """How much it is to align documents of so many units and annotators, each beside the others.

    One annotator more makes up to four times the tuples, and fewer where each has a unit or two; in a crowd
    every unit is compared with what each of the others has. Measured on 2 to 10 annotators of 1 to 300 units
    each, and on crowds of 100 and more: between a third and three times that.
    """
    each = (units / np.maximum(1, annotators)) ** 2
    growth = 1 + (_EACH_MORE - 1) * each / (each + 4.0)
    more = np.minimum(annotators, _CROWD) - 3.0
    crowd = np.where(annotators > _CROWD, annotators, 0.0)
    return np.asarray(units * np.maximum(growth**more, crowd), dtype=np.float64)


def guessed_seconds(
    d: Dissimilarity,
    units: NDArray[Any],
    annotators: NDArray[Any],
    often: NDArray[Any] | int = 1,
) -> float | None:
    """About how long documents of so many units and annotators take to align, each so often.

    None where it is open.

    Measured: 2 × 500, 3 × 100, 4 × 50, 5 × 25 units take between half and twice that.

    >>> from accord.distance.units import unit_dissimilarity
    >>> guessed_seconds(unit_dissimilarity(["x"]), np.array([300]), np.array([3]))
    0.00045
    """
    if d.objective != "gamma" or d.own is not None:
        return None
    return float(_PER_UNIT * (often * relative_work(units, annotators)).sum())


def in_order(groups: Sequence[Sequence[int]], answers: Sequence[Sequence[Answer]]) -> list[Answer]:
    """The answers of batches, put back in the order of what was batched.

    >>> in_order([[0, 2], [1]], [["a", "c"], ["b"]])
    ['a', 'b', 'c']
    """
    answer = dict(zip(chain.from_iterable(groups), chain.from_iterable(answers), strict=True))
    return [answer[k] for k in range(len(answer))]
