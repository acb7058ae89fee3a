"""The unitizing α family, and coefficients on an atomised continuum (by name only)."""

from accord.measures.unitizing import alpha_2016, alpha_u, atomized

__all__ = ["alpha_2016", "alpha_u", "atomized"]
