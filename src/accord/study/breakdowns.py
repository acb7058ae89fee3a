"""Breakdowns that work for any measure: by pair of annotators, by annotator, by document."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from accord.data.progress import stages, stepwise
from accord.errors import UsageError
from accord.registry import Breakdown
from accord.result import Row

if TYPE_CHECKING:
    from accord.study.study import Study

#: pairs of annotators computed at most
_MOST_PAIRS = 5_000


def by_pair(study: Study) -> Sequence[Row]:
    """The measure on each pair of annotators alone."""
    if getattr(study.data, "anonymous", False):
        raise UsageError("these are counts: who gave which rating is not known, nor any pair")
    pairs = list(combinations(study.data.annotators, 2))
    if len(pairs) > _MOST_PAIRS:
        raise UsageError(
            f"{len(study.data.annotators)} annotators make {len(pairs)} pairs; "
            "choose some annotators first"
        )
    return [
        {"first": a, "second": b, **study.part(annotators=[a, b]).row()} for a, b in stepwise(pairs)
    ]


def by_annotator(study: Study) -> Sequence[Row]:
    """For each annotator: the mean over the pairs they are in, and the value without them."""
    first, then = stages([1, 1])
    with first:
        pairs = study.breakdown("pair")
    with then:
        return _by_annotator(study, pairs)


def _by_annotator(study: Study, pairs: Sequence[Row]) -> list[Row]:
    rows: list[Row] = []
    for who in stepwise(study.data.annotators):
        values = [
            p["value"]
            for p in pairs
            if who in (p["first"], p["second"]) and math.isfinite(p["value"])
        ]
        row: dict[str, Any] = {
            "annotator": who,
            "mean_pairwise": sum(values) / len(values) if values else math.nan,
        }
        mean = row["mean_pairwise"]
        own = [study.part(annotators=[who, o]) for o in study.data.annotators if o != who]
        row |= study._limits_of_mean(mean, own)
        if len(study.data.annotators) > 2:
            others = study.without(who).row()
            row["without"] = others["value"]
            row |= {f"without_{end}": others[end] for end in ("low", "high") if end in others}
        rows.append(row)
    return rows


def by_document(study: Study) -> Sequence[Row]:
    """The measure on each document alone."""
    if not study.data.documents:
        raise UsageError("the data have no documents; name the document column")
    return [
        {"document": name, **study.part(documents=[name]).row()}
        for name in stepwise(study.data.documents)
    ]


GENERIC: Mapping[str, Breakdown] = {
    "pair": by_pair,
    "annotator": by_annotator,
    "document": by_document,
}
