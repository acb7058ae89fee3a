"""One document's units as arrays, annotator by annotator: what is aligned, and what chance draws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self, overload

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes
from accord.data.statements import matched
from accord.data.units import Units


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """Unit i has the fragments offsets[i] .. offsets[i+1], in order and apart; most have one."""

    offsets: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]

    @classmethod
    def of(cls, places: Sequence[Sequence[tuple[float, float]]]) -> Self:
        """From the places of each unit; those that overlap or touch are one fragment.

        >>> Pieces.of([[(0, 3), (7, 9), (2, 4)], [(1, 2)]]).start.tolist()
        [0.0, 7.0, 1.0]
        """
        offsets, start, end = [0], [], []
        for own in places:
            last = None
            for a, b in sorted(own):
                if last is not None and a <= last:
                    end[-1] = last = max(last, b)
                else:
                    start.append(a)
                    end.append(b)
                    last = b
            offsets.append(len(start))
        return cls(
            np.array(offsets, dtype=np.int64),
            np.array(start, dtype=np.float64),
            np.array(end, dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def broken(self) -> bool:
        """Whether some unit has more than one."""
        return len(self.start) > len(self)

    def take(self, units: NDArray[np.int64]) -> Pieces:
        """Those of some units, in this order."""
        sizes = np.diff(self.offsets)[units]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        cells = np.arange(offsets[-1]) + np.repeat(self.offsets[units] - offsets[:-1], sizes)
        return Pieces(offsets, self.start[cells], self.end[cells])

    def moved(self, by: NDArray[np.float64]) -> Pieces:
        """Each unit moved as a whole."""
        shift = np.repeat(by, np.diff(self.offsets))
        return Pieces(self.offsets, self.start + shift, self.end + shift)


def pieces_of(units: Units) -> Pieces | None:
    """The fragments of all units, where a format keeps them; None where no unit has a gap."""
    broken = {
        key
        for key, said in units.statements.items()
        if any(one.kind == "unit" and len(one.places) > 1 for one in said)
    }
    if not broken:
        return None
    own: dict[tuple[str, str], list[int]] = {}
    rows = list(units)
    for i, row in enumerate(rows):
        if (row.document, row.annotator) in broken:
            own.setdefault((row.document, row.annotator), []).append(i)
    places: list[Sequence[tuple[float, float]]] = [[(row.start, row.end)] for row in rows]
    for key, held in own.items():
        found, _, _ = matched([rows[i] for i in held], units.statements[key])
        for i, one in zip(held, found, strict=True):
            if one is not None and len(one.places) > 1:
                places[i] = one.places
    found_pieces = Pieces.of(places)
    return found_pieces if found_pieces.broken else None


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
        start, end = self.start - half, self.end + half
        order = np.lexsort((self.label, end, start, self.annotator))
        return Continuum(
            self.offsets,
            start[order],
            end[order],
            self.label[order],
            self.low - tolerance / 2,
            self.high + tolerance / 2,
            self.known,
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


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Continua(Sequence[Continuum]):
    """The documents of units side by side: a continuum is made when it is asked for.

    Annotator a of document d has the units edges[d, a] .. edges[d, a+1]; who did not see it is not in
    its continuum. A few arrays, quick to cut into parts and to send.
    """

    edges: NDArray[np.int64]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    label: Codes
    coverage: NDArray[np.bool_]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    known: NDArray[np.bool_]
    pieces: Pieces | None

    @classmethod
    def of(cls, units: Units) -> Self:
        return cls.build(
            units.document,
            units.annotator,
            units.start,
            units.end,
            units.label,
            coverage=units.coverage,
            lengths=units.lengths,
            pieces=pieces_of(units),
        )

    @classmethod
    def build(
        cls,
        document: NDArray[np.int64] | Codes,
        annotator: NDArray[np.int64] | Codes,
        start: NDArray[np.float64],
        end: NDArray[np.float64],
        label: Codes,
        *,
        coverage: NDArray[np.bool_],
        lengths: NDArray[np.float64],
        pieces: Pieces | None = None,
    ) -> Self:
        """From rows sorted by document, annotator, start, end, label."""
        size, people = coverage.shape
        # the units before a cell are as many as the rows before it: each number as often as no row adds one
        cells = document.astype(np.int64) * (people + 1) + annotator + 1
        often = np.diff(cells, prepend=0, append=size * (people + 1))
        edges = np.repeat(np.arange(len(cells) + 1), often).reshape(size, people + 1)
        known = np.isfinite(lengths)
        low = _extremes(np.minimum, start, edges, math.inf)
        high = _extremes(np.maximum, end, edges, -math.inf)
        return cls(
            edges=edges,
            start=start,
            end=end,
            label=label,
            coverage=coverage,
            low=np.where(known, np.minimum(0.0, low), low),
            high=np.where(known, lengths, high),
            known=known,
            pieces=pieces,
        )

    def __len__(self) -> int:
        return len(self.edges)

    def continua(self) -> Iterator[Continua]:
        """Give all documents in one piece, as a part that workers take (see :mod:`accord.data.corpus`)."""
        yield self

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Units of each document."""
        return self.edges[:, -1] - self.edges[:, 0]

    @overload
    def __getitem__(self, at: int) -> Continuum: ...

    @overload
    def __getitem__(self, at: slice) -> Self: ...

    def __getitem__(self, at: int | slice) -> Continuum | Self:
        return self._part(at) if isinstance(at, slice) else self._one(at)

    def _one(self, at: int) -> Continuum:
        edges = self.edges[at]
        first, last = int(edges[0]), int(edges[-1])
        own: NDArray[np.int64] = edges - first
        seen: NDArray[np.bool_] = self.coverage[at]
        if not seen.all():
            own = np.append(own[:-1][seen], last - first)
        inside = None if self.pieces is None else self.pieces.take(np.arange(first, last))
        return Continuum(
            own,
            self.start[first:last],
            self.end[first:last],
            self.label[first:last],
            float(self.low[at]),
            float(self.high[at]),
            bool(self.known[at]),
            inside if inside is not None and inside.broken else None,
        )

    def _part(self, at: slice) -> Self:
        """Some documents that follow each other, with their units alone."""
        edges = self.edges[at]
        first, last = (int(edges[0, 0]), int(edges[-1, -1])) if len(edges) else (0, 0)
        return replace(
            self,
            edges=edges - first,
            start=self.start[first:last],
            end=self.end[first:last],
            label=self.label[first:last],
            coverage=self.coverage[at],
            low=self.low[at],
            high=self.high[at],
            known=self.known[at],
            pieces=None if self.pieces is None else self.pieces.take(np.arange(first, last)),
        )


