"""Objects ranked by which of two a judge prefers."""

from accord.evaluation.preferences.judges import consistency, kendall_u, position
from accord.evaluation.preferences.preferred import Preferred, prefer
from accord.evaluation.preferences.strengths import Strengths, counts, fit

__all__ = [
    "Preferred",
    "Strengths",
    "consistency",
    "counts",
    "fit",
    "kendall_u",
    "position",
    "prefer",
]
