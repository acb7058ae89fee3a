"""γ, γ-cat, γ-k and the holistic measure of 2011."""

from accord.measures.gamma.categories import gamma_cat, gamma_k
from accord.measures.gamma.disorders import gamma, holistic

__all__ = ["gamma", "gamma_cat", "gamma_k", "holistic"]
