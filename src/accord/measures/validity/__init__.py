"""Validity on ratings: a system against a reference or its judges. No correction for chance."""

from accord.measures.validity.classes import (
    accuracy,
    baseline,
    f1_macro,
    f1_micro,
    precision,
    recall,
)
from accord.measures.validity.correlation import pearson, spearman
from accord.measures.validity.distances import (
    alpha_to_distribution,
    fuzzy_distance,
    observed_agreement,
    weighted_accuracy,
)

__all__ = [
    "accuracy",
    "alpha_to_distribution",
    "baseline",
    "f1_macro",
    "f1_micro",
    "fuzzy_distance",
    "observed_agreement",
    "pearson",
    "precision",
    "recall",
    "spearman",
    "weighted_accuracy",
]
