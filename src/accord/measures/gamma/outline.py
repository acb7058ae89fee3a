"""What chance must know of the documents before it draws: how many units, of whom, on which grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord.chance.atom import Offsets
from accord.data.continuum import Continua, Continuum
from accord.distance.units import Array

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outline:
    """A row for each document that at least two annotators saw."""

    #: units of each annotator, few before many, -1 for who did not see it
    counts: Places
    #: Σ of the distances of its units from its beginning
    distances: Array
    #: units that chance may imitate
    imitated: Places
    offsets: Offsets

    @classmethod
    def of(cls, continua: Continua, truth: tuple[int, ...] | None) -> Outline:
        """`truth` are the annotators that chance may imitate, None for all."""
        shared = shared_by_two(continua.coverage)
        # a crowd sees few documents each: only the pairs that were seen are looked at
        document, annotator = np.nonzero(continua.coverage[shared])
        edges = continua.edges[shared]
        units = edges[document, annotator + 1] - edges[document, annotator]
        own = units if truth is None else np.where(np.isin(annotator, truth), units, 0)
        before = continua.start - np.repeat(continua.low, continua.sizes)
        return cls(
            counts=_few_first(document, units, len(edges)),
            distances=_sums(before, edges),
            imitated=np.bincount(document, weights=own, minlength=len(edges)).astype(np.int64),
            offsets=_offsets(continua, shared, before),
        )

    @classmethod
    def merged(cls, parts: Sequence[Outline]) -> Outline:
        """Those of all parts, one after the other."""
        width = max(p.counts.shape[1] for p in parts)
        return cls(
            counts=np.concatenate([_widened(p.counts, width) for p in parts]),
            distances=np.concatenate([p.distances for p in parts]),
            imitated=np.concatenate([p.imitated for p in parts]),
            offsets=Offsets.merged([p.offsets for p in parts]),
        )

    def taken(self, order: Places) -> Outline:
        """The documents in another order."""
        return replace(
            self,
            counts=self.counts[order],
            distances=self.distances[order],
            imitated=self.imitated[order],
        )

    def __len__(self) -> int:
        return len(self.distances)

    @property
    def annotators(self) -> Places:
        """Annotators of each document."""
        return np.asarray((self.counts >= 0).sum(axis=1))

    @property
    def units(self) -> Places:
        """Units of each document."""
        return np.asarray(np.maximum(self.counts, 0).sum(axis=1))

    @property
    def content_order(self) -> Places:
        """Documents in an order that depends on what is in them, not on their names."""
        return np.lexsort((self.distances, *self.counts.T[::-1], self.units))


def shared_by_two(coverage: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Documents that at least two annotators saw: only those are compared."""
    return np.asarray(coverage.sum(axis=1) >= 2)


def imitated(
    continuum: Continuum, annotators: Sequence[int], truth: tuple[int, ...] | None
) -> Continuum:
    """The continuum as chance may see it: of the ground-truth annotators only, if there are some.

    `annotators` are those who saw it.
    """
    if truth is None:
        return continuum
    c = continuum
    parts = [
        (c.start[a:b], c.end[a:b], c.label[a:b])
        for who, a, b in zip(annotators, c.offsets[:-1], c.offsets[1:], strict=True)
        if who in truth
    ]
    if not parts:
        nothing = np.empty(0)
        parts = [(nothing, nothing, nothing.astype(np.int32))]
    return Continuum.assemble(parts, c.low, c.high, known=c.known)


def _few_first(document: Places, units: Places, documents: int) -> Places:
    """A row for each document: the units of those who saw it, sorted, then -1."""
    order = np.lexsort((units, document))
    seen = np.bincount(document, minlength=documents)
    place = np.arange(len(document)) - np.repeat(np.cumsum(seen) - seen, seen)
    found = np.full((documents, int(seen.max(initial=0))), -1, dtype=np.int64)
    found[document[order], place] = units[order]
    return found


def _widened(counts: Places, width: int) -> Places:
    """The same rows with so many columns."""
    return np.pad(counts, ((0, 0), (0, width - counts.shape[1])), constant_values=-1)


def _sums(values: Array, edges: Places) -> Array:
    """The sum of the values of each document, whatever is beside it."""
    found = np.zeros(len(edges))
    if len(values):
        ends = np.stack([edges[:, 0], edges[:, -1]], axis=1)
        some = ends[:, 1] > ends[:, 0]
        padded = np.append(values, 0.0)
        found[some] = np.add.reduceat(padded, ends[some].ravel())[::2]
    return found


def _offsets(continua: Continua, shared: NDArray[np.bool_], before: Array) -> Offsets:
    sizes = continua.sizes
    used = shared & (sizes > 0)
    after = continua.end - np.repeat(continua.low, sizes)
    if not used.all():
        inside = np.repeat(used, sizes)
        before, after = before[inside], after[inside]
    return Offsets.gather([before, after, continua.high[used] - continua.low[used]])
