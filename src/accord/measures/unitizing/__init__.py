"""The unitizing α family, and coefficients on an atomised continuum (by name only)."""

from accord.measures.unitizing import alpha_u, atomized, family

__all__ = ["alpha_u", "atomized", "family"]
