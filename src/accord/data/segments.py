"""Segments: a continuum cut completely into contiguous segments.

The one place where masses, boundary positions, boundary strings and units are converted.
A boundary at position p stands between atom p - 1 and atom p, so 0 < p < length.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import brief, count
from accord.data.contents import Contents, of_documents, seen_in
from accord.data.encode import encode_as, encode_sorted
from accord.data.located import Documented, Origin
from accord.data.names import places
from accord.data.protocol import Shape
from accord.data.schema import SEGMENTS, Columns
from accord.data.units import Units
from accord.errors import InputError, UsageError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


Positions = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Segments(Documented):
    """For each document and annotator, the sorted positions of the boundaries.

    `boundaries[d, a]` is absent when annotator a did not cut document d. `types` gives, in the same
    way, the type of each boundary when boundaries have types (a boundary with two types is listed
    twice).

    >>> segments = Segments.from_masses([("d", "Ana", [2, 3]), ("d", "Ben", [5])])
    >>> segments.annotators, segments.masses(0, 0).tolist()
    (('Ana', 'Ben'), [2, 3])
    """

    shape: ClassVar[Shape] = "segments"

    #: number of atoms of each document
    lengths: NDArray[np.int64]
    #: (document, annotator) → positions
    boundaries: Mapping[tuple[int, int], Positions]
    #: (document, annotator) → index into `categories`, when boundaries have types
    types: Mapping[tuple[int, int], Positions] | None = None
    categories: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return brief(
            self,
            count(len(self.boundaries), "segmentation"),
            count(sum(map(len, self.boundaries.values())), "boundary", "boundaries"),
            count(len(self.documents), "document"),
            count(len(self.annotators), "annotator"),
            count(len(self.categories), "type") if self.types is not None else "",
        )

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
        origin = Origin(path, lines)
        document, documents = encode_sorted(r[0] for r in rows)
        annotator, annotators = encode_sorted(r[1] for r in rows)
        lengths = np.full(len(documents), -1, dtype=np.int64)
        boundaries: dict[tuple[int, int], Positions] = {}
        for i, (name, who, masses) in enumerate(rows):
            # (a line is looked up where there is an error: that takes as long as reading)
            d, a = int(document[i]), int(annotator[i])
            if not len(masses) or min(masses) < 1:
                raise origin.error(
                    i, f"the masses of annotator {who!r} on {name!r} must be whole numbers from 1"
                )
            if (d, a) in boundaries:
                raise origin.error(
                    i,
                    f"annotator {who!r} cuts document {name!r} twice",
                    "drop a row or rename the annotator",
                )
            total = int(sum(masses))
            if lengths[d] not in (-1, total):
                raise origin.error(
                    i,
                    f"annotator {who!r} cuts {total} atoms of document {name!r}, "
                    f"another cut {lengths[d]}",
                    "all annotators of a document must cut the same atoms",
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

    @classmethod
    def from_boundaries(
        cls,
        rows: Sequence[tuple[str, str, int, str | None]],
        *,
        lengths: Mapping[str, int],
        coverage: Sequence[tuple[str, str]] = (),
        categories: Sequence[str] | None = None,
        notes: Sequence[str] = (),
        path: str | None = None,
        lines: Sequence[int] | None = None,
    ) -> Self:
        """Build from (document, annotator, position, type) rows; a type of None means untyped.

        `coverage` names (document, annotator) pairs with no boundary at all. `categories` declares
        the types in order (for a hierarchy: from the coarsest level to the finest).

        >>> s = Segments.from_boundaries([("d", "A", 2, "part"), ("d", "A", 3, "line")],
        ...                              lengths={"d": 5}, coverage=[("d", "B")])
        >>> s.masses(0, 0).tolist(), s.masses(0, 1).tolist(), s.categories
        ([2, 1, 2], [5], ('line', 'part'))
        """
        pairs = [*((r[0], r[1]) for r in rows), *coverage]
        document, documents = encode_sorted(d for d, _ in pairs)
        annotator, annotators = encode_sorted(a for _, a in pairs)
        names = [r[3] for r in rows]
        known = list(categories or encode_sorted(n for n in names if n is not None)[1])
        codes = encode_as(names, known)
        found: dict[tuple[int, int], list[tuple[int, int]]] = {
            (int(d), int(a)): [] for d, a in zip(document, annotator, strict=True)
        }
        for i, (name, who, position, type_) in enumerate(rows):
            problem = None
            if name not in lengths:
                problem = f"the length of document {name!r} is not known"
            elif not 0 < position < lengths[name]:
                problem = (
                    f"the boundary {position} of annotator {who!r} is not inside document "
                    f"{name!r} (1 to {lengths[name] - 1})"
                )
            elif known and codes[i] < 0:
                problem = (
                    f"the boundary {position} of annotator {who!r} has no known type: {type_!r}"
                )
            if problem is not None:
                raise Origin(path, lines).error(i, problem)
            found[int(document[i]), int(annotator[i])].append((int(position), int(codes[i])))
        table = {
            k: np.array(sorted(set(v)), dtype=np.int64).reshape(-1, 2) for k, v in found.items()
        }
        return cls(
            documents=tuple(documents),
            annotators=tuple(annotators),
            lengths=np.array([lengths[d] for d in documents], dtype=np.int64),
            boundaries={k: v[:, 0].copy() for k, v in table.items()},
            types={k: v[:, 1].copy() for k, v in table.items()} if known else None,
            categories=tuple(known),
            notes=tuple(notes),
        )

    @classmethod
    def from_units(
        cls, units: Units, *, atom: float = 1.0, gaps: Literal["error", "segment"] = "error"
    ) -> Self:
        """Build from units that touch without overlap, offsets rounded to whole atoms.

        A gap between two units is an error, or a segment of its own (`gaps`).

        >>> u = Units.from_rows([("d", "A", 0.0, 1.5, "x"), ("d", "A", 1.5, 4.0, "y")])
        >>> Segments.from_units(u, atom=0.5).masses(0, 0).tolist()
        [3, 5]
        """
        if not atom > 0:
            raise UsageError(f"the atom must be greater than 0, got {atom}")
        first = np.rint(units.start / atom).astype(np.int64)
        last = np.rint(units.end / atom).astype(np.int64)
        extent = np.zeros(len(units.documents), dtype=np.int64)
        np.maximum.at(extent, units.document, last)
        known = np.isfinite(units.lengths)
        extent[known] = np.maximum(extent[known], np.rint(units.lengths[known] / atom))
        boundaries: dict[tuple[int, int], Positions] = {}
        for d, a in zip(*np.nonzero(units.coverage), strict=True):
            here = np.flatnonzero((units.document == d) & (units.annotator == a))
            s, e = first[here], last[here]
            broken = np.flatnonzero(s[1:] < e[:-1] if gaps == "segment" else s[1:] != e[:-1])
            if len(broken):
                i = here[broken[0]]
                raise InputError(
                    f"annotator {units.annotators[a]!r} does not cut document "
                    f"{units.documents[d]!r} completely: a unit ends at {units.end[i]:g} "
                    f"and the next starts at {units.start[i + 1]:g}",
                    hint='make gaps segments with gaps="segment", or use a measure for units',
                )
            cuts = np.unique(np.concatenate([s, e]))
            boundaries[int(d), int(a)] = cuts[(cuts > 0) & (cuts < extent[d])]
        return cls(
            documents=units.documents,
            annotators=units.annotators,
            lengths=extent,
            boundaries=boundaries,
            notes=units.notes,
        )

    @classmethod
    def stacked(cls, levels: Mapping[str, Self]) -> Self:
        """Build one hierarchy from a segmentation per level, the coarsest first.

        A boundary takes the name of the coarsest level that has it.
        """
        first = next(iter(levels.values()))
        rows: dict[tuple[str, str, int], str] = {}
        covered: dict[tuple[str, str], None] = {}
        for name, level in levels.items():
            for (d, a), positions in level.boundaries.items():
                key = (level.documents[d], level.annotators[a])
                covered[key] = None
                for p in positions.tolist():
                    rows.setdefault((*key, p), name)
        return cls.from_boundaries(
            [(*key, name) for key, name in rows.items()],
            lengths=dict(zip(first.documents, first.lengths.tolist(), strict=True)),
            coverage=list(covered),
            categories=list(levels),
        )

    def levels(self) -> dict[str, Self]:
        """Return each level of a hierarchy as a segmentation of its own, from the coarsest to the finest.

        A boundary of one level also cuts every finer level; `categories` gives the order.

        >>> s = Segments.from_boundaries([("d", "A", 2, "part"), ("d", "A", 3, "line")],
        ...                              lengths={"d": 5}, categories=["part", "line"])
        >>> {name: level.masses(0, 0).tolist() for name, level in s.levels().items()}
        {'part': [2, 3], 'line': [2, 1, 2]}
        """

        def down_to(level: int) -> Callable[[Positions], NDArray[np.bool_]]:
            return lambda types: types <= level

        return {name: self._where(down_to(i)) for i, name in enumerate(self.categories)}

    def of_type(self, name: str) -> Self:
        """Keep only the boundaries of one type."""
        wanted = int(places([name], self.categories, "boundary type")[0])
        return self._where(lambda t: t == wanted)

    def _where(self, chosen: Callable[[Positions], NDArray[np.bool_]]) -> Self:
        if self.types is None:
            raise UsageError("these boundaries have no types")
        return replace(
            self,
            boundaries={k: np.unique(p[chosen(self.types[k])]) for k, p in self.boundaries.items()},
            types=None,
            categories=(),
        )

    def masses(self, document: int, annotator: int) -> Positions:
        """Return the lengths of the segments."""
        return masses_of(self.boundaries[document, annotator], int(self.lengths[document]))

    def to_units(self) -> Units:
        """Return the segments as units without a label, for measures that align units."""
        rows: list[tuple[str, str, float, float, str | None]] = []
        for (d, a), positions in self.boundaries.items():
            edges = [0, *np.unique(positions).tolist(), int(self.lengths[d])]
            rows.extend(
                (self.documents[d], self.annotators[a], s, e, None) for s, e in pairwise(edges)
            )
        return Units.from_rows(
            rows,
            lengths=dict(zip(self.documents, self.lengths.tolist(), strict=True)),
            coverage=self.seen_pairs(),
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        masses: str = "masses",
    ) -> Self:
        """Build from any dataframe with one row per document and annotator; the keywords name columns.

        Masses are lists of whole numbers, or text with spaces between them. Without a document
        column all is one document.

        >>> import polars as pl
        >>> Segments.from_frame(pl.DataFrame({"annotator": ["A", "B"], "masses": ["2 3", "5"]}))
        Segments(2 segmentations, 1 boundary, 1 document, 2 annotators)
        """
        return cls.of(SEGMENTS.of_frame(frame, document, annotator, masses))

    @classmethod
    def of(
        cls,
        columns: Columns,
        *,
        lengths: Mapping[str, int] | None = None,
        coverage: Sequence[tuple[str, str]] = (),
        categories: Sequence[str] | None = None,
        path: str | None = None,
        lines: Sequence[int] | None = None,
    ) -> Self:
        """Build from the columns of a table: masses, or boundaries in documents of known length.

        A cell is a list, or text with spaces or commas between whole numbers.
        """
        origin = Origin(path, lines)
        sides = list(zip(columns["document"], columns["annotator"], strict=True))
        if "masses" in columns:
            rows = []
            for i, cell in enumerate(columns["masses"]):
                masses = _whole(cell)
                if masses is None:
                    raise origin.error(i, f"the masses must be whole numbers, got {cell!r}")
                rows.append((*sides[i], masses))
            return cls.from_masses(rows, path=path, lines=lines)
        if lengths is None:
            raise InputError(
                "lists boundaries without the length of the documents",
                path=path,
                hint="give it with `length` or `lengths`, or give masses (segment lengths)",
            )
        bounds: list[tuple[str, str, int, str | None]] = []
        place: list[int] = []
        for i, cell in enumerate(columns["boundary"]):
            # (an empty cell is somebody who set no boundary)
            positions = _whole("" if cell is None else cell)
            if positions is None:
                raise origin.error(i, f"a boundary must be a whole number, got {cell!r}")
            bounds += [(*sides[i], position, columns["type"][i]) for position in positions]
            place += [i] * len(positions)
        return cls.from_boundaries(
            bounds,
            lengths=lengths,
            coverage=[*sides, *coverage],
            categories=categories,
            path=path,
            lines=None if lines is None else [lines[i] or 0 for i in place],
        )

    @property
    def who_saw(self) -> NDArray[np.bool_]:
        return seen_in(self, self.boundaries)

    @property
    def _height(self) -> int:
        return len(self.boundaries)

    def rows(self) -> Iterator[Mapping[str, object]]:
        """Return one row per segmentation.

        >>> Segments.from_masses([("d", "A", [2, 3])]).to_frame(backend="polars").to_dicts()
        [{'document': 'd', 'annotator': 'A', 'masses': '2 3'}]
        """
        for (d, a), at in sorted(self.boundaries.items(), key=lambda side: side[0]):
            masses = " ".join(map(str, masses_of(at, int(self.lengths[d])).tolist()))
            yield dict(
                zip(self.columns, (self.documents[d], self.annotators[a], masses), strict=True)
            )

    def contents(self) -> Contents:
        """Count who set how many boundaries, and how many of them in documents that several cut."""
        pairs = [(d, a) for (d, a), cuts in self.boundaries.items() for _ in range(len(cuts))]
        document, annotator = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return of_documents(self, document, annotator, self.who_saw, labels=self.categories)


def _whole(cell: Any) -> list[int] | None:
    """The whole numbers of a cell; None where it holds anything else."""
    listed = isinstance(cell, (list, tuple, np.ndarray))
    parts = list(cell) if listed else [cell]
    if not listed and not isinstance(cell, float):
        parts = str(cell).replace(",", " ").split()
    try:
        whole = all(p.isdecimal() if isinstance(p, str) else int(p) == p for p in parts)
    except (ValueError, TypeError, OverflowError):
        whole = False
    return [int(part) for part in parts] if whole else None


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


def positions_of_string(string: Sequence[Hashable], boundary: Hashable = "1") -> Positions:
    """A boundary string (one sign per possible boundary, as nltk writes it) to positions.

    >>> positions_of_string("01001").tolist()
    [2, 5]
    """
    return np.flatnonzero([sign == boundary for sign in string]).astype(np.int64) + 1


def string_of(positions: Positions, length: int) -> str:
    """Boundary positions to a boundary string of 0 and 1.

    >>> string_of(np.array([2, 5]), 6)
    '01001'
    """
    signs = np.zeros(max(length - 1, 0), dtype=np.int64)
    signs[np.asarray(positions, dtype=np.int64) - 1] = 1
    return "".join(map(str, signs.tolist()))


def positions_of_sequence(segment: Sequence[Hashable]) -> Positions:
    """The segment each atom is in (as segeval's positions) to boundary positions.

    >>> positions_of_sequence([1, 1, 2, 2, 2]).tolist()
    [2]
    """
    return np.array(
        [i for i, (a, b) in enumerate(pairwise(segment), start=1) if a != b], dtype=np.int64
    )


def sequence_of(positions: Positions, length: int) -> Positions:
    """Boundary positions to the number (from 1) of the segment each atom is in.

    >>> sequence_of(np.array([2]), 5).tolist()
    [1, 1, 2, 2, 2]
    """
    masses = masses_of(positions, length)
    return np.repeat(np.arange(1, len(masses) + 1), masses)
