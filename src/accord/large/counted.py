"""Ratings of a lazy frame, counted by the frame's own engine; only the counts come back.

What is counted depends on the data, not on the measure that is asked for: where items with the same
answers of the same annotators are many, these *named* profiles say everything that the single ratings
say. A crowd has nearly as many named profiles as items; its items are counted by *which* answers they
got (α, π, S, AC1 and percent need no more), and a choice of annotators is counted anew.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Self

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.frame import column, declared, in_memory, written
from accord.data.ratings import ItemRun, Kind
from accord.data.reading import Record
from accord.data.roles import rename, without_unused, without_unused_values
from accord.data.tables import encode_names, of_items, ratings_from_long
from accord.data.values import is_number
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.large.digits import Digits
from accord.large.queries import (
    RANGE,
    case,
    collected,
    in_parts,
    item_run,
    item_sums,
    profiles,
    short,
    together,
)
from accord.large.row_groups import file_cuts
from accord.reading.missing import CODES, absent_numbers, absent_words, trimmed
from accord.reading.scale import values_of

#: distinct profiles fetched at most; single ratings fetched at most, where items are asked for
MOST_PROFILES = 2_000_000
MOST_RATINGS = 2_000_000
#: distinct values that can be digits
_MOST_VALUES = 200
#: numbers per item beyond which named profiles are not tried: hardly two items would be alike
_MOST_NUMBERS = 6
_ROLES = ("document", "time", "weight")
_SERIAL = count()


class Pool(NamedTuple):
    """Whose items and values there are, by name; values are read anew, as this kind."""

    annotators: tuple[str, ...] | None
    documents: tuple[str, ...] | None
    kind: Kind | None

    def renamed(self, names: Mapping[str, str]) -> Pool:
        who = self.annotators and tuple(names.get(a, a) for a in self.annotators)
        return self._replace(annotators=who)


@dataclass(frozen=True, eq=False)
class Fetched:
    """A table of ratings in an engine, and what was chosen of it."""

    frame: nw.LazyFrame[Any]
    table: Table
    found: Mapping[str, str]
    options: ReadOptions
    #: reads the frame when it is collected
    read: Callable[[nw.DataFrame[Any]], Ratings]
    #: annotators and documents that count, by name; None for all
    annotators: tuple[str, ...] | None = None
    documents: tuple[str, ...] | None = None
    #: name in the table → name, of annotators who were renamed
    called: Mapping[str, str] = field(default_factory=dict)
    #: whose items and values there are; None for those of all
    pool: Pool | None = None
    #: the Parquet files that the frame is read from, where that is known
    files: tuple[Path, ...] = ()

    def __reduce__(self) -> tuple[Any, ...]:
        # another process has no engine: it gets the counts alone
        return (_nothing, ())

    def select(
        self,
        *,
        annotators: Sequence[str] | None = None,
        documents: Sequence[str] | None = None,
    ) -> Self:
        """The same with a choice of annotators or documents."""
        return replace(
            self,
            annotators=self.annotators if annotators is None else tuple(annotators),
            documents=self.documents if documents is None else tuple(documents),
        )

    def renamed(self, names: Mapping[str, str]) -> Self:
        """The same with other names for annotators."""
        known = {old: names.get(now, now) for old, now in self.called.items()}
        new = {now: name for now, name in names.items() if now not in self.called.values()}
        called = {old: name for old, name in {**new, **known}.items() if old != name}
        chosen = self.annotators and tuple(names.get(a, a) for a in self.annotators)
        pool = self.pool and self.pool.renamed(names)
        return replace(self, called=called, annotators=chosen, pool=pool)

    def used(self, kind: Kind | None) -> Self:
        """The same without the items and the values that those chosen have nothing of."""
        return replace(self, pool=Pool(self.annotators, self.documents, kind))

    def counted(self) -> Ratings:
        """The ratings that the engine counts."""
        return self.single()

    @cached_property
    def rows(self) -> int:
        """Rows of the table."""
        return int(collected(self.frame.select(nw.len().alias("n")))["n"].to_list()[0])

    @property
    def few(self) -> bool:
        """The single items are few enough to be fetched."""
        return self.rows <= MOST_RATINGS

    def single(self) -> Ratings:
        """The single items, fetched from the engine: for what needs their names."""
        if not self.few:
            raise UsageError(
                f"the frame has {self.rows} rows; single items (and more than {_MOST_VALUES} "
                f"distinct values, or repeated ratings) are fetched up to {MOST_RATINGS}: filter the "
                "frame, or collect it"
            )
        whole = self._as_called(self.read(in_memory(self.frame, self.table.path)))
        if self.pool is not None:
            whole = _of(whole, self.pool.annotators, self.pool.documents)
            whole = without_unused(whole, self.pool.kind)
        return _of(whole, self.annotators, self.documents)

    def _as_called(self, whole: Ratings) -> Ratings:
        """The ratings under the names of now."""
        if not self.called:
            return whole
        kept = [a for a in whole.annotators if a not in self._taken]
        named = rename(whole.select(annotators=kept), self.called)
        assert isinstance(named, Ratings)
        return named

    @property
    def _taken(self) -> set[str]:
        """Names that went to others: those who had them in the table are not meant."""
        return {*self.called.values()} - {*self.called}

    def by_item(self) -> Iterator[ItemRun]:
        """All ratings, so many whole items at a time."""
        raise UsageError("a wide table is not read by chunks: give one row per rating")


@dataclass(frozen=True, eq=False)
class Counter(Fetched):
    """A long table of ratings, whose items the engine counts."""

    @cached_property
    def _cuts(self) -> list[Any]:
        """Where the table itself may be cut by items."""
        item = self.found["item"]
        kind = self.frame.collect_schema()[item]
        # (what every engine has in the order of the files' figures)
        if kind.is_integer():
            return file_cuts(self.files, item, int, RANGE)
        return file_cuts(self.files, item, str, RANGE) if kind == nw.String else []

    @property
    def _are_texts(self) -> bool:
        """The items are named by texts."""
        return self.frame.collect_schema()[self.found["item"]] in (
            nw.String,
            nw.Categorical,
            nw.Enum,
        )

    def trimmed(self) -> Self:
        """The same without blanks around the names of items, which are no part of them anywhere."""
        if not (self._are_texts and self._groups["__blanks"].sum()):
            return self
        name = self.found["item"]
        bare = self._told(name).str.strip_chars()
        # (the figures of the files are of names with their blanks)
        return replace(self, frame=self.frame.with_columns(bare.alias(name)), files=())

    # --- what is in the columns -----------------------------------------------------------------

    @property
    def _roles(self) -> dict[str, str]:
        """What an item has one of, and the column that says it."""
        return {role: self.found[role] for role in _ROLES if role in self.found}

    @cached_property
    def _groups(self) -> nw.DataFrame[Any]:
        """Of each annotator: rows, rows with an item; of texts, rows with blanks around the item's name."""
        name, item = self.found["annotator"], nw.col(self.found["item"])
        counts = [nw.len().alias("__rows"), nw.col("__item").count().alias("__items")]
        if not self._are_texts:
            there = self.frame.select(nw.col(name), item.alias("__item"))
            return collected(there.group_by(name).agg(*counts))
        told = self._told(self.found["item"])
        blanks = (told.str.strip_chars() != told).fill_null(value=False).cast(nw.Int64)
        given = nw.when(told != "").then(item)
        there = self.frame.select(nw.col(name), given.alias("__item"), blanks.alias("__blanks"))
        return collected(there.group_by(name).agg(*counts, nw.col("__blanks").sum()))

    @cached_property
    def who(self) -> dict[str, Any]:
        """Name → how the engine spells it, of each annotator, in the order of the names."""
        name, found = self.found["annotator"], self._groups
        if found["__rows"].sum() != found["__items"].sum():
            raise InputError("the item is empty in some rows", path=self.table.path)
        raw = found[name].to_list()
        cells = trimmed(column(found[name], self.table.path))
        if any(v is None or v != v or v == "" for v in cells):
            raise InputError("the annotator is empty in some rows", path=self.table.path)
        code, names = encode_names(cells, sort=True)
        if len(names) < len(raw):
            raise InputError(
                "two annotators differ only by blanks around their names",
                path=self.table.path,
                hint="trim the names in the frame",
            )
        spelt = dict(zip([names[a] for a in code.tolist()], raw, strict=True))
        kept = [a for a in names if a not in self._taken]
        return {self.called.get(a, a): spelt[a] for a in kept}

    @cached_property
    def what(self) -> _Values | None:
        """The distinct values of all, or of those whose values there are; None when they are too many."""
        whole = self._values()
        if whole is None or self.pool is None:
            return whole
        name = self.found["value"]
        there = self._within(self._by(self.pool.annotators), self.pool.documents)
        found = collected(there.group_by(name).agg(nw.len().alias("__rows")))
        return whole.among(set(found[name].to_list()), self.pool.kind)

    def _values(self) -> _Values | None:
        """The distinct values, read as those of any table are; None when they are too many."""
        name, path = self.found["value"], self.table.path
        kind = self.frame.collect_schema()[name]
        if kind.is_nested() or kind == nw.Object:
            return None
        counted = self.frame.group_by(name).agg(nw.len().alias("__rows"))
        found = collected(counted.head(_MOST_VALUES + 1))
        if len(found) > _MOST_VALUES:
            return None
        times = found["__rows"].to_numpy().astype(np.int64)
        cells = trimmed(column(found[name], path))
        options = self.options
        order = declared(found[name])
        if order is not None and {*(options.categories or order)} == {*order}:
            options = replace(options, categories=tuple(order), ordered=True)
        record = Record(path=path)
        read = values_of({name: cells}, options, record, times=times)
        legend = ratings_from_long(
            range(len(cells)), ["x"] * len(cells), read.columns[name],
            separator=options.separator, none=options.none, path=path, **read.options,
        )  # fmt: skip
        return _Values(record.kept_by(legend), found[name].to_list(), times)

    # --- counting -------------------------------------------------------------------------------

    def counted(self) -> Ratings:
        """The ratings, by named profiles where items share them, else by which answers items got."""
        made = self._counted()
        return made if self.documents is None else made.select(documents=self.documents)

    def _counted(self) -> Ratings:
        if not self.rows:
            raise InputError(
                "has a header and no rows", path=self.table.path, hint="check the export"
            )
        names = self.annotators or tuple(self.who)
        if self.options.multiple or self.options.duplicates != "error":
            return self.single()
        if self.what is None:
            renamed = self.options.recode or self.options.merge
            fetched = self.few or not self._numeric or renamed
            return self.single() if fetched else self._summed(names)
        values = len(self.what.legend.values)
        named = Digits.named(annotators=len(names), values=values)
        if named.numbers <= _MOST_NUMBERS:
            found = self._fold(named, names, anonymous=False)
            if found is not None:
                return found
        if self.rows <= MOST_RATINGS:
            return self.single()
        for most in (15, 255, 65_535):
            found = self._fold(Digits.anonymous(values=values, most=most), names, anonymous=True)
            if found is not None:
                return found
        raise InputError(
            f"the items fall into more than {MOST_PROFILES} different profiles; counting does not help",
            path=self.table.path,
            hint="choose annotators or documents, or collect the frame",
        )

    @property
    def _numeric(self) -> bool:
        kind = self.frame.collect_schema()[self.found["value"]]
        return kind.is_numeric() and "weight" not in self.found

    def _summed(self, names: Sequence[str]) -> Ratings:
        """Numbers of which no two may be alike: the sums of all that α and ICC take of an item."""
        self._refuse_repeats(names)
        value = nw.col(self.found["value"])
        record = Record(path=self.table.path)
        there = self._chosen().filter(~value.is_null() & (value == value))
        absent = self._absent(there, record)
        if absent:
            there = there.filter(~value.is_in(absent))
        centre = collected(there.select(value.mean().alias("mean")))["mean"].to_list()[0]
        spelt = [self.who[name] for name in names]
        centre = float(centre or 0.0)
        sums = item_sums(there, self.found, centre, self.rows, spelt, cuts=self._cuts)
        made = ratings_from_long(["x"], ["x"], [1.0], path=self.table.path)
        size = int(sums.items.sum())
        note = (
            f"{size} items summed by the frame's own engine: more than {_MOST_VALUES} distinct "
            "numbers are not counted one by one"
        )
        return replace(
            record.kept_by(made.take(np.empty(0, dtype=np.int64))),
            annotators=tuple(names),
            documents=sums.documents,
            sums=sums,
            engine=self,
            notes=(note,),
        )

    def _absent(self, there: nw.LazyFrame[Any], record: Record) -> list[float]:
        """The numbers that stand for no value, among more than are counted one by one."""
        value = nw.col(self.found["value"])
        counted = there.filter(value.is_in(list(CODES))).group_by(value).agg(nw.len().alias("__n"))
        given = [float(w) for w in self.options.missing_values or () if is_number(w)]
        ends = there.filter(~value.is_in([*CODES, *given]))
        low, high = collected(ends.select(value.min().alias("a"), value.max().alias("b"))).rows()[0]
        found = collected(counted)
        counts = dict(
            zip(found[self.found["value"]].to_list(), found["__n"].to_list(), strict=True)
        )
        words = absent_words(counts, self.options, record)
        rest = {v: n for v, n in counts.items() if v not in words}
        if low is not None:
            absent_numbers({**rest, low: 1, high: 1}, self.options, record, codes=True)
        return [*map(float, words), *given]

    def _fold(self, digits: Digits, names: Sequence[str], *, anonymous: bool) -> Ratings | None:
        """Items of the same number counted together; None when they are too many, or overflow."""
        roles = self._roles
        keys = [f"__k{j}" for j in range(digits.numbers)]
        marked = self._marked(digits, names, anonymous=anonymous)
        tables = []
        look = anonymous  # digits of named profiles see repeats by themselves
        # names of a crowd are many: looking for repeats, DuckDB would write more than the parts are
        for part in in_parts(marked, "__item", self.rows, cuts=self._cuts, spills=not anonymous):
            look = look and self._looked(part, names)
            counted = profiles(part, keys, roles)
            tables.append(collected(counted.head(MOST_PROFILES + 1)))
            if sum(map(len, tables)) > MOST_PROFILES:
                tables = [together(tables, ["__count"])]
                if len(tables[0]) > MOST_PROFILES:
                    return None
        found = together(tables, ["__count"])
        for role, name in roles.items():
            if not all(found[f"__one_{role}"].to_list()):
                raise InputError(
                    f"some item has two values in the {role} column {name!r}",
                    path=self.table.path,
                    hint=f"an item has one {role}: make its name part of the item's",
                )
        given = found["__n"].to_numpy().astype(np.int64)
        row, digit, value = digits.read(
            np.stack([found[k].to_numpy().astype(np.int64) for k in keys], axis=1)
        )
        if anonymous:
            held = np.bincount(row, weights=value, minlength=len(given)).astype(np.int64)
            if not np.array_equal(held, given):
                return None  # some item has more equal answers than a digit holds
            row, code = np.repeat(row, value), np.repeat(digit, value)
            # in the order of their answers: nobody knows who they are
            who = np.arange(len(row)) - (np.cumsum(given) - given)[row]
        else:
            if not np.array_equal(np.bincount(row, minlength=len(given)), given):
                if self.few:
                    return self.single()
                self._refuse_repeats(names)
                raise InputError("some annotator rates an item twice", path=self.table.path)
            who, code = digit, value - 1
        return self._made(found, names, given, who, code, anonymous=anonymous)

    def _marked(
        self, digits: Digits, names: Sequence[str], *, anonymous: bool
    ) -> nw.LazyFrame[Any]:
        """One row per rating: its item, what it adds to each number, 1 where there is a value."""
        assert self.what is not None
        value, who = nw.col(self.found["value"]), nw.col(self.found["annotator"])
        coded = self.what.coded
        if anonymous:
            places = {spelt: digits.place(code) for spelt, code in coded.items()}
        else:
            places = {self.who[name]: digits.place(a) for a, name in enumerate(names)}
        columns = [
            case(
                value if anonymous else who, {s: unit for s, (n, unit) in places.items() if n == k}
            )
            for k in range(digits.numbers)
        ]
        if not anonymous:
            digit = case(value, {s: c + 1 for s, c in coded.items()})
            columns = [digit * worth for worth in columns]
        rest = self.what.missing or self.what.times.sum() < self.rows
        there = self._chosen()
        if anonymous:
            there = short(there, self.found["annotator"], "__who")
        return there.select(
            nw.col(self.found["item"]).alias("__item"),
            *([nw.col("__who")] if anonymous else []),
            *(c.cast(nw.Int64).alias(f"__k{k}") for k, c in enumerate(columns)),
            (case(value, dict.fromkeys(coded, 1)) if rest else nw.lit(1)).alias("__n"),
            *(self._told(name).alias(f"__{role}") for role, name in self._roles.items()),
        )

    def _told(self, name: str) -> nw.Expr:
        """A column whose cells can be compared: categories have no order unless they say so."""
        kind = self.frame.collect_schema()[name]
        there = nw.col(name)
        return there.cast(nw.String) if kind in (nw.Categorical, nw.Enum) else there

    def _chosen(self) -> nw.LazyFrame[Any]:
        return self._by(self.annotators)

    def _by(self, annotators: Sequence[str] | None) -> nw.LazyFrame[Any]:
        """The rows of these annotators."""
        if annotators is None:
            return self.frame
        who = nw.col(self.found["annotator"])
        return self.frame.filter(who.is_in([self.who[name] for name in annotators]))

    def _within(
        self, frame: nw.LazyFrame[Any], documents: Sequence[str] | None
    ) -> nw.LazyFrame[Any]:
        """The rows of these documents, which the engine may spell in its own way."""
        if documents is None:
            return frame
        name = self.found["document"]
        found = collected(self.frame.group_by(name).agg(nw.len().alias("__rows")))
        cells = column(found[name], self.table.path)
        wanted = set(documents)
        spelt = [
            raw
            for raw, cell in zip(found[name].to_list(), cells, strict=True)
            if cell is not None and written(cell).strip() in wanted
        ]
        return frame.filter(nw.col(name).is_in(spelt))

    def _made(
        self, found: nw.DataFrame[Any], names: Sequence[str], given: NDArray[np.int64], who: Any,
        code: Any, *, anonymous: bool,
    ) -> Ratings:  # fmt: skip
        assert self.what is not None
        legend = self.what.legend
        size = len(given)
        path = self.table.path
        columns = [column(found[f"__{r}"], path) if r in self.found else None for r in _ROLES]
        item = np.arange(size, dtype=np.int32)
        times = found["__count"].to_numpy().astype(np.int64)
        notes = [*legend.notes, f"{int(times.sum())} items counted by the frame's own engine"]
        if anonymous:
            notes.append(
                "the annotators answer in too many combinations to be told apart: measures that "
                "take them as interchangeable apply (alpha, fleiss, s, ac1, percent), others to a "
                "choice of annotators"
            )
        serial = next(_SERIAL)
        return replace(
            legend,
            # no item of other data is this one
            items=[("counted", serial, i) for i in range(size)],
            annotators=tuple(names),
            indptr=np.concatenate([[0], np.cumsum(given)]).astype(np.int64),
            annotator=who.astype(np.int32),
            code=code.astype(np.int32),
            multiplicity=times,
            anonymous=anonymous,
            notes=tuple(notes),
            engine=self,
            _profiles={},
            **of_items(item, range(size), columns, path),
        )

    def by_item(self) -> Iterator[ItemRun]:
        """All ratings, so many whole items at a time, in an order of the engine's own."""
        if self.what is None:
            raise UsageError(f"there are more than {_MOST_VALUES} values: these are no classes")
        names = self.annotators or tuple(self.who)
        columns = ("item", "annotator", "value")
        frame = self._within(self._chosen(), self.documents)
        frame = frame.select(*(nw.col(self.found[c]).alias(f"__{c}") for c in columns))
        # sorted and held: half as much as is counted at once
        for part in in_parts(frame, "__item", 2 * self.rows, cuts=self._cuts, must=True):
            found = collected(part.sort("__item"))
            if len(found):
                yield item_run(
                    found, [self.who[n] for n in names], self.what.spelt, self.what.codes
                )

    def _looked(self, marked: nw.LazyFrame[Any], names: Sequence[str]) -> bool:
        """Refuse an annotator who has two ratings of an item; False when all were looked at for it.

        Names may be shortened: who seems to be there twice is looked at by name.
        """
        pairs = marked.filter(nw.col("__n") == 1).group_by("__item", "__who")
        times = pairs.agg(nw.len().alias("__times")).filter(nw.col("__times") > 1)
        twice = collected(times.select("__item").head(1))
        if not len(twice):
            return True
        self._refuse_repeats(names, item=twice["__item"].to_list()[0])
        self._refuse_repeats(names)
        return False

    def _refuse_repeats(self, names: Sequence[str], *, item: Any = None) -> None:
        """An annotator has one rating of an item (or of that one): who has two is named."""
        only, (item, who, value) = item, (self.found[c] for c in ("item", "annotator", "value"))
        frame = self._chosen()
        if only is not None:
            frame = frame.filter(nw.col(item) == only)
        if self.what is None:
            frame = frame.filter(~nw.col(value).is_null() & (nw.col(value) == nw.col(value)))
        elif self.what.missing or self.what.times.sum() < self.rows:
            frame = frame.filter(nw.col(value).is_in(list(self.what.coded)))
        pairs = frame.select(nw.col(item).alias("__item"), nw.col(who).alias("__who"))
        for part in in_parts(pairs, "__item", self.rows, cuts=self._cuts):
            times = part.group_by("__item", "__who").agg(nw.len().alias("__times"))
            self._refuse_first(collected(times.filter(nw.col("__times") > 1).head(1)))

    def _refuse_first(self, twice: nw.DataFrame[Any]) -> None:
        if len(twice):
            named, of = (column(twice[c], self.table.path)[0] for c in ("__who", "__item"))
            raise InputError(
                f"annotator {written(named)!r} rates item {written(of)!r} twice",
                path=self.table.path,
                hint="drop the repeats in the frame before reading it",
            )


