"""Is one value really larger than another? Joint resampling of two results."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.result import Array, Interval, Result, Sample
from accord.uncertainty.interval import replicates, width
from accord.uncertainty.weights import bootstrap_weights


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference first - second, its interval, and how often it has the other sign."""

    first: str
    second: str
    difference: float
    interval: Interval
    #: two-sided bootstrap p-value: twice the share of replicates on the other side of zero
    p: float
    paired: bool
    n: int


def compare(
    first: Result,
    second: Result,
    *,
    level: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Compare two measures on the same data, or one measure on two campaigns.

    When both results rest on the same units (items or documents), each replicate draws the same
    units for both: the comparison is paired. Otherwise the two are resampled independently.
    """
    a, b = first.sample, second.sample
    if a is None or b is None:
        raise UsageError("both results must keep a sample to be compared")
    if first.undefined or second.undefined:
        raise UsageError(f"cannot compare: {first.undefined or second.undefined}")
    if a.cluster is not None and b.cluster is not None and a.clusters == b.clusters:
        a, b = (s.by_cluster() if len(s.clusters) > 1 else s for s in (a, b))
    paired = a.keys is not None and b.keys is not None and _same(a, b)
    if paired:
        x, y = _joint_replicates(a, b, resamples, seed)
    else:
        children = np.random.SeedSequence(seed).spawn(2)
        x, y = (
            replicates(s, resamples, int(c.generate_state(1)[0]))
            for s, c in zip((a, b), children, strict=True)
        )
    differences = (x - y)[np.isfinite(x - y)]
    if len(differences) < resamples // 2:
        raise UsageError("cannot compare: one value is undefined on most resamples")
    tail = (1 - level) / 2
    low, high = np.quantile(differences, [tail, 1 - tail])
    below = (np.sum(differences <= 0) + 1) / (len(differences) + 1)
    above = (np.sum(differences >= 0) + 1) / (len(differences) + 1)
    return Comparison(
        first=first.signature,
        second=second.signature,
        difference=first.value - second.value,
        interval=Interval(float(low), float(high), level, f"bootstrap:{a.unit}"),
        p=float(min(1.0, 2 * min(below, above))),
        paired=paired,
        n=int(a.counts.sum()),
    )


def _same(a: Sample, b: Sample) -> bool:
    if a.keys is b.keys:
        return True
    return len(a.keys or ()) == len(b.keys or ()) and list(a.keys or ()) == list(b.keys or ())


def _joint_replicates(a: Sample, b: Sample, resamples: int, seed: int) -> tuple[Array, Array]:
    """Values of both on the same draws; units alike on both sides share a joint row."""
    row_a, row_b = _index(a), _index(b)
    key = row_a.astype(np.int64) * b.size + row_b
    joint, place = np.unique(key, return_inverse=True)
    counts = np.bincount(place, weights=a.multiplicity, minlength=len(joint)).astype(np.int64)
    widest = max(width(a), width(b), a.size, b.size)
    values: list[tuple[Array, Array]] = []
    for w in bootstrap_weights(counts, resamples, np.random.default_rng(seed), widest):
        pair = [
            s.value(_spread(w, rows, s.size))
            for s, rows in ((a, joint // b.size), (b, joint % b.size))
        ]
        values.append((pair[0], pair[1]))
    return np.concatenate([x for x, _ in values]), np.concatenate([y for _, y in values])


def _spread(weights: Array, rows: NDArray[np.int64], size: int) -> Array:
    """Weights of joint rows to weights of one side's rows."""
    from scipy.sparse import csr_array

    onto = csr_array((np.ones(len(rows)), (np.arange(len(rows)), rows)), shape=(len(rows), size))
    return np.asarray(weights @ onto)


def _index(sample: Sample) -> NDArray[np.int32]:
    if sample.index is not None:
        return sample.index
    return np.arange(sample.size, dtype=np.int32)
