"""Breakdowns that work for any shape: by pair of annotators, by annotator, by document."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

from accord.data import Annotations
from accord.errors import UsageError
from accord.registry import Breakdown
from accord.result import Result, Row

#: pairs of annotators computed at most
_MOST_PAIRS = 5_000


def by_pair(
    data: Annotations, function: Callable[..., Any], options: Mapping[str, Any]
) -> Sequence[Row]:
    """The measure on each pair of annotators alone."""
    pairs = list(combinations(data.annotators, 2))
    if len(pairs) > _MOST_PAIRS:
        raise UsageError(
            f"{len(data.annotators)} annotators make {len(pairs)} pairs; "
            "choose some annotators first"
        )
    rows = []
    for first, second in pairs:
        result = _one(function(data.select(annotators=[first, second]), **options))
        rows.append({"first": first, "second": second, **brief(result)})
    return rows


def by_annotator(
    data: Annotations, function: Callable[..., Any], options: Mapping[str, Any]
) -> Sequence[Row]:
    """For each annotator: the mean over the pairs they are in, and the value without them."""
    pairs = by_pair(data, function, options)
    rows = []
    for who in data.annotators:
        values = [
            p["value"]
            for p in pairs
            if who in (p["first"], p["second"]) and math.isfinite(p["value"])
        ]
        row: dict[str, Any] = {
            "annotator": who,
            "mean_pairwise": sum(values) / len(values) if values else math.nan,
        }
        if len(data.annotators) > 2:
            others = [a for a in data.annotators if a != who]
            row["without"] = _one(function(data.select(annotators=others), **options)).value
        rows.append(row)
    return rows


def by_document(
    data: Annotations, function: Callable[..., Any], options: Mapping[str, Any]
) -> Sequence[Row]:
    """The measure on each document alone."""
    if not data.documents:
        raise UsageError("the data have no documents; name the document column")
    return [
        {"document": name, **brief(_one(function(data.select(documents=[name]), **options)))}
        for name in data.documents
    ]


GENERIC: Mapping[str, Breakdown] = {
    "pair": by_pair,
    "annotator": by_annotator,
    "document": by_document,
}


def brief(result: Result) -> dict[str, Any]:
    """What a row of a breakdown shows of a result."""
    row: dict[str, Any] = {
        "value": result.value,
        "observed": result.observed,
        "expected": result.expected,
        "n": result.n,
    }
    if result.undefined is not None:
        row["undefined"] = result.undefined
    return row


def _one(found: Any) -> Result:
    if isinstance(found, tuple):
        raise UsageError("a measure with one value per category has no further breakdown")
    result: Result = found
    return result
