"""Annotations of documents: what units, relations, boxes, segments and chains share."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Self, SupportsIndex, TypedDict, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import as_html, brief, count
from accord.data.contents import Contents, of_documents
from accord.data.encode import (
    Codes,
    encode,
    encode_as,
    encode_sorted,
    label_of,
    natural_key,
    picked,
)
from accord.data.names import chosen, places
from accord.data.protocol import Shape
from accord.data.reading import Provenance, Record
from accord.data.said import pairs_of, seen_word
from accord.data.schema import SCHEMAS, Schema
from accord.data.silence import silence_of
from accord.data.tabular import Tabular
from accord.errors import InputError, UsageError, did_you_mean, some
from accord.options.reading import words_of

if TYPE_CHECKING:
    from accord.data.roles import Roles
    from accord.data.said import Pairs

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]
T = TypeVar("T")
#: rows with something wrong, what it is and what to do; the row of one with the same
Problem = tuple[Flags, str, str | None]
Wrong = tuple[int, str, str | None]


class Beside(TypedDict, total=False):
    """What may be told beside the rows of any located shape; its `from_rows` says what each does."""

    coverage: Pairs | None
    categories: Sequence[str] | None
    duplicates: str
    notes: Sequence[str]
    path: str | None
    lines: Sequence[int] | None
    extras: Mapping[str, Sequence[str | None]] | None


class Names(tuple[str, ...]):
    """Names that are found among each other at once: everybody asks where a document stands.

    >>> Names("ab").index("b"), "c" in Names("ab")
    (1, False)
    """

    def index(self, name: Any, *among: SupportsIndex) -> int:
        if among or not isinstance(name, str) or name not in self._place:
            return super().index(name, *among)
        return self._place[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._place

    def __reduce__(self) -> tuple[type[Names], tuple[tuple[str, ...]]]:
        # workers are sent the names alone
        return Names, (tuple(self),)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: i for i, name in reversed(list(enumerate(self)))}


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Documented(Tabular):
    """Annotations of documents by annotators."""

    shape: ClassVar[Shape]

    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    notes: tuple[str, ...] = ()
    #: who was chosen, and who stands by: systems and the reference
    roles: Roles | None = None
    #: what reading kept of itself: see :attr:`reading`
    provenance: Provenance | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.documents, Names):
            object.__setattr__(self, "documents", Names(self.documents))

    @property
    def schema(self) -> Schema:
        """What the shape is made of."""
        return SCHEMAS[self.shape]

    @property
    def _height(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    @property
    def who_saw(self) -> Flags:
        """Documents × annotators: whether this one saw that.

        >>> from accord.data import Segments
        >>> Segments.from_masses([("d", "A", [2, 3]), ("e", "A", [4]), ("e", "B", [4])]).who_saw.tolist()
        [[True, False], [True, True]]
        """
        raise NotImplementedError

    def seen_pairs(self) -> list[tuple[str, str]]:
        """Who saw what, as pairs (document, annotator) of names."""
        pairs = np.argwhere(self.who_saw).tolist()
        return [(self.documents[d], self.annotators[a]) for d, a in pairs]

    def rows(self) -> Iterator[Mapping[str, object]]:
        """The rows of the table, in canonical order."""
        raise NotImplementedError

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        return list(self.rows()), self.columns

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the table."""
        return ("document", "annotator", *self.schema.ways[0])

    def _repr_html_(self) -> str:
        return as_html(self, self.first_rows(10), self._height)

    def first_rows(self, most: int) -> list[Mapping[str, object]]:
        return list(islice(self.rows(), most))

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        """Keep only these annotators and documents, in the order that is asked for."""
        return replace(self, **self._selected(annotators, documents))

    def __getitem__(self, who: str | Sequence[str]) -> Self:
        """Return what these annotators did, also systems and the reference that stand by.

        >>> from accord.data import Ratings
        >>> Ratings.from_matrix([["a", "b"], ["a", "a"]])["A2"].annotators
        ('A2',)
        """
        names = (
            [who] if isinstance(who, str) else list(who) if isinstance(who, list | tuple) else []
        )
        if not names or not all(isinstance(name, str) for name in names):
            raise UsageError(f"data are asked for annotators by their names, got {who!r}")
        there: Any = self
        if self.roles is not None and not {*names} <= {*self.annotators}:
            there = self.roles.everybody
        found: Self = there.select(annotators=names)
        return found

    def where(self, **columns: object) -> Self:
        """Keep what has these words in these columns: those that were kept beside the annotations.

        A word, or a list of words; `annotator`, `document` (and `item` and `label`) are columns too.

        >>> import accord
        >>> rows = [("i", "A", "x", "chat"), ("j", "A", "y", "mail")]
        >>> table = [dict(zip(("item", "annotator", "value", "source"), row)) for row in rows]
        >>> list(accord.read(table).where(source="chat").items)
        ['i']
        """
        given: Mapping[str, Any] = columns
        wanted = {name: words_of(words) for name, words in given.items()}
        chosen = {_CHOICES[name]: words for name, words in wanted.items() if name in _CHOICES}
        rest = {name: words for name, words in wanted.items() if name not in _CHOICES}
        made: Any = self.select(**chosen)
        made = made._where_columns(rest) if rest else made
        if made.roles is not None and rest:
            everybody = made.roles.everybody._where_columns(rest)
            made = replace(made, roles=replace(made.roles, everybody=everybody))
        kept = made.provenance or Provenance()
        told = ";".join(f"{name}={','.join(words)}" for name, words in wanted.items())
        asked = {**kept.asked, "where": told}
        found: Self = replace(made, provenance=replace(kept, asked=asked))
        return found

    def _where_columns(self, wanted: Mapping[str, Sequence[str]]) -> Self:
        """Keep what has these words in columns that were kept."""
        raise UsageError(f"{self.shape} keep no columns; choose by annotator or document")

    def _kept(
        self, wanted: Mapping[str, Sequence[str]], columns: Mapping[str, Sequence[object]]
    ) -> Flags:
        """Which rows have the words that are wanted."""
        flags = []
        for name, words in wanted.items():
            if name not in columns:
                known = [*columns, *_CHOICES]
                raise UsageError(
                    f"the data have no column {name!r}; they have {some(known)}"
                    f"{did_you_mean(name, known)}"
                )
            cells = ["" if cell is None else label_of(cell) for cell in columns[name]]
            places(words, list(dict.fromkeys(cells)), f"{name}")
            flags.append(np.isin(np.array(cells, dtype=object).astype(str), list(words)))
        return np.asarray(np.logical_and.reduce(flags))

    def _selected(
        self,
        annotators: Sequence[str] | None,
        documents: Sequence[str] | None,
        keep: Flags | None = None,
    ) -> dict[str, Any]:
        """The fields of a choice, of the rows to `keep`; what the schema says of each tells how."""
        who = chosen(annotators, self.annotators, "annotator")
        where = chosen(documents, self.documents, "document")
        fields: dict[str, Any] = {
            "documents": picked(self.documents, where),
            "annotators": picked(self.annotators, who),
            "roles": None if self.roles is None else self.roles.within(documents),
        }
        for name in self.schema.of_document:
            fields[name] = picked(getattr(self, name), where)
        for name in self.schema.of_pair:
            fields[name] = _of_pairs(getattr(self, name), where, who)
        if self.schema.of_row:
            fields |= self._selected_rows(where, who, keep)
        return fields | self._followed(fields, where, who)

    def _selected_rows(self, where: Rows, who: Rows, keep: Flags | None) -> dict[str, Any]:
        old: tuple[Codes, Codes] = self.document, self.annotator  # type: ignore[attr-defined]
        document = renumbered(where, len(self.documents))[old[0]]
        annotator = renumbered(who, len(self.annotators))[old[1]]
        among = (document >= 0) & (annotator >= 0)
        rows = np.flatnonzero(among if keep is None else among & keep)
        # within one annotator's document the order stays
        rows = rows[np.lexsort((rows, annotator[rows], document[rows]))]
        fields = {name: picked(getattr(self, name), rows) for name in self.schema.of_row}
        return fields | {"document": document[rows], "annotator": annotator[rows]}

    def _followed(self, fields: Mapping[str, Any], where: Rows, who: Rows) -> dict[str, Any]:
        """What else a choice of documents and annotators changes."""
        return {}


