"""Dirichlet weights with virtual units: the default of items (Rubin 1981; see docs/intervals.md)."""

from __future__ import annotations

import numpy as np

from accord.result import Array, Sample
from accord.uncertainty.jackknife import content_order, dense, in_groups, leave_one_out
from accord.uncertainty.weights import dirichlet_weights

#: mass of the virtual units on which all agree, and of those with one dissent
UNANIMOUS, DISSENT = 1.0, 0.5
#: weights drawn in all, at most: a sample of very many distinct rows gets fewer resamples
_MOST_WEIGHTS = 400_000_000
#: cells up to which rows are put in an order that does not depend on that of the data
_MOST_ORDERED = 40_000_000


def replicates(sample: Sample, resamples: int, seed: int) -> Array:
    """The value under each set of weights of the real and virtual units; NaN where undefined."""
    counts = sample.counts
    order = canonical(sample)
    virtual = None if sample.virtual is None else sample.virtual()
    mass = counts[order].astype(np.float64)
    if virtual is not None:
        mass = np.concatenate([mass, virtual.mass])
    rng = np.random.default_rng(seed)
    resamples = affordable(sample, resamples)
    rows = None if sample.rows is None else sample.rows[order]
    values = []
    for drawn in dirichlet_weights(mass, float(counts.sum()), resamples, rng, sample.width):
        real = drawn[:, : len(order)]
        if rows is None:
            weights = np.zeros((len(drawn), sample.size))
            weights[:, order] = real
            totals = weights
        else:
            totals = np.asarray(real @ rows)
        if virtual is not None:
            totals = totals + np.asarray(drawn[:, len(order) :] @ virtual.rows)
        values.append(np.real(sample.score(totals)["value"]))
    return np.concatenate(values)


def affordable(sample: Sample, resamples: int) -> int:
    """The resamples asked for, or fewer when every unit of a very large sample has its own row."""
    return min(resamples, max(200, _MOST_WEIGHTS // max(1, sample.size)))


def canonical(sample: Sample) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Rows that count, by what they do to the value: the order of the data must not matter.

    By their number, then by the value without one of them, which the names of labels and annotators
    do not change; rows that tie in both, or where that value costs too much, by their content.
    """
    used = np.flatnonzero(sample.counts)
    if sample.rows is None or len(used) * sample.width > _MOST_ORDERED:
        return used
    left = None if in_groups(sample) else leave_one_out(sample)
    by = () if left is None else (left.values, left.times)
    return np.asarray(used[content_order(sample.rows[used], *by)])


def binary_share(sample: Sample) -> tuple[int, int] | None:
    """Right and wrong units, when the value is the share of units that are right, each whole.

    The replicates of such a share are Beta(right + 1, wrong + ½) exactly: nothing is drawn.
    """
    if sample.share is None or sample.rows is None:
        return None
    credit, full = (dense(sample.rows[:, [c]]).ravel() for c in sample.share)
    counts = sample.counts
    used = (full != 0) & (counts > 0)
    if not np.all(full[used] == 1) or not np.all((credit[used] == 0) | (credit[used] == 1)):
        return None
    right = int(counts[used] @ credit[used])
    return right, int(counts[used].sum()) - right
