"""The values of ratings: what is missing, what is a number, a label or a set, in which order."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence, Set
from decimal import Decimal
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, encode, label_of, natural_key
from accord.data.label_sets import LabelSets
from accord.errors import InputError, UsageError, some

if TYPE_CHECKING:
    from accord.data.reading import Record

Kind = Literal["categories", "numbers", "sets", "objects"]
Column = Sequence[Any] | NDArray[Any]
#: row of a column → line of the file it came from, when there is one
Line = Callable[[int], int | None]

_NUMBER = re.compile(r"[+-]?(?=[0-9.])(0|[1-9][0-9]*)?(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")


def listed(column: Column) -> Sequence[Any]:
    """Return the cells as Python has them: an array as a list, anything else as it is."""
    cells: Sequence[Any] = column.tolist() if isinstance(column, np.ndarray) else column
    return cells


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


def is_numeric(value: Any) -> bool:
    """Tell a number, or plainly the text of one; not a date, nor a number too long to be one."""
    if isinstance(value, str):
        return is_number(value)
    if isinstance(value, Integral):
        return is_exact(int(value))
    return isinstance(value, (Real, Decimal))


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


def encode_columns(
    columns: Sequence[Column], missing: Sequence[str], sets: LabelSets | None = None
) -> tuple[Codes, list[Any]]:
    """Rows × columns codes (-1 for missing) and the distinct values; cells are read by `sets`."""
    arrays = [c for c in columns if isinstance(c, np.ndarray) and c.dtype.kind in "iuf"]
    numeric = len(arrays) == len(columns) > 0 and sets is None and _are_exact(arrays)
    if numeric and all(c.dtype.kind in "iu" for c in arrays):
        low = min((int(c.min()) for c in arrays if len(c)), default=0)
        high = max((int(c.max()) for c in arrays if len(c)), default=0)
        if high - low < 65_536:
            return _encode_small(arrays, low, high)
    if numeric:
        numbers = np.stack([c.astype(np.float64) for c in arrays], 1).ravel()
        absent = np.isnan(numbers)
        distinct, places = np.unique(numbers[~absent], return_inverse=True)
        out = np.full(len(numbers), -1, dtype=np.int32)
        out[~absent] = places
        return out.reshape(-1, len(columns)), distinct.tolist()
    lists = [listed(c) for c in columns]
    # (one column may be known by its distinct values)
    cells = lists[0] if len(lists) == 1 else [v for row in zip(*lists, strict=True) for v in row]
    codes, kept = _encode_cells(cells, set(missing), sets)
    return codes.reshape(-1, max(1, len(columns))), kept


def _encode_cells(
    cells: Sequence[Any], missing: Set[str], sets: LabelSets | None
) -> tuple[Codes, list[Any]]:
    """Codes by appearance (-1 for missing) and the distinct values."""
    try:
        codes, distinct = encode(cells)
    except TypeError:  # lists are not hashable
        codes, distinct = encode([hashable(v) for v in cells])
    number = np.full(len(distinct), -1, dtype=np.int32)
    kept: list[Any] = []
    place: dict[Any, int] = {}
    for i, value in enumerate(distinct):
        if value is None or value == "" or value in missing or value != value:
            continue
        if sets is not None and isinstance(value, tuple):
            value = frozenset(map(label_of, value))
        elif sets is not None and not isinstance(value, frozenset):
            value = sets.read(value if isinstance(value, str) else label_of(value))
        elif isinstance(value, bool):
            value = str(value).lower()
        number[i] = place.setdefault(value, len(place))
        if number[i] == len(kept):
            kept.append(value)
    return number[codes] if len(number) else codes, kept


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


def hashable(value: Any) -> Any:
    """Give a list as what it means: of numbers a vector, of words a set of labels.

    >>> hashable([2, 1, 2]), sorted(hashable(["b", "a", "b"])), hashable("a")
    ((2, 1, 2), ['a', 'b'], 'a')
    """
    if not isinstance(value, (list, tuple, set)):
        return value
    vector = value and not isinstance(value, set) and all(map(_is_component, value))
    return tuple(value) if vector else frozenset(value)


def _is_component(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, (bool, np.bool_))


class Scale(NamedTuple):
    """What values are: their kind, the distinct ones in order, and the new code of each."""

    kind: Kind
    values: Any
    codes: Codes
    #: the categories were declared, so unused ones count
    declared: bool
    #: the order of the values means something
    ordered: bool


def declared_as(
    given: Sequence[object] | None, *, ordered: bool = False
) -> tuple[tuple[str, ...] | None, bool]:
    """Read declared categories: a set, whose order counts where it is said, or typed with ``<``.

    >>> declared_as("low<mid<high"), declared_as("b,a"), declared_as(["<5", ">5"])
    ((('low', 'mid', 'high'), True), (('b', 'a'), False), (('<5', '>5'), False))
    """
    if given is None:
        return None, ordered
    listed = [given] if isinstance(given, str) else list(given)
    if len(listed) == 1 and isinstance(listed[0], str):
        parts = [part.strip() for part in listed[0].split("<")]
        if len(parts) > 1 and all(parts) and "," not in listed[0]:
            return tuple(parts), True
    if isinstance(given, str):
        listed = [part.strip() for part in given.split(",") if part.strip()]
    # 1 and "1" declare the same
    names = tuple([label_of(c) for c in listed])
    if len(set(names)) < len(names):
        raise InputError("a declared category occurs twice", hint="declare each category once")
    return names, ordered


def scale_of(
    distinct: list[Any],
    kind: Kind | None,
    categories: Sequence[str] | None,
    where: tuple[str | None, Line, Codes],
    record: Record,
    *,
    ordered: bool = False,
) -> Scale:
    """Decide what the values are; declared `categories` are a set unless they are `ordered`."""
    if kind is None and any(isinstance(v, tuple) for v in distinct):
        kind = "objects"
    sets = kind == "sets" or any(isinstance(v, frozenset) for v in distinct)
    if ordered and (kind == "objects" or sets):
        raise UsageError("`ordered` is for single labels: sets and vectors have no order")
    if kind == "objects":
        return Scale("objects", *_sorted(distinct), declared=False, ordered=False)
    if sets:
        held = [v if isinstance(v, frozenset) else frozenset([str(v)]) for v in distinct]
        for value, labels in zip(distinct, held, strict=True) if categories is not None else ():
            foreign = [label_of(label) for label in labels if label_of(label) not in categories]  # type: ignore[operator]
            if foreign:
                problem = f"holds {foreign[0]!r}, which is not among the declared"
                _refuse(value, f"{problem} {some(categories or ())}", where, distinct)
        return Scale("sets", *_sorted(held), declared=False, ordered=False)
    numeric = [is_numeric(v) for v in distinct]
    if kind == "numbers" and not all(numeric):
        _refuse(distinct[numeric.index(False)], "is not a number", where, distinct)
    whole = bool(distinct) and all(numeric) and all(map(is_number, categories or ()))
    if whole and (kind == "numbers" or (kind is None and not ordered)):
        return _numbers(distinct, categories, where)
    # numbers in order are ranks, whatever way each is written
    graded = ordered and whole
    names = [label_of(float(v)) if graded else label_of(v) for v in distinct]
    if graded and categories is not None:
        categories = [label_of(float(c)) for c in categories]
    if kind is None and any(numeric) and not all(numeric) and len(distinct) > 1:
        odd = names[numeric.index(False)]
        plain = names[numeric.index(True)]
        if odd.lstrip("+-").isdigit():
            record.assume("whole numbers beyond 2⁵³ are names: as numbers they are not told apart")
        else:
            record.assume(
                f"numbers ({plain}) and words ({odd!r}) are names", ("missing_values", odd)
            )
    if categories is None:
        if ordered and distinct and not graded:
            raise UsageError(
                "`ordered` needs `categories`, whose order it is: `categories=low<mid<high` says both"
            )
        return Scale("categories", *_sorted(names), declared=False, ordered=ordered)
    place = {c: i for i, c in enumerate(categories)}
    for name, value in zip(names, distinct, strict=True):
        if name not in place:
            _refuse(value, f"is not among the declared {some(categories)}", where, distinct)
    code = np.array([place[n] for n in names], dtype=np.int32)
    return Scale("categories", tuple(categories), code, declared=True, ordered=ordered)


def _numbers(
    distinct: list[Any],
    categories: Sequence[str] | None,
    where: tuple[str | None, Line, Codes],
) -> Scale:
    """Numbers in their order, which declared ones have too."""
    numbers = [float(v) for v in distinct]
    known = None if categories is None else {float(c) for c in categories}
    for value, number in zip(distinct, numbers, strict=True):
        if not math.isfinite(number):
            _refuse(value, "is not a finite number", where, distinct)
        if known is not None and number not in known:
            _refuse(value, f"is not among the declared {some(categories or ())}", where, distinct)
    order = np.unique(np.array(numbers if known is None else sorted(known)))
    codes = np.searchsorted(order, numbers).astype(np.int32)
    return Scale("numbers", order, codes, declared=known is not None, ordered=True)


def _sorted(values: list[Any]) -> tuple[tuple[Any, ...], Codes]:
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
