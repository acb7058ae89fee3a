"""Names to small integers, in a canonical order."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]

#: runs of ASCII digits and of anything else
_RUNS = re.compile(r"[0-9]+|[^0-9]+")


class Coded(Sequence[Any]):
    """A column that is known by its distinct values: `names` by first appearance, `codes` by row.

    >>> column = Coded(np.array([0, 1, 0], dtype=np.int32), ["b", None])
    >>> list(column), None in column, column[1:]
    (['b', None, 'b'], True, [None, 'b'])
    """

    def __init__(self, codes: Codes, names: Sequence[Any]) -> None:
        self._coded = (codes, list(names))

    def coded(self) -> tuple[Codes, list[Any]]:
        """Codes and names; each name occurs."""
        return self._coded

    def __len__(self) -> int:
        return len(self.coded()[0])

    def __getitem__(self, row: Any) -> Any:
        codes, names = self.coded()
        if isinstance(row, slice):
            return [names[c] for c in codes[row].tolist()]
        return names[codes[row]]

    def __iter__(self) -> Iterator[Any]:
        codes, names = self.coded()
        return map(names.__getitem__, codes.tolist())

    def __contains__(self, value: object) -> bool:
        return value in self.coded()[1]


def encode(values: Iterable[Hashable]) -> tuple[Codes, list[Any]]:
    """Number the values by first appearance.

    >>> codes, names = encode(["b", "a", "b"])
    >>> codes.tolist(), names
    ([0, 1, 0], ['b', 'a'])
    """
    if isinstance(values, Coded):
        codes, names = values.coded()
        return codes, list(names)
    numbers: dict[Hashable, int] = {}
    listed = values if isinstance(values, (list, tuple)) else list(values)
    for value in dict.fromkeys(listed):
        numbers[value] = len(numbers)
    codes = np.fromiter(map(numbers.__getitem__, listed), dtype=np.int32, count=len(listed))
    return codes, list(numbers)


def encode_sorted(
    values: Iterable[Hashable], also: Iterable[Hashable] = ()
) -> tuple[Codes, list[Any]]:
    """Number the values in sorted order, so that the order of the rows does not matter.

    Numbers inside names sort as numbers; names in `also` are numbered whether they occur or not.

    >>> codes, names = encode_sorted(["x10", "x9", "x10"])
    >>> codes.tolist(), names
    ([1, 0, 1], ['x9', 'x10'])
    """
    codes, names = encode(values)
    names = list(dict.fromkeys([*names, *also]))
    order = sorted(range(len(names)), key=lambda i: natural_key(names[i]))
    rank = np.empty(len(names), dtype=np.int32)
    rank[order] = np.arange(len(names), dtype=np.int32)
    return rank[codes] if len(names) else codes, [names[i] for i in order]


def distinct_numbers(numbers: NDArray[Any]) -> tuple[NDArray[Any], Codes]:
    """The distinct numbers in order, and the place of each; whole ones that lie close are not sorted.

    >>> distinct, places = distinct_numbers(np.array([7, 5, 7]))
    >>> distinct.tolist(), places.tolist()
    ([5, 7], [1, 0, 1])
    """
    if numbers.dtype.kind in "iu" and len(numbers):
        low, high = int(numbers.min()), int(numbers.max())
        if high - low <= 4 * len(numbers) and low > -(2**62) and high < 2**62:
            shifted = numbers.astype(np.int64) - low
            there = np.zeros(high - low + 1, dtype=bool)
            there[shifted] = True
            place = np.cumsum(there, dtype=np.int32) - np.int32(1)
            return (np.flatnonzero(there) + low).astype(numbers.dtype), place[shifted]
    distinct, places = np.unique(numbers, return_inverse=True)
    return distinct, places.astype(np.int32)


def order_of(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """What sorts whole numbers from 0, equal ones as they stand: 16 bits at a time, without comparisons.

    >>> order_of(np.array([70_000, 3, 70_000, 1])).tolist()
    [3, 1, 0, 2]
    """
    order = np.arange(len(keys))
    for shift in range(0, int(keys.max(initial=0)).bit_length(), 16):
        digit = ((keys >> shift) & 0xFFFF).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order


def encode_as(values: Sequence[Hashable], names: Sequence[Hashable]) -> Codes:
    """Number the values by their place in `names`; -1 for what is not there."""
    numbers = {name: i for i, name in enumerate(names)}
    return np.fromiter((numbers.get(v, -1) for v in values), dtype=np.int32, count=len(values))


def picked(held: Any, rows: NDArray[Any]) -> Any:
    """What an array, a sequence or each column of a mapping has there; None where there is nothing.

    >>> picked({"a": ["x", "y"]}, np.array([1])), picked((1, 2), np.array([1, 0]))
    ({'a': ['y']}, (2, 1))
    """
    if held is None or isinstance(held, np.ndarray):
        return None if held is None else held[rows]
    if isinstance(held, Mapping):
        return {name: picked(cells, rows) for name, cells in held.items()}
    found = [held[i] for i in rows.tolist()]
    return tuple(found) if isinstance(held, tuple) else found


def label_of(value: object) -> str:
    """A value as people write it.

    >>> label_of(2.0), label_of(frozenset("ba")), label_of("x")
    ('2', '{a, b}', 'x')
    """
    if isinstance(value, float):
        return (
            str(int(value))
            if float(value).is_integer() and abs(value) < 1e15
            else repr(float(value))
        )
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(map(str, value))) + "}"
    return str(value)


def natural_key(value: Any) -> tuple[Any, ...]:
    """Sort key: numbers by value, text with its digits read as numbers, sets by their members."""
    if isinstance(value, (int, float)):
        return (0, float(value))
    if isinstance(value, frozenset):
        return (2, len(value), tuple(sorted(map(str, value))))
    text = str(value)
    # a run of more than 300 digits overflows a float: it is text, not a number
    parts = tuple(
        (0, float(run), "") if "0" <= run[0] <= "9" and len(run) < 300 else (1, 0.0, run)
        for run in _RUNS.findall(text)
    )
    return (1, parts, text)
