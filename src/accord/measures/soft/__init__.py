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

__all__ = [
    "cross_entropy",
    "emd",
    "entropy_correlation",
    "js_distance",
    "jsd",
    "kl",
    "manhattan",
]
