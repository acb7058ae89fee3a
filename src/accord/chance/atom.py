"""The grid that offsets lie on, if any: characters, tokens, frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from accord.chance.pool import Array
from accord.data.continuum import Continuum

#: fewer distinct offsets could share a step by accident
_EVIDENCE = 20
#: offsets are whole multiples of the step up to rounding, and not astronomically many
_ROUNDING, _MOST = 1e-6, 2.0**40
#: whole numbers up to this are counted instead of sorted
_SHORT = 2.0**20
#: the smallest distance seen may be a multiple of the step
_PARTS = 12


@dataclass(frozen=True, slots=True, eq=False)
class Offsets:
    """The distinct distances from the beginning of some continua, as far as they tell of a grid.

    What was seen in parts is put together. None once they are too fine for any step: finer they can
    only become, so that offsets which are no grid are forgotten after about a million.
    """

    seen: Array | None

    @classmethod
    def gather(cls, parts: Sequence[Array]) -> Self:
        """From distances, of any number and order."""
        found = _distinct(np.concatenate(parts)) if parts else np.empty(0)
        return cls._kept(found[found > 0])

    @classmethod
    def merged(cls, several: Sequence[Self]) -> Self:
        """All of them, seen together."""
        known = [one.seen for one in several if one.seen is not None]
        return cls.gather(known) if len(known) == len(several) else cls(None)

    @classmethod
    def _kept(cls, found: Array) -> Self:
        return cls(None if len(found) and found[-1] / _least(found) > _MOST else found)

    @property
    def step(self) -> float:
        """The largest step of which all are multiples, 0 when there is none to be seen."""
        offsets = self.seen
        if offsets is None or len(offsets) < _EVIDENCE:
            return 0.0
        least = _least(offsets)
        for parts_of_least in range(1, _PARTS + 1):
            step = least / parts_of_least
            if offsets[-1] / step > _MOST:
                return 0.0
            count = offsets / step
            if float(np.abs(count - np.rint(count)).max()) < _ROUNDING:
                # the longest distance gives the step its last digits
                return float(offsets[-1] / np.rint(count[-1]))
        return 0.0


def atom_of(continua: Sequence[Continuum]) -> float:
    """The step of the grid that all offsets of these continua lie on, 0 when there is none.

    It is found from distances to the beginning of each continuum, so that moving or scaling all
    offsets does not change what chance is.

    >>> rows = [(3 * k, 3 * k + 5) for k in range(20)]
    >>> start, end = np.array(rows, dtype=float).T
    >>> one = Continuum(np.array([0, 20]), start, end, np.zeros(20, np.int32), 0.0, 70.0)
    >>> atom_of([one])
    1.0
    """
    return Offsets.gather(
        [x - c.low for c in continua if len(c) for x in (c.start, c.end, np.array([c.high]))]
    ).step


def _distinct(values: Array) -> Array:
    """The distinct values in order; where they are whole and not large, without sorting them."""
    if len(values) and values.min() >= 0 and values.max() < _SHORT:
        whole = values.astype(np.int64)
        if np.array_equal(whole, values):
            return np.flatnonzero(np.bincount(whole)).astype(np.float64)
    return np.unique(values)


def _least(offsets: Array) -> float:
    """The smallest distance, between two of them or from the beginning."""
    least = float(offsets[0])
    return min(least, float(np.diff(offsets).min())) if len(offsets) > 1 else least
