"""Linearised variance (Gwet 2008): the influence of each unit, by an exact derivative."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from accord.errors import UsageError
from accord.result import Array, Sample
from accord.uncertainty.weights import CELLS


def linearised_error(sample: Sample) -> float:
    """Standard error by the influence of each unit: Gwet's linearised variance.

    The derivative of the value by each total is taken by a complex step, exact to rounding.
    """
    counts = sample.counts
    n = counts.sum()
    if sample.rows is None:
        raise UsageError("this measure has no analytic interval; use jackknife or auto")
    whole = sample.totals()[0]

    def value(totals: Array) -> Array:
        found = sample.score(totals)["value"]
        if sample.fixed is None:
            return found
        # Gwet (2014) takes the number of items rated twice as given
        return np.asarray(found * totals[:, sample.fixed] / whole[sample.fixed])

    influence = n * (sample.rows @ _gradient(value, whole))
    influence = influence - counts @ influence / n
    return float(np.sqrt(counts @ influence**2 / (n * (n - 1))))


def _gradient(value: Callable[[Array], Array], totals: Array) -> Array:
    step = 1e-30
    gradient = np.empty(len(totals))
    block = max(1, CELLS // max(1, len(totals)))
    for start in range(0, len(totals), block):
        stop = min(len(totals), start + block)
        moved = np.repeat(totals[None, :], stop - start, axis=0).astype(np.complex128)
        moved[np.arange(stop - start), np.arange(start, stop)] += step * 1j
        gradient[start:stop] = np.imag(value(moved)) / step  # type: ignore[arg-type]
    return gradient
