"""Chance: what blind annotators would produce, by several models."""

from accord.chance.atom import atom_of
from accord.chance.models import FROM_SOURCES, MODELS, NAMES, PAPERS, POOLED, ChanceModel

__all__ = ["FROM_SOURCES", "MODELS", "NAMES", "PAPERS", "POOLED", "ChanceModel", "atom_of"]
