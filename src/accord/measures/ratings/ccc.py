"""Lin's concordance correlation coefficient, for any number of annotators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import UsageError
from accord.measures.ratings.components import positions
from accord.measures.ratings.disagreements import OF_NUMBERS
from accord.measures.ratings.profiles import Profiles, named_profiles
from accord.measures.ratings.result import ratings_result, refuse_counts, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result

#: pairs of annotators summed, at most
_MOST_PAIRS = 5_000


@measure(
    "ccc",
    title="Lin's concordance correlation",
    usual=True,
    aliases=("concordance", "lin", "lin-ccc"),
    shape="ratings",
    question="agree",
    range=(-1.0, 1.0),
    citation="Lin, L. I.-K. (1989). A concordance correlation coefficient to evaluate "
    "reproducibility. Biometrics 45(1); Barnhart, H. X., Haber, M. & Song, J. (2002). Overall "
    "concordance correlation coefficient. Biometrics 58(4).",
    use="Numbers that should be equal, not only go together: a shift or another scale lowers it.",
    breakdowns=OF_NUMBERS,
)
def ccc(ratings: Ratings) -> Result:
    """Lin's CCC: how near the pairs of values lie to the line of equality.

    .. math:: \\frac{2 s_{xy}}{s_x^2 + s_y^2 + (\\bar x - \\bar y)^2}

    with moments over n. More annotators and missing cells (Barnhart 2002): numerators and
    denominators are summed over the pairs, each on the items both rated. Equals Cohen's κ with
    quadratic weights (two annotators) or Conger's (complete data). Pairs with fewer than two items
    in common are left out and counted.

    >>> print(ccc(Ratings.from_matrix([[1, 2, 3, 4, 5], [2, 2, 4, 4, 6]])))
    ccc = 0.8696
    """
    refuse_one_annotator(ratings, "ccc")
    refuse_counts(ratings, "ccc")
    m = len(ratings.annotators)
    pairs = np.array(list(combinations(range(m), 2)))
    if len(pairs) > _MOST_PAIRS:
        raise UsageError(
            f"{m} annotators make {len(pairs)} pairs; choose some, or use alpha with the interval "
            "metric"
        )
    x = positions(ratings, "ccc")
    x = x - float(np.bincount(ratings.code, minlength=len(x)) @ x) / max(1, len(ratings.code))
    profiles = named_profiles(ratings)

    def tally(p: Profiles) -> Any:
        there = np.zeros((p.size, m))
        value = np.zeros((p.size, m))
        there[p.row, p.annotator] = 1.0
        value[p.row, p.annotator] = x[p.code]
        g, h = pairs[:, 0], pairs[:, 1]
        both = there[:, g] * there[:, h]
        a, b = value[:, g] * both, value[:, h] * both
        return np.concatenate([both, a, b, a * a + b * b, a * b], axis=1)

    times = np.bincount(profiles.index, weights=ratings.multiplicity, minlength=profiles.size)
    enough = (times @ tally(profiles))[: len(pairs)] >= 2

    def score(totals: Array) -> Mapping[str, Array]:
        n, a, b, squares, product = np.split(totals, 5, axis=1)
        safe = np.where(enough & (np.real(n) > 0), n, 1.0)
        above = np.where(enough, 2 * (product - a * b / safe), 0.0).sum(axis=1)
        below = np.where(enough, squares - 2 * a * b / safe, 0.0)
        # S_xx + S_yy + n(x̄ − ȳ)² = Σx² + Σy² − 2 Σx Σy / n
        total = below.sum(axis=1)
        size = np.real(np.where(enough, squares, 0.0).sum(axis=1))
        flat = np.real(total) <= 1e-12 * size
        return {"value": np.where(flat, np.nan, above / np.where(flat, 1.0, total))}

    sample = profiles.sample(tally, score, least=2, graded=True)
    result = ratings_result(
        "ccc", ratings, sample, options={"missing": "pairwise"},
        undefined=lambda r: None
        if r.per_item.max(initial=0) < 2 or len(np.unique(r.code)) < 2
        else "no two annotators share two items that differ (0/0)",
    )  # fmt: skip
    left = int(np.sum(~enough))
    if not left:
        return result
    note = f"{left} of {len(pairs)} pairs share fewer than two items and are left out"
    return replace(result, warnings=(*result.warnings, note))
