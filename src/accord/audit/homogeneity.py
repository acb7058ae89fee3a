"""Rules about sameness: documents that differ, and agreement that moves over time or along the file."""

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
from accord.data.ratings import label_of
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
#: items (or documents) in order, fewer than these say nothing of a change among them
_LEAST = 20
#: draws of another order; of many items fewer
_DRAWS, _DRAWN = 999, 20_000_000
#: share of the items that stands on either side of a change
_SIDE = 0.1
#: sums that differ by less are the same
_NOTHING = 1e-12


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
    looks_for="agreement that changes from batch to batch, or along the file, by a test",
    citation=f"{MATHET}, §3.6",
    shapes=("ratings",),
    items=True,
)
def drift(case: Case) -> Finding | Skipped | None:
    """Agreement changes over time more than batches of the same items would.

    The disagreement of an item (or, with documents, of a document) is compared among items whose
    most chosen value is the same: other categories in another batch are no drift. Two tests, of a
    trend (score test of the order) and of any difference (Kruskal–Wallis form), Bonferroni. Without
    batches or moments, items are taken in the order of the file, see :func:`along`.
    """
    data = case.ratings
    if data is None:
        return None
    if data.time is None or len(data.times) < 2:
        return _along_the_file(data, case.seed)
    rows = np.flatnonzero((data.per_item >= 2) & (data.time >= 0))
    disagreement, stratum = disputes(data)
    batch = _batches(data.time[rows])
    d, s = disagreement[rows], stratum[rows]
    if data.document is not None and len(data.documents) > 1:
        d, s, batch = _by_document(d, batch, data.document[rows])
    used = np.bincount(batch)
    if len(d) < _LEAST or (used >= 2).sum() < 2:
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


def _along_the_file(data: Ratings, seed: int) -> Finding | Skipped | None:
    """A change of agreement at some place of the file."""
    if data.multiplicity is not None or data.sums is not None:
        return Skipped("the items are counted together: they have no order, and no batches")
    rows = np.flatnonzero(data.per_item >= 2)
    disagreement, stratum = disputes(data)
    d, s, what = disagreement[rows], stratum[rows], "items"
    starts = np.arange(len(rows))
    if data.document is not None and len(data.documents) > 1:
        # the documents in the order in which they come
        _, first, document = np.unique(data.document[rows], return_index=True, return_inverse=True)
        place = np.argsort(np.argsort(first))[document]
        starts = np.sort(first)
        d = np.bincount(place, d) / np.bincount(place)
        s, what = np.zeros(len(d), dtype=np.int64), "documents"
    if len(d) < _LEAST:
        return Skipped(
            f"no batches or moments are named (`columns={{time: NAME}}`), and fewer than {_LEAST} {what} in "
            "the order of the file are annotated twice"
        )
    p, at = along(d, s, np.random.default_rng(seed))
    before, after = 1 - float(d[:at].mean()), 1 - float(d[at:].mean())
    if not p < _LEVEL or abs(before - after) < _SMALL:
        return None
    of = "Raw agreement" if data.kind != "numbers" else "Agreement (1 less the mean distance)"
    first_after = rows[starts[at]]
    name = label_of(data.items[first_after])
    if what == "documents" and data.document is not None:
        name = data.documents[data.document[first_after]]
    return Finding(
        severity="caution",
        statement=(
            f"{of} changes along the file: {percent(before)} before {name!r}, {percent(after)} from there on "
            f"(p = {p:.2g})."
        ),
        evidence={"p": p, "at": name, "before": before, "after": after, "n": len(d), "what": what},
        advice=(
            "If the file is in the order of the work, look at what changed there (guidelines, fatigue, "
            "training) and report the parts apart."
        ),
    )


def along(d: Array, stratum: NDArray[np.int64], rng: np.random.Generator) -> tuple[float, int]:
    r"""p of a change of d along its order, and the place from which on it differs most.

    .. math:: T = \max_k \frac{|r_1 + … + r_k|}{\sqrt{k (n - k)}}

    with r what is left of d after the mean of its stratum, and k such that a tenth stands on either
    side. p is the share of the draws, and of the order itself, that have as large a T, where values
    change places within their stratum: it is exact where one order is as likely as another.
    """
    n = len(d)
    rest = d - (np.bincount(stratum, d) / np.maximum(1, np.bincount(stratum)))[stratum]
    edge = max(1, int(_SIDE * n))
    k = np.arange(edge, n - edge + 1)
    scale = np.sqrt(k * (n - k))

    def largest(r: Array) -> Array:
        found: Array = np.abs(np.cumsum(r)[k - 1]) / scale
        return found

    here = largest(rest)
    if not here.max() > _NOTHING:
        return 1.0, int(k[0])
    place = np.argsort(stratum, kind="stable")
    draws = int(np.clip(_DRAWN // n, _DRAWS // 5, _DRAWS))
    as_large = 0
    again = np.empty_like(rest)
    for _ in range(draws):
        again[place] = rest[np.lexsort((rng.random(n), stratum))]
        as_large += bool(largest(again).max() >= here.max() - _NOTHING)
    return (1 + as_large) / (1 + draws), int(k[int(here.argmax())])


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