#: columns that `where` chooses by as `select` does
_CHOICES = {
    "annotator": "annotators",
    "document": "documents",
    "item": "items",
    "label": "labels",
    "value": "labels",
}


def _of_pairs(held: Any, where: Rows, who: Rows) -> Any:
    """The same of what stands by document and annotator: a table, a set or a mapping of pairs."""
    if held is None or isinstance(held, np.ndarray):
        return None if held is None else held[np.ix_(where, who)]
    new = {
        (i, j): (d, a)
        for i, d in enumerate(where.tolist())
        for j, a in enumerate(who.tolist())
        if (d, a) in held
    }
    if not isinstance(held, Mapping):
        return frozenset(new)
    return {pair: held[old] for pair, old in new.items()}


def renumbered(kept: Rows, size: int) -> Codes:
    """The new number of each old one, -1 for what is not kept."""
    number = np.full(size, -1, dtype=np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    return number


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Located(Documented):
    """Rows of a document and an annotator with a label each, in canonical order, and who saw what."""

    categories: tuple[str, ...]
    document: Codes
    annotator: Codes
    #: index into `categories`; -1 for none
    label: Codes
    #: documents × annotators: who saw what
    coverage: NDArray[np.bool_]
    #: who saw what was said; otherwise every annotator is taken to have seen every document
    told: bool = True
    #: further columns of a table, a cell for each row
    extras: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    #: what was computed on these data and may be asked again (alignments, chance samples)
    memo: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("document", "annotator", *self.schema.ways[0], "label", *self.extras)

    def rows(self) -> Iterator[Mapping[str, object]]:
        columns = self.columns
        for row, *extras in zip(self._cells(), *self.extras.values(), strict=True):
            yield dict(zip(columns, (*row, *extras), strict=True))

    def _cells(self) -> Iterable[Iterable[object]]:
        """The rows as tables hold them, without further columns."""
        return iter(self)

    def _named(self) -> tuple[Iterator[str], Iterator[str], Iterator[str | None]]:
        """The document, the annotator and the label of each row, by name."""
        labels: tuple[str | None, ...] = (*self.categories, None)
        return (
            map(self.documents.__getitem__, self.document.tolist()),
            map(self.annotators.__getitem__, self.annotator.tolist()),
            map(labels.__getitem__, self.label.tolist()),
        )

    @property
    def places(self) -> list[NDArray[Any]]:
        """The numbers that say where things are."""
        return [getattr(self, name) for name in self.schema.places]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The rows as people write them."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.label)

    @property
    def _height(self) -> int:
        return len(self)

    @property
    def who_saw(self) -> Flags:
        return self.coverage

    def __repr__(self) -> str:
        return brief(
            self,
            count(len(self), self.schema.row),
            count(len(self.documents), self.schema.document),
            count(len(self.annotators), "annotator"),
            count(len(self.categories), *self.schema.category),
        )

    def contents(self) -> Contents:
        """Count who marked how much, and how much of it several people have seen."""
        return of_documents(
            self,
            self.document,
            self.annotator,
            self.coverage,
            labels=self.categories,
            silence=silence_of(self),
        )

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
    ) -> Self:
        """Keep only these; the list of categories stays as it is, and so does the coverage.

        `labels` is another name of `categories`.
        """
        keep = None
        categories = labels if categories is None else categories
        if categories is not None:
            keep = np.isin(self.label, places(categories, self.categories, self.schema.category[0]))
        return replace(self, **self._selected(annotators, documents, keep))

    def _where_columns(self, wanted: Mapping[str, Sequence[str]]) -> Self:
        return replace(self, **self._selected(None, None, self._kept(wanted, self.extras)))

    def with_used_categories(self) -> Self:
        """Without the categories that nothing has."""
        used = np.unique(self.label[self.label >= 0]).astype(np.int64)
        if len(used) == len(self.categories):
            return self
        number = renumbered(used, len(self.categories) + 1)
        return replace(
            self, categories=tuple(self.categories[i] for i in used), label=number[self.label]
        )

    @property
    def assumed(self) -> bool:
        """Nobody said who saw what, and some annotator marked nothing in some document."""
        return not self.told and not bool(self.marked.all())

    @property
    def seen(self) -> str | None:
        """Who saw what, in a word: all, only who marked something, or a table; None where it is plain."""
        return seen_word(self.marked, self.coverage)

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Documents × annotators: who marked something there."""
        marked = np.zeros_like(self.coverage)
        marked[self.document, self.annotator] = True
        return marked

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Of each row, whether two annotators or more have seen its document: what agreement rests on."""
        several: NDArray[np.bool_] = self.coverage.sum(axis=1) > 1
        return several[self.document]

    @property
    def compared(self) -> int:
        """How many rows agreement rests on."""
        return int(self.shared.sum())

    def marked_pairs(self) -> list[list[int]]:
        """(document, annotator) where something was marked, by number."""
        pairs: list[list[int]] = np.argwhere(self.marked).tolist()
        return pairs

    def covered(self, seen: str | Iterable[tuple[str, str]]) -> Self:
        """The same with another answer to who saw what.

        "all": every annotator every document; "marked": only those who marked something there; or
        the pairs (document, annotator), to which those who marked something are added.

        >>> from accord.data.units import Units
        >>> u = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x"), ("e", "A", 5, 9, "x")])
        >>> u.assumed, int(u.covered("marked").coverage.sum())
        (True, 3)
        """
        marked = self.marked
        if isinstance(seen, str):
            if seen not in ("all", "marked"):
                raise UsageError(f"seen must be all, marked or a table of pairs, got {seen!r}")
            found = np.ones_like(marked) if seen == "all" else marked
        else:
            found = marked
            for name, who in seen:
                where = places([name], self.documents, "document")
                found[where, places([who], self.annotators, "annotator")] = True
        kept = None if self.provenance is None else self.provenance.without("seen")
        return replace(self, coverage=found, told=True, provenance=kept)


