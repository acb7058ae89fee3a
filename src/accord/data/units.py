"""Units: located, labelled units on a continuum (text, audio, video)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import as_html, brief, count
from accord.data.choose import chosen, places
from accord.data.coverage import Covered, unsaid
from accord.data.encode import Codes, encode, encode_as, encode_sorted, natural_key
from accord.data.protocol import Shape
from accord.data.statements import Said
from accord.errors import InputError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from accord.data.roles import Roles


class Unit(NamedTuple):
    """One unit as people write it."""

    document: str
    annotator: str
    start: float
    end: float
    label: str | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units(Covered):
    """Who marked what where, sorted by document, annotator, start, end, label.

    Offsets are half-open, in any unit (characters, milliseconds, seconds). Overlap and nesting are
    allowed. `coverage` says who saw which document: who saw it and marked nothing counts.
    """

    shape: ClassVar[Shape] = "units"

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    document: Codes
    annotator: Codes
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    #: index into `categories`; -1 for a unit without a label
    label: Codes
    #: documents × annotators: who saw what
    coverage: NDArray[np.bool_]
    #: extent of each document's continuum, NaN where unknown
    lengths: NDArray[np.float64]
    #: text of each document, when known
    texts: tuple[str | None, ...] | None = None
    notes: tuple[str, ...] = ()
    #: who saw what was said; otherwise every annotator is taken to have seen every document
    told: bool = True
    #: who was chosen, and who stands by: systems and the reference
    roles: Roles | None = None
    #: what offsets count, where the format says it: characters, tokens, seconds, milliseconds
    unit: str | None = None
    #: the words of each document, where offsets count them
    words: tuple[tuple[str, ...] | None, ...] | None = None
    #: (document, annotator) → what is said of units beyond place and label: relations, events,
    #: attributes, notes, the fragments of discontinuous ones
    statements: Said = field(default_factory=dict)
    #: further columns of a table, a cell for each unit
    extras: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    #: what was computed on these units and may be asked again (alignments, chance samples)
    memo: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[tuple[str, str, float, float, str | None]],
        *,
        lengths: Mapping[str, float] | None = None,
        coverage: Sequence[tuple[str, str]] | None = None,
        texts: Mapping[str, str] | None = None,
        categories: Sequence[str] | None = None,
        points: bool = False,
        duplicates: str = "keep",
        notes: Sequence[str] = (),
        path: str | None = None,
        lines: Sequence[int] | None = None,
        extras: Mapping[str, Sequence[str | None]] | None = None,
    ) -> Self:
        """Build from (document, annotator, start, end, label) rows.

        `coverage` lists (document, annotator) pairs, added to those that occur in the rows; without
        it, every annotator is taken to have seen every document, and a note counts the pairs without
        a unit (see :meth:`covered`). `points` allows units of length zero. `extras` are further
        columns, a cell for each row. An annotator who marks the same twice, label and all, is an
        "error", or `duplicates` says "keep", or "first" to drop the repeats. `path` and `lines` make
        errors name the place.

        >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")], lengths={"d": 9})
        >>> len(u), u.annotators, u.lengths.tolist()
        (2, ('A', 'B'), [9.0])
        """
        columns: list[list[Any]] = [list(c) for c in zip(*rows, strict=True)] or [
            [],
            [],
            [],
            [],
            [],
        ]
        return cls.from_columns(
            columns[0],
            columns[1],
            columns[2],
            columns[3],
            columns[4],
            lengths=lengths,
            coverage=coverage,
            texts=texts,
            categories=categories,
            points=points,
            duplicates=duplicates,
            notes=notes,
            path=path,
            lines=lines,
            extras=extras,
        )

    @classmethod
    def from_columns(
        cls,
        document_names: Sequence[str],
        annotator_names: Sequence[str],
        starts: Sequence[float] | NDArray[np.float64],
        ends: Sequence[float] | NDArray[np.float64],
        labels: Sequence[str | None],
        *,
        lengths: Mapping[str, float] | None = None,
        coverage: Sequence[tuple[str, str]] | None = None,
        texts: Mapping[str, str] | None = None,
        categories: Sequence[str] | None = None,
        points: bool = False,
        duplicates: str = "keep",
        notes: Sequence[str] = (),
        path: str | None = None,
        lines: Sequence[int] | None = None,
        extras: Mapping[str, Sequence[str | None]] | None = None,
    ) -> Self:
        """Build from columns of equal length; the options are those of :meth:`from_rows`."""
        declared = coverage or ()
        size = len(document_names)
        document, documents = encode_sorted(
            document_names, [*(d for d, _ in declared), *(lengths or ())]
        )
        annotator, annotators = encode_sorted(annotator_names, [a for _, a in declared])
        raw, names = encode(labels)
        known = list(categories or sorted((n for n in names if n is not None), key=natural_key))
        label = encode_as(names, known)[raw] if size else raw
        start = np.asarray(starts, dtype=np.float64)
        end = np.asarray(ends, dtype=np.float64)
        extent = np.array([(lengths or {}).get(d, np.nan) for d in documents], dtype=np.float64)
        foreign = (label < 0) & (raw != (names.index(None) if None in names else -1))
        wrong = first_wrong(start, end, extent[document], foreign, points)
        if wrong is not None:
            i, what, hint = wrong
            raise InputError(
                f"the unit [{starts[i]}, {ends[i]}) {labels[i] or '(no label)'} of annotator "
                f"{annotator_names[i]!r} in document {document_names[i]!r} {what}",
                path=path,
                line=None if lines is None else lines[i],
                hint=hint,
            )
        seen = np.zeros((len(documents), len(annotators)), dtype=bool)
        seen[document, annotator] = True
        if coverage is None:
            if not seen.all():
                notes = (*notes, unsaid(seen, "unit"))
            seen[:] = True
        else:
            seen[
                encode_as([d for d, _ in declared], documents),
                encode_as([a for _, a in declared], annotators),
            ] = True
        order = _canonical((document, annotator, start, end, label))
        repeats = np.zeros(size, dtype=bool)
        repeats[1:] = True
        for column in (document, annotator, start, end, label):
            repeats[1:] &= column[order][1:] == column[order][:-1]
        if repeats.any() and duplicates == "error":
            second = int(np.flatnonzero(repeats)[0])
            i, first = int(order[second]), int(order[second - 1])
            raise InputError(
                f"the unit [{starts[i]}, {ends[i]}) {labels[i] or '(no label)'} of annotator "
                f"{annotator_names[i]!r} in document {document_names[i]!r} is there twice"
                + ("" if lines is None else f" (first on line {lines[first]})"),
                path=path,
                line=None if lines is None else lines[i],
                hint="drop a row, or pass `duplicates=first` to keep one or `duplicates=keep` to keep both",
            )
        if repeats.any():
            kept = duplicates == "keep"
            notes = (
                *notes,
                f"{int(repeats.sum())} units repeat another of the same annotator exactly; "
                + ("kept" if kept else "one of each is kept"),
            )
            order = order if kept else order[~repeats]
        return cls(
            documents=tuple(documents),
            annotators=tuple(annotators),
            categories=tuple(known),
            document=document[order],
            annotator=annotator[order],
            start=start[order],
            end=end[order],
            label=label[order],
            coverage=seen,
            lengths=extent,
            texts=None if texts is None else tuple(texts.get(d) for d in documents),
            notes=tuple(notes),
            told=coverage is not None,
            extras={n: [cells[i] for i in order] for n, cells in (extras or {}).items()},
        )

    @classmethod
    def from_frame(
        cls,
        frame: IntoFrame,
        *,
        document: str = "document",
        annotator: str = "annotator",
        start: str = "start",
        end: str = "end",
        label: str | Sequence[str] = "label",
        lengths: Mapping[str, float] | None = None,
        coverage: Sequence[tuple[str, str]] | None = None,
        texts: Mapping[str, str] | None = None,
        categories: Sequence[str] | None = None,
        points: bool = False,
        duplicates: str = "keep",
    ) -> Self:
        """Build from any dataframe; the first keywords name its columns, the others are those of
        :meth:`from_rows`.

        Several `label` columns become one label of several features (``PER|sg``; see the categorical
        distance *features*). Without a document column all is one document; without a label column
        units have none.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"annotator": ["A", "B"], "start": [0, 1], "end": [4, 4],
        ...                       "type": ["PER", "PER"], "number": ["sg", "pl"]})
        >>> Units.from_frame(frame, label=["type", "number"]).categories
        ('PER|pl', 'PER|sg')
        """
        from accord.data.frame import column, columns_of, written

        features = [label] if isinstance(label, str) else list(label)
        of_label = {f"label{i}": name for i, name in enumerate(features)}
        place = {"annotator": annotator, "start": start, "end": end}
        needed, free = (place, of_label) if isinstance(label, str) else (place | of_label, {})
        found = columns_of(frame, needed, {"document": document, **free})
        size = len(found["start"])

        def written_in(name: str) -> list[str | None]:
            if name not in found:
                return [None] * size
            return [None if v is None or v != v else written(v) for v in column(found[name])]

        def names(of: str) -> list[str]:
            read = [v for v in written_in(of) if v is not None]
            if len(read) < size:
                raise InputError(f"the {of} is empty in {size - len(read)} of {size} rows")
            return read

        parts = [written_in(name) for name in of_label]
        labels = parts[0]
        if len(parts) > 1:
            labels = ["|".join(v or "" for v in row) for row in zip(*parts, strict=True)]
        return cls.from_columns(
            names("document") if "document" in found else ["document"] * size,
            names("annotator"),
            np.asarray(column(found["start"]), dtype=np.float64),
            np.asarray(column(found["end"]), dtype=np.float64),
            labels,
            lengths=lengths,
            coverage=coverage,
            texts=texts,
            categories=categories,
            points=points,
            duplicates=duplicates,
        )

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per unit, in canonical order."""
        beside = [{name: cells[i] for name, cells in self.extras.items()} for i in range(len(self))]
        rows = [u._asdict() | told for u, told in zip(self, beside, strict=True)]
        return rows, (*Unit._fields, *self.extras)

    def _repr_html_(self) -> str:
        return as_html(self, [u._asdict() for u in islice(self, 10)], len(self))

    def __len__(self) -> int:
        return len(self.start)

    def __repr__(self) -> str:
        return brief(
            self,
            count(len(self), "unit"),
            count(len(self.documents), "document"),
            count(len(self.annotators), "annotator"),
            count(len(self.categories), "category", "categories"),
        )

    def __iter__(self) -> Iterator[Unit]:
        """The units as people write them, in canonical order."""
        for d, a, s, e, c in zip(
            self.document, self.annotator, self.start, self.end, self.label, strict=True
        ):
            name = None if c < 0 else self.categories[c]
            yield Unit(self.documents[d], self.annotators[a], float(s), float(e), name)

    @property
    def integral(self) -> bool:
        """All offsets are whole numbers (characters, tokens, milliseconds)."""
        return bool(np.all(self.start % 1 == 0) and np.all(self.end % 1 == 0))

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
    ) -> Self:
        """Keep only these; the list of categories stays as it is, and so does the coverage."""
        who = chosen(annotators, self.annotators, "annotator")
        where = chosen(documents, self.documents, "document")
        keep = np.isin(self.annotator, who) & np.isin(self.document, where)
        if categories is not None:
            keep &= np.isin(self.label, places(categories, self.categories, "category"))
        number_who = np.full(len(self.annotators), -1, dtype=np.int32)
        number_who[who] = np.arange(len(who), dtype=np.int32)
        number_where = np.full(len(self.documents), -1, dtype=np.int32)
        number_where[where] = np.arange(len(where), dtype=np.int32)
        document, annotator = number_where[self.document[keep]], number_who[self.annotator[keep]]
        start, end, label = self.start[keep], self.end[keep], self.label[keep]
        order = np.lexsort((label, end, start, annotator, document))
        held = np.flatnonzero(keep)[order].tolist() if self.extras else []
        return replace(
            self,
            documents=tuple(self.documents[i] for i in where),
            annotators=tuple(self.annotators[i] for i in who),
            document=document[order],
            annotator=annotator[order],
            start=start[order],
            end=end[order],
            label=label[order],
            coverage=self.coverage[np.ix_(where, who)],
            lengths=self.lengths[where],
            texts=None if self.texts is None else tuple(self.texts[i] for i in where),
            words=None if self.words is None else tuple(self.words[i] for i in where),
            statements=_chosen_statements(
                self.statements,
                {self.documents[i] for i in where.tolist()},
                {self.annotators[i] for i in who.tolist()},
            ),
            extras={name: [cells[i] for i in held] for name, cells in self.extras.items()},
            roles=None if self.roles is None else self.roles.within(documents),
        )

    def with_used_categories(self) -> Self:
        """Without the categories that no unit has."""
        used = np.unique(self.label[self.label >= 0])
        if len(used) == len(self.categories):
            return self
        number = np.full(len(self.categories) + 1, -1, dtype=np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        return replace(
            self, categories=tuple(self.categories[i] for i in used), label=number[self.label]
        )


def _chosen_statements(said: Said, documents: set[str], annotators: set[str]) -> Said:
    return {k: held for k, held in said.items() if k[0] in documents and k[1] in annotators}


def _canonical(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
    """The order that sorts rows by these columns, the first before the others.

    Files are mostly in order already, which is seen in one pass over the columns.
    """
    size = len(columns[0])
    in_order = np.ones(max(0, size - 1), dtype=bool)
    for column in columns[::-1]:
        left, right = column[:-1], column[1:]
        in_order = (left < right) | ((left == right) & in_order)
    order = np.arange(size)
    if not in_order.all():
        for column in columns[::-1]:
            order = order[np.argsort(_narrow(column)[order], kind="stable")]
    return order


def _narrow(column: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers of a small range as 16 bits, which numpy sorts by digits, else as they are."""
    low = column.min()
    if column.max() - low < 65_536:
        small: NDArray[np.uint16] = (column - low).astype(np.uint16)
        if np.array_equal(small, column - low):
            return small
    return column


def first_wrong(
    start: NDArray[np.float64],
    end: NDArray[np.float64],
    extent: NDArray[np.float64],
    foreign: NDArray[np.bool_],
    points: bool,
) -> tuple[int, str, str | None] | None:
    """The first unit that no continuum can hold: its row, what is wrong, what to do."""
    problems = (
        (~np.isfinite(start) | ~np.isfinite(end), "has an offset that is not a number", None),
        (end < start, "ends before it starts", "swap the two offsets"),
        ((end == start) & (not points), "has length zero", "drop it, or pass `points=True`"),
        (end > extent, "ends past its document's end", "check the document's length"),
        (foreign, "has a label that is not among the declared categories", None),
    )
    for wrong, what, hint in problems:
        if wrong.any():
            return int(np.argmax(wrong)), what, hint
    return None
