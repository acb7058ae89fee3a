"""Units: located, labelled units on a continuum (text, audio, video)."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import as_html, brief, count
from accord.data.encode import Codes
from accord.data.located import Located, Origin, canonical_order, encoded, settle_repeats
from accord.data.protocol import Shape
from accord.data.said import lengths_by_document
from accord.data.statements import Said

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame

    from accord.data.reading import Provenance
    from accord.data.roles import Roles
    from accord.data.said import Lengths, Pairs


class Unit(NamedTuple):
    """One unit as people write it."""

    document: str
    annotator: str
    start: float
    end: float
    label: str | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Units(Located):
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
    #: what reading kept of itself: see :attr:`reading`
    provenance: Provenance | None = None
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
        lengths: Lengths | None = None,
        coverage: Pairs | None = None,
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

        `coverage` lists (document, annotator) pairs (or maps documents to annotators, or is a dataframe
        of these columns; `lengths` likewise), added to those that occur in the rows; without
        it, every annotator is taken to have seen every document, which :attr:`reading` says (see
        :meth:`covered`). `points` allows units of length zero. `extras` are further
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
        lengths: Lengths | None = None,
        coverage: Pairs | None = None,
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
        extents = lengths_by_document(lengths)
        rows = encoded(
            document_names,
            annotator_names,
            labels,
            coverage=coverage,
            categories=categories,
            documents=extents,
        )
        origin = Origin(path, lines)
        start = np.asarray(starts, dtype=np.float64)
        end = np.asarray(ends, dtype=np.float64)
        extent = np.array([extents.get(d, np.nan) for d in rows.documents], dtype=np.float64)

        def name(i: int) -> str:
            return (
                f"the unit [{starts[i]}, {ends[i]}) {labels[i] or '(no label)'} of annotator "
                f"{annotator_names[i]!r} in document {document_names[i]!r}"
            )

        wrong = first_wrong(start, end, extent[rows.document], rows.foreign, points)
        if wrong is not None:
            i, what, hint = wrong
            raise origin.error(i, f"{name(i)} {what}", hint)
        columns = (rows.document, rows.annotator, start, end, rows.label)
        order, repeated = settle_repeats(
            canonical_order(columns), columns, duplicates, what="units", name=name, origin=origin
        )
        return cls(
            documents=tuple(rows.documents),
            annotators=tuple(rows.annotators),
            categories=tuple(rows.categories),
            document=rows.document[order],
            annotator=rows.annotator[order],
            start=start[order],
            end=end[order],
            label=rows.label[order],
            coverage=rows.seen,
            lengths=extent,
            texts=None if texts is None else tuple(texts.get(d) for d in rows.documents),
            notes=(*notes, *repeated),
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
        lengths: Lengths | None = None,
        coverage: Pairs | None = None,
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
        from accord.data.frame import column, columns_of, names, words

        features = [label] if isinstance(label, str) else list(label)
        of_label = {f"label{i}": name for i, name in enumerate(features)}
        place = {"annotator": annotator, "start": start, "end": end}
        needed, free = (place, of_label) if isinstance(label, str) else (place | of_label, {})
        found = columns_of(frame, needed, {"document": document, **free})
        size = len(found["start"])
        empty: list[str | None] = [None] * size
        parts = [words(found[n]) if n in found else empty for n in of_label]
        labels = parts[0]
        if len(parts) > 1:
            labels = ["|".join(v or "" for v in row) for row in zip(*parts, strict=True)]
        return cls.from_columns(
            names(found["document"], "document") if "document" in found else ["document"] * size,
            names(found["annotator"], "annotator"),
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
        kept = self._selection(annotators, documents, categories)
        rows, chosen = kept.rows, kept.fields
        return replace(
            self,
            **chosen,
            start=self.start[rows],
            end=self.end[rows],
            lengths=self.lengths[kept.where],
            texts=kept.of_documents(self.texts),
            words=kept.of_documents(self.words),
            statements=_chosen_statements(
                self.statements, set(chosen["documents"]), set(chosen["annotators"])
            ),
            extras={name: kept.of_rows(cells) for name, cells in self.extras.items()},
        )


def _chosen_statements(said: Said, documents: set[str], annotators: set[str]) -> Said:
    return {k: held for k, held in said.items() if k[0] in documents and k[1] in annotators}


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
