"""If annotators were interchangeable: what each, and each pair, would do then.

On an item with r answers, any of them could have been given by any of its r annotators. Under this
hypothesis the answers of an item (with documents, the whole work on a document) are permuted among
those who gave them, independently from one to the next, so that the expectation and variance of a
sum are known without drawing anything: crowds of thousands cost one pass. Beside it, the one-factor
model: annotators of different quality who err independently agree by pairs as κ_ab = λ_a λ_b, so
that κ_ab = κ_a· κ_b· / κ·· ; a pair that agrees more than that shares more than the truth.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Standing:
    """Each annotator among those who answered the same items."""

    #: items with at least one other answer
    items: Indices
    #: mean agreement with the others (numbers: minus the distance to their mean, in deviations)
    agreement: Array
    #: standard score under interchangeable annotators: negative for one who agrees less
    z: Array
    #: 0 for answers that do not depend on the item, 1 for those of the others (κ, or correlation)
    skill: Array
    #: standard error of the skill
    error: Array

    @property
    def usual(self) -> float:
        """The skill behind the middle rating: a few who know nothing, or answer much, do not move it."""
        order = np.argsort(self.skill, kind="stable")
        before = np.cumsum(self.items[order])
        if not len(order) or before[-1] == 0:
            return 0.0
        return float(self.skill[order][np.searchsorted(before, before[-1] / 2)])


def standing(data: Ratings) -> Standing:
    """How each annotator's answers stand to those of the others on the same items."""
    numbers = data.kind == "numbers" and len(data.values) > 2
    rows = data.item
    sizes = data.per_item[rows].astype(np.float64)
    times = np.ones(len(data.indptr) - 1) if data.multiplicity is None else data.multiplicity
    weight = np.where(sizes >= 2, times[rows], 0.0)
    others = np.maximum(1.0, sizes - 1)
    if numbers:
        x = data.numbers[data.code]
        x = (x - x.mean()) / (x.std() or 1.0)
        around = (np.bincount(rows, x, minlength=len(times))[rows] - x) / others
        score = -np.abs(x - around)
    else:
        score = (same_answers(data) - 1) / others
    m = len(data.annotators)
    n = np.bincount(data.annotator, weight, minlength=m)
    mean = np.bincount(rows, score, minlength=len(times)) / np.maximum(1, data.per_item)
    # what is permuted is the work on an item, or on a document: what one does in it hangs together
    block = rows if data.document is None or len(data.documents) < 2 else data.document[rows]
    key, cell = np.unique(block.astype(np.int64) * m + data.annotator, return_inverse=True)
    apart = np.bincount(cell, np.sqrt(weight) * (score - mean[rows]))
    within, who = key // m, key % m
    size = np.maximum(1, np.bincount(within))
    variance = np.bincount(within, apart**2) / size  # the deviations of an item sum to 0
    total = np.bincount(who, apart, minlength=m)
    spread = np.bincount(who, variance[within], minlength=m)
    safe = np.maximum(n, 1)
    if numbers:
        skill = _correlations(data.annotator, x, around, weight, m)
        error = (1 - skill**2) / np.sqrt(safe)
    else:
        skill, error = _skills(data, score, weight, safe)
    return Standing(
        items=n.astype(np.int64),
        agreement=np.bincount(data.annotator, weight * score, minlength=m) / safe,
        z=np.divide(total, np.sqrt(spread), out=np.zeros(m), where=spread > 0),
        skill=skill,
        error=error,
    )


def same_answers(data: Ratings) -> Array:
    """For each rating, how many ratings of its item have the same value, itself included."""
    key = data.item * len(data.values) + data.code
    _, where, count = np.unique(key, return_inverse=True, return_counts=True)
    answers: Array = count[where].astype(np.float64)
    return answers


