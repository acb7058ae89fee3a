"""Columns to ratings: encoding, missing values, kinds of values, repeated judgements."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.choose import some
from accord.data.encode import Codes, encode, encode_sorted, natural_key
from accord.data.ratings import Kind, Ratings, label_of
from accord.errors import InputError

Column = Sequence[Any] | NDArray[Any]
#: row of a column → line of the file it came from, when there is one
Line = Callable[[int], int | None]

_NUMBER = re.compile(r"[+-]?(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")


def ratings_from_long(
    items: Column,
    annotators: Column,
    values: Column,
    *,
    documents: Column | None = None,
    times: Column | None = None,
    weights: Column | None = None,
    kind: Kind | None = None,
    categories: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    separator: str | None = None,
    duplicates: str = "error",
    notes: Sequence[str] = (),
    path: str | None = None,
    line: Line = lambda row: None,
) -> Ratings:
    """Build ratings from columns with one row per rating.

    None, NaN and the words in `missing` are missing values; any other text is a label, "nan" and
    "NA" included. `categories` declares the categories in order. `separator` cuts a text value into
    a set of labels. `duplicates` says what to do when an annotator rates an item twice.

    >>> r = ratings_from_long(["i", "i", "j"], ["A", "B", "A"], ["1", "2", "2"])
    >>> r.kind, r.labels, r.n_items
    ('numbers', ('1', '2'), 2)
    """
    item, item_names = _encode_names(items, sort=False)
    who, annotator_names = _encode_names(annotators, sort=True)
    raw, raw_values = _encode_values(values, missing, separator)
    remarks = list(notes)
    where = (path, line, raw)
    kind, distinct, code, declared = _kinds(raw_values, kind, categories, where, remarks)
    present = raw >= 0
    rows = np.flatnonzero(present)
    coded = code[raw[rows]] if len(rows) else np.empty(0, dtype=np.int32)
    key = item[rows].astype(np.int64) * max(1, len(annotator_names)) + who[rows]
    if len(key) > 1 and not np.all(key[1:] > key[:-1]):
        order = np.argsort(key, kind="stable")
        key, coded, rows = key[order], coded[order], rows[order]
    repeated = np.flatnonzero(key[1:] == key[:-1])
    repeats: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    if len(repeated):
        if duplicates == "error":
            i = int(rows[repeated[0] + 1])
            first = line(int(rows[repeated[0]]))
            raise InputError(
                f"annotator {annotator_names[who[i]]!r} rates item {item_names[item[i]]!r} twice"
                + (f" (first on line {first})" if first is not None else ""),
                path=path,
                line=line(i),
                hint='drop a row or pass duplicates="first", "last" or "mode"',
            )
        keep, repeats = _resolve(key, coded, len(annotator_names), duplicates)
        remarks.append(
            f"{len(key) - len(keep)} repeated ratings of the same item by the same annotator "
            f"were resolved by {duplicates!r}"
        )
        chosen_key = np.array([key[i] for i, _ in keep], dtype=np.int64)
        coded = np.array([c for _, c in keep], dtype=np.int32)
        key = chosen_key
    counts = np.bincount(key // max(1, len(annotator_names)), minlength=len(item_names))
    lost = len(raw) - int(present.sum())
    if lost:
        remarks.append(f"{lost} of {len(raw)} values are missing")
    document, document_names = _per_item(documents, item, item_names, "document", path, line)
    time, time_names = _per_item(times, item, item_names, None, path, line)
    return Ratings(
        items=item_names,
        annotators=tuple(annotator_names),
        values=distinct,
        kind=kind,
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        annotator=(key % max(1, len(annotator_names))).astype(np.int32),
        code=coded.astype(np.int32),
        declared=declared,
        ordered=kind == "numbers" or (declared and kind == "categories"),
        documents=document_names,
        document=document,
        times=time_names,
        time=time,
        weights=None if weights is None else _weights(weights, item, len(item_names), path, line),
        repeats=repeats,
        notes=tuple(remarks),
    )


def ratings_from_wide(
    columns: Mapping[str, Column],
    *,
    items: Column | None = None,
    documents: Column | None = None,
    times: Column | None = None,
    weights: Column | None = None,
    kind: Kind | None = None,
    categories: Sequence[str] | None = None,
    missing: Sequence[str] = (),
    separator: str | None = None,
    duplicates: str = "error",
    notes: Sequence[str] = (),
    path: str | None = None,
    line: Line = lambda row: None,
) -> Ratings:
    """Build ratings from one column per annotator (name → values); rows are items.

    The options are those of :func:`ratings_from_long`.

    >>> ratings_from_wide({"A": ["x", "y"], "B": ["x", None]}).n_ratings
    3
    """
    names = sorted(columns, key=natural_key)
    height = len(columns[names[0]]) if names else 0
    item = np.arange(height, dtype=np.int32)
    item_names: Sequence[Any] = range(1, height + 1)
    if items is not None:
        item_codes, known = _encode_names(items, sort=False)
        if len(known) < height:
            _refuse_repeated(items, item_codes, path, line)
        item_names = [known[i] for i in item_codes.tolist()]
    raw, raw_values = _encode_columns([columns[n] for n in names], missing, separator)
    remarks = list(notes)
    flat = raw.ravel()
    chosen, distinct, code, declared = _kinds(
        raw_values,
        kind,
        categories,
        (path, lambda row: line(row // max(1, len(names))), flat),
        remarks,
    )
    present = flat >= 0
    whole = bool(present.all())
    if not np.array_equal(code, np.arange(len(code))):
        flat = np.append(code, np.int32(-1)).astype(np.int32)[flat]
    counts = np.full(height, len(names)) if whole else present.reshape(raw.shape).sum(axis=1)
    annotator = np.tile(np.arange(len(names), dtype=np.int32), height)
    if not whole:
        remarks.append(f"{int(len(flat) - present.sum())} of {len(flat)} values are missing")
        flat, annotator = flat[present], annotator[present]
    document, document_names = _per_item(documents, item, item_names, "document", path, line)
    time, time_names = _per_item(times, item, item_names, None, path, line)
    return Ratings(
        items=item_names,
        annotators=tuple(names),
        values=distinct,
        kind=chosen,
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        annotator=annotator,
        code=flat,
        declared=declared,
        ordered=chosen == "numbers" or (declared and chosen == "categories"),
        documents=document_names,
        document=document,
        times=time_names,
        time=time,
        weights=None if weights is None else _weights(weights, item, height, path, line),
        notes=tuple(remarks),
    )


def ratings_from_matrix(
    matrix: NDArray[Any] | Sequence[Sequence[Any]],
    *,
    annotators: Sequence[str] | None = None,
    items: Sequence[Hashable] | None = None,
    categories: Sequence[Any] | None = None,
) -> Ratings:
    """Build ratings from one row per annotator; see :meth:`Ratings.from_matrix`."""
    rows = list(matrix)
    names = list(annotators) if annotators is not None else [f"A{i + 1}" for i in range(len(rows))]
    if len({len(r) for r in rows}) > 1:
        raise InputError("the rows of the matrix have different lengths")
    if len(names) != len(rows):
        raise InputError(f"{len(rows)} rows of ratings but {len(names)} annotators")
    return ratings_from_wide(
        dict(zip(names, rows, strict=True)), items=items, categories=categories
    )


def is_number(text: str) -> bool:
    """Plainly a finite number: no words ("nan"), no codes with leading zeros ("007").

    >>> [is_number(t) for t in ("3", "-1.5e3", "nan", "007", "", "inf", ".5")]
    [True, True, False, False, False, False, True]
    """
    return (
        bool(text)
        and text[-1].isdigit()
        and _NUMBER.fullmatch(text) is not None
        and math.isfinite(float(text))
    )


# --- names ---------------------------------------------------------------------------------------


def _encode_names(column: Column, *, sort: bool) -> tuple[Codes, list[Any]]:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        distinct, places = np.unique(column, return_inverse=True)
        return places.astype(np.int32), [label_of(v) for v in distinct.tolist()]
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    codes, names = (encode_sorted if sort else encode)(listed)
    return codes, [n if isinstance(n, str) else label_of(n) for n in names]


def _per_item(
    column: Column | None,
    item: Codes,
    items: Sequence[Any],
    what: str | None,
    path: str | None,
    line: Line,
) -> tuple[Codes | None, tuple[str, ...]]:
    """The document (or time) of each item, which must be the same in all its rows for `what`."""
    if column is None:
        return None, ()
    code, names = _encode_names(column, sort=True)
    of_item = np.full(len(items), -1, dtype=np.int32)
    of_item[item[::-1]] = code[::-1]  # the first row of an item decides
    if what is not None and np.any(of_item[item] != code):
        i = int(np.argmax(of_item[item] != code))
        raise InputError(
            f"item {items[item[i]]!r} is in {what} {names[of_item[item[i]]]!r} and in {names[code[i]]!r}",
            path=path,
            line=line(i),
            hint="give items of different documents different names",
        )
    return of_item, tuple(names)


def _weights(
    column: Column, item: Codes, size: int, path: str | None, line: Line
) -> NDArray[np.float64]:
    out = np.zeros(size)
    for row, value in enumerate(column.tolist() if isinstance(column, np.ndarray) else column):
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not (math.isfinite(number) and number >= 0):
            raise InputError(
                f"the weight must be a number from 0, got {value!r}", path=path, line=line(row)
            )
        out[item[row]] = number
    return out


# --- values --------------------------------------------------------------------------------------


def _encode_values(
    values: Column, missing: Sequence[str], separator: str | None
) -> tuple[Codes, list[Any]]:
    """Codes by appearance (-1 for missing) and the distinct values."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf":
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
        if separator is not None and isinstance(value, str):
            value = frozenset(p for p in (q.strip() for q in value.split(separator)) if p)
        elif isinstance(value, bool):
            value = str(value).lower()
        number[i] = place.setdefault(value, len(place))
        if number[i] == len(kept):
            kept.append(value)
    return number[codes] if len(number) else codes, kept


