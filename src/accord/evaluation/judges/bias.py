"""Is the judge off for some items more than for others: groups, covariates, time?"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from accord.data.values import is_number
from accord.errors import InputError
from accord.evaluation.discoveries import benjamini_hochberg
from accord.evaluation.judges.labels import Array, Labels
from accord.result import Row


def bias_rows(labels: Labels, group: Mapping[Hashable, object], level: float) -> list[Row]:
    """Mean error f − Y of each group with Student's interval, or the slope on a numeric covariate.

    A covariate with more than ten distinct numbers is a number: its slope with errors robust to
    unequal variance (HC3; MacKinnon and White 1985). p-values are corrected by Benjamini and Hochberg.
    """
    from scipy.special import stdtr, stdtrit

    known = np.flatnonzero(labels.m > 0).tolist()
    named = [(i, group[labels.items[i]]) for i in known if labels.items[i] in group]
    if not named:
        raise InputError(
            "no labelled item has a group", hint="check that the item names are the same"
        )
    error = (labels.f - labels.y)[[i for i, _ in named]]
    texts = [str(g) for _, g in named]
    if len(set(texts)) > 10 and all(is_number(t) for t in texts):
        return [_slope(np.array([float(t) for t in texts]), error, level)]
    rows: list[dict[str, object]] = []
    for name in dict.fromkeys(texts):
        own = error[[t == name for t in texts]]
        row: dict[str, object] = {"group": name, "n": len(own), "bias": float(own.mean())}
        if len(own) > 1:
            spread = float(own.std(ddof=1)) / np.sqrt(len(own))
            half = float(stdtrit(len(own) - 1, (1 + level) / 2)) * spread
            row |= {"low": row["bias"] - half, "high": row["bias"] + half}
            t = abs(float(own.mean())) / spread if spread else (0.0 if own.mean() == 0 else np.inf)
            row["p"] = float(2 * stdtr(len(own) - 1, -t)) if np.isfinite(t) else 0.0
        rows.append(row)
    return _corrected(rows)


def drift(
    labels: Labels, time: Sequence[int], *, permutations: int = 999, seed: int = 0
) -> Row | None:
    """Largest standardised difference of the judge's error before and after any moment, with its p.

    `time` gives the moment (in order) of each item; the p-value is that of the largest difference over
    all cuts, by permuting the moments of the items, so that looking at every cut costs nothing.
    """
    known = np.flatnonzero(labels.m > 0)
    moment = np.asarray(time)[known]
    error = (labels.f - labels.y)[known]
    order = np.argsort(moment, kind="stable")
    moment, error = moment[order], error[order]
    cuts = np.flatnonzero(np.diff(moment)) + 1
    cuts = cuts[(cuts >= 5) & (cuts <= len(error) - 5)]
    if not len(cuts) or error.std() == 0:
        return None

    def largest(values: Array) -> tuple[float, int]:
        total = np.cumsum(values)
        n = len(values)
        before, after = total[cuts - 1] / cuts, (total[-1] - total[cuts - 1]) / (n - cuts)
        z = np.abs(after - before) / (values.std(ddof=1) * np.sqrt(1 / cuts + 1 / (n - cuts)))
        return float(z.max()), int(cuts[int(np.argmax(z))])

    found, cut = largest(error)
    rng = np.random.default_rng(seed)
    above = sum(largest(rng.permutation(error))[0] >= found - 1e-12 for _ in range(permutations))
    return {
        "from": int(moment[cut]),
        "before": float(error[:cut].mean()),
        "after": float(error[cut:].mean()),
        "p": (1 + above) / (permutations + 1),
        "test": "permutation of the largest difference over all moments",
    }


def _slope(x: Array, error: Array, level: float) -> Row:
    from scipy.special import stdtr, stdtrit

    n = len(x)
    X = np.column_stack([np.ones(n), x])
    inverse = np.linalg.pinv(X.T @ X)
    beta = inverse @ X.T @ error
    leverage = np.einsum("ij,jk,ik->i", X, inverse, X)
    scaled = (error - X @ beta) / np.maximum(1 - leverage, 1e-12)
    spread = float(np.sqrt((inverse @ (X.T * scaled**2) @ X @ inverse)[1, 1]))
    half = float(stdtrit(n - 2, (1 + level) / 2)) * spread
    t = abs(beta[1]) / spread if spread else 0.0
    return {
        "group": "slope", "n": n, "bias": float(beta[1]), "low": float(beta[1] - half),
        "high": float(beta[1] + half), "p": float(2 * stdtr(n - 2, -t)),
    }  # fmt: skip


def _corrected(rows: list[dict[str, object]]) -> list[Row]:
    tested = [r for r in rows if "p" in r]
    for row, p in zip(tested, benjamini_hochberg([float(r["p"]) for r in tested]), strict=True):  # type: ignore[arg-type]
        row["p_corrected"] = p
    return list(rows)
