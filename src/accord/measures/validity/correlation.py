"""Correlation of a system's numbers with those of the reference."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.data import Ratings
from accord.errors import UsageError
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import BY, SEED, TARGET, TIES
from accord.measures.validity.pairing import Array, Pairing, Votes, subset
from accord.measures.validity.result import validity_result
from accord.registry import measure
from accord.result import Result

#: distinct (reference, system) pairs up to which ranks are taken anew on every resample
_RANKED_ANEW = 2_000
_CAUTION = (
    "a correlation is not a share of right answers: it ignores shift and scale, and rose with the "
    "number of classes where all other scores fell (Antoine et al. 2011, §2)"
)


@measure(
    "pearson",
    ordered=True,
    title="Pearson's correlation",
    usual=True,
    shape="ratings",
    question="score",
    citation="J.-Y. Antoine, M. Le Tallec and J. Villaneau (2011), TALN, §1",
    range=(-1.0, 1.0),
    use="Numbers that go together up to shift and scale; not a share of right answers.",
    options=(TARGET, TIES, SEED, BY),
)
def pearson(
    reference: Ratings,
    system: Ratings,
    *,
    target: str,
    ties: str,
    seed: int,
) -> Result:
    r"""Covariance of system and reference over the product of their standard deviations.

    .. math:: r = \frac{\sigma_{sr}}{\sigma_s \sigma_r}

    With several judges the reference is their most voted value (the mean of tied ones), or with
    ``target="mean"`` their mean. Items without an answer are left out.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return of_pearson(pairing, target=target)


def of_pearson(pairing: Pairing, *, target: str = "majority") -> Result:
    pairing, x, y, warnings = _numbers(pairing, target)
    # one centre for both sides, so that answers of two systems can be swapped item by item
    centre = pairing.mean(x)
    x, y = x - centre, y - centre
    rows = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
    return validity_result(
        "pearson",
        pairing,
        lambda _: rows,
        correlation,
        options={"target": _named(pairing, target)},
        warnings=(*warnings, _CAUTION),
        undefined=_WHY,
        ties=target == "majority",
    )


@measure(
    "spearman",
    ordered=True,
    title="Spearman's rank correlation",
    usual=True,
    shape="ratings",
    question="score",
    citation="C. Spearman (1904), American Journal of Psychology 15, 72–101",
    range=(-1.0, 1.0),
    use="Whether the system orders the items as the reference does; not a share of right answers.",
    options=(TARGET, TIES, SEED, BY),
)
def spearman(
    reference: Ratings,
    system: Ratings,
    *,
    target: str,
    ties: str,
    seed: int,
) -> Result:
    """Pearson's correlation of the ranks, tied values sharing their mean rank.

    Resamples rank anew, up to 2 000 distinct pairs of values; beyond that the ranks of the whole
    sample are kept.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return of_spearman(pairing, target=target)


def of_spearman(pairing: Pairing, *, target: str = "majority") -> Result:
    pairing, x, y, warnings = _numbers(pairing, target)
    couples, index = np.unique(np.stack([x, y], axis=1), axis=0, return_inverse=True)
    options = {"target": _named(pairing, target)}
    if len(couples) <= _RANKED_ANEW:
        rows = np.zeros((len(x), len(couples)))
        rows[np.arange(len(x)), index.ravel()] = 1.0

        def score(totals: Array) -> Mapping[str, Array]:
            ranks = [_midranks(couples[:, c], totals) for c in (0, 1)]
            return {"value": _weighted_correlation(ranks[0], ranks[1], totals)}

        return validity_result(
            "spearman",
            pairing,
            lambda _: rows,
            score,
            options=options,
            swappable=False,
            warnings=(*warnings, _CAUTION),
            undefined=_WHY,
            ties=target == "majority",
        )
    a, b = (_midranks(v, pairing.times[None, :])[0] for v in (x, y))
    a, b = a - pairing.mean(a), b - pairing.mean(b)
    rows = np.stack([np.ones(len(a)), a, b, a * a, b * b, a * b], axis=1)
    return validity_result(
        "spearman",
        pairing,
        lambda _: rows,
        correlation,
        options=options,
        swappable=False,
        warnings=(*warnings, _CAUTION),
        undefined=_WHY,
        ties=target == "majority",
    )


_WHY = "one side has the same value everywhere, so it varies with nothing (0/0)"


def correlation(totals: Array) -> Mapping[str, Array]:
    n, sx, sy, sxx, syy, sxy = totals.T
    with np.errstate(invalid="ignore", divide="ignore"):
        vx, vy = sxx / n - (sx / n) ** 2, syy / n - (sy / n) ** 2
        flat = (np.real(vx) <= 1e-14 * np.real(sxx / n)) | (np.real(vy) <= 1e-14 * np.real(syy / n))
        value = (sxy / n - sx * sy / n**2) / np.sqrt(np.where(flat, np.nan, vx * vy))
    return {"value": value}


def _midranks(values: Array, weights: Array) -> Array:
    """Mean rank of each value in each weighted sample; replicates × values."""
    distinct, place = np.unique(values, return_inverse=True)
    totals = np.zeros((len(weights), len(distinct)), dtype=np.result_type(weights, np.float64))
    for k in range(len(distinct)):
        totals[:, k] = weights[:, place == k].sum(axis=1) if len(distinct) < 200 else 0.0
    if len(distinct) >= 200:
        order = np.argsort(place, kind="stable")
        edges = np.searchsorted(place[order], np.arange(len(distinct)))
        totals = np.add.reduceat(weights[:, order], edges, axis=1)
    before = np.cumsum(totals, axis=1) - totals
    ranks: Array = (before + (totals + 1) / 2)[:, place]
    return ranks


def _weighted_correlation(a: Array, b: Array, w: Array) -> Array:
    n = w.sum(axis=1, keepdims=True)
    n = np.where(np.real(n) > 0, n, np.finfo(float).tiny)
    a, b = a - (w * a).sum(axis=1, keepdims=True) / n, b - (w * b).sum(axis=1, keepdims=True) / n
    va, vb, c = (np.sum(w * t, axis=1) for t in (a * a, b * b, a * b))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where((np.real(va) > 1e-9) & (np.real(vb) > 1e-9), c / np.sqrt(va * vb), np.nan)


def _numbers(pairing: Pairing, target: str) -> tuple[Pairing, Array, Array, tuple[str, ...]]:
    """Reference and system as numbers, on the items that have both."""
    if target not in ("majority", "mean"):
        raise UsageError(f"the target must be majority or mean, got {target!r}")
    warnings: tuple[str, ...] = ()
    both = np.flatnonzero(pairing.given[pairing.index])
    if len(both) < pairing.n:
        warnings = (f"{pairing.n - len(both)} items without an answer are left out",)
        pairing = subset(pairing, both)
    x = pairing.positions
    if len(pairing.judges) == 1 or target == "mean":
        reference = _means(pairing.row_judged, x, pairing.height)
    else:
        reference = pairing.target @ x
    return pairing, reference, _means(pairing.row_answered, x, pairing.height), warnings


def _means(votes: Votes, positions: Array, n: int) -> Array:
    total = np.bincount(votes[0], weights=positions[votes[1]], minlength=n)
    count = np.bincount(votes[0], minlength=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        return total / count


def _named(pairing: Pairing, target: str) -> str | None:
    return target if len(pairing.judges) > 1 else None
