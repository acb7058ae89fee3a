"""Distances between two distributions per item: the judges' p_i and the system's q_i.

p_i(c) is the share of judges who gave item i class c; q_i(c) the share of the system's answers (1 on
its class when it gives one; several runs or an ensemble give a distribution). Every score is the
mean over items. An item without an answer counts as a uniform one, and is counted in a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from accord.data import Ratings
from accord.errors import UsageError
from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.correlation import correlation
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import BY, CLIP
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.result import validity_result
from accord.measures.validity.strata import entropies
from accord.registry import measure
from accord.result import Result

_UMA = "A. Uma et al. (2021), Journal of Artificial Intelligence Research 72, 1385–1470, §4"


@measure(
    "cross-entropy",
    title="Cross-entropy to the judges",
    shape="ratings",
    question="score",
    votes=True,
    citation="J. Peterson et al. (2019), ICCV, 9617–9626; " + _UMA,
    range=(0.0, np.inf),
    similarity=False,
    use="For systems that give distributions; a hard answer is punished by the clip alone.",
    options=(CLIP, BY),
)
def cross_entropy(reference: Ratings, system: Ratings, *, clip: float) -> Result:
    r"""Mean cost, in nats, of the judges' votes under the system's distribution.

    .. math:: H(p, q) = -\frac{1}{n} \sum_i \sum_c p_i(c) \log \max(q_i(c), \text{clip})

    The clip is needed as soon as a system gives a class no chance at all, and decides the value of
    hard answers: it is stated in the signature. `terms.floor` is the entropy of the judges.
    """
    _check_clip(clip)

    def cost(p: Array, q: Array) -> Array:
        far: Array = -np.sum(p * np.log(np.maximum(q, clip)), axis=1)
        return far

    pairing = pair(reference, system)
    floor = float(pairing.mean(entropies(pairing.shares)) * np.log(2))
    return _mean("cross-entropy", pairing, cost, {"clip": clip}, floor)


@measure(
    "kl",
    title="Kullback–Leibler divergence",
    shape="ratings",
    question="score",
    votes=True,
    citation="S. Kullback and R. Leibler (1951), Annals of Mathematical Statistics 22, 79–86; "
    + _UMA,
    range=(0.0, np.inf),
    aliases=("kullback-leibler",),
    similarity=False,
    use="As cross-entropy, less the entropy of the judges: 0 for a perfect distribution.",
    options=(CLIP, BY),
)
def kl(reference: Ratings, system: Ratings, *, clip: float) -> Result:
    r"""Mean divergence, in nats, of the system from the judges.

    .. math:: KL(p \| q) = \frac{1}{n} \sum_i \sum_c p_i(c) \log \frac{p_i(c)}{\max(q_i(c), \text{clip})}
    """
    _check_clip(clip)

    def cost(p: Array, q: Array) -> Array:
        safe = np.where(p > 0, p, 1.0)
        far: Array = np.sum(p * (np.log(safe) - np.log(np.maximum(q, clip))), axis=1)
        return far

    return _mean("kl", pair(reference, system), cost, {"clip": clip})


@measure(
    "jsd",
    title="Jensen–Shannon divergence",
    shape="ratings",
    question="score",
    votes=True,
    citation="J. Lin (1991), IEEE Transactions on Information Theory 37(1), 145–151; " + _UMA,
    range=(0.0, 1.0),
    aliases=("jensen-shannon",),
    similarity=False,
    use="Bounded and symmetric: needs no clip, and hard answers have a finite value.",
    options=(BY,),
)
def jsd(reference: Ratings, system: Ratings) -> Result:
    r"""Mean divergence of p and q from their middle m = (p + q)/2, in bits.

    .. math:: JSD = \frac{1}{n} \sum_i \frac{1}{2} KL(p_i \| m_i) + \frac{1}{2} KL(q_i \| m_i)
    """
    return _mean("jsd", pair(reference, system), _jensen_shannon, {"base": 2})


@measure(
    "js-distance",
    title="Jensen–Shannon distance",
    shape="ratings",
    question="score",
    votes=True,
    citation="D. Endres and J. Schindelin (2003), IEEE Trans. Information Theory 49(7), 1858–1860",
    range=(0.0, 1.0),
    similarity=False,
    use="The square root of the divergence, which is a metric; the mean is over items' distances.",
    options=(BY,),
)
def js_distance(reference: Ratings, system: Ratings) -> Result:
    """Mean over items of the square root of the Jensen–Shannon divergence (in bits)."""

    def cost(p: Array, q: Array) -> Array:
        return np.sqrt(_jensen_shannon(p, q))

    return _mean("js-distance", pair(reference, system), cost, {"base": 2})


@measure(
    "manhattan",
    title="Manhattan distance",
    shape="ratings",
    question="score",
    votes=True,
    citation=_UMA,
    range=(0.0, 2.0),
    similarity=False,
    use="Twice the share of votes that would have to move; ignores any order of the classes.",
    options=(BY,),
)
def manhattan(reference: Ratings, system: Ratings) -> Result:
    r"""Twice the share of votes that would have to change class, mean over items.

    .. math:: \frac{1}{n} \sum_i \sum_c |p_i(c) - q_i(c)|

    This is twice the total variation distance.
    """

    def cost(p: Array, q: Array) -> Array:
        far: Array = np.abs(p - q).sum(axis=1)
        return far

    return _mean("manhattan", pair(reference, system), cost, {})


@measure(
    "emd",
    title="Earth mover's distance",
    shape="ratings",
    question="score",
    votes=True,
    citation="Y. Rubner, C. Tomasi and L. Guibas (2000), Int. Journal of Computer Vision 40, 99–121",
    range=(0.0, np.inf),
    aliases=("wasserstein",),
    similarity=False,
    unit_free=False,
    use="For ordered classes or numbers: how far votes would have to move to become the system's.",
    options=(BY,),
)
def emd(reference: Ratings, system: Ratings) -> Result:
    r"""Mean over items of the least work that turns p into q along the scale.

    .. math:: EMD_i = \sum_{c=1}^{K-1} (x_{c+1} - x_c) \left|\sum_{k \le c} p_i(k) - q_i(k)\right|

    x_c is the class as a number, or its rank among classes declared in order.
    """
    pairing = pair(reference, system)
    x = pairing.positions
    order = np.argsort(x)
    step = np.diff(x[order])

    def cost(p: Array, q: Array) -> Array:
        gap = np.cumsum((p - q)[:, order], axis=1)[:, :-1]
        return np.abs(gap) @ step

    return _mean("emd", pairing, cost, {})


@measure(
    "entropy-correlation",
    title="Correlation of entropies",
    shape="ratings",
    question="score",
    votes=True,
    citation=_UMA,
    range=(-1.0, 1.0),
    use="Does the system hesitate where the judges differ? Undefined for systems that never hesitate.",
    options=(BY,),
)
def entropy_correlation(reference: Ratings, system: Ratings) -> Result:
    """Pearson's correlation over items of the entropies of p and q."""
    pairing = pair(reference, system)
    x = entropies(pairing.shares)
    y = entropies(filled(pairing)[0])
    x, y = x - pairing.mean(x), y - pairing.mean(y)
    rows = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
    return validity_result(
        "entropy-correlation", pairing, lambda _: rows, correlation, options={"judges": len(pairing.judges)},
        undefined="the entropy of one side is the same on all items: a system that gives one answer "
        "per item never hesitates (0/0)",
    )  # fmt: skip


