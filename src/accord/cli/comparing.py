"""Results two by two: systems, measures or campaigns, with a correction for several comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from accord.errors import UsageError
from accord.result import Result
from accord.uncertainty import compare

Named = tuple[str, Result]


def comparisons(pairs: Sequence[tuple[Named, Named]], **options: Any) -> list[dict[str, Any]]:
    """The difference of each pair of named results; p corrected by Holm's method over all pairs."""
    rows: list[dict[str, Any]] = []
    for (first, a), (second, b) in pairs:
        row: dict[str, Any] = {"measure": a.measure, "first": first, "second": second}
        try:
            found = compare(a, b, **options)
        except UsageError as problem:
            rows.append({**row, "undefined": str(problem), "p": None})
            continue
        rows.append(
            {
                **row,
                "difference": found.difference,
                "low": found.interval.low,
                "high": found.interval.high,
                "p": found.p,
                "paired": found.paired,
            }
        )
    _holm(rows)
    return rows


def between_systems(results: Sequence[Result]) -> list[tuple[Named, Named]]:
    """Each pair of systems on each measure."""
    return [
        ((a.system or "", a), (b.system or "", b))
        for a, b in combinations(results, 2)
        if a.measure == b.measure and a.system != b.system
    ]


def between_measures(results: Sequence[Result]) -> list[tuple[Named, Named]]:
    """Each pair of measures on the same data."""
    return [((a.measure, a), (b.measure, b)) for a, b in combinations(results, 2)]


def between_campaigns(
    results: Sequence[Result], others: Sequence[Result]
) -> list[tuple[Named, Named]]:
    """Each measure on two campaigns."""
    return [
        (("this", a), ("other", b))
        for a, b in zip(results, others, strict=True)
        if a.sample and b.sample
    ]


def _holm(rows: list[dict[str, Any]]) -> None:
    ranked = sorted((r for r in rows if r["p"] is not None), key=lambda r: r["p"])
    largest = 0.0
    for place, row in enumerate(ranked):
        largest = max(largest, min(1.0, row["p"] * (len(ranked) - place)))
        row["p_holm"] = largest
