"""Does a system mean its probabilities? Against what is right: log loss, Brier score, calibration.

q_i(c) is the probability that the system gives class c of item i; a hard answer is a probability of
1, several answers (runs, an ensemble) their shares. y_i is the class of the reference: the majority of
several judges, a tied item counting in equal parts for each of its classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.measures.ratio import ratio_of_totals
from accord.measures.soft.divergences import filled
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import BY, CLIP, SEED, TIES
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.result import validity_result
from accord.measures.validity.strata import BINS, bin_name, certainty_bins
from accord.registry import measure
from accord.result import Result, Row

#: draws of answers by which a calibrated system's own error is known
_DRAWS = 200


@measure(
    "log-loss",
    title="Log loss",
    shape="ratings",
    question="score",
    votes=True,
    citation="I. J. Good (1952), Journal of the Royal Statistical Society B 14(1), 107–114",
    range=(0.0, np.inf),
    aliases=("logloss", "negative-log-likelihood", "nll"),
    similarity=False,
    use="For systems that give probabilities: a proper score, which punishes certain errors hardest.",
    options=(CLIP.but(default=1e-15), TIES, SEED, BY),
)
def log_loss(reference: Ratings, system: Ratings, *, clip: float, ties: str, seed: int) -> Result:
    r"""Mean of −ln of the probability that the system gave to what is right.

    .. math:: -\frac{1}{n} \sum_i \ln \max(q_i(y_i), \text{clip})

    Natural logarithms; the clip is in the signature. Where the reference is one answer per item this
    is the cross-entropy to it. `terms.uninformed` is the value of always giving the shares of the
    classes in the reference.

    >>> r = Ratings.from_matrix([["x", "y", "y"]], annotators=["reference"])
    >>> s = Ratings.from_probabilities({"x": [.6, .9, .2], "y": [.4, .1, .8]})
    >>> round(log_loss(r, s).value, 6)
    1.012185
    """

    def cost(target: Array, q: Array) -> Array:
        lost: Array = -np.sum(target * np.log(np.maximum(q, clip)), axis=1)
        return lost

    pairing = pair(reference, system, ties=ties, seed=seed)
    return _mean("log-loss", pairing, cost, {"clip": clip})


@measure(
    "brier",
    title="Brier score",
    shape="ratings",
    question="score",
    votes=True,
    citation="G. W. Brier (1950), Monthly Weather Review 78(1), 1–3",
    range=(0.0, 2.0),
    aliases=("brier-score",),
    similarity=False,
    use="For systems that give probabilities: a proper score that stays bounded; no clip is needed.",
    options=(TIES, SEED, BY),
)
def brier(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""Mean squared distance between the probabilities and what is right, over all classes.

    .. math:: \frac{1}{n} \sum_i \sum_c (q_i(c) - [y_i = c])^2

    From 0 to 2, as Brier defined it. `terms.half` is the form of two classes that many tools give
    (scikit-learn's `brier_score_loss`); `terms.uninformed` the value of always giving the shares of
    the classes in the reference.

    >>> r = Ratings.from_matrix([["x", "y", "y"]], annotators=["reference"])
    >>> s = Ratings.from_probabilities({"x": [.6, .9, .2], "y": [.4, .1, .8]})
    >>> round(brier(r, s).value, 6)
    0.673333
    """

    def cost(target: Array, q: Array) -> Array:
        # Σ_k t_k Σ_c (q_c − [c = k])², the sum over the classes multiplied out
        far: Array = np.sum(q * q, axis=1) - 2 * np.sum(target * q, axis=1) + target.sum(axis=1)
        return np.maximum(far, 0.0)

    pairing = pair(reference, system, ties=ties, seed=seed)
    return _mean("brier", pairing, cost, {})


