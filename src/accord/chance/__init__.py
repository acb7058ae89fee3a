"""Chance: what blind annotators would produce, by several models."""

from accord.chance.atom import atom_of
from accord.chance.models import MODELS, PAPERS, ChanceModel

__all__ = ["MODELS", "PAPERS", "ChanceModel", "atom_of"]
