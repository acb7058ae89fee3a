"""Segments: a continuum cut completely into contiguous segments.

The one place where masses, boundary positions, boundary strings and units are converted.
A boundary at position p stands between atom p - 1 and atom p, so 0 < p < length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.choose import places
from accord.data.encode import encode_sorted
from accord.data.protocol import Shape
from accord.errors import InputError

Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Segments:
    """For each document and annotator, the sorted positions of the boundaries.

    `boundaries[d, a]` is absent when annotator a did not cut document d. `types` gives, in the same
    way, the type of each boundary when boundaries have types (a boundary with two types is listed
    twice).
    """

    shape: ClassVar[Shape] = "segments"

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    #: number of atoms of each document
    lengths: NDArray[np.int64]
    #: (document, annotator) → positions
    boundaries: Mapping[tuple[int, int], Positions]
    #: (document, annotator) → index into `categories`, when boundaries have types
    types: Mapping[tuple[int, int], Positions] | None = None
    categories: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def from_masses(
        cls,
        rows: Sequence[tuple[str, str, Sequence[int]]],
        *,
        notes: Sequence[str] = (),
        path: str | None = None,
        lines: Sequence[int] | None = None,
    ) -> Self:
        """Build from (document, annotator, masses) rows.

        >>> s = Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [5])])
        >>> s.lengths.tolist(), s.boundaries[0, 0].tolist(), s.boundaries[0, 1].tolist()
        ([5], [2], [])
        """
        document, documents = encode_sorted(r[0] for r in rows)
        annotator, annotators = encode_sorted(r[1] for r in rows)
        lengths = np.full(len(documents), -1, dtype=np.int64)
        boundaries: dict[tuple[int, int], Positions] = {}
        for i, (name, who, masses) in enumerate(rows):
            place = None if lines is None else lines[i]
            d, a = int(document[i]), int(annotator[i])
            if not len(masses) or min(masses) < 1:
                raise InputError(
                    f"the masses of annotator {who!r} on {name!r} must be whole numbers from 1",
                    path=path,
                    line=place,
                )
            if (d, a) in boundaries:
                raise InputError(
                    f"annotator {who!r} cuts document {name!r} twice",
                    path=path,
                    line=place,
                    hint="drop a row or rename the annotator",
                )
            total = int(sum(masses))
            if lengths[d] not in (-1, total):
                raise InputError(
                    f"annotator {who!r} cuts {total} atoms of document {name!r}, "
                    f"another cut {lengths[d]}",
                    path=path,
                    line=place,
                    hint="all annotators of a document must cut the same atoms",
                )
            lengths[d] = total
            boundaries[d, a] = positions_of(masses)
        return cls(
            documents=tuple(documents),
            annotators=tuple(annotators),
            lengths=lengths,
            boundaries=boundaries,
            notes=tuple(notes),
        )

    def masses(self, document: int, annotator: int) -> Positions:
        """The lengths of the segments."""
        return masses_of(self.boundaries[document, annotator], int(self.lengths[document]))

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        who = places(annotators or self.annotators, self.annotators, "annotator").tolist()
        where = places(documents or self.documents, self.documents, "document").tolist()
        key = {
            (d, a): (i, j)
            for i, d in enumerate(where)
            for j, a in enumerate(who)
            if (d, a) in self.boundaries
        }
        return replace(
            self,
            documents=tuple(self.documents[d] for d in where),
            annotators=tuple(self.annotators[a] for a in who),
            lengths=self.lengths[where],
            boundaries={new: self.boundaries[old] for old, new in key.items()},
            types=None
            if self.types is None
            else {new: self.types[old] for old, new in key.items()},
        )


def positions_of(masses: Sequence[int]) -> Positions:
    """Masses to boundary positions.

    >>> positions_of([2, 3, 1]).tolist()
    [2, 5]
    """
    return np.cumsum(np.asarray(masses, dtype=np.int64))[:-1]


def masses_of(positions: Positions, length: int) -> Positions:
    """Boundary positions to masses.

    >>> masses_of(np.array([2, 5]), 6).tolist()
    [2, 3, 1]
    """
    return np.diff(np.unique(np.concatenate([[0], positions, [length]])))
