"""Several tables as one: the halves of a file are read as the file.

What a column holds (numbers or words, repeats, weights, who saw what) shows in the whole of it.
Tables are therefore put together before anything is made of them, column by column; data that
cannot be (wide tables, exports, frames) are joined afterwards (:mod:`accord.data.join`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations
from accord.data.probabilities import PREFIX
from accord.data.protocol import changed
from accord.data.reading import Provenance, Source
from accord.data.values import Column
from accord.errors import InputError
from accord.files.archive import Entry
from accord.formats.format import Format, ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, matching_shape
from accord.reading.layout import is_wide
from accord.reading.nesting import unnested
from accord.reading.shape import from_table
from accord.reading.sidecars import with_sidecars


class _Row(int):
    """The number of a row in all tables together, which is written as its line and file."""

    place: str

    def __str__(self) -> str:
        return self.place

    def __format__(self, spec: str) -> str:
        return self.place


def read_as_one(files: Sequence[Entry], found: Format, options: ReadOptions) -> Annotations | None:
    """Read long tables of one format together; None when they are no such tables."""
    if found.load is None or len(files) < 2 or options.wide or options.counts or options.rename:
        return None
    paths = [Path(file.path) for file in files]
    beside = [with_sidecars(path, options) for path in paths]
    if len({(b.lengths, b.coverage) for b in beside}) > 1:
        return None
    loaded = [found.load(file, options) for file in files]
    tables = [unnested(t, options) for t in loaded if isinstance(t, Table)]
    if any(t.seen for t in tables):
        return None
    if len(tables) < len(paths):
        return None
    if any(name.startswith(PREFIX) for t in tables for name in t.columns):
        return None
    named = [find_columns(t.columns, options, t.path) for t in tables]
    if any(is_wide(t.columns, n, options) for t, n in zip(tables, named, strict=True)):
        return None
    shapes = [matching_shape(n) for n in named]
    if options.shape is None and len(set(shapes)) > 1:
        return None
    whole = _concatenated(tables, named, options)
    whole.notes.extend(_in_two_files(tables, named))
    try:
        made = from_table(whole, replace(beside[0], annotator=None))
    except InputError as problem:
        raise _placed(problem, tables, paths) from None
    sources = tuple(
        [
            Source(path=str(path), format=found.title, rows=table.height)
            for path, table in zip(paths, tables, strict=True)
        ]
    )
    return changed(made, provenance=replace(made.provenance or Provenance(), sources=sources))


def _in_two_files(tables: Sequence[Table], named: Sequence[dict[str, str]]) -> list[str]:
    """A person whose document is in two files may be two people of one name."""
    seen: dict[tuple[Any, Any], int] = {}
    for t, (table, found) in enumerate(zip(tables, named, strict=True)):
        if "annotator" in found and "document" in found:
            pairs = zip(
                table.columns[found["annotator"]], table.columns[found["document"]], strict=True
            )
            for who, document in dict.fromkeys(pairs):
                if seen.setdefault((who, document), t) != t:
                    return [
                        f"annotator {who!r} has document {document!r} in two files and is taken as one "
                        f"person; if these are two, `rename=FILE:{who}=NAME` tells them apart"
                    ]
    return []


def _concatenated(
    tables: Sequence[Table], named: Sequence[dict[str, str]], options: ReadOptions
) -> Table:
    """One table whose columns are called as in the first."""
    ours = [
        {theirs: named[0][our] for our, theirs in reversed(list(n.items())) if our in named[0]}
        for n in named
    ]
    who = named[0].get("annotator", "annotator")
    names: dict[str, None] = {}
    for table, called in zip(tables, ours, strict=True):
        names.update((called.get(c, c), None) for c in table.columns)
    unnamed = [t for t, n in zip(tables, named, strict=True) if "annotator" not in n]
    if unnamed:
        names[who] = None
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for table, called in zip(tables, ours, strict=True):
        held = {called.get(c, c): column for c, column in table.columns.items()}
        if who not in held:
            held[who] = [options.annotator or table.source] * table.height
        for name, cells in columns.items():
            cells.extend(_listed(held[name]) if name in held else [None] * table.height)
    starts = [0, *accumulate(t.height for t in tables)]

    def line(row: int) -> int:
        t = max(0, bisect_right(starts, row, hi=len(tables)) - 1)
        made = _Row(row)
        made.place = f"{tables[t].line(row - starts[t])} of {tables[t].path}"
        return made

    return Table(
        columns=dict(columns),
        line=line,
        notes=list(dict.fromkeys(note for t in tables for note in t.notes)),
        decimal_comma=any(t.decimal_comma for t in tables),
    )


def _listed(column: Column) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _placed(problem: InputError, tables: Sequence[Table], paths: Sequence[Path]) -> InputError:
    """The error with the file and line that its row came from."""
    if problem.line is None:
        files = ", ".join(str(p) for p in paths[:3]) + (" …" if len(paths) > 3 else "")
        return InputError(problem.problem, path=problem.path or files, hint=problem.hint)
    row, start = int(problem.line), 0
    for table in tables:
        if row < start + table.height:
            return InputError(
                problem.problem,
                path=table.path,
                line=table.line(row - start),
                hint=problem.hint,
            )
        start += table.height
    return problem
