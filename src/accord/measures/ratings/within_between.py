"""Agreement of values of any kind: are two of one item closer than two of different items?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.distance.categories import category_metric
from accord.distance.objects import Distance
from accord.errors import RefusedError
from accord.measures.ratings.chance_pairs import MOST_PAIRS
from accord.measures.ratings.disagreements import BREAKDOWNS
from accord.measures.ratings.options import CDF, METRIC, PAIRS_SEED, PERIOD, QUANTILE
from accord.measures.ratings.profiles import item_weights
from accord.measures.ratings.result import ratings_result, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result, Sample

_CITATION = (
    "Braylan, A., Alonso, O. & Lease, M. (2022). Measuring annotator agreement generally across complex "
    "structured, multi-object, and free-text annotation tasks. WWW '22."
)
#: breakdowns that speak of items and people, not of categories: texts are hardly ever alike
_BREAKDOWNS = {k: v for k, v in BREAKDOWNS.items() if k in ("item", "annotator", "time")}


@dataclass(frozen=True, slots=True, eq=False)
class Distances:
    """Distances of two values of one item (within) and of two items (between), sorted, and whose they are."""

    within: Array
    item: NDArray[np.int64]
    between: Array
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    #: the pairs between items are a sample
    sampled: bool
    #: within and between merged in order, and which of them end a run of equal distances
    order: NDArray[np.int64]
    last: NDArray[np.bool_]


@measure(
    "ks",
    rests_on="chance",
    title="Within and between (Kolmogorov–Smirnov)",
    aliases=("kolmogorov-smirnov",),
    shape="ratings",
    question="agree",
    range=(0.0, 1.0),
    chance=True,
    explicit=True,
    citation=_CITATION,
    use="Texts, vectors, trees and other values with a distance: how far distances within items lie below "
    "those between items. Near 0 by chance, not exactly.",
    breakdowns=_BREAKDOWNS,
    options=(METRIC, PERIOD, PAIRS_SEED),
)
def ks(ratings: Ratings, *, metric: str | Distance, period: float | None, seed: int) -> Result:
    """The largest lead of the distances within items over those between items.

    .. math:: KS = \\sup_x \\left( F_O(x) - F_E(x) \\right)

    with F_O the distribution of the distances of two annotations of one item (all pairs alike), F_E that of
    two annotations of different items: all of them, or a seeded sample of 20 000 without replacement. It
    depends on the order of the distances only.

    Braylan, A., Alonso, O. & Lease, M. (2022), as their program computes it.

    >>> texts = Ratings.from_matrix([["a cat", "two dogs"], ["a cat", "two dogs run"]])
    >>> print(ks(texts, metric="edit"))
    ks = 1.0000
    """

    def value(found: Distances, near: Array, far: Array) -> float:
        return _lead(found, near, far)

    return _measured("ks", ratings, metric, period, seed, value, {})[0]


@measure(
    "sigma",
    rests_on="chance",
    title="σ, the share of pairs closer than chance",
    shape="ratings",
    question="agree",
    range=(0.0, 1.0),
    chance=True,
    explicit=True,
    citation=_CITATION,
    use="Texts, vectors, trees and other values with a distance: the share of pairs within items that are "
    "closer than 95 % of chance pairs. By chance it is .05.",
    breakdowns=_BREAKDOWNS,
    options=(METRIC, PERIOD, QUANTILE, CDF, PAIRS_SEED),
)
def sigma(
    ratings: Ratings,
    *,
    metric: str | Distance,
    period: float | None,
    quantile: float,
    cdf: str,
    seed: int,
) -> Result:
    """The share of pairs within items that are closer than a small quantile of the pairs between items.

    .. math:: \\sigma = P\\left( O < q_p(E) \\right), \\quad p = .05

    O and E as in :func:`ks`, the quantile by linear interpolation. Undefined when :math:`q_p(E) = 0`:
    with few categories more than 5 % of chance pairs are alike, and even perfect agreement would get 0.

    Braylan, A., Alonso, O. & Lease, M. (2022).

    Deviations: programs that print a σ differ. The authors' own, by default, smooths E by a Gaussian
    kernel and integrates from 0 (`cdf` kde); human-protocol-sdk takes E from all pairs, also within
    items; Potato's σ is 1 − mean O / mean E, an α.

    >>> texts = Ratings.from_matrix([["a cat", "two dogs"], ["a cat", "two dogs run"]])
    >>> print(sigma(texts, metric="edit"))
    sigma = 1.0000
    """

    limit = _smoothed if cdf == "kde" else _quantile

    def value(found: Distances, near: Array, far: Array) -> float:
        q = limit(found.between, far, quantile)
        if not q > 0:
            return float("nan")
        return float(near[found.within < q].sum() / near.sum())

    options = {"p": quantile, "cdf": cdf}
    result, found = _measured("sigma", ratings, metric, period, seed, value, options)
    q = limit(found.between, np.ones(len(found.between)), quantile)
    terms = {**result.terms, "closer_than": q}
    if result.undefined is not None and not q > 0:
        result = replace(
            result,
            undefined=f"{quantile:.0%} of chance pairs or more are at distance 0, so that nothing can be "
            "closer: σ is for values that are hardly ever alike; use alpha",
        )
    if len(found.between) and q == found.between.max():
        note = (
            "most values of different items are as far apart as can be: σ is then the share of pairs that "
            "are not, and says little",
        )
        result = replace(result, warnings=(*result.warnings, *note))
    return replace(result, terms=terms)


def _measured(
    name: str,
    ratings: Ratings,
    metric: str | Distance,
    period: float | None,
    seed: int,
    value: Callable[[Distances, Array, Array], float],
    options: Mapping[str, Any],
) -> tuple[Result, Distances]:
    refuse_one_annotator(ratings, name)
    ratings = ratings.repeated()
    distance = category_metric(
        metric, ratings.values, kind=ratings.kind, ordered=ratings.ordered, period=period
    )
    if distance.by_rank:
        raise RefusedError(
            f"{name} has no ordinal distance: ranks depend on the counts; use linear"
        )
    found = _distances(ratings, distance, seed)

    def score(weights: Array) -> Mapping[str, Array]:
        weighed = (
            np.real(weights)
            if ratings.weights is None
            else np.real(weights) * item_weights(ratings)
        )
        values = [
            value(found, row[found.item], row[found.first] * row[found.second]) for row in weighed
        ]
        return {"value": np.array(values)}

    sample = Sample(
        rows=None,
        score=score,
        index=np.arange(ratings.n_items, dtype=np.int32),
        multiplicity=np.where(
            ratings.per_item > 0, 1 if ratings.multiplicity is None else ratings.multiplicity, 0
        ).astype(np.int64),
        cluster=ratings.document,
        clusters=ratings.documents,
        keys=ratings.items,
        graded=True,
    )
    result = ratings_result(
        name,
        ratings,
        sample,
        options={
            "metric": distance.name,
            **options,
            **({"pairs": len(found.between), "seed": seed} if found.sampled else {}),
        },
    )
    terms = {"pairs_within": len(found.within), "pairs_between": len(found.between)}
    kept = {k: v for k, v in result.terms.items() if k != "floor"}
    return replace(result, terms={**kept, **terms}), found


def _distances(ratings: Ratings, metric: Any, seed: int) -> Distances:
    """All distances within items, and those between items or a sample of them."""
    item, code, items_in_order = _in_order(ratings)
    within, owner = [], []
    sizes = ratings.per_item
    for r in np.unique(sizes[sizes >= 2]).tolist():
        items = items_in_order[sizes[items_in_order] == r]
        upper = np.triu_indices(r, k=1)
        codes = np.sort(ratings.code[ratings.indptr[items][:, None] + np.arange(r)[None, :]])
        within.append(metric.pairs(codes[:, upper[0]], codes[:, upper[1]]).ravel())
        owner.append(np.repeat(items, len(upper[0])))
    if len(np.unique(item)) < 2:
        raise RefusedError(
            "with one item there is nothing to compare its annotations with: σ and KS need two"
        )
    if not within:
        raise RefusedError(
            "no item was annotated by two people, so there is no pair within an item"
        )
    # pairs of different items only: items that one annotator rated serve chance, too
    first, second, sampled = _between(item, np.random.default_rng(seed))
    near, far = np.concatenate(within), metric.pairs(code[first], code[second])
    # distances that differ by rounding alone are the same, whatever the unit of the values
    grain = 1e-12 * float(max(near.max(initial=0.0), far.max(initial=0.0))) or 1.0
    near, far = (grain * np.rint(x / grain) for x in (near, far))
    rising = np.argsort(far, kind="stable")
    merged = np.concatenate([near, far[rising]])
    order = np.argsort(merged, kind="stable")
    return Distances(
        within=near,
        item=np.concatenate(owner),
        between=far[rising],
        first=item[first][rising],
        second=item[second][rising],
        sampled=sampled,
        order=order,
        last=np.append(np.diff(merged[order]) > 0, True),
    )


def _in_order(
    ratings: Ratings,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Item and value of every annotation, and the items, in an order that their values alone decide.

    The order of rows, and the names of items and people, then choose no pair and no order of a sum.
    """
    weighs = [w for w in (ratings.multiplicity, ratings.weights) if w is not None]
    held = [
        (sorted(ratings.code[a:b].tolist()), *(float(w[i]) for w in weighs))
        for i, (a, b) in enumerate(pairwise(ratings.indptr.tolist()))
    ]
    items = np.array(sorted(range(len(held)), key=held.__getitem__), dtype=np.int64)
    place = np.empty(len(items), dtype=np.int64)
    place[items] = np.arange(len(items))
    order = np.lexsort((ratings.code, place[ratings.item]))
    return ratings.item[order].astype(np.int64), ratings.code[order], items


