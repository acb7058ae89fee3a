"""What the cells of ratings mean: names, an order, numbers, sets or vectors, and which are empty.

Every way to ratings asks here, a file, a frame, a list or an engine that counts: the distinct cells
are looked at once, and the columns come back with None for no value and with numbers for what was
written as one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Coded, distinct_numbers, encode
from accord.data.label_sets import EMPTY
from accord.data.ratings import Kind, label_of
from accord.data.reading import Option, Record
from accord.data.tables import cell_sets
from accord.data.values import Column, hashable, is_number, is_numeric
from accord.formats.format import ReadOptions
from accord.reading.missing import NO_NUMBERS, USUAL, absent_numbers, absent_words, is_code
from accord.reading.recode import categories_recoded, recoded

_DECIMAL = re.compile(r"[+-]?[0-9]+(,[0-9]+)?")
_SHARE = re.compile(r"([+-]?[0-9]+(?:[.,][0-9]+)?)\s*%")
_TRUTH = ("true", "false")
#: words among numbers: so few of the cells that they are hardly names of classes
_FEW = 0.1


@dataclass(frozen=True, slots=True)
class Values:
    """The cells of ratings as they are meant, and how they are to be read."""

    columns: Mapping[str, Column]
    kind: Kind | None
    categories: tuple[str, ...] | None
    ordered: bool

    def __iter__(self) -> Any:
        return iter(self.columns.values())

    @property
    def options(self) -> dict[str, Any]:
        """What makes ratings of the columns, as keywords."""
        return {"kind": self.kind, "categories": self.categories, "ordered": self.ordered}


def values_of(
    columns: Mapping[str, Column],
    options: ReadOptions,
    record: Record,
    *,
    times: NDArray[np.int64] | None = None,
    usual: Sequence[str] = USUAL,
    decimal_comma: bool = False,
) -> Values:
    """Read the cells of all columns of values together; the record keeps what was decided.

    Each row counts once, or as often as `times` says. `usual` are the words for no value;
    `decimal_comma` says that the file writes numbers with one.
    """
    if _are_plain(columns, options):
        known = None if options.categories is None else tuple(options.categories)
        return Values(columns, options.values, known, options.ordered)
    coded = {name: _coded(column, options) for name, column in columns.items()}
    counts: Counter[Any] = Counter()
    for codes, names in coded.values():
        held = np.bincount(codes, weights=times, minlength=len(names)).tolist()
        for name, n in zip(names, held, strict=True):
            if not _is_nothing(name):
                counts[name] += int(n)
    means = _Meaning(counts)
    single = not _are_sets(counts, options)
    categories = options.categories
    if single and _are_booleans(counts):
        means.change({v: str(v).lower() for v in counts})
        categories = categories and tuple([c.lower() for c in categories])
    means.change(recoded(means.counts, options, record))
    categories, ordered = categories_recoded(categories, options, record)
    options = replace(options, categories=categories)
    means.change(dict.fromkeys(absent_words(means.counts, options, record, usual=usual)))
    kind: Kind | None = options.values
    if single:
        if kind != "categories" and categories is None:
            means.change(_spelled(means.counts, options, record, decimal_comma=decimal_comma))
        if usual:
            absent = absent_numbers(means.counts, options, record, codes=True)
            means.change(dict.fromkeys(absent))
        if kind is None and categories is None:
            kind = _names_beside_numbers(means.counts, record)
    made = {name: means.read(column, *coded[name]) for name, column in columns.items()}
    return Values(made, kind, categories, ordered)


def labels_of(
    column: Sequence[Any], options: ReadOptions, record: Record, *, usual: Sequence[str] = USUAL
) -> Sequence[str | None]:
    """Read a column of labels (of units, boxes, relations, segments): new names, None for no value."""
    codes, names = encode(column)
    held = np.bincount(codes, minlength=len(names)).tolist()
    means = _Meaning(Counter({v: n for v, n in zip(names, held, strict=True) if v is not None}))
    means.change(recoded(means.counts, options, record))
    means.change(dict.fromkeys(absent_words(means.counts, options, record, usual=usual)))
    if usual:
        means.change(dict.fromkeys(absent_numbers(means.counts, options, record)))
    return means.read(column, codes, names)  # type: ignore[return-value]


@dataclass(slots=True)
class _Meaning:
    """What each distinct cell means, and how often each meaning occurs."""

    counts: Counter[Any]
    of: dict[Any, Any] = field(default_factory=dict)

    def change(self, new: Mapping[Any, Any]) -> None:
        """Take what has one of these meanings in another; None is no value."""
        if not new:
            return
        self.of = {
            **{cell: new.get(now, now) for cell, now in self.of.items()},
            **{cell: now for cell, now in new.items() if cell not in self.of},
        }
        counts: Counter[Any] = Counter()
        for value, n in self.counts.items():
            if (now := new.get(value, value)) is not None:
                counts[now] += n
        self.counts = counts

    def read(self, column: Column, codes: NDArray[np.int32], names: Sequence[Any]) -> Column:
        """Return the column as it is meant: the same one where nothing changed."""
        if not any(name in self.of for name in names):
            return column
        merged, distinct = encode([self.of.get(name, name) for name in names])
        return Coded(merged[codes], distinct)


def _are_plain(columns: Mapping[str, Column], options: ReadOptions) -> bool:
    """Numbers in arrays of which nothing is to be decided: none is a word, none looks like a code."""
    if options.recode or options.merge or any(map(is_number, options.missing_values or ())):
        return False
    arrays = [c for c in columns.values() if isinstance(c, np.ndarray) and c.dtype.kind in "iuf"]
    if len(arrays) < len(columns):
        return False
    held = [c[c == c] if c.dtype.kind == "f" else c for c in arrays]
    ends = [float(end) for c in held if len(c) for end in (c.min(), c.max())]
    # a code lies beyond all others
    return not any(map(is_code, (min(ends), max(ends)))) if ends else True


def _coded(column: Column, options: ReadOptions) -> tuple[NDArray[np.int32], list[Any]]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        distinct, codes = distinct_numbers(column)
        return codes, distinct.tolist()
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        codes, names = encode(listed)
    except TypeError:
        codes, names = encode([hashable(v) for v in listed])
    sets = cell_sets(options.values, options.separator, options.multiple, options.none)
    if sets is None or not (options.recode or options.merge):
        return codes, names
    # labels within a cell are named anew one by one
    read = [sets.read(name) if isinstance(name, str) and name else name for name in names]
    again, distinct_sets = encode(read)
    return again[codes], distinct_sets


def _is_nothing(cell: Any) -> bool:
    return cell is None or cell == "" or (isinstance(cell, float) and cell != cell)


def _are_sets(counts: Mapping[Any, int], options: ReadOptions) -> bool:
    """Cells are sets of labels, or vectors: several things in one."""
    if cell_sets(options.values, options.separator, options.multiple, options.none) is not None:
        return True
    several = any(isinstance(v, (frozenset, tuple)) for v in counts)
    return several or (options.values is None and EMPTY in counts)


def with_decimal_points(column: Column) -> Column:
    """Numbers with decimal commas as numbers; any other column as it is."""
    if isinstance(column, np.ndarray):
        return column
    codes, names = encode(column)
    texts = [n for n in names if n is not None]
    commas = any("," in str(n) for n in texts)
    if not commas or not all(isinstance(n, str) and _DECIMAL.fullmatch(n) for n in texts):
        return column
    return Coded(codes, [n if n is None else n.replace(",", ".") for n in names])


def _are_booleans(counts: Mapping[Any, int]) -> bool:
    """Truth values and nothing else, however they are written."""
    texts = [str(v) for v in counts if isinstance(v, (bool, np.bool_, str))]
    if len(texts) < len(counts) or not texts:
        return False
    return all(t in (t.lower(), t.title(), t.upper()) and t.lower() in _TRUTH for t in texts)


def _spelled(
    counts: Mapping[Any, int], options: ReadOptions, record: Record, *, decimal_comma: bool
) -> dict[Any, Any]:
    """Numbers written as shares of a hundred or with a decimal comma, as numbers; open where unsure."""
    texts = [v for v in counts if isinstance(v, str) and v not in NO_NUMBERS]
    others = [v for v in counts if not isinstance(v, str)]
    shares = {
        t: float(Decimal(m[1].replace(",", ".")) / 100) for t in texts if (m := _SHARE.fullmatch(t))
    }
    commas = {t: t.replace(",", ".") for t in texts if "," in t and _DECIMAL.fullmatch(t)}
    bare = [v for v in (*others, *texts) if v not in shares]
    if not (shares or commas) or not all(v in commas or is_numeric(v) for v in bare):
        return {}
    if shares:
        large = [label_of(v) for v in bare if abs(float(commas.get(v, v))) > 1]
        _decide_shares(next(iter(shares)), large, options, record)
    elif not decimal_comma or all(part in texts for t in commas for part in t.split(",")):
        _ask_of_commas(next(iter(commas)), options, record)
    else:
        record.assume(
            "the commas are decimal commas",
            ("values", "categories"),
            why=f"{next(iter(commas))!r} is written so",
        )
    return {**shares, **commas}


def _decide_shares(shown: str, large: Sequence[str], options: ReadOptions, record: Record) -> None:
    """Percentages are shares of one; beside numbers above 1 these may be percentages too."""
    if options.values == "numbers":
        return
    number = f"{shown!r} is {_share(shown)}"
    if not large:
        record.assume(number, ("values", "categories"), why="numbers have a % sign")
        return
    record.ask(
        f"mixes {shown!r} and {large[0]!r}",
        {
            f"{large[0]} means {large[0]}%": ("recode", {n: f"{n}%" for n in large[:3]}),
            f"{number} and {large[0]} is {large[0]}": ("values", "numbers"),
        },
    )


def _share(text: str) -> str:
    return f"{float(text.rstrip('% ').replace(',', '.')) / 100:g}"


def _ask_of_commas(shown: str, options: ReadOptions, record: Record) -> None:
    """A comma between digits is a decimal comma, or stands between two labels."""
    if options.values == "numbers":
        return
    record.ask(
        f"has values such as {shown!r}",
        {
            "the comma is a decimal comma": ("values", "numbers"),
            "it stands between two labels": ("separator", ","),
            "each is one name": ("values", "categories"),
        },
    )


def _names_beside_numbers(counts: Mapping[Any, int], record: Record) -> Kind | None:
    """Numbers and words together are names, unless the words are few: then they may be no values."""
    odd = [v for v in counts if not is_numeric(v)]
    if not odd or len(odd) == len(counts):
        return None
    words = [label_of(v) for v in odd]
    if all(w.lstrip("+-").isdigit() for w in words):
        return None
    n, cells = sum(counts[v] for v in odd), sum(counts.values())
    plain = label_of(next(v for v in counts if is_numeric(v)))
    why = f"mixes numbers ({plain}) and text ({words[0]!r})"
    names: dict[str, Option] = {"the values are names": ("values", "categories")}
    truth = {w: str(_TRUTH[::-1].index(w.lower())) for w in words if w.lower() in _TRUTH}
    if len(truth) == len(words) and {float(v) for v in counts if is_numeric(v)} <= {0.0, 1.0}:
        record.ask(why, {"they mean the same": ("recode", truth)} | names)
    no_value: Option = ("missing_values", words[0] if len(words) == 1 else tuple(words))
    if len(words) <= 2 and n <= _FEW * cells and len(counts) - len(words) > 2:
        means = f"{words[0]!r} means" if len(words) == 1 else "the words mean"
        record.ask(why, {f"{means} no value": no_value} | names)
    if len(words) < 9:
        record.assume("the values are names", no_value, why=why)
    return "categories"
