"""Where a Parquet table may be cut: its row groups say between which items their rows lie.

Most tables are written item after item, or annotator after annotator, or as time goes by: rows of an item
are near each other. Such a table is counted range by range of items, and every range reads few row groups.
Whatever the cuts are, the ranges hold each item once; the statistics decide about time alone.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

#: rows that may be read, in all, for each row of the table; beyond, cutting does not pay
_READ = 1.5
#: files whose ends may be looked at, in all, since every range asks each of them
_LOOKS = 20_000


class RowGroup(NamedTuple):
    """The least and the greatest item of some rows, and how many rows these are."""

    low: Any
    high: Any
    rows: int


def file_cuts(
    files: Sequence[Path], column: str, kind: type[int] | type[str], most: int
) -> list[Any]:
    """Where the table in these files is cut into ranges of at most so many rows; none where it is not."""
    found = cuts(row_groups(files, column, kind), most)
    return found if len(files) * (len(found) + 1) <= _LOOKS else []


def row_groups(files: Iterable[Path], column: str, kind: type[int] | type[str]) -> list[RowGroup]:
    """The row groups of these files; none where some of them does not say what is in the column."""
    try:
        from pyarrow.parquet import read_metadata
    except ImportError:
        return []
    found = []
    for file in files:
        try:
            told = read_metadata(file)
            names = [told.schema.column(i).path for i in range(told.num_columns)]
            place = names.index(column)
            for k in range(told.num_row_groups):
                group = told.row_group(k)
                figures = group.column(place).statistics
                if group.num_rows:
                    found.append(RowGroup(figures.min, figures.max, group.num_rows))
        except Exception:  # no such column or figures, damaged, gone: the engine has the last word
            return []
    if not all(isinstance(item, kind) for group in found for item in group[:2]):
        return []
    return found


def cuts(groups: Sequence[RowGroup], most: int) -> list[Any]:
    """The items at which the ranges begin, but for the first; none where ranges would not help.

    A range gets a quarter of `most` to `most` rows by the row groups that begin in it, and ends where the
    fewest rows are in row groups that reach beyond, which are read again.

    >>> runs = [RowGroup(low, low + 9, 50) for low in (0, 0, 10, 10, 20, 20)]
    >>> cuts(runs, 150), cuts(runs, 1000)
    ([10, 20], [])
    >>> cuts([RowGroup(0, 99, 50)] * 6, 150)
    []
    """
    if not groups:
        return []
    by_low = sorted(groups, key=lambda g: g.low)
    by_high = sorted(groups, key=lambda g: g.high)
    highs = [g.high for g in by_high]
    begun = [0, *accumulate(g.rows for g in by_low)]
    ended = [0, *accumulate(g.rows for g in by_high)]
    whole = begun[-1]
    # where an item begins some row groups: rows of those before, and of those among them that reach it
    places = [i for i in range(1, len(by_low)) if by_low[i - 1].low < by_low[i].low]
    before = [begun[i] for i in places]
    across = [begun[i] - ended[bisect_left(highs, by_low[i].low)] for i in places]
    chosen: list[int] = []
    last, again, largest = 0, 0, 0
    while whole - last > most:
        first = bisect_left(before, last + most / 4)
        end = max(bisect_right(before, last + most), first + 1)
        if first == len(places):
            break
        best = min(range(first, min(end, len(places))), key=lambda k: (across[k], -k))
        largest = max(largest, before[best] - last + again)
        chosen.append(best)
        last, again = before[best], across[best]
    largest = max(largest, whole - last + again)
    read = whole + sum(across[k] for k in chosen)
    if largest > 2 * most or read > _READ * whole:
        return []
    return [by_low[places[k]].low for k in chosen]
