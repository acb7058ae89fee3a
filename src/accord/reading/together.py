"""Several tables as one: the halves of a file are read as the file.

What a column holds (numbers or words, repeats, weights, who saw what) shows in the whole of it.
Tables are therefore put together before anything is made of them, column by column; data that
cannot be (wide tables, exports, frames) are joined afterwards (:mod:`accord.data.join`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from accord.data import Annotations
from accord.data.probabilities import PREFIX
from accord.data.protocol import changed
from accord.data.reading import Provenance, Record, Source
from accord.data.values import listed
from accord.errors import InputError
from accord.files.archive import Entry
from accord.formats.format import Format, ReadOptions
from accord.formats.tables.table import Table
from accord.formats.ways import Way
from accord.reading.columns import matching_shape
from accord.reading.layout import is_wide
from accord.reading.named import Named
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


@dataclass(frozen=True, slots=True)
class Tables:
    """Long tables of one format, and what the columns of each are."""

    paths: Sequence[Path]
    found: Format
    options: ReadOptions
    tables: Sequence[Table]
    named: Sequence[Mapping[str, str]]

    @property
    def nameless(self) -> bool:
        """Whether no table says who annotated."""
        return not any("annotator" in names for names in self.named)

    def read(self, way: Way | None = None) -> Annotations:
        """Read them as one table; `way` says whose each is, where they do not."""
        whole = _concatenated(self.tables, self.named, self.options, way)
        _say_two_files(self.tables, self.named, whole.record)
        try:
            made = from_table(whole, replace(self.options, annotator=None))
        except InputError as problem:
            raise _placed(problem, self.tables, self.paths) from None
        sources = tuple(
            [
                Source(path=str(path), format=self.found.title, rows=table.height)
                for path, table in zip(self.paths, self.tables, strict=True)
            ]
        )
        return changed(made, provenance=replace(made.provenance or Provenance(), sources=sources))


def tables_of(files: Sequence[Entry], found: Format, options: ReadOptions) -> Tables | None:
    """Long tables of one format that can be read together; None when they are no such tables."""
    if found.load is None or len(files) < 2 or options.wide or options.counts or options.rename:
        return None
    paths = [Path(file.path) for file in files]
    beside = [with_sidecars(path, options) for path in paths]
    if len({(b.lengths, b.coverage) for b in beside}) > 1:
        return None
    loaded = [found.load(file, options) for file in files]
    tables = [unnested(t, options) for t in loaded if isinstance(t, Table)]
    if len(tables) < len(paths) or any(t.seen for t in tables):
        return None
    if any(name.startswith(PREFIX) for t in tables for name in t.columns):
        return None
    named = [Named.of(table, options) for table in tables]
    if any(map(is_wide, named)):
        return None
    if options.shape is None and len({matching_shape(n.found) for n in named}) > 1:
        return None
    return Tables(paths, found, beside[0], tables, [n.found for n in named])


def _say_two_files(
    tables: Sequence[Table], named: Sequence[Mapping[str, str]], record: Record
) -> None:
    """Keep that a person whose document is in two files is one, not two people of one name."""
    seen: dict[tuple[Any, Any], int] = {}
    for t, (table, found) in enumerate(zip(tables, named, strict=True)):
        if "annotator" in found and "document" in found:
            pairs = zip(
                table.columns[found["annotator"]], table.columns[found["document"]], strict=True
            )
            for who, document in dict.fromkeys(pairs):
                if seen.setdefault((who, document), t) != t:
                    means = (
                        f"annotator {who!r}, with document {document!r} in two files, is one person"
                    )
                    record.assume(means, ("rename", f"FILE:{who}=NAME"))
                    return


def _concatenated(
    tables: Sequence[Table],
    named: Sequence[Mapping[str, str]],
    options: ReadOptions,
    way: Way | None = None,
) -> Table:
    """One table whose columns are called as in the first; what a `way` says is a column more."""
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
    placed = [(options.annotator or t.source, "") for t in tables] if way is None else way.said
    located = (options.shape or matching_shape(named[0])) != "ratings"
    if way is not None and located and not any("document" in n for n in named):
        names["document"] = None
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for table, called, (annotator, document) in zip(tables, ours, placed, strict=True):
        held = {called.get(c, c): column for c, column in table.columns.items()}
        held.setdefault(who, [annotator] * table.height)
        if "document" in names:
            held.setdefault("document", [document or None] * table.height)
        for name, cells in columns.items():
            cells.extend(listed(held[name]) if name in held else [None] * table.height)
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
