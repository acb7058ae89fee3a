"""γ by document and by category; by pair and by annotator it is computed on their units alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from accord.data.units import Units
from accord.result import Row


def by_document(
    units: Units, function: Callable[..., Any], options: Mapping[str, Any]
) -> Sequence[Row]:
    """Each document's own value, against the expected disorder of the whole computation."""
    result = function(units, **options)
    if result.sample is None:
        return []
    rows = []
    counts = np.bincount(units.document, minlength=len(units.documents))
    place = {name: i for i, name in enumerate(units.documents)}
    for name, (observed, chance, weight) in zip(
        result.sample.keys, result.sample.rows.tolist(), strict=True
    ):
        row: dict[str, Any] = {
            "document": name,
            "value": 1 - observed / chance if chance > 0 else float("nan"),
            "observed": observed / weight if weight > 0 else None,
            "expected": chance / weight if weight > 0 else None,
            "n": int(counts[place[name]]),
        }
        if chance == 0:
            row["undefined"] = "nothing to compare in this document"
        rows.append(row)
    return rows


def by_category(
    units: Units, function: Callable[..., Any], options: Mapping[str, Any]
) -> Sequence[Row]:
    """The measure on the units of one category alone: how well that category is located."""
    rows = []
    for k, name in enumerate(units.categories):
        result = function(units.select(categories=[name]), **options)
        row: dict[str, Any] = {
            "category": name,
            "value": result.value,
            "observed": result.observed,
            "expected": result.expected,
            "n": int((units.label == k).sum()),
        }
        if result.undefined is not None:
            row["undefined"] = result.undefined
        rows.append(row)
    return rows