def _mean(
    name: str,
    pairing: Pairing,
    cost: Callable[[Array, Array], Array],
    options: Mapping[str, object],
    floor: float | None = None,
) -> Result:
    q, silent = filled(pairing)
    far = cost(pairing.shares, q)
    rows = np.stack([far, np.ones(pairing.height)], axis=1)
    warnings = [] if not silent else [f"{silent} items without an answer count as uniform answers"]
    hard = bool(np.all(q.max(axis=1) == 1))
    if hard and name in ("cross-entropy", "kl"):
        warnings.append(
            "the system gives hard answers: this value is made by the clip; "
            "prefer weighted-accuracy, jsd or manhattan"
        )
    return validity_result(
        name, pairing, lambda _: rows, ratio_of_totals,
        options={**options, "judges": len(pairing.judges)},
        terms={} if floor is None else {"floor": floor}, warnings=warnings,
    )  # fmt: skip


def filled(pairing: Pairing) -> tuple[Array, int]:
    """The answers with a uniform one where there is none, and how many items that concerns."""
    q = pairing.answers
    silent = ~pairing.given
    if silent.any():
        q = q.copy()
        q[silent] = 1 / q.shape[1]
    return q, int(pairing.given.size and np.sum(silent[pairing.index]))


def _jensen_shannon(p: Array, q: Array) -> Array:
    m = (p + q) / 2
    # rounding can leave a trace below zero where p = q
    return np.maximum(entropies(m) - (entropies(p) + entropies(q)) / 2, 0.0)


def _check_clip(clip: float) -> None:
    if not 0 < clip < 1:
        raise UsageError(f"the clip must be between 0 and 1, got {clip}")
