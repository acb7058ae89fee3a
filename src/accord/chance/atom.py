"""The grid that offsets lie on, if any: characters, tokens, frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from accord.data.continuum import Continuum

#: fewer distinct offsets could share a step by accident
_EVIDENCE = 20
#: offsets are whole multiples of the step up to rounding, and not astronomically many
_ROUNDING, _MOST = 1e-6, 2.0**40
#: the smallest distance seen may be a multiple of the step
_PARTS = 12


def atom_of(continua: Sequence[Continuum]) -> float:
    """The largest step of which all offsets are multiples, 0 when there is none to be seen.

    It is found from distances to the beginning of each continuum, so that moving or scaling all
    offsets does not change what chance is.

    >>> rows = [(3 * k, 3 * k + 5) for k in range(20)]
    >>> start, end = np.array(rows, dtype=float).T
    >>> one = Continuum(np.array([0, 20]), start, end, np.zeros(20, np.int32), 0.0, 70.0)
    >>> atom_of([one])
    1.0
    """
    parts = [x - c.low for c in continua if len(c) for x in (c.start, c.end, np.array([c.high]))]
    if not parts:
        return 0.0
    offsets = np.unique(np.concatenate(parts))
    offsets = offsets[offsets > 0]
    if len(offsets) < _EVIDENCE:
        return 0.0
    least = min(float(offsets[0]), float(np.diff(offsets).min()))
    for parts_of_least in range(1, _PARTS + 1):
        step = least / parts_of_least
        if offsets[-1] / step > _MOST:
            return 0.0
        count = offsets / step
        if float(np.abs(count - np.rint(count)).max()) < _ROUNDING:
            # the longest distance gives the step its last digits
            return float(offsets[-1] / np.rint(count[-1]))
    return 0.0
