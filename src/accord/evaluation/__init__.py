"""Systems against a reference, and among the judges who made it."""

from accord.evaluation.alternative import AltTest, alt_test
from accord.evaluation.comparison import compare, compare_systems
from accord.evaluation.located import LocatedRanking, rank_located
from accord.evaluation.ranking import Ranking, rank
from accord.evaluation.scores import score

__all__ = [
    "AltTest",
    "LocatedRanking",
    "Ranking",
    "alt_test",
    "compare",
    "compare_systems",
    "rank",
    "rank_located",
    "score",
]
