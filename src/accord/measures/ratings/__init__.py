"""Agreement on ratings: the chance-corrected coefficients of the literature."""

from accord.measures.ratings.aickin import aickin
from accord.measures.ratings.alpha import alpha
from accord.measures.ratings.annotator_urns import conger, kappa, light, weighted_kappa
from accord.measures.ratings.urns import ac1, ac2, fleiss, pabak, percent, pi, s

__all__ = [
    "ac1",
    "ac2",
    "aickin",
    "alpha",
    "conger",
    "fleiss",
    "kappa",
    "light",
    "pabak",
    "percent",
    "pi",
    "s",
    "weighted_kappa",
]
