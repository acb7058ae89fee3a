"""Wide tables: one column per annotator, among columns that are none; and tables of counts.

Which columns are annotators is not written in the file. Annotators of one campaign use the same
values: columns are annotators together when they share values (for numbers: when their ranges
meet). A column that shares nothing with the others (a text, an age, a file name), or whose words are
nearly all distinct while the others' are not, is set aside with a note. When two groups of columns
share values among themselves (labels, and confidences beside them), nobody but the user can tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from accord.data import Ratings
from accord.data.encode import encode
from accord.data.reading import Record
from accord.data.tables import ratings_from_wide
from accord.data.values import Column, Line, is_number
from accord.errors import InputError, some
from accord.formats.format import ReadOptions
from accord.reading.columns import is_comment
from accord.reading.scale import values_of

#: at least so many words must be nearly all distinct before that says something
_ENOUGH = 10
_NEARLY = 0.9
#: numbers over a range so many times wider are on another scale
_OTHER_SCALE = 4
#: annotators that counts may stand for
_MOST_COUNTED = 10_000


class _Words(NamedTuple):
    """The values of one column: how many there are, the distinct ones, and their range as numbers."""

    size: int
    distinct: frozenset[str]
    low: float
    high: float

    @property
    def numeric(self) -> bool:
        return self.low <= self.high

    @property
    def distinctness(self) -> float:
        return len(self.distinct) / self.size if self.size else 0.0


def annotator_columns(
    columns: Mapping[str, Column], options: ReadOptions, path: str | None, notes: list[str]
) -> list[str]:
    """The columns that are annotators: those named, or those that share their values."""
    named = _named(columns, options, path)
    if named is not None:
        return named
    reasons = {n: "called like a text or remark" for n in columns if is_comment(n)}
    words = {n: _words(c) for n, c in columns.items() if n not in reasons}
    reasons |= {n: "empty" for n, w in words.items() if not w.size}
    reasons |= {n: "numbers its rows" for n in words if n not in reasons and _is_index(n, words)}
    left = [n for n in words if n not in reasons]
    reasons |= {n: "nearly every value is another" for n in left if _is_prose(n, words, left)}
    groups = _sharing([n for n in left if n not in reasons], words)
    several = [g for g in groups if len(g) > 1]
    if len(several) > 1 or (not several and len(groups) > 1):
        listed = several or [[n for g in groups for n in g]]
        shown = " or ".join(f"`annotators={','.join(g)}`" for g in listed)
        raise InputError(
            "has columns that share no values, so that annotators cannot be told from other columns",
            path=path,
            hint=f"name the columns of the annotators: {shown}",
        )
    chosen = several[0] if several else [n for g in groups for n in g]
    _refuse_other_scale(chosen, words, path)
    reasons |= {
        n: "shares no value with another column" for g in groups for n in g if n not in chosen
    }
    if not chosen:
        raise InputError(
            f"has no column of ratings among {some(list(columns))}",
            path=path,
            hint="name the columns of the annotators with `annotators`",
        )
    if reasons:
        from accord.reading.missing import listed_aside

        notes.append(
            f"not taken as annotators: {listed_aside(reasons)}; name the annotators with "
            "`annotators` if this is wrong"
        )
    return chosen


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


def _named(
    columns: Mapping[str, Column], options: ReadOptions, path: str | None
) -> list[str] | None:
    """The columns that were given a role by name; None when nobody named the annotators."""
    apart = [*options.systems, *options.without]
    if options.reference_annotator is not None:
        apart.append(options.reference_annotator)
    renamed = {new: old for old, new in options.rename.items() if old in columns}
    asked = [renamed.get(n, n) for n in (*(options.annotators or ()), *apart)]
    unknown = [n for n in asked if n not in columns]
    if unknown:
        raise InputError(
            f"has no column {unknown[0]!r}; it has {some(list(columns))}",
            path=path,
            hint="name columns that are annotators",
        )
    return None if options.annotators is None else list(dict.fromkeys(asked))


def _words(column: Column) -> _Words:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        held = column[~np.isnan(column.astype(np.float64))]
        distinct = np.unique(held)
        if not len(distinct):
            return _Words(0, frozenset(), 1.0, 0.0)
        few = frozenset(map(str, distinct[:1000].tolist()))
        return _Words(len(held), few, float(distinct[0]), float(distinct[-1]))
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        codes, names = encode(listed)
    except TypeError:  # lists are sets of labels: compared label by label
        flat = [v for cell in listed for v in (cell if isinstance(cell, list) else [cell])]
        codes, names = encode(flat)
    size = int(sum(names[c] is not None for c in codes.tolist())) if None in names else len(codes)
    texts = [str(n) for n in names if n is not None]
    numbers = [t.replace(",", ".") for t in texts]
    if texts and all(is_number(t) for t in numbers):
        values = list(map(float, numbers))
        return _Words(size, frozenset(texts), min(values), max(values))
    return _Words(size, frozenset(texts), 1.0, 0.0)


def _is_index(name: str, words: Mapping[str, _Words]) -> bool:
    """Rows numbered from 0 or 1, beside columns that are not."""
    own = words[name]
    n = own.size
    if not own.numeric or n < 3 or own.distinctness < 1 or own.low not in (0.0, 1.0):
        return False
    others = [w for m, w in words.items() if m != name and w.size]
    return own.high - own.low == n - 1 and all(w.distinctness < 1 for w in others)


def _is_prose(name: str, words: Mapping[str, _Words], among: Sequence[str]) -> bool:
    own = words[name]
    if own.numeric or own.size < _ENOUGH or own.distinctness < _NEARLY:
        return False
    others = sorted(words[n].distinctness for n in among if n != name)
    return bool(others) and others[len(others) // 2] < 0.5


def _sharing(names: Sequence[str], words: Mapping[str, _Words]) -> list[list[str]]:
    """Groups of columns that share values, directly or through others."""
    groups: list[list[str]] = []
    for name in names:
        joined = [g for g in groups if any(_share(words[name], words[m]) for m in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([*(m for g in joined for m in g), name])
    return [[n for n in names if n in set(group)] for group in groups]


def _share(one: _Words, other: _Words) -> bool:
    if one.numeric and other.numeric:
        return one.low <= other.high and other.low <= one.high
    return bool(one.distinct & other.distinct)


def _refuse_other_scale(
    chosen: Sequence[str], words: Mapping[str, _Words], path: str | None
) -> None:
    """A length or an age among ratings from 1 to 5 shares numbers with them and is no annotator."""
    for name in chosen:
        own, others = words[name], [words[n] for n in chosen if n != name]
        if len(others) < 2 or not all(w.numeric for w in (own, *others)):
            continue
        low, high = min(w.low for w in others), max(w.high for w in others)
        if own.high - own.low > _OTHER_SCALE * max(high - low, 1e-300):
            raise InputError(
                f"has numbers from {own.low:g} to {own.high:g} in column {name!r} and from {low:g} "
                f"to {high:g} in the others, so that it may be no annotator",
                path=path,
                hint="name the columns of the annotators: `annotators="
                + ",".join(n for n in chosen if n != name)
                + "`",
            )


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