@measure(
    "ece",
    title="Expected calibration error",
    shape="ratings",
    question="score",
    votes=True,
    citation="M. P. Naeini, G. F. Cooper and M. Hauskrecht (2015), AAAI, 2901–2907; C. Guo et al. "
    "(2017), ICML, 1321–1330",
    range=(0.0, 1.0),
    aliases=("calibration-error", "expected-calibration-error"),
    similarity=False,
    use="Is the system right as often as it is sure? Says nothing of how often it is right.",
    options=(TIES, SEED, BY),
)
def ece(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""How far the system's certainty is from its accuracy, over ten bins of certainty.

    .. math:: \sum_b \frac{n_b}{n} \left| \text{accuracy}_b - \text{confidence}_b \right|

    The confidence of an item is its largest probability; bins are [j/10, (j+1)/10), the last one
    closed. Classes that share the largest probability share the hit. ``by="bin"`` gives the bins:
    the points of a reliability diagram.

    The value is biased upwards when bins hold few items: `terms.if_calibrated` is the mean of what a
    system with these probabilities would get if it meant every one of them, by 200 seeded draws.

    >>> r = Ratings.from_matrix([["x", "y", "y"]], annotators=["reference"])
    >>> s = Ratings.from_probabilities({"x": [.6, .9, .2], "y": [.4, .1, .8]})
    >>> round(ece(r, s).value, 6)
    0.5
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    q, silent = filled(pairing)
    confidence = q.max(axis=1)
    best = q == confidence[:, None]
    hit = np.sum(pairing.target * best, axis=1) / best.sum(axis=1)
    place = certainty_bins(q)
    rows = np.zeros((pairing.height, 3 * BINS))
    at = np.arange(pairing.height)
    for k, values in enumerate((np.ones(pairing.height), confidence, hit)):
        rows[at, place + k * BINS] = values

    def score(totals: Array) -> Mapping[str, Array]:
        n, sure, right = (totals[:, k * BINS : (k + 1) * BINS] for k in range(3))
        # a complex step needs |z| as z or −z
        gap = right - sure
        gap = np.where(np.real(gap) < 0, -gap, gap)
        return ratio_of_totals(np.stack([gap.sum(axis=1), n.sum(axis=1)], axis=1))

    totals = pairing.total(rows)
    return validity_result(
        "ece", pairing, lambda _: rows, score, options={"bins": BINS}, ties=True,
        tables={"bin": _bins(totals)},
        shares={"bin": {bin_name(b): (2 * BINS + b, b) for b in range(BINS)}},
        terms={
            "accuracy": float(totals[2 * BINS :].sum() / totals[:BINS].sum()),
            "confidence": float(totals[BINS : 2 * BINS].sum() / totals[:BINS].sum()),
            "if_calibrated": _if_calibrated(pairing, q, confidence, place, seed),
        },
        warnings=_said(pairing, silent),
    )  # fmt: skip


def _mean(
    name: str,
    pairing: Pairing,
    cost: Callable[[Array, Array], Array],
    options: Mapping[str, object],
) -> Result:
    q, silent = filled(pairing)
    rows = np.stack([cost(pairing.target, q), np.ones(pairing.height)], axis=1)
    shares = np.broadcast_to(pairing.mean(pairing.target), pairing.target.shape)
    terms: dict[str, Any] = {"uninformed": float(pairing.mean(cost(pairing.target, shares)))}
    if name == "brier":
        terms["half"] = float(pairing.mean(rows[:, 0]) / 2)
    warnings = _said(pairing, silent)
    if name == "log-loss":
        clipped = float(pairing.mean(np.sum(pairing.target * (q == 0), axis=1)))
        if clipped > 0:
            warnings.append(
                f"{clipped:.1%} of the items have no chance of being right: the clip makes their cost"
            )
    return validity_result(
        name, pairing, lambda _: rows, ratio_of_totals, options=dict(options), ties=True, terms=terms,
        warnings=warnings,
    )  # fmt: skip


def _said(pairing: Pairing, silent: int) -> list[str]:
    warnings = [] if not silent else [f"{silent} items without an answer count as uniform answers"]
    if pairing.answered_soft is None and bool(np.all(pairing.answers.max(axis=1) % 1 == 0)):
        warnings.append(
            "the system gives hard answers, which are taken as probabilities of 1; give its own in "
            "columns p:<label>"
        )
    return warnings


def _bins(totals: Array) -> list[Row]:
    n, sure, right = (totals[k * BINS : (k + 1) * BINS] for k in range(3))
    return [
        {"bin": bin_name(b), "confidence": float(sure[b] / n[b]), "value": float(right[b] / n[b]),
         "n": float(n[b]) if n[b] % 1 else int(n[b])}
        for b in range(BINS)
        if n[b] > 0
    ]  # fmt: skip


def _if_calibrated(
    pairing: Pairing, q: Array, confidence: Array, place: NDArray[np.int64], seed: int
) -> float:
    """The mean value when every item is right with the probability that the system says."""
    times = pairing.times
    rng = np.random.default_rng(seed)
    sure = np.bincount(place, weights=confidence * times, minlength=BINS)
    drawn = []
    for _ in range(_DRAWS):
        # rows that stand for several items draw for each of them
        whole = np.maximum(times, 1).astype(np.int64)
        right = rng.binomial(whole, np.minimum(confidence, 1.0)) / whole * times
        hits = np.bincount(place, weights=right, minlength=BINS)
        drawn.append(float(np.abs(hits - sure).sum() / times.sum()))
    return float(np.mean(drawn))