def _encode_columns(
    columns: Sequence[Column], missing: Sequence[str], separator: str | None
) -> tuple[Codes, list[Any]]:
    """Items × annotators codes (-1 for missing) and the distinct values."""
    arrays = [c for c in columns if isinstance(c, np.ndarray)]
    if columns and len(arrays) == len(columns) and all(c.dtype.kind in "iu" for c in arrays):
        low = min((int(c.min()) for c in arrays if len(c)), default=0)
        high = max((int(c.max()) for c in arrays if len(c)), default=0)
        if high - low < 65_536:
            return _encode_small(arrays, low, high)
    if columns and len(arrays) == len(columns) and all(c.dtype.kind in "iuf" for c in arrays):
        stacked: Column = np.stack([c.astype(np.float64) for c in arrays], 1).ravel()
    else:
        lists = [c.tolist() if isinstance(c, np.ndarray) else c for c in columns]
        stacked = [v for row in zip(*lists, strict=True) for v in row]
    codes, distinct = _encode_values(stacked, missing, separator)
    return codes.reshape(-1, max(1, len(columns))), distinct


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


def _refuse_repeated(items: Column, codes: Codes, path: str | None, line: Line) -> None:
    seen: set[int] = set()
    for row, number in enumerate(codes.tolist()):
        if number in seen:
            raise InputError(
                f"item {items[row]!r} has two rows",
                path=path,
                line=line(row),
                hint="a wide table has one row per item",
            )
        seen.add(number)


