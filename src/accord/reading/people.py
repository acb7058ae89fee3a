"""Who is an annotator in a wide table: columns that share their values, and none that was computed.

Which columns are annotators is not written in the file. Annotators of one campaign use the same
values: columns are annotators together when they share values (for numbers: when their ranges
meet). A sum or a mean of the others, a text, a column that numbers its rows are left out, and said;
a column that shares nothing with the others may be an annotator with labels of her own, or none: that
is asked, unless its name says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import encode, natural_key
from accord.data.reading import Record
from accord.data.roles import is_reference
from accord.data.values import Column, is_number
from accord.errors import InputError, did_you_mean, some
from accord.formats.format import ReadOptions
from accord.reading.columns import SYNONYMS, is_comment, plain_name
from accord.reading.missing import NO_NUMBERS, USUAL, is_code

#: at least so many words must be nearly all distinct before that says something
_ENOUGH = 10
_NEARLY = 0.9
#: numbers over a range so many times wider are on another scale
_OTHER_SCALE = 4
#: names that are listed in an option that is shown
LISTED = 12

_SUMS = ("total", "totals", "sum", "sums", "somme", "totaux", "summe", "gesamt", "gesamtsumme",
         "suma", "totale", "somma")  # fmt: skip
_MEANS = ("mean", "means", "average", "avg", "moyenne", "mittelwert", "durchschnitt", "mittel",
          "media", "promedio")  # fmt: skip
#: what else is computed of the ratings of an item
_SPREADS = ("median", "sd", "std", "stdev", "std_dev", "variance", "mediane", "ecart_type",
            "standardabweichung", "mediana", "varianza")  # fmt: skip
_VOTES = ("majority", "majority_vote", "majority_label", "vote", "mode", "aggregated",
          "aggregated_label", "majorite", "vote_majoritaire", "mehrheit", "mayoria",
          "maggioranza")  # fmt: skip
TOTALS = frozenset({*_SUMS, *_MEANS, *_SPREADS})

#: what computes a column of the others
_WAYS = {"sum": "the sum of the others", "mean": "the mean of the others"}
_NUMBERED = re.compile(r"(.*?)[_#]?(\d+|[a-z])")

Array = NDArray[np.float64]


class Words(NamedTuple):
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


def annotators_among(
    columns: Mapping[str, Column],
    options: ReadOptions,
    record: Record,
    *,
    keyword: str = "annotators",
) -> list[str]:
    """Return the columns that are annotators (or items, where rows are people): named, or told.

    What is left out is kept in the record, and what cannot be told is asked.
    """
    asked = getattr(options, keyword)
    apart = _apart(columns, options) if keyword == "annotators" else []
    if asked is not None:
        return _named(asked, apart, columns, options, record.path, keyword)
    references = [n for n in columns if is_reference(n) and keyword == "annotators"]
    sure = {*apart, *references}
    others = {n: c for n, c in columns.items() if n not in sure}
    words = {n: words_of(c, options) for n, c in columns.items()}
    why = _reasons(others, words)
    computed = _computed({n: c for n, c in others.items() if n not in why}, words)
    groups = _sharing([n for n in columns if n not in why and n not in computed], words)
    people = [[n for n in g if n not in sure] for g in groups]
    several = [g for g in people if len(g) > 1]
    alone = [g[0] for g in people if len(g) == 1]
    if len(several) > 1:
        _ask_of_groups(several, record, keyword)
    if several:
        chosen = several[0]
    elif len(alone) > 1:
        _ask_of_groups([alone], record, keyword)
    else:
        chosen, alone = alone, []
    if not chosen and not sure:
        raise InputError(
            f"has no column of ratings among {some(list(columns))}",
            path=record.path,
            hint=f"name the columns of the {keyword} with `{keyword}`",
        )
    chosen = _with_loners(chosen, alone, record, keyword)
    _ask_of_scale(chosen, words, record, keyword)
    _leave_out(why, computed, chosen, record, keyword)
    return [n for n in columns if n in chosen or n in sure]


def share_values(columns: Mapping[str, Column], options: ReadOptions) -> bool:
    """Whether two columns or more have the same values, so that they look like annotators."""
    words = {n: words_of(c, options) for n, c in columns.items() if not is_comment(n)}
    for name in [n for n, w in words.items() if not w.size or _is_index(n, words)]:
        del words[name]
    held = list(words.values())
    return any(_alike(one, other) for i, one in enumerate(held) for other in held[:i])


def shares_with(name: str, columns: Mapping[str, Column], options: ReadOptions) -> bool:
    """Whether another column has the same values as this one."""
    own = words_of(columns[name], options)
    others = [c for n, c in columns.items() if n != name and not is_comment(n)]
    return any(_alike(own, words_of(c, options)) for c in others)


def called_annotator(name: str) -> bool:
    """Whether a column is called like an annotator with a number: coder2, Annotateur B.

    >>> [called_annotator(n) for n in ("Coder 2", "rater_b", "annotator", "domain")]
    [True, True, False, False]
    """
    found = _NUMBERED.fullmatch(plain_name(name))
    return found is not None and found[1] in SYNONYMS["annotator"]


def _apart(columns: Mapping[str, Column], options: ReadOptions) -> list[str]:
    """Columns of people to whom options give another part."""
    names = [*options.systems, *options.without]
    if options.reference_annotator is not None:
        names.append(options.reference_annotator)
    return _under_old_names(names, columns, options)


def _under_old_names(
    names: Iterable[str], columns: Mapping[str, Column], options: ReadOptions
) -> list[str]:
    renamed = {new: old for old, new in options.rename.items() if old in columns}
    return [renamed.get(name, name) for name in names]


def _named(
    asked: Sequence[str],
    apart: Sequence[str],
    columns: Mapping[str, Column],
    options: ReadOptions,
    path: str | None,
    keyword: str,
) -> list[str]:
    """The columns that were named, and the reference beside them."""
    names = [*_under_old_names(asked, columns, options), *apart]
    unknown = [n for n in names if n not in columns]
    if unknown:
        meant = did_you_mean(unknown[0], columns, "{!r}")
        raise InputError(
            f"has no column {unknown[0]!r}; it has {some(list(columns))}{meant}",
            path=path,
            hint=f"name columns that are {keyword}",
        )
    if keyword == "annotators":
        names += [n for n in columns if is_reference(n)]
    return list(dict.fromkeys(names))


# --- what a column looks like ----------------------------------------------------------------------


def words_of(column: Column, options: ReadOptions) -> Words:
    """Return what a column holds, without the words for no value."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        held = column[~np.isnan(column.astype(np.float64))]
        distinct = np.unique(held)
        few = frozenset(map(_plain, distinct[:1000].tolist()))
        return Words(len(held), few, *_range(distinct.tolist()))
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    try:
        codes, names = encode(listed)
    except TypeError:  # lists are sets of labels: compared label by label
        flat = [v for cell in listed for v in (cell if isinstance(cell, list) else [cell])]
        try:
            codes, names = encode(flat)
        except TypeError:
            return Words(len(flat), frozenset(map(str, flat)), 1.0, 0.0)
    absent = {None, "", *USUAL, *NO_NUMBERS, *(options.missing_values or ())}
    there = [not (n in absent or n != n) for n in names]
    size = int(np.array(there, dtype=bool)[codes].sum()) if len(codes) else 0
    texts = [_plain(n) for n, held in zip(names, there, strict=True) if held]
    numbers = [t.replace(",", ".") for t in texts]
    if texts and all(is_number(t) for t in numbers):
        return Words(size, frozenset(texts), *_range(list(map(float, numbers))))
    return Words(size, frozenset(texts), 1.0, 0.0)


