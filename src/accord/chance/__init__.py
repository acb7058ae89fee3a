"""Chance: what blind annotators would produce, by several models."""

from accord.chance.models import MODELS, ChanceModel

__all__ = ["MODELS", "ChanceModel"]
