"""The values of ratings: what is missing, what is a number, a label or a set, in which order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, encode, natural_key
from accord.data.label_sets import LabelSets
from accord.data.ratings import Kind, label_of
from accord.errors import InputError, some

Column = Sequence[Any] | NDArray[Any]
#: row of a column → line of the file it came from, when there is one
Line = Callable[[int], int | None]

_NUMBER = re.compile(r"[+-]?(?=[0-9.])(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")


def is_number(text: str) -> bool:
    """Plainly a finite number: no words ("nan"), no codes with leading zeros ("007").

    >>> [is_number(t) for t in ("3", "-1.5e3", "nan", "007", "", "inf", ".5", "e9")]
    [True, True, False, False, False, False, True, False]
    """
    return (
        bool(text)
        and text[-1].isdigit()
        and _NUMBER.fullmatch(text) is not None
        and math.isfinite(float(text))
        and (len(text) <= 15 or not text.lstrip("+-").isdigit() or is_exact(int(text)))
    )


def is_exact(whole: int) -> bool:
    """Whether a whole number is itself as a float: beyond 2⁵³ they merge, and name things.

    >>> is_exact(2**53), is_exact(2**53 + 1)
    (True, False)
    """
    return abs(whole) <= 2**53


def _is_numeric(value: Any) -> bool:
    """A number, or plainly the text of one; not a date, nor a number too long to be one."""
    if isinstance(value, str):
        return is_number(value)
    if isinstance(value, Integral):
        return is_exact(int(value))
    return isinstance(value, Real)


def frozen(column: Column) -> list[Any]:
    """Objects that can be told apart: lists and arrays as tuples.

    >>> frozen([[1, [2]], "a", None])
    [(1, (2,)), 'a', None]
    """

    def one(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            value = value.tolist()
        return tuple(map(one, value)) if isinstance(value, (list, tuple)) else value

    return [one(value) for value in column]


def encode_values(
    values: Column, missing: Sequence[str], sets: LabelSets | None = None
) -> tuple[Codes, list[Any]]:
    """Codes by appearance (-1 for missing) and the distinct values; cells are read by `sets`."""
    numeric = isinstance(values, np.ndarray) and values.dtype.kind in "iuf"
    if isinstance(values, np.ndarray) and numeric and sets is None and _are_exact([values]):
        numbers = values.astype(np.float64)
        absent = np.isnan(numbers)
        distinct, places = np.unique(numbers[~absent], return_inverse=True)
        out = np.full(len(numbers), -1, dtype=np.int32)
        out[~absent] = places
        return out, distinct.tolist()
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    try:
        codes, distinct_values = encode(listed)
    except TypeError:  # lists are not hashable: they are sets of labels
        listed = [_as_set(v) for v in listed]
        codes, distinct_values = encode(listed)
    absent_words = set(missing)
    number = np.full(len(distinct_values), -1, dtype=np.int32)
    kept: list[Any] = []
    place: dict[Any, int] = {}
    for i, value in enumerate(distinct_values):
        if value is None or value in absent_words or (isinstance(value, float) and value != value):
            continue
        if sets is not None and not isinstance(value, frozenset):
            value = sets.read(value if isinstance(value, str) else label_of(value))
        elif isinstance(value, bool):
            value = str(value).lower()
        number[i] = place.setdefault(value, len(place))
        if number[i] == len(kept):
            kept.append(value)
    return number[codes] if len(number) else codes, kept


def encode_columns(
    columns: Sequence[Column], missing: Sequence[str], sets: LabelSets | None = None
) -> tuple[Codes, list[Any]]:
    """Items × annotators codes (-1 for missing) and the distinct values."""
    arrays = [c for c in columns if isinstance(c, np.ndarray)]
    whole = all(c.dtype.kind in "iu" for c in arrays) and sets is None
    if columns and len(arrays) == len(columns) and whole:
        low = min((int(c.min()) for c in arrays if len(c)), default=0)
        high = max((int(c.max()) for c in arrays if len(c)), default=0)
        if high - low < 65_536 and _are_exact(arrays):
            return _encode_small(arrays, low, high)
    numeric = all(c.dtype.kind in "iuf" for c in arrays) and _are_exact(arrays)
    if columns and len(arrays) == len(columns) and numeric:
        stacked: Column = np.stack([c.astype(np.float64) for c in arrays], 1).ravel()
    else:
        lists = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns]
        stacked = [v for row in zip(*lists, strict=True) for v in row]
    codes, distinct = encode_values(stacked, missing, sets)
    return codes.reshape(-1, max(1, len(columns))), distinct


def _are_exact(columns: Sequence[NDArray[Any]]) -> bool:
    """Whether whole numbers stay themselves as floats."""
    return all(
        c.dtype.kind == "f" or not len(c) or (is_exact(int(c.min())) and is_exact(int(c.max())))
        for c in columns
    )


def _encode_small(columns: Sequence[NDArray[Any]], low: int, high: int) -> tuple[Codes, list[Any]]:
    """Whole numbers in a small range: counted, not sorted, and without large temporaries."""
    codes = np.empty((len(columns[0]), len(columns)), dtype=np.int32)
    used = np.zeros(high - low + 1, dtype=bool)
    for a, column in enumerate(columns):
        np.subtract(column, low, out=codes[:, a], casting="unsafe", dtype=np.int64)
        for start in range(0, len(column), 65_536):
            used[codes[start : start + 65_536, a]] = True
    number = (np.cumsum(used) - 1).astype(np.int32)
    if not used.all():
        for start in range(0, len(codes), 65_536):
            codes[start : start + 65_536] = number[codes[start : start + 65_536]]
    return codes, [float(v) for v in (np.flatnonzero(used) + low).tolist()]


def _as_set(value: Any) -> Any:
    return frozenset(value) if isinstance(value, (list, tuple, set)) else value


def kinds(
    distinct: list[Any],
    kind: Kind | None,
    categories: Sequence[str] | None,
    where: tuple[str | None, Line, Codes],
    remarks: list[str],
) -> tuple[Kind, Any, Codes, bool]:
    """Decide what the values are; returns (kind, values in order, new code of each, declared)."""
    if categories is not None:
        categories = [label_of(c) for c in categories]  # 1 and "1" declare the same
    if kind == "objects":
        return ("objects", *_ordered(distinct), False)
    if any(isinstance(v, frozenset) for v in distinct) or kind == "sets":
        sets = [v if isinstance(v, frozenset) else frozenset([str(v)]) for v in distinct]
        declared = categories
        for held, value in zip(sets, distinct, strict=True) if declared is not None else ():
            foreign = [label_of(label) for label in held if label_of(label) not in (declared or ())]
            if foreign:
                problem = f"holds {foreign[0]!r}, which is not among the declared"
                _refuse(value, f"{problem} {some(list(declared or ()))}", where, distinct)
        return ("sets", *_ordered(sets), False)
    numeric = [_is_numeric(v) for v in distinct]
    if kind == "numbers" and not all(numeric):
        _refuse(distinct[numeric.index(False)], "is not a number", where, distinct)
    as_numbers = kind == "numbers" or (kind is None and bool(distinct) and all(numeric))
    if as_numbers and categories is not None:
        declared_numbers = [float(c) if is_number(c) else None for c in categories]
        as_numbers = None not in declared_numbers and declared_numbers == sorted(
            n for n in declared_numbers if n is not None
        )
    if as_numbers:
        numbers = [float(v) for v in distinct]
        for value, number in zip(distinct, numbers, strict=True):
            if not math.isfinite(number):
                _refuse(value, "is not a finite number", where, distinct)
        extra = [] if categories is None else [float(c) for c in categories]
        if categories is not None:
            for value, number in zip(distinct, numbers, strict=True):
                if number not in extra:
                    _refuse(value, f"is not among the declared {some(categories)}", where, distinct)
        order, codes = np.unique(np.array(extra or numbers), return_inverse=True)
        if categories is not None:
            codes = np.searchsorted(order, numbers)
        return "numbers", order, codes.astype(np.int32), categories is not None
    names = [label_of(v) for v in distinct]
    if kind is None and any(numeric) and not all(numeric) and len(distinct) > 1:
        odd = names[numeric.index(False)]
        plain = names[numeric.index(True)]
        remarks.append(
            "whole numbers beyond 2⁵³ cannot be told apart as numbers: all are taken as categories"
            if odd.lstrip("+-").isdigit()
            else f"the values mix numbers ({plain}) and text ({odd!r}): all are taken as categories; "
            f"if {odd!r} means no value, declare it missing"
        )
    if categories is None:
        return ("categories", *_ordered(names), False)
    if len(set(categories)) < len(categories):
        raise InputError("a declared category occurs twice", hint="declare each category once")
    place = {c: i for i, c in enumerate(categories)}
    for name, value in zip(names, distinct, strict=True):
        if name not in place:
            _refuse(value, f"is not among the declared {some(list(categories))}", where, distinct)
    code = np.array([place[n] for n in names], dtype=np.int32)
    return "categories", tuple(categories), code, True


def _ordered(values: list[Any]) -> tuple[tuple[Any, ...], Codes]:
    distinct = sorted(set(values), key=natural_key)
    place = {v: i for i, v in enumerate(distinct)}
    return tuple(distinct), np.array([place[v] for v in values], dtype=np.int32)


def _refuse(
    value: Any, problem: str, where: tuple[str | None, Line, Codes], distinct: list[Any]
) -> None:
    path, line, raw = where
    row = int(np.argmax(raw == distinct.index(value)))
    raise InputError(
        f"the value {label_of(value)!r} {problem}",
        path=path,
        line=line(row),
        hint="correct it or declare it missing",
    )