def documents_of(units: Units) -> tuple[Document, ...]:
    """One continuum per document; annotators who did not see a document are not in it.

    They are kept with the units: measure after measure asks for them.
    """
    kept: tuple[Document, ...] | None = units.memo.get("documents")
    if kept is None:
        kept = units.memo["documents"] = tuple(_documents(units))
    return kept


def _documents(units: Units) -> list[Document]:
    continua = Continua.of(units)
    rows = np.arange(len(units))
    complete: list[bool] = np.all(units.coverage, axis=1).tolist()
    return [
        Document(
            name,
            units.annotators if complete[d] else seen_by(units.annotators, units.coverage[d]),
            rows[first:last],
            continua[d],
        )
        for d, (name, (first, last)) in enumerate(
            zip(units.documents, continua.edges[:, [0, -1]].tolist(), strict=True)
        )
    ]


def seen_by(annotators: Sequence[str], seen: NDArray[np.bool_]) -> tuple[str, ...]:
    """Those who saw a document."""
    return tuple([annotators[a] for a in seen.nonzero()[0].tolist()])


def _extremes(
    which: np.ufunc, values: NDArray[np.float64], edges: NDArray[np.int64], none: float
) -> NDArray[np.float64]:
    """The least or greatest value of each document; `none` where there is no unit."""
    some = edges[:, -1] > edges[:, 0]
    found = np.full(len(edges), none)
    if some.any():
        found[some] = which.reduceat(values, edges[some, 0])
    return found
