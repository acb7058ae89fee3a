"""What may mislead in a coefficient: prevalence, bias, heterogeneity, asymmetry (seed: TAL 57(2) §3)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.measures.ratings.coincidences import confusion
from accord.measures.ratings.profiles import anonymous_profiles
from accord.measures.ratings.urns import fleiss, pabak, percent

Array = NDArray[np.float64]


def diagnostics(ratings: Ratings, *, seed: int = 0, permutations: int = 999) -> dict[str, Any]:
    """Everything of this module that applies to the data, as plain values."""
    out: dict[str, Any] = {
        "prevalence": prevalence(ratings),
        "observed_agreement": percent(ratings).value,
        "pabak": pabak(ratings).value,
    }
    if len(ratings.annotators) == 2:
        table = confusion(ratings, 0, 1)
        out.update(two_annotators(table))
    if ratings.document is not None and len(ratings.documents) > 1:
        out["homogeneity"] = homogeneity(ratings, seed=seed, permutations=permutations)
    return out


def prevalence(ratings: Ratings) -> dict[str, float]:
    """Share of each value among all ratings, the most frequent first."""
    counts = np.bincount(
        ratings.code,
        weights=None if ratings.multiplicity is None else ratings.multiplicity[ratings.item],
        minlength=len(ratings.values),
    )
    share = counts / max(1.0, counts.sum())
    return {ratings.labels[k]: float(share[k]) for k in np.argsort(-share, kind="stable").tolist()}


def two_annotators(table: Array) -> dict[str, float]:
    """Indices of a q × q confusion matrix of two annotators.

    * prevalence_index: (a − d)/n of Byrt et al. (1993) for two categories; for more, the largest
      minus the mean share of a category.
    * bias_index: (b − c)/n for two categories; for more, half the L1 distance of the two marginals.
    * kappa_max: the largest κ these marginals allow (Cohen 1960).
    * kappa_minus_pi: what the difference of the marginals alone adds to κ over π.
    * asymmetry_p: Bowker's test that the confusions are symmetric.
    """
    from scipy.special import chdtrc

    n = table.sum()
    if n == 0:
        return {}
    P = table / n
    row, column = P.sum(axis=1), P.sum(axis=0)
    q = len(P)
    A_o, A_e = float(np.trace(P)), float(row @ column)
    pooled = (row + column) / 2
    A_pi = float(pooled @ pooled)
    most = float(np.minimum(row, column).sum())

    def against(chance: float, value: float) -> float:
        return (value - chance) / (1 - chance) if chance < 1 else float("nan")

    if q == 2:
        prevalence_index, bias_index = float(P[0, 0] - P[1, 1]), float(P[0, 1] - P[1, 0])
    else:
        prevalence_index = float(pooled.max() - 1 / q)
        bias_index = float(np.abs(row - column).sum() / 2)
    upper = np.triu_indices(q, k=1)
    total, apart = (table + table.T)[upper], (table - table.T)[upper]
    statistic = float((apart[total > 0] ** 2 / total[total > 0]).sum())
    freedom = int((total > 0).sum())
    return {
        "prevalence_index": prevalence_index,
        "bias_index": bias_index,
        "kappa": against(A_e, A_o),
        "pi": against(A_pi, A_o),
        "kappa_max": against(A_e, most),
        "kappa_minus_pi": against(A_e, A_o) - against(A_pi, A_o),
        "asymmetry_p": float(chdtrc(freedom, statistic)) if freedom else 1.0,
    }


def homogeneity(ratings: Ratings, *, seed: int = 0, permutations: int = 999) -> dict[str, float]:
    """Agreement inside the documents against agreement over the whole corpus.

    Chance computed on a corpus whose documents differ in their categories is too low, so that the
    coefficient is too high: two pages with 90 % agreement and categories at 50/50 and 10/90 have
    .8 and .44 each, and .76 together. The test statistic is the spread of the category shares
    between documents (their χ² distance to the whole); items are permuted between documents.
    """
    if ratings.document is None:
        raise ValueError("homogeneity needs documents")
    D = len(ratings.documents)
    profiles = anonymous_profiles(ratings)
    sizes = np.maximum(1, profiles.per_item)
    q = len(ratings.values)
    shares = np.zeros((profiles.size, q))
    np.add.at(shares, (profiles.row, profiles.code), 1 / sizes[profiles.row])
    shares = shares[profiles.index]  # by item
    document = ratings.document

    def spread(of: NDArray[Any]) -> float:
        total = np.zeros((D, q))
        np.add.at(total, of, shares)
        mass = total.sum(axis=1, keepdims=True)
        mean = total.sum(axis=0) / max(1e-300, total.sum())
        used = mean > 0
        local = total / np.where(mass == 0, 1, mass)
        return float((mass[:, 0] @ ((local - mean) ** 2)[:, used] / mean[used]).sum())

    rng = np.random.default_rng(seed)
    observed = spread(document)
    beyond = sum(spread(rng.permutation(document)) >= observed - 1e-12 for _ in range(permutations))
    whole = fleiss(ratings)
    local = [fleiss(ratings.select(documents=[d])) for d in ratings.documents]
    defined = [r for r in local if r.undefined is None]
    chance = np.array([r.expected for r in local if r.expected is not None], dtype=float)
    return {
        "documents": float(D),
        "global_expected": float(whole.expected or np.nan),
        "mean_local_expected": float(np.nanmean(chance)) if len(chance) else float("nan"),
        "global_value": whole.value,
        "mean_local_value": float(np.mean([r.value for r in defined])) if defined else float("nan"),
        "least_local_value": min((r.value for r in defined), default=float("nan")),
        "largest_local_value": max((r.value for r in defined), default=float("nan")),
        "p": (beyond + 1) / (permutations + 1),
    }
