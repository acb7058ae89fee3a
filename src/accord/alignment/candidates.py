"""Which units may go together: near pairs, and the tuples that an optimal alignment may need."""

from __future__ import annotations

import numpy as np

from accord.alignment.batch import FEW, Batch
from accord.alignment.large import first_candidates
from accord.alignment.layout import Layout, farthest
from accord.alignment.tuples import Candidates, Pairs
from accord.data.continuum import Continuum
from accord.distance.units import Array, Dissimilarity
from accord.kernels.candidates import candidate_tuples
from accord.kernels.dissimilarity import near_pairs, window_pairs

#: tuples listed at most, in all or per unit; more are priced out (:mod:`accord.alignment.pricing`),
#: which takes less time from about there on
MOST, MOST_PER_UNIT = 10_000, 128
#: lengths of a unit, in mean lengths, up to which one window serves all
_LONGEST = 6.0
#: steps of search that a proof is worth, some twenty seconds
EFFORT = 1_000_000_000


def find_pairs(batch: Batch, d: Dissimilarity, limit: float | None = None) -> Pairs:
    """All pairs with d < Δ(C+n−1): no optimal alignment needs others (METHODS: pruning by splits)."""
    n = batch.annotators
    if limit is None:
        limit = farthest(d.delta, n)
    if d.own is not None:
        return _own_pairs(batch.continua[0], d, limit)
    if len(batch.continua) == 1 and d.by_sets(batch.continua[0]):
        return _set_pairs(batch.continua[0], d, limit)
    if len(batch.continua) > 1 or len(batch) <= FEW or _alike(batch.continua[0], d):
        return Pairs(
            *window_pairs(
                batch.bounds,
                batch.start,
                batch.end,
                batch.label,
                d.costs,
                d.kind,
                batch.weights(d),
                limit,
            )
        )
    return _windows(batch.continua[0], d, limit)


def _alike(continuum: Continuum, d: Dissimilarity) -> bool:
    """Whether one window serves all units of a document: none is much longer than the others."""
    length = continuum.end - continuum.start
    return d.positional != "hamming" and bool(length.max() <= _LONGEST * length.mean())


def _windows(continuum: Continuum, d: Dissimilarity, limit: float) -> Pairs:
    """The same for many units of unequal lengths: each length has windows of its own."""
    scale = d.alpha * d.position_scale(continuum)
    length = continuum.end - continuum.start
    annotator = continuum.annotator
    if d.positional == "hamming":
        key, size_class = continuum.end, np.zeros(len(continuum), dtype=np.int64)
        relative, absolute = 0.0, limit / scale if scale > 0 else np.inf
    else:
        # |Δstart| + |Δend| ≥ 2 |Δmiddle|: lengths by powers of two keep the windows narrow
        key = (continuum.start + continuum.end) / 2
        size_class = np.frexp(length)[1].astype(np.int64)
        relative = np.sqrt(limit / scale) / 2 if scale > 0 else np.inf
        absolute = 0.0
    if not np.isfinite(relative + absolute):
        relative, absolute = 0.0, np.inf
    order = np.lexsort((key, size_class, annotator)).astype(np.int32)
    group = annotator[order].astype(np.int64) * 4096 + size_class[order]
    cut = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))[: len(continuum)]
    longest = np.maximum.reduceat(length[order], cut) if len(cut) else length
    indptr, other, distance = near_pairs(
        continuum.offsets,
        continuum.start,
        continuum.end,
        continuum.label,
        d.costs,
        d.kind,
        scale,
        limit,
        key,
        order,
        np.concatenate([cut, [len(continuum)]]).astype(np.int64),
        annotator[order][cut],
        longest,
        # a little wider than needed: rounding must not lose a pair on the edge
        relative * (1 + 1e-9),
        absolute * (1 + 1e-9),
    )
    return Pairs(indptr, other, distance)


def _set_pairs(continuum: Continuum, d: Dissimilarity, limit: float) -> Pairs:
    """Where units have fragments every pair is compared."""
    after = continuum.offsets[continuum.annotator + 1]
    counts = len(continuum) - after
    first = np.repeat(np.arange(len(continuum)), counts)
    second = np.arange(len(first)) - np.repeat(np.cumsum(counts) - counts - after, counts)
    label = continuum.label
    distance = d.alpha * d.apart(continuum, first, second) + d.costs[label[first], label[second]]
    near = distance < limit
    indptr = np.searchsorted(first[near], np.arange(len(continuum) + 1)).astype(np.int64)
    return Pairs(indptr, second[near].astype(np.int32), distance[near])


def _own_pairs(continuum: Continuum, d: Dissimilarity, limit: float) -> Pairs:
    """A user's own function is asked about every pair: nothing is known about its shape."""
    located = d.located(continuum)
    annotator = continuum.annotator
    indptr, other, distance = [0], [], []
    for i, u in enumerate(located):
        for j in range(int(continuum.offsets[annotator[i] + 1]), len(located)):
            value = d.own_value(u, located[j])
            if value < limit:
                other.append(j)
                distance.append(value)
        indptr.append(len(other))
    return Pairs(
        np.array(indptr, dtype=np.int64),
        np.array(other, dtype=np.int32),
        np.array(distance, dtype=np.float64),
    )


def points_of(batch: Batch, d: Dissimilarity) -> Array | None:
    """Where units are points on a line and d/Δ is their distance: the points; else None."""
    same = bool((batch.label[:-1] == batch.label[1:]).all())
    if d.own is not None or d.positional != "hamming" or not same or len(batch.continua) > 1:
        return None
    (continuum,) = batch.continua
    points: Array = (batch.end - continuum.low) * (d.alpha * d.position_scale(continuum) / d.delta)
    return points


def find_candidates(
    layout: Layout,
    pairs: Pairs,
    delta: float,
    effort: int = EFFORT,
    points: Array | None = None,
) -> Candidates | None:
    """The tuples no split of which is at least as good, by depth-first extension of near pairs.

    d/Δ is rounded to whole numbers on a fine grid: sums are then exact, and ties are ties. None when
    several documents have too many together. `points` are those of :func:`points_of`.
    """
    n = layout.annotators
    scale = 1 << _scale_bits(n, len(layout))
    # (two annotators are assigned to each other: that needs every pair)
    most = max(MOST, MOST_PER_UNIT * len(layout))
    offsets, member, close, complete = candidate_tuples(
        pairs.indptr, pairs.other, pairs.distance, n, scale, scale / delta, most
    )
    if complete:
        return Candidates(offsets, member, close, len(layout), n, scale, layout.fewest)
    if layout.documents > 1:
        return None
    return first_candidates(layout, pairs, delta, scale, effort, points)


def _scale_bits(annotators: int, units: int) -> int:
    """As fine a grid as 62 bits allow: gains, their sums over a tuple and over a region fit."""
    pairs = annotators * (annotators - 1) // 2
    used = pairs.bit_length() + 2 * annotators.bit_length() + units.bit_length() // 2
    return max(12, min(30, 61 - used - min(10, units.bit_length())))
