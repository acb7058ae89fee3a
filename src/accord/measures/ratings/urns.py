"""Coefficients that differ only in their model of chance: percent, S, π, AC1, AC2, PABAK.

All share one tally (:func:`_tally`): for each item the share of agreeing pairs, and the share of
each category. With agreement weights w, a pair of values (k, l) agrees by w_kl.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.distance.agreement_weights import Tree, agreement_loss, in_tree, name_of
from accord.distance.categories import Metric, nominal
from accord.errors import UsageError
from accord.measures.ratings.disagreements import BREAKDOWNS
from accord.measures.ratings.options import COMMON, MISSING, TAXONOMY, WEIGHTING
from accord.measures.ratings.profiles import (
    Profiles,
    anonymous_profiles,
    beside,
    counted,
    pair_sums,
)
from accord.measures.ratings.result import ratings_result, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result, Sample

Weights = str | Path | Tree
Taxonomy = str | Path | None


@dataclass(frozen=True, slots=True)
class Chance:
    """Expected agreement, from sums of some figures of the values over the shares of the categories."""

    #: (q, m) figures of each value; None for the shares themselves
    figures: Array | None
    #: totals of the figures (B, m) → expected agreement (B,)
    expected: Callable[[Array], Array]


@measure(
    "percent",
    title="observed agreement",
    usual=True,
    aliases=("percent-agreement", "observed", "raw-agreement", "ao"),
    shape="ratings",
    question="agree",
    range=(0.0, 1.0),
    citation="Mathet, Y. & Widlöcher, A. (2016). Évaluation des annotations. TAL 57(2).",
    use="To read beside a corrected coefficient, never alone: it is not corrected for chance.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING, TAXONOMY),
)
def percent(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Observed agreement: the mean, over items rated at least twice, of the agreeing share of pairs.

    .. math:: A_o = \\frac{1}{n'} \\sum_{i: r_i \\ge 2}
       \\frac{\\sum_k r_{ik}(r_{ik} - 1)}{r_i (r_i - 1)}

    >>> print(percent(Ratings.from_matrix([["a", "b"], ["a", "a"]])))
    percent = 0.5000
    """
    weights = in_tree(weights, taxonomy)
    return _urn("percent", ratings, missing, weights, None, ())


