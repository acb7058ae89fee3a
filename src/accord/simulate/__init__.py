"""Simulations: reading grids, prevalence curves, sample sizes, measures under degradation."""

from accord.simulate.comparison import MeasureComparison, compare_measures
from accord.simulate.grid import Curve, Grid, reading_grid
from accord.simulate.prevalence import PrevalenceCurves, prevalence_curves
from accord.simulate.reliability import Reliability, reliability
from accord.simulate.settings import PAPER, PLAIN_RATINGS, setting_of
from accord.simulate.size import SampleSize, annotators_or_items, planned, sample_size
from accord.simulate.translation import translate

__all__ = [
    "PAPER",
    "PLAIN_RATINGS",
    "Curve",
    "Grid",
    "MeasureComparison",
    "PrevalenceCurves",
    "Reliability",
    "SampleSize",
    "annotators_or_items",
    "compare_measures",
    "planned",
    "prevalence_curves",
    "reading_grid",
    "reliability",
    "sample_size",
    "setting_of",
    "translate",
]
