"""Ratings: a value per given item and annotator."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.brief import as_html, brief, count
from accord.data.contents import Contents, of_items
from accord.data.encode import Codes, encode, picked
from accord.data.encode import label_of as label_of
from accord.data.frame import column, declared, in_memory, opened, refuse_lacking
from accord.data.label_sets import LabelSets
from accord.data.located import Documented, renumbered
from accord.data.names import places
from accord.data.probabilities import PREFIX, Probabilities
from accord.data.protocol import Shape
from accord.data.reading import OpenQuestionError
from accord.data.sums import Sums
from accord.data.values import Kind as Kind
from accord.errors import InputError, UsageError

if TYPE_CHECKING:
    from narwhals.typing import IntoFrame


class Engine(Protocol):
    """Where counted items came from: it can count again, and fetch the single items."""

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Engine:
        """The same for a choice of annotators or documents."""
        ...

    def renamed(self, names: Mapping[str, str]) -> Engine:
        """The same with other names for annotators."""
        ...

    def used(self, kind: Kind | None) -> Engine:
        """The same without the items and the values that those chosen have nothing of."""
        ...

    @property
    def few(self) -> bool:
        """The single items are few enough to be fetched."""
        ...

    def counted(self) -> Ratings: ...

    def single(self) -> Ratings: ...

    def by_item(self) -> Iterator[ItemRun]:
        """All ratings, so many whole items at a time."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class ItemRun:
    """Ratings of some items, side by side: those of item i at ``indptr[i]:indptr[i + 1]``."""

    #: names, as an array
    items: NDArray[Any]
    indptr: NDArray[np.int64]
    annotator: Codes
    code: Codes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ratings(Documented):
    """Who gave which value to which item, as a ragged table sorted by item, then annotator.

    The ratings of item i stand at ``indptr[i]:indptr[i + 1]`` in `annotator` and `code`, which
    index `annotators` and `values`. Missing ratings are simply absent. Build it with
    :func:`accord.read`, :func:`accord.data.tables.ratings_from_long` or :meth:`from_matrix`.

    >>> ratings = Ratings.from_matrix([["a", "b"], ["a", "a"]], annotators=["Ana", "Ben"])
    >>> ratings.annotators, ratings.n_items
    (('Ana', 'Ben'), 2)
    """

    shape: ClassVar[Shape] = "ratings"

    items: Sequence[Hashable]
    #: the distinct values in canonical (or declared) order; an array when they are numbers
    values: Sequence[Any]
    kind: Kind
    indptr: NDArray[np.int64]
    annotator: Codes
    code: Codes
    #: the categories were declared, so unused ones count; otherwise they are those observed
    declared: bool = False
    #: labels that sets may hold, when they were declared
    universe: tuple[str, ...] = ()
    #: the order of `values` means something
    ordered: bool = False
    documents: tuple[str, ...] = ()
    #: document of each item, when there are documents
    document: Codes | None = None
    #: batch or moment of each item, when there is one, and its names
    times: tuple[str, ...] = ()
    time: Codes | None = None
    #: how many identical items each row stands for (data counted by an engine)
    multiplicity: NDArray[np.int64] | None = None
    #: importance of each item
    weights: NDArray[np.float64] | None = None
    #: how probable each value is, rating by rating, when the file says so; codes are then the answers
    probabilities: Probabilities | None = None
    #: repeated judgements of one annotator on one item: (item, annotator, codes in input order)
    repeats: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    #: further columns of the file: name → a cell per item; the text of the items is "text"
    extras: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    #: only counted per category: which annotator gave which rating is not known
    anonymous: bool = False
    #: numbers of which only sums are known; the ratings themselves are then not here
    sums: Sums | None = None
    #: what counted the items, and can do so again for a choice of annotators, or fetch them
    engine: Engine | None = None
    _profiles: dict[str, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if self.probabilities is not None and len(self.probabilities.share) != len(self.code):
            raise ValueError("the probabilities must belong to the ratings")

    def __repr__(self) -> str:
        kinds = len(self.values)
        return brief(
            self,
            count(self.n_ratings, "rating"),
            count(self.n_items, "item"),
            count(len(self.documents), "document") if self.documents else "",
            count(len(self.annotators), "annotator"),
            count(kinds, "category", "categories")
            if self.kind == "categories"
            else count(kinds, f"distinct {self.kind[:-1]}"),
        )

    def _repr_html_(self) -> str:
        whole = len(self.code)
        return as_html(self, [self._row(j) for j in range(min(10, whole))], whole)

    # --- sizes -------------------------------------------------------------------------------

    @property
    def n_items(self) -> int:
        """Number of items, each counted as often as it occurs."""
        if self.sums is not None:
            return int(self.sums.items.sum())
        if self.multiplicity is not None:
            return int(self.multiplicity.sum())
        return len(self.indptr) - 1

    @property
    def n_ratings(self) -> int:
        if self.sums is not None:
            return int(self.sums.ratings.sum())
        if self.multiplicity is not None:
            return int(self.multiplicity @ self.per_item)
        return len(self.code)

    @property
    def per_item(self) -> NDArray[np.int64]:
        """Number of ratings of each row."""
        return np.diff(self.indptr)

    @property
    def item(self) -> NDArray[np.int64]:
        """Item of each rating."""
        return np.repeat(np.arange(len(self.indptr) - 1), self.per_item)

    @property
    def times_each(self) -> NDArray[np.int64]:
        """How many ratings each entry of `code` stands for."""
        if self.multiplicity is None:
            return np.ones(len(self.code), dtype=np.int64)
        return self.multiplicity[self.item]

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The distinct values as numbers."""
        if self.kind != "numbers":
            label = next((v for v in self.values), "")
            raise UsageError(
                f"this needs numeric values, got {self.kind} such as {label_of(label)!r}; "
                "use a nominal metric, or declare their order with `categories=low<mid<high`"
            )
        return np.asarray(self.values, dtype=np.float64)

    @property
    def labels(self) -> tuple[str, ...]:
        """The distinct values as people read them."""
        return tuple(label_of(v) for v in self.values)

    @property
    def texts(self) -> Mapping[str, str]:
        """The text of each item that has one, by the item's name."""
        cells = self.extras.get("text", ())
        return {label_of(i): t for i, t in zip(self.items, cells, strict=False) if t}

    # --- building ----------------------------------------------------------------------------

    @staticmethod
    def from_matrix(
        matrix: NDArray[np.generic] | Sequence[Sequence[object]],
        *,
        orientation: Literal["items", "annotators"] | None = None,
        annotators: Sequence[str] | None = None,
        items: Sequence[Hashable] | None = None,
        categories: Sequence[object] | None = None,
        ordered: bool = False,
        kind: Kind | None = None,
    ) -> Ratings:
        """Read a table with one row per annotator and one column per item; None or NaN is missing.

        A table of more rows than columns needs to be told what a row is, by `orientation` ("items" or
        "annotators") or by the names of `annotators` or `items`.
        `categories` declares the categories, a set: their order counts where `ordered` says so, or
        where they are typed ``"low<mid<high"``. Numbers are ordered by themselves.
        `kind` "objects" keeps the values as they are (lists as tuples), for a distance of one's own.

        >>> r = Ratings.from_matrix([["a", "b", None], ["a", "a", "b"]])
        >>> r.n_items, r.n_ratings, r.labels
        (3, 5, ('a', 'b'))
        >>> Ratings.from_matrix([["a", "a"], ["b", "a"], ["b", "b"]], orientation="items").n_items
        3
        """
        from accord.data.tables import orientation_question, ratings_from_wide

        rows: list[Any] = list(matrix)
        if len({len(r) for r in rows}) > 1:
            raise InputError("the rows of the matrix have different lengths")
        if orientation not in (None, "items", "annotators"):
            raise UsageError(f"`orientation` must be items or annotators, got {orientation!r}")
        named = annotators is not None or items is not None
        if orientation is None and not named and rows and len(rows) > len(rows[0]) > 0:
            raise OpenQuestionError(orientation_question(rows))
        if orientation == "items":
            rows = list(zip(*rows, strict=True))
        names = annotators if annotators is not None else [f"A{i + 1}" for i in range(len(rows))]
        if len(names) != len(rows):
            raise InputError(f"{len(rows)} rows of ratings but {len(names)} annotators")
        return ratings_from_wide(
            dict(zip(names, rows, strict=True)),
            items=items,
            categories=categories,
            ordered=ordered,
            kind=kind,
        )

    @staticmethod
    def from_frame(
        frame: IntoFrame,
        *,
        item: str = "item",
        annotator: str = "annotator",
        value: str = "value",
        document: str = "document",
        time: str = "time",
        weight: str = "weight",
        text: str = "text",
        categories: Sequence[object] | None = None,
        ordered: bool = False,
        duplicates: str = "error",
    ) -> Ratings:
        """Build from any dataframe with one row per rating; the keywords name its columns.

        An ordered categorical (pandas) or an enum (polars) declares the categories and their order;
        `categories` alone declares a set, which `ordered` makes an order.
        For a frame with one column per annotator use ``accord.read(frame, wide=True)``.

        >>> import polars as pl
        >>> frame = pl.DataFrame({"post": [1, 1, 2], "who": ["A", "B", "A"], "mood": ["x", "y", "y"]})
        >>> Ratings.from_frame(frame, item="post", annotator="who", value="mood")
        Ratings(3 ratings, 2 items, 2 annotators, 2 categories)
        """
        from accord.data.tables import ratings_from_long

        table = in_memory(opened(frame))
        called = {"item": item, "annotator": annotator, "value": value}
        for role, name in called.items():
            refuse_lacking(table, [name], role)
        called |= {"document": document, "time": time, "weight": weight, "text": text}
        cells = {r: column(table[n]) for r, n in called.items() if n in table.columns}
        shares = [n for n in table.columns if n.startswith(PREFIX)]
        order = declared(table[value])
        if order is not None and (categories is None or {*map(str, categories)} == {*order}):
            categories, ordered = order, True
        return ratings_from_long(
            cells["item"],
            cells["annotator"],
            cells["value"],
            documents=cells.get("document"),
            times=cells.get("time"),
            weights=cells.get("weight"),
            extras={"text": cells["text"]} if "text" in cells else None,
            probabilities={n[len(PREFIX) :]: column(table[n]) for n in shares},
            categories=categories,
            ordered=ordered,
            duplicates=duplicates,
        )

    def contents(self) -> Contents:
        """Count who gave how much, and how much of it several people have."""
        return of_items(self)

    def _as(self, found: Ratings) -> Self:
        """What an engine counted anew, of the same source."""
        held = {f.name: getattr(found, f.name) for f in fields(found)}
        return replace(self, **{**held, "provenance": self.provenance})

    @property
    def _height(self) -> int:
        return len(self.code)

    @property
    def who_saw(self) -> NDArray[np.bool_]:
        """Nobody is said to have seen a document: ratings are of items."""
        return np.zeros((len(self.documents), len(self.annotators)), dtype=bool)

    @property
    def columns(self) -> tuple[str, ...]:
        return ("item", "annotator", "value")

    def rows(self) -> Iterator[Mapping[str, object]]:
        """Return one row per rating; of counted items too many to be fetched, one per rating of a profile.

        >>> Ratings.from_matrix([["a", "b"], ["a", "a"]]).to_frame(backend="polars").shape
        (4, 3)
        """
        data = self.fetched()
        return map(data._row, range(len(data.code)))

    def _row(self, j: int) -> dict[str, Any]:
        """Rating j as a row."""
        i = int(np.searchsorted(self.indptr, j, side="right")) - 1
        value = self.values[self.code[j]]
        row: dict[str, Any] = {
            "item": label_of(self.items[i]),
            "annotator": self.annotators[self.annotator[j]],
            "value": float(value) if self.kind == "numbers" else label_of(value),
        }
        if self.document is not None:
            row["document"] = self.documents[self.document[i]]
        if self.time is not None and self.time[i] >= 0:
            row["time"] = self.times[self.time[i]]
        row |= {name: cells[i] for name, cells in self.extras.items()}
        if self.probabilities is not None:
            shares = self.probabilities.share[j].tolist()
            row |= {f"{PREFIX}{k}": p for k, p in zip(self.labels, shares, strict=True)}
        if self.multiplicity is not None:
            row["count"] = int(self.multiplicity[i])
        return row

    @staticmethod
    def from_probabilities(
        columns: Mapping[str, Sequence[float] | NDArray[np.float64]],
        *,
        annotator: str = "system",
        items: Sequence[Hashable] | None = None,
    ) -> Ratings:
        """Build from answers that are probabilities: for each label, its probability on every item.

        >>> r = Ratings.from_probabilities({"x": [0.6, 0.1], "y": [0.4, 0.9]})
        >>> r.labels, [r.labels[c] for c in r.code]
        (('x', 'y'), ['x', 'y'])
        """
        from accord.data.tables import ratings_from_long

        if not all(_are_numbers(column) for column in columns.values()):
            raise UsageError(
                "a mapping gives the probabilities of each label, one for every item; for columns of "
                "anything else make a dataframe of it"
            )
        sizes = {len(column) for column in columns.values()}
        if len(sizes) != 1:
            raise UsageError("every label needs a probability for every item")
        (n,) = sizes
        named = range(1, n + 1) if items is None else items
        return ratings_from_long(
            list(named), [annotator] * n, [None] * n, probabilities=dict(columns)
        )

    # --- choosing ----------------------------------------------------------------------------

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        labels: Sequence[str] | None = None,
    ) -> Self:
        """Keep only these annotators (items stay, perhaps unrated), documents, items and labels.

        The values keep their list, so that chance models that count categories do not move.
        """
        if items is not None or labels is not None:
            narrowed = replace(self.single()._narrowed(items, labels), engine=None)
            return self._as(narrowed).select(annotators=annotators, documents=documents)
        engine = self.engine
        if engine is not None:
            engine = engine.select(annotators=annotators, documents=documents)
        if self.sums is not None and engine is not None:
            found: Ratings = self
            if annotators is not None:  # summed anew
                found = engine.counted()
            elif documents is not None:
                within = self.sums.within(places(documents, self.documents, "document").tolist())
                found = replace(self, sums=within, documents=within.documents, engine=engine)
            return self._as(found)
        if self.anonymous and engine is not None and annotators is not None:
            places(annotators, self.annotators, "annotator")
            found = engine.counted()
            return self._as(found)
        kept = self
        if documents is not None:
            if self.document is None:
                raise UsageError("these ratings have no documents to choose from")
            wanted = places(documents, self.documents, "document")
            of_item = renumbered(wanted, len(self.documents))[self.document]
            kept = replace(
                kept.take(np.flatnonzero(of_item >= 0)),
                documents=tuple(documents),
                document=of_item[of_item >= 0],
                roles=self.roles and self.roles.within(documents),
            )
        if annotators is not None:
            wanted = places(annotators, self.annotators, "annotator")
            number = renumbered(wanted, len(self.annotators))
            keep = number[kept.annotator] >= 0
            kept = kept._with_ratings(keep, number, picked(self.annotators, wanted))
        return replace(kept, engine=engine)

    def _narrowed(self, items: Sequence[str] | None, labels: Sequence[str] | None) -> Ratings:
        """The ratings of these items, and with these labels."""
        kept: Ratings = self
        if items is not None:
            named = list(map(label_of, self.items))
            kept = kept.take(np.sort(places(list(map(label_of, items)), named, "item")))
        if labels is None:
            return kept
        wanted = places(list(map(label_of, labels)), self.labels, "label")
        everybody = np.arange(len(self.annotators), dtype=np.int32)
        again = tuple(r for r in kept.repeats if set(r[2]) <= set(wanted.tolist()))
        kept = kept._with_ratings(np.isin(kept.code, wanted), everybody, self.annotators)
        return replace(kept, repeats=again)

    def _where_columns(self, wanted: Mapping[str, Sequence[str]]) -> Self:
        single = self.single()
        kept = single.take(np.flatnonzero(single._kept(wanted, single.extras)))
        return self._as(replace(kept, engine=None))

    def single(self) -> Ratings:
        """Return the single items; where an engine counted them, they are fetched from it."""
        if self.multiplicity is None and self.sums is None:
            return self
        if self.engine is None:
            raise UsageError("this needs the single items; these data are counts of them")
        return replace(self.engine.single(), roles=self.roles)

    def repeated(self) -> Ratings:
        """Return the single items, each as often as it was counted, without their names."""
        if self.multiplicity is None:
            return self.single()
        if self.engine is not None:
            return self.engine.single()
        rows = np.repeat(np.arange(len(self.multiplicity)), self.multiplicity)
        return replace(self.take(rows), multiplicity=None)

    def fetched(self) -> Ratings:
        """Return the single items, where they are few enough to be fetched; else these counts of them."""
        if self.multiplicity is None or self.engine is None or not self.engine.few:
            return self
        return self.single()

    def take(self, rows: NDArray[np.int64]) -> Self:
        """Keep these rows (items), in this order."""
        starts, sizes = self.indptr[rows], self.per_item[rows]
        indptr = np.concatenate([[0], np.cumsum(sizes)])
        places = np.repeat(starts - indptr[:-1], sizes) + np.arange(indptr[-1])
        number = renumbered(rows, len(self.indptr) - 1)
        return replace(
            self,
            items=[self.items[i] for i in rows],
            indptr=indptr,
            annotator=self.annotator[places],
            code=self.code[places],
            probabilities=self.probabilities and self.probabilities.take(places),
            repeats=tuple((int(number[i]), a, c) for i, a, c in self.repeats if number[i] >= 0),
            **{name: picked(getattr(self, name), rows) for name in self.schema.of_row},
            engine=None,
            _profiles={},
        )

    def recoded(self, codes: NDArray[np.int32], values: Sequence[object], kind: Kind) -> Self:
        """Return the same ratings under other values: `codes` gives the new value of each old one."""
        return replace(
            self,
            code=codes[self.code],
            probabilities=self.probabilities and self.probabilities.recoded(codes, len(values)),
            values=values,
            kind=kind,
            declared=True,
            ordered=kind == "numbers",
            repeats=tuple((i, a, tuple(int(codes[c]) for c in cs)) for i, a, cs in self.repeats),
            engine=None,
            _profiles={},
        )

    def as_sets(self) -> Self:
        """Return the same with each value as a set: of one label, or of several between bars (``a|b``)."""
        if self.kind == "sets":
            return self
        sets = [LabelSets().read(label) for label in self.labels]
        codes, values = encode(sets)
        return self.recoded(codes, tuple(values), "sets")

    def with_label(self, label: str) -> Self:
        """Reduce to two categories: whether the set of labels holds this one."""
        held = [
            label in set(map(str, value))
            if isinstance(value, frozenset)
            else label_of(value) == label
            for value in self.values
        ]
        codes = np.where(held, 1, 0).astype(np.int32)
        return self.recoded(codes, ("(without)", label), "categories")

    def against_rest(self, category: int) -> Self:
        """Reduce to two categories: this one, and all others together."""
        codes = np.ones(len(self.values), dtype=np.int32)
        codes[category] = 0
        return self.recoded(codes, (label_of(self.values[category]), "(other)"), "categories")

    def pairable(self) -> Self:
        """Leave out the items that fewer than two annotators rated."""
        return self.take(np.flatnonzero(self.per_item >= 2))

    def keeping(self, kept: NDArray[np.bool_]) -> Self:
        """Keep these ratings; items stay, perhaps unrated."""
        everybody = np.arange(len(self.annotators), dtype=np.int32)
        return self._with_ratings(kept, everybody, self.annotators)

    def _with_ratings(
        self, keep: NDArray[np.bool_], number: Codes, annotators: tuple[str, ...]
    ) -> Self:
        counts = np.zeros(len(keep) + 1, dtype=np.int64)
        np.cumsum(keep, out=counts[1:])
        indptr, annotator, code = counts[self.indptr], number[self.annotator[keep]], self.code[keep]
        order = np.lexsort((annotator, np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))))
        return replace(
            self,
            annotators=annotators,
            indptr=indptr,
            annotator=annotator[order],
            code=code[order],
            probabilities=self.probabilities
            and self.probabilities.take(np.flatnonzero(keep)[order]),
            repeats=tuple((i, int(number[a]), c) for i, a, c in self.repeats if number[a] >= 0),
            engine=None,
            _profiles={},
        )


def _are_numbers(column: object) -> bool:
    """Whether this is a list, array or series of numbers (or of nothing)."""
    if isinstance(column, (str, bytes)) or not hasattr(column, "__len__"):
        return False
    first = next(iter(column), None)  # type: ignore[call-overload]
    return first is None or isinstance(first, (int, float, np.number))
