"""Intervals and comparisons for any measure that keeps its sample."""

from accord.uncertainty.compare import Comparison, compare
from accord.uncertainty.interval import METHODS, RESAMPLES, UNITS, interval, replicates

__all__ = ["METHODS", "RESAMPLES", "UNITS", "Comparison", "compare", "interval", "replicates"]
