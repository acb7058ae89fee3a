"""Distances between nominal categories, proposed from the confusions; and merges of two categories.

Never applied silently: the matrix is shown and written to a file that the owner of the campaign can
edit and pass back with ``metric=FILE`` (Fort et al. 2010; seed TAL 57(2) §5.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.distance.categories import category_metric
from accord.errors import UsageError
from accord.files.atomic import write_csv
from accord.measures.ratings.alpha import alpha, by_moments
from accord.measures.ratings.coincidences import coincidences
from accord.measures.ratings.profiles import anonymous_profiles

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A matrix of distances and what it would change."""

    labels: tuple[str, ...]
    matrix: Array
    #: α with the nominal distance, and with the proposal
    without: float
    with_it: float

    def summary(self, path: str) -> dict[str, Any]:
        """What to tell the owner of the campaign."""
        upper = [
            (float(self.matrix[i, j]), self.labels[i], self.labels[j])
            for i, j in combinations(range(len(self.labels)), 2)
        ]
        closest = min(upper, default=(1.0, "", ""))
        return {
            "written to": path,
            "alpha nominal": self.without,
            "alpha with the proposal": self.with_it,
            "closest categories": f"{closest[1]} and {closest[2]} ({closest[0]:.2f})",
            "note": "edit the file, then pass it as `metric`; it is not applied by itself",
        }


def propose_distances(ratings: Ratings) -> Proposal:
    """Categories that are confused more often than chance expects are proposed to be closer.

    With o_ck the observed and e_ck the expected coincidences, the proposal is
    d_ck = 1 − o_ck/max(o_ck, e_ck, …) scaled so that a pair confused as much as chance, or less, is
    at 1 and the distance falls with the share of chance that the confusions exceed:
    d_ck = 1 / (1 + max(0, o_ck/e_ck − 1)) = min(1, e_ck/o_ck).
    """
    if ratings.kind == "sets" or len(ratings.values) > 500:
        raise UsageError("distances are proposed for at most 500 categories, not sets")
    o = coincidences(ratings)
    n = o.sum(axis=0)
    N = n.sum()
    if N < 2:
        raise UsageError("no item was rated twice: there are no confusions to learn from")
    e = np.outer(n, n) / (N - 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = np.where(o > e, e / np.where(o == 0, 1, o), 1.0)
    np.fill_diagonal(d, 0.0)
    profiles = anonymous_profiles(ratings)
    tally, score = by_moments(category_metric(d, ratings.values))
    value = float(score(profiles.sample(tally, score).totals())["value"][0])
    return Proposal(ratings.labels, d, alpha(ratings).value, value)


def merge_table(ratings: Ratings) -> list[dict[str, Any]]:
    """What α would be if two categories were one, for each pair, the largest gain first."""
    q = len(ratings.values)
    if ratings.kind == "sets" or q > 60:
        raise UsageError("merges are tried for at most 60 categories, not sets")
    before = alpha(ratings).value
    rows = []
    for i, j in combinations(range(q), 2):
        codes = np.arange(q, dtype=np.int32)
        codes[j] = i
        merged = ratings.recoded(codes, ratings.labels, "categories")
        value = alpha(merged).value
        rows.append(
            {
                "merge": f"{ratings.labels[i]} + {ratings.labels[j]}",
                "alpha": value,
                "gain": value - before,
            }
        )
    return sorted(rows, key=lambda row: -float(np.nan_to_num(row["gain"], nan=-9.0)))


def write_matrix(path: Path, labels: tuple[str, ...], matrix: Array) -> None:
    """Write a square CSV with labels on the first row and column."""
    rows = zip(labels, matrix, strict=True)
    write_csv(path, ["", *labels], ([label, *(f"{x:.6g}" for x in row)] for label, row in rows))
