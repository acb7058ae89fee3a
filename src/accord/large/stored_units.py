"""Units that stay in Parquet: an outline is read, then documents by parts, and a few again for chance.

The rows of a document must be together; the documents may come in any order. What is held is a few numbers
for each document: workers read their parts themselves.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.contents import Contents
from accord.data.continuum import Continua, Continuum
from accord.data.corpus import Corpus, Counts, Part, cut
from accord.data.encode import natural_key
from accord.data.protocol import Shape
from accord.data.reading import Reading, Source, reading_of
from accord.data.said import seen_word
from accord.data.silence import decided
from accord.data.units import first_wrong
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions
from accord.large.parquet_rows import Files, ParquetRows
from accord.reading.missing import absent_numbers, absent_words
from accord.reading.request import options_of

#: how units in Parquet may be told to be read
_UNDERSTOOD = (
    "shape",
    "columns",
    "categories",
    "missing_values",
    "keep_values",
    "seen",
    "length",
    "points",
    "duplicates",
)

#: units of the documents that are made continua together
_TOGETHER = 65_536


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StoredPart:
    """Documents that follow each other in the table; their rows are read where this is asked."""

    rows: ParquetRows
    #: the first of its rows
    first: int
    #: rows of each document
    sizes: Counts
    coverage: NDArray[np.bool_]
    length: float
    points: bool
    keep_repeats: bool

    def continua(self) -> Iterator[Continua]:
        edges = cut(self.sizes, 1, most=_TOGETHER)
        ends = np.concatenate([[0], np.cumsum(self.sizes)])
        ranges = [
            (self.first + int(ends[a]), self.first + int(ends[b]))
            for a, b in itertools.pairwise(edges)
        ]
        for k, columns in enumerate(self.rows.read(ranges)):
            here = slice(edges[k], edges[k + 1])
            yield self._made(columns, self.sizes[here], self.coverage[here], ranges[k][0])

    def _made(
        self, columns: Any, sizes: Counts, coverage: NDArray[np.bool_], first: int
    ) -> Continua:
        annotator, start, end, label = columns
        document = np.repeat(np.arange(len(sizes)), sizes)
        wrong = first_wrong(start, end, np.full(len(start), self.length), label < -1, self.points)
        if wrong is not None:
            i, what, hint = wrong
            raise InputError(
                f"row {first + i + 1}: the unit [{start[i]}, {end[i]}) {what}",
                path=self.rows.name,
                hint=hint,
            )
        order = np.lexsort((label, end, start, annotator, document))
        columns = [column[order] for column in (document, annotator, start, end, label)]
        if not self.keep_repeats and len(order) > 1:
            again = np.all([column[1:] == column[:-1] for column in columns], axis=0)
            if again.any():
                row = first + int(order[1:][again][0]) + 1
                raise InputError(
                    f"row {row}: the same unit of the same annotator is there twice",
                    path=self.rows.name,
                    hint="drop a row, or pass `duplicates=keep`",
                )
        return Continua.build(*columns, coverage=coverage, lengths=np.full(len(sizes), self.length))


class StoredUnits(Corpus):
    """Units of a Parquet table as a corpus."""

    shape: ClassVar[Shape] = "units"
    roles = None
    stored_order: Counts

    @classmethod
    def opened(cls, source: Files, **options: Any) -> Self:
        """The units of these files, read as :func:`accord.read` would with these options.

        What is not known of units that stay in their files is refused.
        """
        chosen, _ = options_of(options)
        plain = ReadOptions()
        for one in fields(ReadOptions):
            said = getattr(chosen, one.name)
            if one.name not in _UNDERSTOOD and said != getattr(plain, one.name):
                raise UsageError(
                    f"`{one.name.replace('layout', 'columns')}` as given is not for units that stay in "
                    "Parquet: read them into memory"
                )
        return cls(source, chosen)

    def __init__(self, source: Files, options: ReadOptions) -> None:
        rows = ParquetRows.of(source, options)
        outline = rows.outline()
        order = sorted(
            range(len(outline.documents)), key=lambda k: natural_key(outline.documents[k])
        )
        #: the number of each document as it is stored
        self.stored_order = np.argsort(np.array(order, dtype=np.int64))
        self.documents = tuple([outline.documents[k] for k in order])
        self.annotators = tuple(sorted(outline.annotators, key=natural_key))
        said = {c: n for c, n in outline.labels.items() if c is not None}
        missing = absent_words(said, options, rows.record)
        left = {c: n for c, n in said.items() if c not in missing}
        missing |= absent_numbers(left, options, rows.record)
        found = [c for c in outline.labels if c is not None and c not in missing]
        self.categories = tuple(options.categories or sorted(found, key=natural_key))
        place: dict[Any, int] = {c: k for k, c in enumerate(self.categories)}
        place |= {c: -1 for c in outline.labels if c is None or c in missing}
        self._rows = rows.coded(
            {name: a for a, name in enumerate(self.annotators)},
            place,
        )
        self._sizes = outline.sizes
        self.sizes = outline.sizes[order]
        self._labels = np.array([outline.labels.get(c, 0) for c in self.categories], dtype=np.int64)
        rank = np.array(
            [self._rows.annotators[name] for name in outline.annotators], dtype=np.int64
        )
        marked = np.zeros((len(order), len(self.annotators)), dtype=bool)
        marked[self.stored_order[outline.pairs[:, 0]], rank[outline.pairs[:, 1]]] = True
        seen = options.seen or "all"
        if seen not in ("all", "marked"):
            raise UsageError(f"`seen` must be all or marked for units in Parquet, got {seen!r}")
        self.coverage = marked if seen == "marked" else np.ones_like(marked)
        self.notes = ()
        self.seen = seen_word(marked, self.coverage)
        self.memo = {}
        self._options = options
        if options.seen is None:
            silence = decided(marked, self.sizes, self.documents, self.annotators, "unit")
            if silence is not None:
                rows.record.take(silence)
        self.provenance = rows.record.provenance(
            Source(path=rows.name, format="parquet", rows=len(self))
        )

    @cached_property
    def label_counts(self) -> Counts:
        if self.compared == len(self):
            return self._labels
        # (the outline tells categories of the whole alone)
        counts = np.zeros(len(self.categories), dtype=np.int64)
        for some in (piece for part in self.parts(1) for piece in part.continua()):
            shared = np.repeat(some.coverage.sum(axis=1) > 1, some.sizes)
            label = some.label[shared & (some.label >= 0)]
            counts += np.bincount(label, minlength=len(counts))
        return counts

    @property
    def who_saw(self) -> NDArray[np.bool_]:
        return self.coverage

    def contents(self) -> Contents:
        """Count what the outline tells; who marked how many is not known without reading it all."""
        shared = self.coverage.sum(axis=1) > 1
        return Contents(
            by_annotator=(),
            size={"documents": len(self.documents), "units": len(self)},
            labels=self.categories,
            scale="names",
            used={
                "annotators": int(self.coverage[shared].any(axis=0).sum()),
                "documents": int(shared.sum()),
                "units": self.compared,
            },
        )

    @property
    def reading(self) -> Reading:
        """What was read."""
        return reading_of(self)

    def parts(self, workers: int) -> Sequence[Part]:
        """Documents as they are stored, cut where the table has its own parts if those are large."""
        edges = cut(self._sizes, workers)
        before = np.concatenate([[0], np.cumsum(self._sizes)])
        # what begins within one group of rows is read by one: nobody decodes it twice
        group = np.searchsorted(self._rows.group_edges, before[edges[:-1]], side="right")
        first = [edges[k] for k in np.flatnonzero(np.diff(group, prepend=-1)).tolist()]
        kept = [*first, len(self._sizes)]
        return [self._part(range(a, b)) for a, b in itertools.pairwise(kept)]

    def some(self, places: Sequence[int]) -> Sequence[Continuum]:
        """These documents, in one pass over the parts of the table that hold them."""
        where = np.argsort(self.stored_order)[list(places)]
        found: dict[int, Continuum] = {}
        before = np.concatenate([[0], np.cumsum(self._sizes)])
        wanted = np.unique(where).tolist()
        ranges = [(int(before[k]), int(before[k + 1])) for k in wanted]
        for k, columns in zip(wanted, self._rows.read(ranges), strict=True):
            part = self._part(range(k, k + 1))
            (found[k],) = part._made(columns, part.sizes, part.coverage, part.first)
        return [found[k] for k in where.tolist()]

    def _part(self, stored: range) -> StoredPart:
        options = self._options
        return StoredPart(
            rows=self._rows,
            first=int(self._sizes[: stored.start].sum()),
            sizes=self._sizes[stored.start : stored.stop],
            coverage=self.coverage[self.stored_order[stored.start : stored.stop]],
            length=np.nan if options.length is None else options.length,
            points=options.points,
            keep_repeats=options.duplicates == "keep",
        )

    def select(self, **chosen: object) -> NoReturn:
        raise UsageError(
            f"a part by {' and '.join(chosen) or 'nothing'} is not made of units that stay in Parquet; "
            "read them into memory with accord.read"
        )
