"""Coefficients with each annotator's own chance: κ and its generalisations."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.distance.agreement_weights import in_tree, is_matrix, name_of
from accord.distance.categories import Metric
from accord.errors import PairsOnlyError, UsageError
from accord.measures.ratings.disagreements import BREAKDOWNS
from accord.measures.ratings.options import COMMON, MISSING, TAXONOMY, WEIGHTING
from accord.measures.ratings.profiles import (
    Profiles,
    annotators_in_order,
    beside,
    counted,
    named_profiles,
    table,
)
from accord.measures.ratings.result import ratings_result, refuse_counts, refuse_one_annotator
from accord.measures.ratings.urns import (
    Taxonomy,
    Weights,
    agreeing_pairs,
    available,
    corrected,
    loss_of,
)
from accord.registry import measure
from accord.result import Array, Result, Sample


@measure(
    "kappa",
    rests_on="chance",
    pooled=True,
    title="Cohen's κ",
    usual=True,
    aliases=("cohen", "cohen-kappa"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Cohen, J. (1960). A coefficient of agreement for nominal scales. Educational and "
    "Psychological Measurement 20(1).",
    use="Two annotators, nominal categories, each annotator's own chance.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(COMMON,),
)
def kappa(ratings: Ratings, *, missing: str) -> Result:
    """Cohen's κ: two annotators, chance draws from each one's own urn, A_e = Σ_k p_1k p_2k.

    Both urns are those of the items that both rated, as in every other tool;
    ``missing="available"`` fills them with all that each rated (Gwet 2014). Refused for more than
    two annotators: several generalisations exist and differ; ``by="pair"`` gives the table of pairs.

    >>> print(kappa(Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])))
    kappa = 0.5000
    """
    _two(ratings, "kappa")
    return _kappa("kappa", ratings, missing, "identity")


@measure(
    "weighted-kappa",
    rests_on="chance",
    pooled=True,
    title="Cohen's weighted κ",
    usual=True,
    aliases=("kappa-w", "cohen-weighted-kappa"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Cohen, J. (1968). Weighted kappa. Psychological Bulletin 70(4).",
    use="Two annotators, ordered categories (linear or quadratic weights, or a matrix).",
    breakdowns=BREAKDOWNS,
    options=(COMMON, WEIGHTING.but(default="quadratic"), TAXONOMY),
)
def weighted_kappa(
    ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy
) -> Result:
    """Cohen's weighted κ: a pair of values (k, l) agrees by w_kl.

    .. math:: A_e = \\sum_{kl} w_{kl} p_{1k} p_{2l}

    A matrix of weights may differ by direction: its rows are the first annotator's values.

    >>> print(weighted_kappa(Ratings.from_matrix([[1, 2, 3], [1, 2, 2]])))
    weighted-kappa = 0.6667
    """
    weights = in_tree(weights, taxonomy)
    _two(ratings, "weighted-kappa")
    kept = available(ratings, missing)
    if not is_matrix(weights) or _both_ways(loss := loss_of(kept, weights, directed=True)):
        return _kappa("weighted-kappa", ratings, missing, weights)
    first, second = kept.annotators
    found = ratings_result(
        "weighted-kappa",
        kept,
        _directed(kept, loss),
        options={"weights": name_of(weights), "missing": missing},
    )
    note = f"the weights differ by direction: their rows are the values of {first}, columns of {second}"
    return replace(found, warnings=(*found.warnings, note))


@measure(
    "conger",
    rests_on="chance",
    pooled=True,
    title="Conger's κ = Davies & Fleiss = Hubert",
    aliases=("davies-fleiss", "hubert", "multi-kappa", "conger-kappa"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Conger, A. J. (1980). Integration and generalization of kappas for multiple raters. "
    "Psychological Bulletin 88(2); Davies & Fleiss (1982); Hubert (1977).",
    use="κ for any number of annotators: the mean over pairs of observed and of expected agreement.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING, TAXONOMY),
)
def conger(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Conger's κ: Cohen's κ for several annotators, with one urn per annotator.

    .. math:: A_e = \\text{mean over pairs } g \\ne h \\text{ of } \\sum_{kl} w_{kl} p_{gk} p_{hl}

    where :math:`p_{gk}` is the share of category k among the items annotator g rated. It is not the
    mean of pairwise κ: that is light.

    >>> print(conger(Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])))
    conger = 0.5000
    """
    weights = in_tree(weights, taxonomy)
    return _kappa("conger", ratings, missing, weights)


