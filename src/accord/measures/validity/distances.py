"""Not only right or wrong: distances between classes, and the judges' whole distribution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.distance.categories import squared_distances
from accord.errors import UsageError
from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import (
    BY,
    DISTANCE,
    MATRIX,
    NORM,
    PERIOD,
    SEED,
    TAXONOMY,
    TIES,
)
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.result import used_classes, validity_result
from accord.registry import measure
from accord.result import Result

_ANTOINE = "J.-Y. Antoine, M. Le Tallec and J. Villaneau (2011), TALN"


@measure(
    "weighted-accuracy",
    title="Accuracy weighted by the distribution of the judges",
    shape="ratings",
    question="score",
    citation=_ANTOINE + ", §3.2",
    range=(0.0, 1.0),
    use="When judges differ for good reasons: an answer is as right as the share of judges behind it.",
    options=(BY,),
)
def weighted_accuracy(reference: Ratings, system: Ratings) -> Result:
    r"""Votes behind the system's answers over votes behind the best ones.

    .. math:: WA = \frac{\sum_i p_i(\hat y_i)}{\sum_i \max_c p_i(c)}

    p_i(c) is the share of judges who gave item i class c. The value is 1 for always answering the
    most voted class; with one judge it is accuracy.

    >>> judges = [["neg"]] * 35 + [["neu"]] * 48 + [["pos"]] * 17
    >>> r = Ratings.from_matrix(judges, orientation="annotators")
    >>> s = Ratings.from_matrix([["neg"]], annotators=["system"])
    >>> round(weighted_accuracy(r, s).value, 4)  # .35 / .48
    0.7292
    """
    return of_weighted_accuracy(pair(reference, system))


def of_weighted_accuracy(pairing: Pairing) -> Result:
    shares = pairing.shares
    got = np.sum(shares * pairing.choice, axis=1)
    rows = np.stack([got, shares.max(axis=1)], axis=1)
    return validity_result(
        "weighted-accuracy", pairing, lambda _: rows, ratio_of_totals,
        options={"judges": len(pairing.judges)},
        terms={"votes": float(pairing.mean(got)), "best": float(pairing.mean(rows[:, 1]))},
    )  # fmt: skip


@measure(
    "observed-agreement",
    title="Raw weighted agreement A_o",
    shape="ratings",
    question="score",
    citation="Y. Mathet and A. Widlöcher (2016), TAL 57(2), §7.1, proposal 4",
    range=(0.0, 1.0),
    use="When classes lie nearer or farther: the observed part of α with its metric, without chance.",
    options=(DISTANCE, PERIOD, TAXONOMY, MATRIX, TIES, SEED, BY),
)
def observed_agreement(
    reference: Ratings, system: Ratings, *, metric: str, period: float | None,
    taxonomy: Path | None, matrix: Path | None, ties: str, seed: int,
) -> Result:  # fmt: skip
    r"""One less the mean distance between answer and reference, on a scale from 0 to 1.

    .. math:: A_o = 1 - \frac{1}{n} \sum_i \frac{\delta^2(\hat y_i, y_i)}{\max_{c,k} \delta^2(c, k)}

    δ² is that of α's metric (nominal, ordinal, interval, ratio, circular, bipolar, linear; path and
    wu-palmer of a tree of labels; jaccard and masi of sets; a matrix, taken as it is); the maximum
    is over the classes that occur. An item without an answer is at the largest distance. Nominal:
    accuracy.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return of_observed_agreement(pairing, metric=matrix or metric, period=period, taxonomy=taxonomy)


def of_observed_agreement(
    pairing: Pairing,
    *,
    metric: Any = "interval",
    period: float | None = None,
    taxonomy: str | Path | None = None,
) -> Result:
    delta, name = distances(pairing, metric, period, taxonomy)
    top = float(delta.max(initial=0.0)) or 1.0

    def tally(p: Pairing) -> Array:
        far = np.einsum("ik,kc,ic->i", p.target, delta, p.choice) / top
        return np.stack([1 - np.where(p.given, far, 1.0), np.ones(p.height)], axis=1)

    nominal = name == "nominal"
    far = 1 - pairing.mean(tally(pairing)[:, 0])
    return validity_result(
        "observed-agreement", pairing, tally, ratio_of_totals, options={"metric": name}, ties=True,
        classes=used_classes(pairing) if nominal else None, share=nominal,
        terms={"D_o": float(far * top), "largest_distance": top},
    )  # fmt: skip


@measure(
    "fuzzy-distance",
    title="Distance to the fuzzy reference",
    shape="ratings",
    question="score",
    citation=_ANTOINE + ", §4",
    range=(0.0, 1.0),
    similarity=False,
    use="How far the system's crisp answers lie from the judges' fuzzy set; 'floor' is the least possible.",
    options=(NORM, BY),
)
def fuzzy_distance(reference: Ratings, system: Ratings, *, norm: str) -> Result:
    r"""Distance between the system's answers and the fuzzy set of the judges' opinions.

    .. math:: d = \frac{1}{n} \sum_i \frac{1}{2} \sum_c |\mu_i(c) - q_i(c)| \quad\text{(linear)}, \qquad
              \sqrt{\frac{1}{n} \sum_i \frac{1}{2} \sum_c (\mu_i(c) - q_i(c))^2} \quad\text{(quadratic)}

    μ_i(c), the membership of item i in class c, is the share of judges; q_i is the system's answer, 1
    on its class and 0 elsewhere (or its own distribution). Both lie between 0 and 1 (Kaufmann 1973).
    `terms.floor` is the distance of the nearest crisp set, which always answers the most voted
    class: no system without nuance can do better. An item without an answer is at distance 1.
    """
    if norm not in ("linear", "quadratic"):
        raise UsageError(f"the norm must be linear or quadratic, got {norm!r}")
    return of_fuzzy_distance(pair(reference, system), norm=norm)


