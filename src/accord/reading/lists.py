"""Plain values of Python as annotations: a list, an array, records, columns, distributions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.frame import is_numbering
from accord.data.reading import OpenQuestionError, Record, Source
from accord.data.tables import orientation_question, ratings_from_wide
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, matching_shape
from accord.reading.file import read_from
from accord.reading.layout import ratings_from_counts
from accord.reading.missing import trimmed
from accord.reading.named import Named
from accord.reading.scale import values_of
from accord.reading.shape import from_table


def are_values(given: object) -> bool:
    """Whether these are plain values: a list, an array, a series, a mapping."""
    # (asked of the class: a lazy frame that is asked for its columns resolves its schema)
    return isinstance(given, Iterable) and not (
        isinstance(given, (str, PathLike)) or hasattr(type(given), "columns")
    )


def read_values(given: Any, options: ReadOptions) -> Annotations:
    """Read plain values: one annotator's, a table of them, records, columns, or distributions."""
    if isinstance(given, Mapping):
        return _of_columns({str(name): cells for name, cells in given.items()}, options)
    rows: list[Any] = given.tolist() if isinstance(given, np.ndarray) else list(given)
    if rows and all(isinstance(row, Mapping) for row in rows):
        names = dict.fromkeys(str(name) for row in rows for name in row)
        plain = [{str(name): cell for name, cell in row.items()} for row in rows]
        return _of_columns({n: [row.get(n) for row in plain] for n in names}, options, by="rows")
    if rows and all(isinstance(row, (list, tuple, np.ndarray)) for row in rows):
        return _of_grid([list(row) for row in rows], options)
    if any(hasattr(type(row), "columns") for row in rows):
        raise UsageError(
            "a list is of values, or of lists of values; put dataframes together first"
        )
    if len(rows) > 1 and all(isinstance(v, (str, PathLike)) and Path(v).is_file() for v in rows):
        raise UsageError(
            "a list is of values; read the files one by one, or with accord.reading.read_many"
        )
    return of_lists([rows], options, annotators=[options.annotator or "A"])


def of_lists(
    rows: Sequence[Any],
    options: ReadOptions | None = None,
    *,
    annotators: Sequence[str] | None = None,
) -> Ratings:
    """Ratings of one list of values for each annotator, read as the columns of a table are."""

    record = Record()
    options = options or ReadOptions()
    read = values_of({str(a): list(r) for a, r in enumerate(rows)}, options, record)
    columns = dict(
        zip(annotators or _numbered(len(rows)), map(list, read.columns.values()), strict=True)
    )
    made = ratings_from_wide(
        columns, separator=options.separator, none=options.none, **read.options
    )
    return record.kept_by(made)


def _numbered(size: int) -> list[str]:
    return [f"A{i + 1}" for i in range(size)]


def _of_grid(rows: Sequence[Sequence[Any]], options: ReadOptions) -> Ratings:
    """Ratings of a list of lists; where nobody says what a row is, that is asked."""
    width = len(rows[0])
    if any(len(row) != width for row in rows):
        raise InputError("the rows have different lengths", hint="put None where there is no value")
    if options.counts:
        named = options.categories or ()
        names = named if len(named) == width else [str(k + 1) for k in range(width)]
        counted = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        table = Table(columns=counted)
        return table.record.kept_by(ratings_from_counts(Named(table, {}, options)))
    lying = options.orientation
    if lying is None:
        if len(rows) > 1 and width > 1:
            raise OpenQuestionError(orientation_question(rows))
        lying = "annotators" if len(rows) == 1 else "items"
    if lying == "items":
        rows = list(map(list, zip(*rows, strict=True)))
    return of_lists(rows, options)


def _of_columns(
    columns: Mapping[str, Any], options: ReadOptions, *, by: str = "columns"
) -> Annotations:
    """A table of columns, or the answers of one annotator as a probability of each label."""

    if not all(are_values(cells) for cells in columns.values()):
        raise UsageError("a mapping gives a column for each name: a list of cells")
    made: dict[str, Any] = {
        n: c if isinstance(c, np.ndarray) and c.dtype.kind in "iuf" else _cells(c)
        for n, c in columns.items()
    }
    if len({len(c) for c in made.values()}) > 1:
        raise UsageError("the columns have different lengths: give each a cell for every row")
    record = Record(path=f"the {by}")
    if _are_probabilities(made, options, record):
        # a label that a record leaves out has no chance there
        spread = {n: [0.0 if p is None and by == "rows" else p for p in c] for n, c in made.items()}
        return Ratings.from_probabilities(spread, annotator=options.annotator or "A")
    table = Table(columns={n: trimmed(c) for n, c in made.items()}, path=record.path, objects=True)
    kind = "list" if by == "rows" else "dict"
    made_of = from_table(table, options)
    return read_from(made_of, Source(path=f"the {by}", format=kind, rows=table.height))


def _cells(column: Any) -> list[Any]:
    """The cells as Python has them, None where there is nothing."""
    listed = column.tolist() if isinstance(column, np.ndarray) else list(column)
    plain = [v.item() if isinstance(v, np.generic) else v for v in listed]
    plain = [sorted(v, key=str) if isinstance(v, (set, frozenset)) else v for v in plain]
    return [None if isinstance(v, float) and v != v else v for v in plain]


def _are_probabilities(columns: Mapping[str, Any], options: ReadOptions, record: Record) -> bool:
    """Whether columns are labels, with the probability of each; open where they may be people too."""
    if options.wide is not None:
        return not options.wide and _are_numbers(columns)
    if options.counts or options.rows or options.annotators or options.columns:
        return False
    if matching_shape(find_columns(columns, options, None)) or not _are_numbers(columns):
        return False
    grid = np.array([[np.nan if v is None else v for v in c] for c in columns.values()], float)
    said = ~np.isnan(grid).all(axis=0)
    total = np.nansum(grid, axis=0)[said]
    if not len(total) or (len(columns) < 2 and not np.allclose(total, 1)):
        return False
    nearly = np.abs(total - 1) < 0.05
    if 2 * int(nearly.sum()) < len(total) and not np.allclose(total, 100):
        return False
    if nearly.all() and not np.any(grid[~np.isnan(grid)] % 1):
        record.ask(
            "has columns of 0 and 1 of which one is 1 in every row",
            {
                "each column is an annotator": ("wide", True),
                "each is a label, with its probabilities": ("wide", False),
            },
        )
    return True


def _are_numbers(columns: Mapping[str, Any]) -> bool:
    return all(
        (isinstance(c, np.ndarray) and c.dtype.kind in "iuf")
        or all(v is None or (isinstance(v, (int, float)) and not isinstance(v, bool)) for v in c)
        for c in columns.values()
    )


def indexed(given: Any) -> Any:
    """A series of pandas whose index names its values as a frame; anything else as it is."""
    index = getattr(given, "index", None)
    if type(given).__name__ != "Series" or index is None or is_numbering(index):
        return given
    return given.to_frame("value")