def _skills(data: Ratings, score: Array, weight: Array, n: Array) -> tuple[Array, Array]:
    """(agreement − what one's own shares of values would get by chance)/(1 − that), and its error."""
    m, q = len(data.annotators), len(data.values)
    others = np.bincount(data.code, weight, minlength=q) / max(1.0, weight.sum())
    own = data.annotator.astype(np.int64) * q + data.code
    key, where = np.unique(own, return_inverse=True)
    mine = np.bincount(where, weight)  # how often each annotator gives each value
    chance = np.bincount(key // q, mine * others[key % q], minlength=m) / n
    found = np.bincount(data.annotator, weight * score, minlength=m) / n
    skill: Array = np.zeros(m)
    np.divide(found - chance, 1 - chance, out=skill, where=chance < 1)
    error: Array = np.sqrt(found * (1 - found) / n) / np.maximum(1e-9, 1 - chance)
    return skill, error


def _correlations(who: NDArray[np.int32], x: Array, y: Array, weight: Array, m: int) -> Array:
    n = np.maximum(1.0, np.bincount(who, weight, minlength=m))
    dx = x - (np.bincount(who, weight * x, minlength=m) / n)[who]
    dy = y - (np.bincount(who, weight * y, minlength=m) / n)[who]
    xy, xx, yy = (np.bincount(who, weight * v, minlength=m) for v in (dx * dy, dx * dx, dy * dy))
    r: Array = np.divide(xy, np.sqrt(xx * yy), out=np.zeros(m), where=xx * yy > 0)
    return r


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Pairs:
    """Pairs of annotators who share items, first < second."""

    first: Indices
    second: Indices
    #: items shared, and how many of them have the same answer
    items: Array
    same: Array
    #: κ with the chance of the whole campaign, and what the one-factor model expects of it
    kappa: Array
    expected: Array
    chance: float


def pairs(data: Ratings) -> Pairs:
    """Every pair that shares an item, with what their agreement with others would make of it."""
    from scipy.sparse import csr_array

    m, n, q = len(data.annotators), len(data.indptr) - 1, len(data.values)
    times = np.ones(n) if data.multiplicity is None else data.multiplicity.astype(np.float64)
    row, weight = data.item, times[data.item]
    there = csr_array((weight, (data.annotator, row)), shape=(m, n))
    present = csr_array((np.ones(len(row)), (data.annotator, row)), shape=(m, n))
    key, cell = np.unique(row * q + data.code, return_inverse=True)
    said = csr_array((weight, (data.annotator, cell)), shape=(m, len(key)))
    saying = csr_array((np.ones(len(row)), (data.annotator, cell)), shape=(m, len(key)))
    N, S = (there @ present.T).tocoo(), (said @ saying.T).tocsr()
    upper = N.row < N.col
    if not upper.any():
        none = np.zeros(0)
        nobody = np.zeros(0, dtype=np.int64)
        return Pairs(
            first=nobody,
            second=nobody,
            items=none,
            same=none,
            kappa=none,
            expected=none,
            chance=1.0,
        )
    first, second, shared = (
        N.row[upper].astype(np.int64),
        N.col[upper].astype(np.int64),
        N.data[upper],
    )
    same = np.asarray(S[first, second]).reshape(-1)
    share = np.bincount(data.code, weight, minlength=q) / max(1.0, weight.sum())
    chance = float(share @ share)

    def kappa(agreed: Array, of: Array) -> Array:
        raw = np.divide(agreed, of, out=np.full(len(of), np.nan), where=of > 0)
        return (raw - chance) / (1 - chance) if chance < 1 else np.full(len(of), np.nan)

    def over(values: Array) -> Array:
        left = np.bincount(first, values, minlength=m).astype(np.float64)
        return left + np.bincount(second, values, minlength=m)

    agreed, met = over(same), over(shared)
    rest_same = same.sum() - agreed[first] - agreed[second] + same
    rest_met = shared.sum() - met[first] - met[second] + shared
    among = kappa(rest_same, rest_met)
    left = kappa(agreed[first] - same, met[first] - shared)
    right = kappa(agreed[second] - same, met[second] - shared)
    product = np.divide(
        np.maximum(0, left) * np.maximum(0, right),
        among,
        # the others agree by chance: what these two share with them explains all there is
        out=np.fmax(0.0, np.fmax(left, right)),
        where=among > 0.05,
    )
    return Pairs(
        first=first,
        second=second,
        items=shared,
        same=same,
        kappa=kappa(same, shared),
        expected=product,
        chance=chance,
    )
