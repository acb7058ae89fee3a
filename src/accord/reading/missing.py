"""Which cells hold no value: the words for it, dots and dashes, and codes such as 999."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from accord.data.encode import Coded, encode
from accord.data.ratings import label_of
from accord.data.reading import Record
from accord.data.values import Column, is_number, is_numeric
from accord.formats.format import ReadOptions

#: what spreadsheets and statistics programs write where there is nothing; "none" is a real label
USUAL = ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "-")
#: how programs spell a number that is none
_NAN = frozenset({"nan", "NaN", "NAN", "<NA>", "NaT"})
#: what SPSS, SAS and Stata write in a column of numbers
_DOT = "."
NO_NUMBERS = frozenset({*_NAN, _DOT})
#: how surveys write "no answer" among numbers
CODES = frozenset({-1.0, *(s * float(d * n) for s in (1, -1) for d in "789" for n in range(1, 9))})


def trimmed(column: Column) -> Column:
    """Without blanks around texts; a cell of blanks, or of nothing, is empty."""
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, Coded):
        codes, names = column.coded()
        cut = trimmed(names)
        if cut is names:
            return column
        merged, distinct = encode(cut)
        return Coded(merged[codes], distinct)
    if not any(isinstance(v, str) and (v == "" or v != v.strip()) for v in column):
        return column
    return [(v.strip() or None) if isinstance(v, str) else v for v in column]


def absent_words(
    counts: Mapping[Any, int],
    options: ReadOptions,
    record: Record,
    *,
    usual: Sequence[str] = USUAL,
) -> set[Any]:
    """Return the distinct values that are words for no value; the record counts them.

    `counts` says how often each distinct value occurs. What is declared or recoded is a value.
    """
    if options.missing_values == ():
        return set()
    given = options.missing_values or ()
    words = {*usual} - _kept(options)
    absent = {v for v in counts if not isinstance(v, frozenset) and label_of(v) in given}
    absent |= {v for v in counts if isinstance(v, str) and v in words}
    if "-" in absent and "-" not in given:
        absent -= _dashes(counts, record)
    rest = [v for v in counts if v not in absent]
    if rest and all(map(is_numeric, rest)):
        codes = {float(word) for word in given if is_number(word)}
        absent |= {v for v in rest if float(v) in codes}
    return _recorded(absent, counts, record)


def absent_numbers(
    counts: Mapping[Any, int],
    options: ReadOptions,
    record: Record,
    *,
    codes: bool = False,
) -> set[Any]:
    """Return the distinct values that stand where a number is lacking: dots, and "nan".

    Where the values are grades (`codes`), a number such as 999 far beyond the others is a question.
    """
    if options.missing_values == ():
        return set()
    kept = _kept(options)
    nans = {v for v in counts if isinstance(v, str) and v in _NAN and v not in kept}
    dots = {v for v in counts if v == _DOT and v not in kept}
    others = {v: n for v, n in counts.items() if v not in nans and v not in dots}
    if not others or not all(map(is_numeric, others)):
        # "nan" is also a code, where all names are
        alike = others and all(isinstance(v, str) and len(v) == 3 and v.isalpha() for v in others)
        return set() if alike else _recorded(nans, counts, record)
    if codes:
        settled = {float(word) for word in kept if is_number(word)}
        _ask_of_codes({float(v): n for v, n in others.items()}, settled, record)
    return _recorded(nans | dots, counts, record)


def _kept(options: ReadOptions) -> set[str]:
    """Words that are values, for they were said or declared to be."""
    return {*options.keep_values, *(options.categories or ())} - {*(options.missing_values or ())}


def _recorded(absent: set[Any], counts: Mapping[Any, int], record: Record) -> set[Any]:
    for value in [v for v in counts if v in absent]:
        record.missing[label_of(value)] += counts[value]
    return absent


def _dashes(counts: Mapping[Any, int], record: Record) -> set[Any]:
    """The dash where it is a value: beside a plus; in many cells without one it may be either."""
    if "+" in counts:
        return {"-"}
    n, cells = counts["-"], sum(counts.values())
    if 10 * n >= cells:
        record.ask(
            f"has '-' in {n} of {cells} cells",
            {"it means no value": ("missing_values", "-"), "it is a value": ("keep_values", "-")},
        )
    return set()


def _ask_of_codes(counts: Mapping[float, int], settled: Collection[float], record: Record) -> None:
    """A code such as 999 beyond a scale is no grade, or is one: nobody but the user knows."""
    codes = suspected(counts, settled)
    if not codes:
        return
    words, one = tuple(map(label_of, codes)), len(codes) == 1
    others = [v for v in counts if v not in codes]
    n = sum(counts[c] for c in codes)
    given = words[0] if one else words
    record.ask(
        f"has {' and '.join(words)} in {n} {'cell' if n == 1 else 'cells'}, and other values from "
        f"{label_of(min(others))} to {label_of(max(others))}",
        {
            f"{'it means' if one else 'they mean'} no value": ("missing_values", given),
            "it is a value" if one else "they are values": ("keep_values", given),
        },
    )


def suspected(counts: Mapping[float, int], settled: Collection[float] = ()) -> list[float]:
    """Return the values that are spelled like codes for "no answer" and lie far beyond the others.

    9, 99, 999 …, the same with 7 and 8, and their negatives: at least the range of the others away;
    of one digit also twice or more, and further than the others are from each other. −1 where all
    others, three or more, are at least 0.

    >>> suspected({0.0: 5, 2.0: 5, 4.0: 5, 999.0: 1}), suspected({1.0: 9, 3.0: 2, 5.0: 2, 9.0: 2})
    ([999.0], [9.0])
    >>> suspected({-1.0: 3, 0.0: 4, 1.0: 2}), suspected({5.0: 3, 6.0: 4, 7.0: 2})
    ([], [])
    """
    codes = {v for v in counts if is_code(v) and v not in settled}
    while codes:
        others = sorted(v for v in counts if v not in codes)
        near = {v for v in codes if not _is_beyond(v, others, counts[v])}
        if not near:
            break
        codes -= near
    return sorted(codes)


def is_code(value: float) -> bool:
    """Whether it is spelled like a code for "no answer".

    >>> [is_code(v) for v in (999.0, -9.0, 88.0, -1.0, 79.0, 9.5)]
    [True, True, True, True, False, False]
    """
    return value in CODES


def _is_beyond(code: float, others: Sequence[float], times: int) -> bool:
    if len(others) < 2 or others[0] < code < others[-1] or (abs(code) < 10 and times < 2):
        return False
    if code == -1:
        return others[0] >= 0 and len(others) > 2
    gap = others[0] - code if code < others[0] else code - others[-1]
    # a scale whose next step it is goes on to it
    step = max(b - a for a, b in pairwise(others))
    return gap >= others[-1] - others[0] and (abs(code) >= 10 or gap > step)


def listed_aside(reasons: dict[str, str]) -> str:
    """Columns that were set aside, and why.

    >>> listed_aside({"text": "called so"})
    "'text' (called so)"
    """
    shown = [f"{name!r} ({why})" for name, why in list(reasons.items())[:8]]
    return ", ".join(shown) + (f" and {len(reasons) - 8} more" if len(reasons) > 8 else "")
