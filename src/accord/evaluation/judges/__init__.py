"""Language models as annotators: may one stand in for people, and what is the rate given its errors?"""

from accord.evaluation.judges.answer import JudgeAnswer, JudgeStudy
from accord.evaluation.judges.judge import judge

__all__ = ["JudgeAnswer", "JudgeStudy", "judge"]
