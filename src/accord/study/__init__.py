"""One study per question: its result, interval, breakdowns and parts, each computed once."""

from accord.study.breakdowns import GENERIC, by_annotator, by_document, by_pair
from accord.study.entered import entered
from accord.study.studies import Studies
from accord.study.study import Certainty, MissingBreakdownError, Study, brief

__all__ = [
    "GENERIC",
    "Certainty",
    "MissingBreakdownError",
    "Studies",
    "Study",
    "brief",
    "by_annotator",
    "by_document",
    "by_pair",
    "entered",
]
