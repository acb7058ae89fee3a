"""Krippendorff's α for ratings, with any distance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.sums import Sums
from accord.distance.categories import Metric, category_metric, embedded, mid_ranks
from accord.distance.objects import Distance
from accord.errors import UsageError
from accord.measures.ratings.chance_pairs import by_chance
from accord.measures.ratings.disagreements import BREAKDOWNS
from accord.measures.ratings.options import CHANCE, METRIC, PAIRS_SEED, PERIOD, TAXONOMY
from accord.measures.ratings.profiles import (
    Profiles,
    Tally,
    anonymous_profiles,
    beside,
    pair_sums,
    table,
)
from accord.measures.ratings.result import ratings_result, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result, Sample, Score


@measure(
    "alpha",
    pooled=True,
    of_sums=True,
    title="Krippendorff's α",
    usual=True,
    aliases=("krippendorff", "krippendorff-alpha"),
    shape="ratings",
    question="agree",
    range=(-np.inf, 1.0),
    chance=True,
    citation="Krippendorff, K. (1980/2013). Content Analysis. Sage.",
    use="The default: any number of annotators, missing values, and a distance that fits the values "
    "(nominal, ordinal, interval, …).",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(METRIC, PERIOD, TAXONOMY, CHANCE, PAIRS_SEED),
)
def alpha(
    ratings: Ratings,
    *,
    metric: str | Path | Distance,
    period: float | None,
    taxonomy: str | Path | None,
    chance: str,
    seed: int,
) -> Result:
    """Krippendorff's α: agreement beyond chance with any distance between values.

    .. math:: \\alpha = 1 - D_o / D_e, \\quad
       D_o = \\frac1N \\sum_i \\frac{1}{r_i-1} \\sum_{j \\ne l} \\delta^2(c_{ij}, c_{il}), \\quad
       D_e = \\frac{1}{N(N-1)} \\sum_{c,k} n_c n_k \\delta^2_{ck}

    over the N values of items with at least two ratings (pairable values), :math:`r_i` ratings of
    item i, :math:`n_c` pairable values equal to c: chance draws from one urn without replacement.

    Missing values need no treatment: pairs are counted within items. `metric` is a name of
    :func:`accord.distance.categories.category_metric`, a file with a matrix of distances, or in Python a
    function of two values. Values of any kind (texts, vectors, rankings, trees) have so many pairs that
    chance is taken from a seeded sample of 20 000; its error is in the terms and in the interval.

    Krippendorff, K. (2013). *Content Analysis*, 3rd ed., ch. 12. The ordinal metric is computed on
    mid-ranks, which is the same thing in linear time.

    >>> print(alpha(Ratings.from_matrix([[1, 2, 3, 3], [1, 2, 3, 2]]), metric="interval"))
    alpha = 0.8205
    """
    refuse_one_annotator(ratings, "alpha")
    if ratings.kind == "objects" and metric == "nominal":
        raise UsageError(
            "alpha of vectors needs a distance, as no two of them need be the same: `metric=cosine` or "
            "`metric=euclidean`, or in Python a function of two values"
        )
    if ratings.sums is not None:
        return _of_sums(ratings, ratings.sums, str(metric))
    distance = category_metric(
        metric, ratings.values, kind=ratings.kind, ordered=ratings.ordered, period=period,
        taxonomy=taxonomy,
    )  # fmt: skip
    profiles = anonymous_profiles(ratings)
    drawn = by_chance(ratings, on_ranks(profiles, distance), chance, seed)
    distance = drawn.metric
    tally, score = by_moments(distance)
    sample = profiles.sample(
        tally,
        score,
        least=2,
        graded=distance.name != "nominal",
        deviations=_deviations(profiles, distance),
    )
    if chance == "uniform":
        # items may rank objects of their own: none is put together from the values of others
        sample = replace(sample, virtual=None)
    warnings = _ordered_values(ratings, profiles) if distance.name == "nominal" else ()
    result = ratings_result(
        "alpha",
        ratings,
        sample,
        options={
            "metric": distance.name,
            "period": period,
            "pairs": drawn.pairs or None,
            "seed": seed if drawn.pairs else None,
            "chance": "uniform" if chance == "uniform" else None,
            "missing": "pairable",
        },
        warnings=warnings,
        disagreement=True,
    )
    if not drawn.pairs:
        return result
    noise = drawn.noise(result.value, result.expected or 0.0)
    terms = {**result.terms, **drawn.terms}
    return replace(result, terms=terms, sample=replace(sample, noise=noise))


def _of_sums(ratings: Ratings, sums: Sums, metric: str) -> Result:
    """Interval α of sums per document, or over all items."""
    if metric != "interval":
        raise UsageError(
            f"alpha with the metric {metric} needs the ratings, and these are sums of numbers that are "
            "too many to be counted or fetched; use metric=interval"
        )
    places = [0, 1, 1, 2, 3]  # the figures in the order of :func:`by_moments`

    def score(totals: Array) -> dict[str, Array]:
        ruler = embedded("interval", np.zeros((1, 1)))
        return _ratio(totals[:, 0], ruler.expected(totals[:, 2:]), totals[:, 1])

    if sums.documents:
        held = np.flatnonzero(sums.sizes)
        sample = Sample(
            rows=sums.rows[held][:, places],
            score=score,
            keys=tuple(sums.documents[d] for d in held),
            unit="document",
            weight=sums.sizes[held].astype(np.float64),
            graded=True,
            allowed=("jackknife", "analytic"),
        )
    else:
        rows, times = sums.stand_ins()
        sample = Sample(
            rows=rows[:, places],
            score=score,
            multiplicity=times,
            graded=True,
            allowed=("analytic",),
        )
    return ratings_result(
        "alpha",
        ratings,
        sample,
        options={"metric": "interval", "period": None, "pairs": None, "missing": "pairable"},
        disagreement=True,
    )


def by_moments(metric: Metric) -> tuple[Tally, Score]:
    """Rows: observed disagreement, pairable values, moments of the pairable values."""

    def tally(profiles: Profiles) -> Any:
        sizes = profiles.per_item
        pairable = np.where(sizes >= 2, sizes, 0).astype(np.float64)
        observed = pair_sums(profiles, metric.pairs) / np.maximum(1, sizes - 1)
        held = (pairable > 0)[profiles.row]
        counts = (
            table(
                profiles.row,
                profiles.code,
                held.astype(np.float64),
                (profiles.size, metric.size),
            )
            if metric.moments is None
            else np.column_stack(
                [profiles.sum_rows(np.where(held, m[profiles.code], 0.0)) for m in metric.moments.T]
            )
        )
        return beside([observed[:, None], pairable[:, None], counts])

    def score(totals: Array) -> dict[str, Array]:
        return _ratio(totals[:, 0], metric.expected(totals[:, 2:]), totals[:, 1])

    return tally, score


def on_ranks(profiles: Profiles, metric: Metric) -> Metric:
    """The ordinal distance on the mid-ranks of these data; other metrics as they are.

    Mid-ranks are fixed on the real data: resamples and virtual items are measured by the same ruler.
    """
    if not metric.by_rank:
        return metric
    marginal = _marginal(profiles, metric.size)
    return embedded("ordinal", mid_ranks(marginal)[:, None] - marginal.sum() / 2)


def _marginal(profiles: Profiles, size: int) -> Any:
    """How often each value occurs among the pairable ones."""
    times = np.bincount(
        profiles.index, weights=profiles.ratings.multiplicity, minlength=profiles.size
    ).astype(np.float64)
    if profiles.weight is not None:
        times = times * profiles.weight
    times = np.where(profiles.per_item >= 2, times, 0.0)
    return np.bincount(profiles.code, weights=times[profiles.row], minlength=size)


def _ratio(observed: Array, expected: Array, N: Array) -> dict[str, Array]:
    with np.errstate(divide="ignore", invalid="ignore"):
        D_o, D_e = observed / N, expected / (N * (N - 1))
        # one value alone has nothing to be drawn with
        none = (D_e == 0) | (np.real(N) <= 1)
        value = np.where(none, np.nan, 1 - D_o / np.where(none, 1, D_e))
    return {"value": value, "D_o": D_o, "D_e": D_e, "N": N}


def _deviations(profiles: Profiles, metric: Metric) -> Callable[[], tuple[Array, Array, int]]:
    """What Krippendorff's bootstrap resamples: relative deviations δ²/D_e of single pairs."""

    def made() -> tuple[Array, Array, int]:
        counts = np.bincount(profiles.index, weights=profiles.ratings.multiplicity)
        sizes = profiles.per_item
        by_deviation: dict[float, float] = {}
        marginal = _marginal(profiles, metric.size)
        for p in np.flatnonzero((sizes >= 2) & (counts > 0)).tolist():
            codes = profiles.code[profiles.indptr[p] : profiles.indptr[p + 1]]
            j, k = np.triu_indices(len(codes), k=1)
            weight = 2 * counts[p] / (len(codes) - 1)
            for d in metric.pairs(codes[j], codes[k]).tolist():
                by_deviation[d] = by_deviation.get(d, 0.0) + weight
        N = marginal.sum()
        total = metric.expected(
            marginal[None, :] if metric.moments is None else marginal[None, :] @ metric.moments
        )[0]
        D_e = total / (N * (N - 1))
        deviations = np.array(list(by_deviation)) / D_e
        chances = np.array(list(by_deviation.values()))
        pairs = int((counts * sizes * (sizes - 1) / 2).sum())
        return deviations, chances / chances.sum(), pairs

    return made


def _ordered_values(ratings: Ratings, profiles: Profiles) -> tuple[str, ...]:
    """Nominal α on numbers is rarely meant: say so, with both values (seed example: .045 / .947)."""
    if ratings.kind != "numbers" or len(ratings.values) < 3:
        return ()
    try:
        with_order = category_metric("interval", ratings.values, kind="numbers")
    except UsageError:  # numbers too large to be squared are names all the more
        return ()
    tally, score = by_moments(with_order)
    value = float(score(profiles.sample(tally, score).totals())["value"][0])
    return (
        "the values are numbers, and the nominal metric treats 1 and 2 as different as 1 and 5; "
        f"with the interval metric alpha is {value:.4f} (pass metric=interval or ordinal)",
    )
