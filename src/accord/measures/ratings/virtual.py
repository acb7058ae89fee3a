"""Items nobody rated, for intervals: all annotators agree on a value, or one of them dissents."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.encode import Codes

#: distinct values that virtual items agree on, at most
_MOST_VALUES = 50
#: dissents between values that have no order, about at most
_MOST_DISSENTS = 200


def virtual_ratings(
    ratings: Ratings, *, neighbours: bool
) -> tuple[Ratings, NDArray[np.int64], tuple[tuple[str, str | None], ...]] | None:
    """The virtual items as ratings, the unanimous item each starts from, and their values.

    One item per value on which all who answer agree; then the dissents (k, l): all say k and one
    says l, any other value, or with `neighbours` the next one up or down. Who answers is copied from
    real items with at least two ratings, spread evenly over them. None when one value is known.
    """
    codes = _values(ratings)
    rated = np.flatnonzero(ratings.per_item >= 2)
    if len(codes) < 2 or not len(rated):
        return None
    agreed, other, base = _dissents(codes, neighbours)
    V = len(agreed)
    like = _answerers(ratings, rated, V)
    sizes = ratings.per_item[like]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.repeat(ratings.indptr[like] - indptr[:-1], sizes) + np.arange(indptr[-1])
    code = np.repeat(agreed, sizes).astype(ratings.code.dtype)
    dissents = np.flatnonzero(other >= 0)
    # each of those who answer dissents in turn
    code[indptr[dissents] + np.arange(len(dissents)) % sizes[dissents]] = other[dissents]
    labels = ratings.labels
    made = replace(
        ratings,
        items=range(V),
        indptr=indptr,
        annotator=ratings.annotator[places],
        code=code,
        probabilities=None,
        documents=(),
        document=None,
        times=(),
        time=None,
        multiplicity=None,
        weights=None if ratings.weights is None else np.full(V, _mean_weight(ratings)),
        repeats=(),
        notes=(),
        _profiles={},
    )
    names = tuple(
        (labels[k], None if other < 0 else labels[other])
        for k, other in zip(agreed.tolist(), other.tolist(), strict=True)
    )
    return made, base, names


def _mean_weight(ratings: Ratings) -> float:
    return float(np.average(np.asarray(ratings.weights), weights=ratings.multiplicity))


def _values(ratings: Ratings) -> Codes:
    """The values virtual items may have: declared categories, or what was observed."""
    if ratings.kind == "categories":
        codes: Codes = np.arange(len(ratings.values), dtype=np.int32)
    else:
        codes = np.unique(ratings.code)
    if len(codes) > _MOST_VALUES:
        ranks = ((np.arange(_MOST_VALUES) + 0.5) * len(codes) / _MOST_VALUES).astype(np.int64)
        codes = codes[ranks]
    return codes


def _dissents(codes: Codes, neighbours: bool) -> tuple[Any, Any, NDArray[np.int64]]:
    """Agreed value, dissenting value (−1 for none) and unanimous item of each virtual item."""
    K = len(codes)
    if neighbours:
        couples = [(i, j) for a in pairwise(range(K)) for i, j in (a, a[::-1])]
    else:
        steps = min(K - 1, max(1, _MOST_DISSENTS // K))
        shifts = np.unique(np.linspace(1, K - 1, steps).round().astype(int))
        couples = [(i, (i + s) % K) for s in shifts.tolist() for i in range(K)]
    first = np.array([i for i, _ in couples], dtype=np.int64)
    second = np.array([j for _, j in couples], dtype=np.int64)
    agreed = np.concatenate([codes, codes[first]])
    other = np.concatenate([np.full(K, -1), codes[second]])
    return agreed, other, np.concatenate([np.arange(K), first])


def _answerers(ratings: Ratings, rated: NDArray[np.int64], V: int) -> NDArray[np.int64]:
    """A real item for each virtual one, evenly over the patterns of who answers."""
    sizes = ratings.per_item[rated]
    if np.all(sizes == len(ratings.annotators)):
        return np.full(V, rated[0])
    # items in the order of who rated them, so that the order of the data does not matter
    mark = np.random.default_rng(0).random(len(ratings.annotators))
    pattern = np.bincount(
        ratings.item, weights=mark[ratings.annotator], minlength=len(ratings.indptr) - 1
    )
    order = np.lexsort((np.round(pattern[rated], 9), sizes))
    times = np.ones(len(rated)) if ratings.multiplicity is None else ratings.multiplicity[rated]
    until = np.cumsum(times[order])
    at = np.random.default_rng(1).permutation((np.arange(V) + 0.5) / V * until[-1])
    found: NDArray[np.int64] = rated[order[np.searchsorted(until, at)]]
    return found
