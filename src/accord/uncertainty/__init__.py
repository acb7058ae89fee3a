"""Intervals and comparisons for any measure that keeps its sample."""

from accord.uncertainty.compare import Comparison, compare
from accord.uncertainty.interval import METHODS, interval, replicates

__all__ = ["METHODS", "Comparison", "compare", "interval", "replicates"]
