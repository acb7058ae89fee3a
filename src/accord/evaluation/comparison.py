"""Two systems on the same items, or every two of several on every measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from accord.errors import UsageError
from accord.evaluation.scores import score
from accord.options import LEVEL, RESAMPLES
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given
from accord.result import Result
from accord.uncertainty import Comparison
from accord.uncertainty import compare as compare_results
from accord.uncertainty.family import comparisons
from accord.uncertainty.swaps import SWAPS


@refuses_other_kinds
def compare(
    first: Result | Given,
    second: Result | None = None,
    *,
    systems: Mapping[str, Given] | None = None,
    measure: str | None = None,
    options: Mapping[str, object] | None = None,
    margin: float | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    swaps: int = SWAPS,
    seed: int = 0,
    unit: str | None = None,
    names: Sequence[str] = ("", ""),
    **named: Given,
) -> Comparison:
    """Compare two results, or two systems that are scored against one reference.

    The difference is a − b, with its interval, one p-value and the name of the test that fits the
    question (the table is in :func:`accord.uncertainty.compare`). With a `margin`, ``p_margin`` tests
    whether the first is worse than the second by more than the margin.

    Parameters
    ----------
    first : a result of `agree` or `score`, or the reference of the two systems
    second : the other result; nothing where systems are given
    systems : the two systems by name, where a name is no keyword; else each is one: ``v1=…, v2=…``
    measure : what scores the systems; by default what suits the data
    options : options of the measure
    margin : by how much the first may be worse and still count as no worse
    level, resamples, swaps, seed, unit : of the interval and of the test
    names : what the two results are called

    >>> found = compare(list("AABBAABB"), v1=list("AABBAABA"), v2=list("ABABABAB"), margin=0.05)
    >>> print(found.a, found.b, found.difference)
    v1 v2 0.375
    >>> found.p_margin < 0.1
    True
    """
    how: dict[str, Any] = {
        "level": level, "resamples": resamples, "swaps": swaps, "seed": seed, "unit": unit,
        "margin": margin,
    }  # fmt: skip
    entrants = {**named, **(systems or {})}
    if isinstance(first, Result) or second is not None:
        if entrants or measure is not None or options is not None:
            raise UsageError(
                "two results are compared as they are; for systems give the reference first, then "
                "each by its name: compare(reference, v1=…, v2=…)"
            )
        return compare_results(first, second, names=names, **how)  # type: ignore[arg-type]
    if len(entrants) != 2:
        raise UsageError(
            f"two systems are compared, got {len(entrants)}: {', '.join(entrants) or 'none'}; give each by "
            "its name: compare(reference, v1=…, v2=…)"
        )
    told: dict[str, Any] = dict(options or {})
    scored = [score(first, given, measure, **told) for given in entrants.values()]
    if not all(isinstance(result, Result) for result in scored):
        raise UsageError(f"{measure} gives several values; compare by a measure of one")
    return compare_results(*scored, names=tuple(entrants), **how)


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