def _between(
    item: NDArray[np.int64], rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    from accord.measures.ratings.chance_pairs import some_pairs

    n = len(item)
    sizes = np.bincount(item)
    inside = int((sizes * (sizes - 1) // 2).sum())
    whole = n * (n - 1) // 2
    if whole - inside <= MOST_PAIRS:
        first, second = some_pairs(n, whole, rng)
        apart = item[first] != item[second]
        return first[apart], second[apart], False
    # as many more as fall within items, and a few to spare
    share = 1 - inside / whole
    first, second = some_pairs(n, min(whole, int(1.1 * MOST_PAIRS / share) + 100), rng)
    order = rng.permutation(np.flatnonzero(item[first] != item[second]))[:MOST_PAIRS]
    return first[order], second[order], True


def _lead(found: Distances, near: Array, far: Array) -> float:
    """sup of F_O − F_E of weighted distances."""
    if not near.sum() > 0 or not far.sum() > 0:
        return float("nan")
    steps = np.concatenate([near / near.sum(), -far / far.sum()])
    return float(max(0.0, np.cumsum(steps[found.order])[found.last].max()))


def _quantile(values: Array, weights: Array, p: float) -> float:
    """numpy's quantile of rising values that count `weights` times."""
    x, w = values[weights > 0], weights[weights > 0]
    if not len(x):
        return float("nan")
    end = np.cumsum(w)
    start = end - w
    # a value that counts w times fills the places from `start` to `start + w − 1`
    places = np.stack([start, np.maximum(start, end - 1)], axis=1).ravel()
    return float(np.interp(p * (end[-1] - 1), places, np.repeat(x, 2)))


def _smoothed(values: Array, weights: Array, p: float) -> float:
    """The p-quantile of a Gaussian kernel estimate (Scott's bandwidth), integrated from 0."""
    from scipy.optimize import brentq
    from scipy.stats import gaussian_kde

    if not len(values) or np.ptp(values) == 0:
        return _quantile(values, weights, p)
    kernel = gaussian_kde(values, weights=weights)
    high = float(values.max()) * 2 + 1
    if kernel.integrate_box_1d(0.0, high) <= p:
        return float("nan")
    return float(brentq(lambda x: kernel.integrate_box_1d(0.0, x) - p, 0.0, high))
