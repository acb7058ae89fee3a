"""Tables on disk: CSV, TSV, JSON Lines, Parquet; and long tables written back."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.data import Annotations
from accord.data.values import Column
from accord.errors import InputError, missing_dependency
from accord.files.archive import Entry
from accord.files.safe_json import scrubbed
from accord.files.text import decode
from accord.formats.format import Format, ReadOptions, Regex, Sniff
from accord.formats.tables.cells import cut
from accord.formats.tables.long_rows import long_rows
from accord.formats.tables.table import Table

if TYPE_CHECKING:
    import narwhals as nw

#: bytes that the names of the columns may take, or a record of JSON Lines
_LONGEST_HEADER = 1 << 26
_SEPARATOR = re.compile(r"\s*sep=(.)\r?\n", re.IGNORECASE)
_DELIMITERS = (",", "\t", ";", "|")
#: rows turned into columns at a time: few enough objects for the garbage collector to stay asleep
_CHUNK = 20_000


def load_delimited(file: Entry, options: ReadOptions) -> Table:
    """Read CSV, TSV or any of its cousins; the delimiter is the one that cuts the header best."""
    text = decoded(file, options.encoding)
    if not text or text.isspace():
        raise file.unreadable("is empty", hint="check the export")
    # Excel's way of naming the delimiter stands before the table
    told = _SEPARATOR.match(text)
    above = 0 if told is None else 1
    if told is not None:
        text = text[told.end() :]
    delimiter = _delimiter(file.path, text) if told is None else told[1]
    if options.layout:
        text = delimiter.join(options.layout) + "\n" + text
        above -= 1
    # nearly all tables have no quotes and one kind of line end
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    is_plain = '"' not in text and "\r" not in plain
    header = next(_reader(file.path, plain.partition("\n")[0] if is_plain else text, delimiter), [])
    if not header:
        raise file.wrong("begins with a blank line", 1, hint="begin with the names of the columns")
    header = [name.strip() for name in header]
    if len(set(header)) < len(header):
        twice = next(h for h in header if header.count(h) > 1)
        raise file.wrong(f"has two columns called {twice!r}", 1, hint="give each a name of its own")
    columns: Sequence[Column] | None = cut(plain, delimiter, len(header)) if is_plain else None
    if columns is None:
        columns = _parsed(file.path, text, delimiter, len(header))
    return Table(
        columns=dict(zip(header, columns, strict=True)),
        path=file.path,
        line=lambda row: _line(text, delimiter, row) + above,
        source=file.stem,
        decimal_comma=delimiter != ",",
    )


def load_json_lines(file: Entry, options: ReadOptions) -> Table:
    """Read one JSON object per line; a list as value is a set of labels, an object a distribution."""
    rows: list[Any] = []
    lines: list[int] = []
    # only a newline ends a record: strings may hold other line separators
    for number, line in enumerate(decoded(file, options.encoding).split("\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(scrubbed(json.loads(line)) if "\\u" in line else json.loads(line))
        except (ValueError, RecursionError):  # also integers of thousands of digits
            raise file.unreadable("is not JSON", number) from None
        lines.append(number)
    return _of_records(rows, file, lines.__getitem__)


def load_json(file: Entry, options: ReadOptions) -> Table:
    """Read a list of objects, or the document of `accord gold --json`, which has them in `items`."""
    try:
        found = scrubbed(json.loads(decoded(file, options.encoding)))
    except (ValueError, RecursionError):
        raise file.unreadable("is not JSON") from None
    if isinstance(found, dict) and isinstance(found.get("items"), list):
        found = found["items"]
    if not isinstance(found, list):
        raise file.wrong("must be a list of JSON objects")
    return _of_records(found, file, lambda row: None)


def _of_records(rows: Sequence[Any], file: Entry, line: Callable[[int], int | None]) -> Table:
    for row, record in enumerate(rows):
        if not isinstance(record, dict):
            raise file.wrong("must be a JSON object", line(row))
    if not rows:
        raise file.unreadable("is empty", hint="check the export")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: [row.get(name) for row in rows] for name in names}
    return Table(columns=columns, path=file.path, line=line, source=file.stem, objects=True)


def load_parquet(file: Entry, options: ReadOptions) -> nw.DataFrame[Any]:
    """Read a Parquet file through pyarrow, or polars when that is what is installed."""
    import narwhals as nw

    from accord.data.frame import opened

    try:
        import pyarrow.parquet as engine
    except ImportError:
        try:
            import polars as engine
        except ImportError:
            raise missing_dependency("pyarrow", "parquet", "reading Parquet files") from None
    held = io.BytesIO(file.read()) if file.file is None else file.file
    try:
        frame = (
            engine.read_table(held) if hasattr(engine, "read_table") else engine.read_parquet(held)
        )
    except Exception as problem:  # each engine has errors of its own for a damaged file
        first = str(problem).split("\n")[0]
        raise file.unreadable(f"is not a readable Parquet file ({first})") from None
    table = opened(frame, file.path)
    return table.collect() if isinstance(table, nw.LazyFrame) else table


def write_delimited(data: Annotations, path: Path) -> Sequence[str]:
    """Write the long table of any shape as CSV, or TSV by its ending."""
    lost: list[str] = []
    header, rows = long_rows(data, lost)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(
            file, delimiter="\t" if path.suffix == ".tsv" else ",", lineterminator="\n"
        )
        writer.writerow(header)
        writer.writerows(rows)
    return lost


def write_json_lines(data: Annotations, path: Path) -> Sequence[str]:
    """Write the long table of any shape as JSON Lines."""
    lost: list[str] = []
    header, rows = long_rows(data, lost, plain=False)
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(dict(zip(header, row, strict=True)), ensure_ascii=False) + "\n")
    return lost


def write_parquet(data: Annotations, path: Path) -> Sequence[str]:
    """Write the long table of any shape as Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise missing_dependency("pyarrow", "parquet", "writing Parquet files") from None
    lost: list[str] = []
    header, rows = long_rows(data, lost, plain=False)
    columns = list(zip(*rows, strict=True)) or [()] * len(header)
    pyarrow.parquet.write_table(
        pyarrow.table({h: list(c) for h, c in zip(header, columns, strict=True)}), path
    )
    return lost


