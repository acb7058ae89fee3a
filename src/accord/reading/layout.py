"""Which way a table lies: a row for each rating, a column for each annotator, for each item, or counts.

A table whose columns have no names that say so is wide where two columns or more have the same values.
What its rows are, is told by what the first column is called; a last row of sums is no item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.encode import encode
from accord.data.probabilities import PREFIX
from accord.data.ratings import label_of
from accord.data.roles import EVERY
from accord.data.tables import ratings_from_wide
from accord.data.values import Column, listed
from accord.errors import InputError, some
from accord.formats.tables.table import Table
from accord.reading.columns import is_comment, matching_shape
from accord.reading.named import Named, Words
from accord.reading.people import (
    LISTED,
    annotators_among,
    called_annotator,
    called_total,
    numbers_of,
    share_values,
    why_computed,
)
from accord.reading.scale import values_of

#: annotators that counts may stand for
_MOST_COUNTED = 10_000
#: what a column says of a row of ratings, beside them
_OF_ROWS = ("document", "time", "weight")
#: roles of located annotations: a table that has one of them is of no ratings
_LOCATED = frozenset(
    {"start", "end", "masses", "boundary", "mention", "entity", "x0", "y0", "x1", "y1", "points",
     "source_start", "source_end", "target_start", "target_end"}
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Wide:
    """A wide table: the columns of ratings, and who or what stands in its rows."""

    #: the columns of annotators (or of items, where rows are people)
    columns: tuple[str, ...]
    #: the column that names the rows, None where nothing does
    names: str | None
    rows: str


def is_wide(named: Named) -> bool:
    """Whether annotators (or items) are columns: said so, or seen from the columns."""
    options = named.options
    if options.wide is not None:
        return options.wide
    if options.shape not in (None, "ratings"):
        return False
    return options.rows is not None or _has_asked(named) or _looks_wide(named)


def _has_asked(named: Named) -> bool:
    """Whether the annotators that were asked for are columns."""
    asked = named.options.annotators or ()
    return bool(asked) and "annotator" not in named.found and named.columns.keys() >= {*asked}


def _looks_wide(named: Named) -> bool:
    """Whether no names tell a long table, and columns have the same values."""
    if matching_shape(named.found) is not None or _LOCATED & named.found.keys():
        return False
    if any(name.startswith(PREFIX) for name in named.columns) or not named.table.height:
        return False
    who, item = named.found.get("annotator"), named.found.get("item")
    if who is not None and not _are_people(who, named):
        # a second coder beside the column called "coder"
        return item is not None and named.is_distinct(item) and named.shares(who)
    if item is not None and not named.is_distinct(item):
        return False
    return share_values({n: named.words(n) for n in _others(named) if not is_comment(n)})


def _are_people(who: str, named: Named) -> bool:
    """Whether each row is a person: all that names tell is a column of them, each there once."""
    if {"item", "value"} & named.found.keys() or not named.is_distinct(who):
        return False
    return not named.shares(who)


def wide_of(named: Named) -> Wide:
    """Tell what rows and columns of a wide table are; the record keeps what was decided."""
    options, record = named.options, named.record
    asked = options.annotators or ()
    of_people = options.annotators is not None and named.columns.keys() >= {*asked}
    told = of_people or options.wide is not None or options.rows is not None
    if not told and not {"item", "annotator"} & named.found.keys():
        _ask_if_long(named)
    rows, names = _rows(named, asked=of_people)
    if not told and rows == "items":
        means, why = "each column is an annotator", "columns have the same values"
        record.assume(means, ("wide", False), why=why)
    apart = {named.found[c] for c in _OF_ROWS if c in named.found} - {*asked}
    others = [n for n in named.columns if n not in apart and n != names]
    keyword = "annotators" if rows == "items" else "items"
    chosen = annotators_among(named, others, keyword=keyword)
    return Wide(columns=tuple(chosen), names=names, rows=rows)


def without_total(named: Named, wide: Wide) -> Named:
    """The table without a last row of sums or means, which is no item."""
    last = named.table.height - 1
    names = () if wide.names is None else tuple(map(label_of, named.columns[wide.names]))
    called = names[last] if names else None
    keyword = "items" if wide.rows == "items" else "annotators"
    asked = getattr(named.options, keyword)
    if last < 2 or (asked is not None and {called, EVERY} & {*asked}):
        return named
    why = _why_total(called, [named.columns[n] for n in wide.columns], last)
    if not why:
        return named
    keep = names if 0 < len(names) <= LISTED or keyword != "items" else (EVERY,)
    named.record.leave_out(
        f"row {called!r}" if called else "the last row",
        why=why,
        keep=(keyword, keep) if keep else None,
    )
    return named.with_columns({n: c[:last] for n, c in named.columns.items()})


def _why_total(name: str | None, columns: Sequence[Column], last: int) -> str:
    """Why the last row is one of sums or means; "" where it is an item like the others."""
    called = name is not None and called_total(name)
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
    return why_computed(own, list(above), "the rows above", called=called)


def _rows(named: Named, *, asked: bool) -> tuple[str, str | None]:
    """What a row is, and the column that names the rows; where annotators were `asked` for, an item."""
    options, record = named.options, named.record
    who, item = named.found.get("annotator"), named.found.get("item")
    people = who is not None and _are_people(who, named)
    first = who if people else _first(named)
    if options.rows == "annotators":
        return "annotators", first or item
    if people and options.rows is None and not asked:
        record.assume("rows are people", ("rows", "items"), why=f"the column {who!r} names them")
        return "annotators", who
    if item is not None or options.columns.get("item") == "":
        return "items", item
    wide, height = len(named.columns) - (first is not None), named.table.height
    if options.rows is None and not asked and wide > height > 1:
        record.ask(
            f"has {wide} columns of ratings and {height} rows, and nothing says which are people",
            {"rows are items": ("rows", "items"), "rows are people": ("rows", "annotators")},
        )
    if first and not people:
        means, why = f"{first!r} names the items", "each of its cells is another"
        record.assume(means, ("columns", {"item": ""}), why=why)
    return "items", first


def _first(named: Named) -> str | None:
    """The column that names the rows where none is called so: each cell is another, and no rating."""
    called = (named.found.get("document"), named.found.get("text"))
    for name in dict.fromkeys([called[0], next(iter(named.columns)), called[1]]):
        if name is None or name in (named.options.annotators or ()) or not named.is_distinct(name):
            continue
        if name in called or (not is_comment(name) and _names_rows(name, named)):
            return name
    return None


def _names_rows(name: str, named: Named) -> bool:
    """Whether distinct cells number the rows, or are nothing that is said in other columns."""
    own = named.words(name)
    counted = own.numeric and own.high - own.low == own.size - 1 and own.low in (0.0, 1.0)
    others = [named.words(n) for n in _others(named) if n != name]
    if counted and all(w.distinctness < 1 for w in others if w.size):
        return True
    return own.size > 2 and not named.shares(name)


def ask_of_twins(named: Named) -> None:
    """A column with the very values of the one that holds the ratings may be another annotator."""
    options, found = named.options, named.found
    told = options.wide is not None or options.annotator is not None or "value" in options.columns
    if told or not {"item", "value"} <= found.keys() or {"annotator", *_LOCATED} & found.keys():
        return
    if not named.is_distinct(found["item"]):
        return
    value = found["value"]
    others = [n for n in named.columns if n not in found.values() and not is_comment(n)]
    twins = [n for n in others if _same(named.words(value), named.words(n))]
    if twins:
        named.record.ask(
            f"columns {some([value, *twins])} have the same values",
            {
                "each column is an annotator": ("wide", True),
                f"{value!r} alone holds the ratings": ("wide", False),
            },
        )


def ask_who(named: Named) -> None:
    """A column that alone tells rows of one item apart may be who rated, under a name not known."""
    options, found = named.options, named.found
    told = options.annotator is not None or options.duplicates != "error" or options.multiple
    if told or not {"item", "value"} <= found.keys() or {"annotator", *_LOCATED} & found.keys():
        return
    if options.values == "sets" or named.is_distinct(found["item"]):
        return
    codes = encode(listed(named.columns[found["item"]]))[0].astype(np.int64)
    if len(np.unique(codes)) == len(codes):
        return
    others = [n for n in named.columns if n not in found.values() and not is_comment(n)]
    for name in others:
        who, called = encode(listed(named.columns[name]))
        pairs = np.unique(codes * len(called) + who)
        # (an id of rows or a moment tells all rows apart, and an attribute of items none)
        if len(pairs) == len(codes) and 1 < len(called) <= len(codes) // 2:
            named.record.ask(
                f"items have several rows, which column {name!r} tells apart",
                {
                    f"{name!r} says who rated": ("columns", {"annotator": name}),
                    "one person gave them several labels": ("multiple", True),
                    "one person rated them again": ("duplicates", "last"),
                },
            )


def _same(one: Words, other: Words) -> bool:
    """Whether two columns have the same few values."""
    if one.numeric != other.numeric or one.distinctness == 1 or len(one.distinct) < 2:
        return False
    return 2 * len(one.distinct & other.distinct) > len(one.distinct | other.distinct)


def _ask_if_long(named: Named) -> None:
    """Three columns of which two are crossed may also be items, annotators and values."""
    columns, height = named.columns, named.table.height
    if len(columns) != 3 or sum(map(called_annotator, columns)) > 1:
        return
    codes = {n: encode(listed(c))[0].astype(np.int64) for n, c in columns.items()}
    sizes = {n: len(np.unique(c)) for n, c in codes.items()}
    for one, other in combinations(columns, 2):
        item, who = sorted((one, other), key=lambda n: -sizes[n])
        pairs = len(np.unique(codes[item] * sizes[who] + codes[who]))
        crossed = pairs == height and 2 * height >= sizes[item] * sizes[who]
        if crossed and sizes[who] > 1 and 3 * sizes[item] <= 2 * height:
            value = next(n for n in columns if n not in (item, who))
            roles = {"item": item, "annotator": who, "value": value}
            named.record.ask(
                f"has the columns {some(list(columns))}, which may be three annotators, or items, "
                "annotators and values",
                {
                    "each column is an annotator": ("wide", True),
                    "each row is one rating": ("columns", roles),
                },
            )


def _others(named: Named) -> dict[str, Column]:
    """Columns that may be ratings: neither name nor place of a row."""
    return named.without("item", "annotator", *_OF_ROWS)


def turned(table: Table, wide: Wide) -> tuple[Table, Wide]:
    """The table whose rows are people with a column for each of them."""
    cells = [listed(table.columns[n]) for n in wide.columns]
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
    columns: dict[str, Column] = {name: [c[row] for c in cells] for row, name in enumerate(people)}
    names = wide.names or "item"
    again = replace(table, columns=columns | {names: [*wide.columns]}, line=lambda row: None)
    table.record.columns["annotator"] = wide.names or ""
    return again, Wide(columns=tuple(people), names=names, rows="items")


def ratings_from_counts(named: Named) -> Ratings:
    """Ratings from one row per item and one column per category: how many chose it.

    Who gave which rating is not in such a table. The ratings of an item are given to annotators
    called ``(1)``, ``(2)``, … in the order of the categories: measures that take annotators as
    interchangeable (α, π, S, AC1, percent) are right, and others are refused.

    >>> from accord.options.reading import ReadOptions
    >>> counts = Table(columns={"a": [2, 0], "b": [1, 3]})
    >>> r = ratings_from_counts(Named.of(counts, ReadOptions()))
    >>> r.annotators, r.n_ratings
    (('(1)', '(2)', '(3)'), 6)
    """
    table, options = named.table, named.options
    columns = named.without("item", "document", "text", "comment")
    names = list(options.categories or columns)
    held = [n for n in names if n in columns]
    if not held:
        raise InputError("has no column of counts", path=table.path, hint="check `counts`")
    counts = np.stack([_whole(columns[n], n, table) for n in held], axis=1)
    most = int(counts.sum(axis=1).max(initial=0))
    if most > _MOST_COUNTED:
        problem = f"has an item with {most} ratings; these are hardly counts of annotators"
        raise InputError(problem, path=table.path)
    grid: list[list[Any]] = [[None] * len(counts) for _ in range(most)]
    for i, row in enumerate(counts.tolist()):
        said = [name for name, n in zip(held, row, strict=True) for _ in range(n)]
        for slot, name in enumerate(said):
            grid[slot][i] = name
    # a column is a category, whatever it is called
    declared = replace(options, keep_values=(*options.keep_values, *names), values="categories")
    read = values_of({f"({a + 1})": cells for a, cells in enumerate(grid)}, declared, named.record)
    made = ratings_from_wide(
        read.columns,
        items=named.column("item"),
        documents=named.column("document"),
        **read.options,
        path=table.path,
        line=table.line,
        notes=[
            *table.notes,
            f"counts of {len(held)} categories: who gave which rating is not known, so only measures "
            "that take annotators as interchangeable apply (alpha, fleiss, s, ac1, percent)",
        ],
    )
    return replace(made, anonymous=True)


def _whole(column: Column, name: str, table: Table) -> np.ndarray[Any, Any]:
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
                path=table.path,
                line=table.line(row),
                hint="name the columns that are categories with `categories`",
            )
        out.append(int(count))
    return np.array(out, dtype=np.int64)
