"""One document's units as arrays, annotator by annotator: what is aligned, and what chance draws."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes
from accord.data.pieces import Pieces, pieces_of
from accord.data.units import Units


@dataclass(frozen=True, slots=True, eq=False)
class Continuum:
    """The units of n annotators on one continuum.

    Annotator a has the units offsets[a] .. offsets[a+1], sorted by start, end, label. `label` is an
    index into the categories, -1 for none. `low` and `high` are where the continuum begins and ends:
    0 and its length when that is known, else the extent of the units.
    """

    offsets: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    label: Codes
    low: float
    high: float
    #: `low` and `high` are where the continuum ends, not only where its units do
    known: bool = True
    #: what the units cover, where some are discontinuous: start and end are then those of their hulls
    pieces: Pieces | None = None

    @property
    def annotators(self) -> int:
        return len(self.offsets) - 1

    @property
    def counts(self) -> NDArray[np.int64]:
        """Units of each annotator."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def annotator(self) -> Codes:
        """Annotator of each unit."""
        return np.repeat(np.arange(self.annotators, dtype=np.int32), self.counts)

    @property
    def mean_count(self) -> float:
        """x̄, the mean number of units per annotator."""
        return len(self.start) / self.annotators

    def __len__(self) -> int:
        return len(self.start)

    def widened(self, tolerance: float) -> Continuum:
        """Points as units of length `tolerance` around them."""
        point = self.end == self.start
        if not point.any():
            return self
        half = np.where(point, tolerance / 2, 0.0)
        return Continuum.assemble(
            [
                (self.start[a:b] - half[a:b], self.end[a:b] + half[a:b], self.label[a:b])
                for a, b in zip(self.offsets[:-1], self.offsets[1:], strict=True)
            ],
            self.low - tolerance / 2,
            self.high + tolerance / 2,
            known=self.known,
        )

    @classmethod
    def assemble(
        cls,
        parts: list[tuple[NDArray[np.float64], NDArray[np.float64], Codes]],
        low: float,
        high: float,
        *,
        known: bool = True,
    ) -> Self:
        """Build from (start, end, label) of each annotator, in any order."""
        sorted_parts = []
        for start, end, label in parts:
            order = np.lexsort((label, end, start))
            sorted_parts.append((start[order], end[order], label[order]))
        counts = [len(p[0]) for p in parts]
        return cls(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.concatenate([p[0] for p in sorted_parts]),
            np.concatenate([p[1] for p in sorted_parts]),
            np.concatenate([p[2] for p in sorted_parts]).astype(np.int32),
            low,
            high,
            known,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """The continuum of one document, who saw it, and where its units are in the Units."""

    name: str
    annotators: tuple[str, ...]
    rows: NDArray[np.int64]
    continuum: Continuum


def documents_of(units: Units) -> tuple[Document, ...]:
    """One continuum per document; annotators who did not see a document are not in it.

    They are kept with the units: measure after measure asks for them.
    """
    kept: tuple[Document, ...] | None = units.memo.get("documents")
    if kept is None:
        kept = units.memo["documents"] = tuple(_documents(units))
    return kept


def _documents(units: Units) -> list[Document]:
    people = len(units.annotators)
    # rows are sorted by document, then annotator
    cells = units.document.astype(np.int64) * people + units.annotator
    edges = cells.searchsorted(np.arange(len(units.documents) * people + 1))
    bounds = units.document.searchsorted(np.arange(len(units.documents) + 1)).tolist()
    rows = np.arange(len(units))
    lengths = units.lengths.tolist()
    lowest = _extremes(np.minimum, units.start, bounds, math.inf)
    highest = _extremes(np.maximum, units.end, bounds, -math.inf)
    complete = np.all(units.coverage, axis=1)
    pieces = pieces_of(units)
    found = []
    for d, name in enumerate(units.documents):
        first, last = bounds[d], bounds[d + 1]
        names, own = units.annotators, edges[d * people : (d + 1) * people + 1] - first
        if not complete[d]:
            who = units.coverage[d].nonzero()[0]
            names = tuple([units.annotators[a] for a in who.tolist()])
            own = np.append(own[who], last - first)
        inside = None if pieces is None else pieces.take(rows[first:last])
        low, high, length = lowest[d], highest[d], lengths[d]
        if math.isfinite(length):
            low, high = min(0.0, low), length
        found.append(
            Document(
                name,
                names,
                rows[first:last],
                Continuum(
                    own,
                    units.start[first:last],
                    units.end[first:last],
                    units.label[first:last],
                    low,
                    high,
                    math.isfinite(length),
                    inside if inside is not None and inside.broken else None,
                ),
            )
        )
    return found


def _extremes(
    which: np.ufunc, values: NDArray[np.float64], bounds: list[int], none: float
) -> list[float]:
    """The least or greatest value of each document; `none` where there is no unit."""
    ends = np.array(bounds)
    some = np.flatnonzero(ends[1:] > ends[:-1])
    found = np.full(len(bounds) - 1, none)
    if len(some):
        found[some] = which.reduceat(values, ends[some])
    extremes: list[float] = found.tolist()
    return extremes
