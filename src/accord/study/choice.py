"""Which measure to use when none is named, with which options, and why.

`agree`, `score`, the report and the audit all ask here, so that the same file has the same headline
everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.contents import is_free_text
from accord.errors import RefusedError, UsageError
from accord.options import filled
from accord.options.reading import KEYWORDS
from accord.registry import Measure, Question, enrolled

_AGREEMENT: Mapping[str, str] = {
    "ratings": "alpha",
    "units": "gamma",
    "segments": "boundary-alpha",
    "chains": "chain-alpha",
    "relations": "relation-gamma",
    "boxes": "box-gamma",
}
_SCORES: Mapping[str, str] = {
    "ratings": "accuracy",
    "units": "f1",
    "segments": "windowdiff",
    "chains": "conll",
    "relations": "relation-f1",
    "boxes": "box-f1",
}
_WHY: Mapping[str, str] = {
    "alpha": "names without order: alpha with the nominal metric",
    "gamma": "units are located by the annotators: gamma aligns and measures at once",
    "boundary-alpha": "a continuum cut completely: agreement on its boundaries",
    "chain-alpha": "mentions are grouped into entities: alpha with a distance between sets",
    "relation-gamma": "units or items are linked: gamma of relations aligns and measures at once",
    "box-gamma": "shapes are drawn by the annotators: box-gamma aligns and measures at once",
    "box-f1": "shapes: those found with their label, half of their union shared",
    "accuracy": "one answer an item: the share of right ones",
    "f1": "units: those found with their exact limits and label",
    "windowdiff": "a continuum cut completely: the usual error, near misses counting in part",
    "relation-f1": "units or items are linked: relations found with both ends and label",
    "conll": "mentions are grouped into entities: the mean of MUC, B³ and CEAF_e that shared tasks report",
}


def usual(shape: str, question: Question) -> str:
    """The measure of a shape, whatever its values."""
    return (_SCORES if question == "score" else _AGREEMENT)[shape]


@dataclass(frozen=True, slots=True)
class Choice:
    """A measure, its options, and the sentence that says why."""

    measure: str
    why: str
    options: Mapping[str, Any] = field(default_factory=dict)
    #: something was assumed about the data that the reader should confirm
    assumed: bool = False


def choose(data: Annotations, question: Question = "agree") -> Choice:
    """The measure for the shape and the values of these data.

    >>> choose(Ratings.from_matrix([[1, 2, 5], [1, 3, 5]])).options
    {'metric': 'interval'}
    >>> choose(Ratings.from_matrix([["a", "b", "c"], ["a", "c", "c"]])).options
    {}
    """
    if question == "score":
        if isinstance(data, Ratings) and data.kind == "sets":
            return Choice("f1-micro", "items have sets of labels: all labels are counted together")
        name = _SCORES[data.shape]
        return Choice(name, _WHY[name])
    name = _AGREEMENT[data.shape]
    return _for_values(data, name) if isinstance(data, Ratings) else Choice(name, _WHY[name])


def _for_values(ratings: Ratings, name: str) -> Choice:
    if ratings.kind == "objects":
        return Choice(name, "values are vectors: alpha with the distance that `metric` names")
    if ratings.kind == "sets":
        why = "items have sets of labels: alpha with the MASI distance"
        return Choice(name, why, {"metric": "masi"})
    # two values are as far apart under any metric
    if ratings.sums is not None or np.count_nonzero(np.bincount(ratings.code)) > 2:
        if ratings.kind == "numbers":
            why = (
                "the values are numbers, which are read as a scale: alpha with the interval metric "
                "(`metric=nominal` if they are names)"
            )
            return Choice(name, why, {"metric": "interval"}, assumed=True)
        if ratings.ordered:
            why = "the categories are ordered: alpha with the ordinal metric"
            return Choice(name, why, {"metric": "ordinal"})
        if is_free_text(ratings):
            why = (
                "the values are texts that are hardly ever alike: alpha with the share of words two of "
                "them do not have in common (`metric=nominal` if they are names)"
            )
            return Choice(name, why, {"metric": "token-f1"}, assumed=True)
    elif ratings.kind == "numbers" or ratings.ordered:
        return Choice(
            name, "two values are as far apart under any metric: alpha, whatever they mean"
        )
    return Choice(name, _WHY[name])


def check(record: Measure, shape: str, options: Mapping[str, Any], *, question: Question) -> None:
    """Refuse a measure on the wrong shape, for the wrong question, or with a foreign option."""
    if record.shape != shape:
        there = [m.name for m in enrolled(shape=shape, question=question)]  # type: ignore[arg-type]
        first = usual(shape, question)
        rest = ", ".join(name for name in there if name != first)
        raise RefusedError(
            f"{record.name} is for {record.shape}, these data are {shape}; use {first}"
            + (f", or one of {rest}" if rest else "")
        )
    if record.question != question:
        meant = {
            "score": "scores a system against a reference",
            "agree": "measures the agreement among annotators",
        }[record.question]
        raise UsageError(f"{record.name} {meant}; use accord {record.question}")
    # an option that says how data are read, or which of them, has come too late
    of_reading = {option.name for option in KEYWORDS}
    for name in options:
        if name in of_reading and not record.takes(name):
            raise UsageError(
                f"{record.name} has no option `{name}`: it says what is read; pass it to accord.read and "
                f"give accord.{record.question} what that returns"
            )
    filled(record.name, record.options, options)