#: fields that all shapes share: of all rows together, and of each
_OF_ALL = ("documents", "annotators", "categories", "coverage", "told")
_OF_ROWS = ("document", "annotator", "label", "extras")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Encoded:
    """The names of rows as numbers, and what was told of them."""

    document: Codes
    annotator: Codes
    label: Codes
    #: rows whose label is not among the declared categories
    foreign: Flags
    documents: tuple[str, ...]
    annotators: tuple[str, ...]
    categories: tuple[str, ...]
    coverage: Flags
    told: bool
    extras: Mapping[str, Sequence[str | None]]
    duplicates: str
    notes: Sequence[str]
    origin: Origin

    def of_documents(self, held: Mapping[str, T] | None) -> tuple[T | None, ...] | None:
        """What a mapping has for each document; None where there is none."""
        return None if held is None else tuple(held.get(d) for d in self.documents)

    def settled(
        self,
        places: Sequence[NDArray[Any]],
        *,
        what: str,
        beside: Sequence[NDArray[Any]] = (),
        notes: Sequence[str] = (),
        keepable: bool = True,
    ) -> tuple[Rows, dict[str, Any]]:
        """The canonical order of the rows, and the fields that all shapes share.

        Rows are sorted by document, annotator, `places`, label and what stands `beside`. Of those that
        repeat another one counts; all stay where `duplicates` is "keep", unless they are not
        `keepable`. `what` calls several rows.
        """
        columns = (self.document, self.annotator, *places, self.label, *beside)
        order = canonical_order(columns)
        repeats = np.zeros(len(order), dtype=bool)
        repeats[1:] = True
        for column in columns:
            sorted_ = column[order]
            repeats[1:] &= sorted_[1:] == sorted_[:-1]
        record = Record()
        if repeats.any():
            n = int(repeats.sum())
            if self.duplicates == "keep" and keepable:
                why = "each repeats another of the same annotator exactly"
                record.assume(f"{n:,} repeated {what} count", ("duplicates", "first"), why=why)
            else:
                record.repeated(what, n, keep=("duplicates", "keep") if keepable else None)
                order = order[~repeats]
        return order, {
            **{name: getattr(self, name) for name in _OF_ALL},
            **{n: picked(getattr(self, n), order) for n in _OF_ROWS},
            "notes": (*self.notes, *notes),
            "provenance": record.own(),
        }


