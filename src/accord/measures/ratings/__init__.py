"""Agreement on ratings: the chance-corrected coefficients of the literature."""

from accord.measures.ratings.aickin import aickin
from accord.measures.ratings.alpha import alpha
from accord.measures.ratings.annotator_urns import conger, kappa, light, weighted_kappa
from accord.measures.ratings.ccc import ccc
from accord.measures.ratings.icc import icc_1, icc_1k, icc_a, icc_ak, icc_c, icc_ck
from accord.measures.ratings.kendall import kendall_w
from accord.measures.ratings.urns import ac1, ac2, fleiss, pabak, percent, pi, s
from accord.measures.ratings.within_between import ks, sigma

__all__ = [
    "ac1",
    "ac2",
    "aickin",
    "alpha",
    "ccc",
    "conger",
    "fleiss",
    "icc_1",
    "icc_1k",
    "icc_a",
    "icc_ak",
    "icc_c",
    "icc_ck",
    "kappa",
    "kendall_w",
    "ks",
    "light",
    "pabak",
    "percent",
    "pi",
    "s",
    "sigma",
    "weighted_kappa",
]
