"""Labelled rows by document and annotator: what units, relations and boxes share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from accord.data.choose import chosen, places
from accord.data.contents import Contents, of_documents
from accord.data.coverage import Covered
from accord.data.encode import Codes, encode, encode_as, encode_sorted, natural_key
from accord.data.said import pairs_of
from accord.data.silence import silence_of
from accord.errors import InputError

if TYPE_CHECKING:
    from accord.data.roles import Roles
    from accord.data.said import Pairs

Rows = NDArray[np.int64]
Flags = NDArray[np.bool_]
T = TypeVar("T")


class Located(Covered):
    """Rows of a document and an annotator with a label each, in canonical order."""

    __slots__ = ()

    categories: tuple[str, ...]
    #: index into `categories`; -1 for none
    label: Codes
    roles: Roles | None

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

    def with_used_categories(self) -> Self:
        """Without the categories that nothing has."""
        used = np.unique(self.label[self.label >= 0])
        if len(used) == len(self.categories):
            return self
        number = np.full(len(self.categories) + 1, -1, dtype=np.int32)
        number[used] = np.arange(len(used), dtype=np.int32)
        return replace(  # type: ignore[type-var]
            self, categories=tuple(self.categories[i] for i in used), label=number[self.label]
        )

    def _selection(
        self,
        annotators: Sequence[str] | None,
        documents: Sequence[str] | None,
        categories: Sequence[str] | None,
        what: str = "category",
    ) -> Selection:
        """The rows of these annotators, documents and categories, in the order that is asked for."""
        who = chosen(annotators, self.annotators, "annotator")
        where = chosen(documents, self.documents, "document")
        keep = np.isin(self.annotator, who) & np.isin(self.document, where)
        if categories is not None:
            keep &= np.isin(self.label, places(categories, self.categories, what))
        rows = np.flatnonzero(keep)
        document = _renumbered(where, len(self.documents))[self.document[rows]]
        annotator = _renumbered(who, len(self.annotators))[self.annotator[rows]]
        # within one annotator's document the order stays
        order = np.lexsort((rows, annotator, document))
        rows = rows[order]
        return Selection(
            where=where,
            who=who,
            rows=rows,
            fields={
                "documents": tuple(self.documents[i] for i in where),
                "annotators": tuple(self.annotators[i] for i in who),
                "document": document[order],
                "annotator": annotator[order],
                "label": self.label[rows],
                "coverage": self.coverage[np.ix_(where, who)],
                "roles": None if self.roles is None else self.roles.within(documents),
            },
        )


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Which documents, annotators and rows are kept, and the fields of every shape that follow."""

    where: Rows
    who: Rows
    rows: Rows
    fields: dict[str, Any]

    def of_rows(self, cells: Sequence[Any]) -> list[Any]:
        """What the kept rows have, in a list that is no array."""
        return [cells[i] for i in self.rows.tolist()]

    def of_documents(self, held: Sequence[T] | None) -> tuple[T, ...] | None:
        """What the kept documents have; None where nothing is known."""
        return None if held is None else tuple(held[i] for i in self.where)


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The names of rows as numbers, and who saw what."""

    document: Codes
    documents: list[str]
    annotator: Codes
    annotators: list[str]
    label: Codes
    categories: list[str]
    #: rows whose label is not among the declared categories
    foreign: Flags
    seen: Flags


def encoded(
    document_names: Sequence[str],
    annotator_names: Sequence[str],
    labels: Sequence[str | None],
    *,
    coverage: Pairs | None,
    categories: Sequence[str] | None,
    documents: Iterable[str] = (),
    annotators: Iterable[str] = (),
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
        documents=all_documents,
        annotator=annotator,
        annotators=all_annotators,
        label=label,
        categories=known,
        foreign=(label < 0) & (raw != (names.index(None) if None in names else -1)),
        seen=seen,
    )


@dataclass(frozen=True, slots=True)
class Origin:
    """Where rows came from, so that an error can name the place."""

    path: str | None
    lines: Sequence[int] | None

    def error(self, row: int, what: str, hint: str | None = None) -> InputError:
        line = None if self.lines is None else self.lines[row]
        return InputError(what, path=self.path, line=line, hint=hint)

    def first(self, row: int) -> str:
        return "" if self.lines is None else f" (first on line {self.lines[row]})"


def canonical_order(columns: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
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


def settle_repeats(
    order: Rows,
    columns: Sequence[NDArray[Any]],
    duplicates: str,
    *,
    what: str,
    name: Callable[[int], str],
    origin: Origin,
    keepable: bool = True,
) -> tuple[Rows, tuple[str, ...]]:
    """The canonical order without the rows that repeat the one before, and the note that says so.

    `columns` are all that a row consists of. Repeats are an error where `duplicates` is "error"; they stay
    with "keep", unless they are not `keepable`. `what` calls several rows, `name` one of them.
    """
    repeats = np.zeros(len(order), dtype=bool)
    repeats[1:] = True
    for column in columns:
        sorted_ = column[order]
        repeats[1:] &= sorted_[1:] == sorted_[:-1]
    if not repeats.any():
        return order, ()
    if duplicates == "error":
        second = int(np.flatnonzero(repeats)[0])
        first, again = sorted((int(order[second - 1]), int(order[second])))
        choices = "pass `duplicates=first` to keep one"
        choices += " or `duplicates=keep` to keep both" if keepable else ""
        raise origin.error(
            again, f"{name(again)} is there twice{origin.first(first)}", f"drop a row, or {choices}"
        )
    kept = duplicates == "keep" and keepable
    note = f"{int(repeats.sum())} {what} repeat another of the same annotator exactly; " + (
        "kept" if kept else "one of each is kept"
    )
    return (order if kept else order[~repeats]), (note,)


def _renumbered(kept: Rows, size: int) -> Codes:
    """The new number of each old one, -1 for what is not kept."""
    number = np.full(size, -1, dtype=np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    return number


def _narrow(column: NDArray[Any]) -> NDArray[Any]:
    """Whole numbers of a small range as 16 bits, which numpy sorts by digits, else as they are."""
    low = column.min()
    if column.max() - low < 65_536:
        small: NDArray[np.uint16] = (column - low).astype(np.uint16)
        if np.array_equal(small, column - low):
            return small
    return column
