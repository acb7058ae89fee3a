"""The question: which measure and why, with which options, and the study that answers it.

`choice` says which measure suits the data and what may be asked of them, `ask` puts a question to one
campaign or to a reference and a system, several measures at once too. A :class:`Study` is one measure
with its options on data: its result, interval, breakdowns and parts are computed once, whoever asks.
"""

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