# --- text ----------------------------------------------------------------------------------------


def decoded(file: Entry, encoding: str | None = None) -> str:
    """The file as text; UTF-8 (with or without its mark) or UTF-16 with its mark, else as said."""
    raw = file.read()
    if len(raw) > _LONGEST_HEADER and b"\n" not in raw[:_LONGEST_HEADER]:
        raise file.wrong(
            f"begins with a line of more than {_LONGEST_HEADER >> 20} MB",
            hint="this is no table with a header",
        )
    if encoding is None and b"\0" in raw[:65_536] and raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise file.unreadable("is a binary file, not a table", hint="export it as CSV")
    return decode(raw, file.path, encoding=encoding)


def _parsed(path: str, text: str, delimiter: str, width: int) -> list[list[str | None]]:
    """The columns of any table, by the standard library's reader."""
    rows = _reader(path, text, delimiter)
    next(rows)
    columns: list[list[str | None]] = [[] for _ in range(width)]
    done = 0
    while chunk := list(islice(rows, _CHUNK)):
        block = [row for row in chunk if row]
        bad = next((i for i, row in enumerate(block) if len(row) != width), None)
        if bad is not None:
            _refuse_width(path, text, delimiter, done + bad, len(block[bad]), width)
        for column, cells in zip(columns, zip(*block, strict=True), strict=bool(block)):
            column.extend([c.strip() or None for c in cells])
        done += len(block)
    return columns


def _refuse_width(path: str, text: str, delimiter: str, row: int, found: int, width: int) -> None:
    raise InputError(
        f"has {found} cells where the header has {width}",
        path=path,
        line=_line(text, delimiter, row),
        hint="delete the lines above the header"
        if width == 1
        else "quote cells that contain the delimiter",
    )


def _reader(path: str, text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from reader
    except csv.Error as problem:
        raise InputError(f"is not a table ({problem})", path=path, line=reader.line_num) from None


def _line(text: str, delimiter: str, row: int) -> int:
    """Line of a data row, found again only when an error needs it (cells may hold newlines)."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    kept = (reader.line_num for cells in reader if cells)
    return next(islice(kept, row + 1, None), row + 2)


def _delimiter(path: str, text: str) -> str:
    if path.lower().endswith((".tsv", ".tab")):
        return "\t"
    first = re.search(r"\S[^\n]*", text)
    header = "" if first is None else first[0]
    return max(_DELIMITERS, key=header.count)


FORMATS = (
    Format(
        name="parquet",
        title="Parquet table",
        sniff=(Sniff(begins=b"PAR1"), Sniff(endings=(".parquet",))),
        over=("csv", "json", "jsonl"),
        fallback=True,
        load=load_parquet,
        write=write_parquet,
        suffixes=(".parquet",),
    ),
    Format(
        name="jsonl",
        title="JSON Lines table",
        sniff=(Sniff(endings=(".jsonl", ".ndjson")),),
        fallback=True,
        load=load_json_lines,
        write=write_json_lines,
        suffixes=(".jsonl", ".ndjson"),
    ),
    Format(
        name="json",
        title="JSON table (a list of objects)",
        sniff=(
            Sniff(endings=(".json",), begins=Regex(rb"\s*[\[{]"), every=(b'"item"',)),
            # (answers that are nested in their record: of a user, or by name)
            Sniff(
                endings=(".json",),
                begins=Regex(rb"\s*\[\s*\{"),
                some=(b'"annotator"', b'"user"', b'"coder"', b'"rater"', b'"votes"'),
            ),
        ),
        fallback=True,
        load=load_json,
    ),
    Format(
        name="csv",
        title="table (CSV, TSV)",
        sniff=(Sniff(endings=(".csv", ".tsv", ".tab", ".txt")),),
        fallback=True,
        load=load_delimited,
        write=write_delimited,
        suffixes=(".csv", ".tsv"),
    ),
)
