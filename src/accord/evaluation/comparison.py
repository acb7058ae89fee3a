"""Systems two by two on the same items: bootstrap, permutation test, McNemar, correction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from accord.errors import UsageError
from accord.measures.validity.pairing import Array
from accord.result import Result
from accord.uncertainty import compare


def compare_systems(
    results: Mapping[str, Mapping[str, Result]],
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Every pair of systems on every measure.

    `results` maps system → measure → result on the same items. Each row has the difference with its
    paired bootstrap interval, the p-value of a permutation test (answers of the two systems swapped
    item by item), McNemar's exact p for accuracy, and the permutation p corrected for all rows by
    Holm's method (`p_holm`).

    >>> from accord.data import Ratings
    >>> from accord.measures import validity
    >>> r = Ratings.from_matrix([list("AABBAABBAB")], annotators=["reference"])
    >>> s = Ratings.from_matrix([list("AABBAABBAA")], annotators=["s"])
    >>> t = Ratings.from_matrix([list("BBBBBBBBBB")], annotators=["t"])
    >>> scores = {"s": {"accuracy": validity.accuracy(r, s)},
    ...           "t": {"accuracy": validity.accuracy(r, t)}}
    >>> row = compare_systems(scores)[0]
    >>> round(row["difference"], 2), round(row["p_mcnemar"], 3)
    (0.4, 0.219)
    """
    rows: list[dict[str, Any]] = []
    for first, second in combinations(results, 2):
        for name in results[first]:
            if name not in results[second]:
                continue
            a, b = results[first][name], results[second][name]
            row: dict[str, Any] = {"measure": name, "first": first, "second": second}
            try:
                found = compare(a, b, level=level, resamples=resamples, seed=seed)
            except UsageError as problem:
                rows.append(row | {"undefined": str(problem), "p": None})
                continue
            row |= {
                "difference": found.difference,
                "low": found.interval.low,
                "high": found.interval.high,
                "paired": found.paired,
            }
            # Spearman's rows are ranks of its own sample: they cannot be swapped between systems
            swappable = found.paired and name != "spearman"
            row["p"] = permutation(a, b, resamples, seed) if swappable else found.p
            if name == "accuracy" and found.paired:
                row["p_mcnemar"] = mcnemar(a, b)
            rows.append(row)
    holm(rows)
    return rows


def permutation(a: Result, b: Result, resamples: int = 1000, seed: int = 0) -> float:
    """Two-sided p: how often swapping the two systems' answers at random moves them as far apart."""
    x, y = _rows(a), _rows(b)
    if x is None or y is None or x.shape != y.shape:
        raise UsageError("both results must keep rows on the same items to be permuted")
    score_a = a.sample.score  # type: ignore[union-attr]
    rng = np.random.default_rng(seed)
    observed = abs(a.value - b.value)
    far = 0
    block = max(1, 4_000_000 // max(1, len(x)))
    for start in range(0, resamples, block):
        swap = (rng.random((min(block, resamples - start), len(x))) < 0.5).astype(np.float64)
        moved = swap @ (y - x)
        one = score_a(x.sum(axis=0) + moved)["value"]
        two = score_a(y.sum(axis=0) - moved)["value"]
        far += int(np.sum(~(np.abs(one - two) < observed - 1e-12)))
    return (far + 1) / (resamples + 1)


def mcnemar(a: Result, b: Result) -> float:
    """Exact p of McNemar's test on the items that one system alone has right.

    Items whose credit is split by a tie of the judges count for the system with more of it.
    """
    from scipy.special import betainc

    x, y = _rows(a), _rows(b)
    if x is None or y is None:
        return float("nan")
    only_a, only_b = int(np.sum(x[:, 0] > y[:, 0])), int(np.sum(y[:, 0] > x[:, 0]))
    n, k = only_a + only_b, min(only_a, only_b)
    if n == 0:
        return 1.0
    # P(Binomial(n, ½) ≤ k) as a regularised incomplete beta function
    tail = 1.0 if k == n else float(betainc(n - k, k + 1, 0.5))
    return min(1.0, 2 * tail)


def holm(rows: Sequence[dict[str, Any]]) -> None:
    """Add p_holm to the rows that have a p."""
    ranked = sorted((r for r in rows if r.get("p") is not None), key=lambda r: float(r["p"]))
    largest = 0.0
    for place, row in enumerate(ranked):
        largest = max(largest, min(1.0, float(row["p"]) * (len(ranked) - place)))
        row["p_holm"] = largest


def _rows(result: Result) -> Array | None:
    sample = result.sample
    if sample is None or sample.rows is None:
        return None
    return sample.rows if sample.index is None else sample.rows[sample.index]