@measure(
    "s",
    rests_on="chance",
    title="Bennett's S = Brennan–Prediger κ_n = Randolph's free-marginal κ",
    aliases=("bennett", "brennan-prediger", "randolph", "free-marginal-kappa", "g-index", "bp"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Bennett, E. M., Alpert, R. & Goldstein, A. C. (1954). Communications through limited "
    "questioning. Public Opinion Quarterly 18; Brennan & Prediger (1981); Randolph (2005).",
    use="When every category is equally likely by chance; depends on how many categories are "
    "declared.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING, TAXONOMY),
)
def s(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Bennett's S: chance chooses each of the q declared categories alike, A_e = 1/q.

    .. math:: S = (A_o - A_e)/(1 - A_e), \\quad A_e = \\frac{1}{q^2}\\sum_{kl} w_{kl}

    The same number is called Brennan–Prediger's κ_n, and with several annotators Randolph's
    free-marginal κ.

    >>> print(s(Ratings.from_matrix([["a", "b"], ["a", "a"]])))
    s = 0.0000
    """
    weights = in_tree(weights, taxonomy)
    chance = total_weight(loss_of(ratings, weights)) / max(1, len(ratings.values)) ** 2
    return _urn(
        "s",
        ratings,
        missing,
        weights,
        _constant(ratings, chance),
        _undeclared(ratings, "S"),
    )


@measure(
    "fleiss",
    rests_on="chance",
    pooled=True,
    title="Fleiss' κ = multi-π = Siegel & Castellan's K",
    usual=True,
    aliases=("multi-pi", "siegel-castellan", "fleiss-kappa", "k"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Fleiss, J. L. (1971). Measuring nominal scale agreement among many raters. "
    "Psychological Bulletin 76(5); Siegel & Castellan (1988).",
    use="Any number of annotators, nominal categories, the same chance for all annotators.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING, TAXONOMY),
)
def fleiss(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Fleiss' κ: chance draws from one urn that pools all annotators, A_e = Σ_k π_k².

    .. math:: A_e = \\sum_{kl} w_{kl} \\pi_k \\pi_l, \\quad
       \\pi_k = \\frac1n \\sum_i \\frac{r_{ik}}{r_i}

    It generalises Scott's π, not Cohen's κ (for that, see conger); Siegel & Castellan call it K.
    With missing values, :math:`\\pi_k` runs over all rated items and :math:`A_o` over those rated
    twice (Gwet 2014); ``missing="pairable"`` drops items rated once first.

    >>> print(fleiss(Ratings.from_matrix([["a", "b", "a"], ["a", "a", "a"]])))
    fleiss = -0.2000
    """
    weights = in_tree(weights, taxonomy)
    return _urn("fleiss", ratings, missing, weights, _pooled(ratings, weights), ())


@measure(
    "pi",
    rests_on="chance",
    pooled=True,
    title="Scott's π",
    aliases=("scott", "scott-pi"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Scott, W. A. (1955). Reliability of content analysis. Public Opinion Quarterly 19(3).",
    use="Two annotators, nominal categories, the same chance for both (more: fleiss).",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING, TAXONOMY),
)
def pi(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Scott's π: two annotators, chance draws from the one urn they share.

    With more than two annotators this is Fleiss' κ, and the result says so.

    >>> print(pi(Ratings.from_matrix([["a", "b", "a"], ["a", "a", "a"]])))
    pi = -0.2000
    """
    weights = in_tree(weights, taxonomy)
    many = len(ratings.annotators) > 2
    note = ("with more than two annotators pi is Fleiss' kappa (multi-pi)",) if many else ()
    return _urn("pi", ratings, missing, weights, _pooled(ratings, weights), note)


@measure(
    "ac1",
    rests_on="chance",
    title="Gwet's AC1",
    usual=True,
    aliases=("gwet", "gwet-ac1"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Gwet, K. L. (2008). Computing inter-rater reliability and its variance in the presence "
    "of high agreement. British J. of Mathematical and Statistical Psychology 61(1).",
    use="When one category dominates and κ falls in spite of high agreement; depends on how many "
    "categories are declared.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(MISSING,),
)
def ac1(ratings: Ratings, *, missing: str) -> Result:
    """Gwet's AC1: chance counts only where a category is neither never nor always used.

    .. math:: A_e = \\frac{1}{q-1} \\sum_k \\pi_k (1 - \\pi_k)

    >>> print(ac1(Ratings.from_matrix([["a", "b", "a"], ["a", "a", "a"]])))
    ac1 = 0.5385
    """
    return _urn(
        "ac1", ratings, missing, "identity", _gwet(ratings, "identity"), _undeclared(ratings, "AC1")
    )


@measure(
    "ac2",
    rests_on="chance",
    title="Gwet's AC2",
    aliases=("gwet-ac2",),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Gwet, K. L. (2014). Handbook of Inter-Rater Reliability, 4th ed.",
    use="AC1 for ordered or weighted categories.",
    breakdowns=BREAKDOWNS,
    options=(MISSING, WEIGHTING.but(default="quadratic"), TAXONOMY),
)
def ac2(ratings: Ratings, *, missing: str, weights: Weights, taxonomy: Taxonomy) -> Result:
    """Gwet's AC2: AC1 with agreement weights.

    .. math:: A_e = \\frac{T_w}{q(q-1)} \\sum_k \\pi_k (1 - \\pi_k), \\quad T_w = \\sum_{kl} w_{kl}

    >>> print(ac2(Ratings.from_matrix([[1, 2, 3], [1, 2, 2]])))
    ac2 = 0.7857
    """
    weights = in_tree(weights, taxonomy)
    return _urn(
        "ac2", ratings, missing, weights, _gwet(ratings, weights), _undeclared(ratings, "AC2")
    )


@measure(
    "pabak",
    rests_on="chance",
    title="prevalence- and bias-adjusted κ",
    aliases=("prevalence-adjusted-kappa",),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    chance=True,
    citation="Byrt, T., Bishop, J. & Carlin, J. B. (1993). Bias, prevalence and kappa. "
    "J. of Clinical Epidemiology 46(5).",
    use="To see what κ would be at balanced prevalence without bias: 2·A_o − 1, nothing more.",
    binary=True,
    breakdowns=BREAKDOWNS,
    options=(COMMON,),
)
def pabak(ratings: Ratings, *, missing: str) -> Result:
    """PABAK: the κ of a table with balanced prevalence and no bias, 2 A_o − 1.

    With q categories (q A_o − 1)/(q − 1), which is Bennett's S.

    >>> print(pabak(Ratings.from_matrix([["a", "b", "a", "b"], ["a", "a", "a", "b"]])))
    pabak = 0.5000
    """
    q = max(1, len(ratings.values))
    note = (f"with {q} categories PABAK is Bennett's S",) if q > 2 else ()
    return _urn("pabak", ratings, missing, "identity", _constant(ratings, 1 / q), note)


# --- the shared tally ----------------------------------------------------------------------------


def _urn(
    name: str,
    ratings: Ratings,
    missing: str,
    weights: Weights,
    chance: Chance | None,
    warnings: tuple[str, ...],
) -> Result:
    refuse_one_annotator(ratings, name)
    kept = available(ratings, missing)
    sample = _tally(kept, loss_of(kept, weights), chance)
    return ratings_result(
        name,
        kept,
        sample,
        options={
            "weights": name_of(weights),
            "missing": missing,
            "q": None if name in ("percent", "fleiss", "pi") else len(ratings.values),
        },
        warnings=warnings,
    )


def _tally(ratings: Ratings, loss: Metric, chance: Chance | None) -> Sample:
    """Rows: rated twice, agreeing share of pairs, rated at all, then what chance needs of the shares."""

    def tally(profiles: Profiles) -> Any:
        sizes = profiles.per_item.astype(np.float64)
        agreeing = agreeing_pairs(profiles, loss)
        rated = [(sizes >= least)[:, None].astype(np.float64) for least in (1, 2)]
        columns: list[Any] = [rated[1], agreeing[:, None], rated[0]]
        share = 1 / np.maximum(1.0, sizes)[profiles.row]
        if chance is not None:
            columns.append(counted(profiles, chance.figures, weight=share))
        return beside(columns)

    def score(totals: Array) -> dict[str, Array]:
        with np.errstate(divide="ignore", invalid="ignore"):
            A_o = totals[:, 1] / totals[:, 0]
            if chance is None:
                return {"value": A_o, "A_o": A_o}
            A_e = chance.expected(totals[:, 3:] / totals[:, 2:3])
            return {"value": corrected(A_o, A_e), "A_o": A_o, "A_e": A_e}

    return anonymous_profiles(ratings).sample(
        tally,
        score,
        # without chance an item rated once says nothing
        least=2 if chance is None else 1,
        graded=loss.name != "nominal",
        share=(1, 0) if chance is None else None,
        fixed=None if chance is None else 0,
    )


def agreeing_pairs(profiles: Profiles, loss: Metric) -> Array:
    """The agreeing share of the pairs of each profile; 0 without a pair."""
    sizes = profiles.per_item.astype(np.float64)
    pairs = sizes * (sizes - 1)
    return np.asarray((pairs - pair_sums(profiles, loss.pairs)) / np.maximum(1.0, pairs))


def corrected(A_o: Array, A_e: Array) -> Array:
    """(A_o − A_e)/(1 − A_e), NaN where chance leaves no room."""
    room = 1 - A_e
    none = np.abs(room) < 1e-15  # 1 − Σπ_k² of one category is 0 up to rounding of the shares
    return np.where(none, np.nan, (A_o - A_e) / np.where(none, 1.0, room))


def available(ratings: Ratings, missing: str) -> Ratings:
    """Apply the policy for missing values."""
    if missing not in ("available", "pairable"):
        raise UsageError(f"missing must be available or pairable, got {missing!r}")
    return ratings.pairable() if missing == "pairable" and np.any(ratings.per_item < 2) else ratings


def loss_of(ratings: Ratings, weights: Weights, *, directed: bool = False) -> Metric:
    """How far two values are from agreeing under these weights."""
    if name_of(weights) is None:
        return nominal(len(ratings.values))
    if ratings.kind == "sets":
        raise UsageError(
            "agreement weights need categories or numbers; for sets use alpha with masi"
        )
    if ratings.kind == "objects":
        raise UsageError(
            "agreement weights need categories or numbers; for vectors use alpha with cosine"
        )
    return agreement_loss(
        weights, ratings.values, ratings.labels, kind=ratings.kind, directed=directed
    )


def total_weight(loss: Metric) -> float:
    """Σ_kl w_kl over all pairs of values."""
    every = np.ones((1, max(1, loss.size)))
    totals = every if loss.moments is None else every @ loss.moments
    return float(every.sum() ** 2 - loss.expected(totals)[0])


def _constant(ratings: Ratings, value: float) -> Chance:
    """Chance that asks nothing of the shares."""
    return Chance(np.empty((len(ratings.values), 0)), lambda totals: np.full(len(totals), value))


def _pooled(ratings: Ratings, weights: Weights) -> Chance:
    loss = loss_of(ratings, weights)
    return Chance(loss.moments, lambda totals: 1 - loss.expected(totals))


def _gwet(ratings: Ratings, weights: Weights) -> Chance:
    q = len(ratings.values)
    if q < 2:
        return _constant(ratings, 1.0)
    T_w = total_weight(loss_of(ratings, weights))
    return Chance(None, lambda share: T_w / (q * (q - 1)) * (share * (1 - share)).sum(axis=1))


def _undeclared(ratings: Ratings, name: str) -> tuple[str, ...]:
    if ratings.declared:
        return ()
    return (
        f"{name} depends on the number of categories, and none were declared: the "
        f"{len(ratings.values)} observed ones are used (declare them with `categories`)",
    )