def of_fuzzy_distance(pairing: Pairing, *, norm: str = "linear") -> Result:
    p, q = pairing.shares, pairing.answers
    crisp = np.zeros_like(p)
    crisp[np.arange(len(p)), p.argmax(axis=1)] = 1.0
    if norm == "linear":
        far, floor = (np.abs(p - other).sum(axis=1) / 2 for other in (q, crisp))
    else:
        far, floor = (((p - other) ** 2).sum(axis=1) / 2 for other in (q, crisp))
    far = np.where(pairing.given, far, 1.0)

    def score(totals: Array) -> Mapping[str, Array]:
        value = ratio_of_totals(totals)["value"]
        return {"value": value if norm == "linear" else np.sqrt(value)}

    rows = np.stack([far, np.ones(pairing.height)], axis=1)
    least = float(pairing.mean(floor))
    return validity_result(
        "fuzzy-distance", pairing, lambda _: rows, score,
        options={"norm": norm, "judges": len(pairing.judges)},
        terms={"floor": least if norm == "linear" else float(np.sqrt(least))},
    )  # fmt: skip


@measure(
    "alpha-to-distribution",
    title="α of the system against all judgements",
    shape="ratings",
    question="score",
    citation=_ANTOINE + ", §4; K. Krippendorff (2013), Content Analysis, ch. 12",
    range=(-np.inf, 1.0),
    use="When classes have a metric and judges differ: no majority is taken, the whole dispersion counts.",
    options=(DISTANCE, PERIOD, TAXONOMY, MATRIX, BY),
)
def alpha_to_distribution(
    reference: Ratings, system: Ratings, *, metric: str, period: float | None,
    taxonomy: Path | None, matrix: Path | None,
) -> Result:  # fmt: skip
    r"""One less the disagreement with all judgements of each item, over that expected among them.

    .. math:: \alpha = 1 - \frac{D_o}{D_e}, \quad
              D_o = \frac{1}{n} \sum_i \frac{1}{m_i} \sum_j \delta^2(\hat y_i, y_{ij}), \quad
              D_e = \sum_{c,k} p_c\, p_k\, \delta^2(c, k)

    y_ij are the m_i judgements of item i and p the distribution of all of them, each item counting
    alike. D_e depends on the judges alone: a system must not make its own baseline (Mathet &
    Widlöcher 2016, §7.1). Because judges differ, even the best answers stay below 1: `terms.best` is
    what always answering the class nearest to all judgements would give.
    """
    pairing = pair(reference, system)
    return of_alpha(pairing, metric=matrix or metric, period=period, taxonomy=taxonomy)


def of_alpha(
    pairing: Pairing,
    *,
    metric: Any = "nominal",
    period: float | None = None,
    taxonomy: str | Path | None = None,
) -> Result:
    delta, name = distances(pairing, metric, period, taxonomy)
    p = pairing.shares
    to_all = p @ delta
    far = np.sum(to_all * pairing.choice, axis=1)
    far = np.where(pairing.given, far, to_all.max(axis=1))
    K = p.shape[1]
    rows = np.concatenate([far[:, None], np.ones((pairing.height, 1)), p], axis=1)

    def score(totals: Array) -> Mapping[str, Array]:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = totals[:, 2 : 2 + K] / totals[:, 1:2]
            observed = totals[:, 0] / totals[:, 1]
            expected = np.einsum("bk,kc,bc->b", share, delta, share)
            return {"value": 1 - observed / expected, "D_o": observed, "D_e": expected}

    scored = score(pairing.total(rows)[None, :])
    best = pairing.mean(to_all.min(axis=1))
    expected = float(scored["D_e"][0])
    return validity_result(
        "alpha-to-distribution", pairing, lambda _: rows, score,
        options={"metric": name, "judges": len(pairing.judges)},
        observed=float(scored["D_o"][0]), expected=expected,
        terms={"best": 1 - float(best) / expected if expected else float("nan")},
        undefined="all judgements are alike, so no disagreement is expected (0/0)",
    )  # fmt: skip


def distances(
    pairing: Pairing, metric: Any, period: float | None, taxonomy: str | Path | None = None
) -> tuple[Array, str]:
    """δ² between all classes, and the metric's name."""
    values: Sequence[Any] = pairing.labels
    kind = "categories"
    if pairing.sets is not None:
        values, kind = pairing.sets, "sets"
    elif pairing.numbers is not None:
        values, kind = tuple(pairing.numbers.tolist()), "numbers"
    counts = pairing.total(pairing.shares)
    delta = squared_distances(
        metric, values, counts, kind=kind, ordered=pairing.ordered, period=period,
        taxonomy=taxonomy,
    )  # fmt: skip
    return delta, str(metric) if not isinstance(metric, Path) else f"matrix:{metric.name}"