def encoded(
    document_names: Sequence[str],
    annotator_names: Sequence[str],
    labels: Sequence[str | None],
    *,
    documents: Iterable[str] = (),
    annotators: Iterable[str] = (),
    coverage: Pairs | None = None,
    categories: Sequence[str] | None = None,
    duplicates: str = "keep",
    notes: Sequence[str] = (),
    path: str | None = None,
    lines: Sequence[int] | None = None,
    extras: Mapping[str, Sequence[str | None]] | None = None,
) -> Encoded:
    """Names as numbers: those of the rows, of the `coverage`, and `documents` and `annotators` beside them.

    Without a `coverage` every annotator is taken to have seen every document.
    """
    declared = () if coverage is None else pairs_of(coverage, "coverage")
    document, all_documents = encode_sorted(document_names, [*(d for d, _ in declared), *documents])
    annotator, all_annotators = encode_sorted(
        annotator_names, [*(a for _, a in declared), *annotators]
    )
    raw, names = encode(labels)
    known = list(categories or sorted((n for n in names if n is not None), key=natural_key))
    label = encode_as(names, known)[raw] if len(labels) else raw
    seen = np.zeros((len(all_documents), len(all_annotators)), dtype=bool)
    seen[document, annotator] = True
    if coverage is None:
        seen[:] = True
    else:
        seen[
            encode_as([d for d, _ in declared], all_documents),
            encode_as([a for _, a in declared], all_annotators),
        ] = True
    return Encoded(
        document=document,
        annotator=annotator,
        label=label,
        foreign=(label < 0) & (raw != (names.index(None) if None in names else -1)),
        documents=tuple(all_documents),
        annotators=tuple(all_annotators),
        categories=tuple(known),
        coverage=seen,
        told=coverage is not None,
        extras=extras or {},
        duplicates=duplicates,
        notes=notes,
        origin=Origin(path, lines),
    )


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rows came from, so that an error can name the place."""

    path: str | None
    lines: Sequence[int] | None

    def error(self, row: int, what: str, hint: str | None = None) -> InputError:
        line = None if self.lines is None else self.lines[row]
        return InputError(what, path=self.path, line=line, hint=hint)


def first_of(problems: Iterable[Problem]) -> Wrong | None:
    """The first row that cannot be: its number, what is wrong with it, what to do.

    >>> first_of([(np.array([False, True]), "ends before it starts", None)])
    (1, 'ends before it starts', None)
    """
    found = ((int(np.argmax(wrong)), what, hint) for wrong, what, hint in problems if np.any(wrong))
    return next(found, None)


def canonical_order(columns: Sequence[NDArray[Any]] | NDArray[Any]) -> NDArray[np.int64]:
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
