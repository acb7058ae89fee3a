"""γ, γ-cat, γ-k and the holistic measure of 2011."""

from accord.measures.gamma.gamma import gamma
from accord.measures.gamma.gamma_cat import gamma_cat, gamma_k
from accord.measures.gamma.holistic import holistic

__all__ = ["gamma", "gamma_cat", "gamma_k", "holistic"]
