"""Intervals and comparisons for any measure that keeps its sample."""

from accord.uncertainty.compare import Comparison, compare
from accord.uncertainty.interval import (
    METHODS,
    NO_INTERVAL,
    RESAMPLES,
    UNITS,
    interval,
    replicates,
)

__all__ = [
    "METHODS",
    "NO_INTERVAL",
    "RESAMPLES",
    "UNITS",
    "Comparison",
    "compare",
    "interval",
    "replicates",
]
