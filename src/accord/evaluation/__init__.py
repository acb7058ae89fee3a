"""Systems against a reference."""

from accord.evaluation.scoring import score

__all__ = ["score"]
