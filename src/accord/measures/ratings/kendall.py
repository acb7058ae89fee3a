"""Kendall's W: do the annotators put the items in the same order?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from accord.data import Ratings
from accord.measures.ratings.components import positions
from accord.measures.ratings.disagreements import OF_NUMBERS
from accord.measures.ratings.profiles import named_profiles
from accord.measures.ratings.result import ratings_result, refuse_counts, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result


@measure(
    "kendall-w",
    rests_on="complete",
    title="Kendall's W",
    usual=True,
    aliases=("w", "concordance-w", "kendall"),
    shape="ratings",
    question="agree",
    range=(0.0, 1.0),
    citation="Kendall, M. G. & Babington Smith, B. (1939). The problem of m rankings. Annals of "
    "Mathematical Statistics 10(3); Friedman, M. (1937).",
    use="Rankings, or numbers of which only the order counts, every item rated by all. By chance it "
    "is 1/m, not 0.",
    breakdowns=OF_NUMBERS,
)
def kendall_w(ratings: Ratings) -> Result:
    """Kendall's W with ties: the variance of the items' rank sums over the largest possible.

    .. math:: W = \\frac{12 \\sum_i (R_i - \\bar R)^2}{m^2 (n^3 - n) - m \\sum (t^3 - t)}

    with mid-ranks within each annotator, :math:`R_i` their sum over the m annotators, t the sizes of
    ties. Friedman's χ² = m(n−1)W, its p-value and 1/m, the value of chance, are in the terms, and
    without ties the mean of Spearman's ρ, (mW − 1)/(m − 1). Items not rated by all are left out and
    counted.

    >>> print(kendall_w(Ratings.from_matrix([[1, 2, 3, 4], [1, 3, 2, 4]])))
    kendall-w = 0.9000
    """
    refuse_one_annotator(ratings, "kendall-w")
    refuse_counts(ratings, "kendall-w")
    x = positions(ratings, "kendall-w")
    m = len(ratings.annotators)
    whole = np.flatnonzero(ratings.per_item == m)
    lost = int(np.sum(ratings.per_item < m))
    kept = ratings if not lost else ratings.take(whole)
    profiles = named_profiles(kept).in_order()
    values = x[profiles.code].reshape(-1, m) if len(whole) else np.zeros((0, m))

    def score(weights: Array) -> Mapping[str, Array]:
        weights = weights if profiles.weight is None else weights * profiles.weight
        n = weights.sum(axis=1)
        rank, ties = np.zeros_like(weights), np.zeros(len(weights), dtype=weights.dtype)
        for column in values.T:
            distinct, place = np.unique(column, return_inverse=True)
            t = np.zeros((len(weights), len(distinct)), dtype=weights.dtype)
            np.add.at(t.T, place, weights.T)
            rank += (np.cumsum(t, axis=1) - t / 2)[:, place]
            ties += (t**3 - t).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = (weights * rank).sum(axis=1) / n
            spread = (weights * (rank - middle[:, None]) ** 2).sum(axis=1)
            below = m * m * (n**3 - n) - m * ties
            none = ~(np.real(below) > 1e-9 * np.real(n) ** 3)
            return {"value": np.where(none, np.nan, 12 * spread / np.where(none, 1.0, below))}

    # ranks are not sums over items: the score takes the weights themselves
    sample = profiles.sample(lambda _: None, score, graded=True, scale_free=True, whole=True)
    result = ratings_result(
        "kendall-w", kept, sample, options={}, undefined=lambda r: None
        if (m == 2 and not len(r.code)) or len(np.unique(r.code)) == 1
        else "an order needs two items that differ, rated by all annotators",
    )  # fmt: skip
    terms = {"chance": 1 / m}
    if result.undefined is None:
        from scipy.special import chdtrc

        chi2 = m * (result.n - 1) * result.value
        terms |= {"chi2": chi2, "df": result.n - 1.0, "p": float(chdtrc(result.n - 1, chi2))}
        if all(len(np.unique(c)) == len(c) for c in values.T) and result.n == len(values):
            terms["mean_spearman"] = (m * result.value - 1) / (m - 1)
    note = (f"{lost} items not rated by all annotators are left out",) if lost else ()
    return replace(result, terms={**result.terms, **terms}, warnings=(*result.warnings, *note))
