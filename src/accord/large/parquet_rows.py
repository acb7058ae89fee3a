"""Rows of a Parquet table of units, read by ranges: a file, a folder, several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, label_of
from accord.data.reading import Record
from accord.errors import InputError, needed
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.large.engines import PARQUET, parquet_files
from accord.reading.columns import find_columns
from accord.reading.named import Named
from accord.reading.unclaimed import claimed

Files = str | PathLike[str] | Sequence[str | PathLike[str]]
Numbers = NDArray[np.float64]
Places = NDArray[np.int64]
#: annotator, start, end, label of some rows
Read = tuple[Places, Numbers, Numbers, Codes]
#: rows that are decoded together
_BATCH = 65_536


@dataclass(frozen=True, slots=True, eq=False)
class RowsOutline:
    """What the columns of names say: documents as they are stored, who, which labels."""

    documents: list[str]
    #: rows of each document
    sizes: Places
    annotators: list[str]
    #: label → rows; None for rows without one
    labels: dict[str | None, int]
    #: (document, annotator) of who marked something
    pairs: Places


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ParquetRows:
    """The files of a table, one after the other, and how its names are numbered."""

    name: str
    files: tuple[str, ...]
    #: our names of its columns
    columns: Mapping[str, str]
    #: what was decided about them
    record: Record
    #: the row that each group of rows begins with, and where the last ends
    group_edges: Places
    #: the file and number of each group of rows
    groups: tuple[tuple[int, int], ...]
    annotators: Mapping[str, int] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Files, options: ReadOptions) -> Self:
        files = tuple(parquet_files([source] if isinstance(source, (str, PathLike)) else source))
        name = files[0] if len(files) == 1 else str(Path(files[0]).parent)
        groups: list[tuple[int, int]] = []
        sizes: list[int] = []
        record = Record(path=name)
        for number, path in enumerate(files):
            opened = _open(path)
            names = opened.schema_arrow.names
            found = find_columns(dict.fromkeys(names), options, path)
            lacking = [c for c in ("annotator", "start", "end") if c not in found]
            if lacking:
                raise InputError(
                    f"has no column for {' and '.join(lacking)}; it has {', '.join(names)}",
                    path=path,
                    hint=f"name it with `columns={{{lacking[0]}: NAME}}`",
                )
            if not number:
                first = Table(columns=_first_rows(opened), path=path, record=record)
                claimed(Named(first, found, options), "units")
            for group in range(opened.metadata.num_row_groups):
                groups.append((number, group))
                sizes.append(opened.metadata.row_group(group).num_rows)
        if not sum(sizes):
            raise InputError("has no rows", path=name)
        return cls(
            name=name,
            files=files,
            columns=dict(record.columns),
            record=record,
            group_edges=np.concatenate([[0], np.cumsum(sizes)]),
            groups=tuple(groups),
        )

    def coded(self, annotators: Mapping[str, int], categories: Mapping[str, int]) -> Self:
        """The same rows, with numbers for the names."""
        return replace(self, annotators=annotators, categories=categories)

    def read(self, ranges: Sequence[tuple[int, int]]) -> Iterator[Read]:
        """The rows of each of these ranges, which are in order and apart."""
        wanted = iter(ranges)
        held: list[Read] = []
        now = next(wanted, None)
        for first, batch in self._batches(ranges, ("annotator", "start", "end", "label")):
            last = first + batch.num_rows
            columns: Read | None = None
            while now is not None and now[0] < last:
                columns = columns or self._coded(batch)
                here = slice(max(0, now[0] - first), min(last, now[1]) - first)
                held.append(tuple(c[here] for c in columns))  # type: ignore[arg-type]
                if now[1] > last:
                    break
                yield tuple(np.concatenate(c) for c in zip(*held, strict=True))  # type: ignore[misc]
                held, now = [], next(wanted, None)

    def outline(self) -> RowsOutline:
        """One pass over the columns of names."""
        documents: list[str] = []
        sizes: list[int] = []
        known: dict[str, int] = {}
        people: dict[str, int] = {}
        labels: dict[str | None, int] = {}
        pairs: list[Places] = []
        whole = [(0, int(self.group_edges[-1]))]
        for first, batch in self._batches(whole, ("document", "annotator", "label")):
            code, names = self._names(batch, "document", first, "document")
            begins = np.flatnonzero(np.diff(code, prepend=-2))
            lengths = np.diff(np.append(begins, len(code)))
            run = np.empty(len(begins), dtype=np.int64)
            for k, (at, length) in enumerate(zip(begins.tolist(), lengths.tolist(), strict=True)):
                name = names[code[at]]
                if documents and documents[-1] == name:
                    sizes[-1] += length
                elif name in known:
                    raise InputError(
                        f"the rows of document {name!r} are not together (row {first + at + 1})",
                        path=self.name,
                        hint="sort the table by its documents first, for example with DuckDB: COPY "
                        "(FROM 'a.parquet' ORDER BY document) TO 'b.parquet'",
                    )
                else:
                    known[name] = len(documents)
                    documents.append(name)
                    sizes.append(length)
                run[k] = len(documents) - 1
            who, own = self._names(batch, "annotator", first)
            number = np.array([people.setdefault(n, len(people)) for n in own], dtype=np.int64)
            both = np.stack([np.repeat(run, lengths), number[who]], axis=1)
            pairs.append(np.unique(both, axis=0))
            label, own_labels = self._optional(batch, "label")
            counts = np.bincount(label + 1, minlength=len(own_labels) + 1).tolist()
            for label_name, n in zip([None, *own_labels], counts, strict=True):
                if n:
                    labels[label_name] = labels.get(label_name, 0) + n
        return RowsOutline(
            documents,
            np.array(sizes, dtype=np.int64),
            list(people),
            labels,
            np.concatenate(pairs),
        )

    def _batches(
        self, ranges: Sequence[tuple[int, int]], columns: Sequence[str]
    ) -> Iterator[tuple[int, Any]]:
        """Batches of rows with their first row, of all groups of rows that some range touches."""
        names = [self.columns[c] for c in columns if c in self.columns]
        starts, ends = (np.array(side) for side in zip(*ranges, strict=True))
        opened: dict[int, Any] = {}
        for k, (number, group) in enumerate(self.groups):
            first, last = int(self.group_edges[k]), int(self.group_edges[k + 1])
            inside = np.flatnonzero((starts < last) & (ends > first))
            if not len(inside):
                continue
            if number not in opened:
                opened.clear()
                opened[number] = _open(self.files[number], names)
            stop = min(last, int(ends[inside[-1]]))
            for batch in opened[number].iter_batches(_BATCH, row_groups=[group], columns=names):
                yield first, batch
                first += batch.num_rows
                if first >= stop:
                    break

    def _coded(self, batch: Any) -> Read:
        who, people = self._names(batch, "annotator", 0)
        label, labels = self._optional(batch, "label")
        number = np.array([self.annotators[n] for n in people] or [0], dtype=np.int64)
        # -2: a label that is not among the declared categories
        place = np.array([*(self.categories.get(n, -2) for n in labels), -1], dtype=np.int32)
        return (
            number[who],
            self._offsets(batch, "start"),
            self._offsets(batch, "end"),
            place[label],
        )

    def _names(
        self, batch: Any, column: str, first: int, otherwise: str | None = None
    ) -> tuple[Places, list[str]]:
        """Codes and names of a column that must not be empty."""
        if column not in self.columns and otherwise is not None:
            return np.zeros(batch.num_rows, dtype=np.int64), [otherwise]
        code, names = self._optional(batch, column)
        if (code < 0).any():
            row = first + int(np.argmax(code < 0)) + 1
            raise InputError(f"row {row}: the {column} is empty", path=self.name)
        return code, names

    def _optional(self, batch: Any, column: str) -> tuple[Places, list[str]]:
        """Codes and names of a column, -1 where it is empty."""
        if column not in self.columns:
            return np.full(batch.num_rows, -1, dtype=np.int64), []
        cells = batch.column(batch.schema.get_field_index(self.columns[column]))
        if not hasattr(cells, "dictionary"):
            cells = cells.dictionary_encode()
        texts = [_text(value) for value in cells.dictionary.to_pylist()]
        numbers: dict[str, int] = {}
        place = [-1 if t is None else numbers.setdefault(t, len(numbers)) for t in texts]
        code = np.asarray(cells.indices.fill_null(len(texts)), dtype=np.int64)
        return np.array([*place, -1], dtype=np.int64)[code], list(numbers)

    def _offsets(self, batch: Any, column: str) -> Numbers:
        cells = batch.column(batch.schema.get_field_index(self.columns[column]))
        try:
            return np.asarray(cells.to_numpy(zero_copy_only=False), dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(
                f"the column {self.columns[column]!r} holds no numbers", path=self.name
            ) from None


def _first_rows(opened: Any) -> dict[str, list[Any]]:
    """The columns of the first rows, which tell what they hold; those that nest are left out."""
    import pyarrow

    flat = [f.name for f in opened.schema_arrow if not pyarrow.types.is_nested(f.type)]
    batch = next(opened.iter_batches(_BATCH, columns=flat), None)
    if batch is None:
        return {}
    cells = (column.to_pylist() for column in batch.columns)
    return {
        name: [(v.strip() or None) if isinstance(v, str) else v for v in column]
        for name, column in zip(batch.schema.names, cells, strict=True)
    }


def is_parquet(source: object) -> bool:
    """Whether these are files that units can stay in: Parquet files, a folder of them, a glob."""
    listed = source if isinstance(source, (list, tuple)) else [source]
    if not listed or not all(isinstance(one, (str, PathLike)) for one in listed):
        return False
    paths = [Path(str(one)) for one in listed]
    return all(PARQUET.search(p.name) or (p.is_dir() and parquet_files([p])) for p in paths)


def _open(path: str, names: Sequence[str] = ()) -> Any:
    pyarrow = needed("pyarrow", "parquet", "reading units from Parquet")
    parquet = needed("pyarrow.parquet", "parquet", "reading units from Parquet")
    try:
        plain = parquet.ParquetFile(path)
        texts = [
            field.name
            for field in plain.schema_arrow
            if field.name in names and pyarrow.types.is_string(field.type)
        ]
        return parquet.ParquetFile(path, read_dictionary=texts) if texts else plain
    except (pyarrow.ArrowInvalid, OSError) as problem:
        raise InputError(f"is no Parquet file ({problem})", path=path) from None


def _text(value: object) -> str | None:
    if value is None or value != value:
        return None
    text = value if isinstance(value, str) else label_of(value)
    return text.strip() or None
