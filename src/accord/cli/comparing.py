"""Systems two by two, measure by measure, with a correction for several comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from accord.errors import UsageError
from accord.result import Result
from accord.uncertainty import compare


def comparisons(
    results: Sequence[Result], *, level: float, resamples: int, seed: int
) -> list[dict[str, Any]]:
    """Each pair of systems on each measure; p corrected by Holm's method over all pairs."""
    rows: list[dict[str, Any]] = []
    for first, second in combinations(results, 2):
        if first.measure != second.measure or first.system == second.system:
            continue
        try:
            found = compare(first, second, level=level, resamples=resamples, seed=seed)
        except UsageError as problem:
            rows.append(
                {"measure": first.measure, "first": first.system, "second": second.system,
                 "undefined": str(problem), "p": None}
            )  # fmt: skip
            continue
        rows.append(
            {
                "measure": first.measure,
                "first": first.system,
                "second": second.system,
                "difference": found.difference,
                "low": found.interval.low,
                "high": found.interval.high,
                "p": found.p,
                "paired": found.paired,
            }
        )
    _holm(rows)
    return rows


def _holm(rows: list[dict[str, Any]]) -> None:
    ranked = sorted((r for r in rows if r["p"] is not None), key=lambda r: r["p"])
    largest = 0.0
    for place, row in enumerate(ranked):
        largest = max(largest, min(1.0, row["p"] * (len(ranked) - place)))
        row["p_holm"] = largest
