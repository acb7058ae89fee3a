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
#: offsets are whole multiples of the step up to this part of it, and not astronomically many
_ROUNDING, _MOST = 1e-2, 2.0**40
#: whole numbers below are exact
_EXACT = 2.0**53
#: whole numbers up to this are counted instead of sorted
_SHORT = 2.0**20


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
        least = _least(found)
        return cls(None if len(found) and least and found[-1] / least > _MOST else found)

    @property
    def step(self) -> float:
        """The largest step of which all are multiples, 0 when there is none to be seen."""
        offsets = self.seen
        if offsets is None or len(offsets) < _EVIDENCE:
            return 0.0
        return largest_step(offsets)


def largest_step(lengths: Array) -> float:
    """The largest length that all of these are multiples of, 0 when there is none to be seen.

    Euclid's division of all by the least, until nothing is left. Of numbers that are not whole what
    rounding leaves is nothing: it grows as the step falls, and once it reaches it there is no step.

    >>> largest_step(np.array([0.25, 1.0, 7.5])), largest_step(np.array([1.0, np.pi]))
    (0.25, 0.0)
    """
    left = lengths[lengths > 0]
    extent = float(left.max(initial=0.0))
    if extent < _EXACT and np.all(left % 1 == 0):
        return float(np.gcd.reduce(left.astype(np.int64)))
    if not extent < np.inf:
        return 0.0
    step = 0.0
    while len(left):
        step = float(left.min())
        rounding = 4 * np.finfo(float).eps * extent * (extent / step)
        if rounding > _ROUNDING * step:
            return 0.0
        left = np.abs(left - step * np.rint(left / step))
        left = left[left > rounding]
        if len(left):
            # what is left must divide the step, too
            left = np.append(left, step)
    # the longest distance gives the step its last digits
    return extent / float(np.rint(extent / step)) if step else 0.0


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
    """The smallest distance, between two of them or from the beginning; what rounding made is none."""
    apart = np.diff(offsets, prepend=0.0)
    return (
        float(apart[apart > 1e-14 * offsets[-1:]].min(initial=offsets[0])) if len(offsets) else 0.0
    )