def _as_set(value: Any) -> Any:
    return frozenset(value) if isinstance(value, (list, tuple, set)) else value


def _kinds(
    distinct: list[Any],
    kind: Kind | None,
    categories: Sequence[str] | None,
    where: tuple[str | None, Line, Codes],
    remarks: list[str],
) -> tuple[Kind, Any, Codes, bool]:
    """Decide what the values are; returns (kind, values in order, new code of each, declared)."""
    if any(isinstance(v, frozenset) for v in distinct) or kind == "sets":
        sets = [v if isinstance(v, frozenset) else frozenset([str(v)]) for v in distinct]
        return ("sets", *_ordered(sets), False)
    texts = [isinstance(v, str) for v in distinct]
    numeric = [not text or is_number(v) for text, v in zip(texts, distinct, strict=True)]
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
            f"the values mix numbers ({plain}) and text ({odd!r}): all are taken as categories; "
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


def _resolve(
    key: NDArray[np.int64], code: Codes, width: int, policy: str
) -> tuple[list[tuple[int, int]], tuple[tuple[int, int, tuple[int, ...]], ...]]:
    """One code per (item, annotator): the first, the last, or the most frequent (then the first)."""
    keep: list[tuple[int, int]] = []
    repeats: list[tuple[int, int, tuple[int, ...]]] = []
    place = 0
    for value, group in groupby(key.tolist()):
        size = sum(1 for _ in group)
        codes = tuple(code[place : place + size].tolist())
        if size > 1:
            repeats.append((value // width, value % width, codes))
        chosen = codes[-1] if policy == "last" else codes[0]
        if policy == "mode":
            chosen = Counter(codes).most_common(1)[0][0]
        keep.append((place, chosen))
        place += size
    return keep, tuple(repeats)
