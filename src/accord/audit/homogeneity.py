"""Rules about sameness: documents that differ, and agreement that moves over time."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord.audit.case import Case
from accord.audit.exchange import same_answers
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.rule import rule
from accord.audit.values import MATHET
from accord.data import Ratings
from accord.measures.ratings.diagnostics import homogeneity

Array = NDArray[np.float64]

#: documents with fewer items on average say nothing about their own distribution
_ITEMS_PER_DOCUMENT = 5
#: level of a test, after the correction for the number of tests
_LEVEL = 0.02
#: a change smaller than this is not worth a finding, however certain
_SMALL = 0.05
#: moments are put together into at most this many batches
_BATCHES = 20


@rule(
    "heterogeneous-documents",
    looks_for="documents that differ in their categories, so that chance over the corpus is too low",
    citation=f"{MATHET}, §3.6",
    shapes=("ratings",),
    items=True,
)
def heterogeneous_documents(case: Case) -> Finding | Skipped | None:
    """Documents differ in their categories, so chance over the corpus is too low (§3.6)."""
    data = case.categories
    if data is None or data.document is None or len(data.documents) < 2:
        return None
    if len(data.documents) > 2000 or len(data.values) > 200:
        return Skipped("more than 2 000 documents or 200 categories")
    if data.n_items / len(data.documents) < _ITEMS_PER_DOCUMENT:
        return Skipped(f"fewer than {_ITEMS_PER_DOCUMENT} items in a document on average")
    found = homogeneity(data, seed=case.seed, permutations=199)
    inside, over = found["mean_local_value"], found["global_value"]
    if found["p"] > 0.01 or not over - inside > _SMALL:
        return None
    return Finding(
        severity="caution",
        statement=(
            f"The documents differ in their categories: agreement is {over:.2f} over the corpus and "
            f"{inside:.2f} on average inside a document."
        ),
        evidence=found,
        advice="Report both, and the values by document (accord agree --by document).",
    )


@rule(
    "drift",
    looks_for="agreement that changes from batch to batch, by a test",
    citation=f"{MATHET}, §3.6",
    shapes=("ratings",),
    items=True,
)
def drift(case: Case) -> Finding | Skipped | None:
    """Agreement changes over time more than batches of the same items would.

    The disagreement of an item (or, with documents, of a document) is compared among items whose
    most chosen value is the same: other categories in another batch are no drift. Two tests, of a
    trend (score test of the order) and of any difference (Kruskal–Wallis form), Bonferroni.
    """
    data = case.ratings
    if data is None:
        return None
    if data.time is None or len(data.times) < 2:
        return Skipped("no date or batch column (`columns={time: NAME}`)")
    rows = np.flatnonzero((data.per_item >= 2) & (data.time >= 0))
    disagreement, stratum = disputes(data)
    batch = _batches(data.time[rows])
    d, s = disagreement[rows], stratum[rows]
    if data.document is not None and len(data.documents) > 1:
        d, s, batch = _by_document(d, batch, data.document[rows])
    used = np.bincount(batch)
    if len(d) < 20 or (used >= 2).sum() < 2:
        return Skipped("fewer than two batches with items annotated twice")
    trend, difference = change(d, s, batch)
    p = min(1.0, 2 * min(trend, difference))
    means = np.bincount(batch, d) / np.maximum(1, used)
    told = [k for k in range(len(used)) if used[k] >= 2]
    values = [1 - float(means[k]) for k in told]
    if not p < _LEVEL or max(values) - min(values) < _SMALL:
        return None
    names = _names(data, rows, told)
    of = "Raw agreement" if data.kind != "numbers" else "Agreement (1 less the mean distance)"
    return Finding(
        severity="caution",
        statement=(
            f"{of} changes over time: {percent(values[0])} in {names[0]!r}, {percent(values[-1])} in "
            f"{names[-1]!r} (from {percent(min(values))} to {percent(max(values))}; p = {p:.2g})."
        ),
        evidence={
            "p": p,
            "p_trend": trend,
            "p_difference": difference,
            "by_time": [
                {"time": n, "agreement": v, "n": int(used[k])}
                for n, v, k in zip(names, values, told, strict=True)
            ],
        },
        advice="Look at what changed (guidelines, fatigue, training) and report the batches apart.",
    )


def disputes(data: Ratings) -> tuple[Array, NDArray[np.int64]]:
    """Mean distance of two answers to each item, and its most chosen value (the first of a tie)."""
    n, item = len(data.indptr) - 1, data.item
    r = data.per_item.astype(np.float64)
    if data.kind == "numbers" and len(data.values) > 2:
        x = data.numbers[data.code]
        x = x / ((x.max() - x.min()) or 1.0)
        mean = np.bincount(item, x, minlength=n) / np.maximum(1, r)
        spread = np.bincount(item, np.abs(x - mean[item]), minlength=n) / np.maximum(1, r)
        return spread, np.zeros(n, dtype=np.int64)
    same = same_answers(data)
    apart = 1 - np.bincount(item, same - 1, minlength=n) / np.maximum(1, r * (r - 1))
    order = np.lexsort((data.code, -same, item))
    first = np.unique(item[order], return_index=True)[1]
    most = np.full(n, -1, dtype=np.int64)
    most[item[order][first]] = data.code[order][first]
    return apart, most


def change(d: Array, stratum: NDArray[np.int64], batch: NDArray[np.int64]) -> tuple[float, float]:
    """p of a trend and p of any difference of d over the batches, inside the strata."""
    from scipy.special import chdtrc, erfc

    _, s = np.unique(stratum, return_inverse=True)
    size = np.bincount(s)
    rest = d - (np.bincount(s, d) / size)[s]
    n = len(d) - len(size) + 1  # a mean was taken off per stratum
    square = float(rest @ rest)
    if square <= 0 or n < 3:
        return 1.0, 1.0
    t = batch - (np.bincount(s, batch) / size)[s]
    scale = math.sqrt(float(t @ t) * square / (n - 1))
    trend = float(erfc(abs(float(t @ rest)) / scale / math.sqrt(2))) if scale > 0 else 1.0
    used = np.bincount(batch)
    sums = np.bincount(batch, rest)
    between = float((sums[used > 0] ** 2 / used[used > 0]).sum())
    return trend, float(chdtrc((used > 0).sum() - 1, (n - 1) * between / square))


def _batches(time: NDArray[np.int32]) -> NDArray[np.int64]:
    """Moments as consecutive batches, not more than twenty."""
    known, batch, count = np.unique(time, return_inverse=True, return_counts=True)
    if len(known) <= _BATCHES:
        return batch.astype(np.int64)
    before = np.cumsum(count) - count
    of: NDArray[np.int64] = (before * _BATCHES // count.sum())[batch].astype(np.int64)
    return of


def _by_document(
    d: Array, batch: NDArray[np.int64], document: NDArray[np.int32]
) -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
    """Items of one document in one batch are one observation: they are alike."""
    key, where = np.unique(
        document.astype(np.int64) * (batch.max() + 1) + batch, return_inverse=True
    )
    mean = np.bincount(where, d) / np.bincount(where)
    return mean, np.zeros(len(key), dtype=np.int64), key % (batch.max() + 1)


def _names(data: Ratings, rows: NDArray[np.int64], batches: list[int]) -> list[str]:
    """The first moment of each batch."""
    time = data.time
    if time is None:
        return []
    batch = _batches(time[rows])
    return [data.times[int(time[rows][batch == k].min())] for k in batches]