def _plain(value: object) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)  # type: ignore[call-overload]


def _range(numbers: Sequence[float]) -> tuple[float, float]:
    """The smallest and the largest, but for codes such as 999 where there is anything else."""
    held = [n for n in numbers if not is_code(n)] or list(numbers)
    return (min(held), max(held)) if held else (1.0, 0.0)


def _is_index(name: str, words: Mapping[str, Words]) -> bool:
    """Rows numbered from 0 or 1, beside columns that are not."""
    own = words[name]
    n = own.size
    if not own.numeric or n < 3 or len(own.distinct) < min(n, 1000) or own.low not in (0.0, 1.0):
        return False
    others = [w for m, w in words.items() if m != name and w.size]
    return own.high - own.low == n - 1 and all(w.distinctness < 1 for w in others)


def _is_prose(name: str, words: Mapping[str, Words], among: Sequence[str]) -> bool:
    """Nearly every cell is another text, where the cells of others are often the same."""
    own = words[name]
    others = sorted(words[n].distinctness for n in among if n != name)
    if own.numeric or not others:
        return False
    usual = others[len(others) // 2]
    if own.size < _ENOUGH:
        alone = not any(_share(own, words[n]) for n in among if n != name)
        return alone and own.size > 2 and own.distinctness == 1 and usual <= 0.75
    return own.distinctness >= _NEARLY and usual < 0.5


def _sharing(names: Sequence[str], words: Mapping[str, Words]) -> list[list[str]]:
    """Groups of columns that share values, directly or through others."""
    groups: list[list[str]] = []
    for name in names:
        joined = [g for g in groups if any(_share(words[name], words[m]) for m in g)]
        groups = [g for g in groups if g not in joined]
        groups.append([*(m for g in joined for m in g), name])
    return [[n for n in names if n in set(group)] for group in groups]


def _share(one: Words, other: Words) -> bool:
    if one.numeric and other.numeric:
        return one.low <= other.high and other.low <= one.high
    return bool(one.distinct & other.distinct)


def _alike(one: Words, other: Words) -> bool:
    """Whether most of the values of one are values of the other, or most of their ranges is one."""
    if not one.size or not other.size or one.numeric != other.numeric:
        return False
    both = len(one.distinct & other.distinct)
    if 2 * both >= min(len(one.distinct), len(other.distinct)) and both:
        return not one.numeric or both > 1 or len(one.distinct | other.distinct) < 3
    if not one.numeric:
        return False
    met = min(one.high, other.high) - max(one.low, other.low)
    return met > 0 and 2 * met >= max(one.high - one.low, other.high - other.low)


# --- what is no annotator --------------------------------------------------------------------------


def _reasons(columns: Mapping[str, Column], words: Mapping[str, Words]) -> dict[str, str]:
    """Columns that nobody takes for an annotator → why."""
    why = {n: "called like a text or remark" for n in columns if is_comment(n)}
    why |= {n: "empty" for n in columns if n not in why and not words[n].size}
    own = {n: w for n, w in words.items() if n not in why}
    why |= {n: "numbers its rows" for n in columns if n in own and _is_index(n, own)}
    left = [n for n in columns if n not in why]
    return why | {n: "nearly every value is another" for n in left if _is_prose(n, words, left)}


def _computed(columns: Mapping[str, Column], words: Mapping[str, Words]) -> dict[str, str]:
    """Columns that were computed of the others → how."""
    numbers = {n: own for n, c in columns.items() if words[n].numeric for own in [numbers_of(c)]}
    found = {
        n: why
        for n in numbers
        if called_total(n)
        and (why := _of_name(n, numbers[n], [c for m, c in numbers.items() if not called_total(m)]))
    }
    left = [n for n in numbers if n not in found]
    for name in reversed(left):
        others = [numbers[n] for n in left if n not in (name, *found)]
        way = computed_of(numbers[name], others)
        if way is not None:
            found[name] = _WAYS[way]
            break
    votes = [n for n in columns if plain_name(n) in _VOTES]
    people = [list(c) for n, c in columns.items() if n not in votes and n not in found]
    found |= {n: "the vote of the others" for n in votes if _is_vote(columns[n], people)}
    return found


def called_total(name: str) -> bool:
    """Whether this is a name of what is computed: a sum, a mean, a deviation."""
    return plain_name(name) in TOTALS


def _of_name(name: str, own: Array, others: Sequence[Array]) -> str:
    """Why a column that is called like a sum or a mean is one; "" where its numbers are ratings."""
    if len(others) < 2:
        return ""
    way = computed_of(own, others, named=True)
    if way is not None:
        return _WAYS[way]
    held = np.concatenate([c[c == c] for c in others])
    mine = own[own == own]
    beyond = bool(len(held) and ((mine > held.max()) | (mine < held.min())).any())
    parts = bool(np.any(mine % 1) and not np.any(held % 1))
    return "called like a sum or mean, with other numbers" if beyond or parts else ""


def numbers_of(column: Column) -> Array:
    """Return the cells as numbers, NaN where one is none."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    out = np.full(len(column), np.nan)
    for row, cell in enumerate(column):
        text = str(cell).replace(",", ".")
        if cell is not None and is_number(text):
            out[row] = float(text)
    return out


def computed_of(own: Array, others: Sequence[Array], *, named: bool = False) -> str | None:
    """Return whether these numbers are the sum or the mean of the others, place by place.

    That two of a few people make a third by chance is to be ruled out: at some places the others
    must differ, and there must be many of them, or numbers that no rating is. What is `named` so
    needs less.

    >>> a, b = np.array([1.0, 2, 2, 4]), np.array([2.0, 2, 3, 1])
    >>> computed_of(a + b, [a, b]), computed_of((a + b) / 2, [a, b]), computed_of(a, [a, a])
    ('sum', 'mean', None)
    """
    held = ~np.isnan(own)
    if len(others) < 2 or int(held.sum()) < 2:
        return None
    grid, mine = np.stack(others)[:, held], own[held]
    there = ~np.isnan(grid)
    count, total = there.sum(axis=0), np.where(there, grid, 0.0).sum(axis=0)
    if not (count > 0).all():
        return None
    added = int(((there & (grid != 0)).sum(axis=0) > 1).sum())
    beyond = bool((mine > grid[there].max()).any())
    if np.allclose(mine, total, rtol=1e-9, atol=1e-9):
        return "sum" if added > (0 if named else 1) and (named or beyond or added > 3) else None
    apart = int((np.nanmax(grid, axis=0) != np.nanmin(grid, axis=0)).sum())
    parts = bool(np.any(mine % 1) and not np.any(grid[there] % 1))
    if bool((np.abs(mine - total / count) <= _rounding(mine, whole=named)).all()):
        return "mean" if apart > 1 and (named or parts or apart > 3) else None
    return None


def _rounding(numbers: Array, *, whole: bool) -> float:
    """How far numbers may be off that were rounded as they are written; `whole` ones too, or not."""
    places = max(len(repr(v).partition(".")[2].rstrip("0")) for v in numbers.tolist())
    if places:
        return max(0.5000001 * 10.0**-places, 1e-9)
    return 0.5000001 if whole else 1e-9


def _is_vote(column: Column, people: Sequence[Sequence[object]]) -> bool:
    """Whether each cell is what most others say, wherever one answer has the most votes."""
    if len(people) < 2:
        return False
    met = 0
    for row, own in enumerate(column):
        said = [str(c[row]) for c in people if c[row] is not None]
        votes = {v: said.count(v) for v in said}
        best = [v for v, n in votes.items() if n == max(votes.values())]
        if len(best) == 1 and own is not None:
            if str(own) != best[0]:
                return False
            met += 1
    return met > 1


# --- what is asked and said ------------------------------------------------------------------------


def _ask_of_groups(groups: Sequence[Sequence[str]], record: Record, keyword: str) -> None:
    """Two groups of columns share values among themselves, or none does: nobody but the user can tell."""
    record.ask(
        "has columns that share no values, so that those of ratings cannot be told from others",
        {_are(group, keyword): (keyword, tuple(group)) for group in groups},
    )


def _with_loners(
    chosen: list[str], alone: Sequence[str], record: Record, keyword: str
) -> list[str]:
    """The annotators with those columns that share no value with them and are called like them."""
    called = [n for n in alone if _is_called_so(n, chosen, keyword)]
    unsure = [n for n in alone if n not in called]
    every = sorted([*chosen, *called], key=natural_key)
    if unsure:
        whole = sorted([*every, *unsure], key=natural_key)
        one = len(unsure) == 1
        own = "it is an annotator with labels of their own"
        record.ask(
            f"column {unsure[0]!r} shares no value with the others"
            if one
            else f"columns {some(unsure)} share no value with the others",
            {
                own if one and keyword == "annotators" else _are(whole, keyword): (
                    keyword,
                    tuple(whole),
                ),
                "it is none" if one else "they are none": (keyword, tuple(every)),
            },
        )
    if called:
        record.assume(_are(called, keyword), (keyword, tuple(chosen)), why="by its name")
    return every


def _are(names: Sequence[str], keyword: str) -> str:
    if keyword == "items":
        return f"{some(names)} is an item" if len(names) == 1 else f"{some(names)} are items"
    if len(names) == 1:
        return f"{some(names)} is an annotator"
    return f"{some(names)} are annotators"


def _is_called_so(name: str, chosen: Sequence[str], keyword: str) -> bool:
    """Whether a column has a name of an annotator, or a number after the name that the others have."""
    if keyword == "annotators" and (
        called_annotator(name) or plain_name(name) in SYNONYMS["annotator"]
    ):
        return True
    stems = {m[1] if (m := _NUMBERED.fullmatch(plain_name(n))) else None for n in (name, *chosen)}
    return len(stems) == 1 and None not in stems


def _ask_of_scale(
    chosen: Sequence[str], words: Mapping[str, Words], record: Record, keyword: str
) -> None:
    """A length or an age among ratings from 1 to 5 shares numbers with them, and may be no annotator."""
    for name in chosen:
        own, others = words[name], [words[n] for n in chosen if n != name]
        if len(others) < 2 or not all(w.numeric for w in (own, *others)):
            continue
        low, high = min(w.low for w in others), max(w.high for w in others)
        if own.high - own.low > _OTHER_SCALE * (high - low) > 0:
            rest = tuple([n for n in chosen if n != name])
            record.ask(
                f"has numbers from {own.low:g} to {own.high:g} in column {name!r} and from "
                f"{low:g} to {high:g} in the others, so that it may be no annotator",
                {"it is none": (keyword, rest), _are(chosen, keyword): (keyword, tuple(chosen))},
            )


def _leave_out(
    why: Mapping[str, str],
    computed: Mapping[str, str],
    chosen: Sequence[str],
    record: Record,
    keyword: str,
) -> None:
    """Say which columns are no annotators: what was computed each, all the rest at once."""
    for name, reason in computed.items():
        whole = (*chosen, name)
        few = len(whole) <= LISTED
        record.leave_out(f"column {name!r}", why=reason, keep=(keyword, whole) if few else None)
    if why:
        names, reasons = list(why), set(why.values())
        record.leave_out(
            f"column {names[0]!r}" if len(names) == 1 else f"columns {some(names)}",
            len(names),
            why=reasons.pop() if len(reasons) == 1 else "texts, numbers of rows, or empty",
        )
