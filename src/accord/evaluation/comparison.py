"""Systems two by two on the same items, on every measure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from accord.options import LEVEL, RESAMPLES
from accord.result import Result
from accord.uncertainty.family import comparisons


def compare_systems(
    results: Mapping[str, Mapping[str, Result]],
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    unit: str | None = None,
) -> list[dict[str, Any]]:
    """Every pair of systems on every measure.

    `results` maps system → measure → result on the same items. Each row is a comparison of
    :func:`accord.compare` (difference with its interval, one p-value, the name of its test), with
    `p_holm` corrected for all rows by Holm's method.

    >>> from accord.data import Ratings
    >>> from accord.measures import validity
    >>> r = Ratings.from_matrix([list("AABBAABBAB")], annotators=["reference"])
    >>> s = Ratings.from_matrix([list("AABBAABBAA")], annotators=["s"])
    >>> t = Ratings.from_matrix([list("BBBBBBBBBB")], annotators=["t"])
    >>> scores = {"s": {"accuracy": validity.accuracy(r, s)},
    ...           "t": {"accuracy": validity.accuracy(r, t)}}
    >>> row = compare_systems(scores)[0]
    >>> round(row["difference"], 2), row["test"], round(row["p"], 3)
    (0.4, 'mcnemar', 0.219)
    """
    pairs = [
        ((first, a), (second, results[second][name]))
        for first, second in combinations(results, 2)
        for name, a in results[first].items()
        if name in results[second]
    ]
    return comparisons(pairs, level=level, resamples=resamples, seed=seed, unit=unit)
