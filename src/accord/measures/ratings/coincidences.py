"""Which values meet: on the same item over all pairs of annotators, or of two annotators."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.errors import UsageError
from accord.measures.ratings.profiles import anonymous_profiles


def coincidences(ratings: Ratings) -> NDArray[np.float64]:
    """o_ck = Σ_i (number of ordered pairs c, k in item i)/(r_i − 1); sums to the pairable values."""
    q = len(ratings.values)
    if q > 5_000:
        raise UsageError(f"{q} distinct values make too large a coincidence matrix")
    profiles = anonymous_profiles(ratings)
    counts: NDArray[np.float64] = np.bincount(
        profiles.index, weights=ratings.multiplicity, minlength=profiles.size
    ).astype(np.float64)
    if profiles.weight is not None:
        counts = counts * profiles.weight
    matrix = np.zeros(q * q)
    sizes = profiles.per_item
    for r in np.unique(sizes[sizes >= 2]).tolist():
        which = np.flatnonzero(sizes == r)
        codes = profiles.code[profiles.indptr[which][:, None] + np.arange(r)].astype(np.int64)
        for j in range(r):
            for k in range(r):
                if j != k:
                    matrix += np.bincount(
                        codes[:, j] * q + codes[:, k],
                        weights=counts[which] / (r - 1),
                        minlength=q * q,
                    )
    return matrix.reshape(q, q)


def confusion(ratings: Ratings, first: int, second: int) -> NDArray[np.float64]:
    """Items by the value of one annotator (rows) and of another (columns)."""
    q = len(ratings.values)
    table = np.zeros((q, q))
    one, other, items = confused(ratings, first, second)
    table[one, other] = items
    return table


def confused(
    ratings: Ratings, first: int, second: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """The values of one annotator and of another that met, and on how many items."""
    q = len(ratings.values)
    columns = np.full((2, len(ratings.indptr) - 1), -1, dtype=np.int64)
    for side, a in enumerate((first, second)):
        own = ratings.annotator == a
        columns[side, ratings.item[own]] = ratings.code[own]
    both = (columns >= 0).all(axis=0)
    weights = None if ratings.multiplicity is None else ratings.multiplicity[both]
    met, place = np.unique(columns[0, both] * q + columns[1, both], return_inverse=True)
    items = np.bincount(place, weights=weights, minlength=len(met)).astype(np.float64)
    return met // q, met % q, items
