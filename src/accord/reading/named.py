"""A table of which the columns are known by role, and what each of them looks like."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import encode
from accord.data.ratings import label_of
from accord.data.reading import Record
from accord.data.values import Column, is_number, listed
from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.cells import Cells
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, is_comment
from accord.reading.missing import NO_NUMBERS, USUAL, is_code
from accord.reading.scale import with_decimal_points


class Words(NamedTuple):
    """The values of one column: how many there are, the distinct ones, and their range as numbers."""

    size: int
    distinct: frozenset[str]
    low: float = 1.0
    high: float = 0.0

    @property
    def numeric(self) -> bool:
        return self.low <= self.high

    @property
    def distinctness(self) -> float:
        return len(self.distinct) / self.size if self.size else 0.0

    def meets(self, other: Words) -> bool:
        """Whether the two share a value, or numbers a range."""
        if self.numeric and other.numeric:
            return self.low <= other.high and other.low <= self.high
        return bool(self.distinct & other.distinct)

    def alike(self, other: Words) -> bool:
        """Whether most of the values of one are values of the other, or most of their ranges is one."""
        if not self.size or not other.size or self.numeric != other.numeric:
            return False
        both = len(self.distinct & other.distinct)
        if 2 * both >= min(len(self.distinct), len(other.distinct)) and both:
            return not self.numeric or both > 1 or len(self.distinct | other.distinct) < 3
        met = min(self.high, other.high) - max(self.low, other.low)
        wider = max(self.high - self.low, other.high - other.low)
        return self.numeric and met > 0 and 2 * met >= wider


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A table, which of its columns is which, and what was asked: what every question is put to."""

    table: Table
    #: role → the name of its column
    found: Mapping[str, str]
    options: ReadOptions
    _words: dict[str, Words] = field(default_factory=dict)

    @classmethod
    def of(cls, table: Table, options: ReadOptions) -> Named:
        """Find the columns of a table, by option first, then by the names people use."""
        return cls(table, find_columns(table.columns, options, table.path), options)

    @property
    def columns(self) -> Mapping[str, Column]:
        return self.table.columns

    @property
    def record(self) -> Record:
        return self.table.record

    def column(self, role: str) -> Column | None:
        """The column that has a role, None where none has."""
        return self.columns[self.found[role]] if role in self.found else None

    def without(self, *roles: str) -> dict[str, Column]:
        """The columns that have none of these roles."""
        apart = {self.found[role] for role in roles if role in self.found}
        return {name: cells for name, cells in self.columns.items() if name not in apart}

    def with_columns(self, columns: Mapping[str, Column]) -> Named:
        """The same with other cells."""
        return Named(replace(self.table, columns=columns), self.found, self.options)

    def words(self, name: str) -> Words:
        """What a column holds, without the words for no value."""
        if name not in self._words:
            self._words[name] = _words_of(self.columns[name], self.options)
        return self._words[name]

    def shares(self, name: str) -> bool:
        """Whether another column, which is no text or remark, has the same values as this one."""
        others = [n for n in self.columns if n != name and not is_comment(n)]
        return any(self.words(name).alike(self.words(other)) for other in others)

    def is_distinct(self, name: str) -> bool:
        """Whether every cell is there and is another."""
        column = self.columns[name]
        if isinstance(column, np.ndarray):
            return len(np.unique(column)) == len(column) and not (column != column).any()
        try:
            codes, names = encode(column)
        except TypeError:
            return False
        return len(names) == len(codes) and not any(n is None or n == "" or n != n for n in names)

    def texts(self, name: str) -> Sequence[Any]:
        """The cells of a column as texts, None where there is nothing."""
        column = self.columns[name]
        if isinstance(column, Cells):
            return column
        cells = listed(column)
        if {*map(type, cells)} == {str} and "" not in cells:
            return cells
        return [None if v is None or v == "" or v != v else label_of(v) for v in cells]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The cells of a column as numbers, which all must be."""
        column = self.with_points(name)
        if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
            return column.astype(np.float64)
        if isinstance(column, Cells) and (numbers := column.numbers()) is not None:
            return numbers
        out = []
        for row, value in enumerate(column):
            try:
                if isinstance(value, str) and not is_number(value.strip()):
                    raise ValueError(value)
                out.append(float(value))
            except (TypeError, ValueError, OverflowError):
                raise InputError(
                    f"the {name} must be a number, got {value!r}",
                    path=self.table.path,
                    line=self.table.line(row),
                ) from None
        return np.array(out, dtype=np.float64)

    def with_points(self, name: str) -> Column:
        """The cells of a column, numbers with decimal commas as numbers where the file has them."""
        column = self.columns[name]
        return with_decimal_points(column) if self.table.decimal_comma else column

    def refuse_unnamed(self, what: str, column: Column) -> None:
        """Every row must name its item and its annotator."""
        if isinstance(column, np.ndarray):
            numbers = column.dtype.kind == "f"
            column = [None if v != v else v for v in column.tolist()] if numbers else [0]
        if None in column or "" in column:
            row = next(i for i, v in enumerate(column) if v is None or v == "")
            raise InputError(
                f"the {what} is empty",
                path=self.table.path,
                line=self.table.line(row),
                hint="name it or drop the row",
            )

    def extras(self, used: Iterable[str | None]) -> dict[str, Column]:
        """The columns that nothing else uses, such as texts and remarks; the text is called so."""
        left = self.without("document", "time", "weight")
        text = self.found.get("text")
        return {"text" if n == text else n: c for n, c in left.items() if n not in {*used}}


def _words_of(column: Column, options: ReadOptions) -> Words:
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        held = column[~np.isnan(column.astype(np.float64))]
        distinct = np.unique(held)
        few = frozenset(map(_plain, distinct[:1000].tolist()))
        return Words(len(held), few, *_range(distinct.tolist()))
    cells = listed(column)
    try:
        codes, names = encode(cells)
    except TypeError:  # lists are sets of labels: compared label by label
        flat: list[Any] = [
            v for cell in cells for v in (cell if isinstance(cell, list) else [cell])
        ]
        try:
            codes, names = encode(flat)
        except TypeError:
            return Words(len(flat), frozenset(map(str, flat)))
    absent = {None, "", *USUAL, *NO_NUMBERS, *(options.missing_values or ())}
    there = [not (n in absent or n != n) for n in names]
    size = int(np.array(there, dtype=bool)[codes].sum()) if len(codes) else 0
    texts = [_plain(n) for n, held in zip(names, there, strict=True) if held]
    numbers = [t.replace(",", ".") for t in texts]
    if not texts or not all(map(is_number, numbers)):
        return Words(size, frozenset(texts))
    return Words(size, frozenset(texts), *_range(list(map(float, numbers))))


def _plain(value: object) -> str:
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)  # type: ignore[call-overload]


def _range(numbers: Sequence[float]) -> tuple[float, ...]:
    """The smallest and the largest, but for codes such as 999 where there is anything else."""
    held = [n for n in numbers if not is_code(n)] or list(numbers)
    return (min(held), max(held)) if held else ()
