"""All comparisons of one question: which pairs, and Holm's correction over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from accord.errors import UsageError
from accord.registry import measure_of
from accord.result import Result, Results
from accord.uncertainty.compare import compare
from accord.uncertainty.holm import holm

Named = tuple[str, Result]


def comparisons(pairs: Sequence[tuple[Named, Named]], **options: Any) -> list[dict[str, Any]]:
    """The difference of each pair of named results; `p_holm` is corrected over all of them.

    `options` are those of :func:`accord.uncertainty.compare`. A pair that cannot be compared has a
    row that says why (`undefined`).
    """
    rows: list[dict[str, Any]] = []
    for (name, a), (other, b) in pairs:
        try:
            rows.append(compare(a, b, names=(name, other), **options).to_dict())
        except UsageError as problem:
            rows.append(
                {
                    "measure": a.measure,
                    "a": name,
                    "b": other,
                    "difference": None,
                    "interval": None,
                    "p": None,
                    "test": None,
                    "undefined": str(problem),
                }
            )
    family = sum(row["p"] is not None for row in rows)
    for row, corrected in zip(rows, holm([row["p"] for row in rows]), strict=True):
        if corrected is not None:
            row |= {"p_holm": corrected, "family": family}
    return rows


def between_systems(results: Sequence[Result]) -> list[tuple[Named, Named]]:
    """Each pair of systems on each measure, by the same group; and each system by two groups."""
    return [
        ((a.system or "", a), (b.system or "", b))
        for a, b in combinations(results, 2)
        if a.measure == b.measure
        and a.system != b.system
        and a.terms.get("category") == b.terms.get("category")
        and (a.terms.get("group") == b.terms.get("group") or _alone(a) == _alone(b))
    ]


def _of_one_measure(results: Sequence[Result]) -> tuple[list[dict[str, Any]], bool]:
    """The systems of one measure two by two, for a table, and whether larger is better."""
    kept = [r for r in results if r.sample is not None and r.undefined is None]
    return comparisons(between_systems(kept)), measure_of(results[0]).similarity


# (a table of results says which are told apart)
Results._told_apart = staticmethod(_of_one_measure)


def _alone(result: Result) -> str:
    """The name of a system without that of the group that judged it."""
    return (result.system or "").removesuffix(f", {result.terms.get('group')}")


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
