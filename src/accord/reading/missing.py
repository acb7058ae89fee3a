"""How people spell values in tables: words for "no value", decimal commas, blanks around."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from accord.data.encode import Coded, encode
from accord.data.values import Column
from accord.formats.format import ReadOptions

#: what spreadsheets and statistics programs write where there is nothing; "none" is a real label,
#: and "nan" may be one
MISSING_WORDS = ("NA", "N/A", "n/a", "#N/A", "null", "NULL", "-")

_DECIMAL = re.compile(r"[+-]?[0-9]+(,[0-9]+)?")


def trimmed(column: Column) -> Column:
    """Without blanks around texts; a cell of blanks is empty."""
    if isinstance(column, np.ndarray):
        return column
    if isinstance(column, Coded):
        codes, names = column.coded()
        cut = trimmed(names)
        if cut is names:
            return column
        merged, distinct = encode(cut)
        return Coded(merged[codes], distinct)
    if not any(isinstance(v, str) and v != v.strip() for v in column):
        return column
    return [(v.strip() or None) if isinstance(v, str) else v for v in column]


def missing_words(
    columns: Sequence[Column], options: ReadOptions, notes: list[str]
) -> tuple[str, ...]:
    """The words that stand for no value: those that were given, else the usual ones, with a note.

    A declared category is a category, whatever it is called.
    """
    if options.missing_values is not None:
        return options.missing_values
    words = {w for w in MISSING_WORDS if w not in (options.categories or ())}
    found: dict[str, int] = {}
    for column in columns:
        for word, n in _counted(column, words).items():
            found[word] = found.get(word, 0) + n
    if found:
        notes.append(taken_as_missing(found))
    return tuple(found)


def taken_as_missing(found: Mapping[str, int]) -> str:
    """Which words were taken as no value, and how often."""
    listed = ", ".join(f"{word!r} ({n})" for word, n in found.items())
    return (
        f"taken as no value: {listed}; a word that is a value is kept when `categories` declare it"
    )


def with_decimal_points(column: Column, name: str, notes: list[str]) -> Column:
    """Numbers with decimal commas as numbers, with a note; any other column as it is."""
    if isinstance(column, np.ndarray):
        return column
    codes, names = encode(column)
    texts = [n for n in names if n is not None and n not in MISSING_WORDS]
    if not any("," in str(n) for n in texts):
        return column
    if not all(isinstance(n, str) and _DECIMAL.fullmatch(n) for n in texts):
        return column
    notes.append(f"the commas of column {name!r} are decimal commas: its values are numbers")
    return Coded(
        codes, [n.replace(",", ".") if isinstance(n, str) and n in texts else n for n in names]
    )


def _counted(column: Column, words: set[str]) -> dict[str, int]:
    """How often each of the words stands in the column."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return {}
    try:
        codes, names = encode(column if not isinstance(column, np.ndarray) else column.tolist())
    except TypeError:  # lists are sets of labels
        return {}
    counts = np.bincount(codes, minlength=len(names))
    found: dict[Any, int] = dict(zip(names, counts.tolist(), strict=True))
    return {word: n for word, n in found.items() if word in words}


def listed_aside(reasons: dict[str, str]) -> str:
    """Columns that were set aside, and why.

    >>> listed_aside({"text": "called so"})
    "'text' (called so)"
    """
    shown = [f"{name!r} ({why})" for name, why in list(reasons.items())[:8]]
    return ", ".join(shown) + (f" and {len(reasons) - 8} more" if len(reasons) > 8 else "")
