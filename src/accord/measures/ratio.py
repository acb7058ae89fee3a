"""One sum over another, decided where there is nothing to divide by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from accord.result import Array


def ratio(above: Array, below: Array, otherwise: Any = np.nan) -> Array:
    """above / below, and `otherwise` where below is 0; complex totals are welcome.

    >>> ratio(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    zero = below == 0
    return np.where(zero, otherwise, above / np.where(zero, 1.0, below))


def ratio_of_totals(totals: Array) -> Mapping[str, Array]:
    """First total over second: a mean, or a ratio of sums."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return {"value": totals[:, 0] / totals[:, 1]}
