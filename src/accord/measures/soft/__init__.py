"""Soft scores: a system's distribution against the distribution of the judges."""

from accord.measures.soft.divergences import (
    cross_entropy,
    emd,
    entropy_correlation,
    js_distance,
    jsd,
    kl,
    manhattan,
)
from accord.measures.soft.probabilities import brier, ece, log_loss

__all__ = [
    "brier",
    "cross_entropy",
    "ece",
    "emd",
    "entropy_correlation",
    "js_distance",
    "jsd",
    "kl",
    "log_loss",
    "manhattan",
]