@dataclass(frozen=True, slots=True, eq=False)
class _Values:
    """The distinct values: as ratings of nobody, as the engine spells them, and how often."""

    legend: Ratings
    spelt: list[Any]
    times: NDArray[np.int64]

    @property
    def missing(self) -> bool:
        """Some of them stand for no value."""
        return len(self.legend.code) < len(self.spelt)

    def among(self, spelt: Collection[Any], kind: Kind | None) -> _Values:
        """The same where these spellings alone are values."""
        kept = np.array([s in spelt for s in self.spelt], dtype=bool)[self.legend.item]
        legend = self.legend.keeping(kept)
        return replace(self, legend=without_unused_values(legend, kind))

    @property
    def codes(self) -> NDArray[np.int64]:
        """The code of each spelling, -1 where it stands for no value."""
        codes = np.full(len(self.spelt), -1)
        codes[self.legend.item] = self.legend.code
        return codes

    @property
    def coded(self) -> dict[Any, int]:
        """Spelling → code, of those that are values."""
        of = zip(self.legend.item.tolist(), self.legend.code.tolist(), strict=True)
        return {self.spelt[i]: code for i, code in of}


def _of(
    whole: Ratings, annotators: Sequence[str] | None, documents: Sequence[str] | None
) -> Ratings:
    """The ratings of these annotators within these documents; None for all."""
    if documents is not None:
        whole = whole.select(documents=documents)
    return whole if annotators is None else whole.select(annotators=annotators)


def _nothing() -> None:
    return None