@measure(
    "light",
    pooled=True,
    title="Light's κ",
    aliases=("mean-pairwise-kappa", "light-kappa"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Light, R. J. (1971). Measures of response agreement for qualitative data. "
    "Psychological Bulletin 76(5).",
    use="The mean of Cohen's κ over all pairs of annotators; differs from conger.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(WEIGHTING, TAXONOMY),
)
def light(ratings: Ratings, *, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Light's κ: the mean of Cohen's κ over all pairs of annotators, each on the items both rated.

    With weights, the mean of Cohen's weighted κ.

    Pairs whose κ is undefined (no shared item, one category) are left out and counted.

    >>> print(light(Ratings.from_matrix([list("abab"), list("abbb"), list("abab")])))
    light = 0.6667
    """
    refuse_one_annotator(ratings, "light")
    refuse_counts(ratings, "light")
    weights = in_tree(weights, taxonomy)
    loss = loss_of(ratings, weights)
    pairs = list(combinations(range(len(ratings.annotators)), 2))
    q = len(ratings.values)
    if len(pairs) * (2 * q + 2) > 200_000:
        raise UsageError(
            f"{len(ratings.annotators)} annotators and {q} categories are too many for the mean of "
            "pairwise kappas; use conger, fleiss or alpha"
        )

    def tally(profiles: Profiles) -> Any:
        matrix = np.full((profiles.size, len(ratings.annotators)), -1, dtype=np.int64)
        matrix[profiles.row, profiles.annotator] = profiles.code
        blocks = []
        for g, h in pairs:
            both = np.flatnonzero((matrix[:, g] >= 0) & (matrix[:, h] >= 0))
            columns = [np.zeros((profiles.size, 1)), np.zeros((profiles.size, 1))]
            columns[0][both] = 1.0
            columns[1][both, 0] = 1 - loss.pairs(matrix[both, g], matrix[both, h])
            columns.extend(
                table(both, matrix[both, side], np.ones(len(both)), (profiles.size, q))
                for side in (g, h)
            )
            blocks.append(beside(columns))
        return beside(blocks)

    def score(totals: Array) -> dict[str, Array]:
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = totals.reshape(len(totals), len(pairs), 2 + 2 * q)
            n = parts[:, :, 0]
            A_o = parts[:, :, 1] / n
            A_e = _by_chance(loss, parts[:, :, 2 : 2 + q], parts[:, :, 2 + q :]) / (n * n)
            kappas = corrected(A_o, A_e)
            defined = ~np.isnan(np.real(kappas))
            number = defined.sum(axis=1)
            mean = np.where(defined, kappas, 0).sum(axis=1) / number
        return {"value": mean, "pairs": number.astype(np.float64)}

    sample = named_profiles(ratings).sample(tally, score, least=2, graded=loss.name != "nominal")
    result = ratings_result(
        "light",
        ratings,
        sample,
        options={"weights": name_of(weights), "missing": "pairwise"},
    )
    left = len(pairs) - int(result.terms["pairs"])
    if left:
        note = f"{left} of {len(pairs)} pairs have no defined kappa and are left out"
        result = replace(result, warnings=(*result.warnings, note))
    return result


def _by_chance(loss: Metric, first: Array, second: Array) -> Array:
    """Σ_kl w_kl a_k b_l of the counts a and b along the last axis."""
    if loss.name == "nominal":
        return np.asarray((first * second).sum(axis=-1))
    one, other = (n if loss.moments is None else n @ loss.moments for n in (first, second))
    # twice Σ_kl a_k b_l (1 − w_kl), for weights that are the same both ways
    apart = loss.expected(one + other) - loss.expected(one) - loss.expected(other)
    return np.asarray(first.sum(axis=-1) * second.sum(axis=-1) - apart / 2)


def _both_ways(loss: Metric) -> bool:
    """Whether the weights are the same from k to l and from l to k."""
    each = np.arange(loss.size)
    return np.array_equal(loss.pairs(each[:, None], each), loss.pairs(each, each[:, None]))


def _directed(ratings: Ratings, loss: Metric) -> Sample:
    """Rows of two annotators whose weights differ by direction: both rated, agreeing, what each used."""
    q = len(ratings.values)
    every = np.arange(q)
    apart = loss.pairs(every[:, None], every)
    if annotators_in_order(ratings)[0] != 0:
        apart = apart.T

    def tally(profiles: Profiles) -> Any:
        said = np.full((profiles.size, 2), -1, dtype=np.int64)
        said[profiles.row, profiles.annotator] = profiles.code
        both = np.flatnonzero((said >= 0).all(axis=1))
        columns = [np.zeros((profiles.size, 1)), np.zeros((profiles.size, 1))]
        columns[0][both] = 1.0
        columns[1][both, 0] = 1 - apart[said[both, 0], said[both, 1]]
        for side in (0, 1):
            rated = np.flatnonzero(said[:, side] >= 0)
            ones = np.ones(len(rated))
            columns.append(table(rated, said[rated, side], ones, (profiles.size, q)))
        return beside(columns)

    def score(totals: Array) -> dict[str, Array]:
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = (
                n / n.sum(axis=1, keepdims=True) for n in (totals[:, 2 : 2 + q], totals[:, 2 + q :])
            )
            A_o = totals[:, 1] / totals[:, 0]
            A_e = 1 - ((one @ apart) * other).sum(axis=1)
        return {"value": corrected(A_o, A_e), "A_o": A_o, "A_e": A_e}

    return named_profiles(ratings).sample(tally, score, graded=True, fixed=0)


def _two(ratings: Ratings, name: str) -> None:
    refuse_one_annotator(ratings, name)
    refuse_counts(ratings, name)
    if len(ratings.annotators) > 2:
        raise PairsOnlyError(
            f"{name} is defined for two annotators, these data have {len(ratings.annotators)}; its table "
            "of pairs comes with `by=pair`; use conger (each annotator's own chance, the generalisation of "
            "kappa), fleiss (the same chance for all, the generalisation of pi), alpha (any distance, "
            "missing values) or light (mean of pairwise kappas), or choose two annotators"
        )


def _kappa(name: str, ratings: Ratings, missing: str, weights: Weights) -> Result:
    refuse_one_annotator(ratings, name)
    refuse_counts(ratings, name)
    kept = available(ratings, missing)
    return ratings_result(
        name,
        kept,
        _tally(kept, loss_of(kept, weights)),
        options={
            "weights": name_of(weights),
            "missing": missing,
        },
    )


def _tally(ratings: Ratings, loss: Metric) -> Sample:
    """Rows: rated twice, agreeing share of pairs, then what each annotator used: counts or moments."""
    q, R = len(ratings.values), len(ratings.annotators)
    figures = loss.moments
    width = q if figures is None else figures.shape[1]

    def tally(profiles: Profiles) -> Any:
        use = counted(profiles, figures, by_annotator=True)
        twice = (profiles.per_item >= 2)[:, None] * 1.0
        return beside([twice, agreeing_pairs(profiles, loss)[:, None], use])

    def score(totals: Array) -> dict[str, Array]:
        with np.errstate(divide="ignore", invalid="ignore"):
            A_o = totals[:, 1] / totals[:, 0]
            used = totals[:, 2:].reshape(len(totals), R, width)
            n_g = used.sum(axis=2, keepdims=True) if figures is None else used[:, :, :1]
            active = np.real(n_g[:, :, 0]) > 0
            p = np.where(active[:, :, None], used / np.where(n_g == 0, 1, n_g), 0)
            # with L(n) = Σ_kl n_k n_l (1 − w_kl): Σ_{g≠h} (1 − p_g·W p_h) = L(Σ p_g) − Σ L(p_g)
            apart = loss.expected(p.sum(axis=1)) - loss.expected(p).sum(axis=1)
            number = active.sum(axis=1)
            A_e = 1 - apart / (number * (number - 1))
        return {"value": corrected(A_o, A_e), "A_o": A_o, "A_e": A_e}

    return named_profiles(ratings).sample(tally, score, graded=loss.name != "nominal", fixed=0)
