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
from accord.measures.validity.sets import (
    exact_match,
    f1_samples,
    hamming_loss,
    hierarchical_f1,
)

__all__ = [
    "accuracy",
    "alpha_to_distribution",
    "baseline",
    "exact_match",
    "f1_macro",
    "f1_micro",
    "f1_samples",
    "fuzzy_distance",
    "hamming_loss",
    "hierarchical_f1",
    "observed_agreement",
    "pearson",
    "precision",
    "recall",
    "spearman",
    "weighted_accuracy",
]
