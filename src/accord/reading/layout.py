"""Which way a table lies: a row for each rating, a column for each annotator, for each item, or counts.

A table whose columns have no names that say so is wide where two columns or more have the same values.
What its rows are, is told by what the first column is called; a last row of sums is no item.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.encode import encode
from accord.data.probabilities import PREFIX
from accord.data.ratings import label_of
from accord.data.reading import Record
from accord.data.roles import EVERY
from accord.data.tables import ratings_from_wide
from accord.data.values import Column, Line, listed
from accord.errors import InputError, some
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import is_comment, matching_shape
from accord.reading.people import (
    LISTED,
    Words,
    annotators_among,
    called_annotator,
    called_total,
    computed_of,
    numbers_of,
    share_values,
    shares_with,
    words_of,
)
from accord.reading.scale import values_of

#: what computes a last row
_WAYS = {"sum": "the sum of the rows above", "mean": "the mean of the rows above"}
#: annotators that counts may stand for
_MOST_COUNTED = 10_000
#: roles of located annotations: a table that has one of them is of no ratings
_LOCATED = frozenset(
    {"start", "end", "masses", "boundary", "mention", "entity", "x0", "y0", "x1", "y1", "points",
     "source_start", "source_end", "target_start", "target_end"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """A wide table: the columns of ratings, and who or what stands in its rows."""

    #: name → cells, of an annotator (or of an item, where rows are people)
    columns: Mapping[str, Column]
    #: the column that names the rows, None where nothing does
    names: str | None
    rows: str


def is_wide(columns: Mapping[str, Column], found: Mapping[str, str], options: ReadOptions) -> bool:
    """Whether annotators (or items) are columns: said so, or seen from the columns."""
    if options.wide is not None:
        return options.wide
    if options.shape not in (None, "ratings"):
        return False
    if options.rows is not None:
        return True
    named = options.annotators or ()
    if named and "annotator" not in found and all(name in columns for name in named):
        return True
    return _looks_wide(columns, found, options)


def _looks_wide(
    columns: Mapping[str, Column], found: Mapping[str, str], options: ReadOptions
) -> bool:
    """Whether no names tell a long table, and columns have the same values."""
    if matching_shape(found) is not None or _LOCATED & found.keys():
        return False
    if any(name.startswith(PREFIX) for name in columns) or not _height(columns):
        return False
    who, item = found.get("annotator"), found.get("item")
    if who is not None and not _are_people(who, columns, found, options):
        # a second coder beside the column called "coder"
        return item is not None and _distinct(columns[item]) and shares_with(who, columns, options)
    if item is not None and not _distinct(columns[item]):
        return False
    return share_values(_others(columns, found), options)


def _are_people(
    who: str, columns: Mapping[str, Column], found: Mapping[str, str], options: ReadOptions
) -> bool:
    """Whether each row is a person: all that names tell is a column of them, each there once."""
    if {"item", "value"} & found.keys() or not _distinct(columns[who]):
        return False
    return not shares_with(who, columns, options)


def wide_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Wide:
    """Tell what rows and columns of a wide table are; the record keeps what was decided."""
    record, columns = table.record, table.columns
    named = options.annotators is not None and all(n in columns for n in options.annotators)
    told = named or options.wide is not None or options.rows is not None
    if not told and not {"item", "annotator"} & found.keys():
        _ask_if_long(columns, record)
    rows, names = _rows(columns, found, options, record, named=named)
    if not told and rows == "items":
        means, why = "each column is an annotator", "columns have the same values"
        record.assume(means, ("wide", False), why=why)
    apart = {found[c] for c in ("document", "time", "weight") if c in found}
    apart -= set(options.annotators or ())
    others = {n: c for n, c in columns.items() if n not in apart and n != names}
    keyword = "annotators" if rows == "items" else "items"
    chosen = annotators_among(others, options, record, keyword=keyword)
    return Wide(columns={n: columns[n] for n in chosen}, names=names, rows=rows)


def without_total(table: Table, wide: Wide, options: ReadOptions) -> tuple[Table, Wide]:
    """The table without a last row of sums or means, which is no item."""
    last = table.height - 1
    named = None if wide.names is None else label_of(table.columns[wide.names][last])
    keyword = "items" if wide.rows == "items" else "annotators"
    asked = getattr(options, keyword)
    if last < 2 or (asked is not None and {named, EVERY} & {*asked}):
        return table, wide
    why = _why_total(named, list(wide.columns.values()), last)
    if not why:
        return table, wide
    kept = () if wide.names is None else tuple(map(label_of, table.columns[wide.names]))
    keep = kept if 0 < len(kept) <= LISTED or keyword != "items" else (EVERY,)
    table.record.leave_out(
        f"row {named!r}" if named else "the last row",
        why=why,
        keep=(keyword, keep) if keep else None,
    )
    cut = {n: c[:last] for n, c in table.columns.items()}
    columns = {n: cut[n] for n in wide.columns}
    return replace(table, columns=cut), replace(wide, columns=columns)


def _why_total(named: str | None, columns: Sequence[Column], last: int) -> str:
    """Why the last row is one of sums or means; "" where it is an item like the others."""
    called = named is not None and called_total(named)
    numbers = np.stack([numbers_of(c) for c in columns])
    above, own = numbers[:, :last].T, numbers[:, last]
    if np.isnan(own).all():
        # (words above and nothing below)
        return "called like a sum" if called and all(c[last] is None for c in columns) else ""
    rated = ~np.isnan(above)
    if called and not rated.any():
        return "numbers below words"
    if 2 * int(rated.sum()) < rated.size:
        return ""
    way = computed_of(own, list(above), named=called)
    if way is not None:
        return _WAYS[way]
    held, mine = above[rated], own[~np.isnan(own)]
    beyond = bool(((mine > held.max()) | (mine < held.min())).any())
    parts = bool(np.any(mine % 1) and not np.any(held % 1))
    return "called like a sum or mean, with other numbers" if called and (beyond or parts) else ""


def _rows(
    columns: Mapping[str, Column],
    found: Mapping[str, str],
    options: ReadOptions,
    record: Record,
    *,
    named: bool,
) -> tuple[str, str | None]:
    """What a row is, and the column that names the rows; where annotators are `named`, an item."""
    who, item = found.get("annotator"), found.get("item")
    people = who is not None and _are_people(who, columns, found, options)
    first = who if people else _first(columns, found, options)
    if options.rows == "annotators":
        return "annotators", first or item
    if people and options.rows is None and not named:
        record.assume("rows are people", ("rows", "items"), why=f"the column {who!r} names them")
        return "annotators", who
    if item is not None or options.columns.get("item") == "":
        return "items", item
    wide, height = len(columns) - (first is not None), _height(columns)
    if options.rows is None and not named and wide > height > 1:
        record.ask(
            f"has {wide} columns of ratings and {height} rows, and nothing says which are people",
            {"rows are items": ("rows", "items"), "rows are people": ("rows", "annotators")},
        )
    if first and not people:
        means, why = f"{first!r} names the items", "each of its cells is another"
        record.assume(means, ("columns", {"item": ""}), why=why)
    return "items", first


def _first(
    columns: Mapping[str, Column], found: Mapping[str, str], options: ReadOptions
) -> str | None:
    """The column that names the rows where none is called so: each cell is another, and no rating."""
    for name in dict.fromkeys([found.get("document"), next(iter(columns)), found.get("text")]):
        if name is None or name in (options.annotators or ()) or not _distinct(columns[name]):
            continue
        if name in (found.get("document"), found.get("text")):
            return name
        if not is_comment(name) and _names_rows(name, columns, found, options):
            return name
    return None


def _names_rows(
    name: str, columns: Mapping[str, Column], found: Mapping[str, str], options: ReadOptions
) -> bool:
    """Whether distinct cells number the rows, or are nothing that is said in other columns."""
    own = words_of(columns[name], options)
    counted = own.numeric and own.high - own.low == own.size - 1 and own.low in (0.0, 1.0)
    others = [words_of(c, options) for n, c in _others(columns, found).items() if n != name]
    if counted and all(w.distinctness < 1 for w in others if w.size):
        return True
    return own.size > 2 and not shares_with(name, columns, options)


def ask_of_twins(
    columns: Mapping[str, Column],
    found: Mapping[str, str],
    options: ReadOptions,
    record: Record,
) -> None:
    """A column with the very values of the one that holds the ratings may be another annotator."""
    told = options.wide is not None or options.annotator is not None or "value" in options.columns
    if told or not {"item", "value"} <= found.keys() or {"annotator", *_LOCATED} & found.keys():
        return
    if not _distinct(columns[found["item"]]):
        return
    value = found["value"]
    own = words_of(columns[value], options)
    others = [n for n in columns if n not in found.values() and not is_comment(n)]
    twins = [n for n in others if _same(own, words_of(columns[n], options))]
    if twins:
        record.ask(
            f"columns {some([value, *twins])} have the same values",
            {
                "each column is an annotator": ("wide", True),
                f"{value!r} alone holds the ratings": ("wide", False),
            },
        )


def _same(one: Words, other: Words) -> bool:
    """Whether two columns have the same few values."""
    if one.numeric != other.numeric or one.distinctness == 1 or len(one.distinct) < 2:
        return False
    return 2 * len(one.distinct & other.distinct) > len(one.distinct | other.distinct)


def _ask_if_long(columns: Mapping[str, Column], record: Record) -> None:
    """Three columns of which two are crossed may also be items, annotators and values."""
    if len(columns) != 3 or sum(map(called_annotator, columns)) > 1:
        return
    codes = {n: encode(listed(c))[0].astype(np.int64) for n, c in columns.items()}
    sizes = {n: len(np.unique(c)) for n, c in codes.items()}
    height = _height(columns)
    for one, other in combinations(columns, 2):
        item, who = sorted((one, other), key=lambda n: -sizes[n])
        pairs = len(np.unique(codes[item] * sizes[who] + codes[who]))
        crossed = pairs == height and 2 * height >= sizes[item] * sizes[who]
        if crossed and sizes[who] > 1 and 3 * sizes[item] <= 2 * height:
            value = next(n for n in columns if n not in (item, who))
            roles = {"item": item, "annotator": who, "value": value}
            record.ask(
                f"has the columns {some(list(columns))}, which may be three annotators, or items, "
                "annotators and values",
                {
                    "each column is an annotator": ("wide", True),
                    "each row is one rating": ("columns", roles),
                },
            )


def _others(columns: Mapping[str, Column], found: Mapping[str, str]) -> dict[str, Column]:
    """Columns that may be ratings: neither name nor place of a row."""
    apart = {found[c] for c in ("item", "annotator", "document", "time", "weight") if c in found}
    return {n: c for n, c in columns.items() if n not in apart}


def _distinct(column: Column) -> bool:
    """Whether every cell is there and is another."""
    if isinstance(column, np.ndarray):
        return len(np.unique(column)) == len(column) and not (column != column).any()
    try:
        codes, names = encode(listed(column))
    except TypeError:
        return False
    return len(names) == len(codes) and not any(n is None or n == "" or n != n for n in names)


def _height(columns: Mapping[str, Column]) -> int:
    return len(next(iter(columns.values()))) if columns else 0


def turned(table: Table, wide: Wide) -> tuple[Table, Wide]:
    """The table whose rows are people with a column for each of them."""
    items = list(wide.columns)
    cells = [listed(c) for c in wide.columns.values()]
    people = [f"A{row + 1}" for row in range(table.height)]
    if wide.names is not None:
        people = [label_of(name) for name in listed(table.columns[wide.names])]
    if len(set(people)) < len(people):
        twice = next(name for name in people if people.count(name) > 1)
        raise InputError(
            f"annotator {twice!r} has two rows",
            path=table.path,
            hint="a table whose rows are people has one row for each",
        )
    columns = {name: [c[row] for c in cells] for row, name in enumerate(people)}
    names = wide.names or "item"
    again = replace(table, columns={**columns, names: items}, line=lambda row: None)
    table.record.columns["annotator"] = wide.names or ""
    return again, Wide(columns=columns, names=names, rows="items")


def ratings_from_counts(
    columns: Mapping[str, Column],
    items: Column | None,
    *,
    documents: Column | None = None,
    options: ReadOptions,
    record: Record,
    path: str | None = None,
    line: Line = lambda row: None,
    notes: Sequence[str] = (),
) -> Ratings:
    """Ratings from one row per item and one column per category: how many chose it.

    Who gave which rating is not in such a table. The ratings of an item are given to annotators
    called ``(1)``, ``(2)``, … in the order of the categories: measures that take annotators as
    interchangeable (α, π, S, AC1, percent) are right, and others are refused.

    >>> counts = {"a": [2, 0], "b": [1, 3]}
    >>> r = ratings_from_counts(counts, None, options=ReadOptions(), record=Record())
    >>> r.annotators, r.n_ratings
    (('(1)', '(2)', '(3)'), 6)
    """
    names = list(options.categories or columns)
    counts = np.stack([_whole(columns[n], n, path, line) for n in names if n in columns], axis=1)
    per_item = counts.sum(axis=1)
    most = int(per_item.max(initial=0))
    if most > _MOST_COUNTED:
        raise InputError(
            f"has an item with {most} ratings; these are hardly counts of annotators", path=path
        )
    held = [n for n in names if n in columns]
    grid: list[list[Any]] = [[None] * len(counts) for _ in range(most)]
    for i, row in enumerate(counts.tolist()):
        slot = 0
        for name, n in zip(held, row, strict=True):
            for _ in range(n):
                grid[slot][i] = name
                slot += 1
    # a column is a category, whatever it is called
    declared = replace(options, keep_values=(*options.keep_values, *names), values="categories")
    read = values_of({f"({a + 1})": cells for a, cells in enumerate(grid)}, declared, record)
    made = ratings_from_wide(
        read.columns,
        items=items,
        documents=documents,
        **read.options,
        path=path,
        line=line,
        notes=[
            *notes,
            f"counts of {len(held)} categories: who gave which rating is not known, so only measures "
            "that take annotators as interchangeable apply (alpha, fleiss, s, ac1, percent)",
        ],
    )
    return replace(made, anonymous=True)


def _whole(column: Column, name: str, path: str | None, line: Line) -> np.ndarray[Any, Any]:
    out = []
    for row, value in enumerate(column):
        number = 0.0 if value is None or value != value else value
        try:
            count = float(number)
        except (TypeError, ValueError):
            count = -1.0
        if count < 0 or not count.is_integer():
            raise InputError(
                f"the count of {name!r} must be a whole number from 0, got {value!r}",
                path=path,
                line=line(row),
                hint="name the columns that are categories with `categories`",
            )
        out.append(int(count))
    return np.array(out, dtype=np.int64)
