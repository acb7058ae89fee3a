"""Tables on disk: CSV, TSV, JSON Lines, Parquet; and long tables written back."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.data.ratings import label_of
from accord.data.values import Column
from accord.errors import InputError, missing_dependency
from accord.formats.cells import cut
from accord.formats.format import Format, ReadOptions
from accord.formats.nesting import refuse_nesting
from accord.formats.safe_json import scrubbed
from accord.formats.shapes import Table, from_table
from accord.formats.sidecars import with_sidecars
from accord.formats.spelling import trimmed
from accord.formats.text import decode, read_bytes

#: how a sentence about what a table of units cannot say ends
COVERAGE_HINT = "write a coverage table as well"
#: bytes that the names of the columns may take, or a record of JSON Lines
_LONGEST_HEADER = 1 << 26
_SEPARATOR = re.compile(r"\s*sep=(.)\r?\n", re.IGNORECASE)
_DELIMITERS = (",", "\t", ";", "|")
#: rows turned into columns at a time: few enough objects for the garbage collector to stay asleep
_CHUNK = 20_000


def read_delimited(path: Path, options: ReadOptions) -> Annotations:
    """Read a table of cells between delimiters."""
    return from_table(load_delimited(path, options), with_sidecars(path, options))


def load_delimited(path: Path, options: ReadOptions) -> Table:
    """Read CSV, TSV or any of its cousins; the delimiter is the one that cuts the header best."""
    text = decoded(path, options.encoding)
    if not text or text.isspace():
        raise InputError("is empty", path=path, hint="check the export")
    # Excel's way of naming the delimiter stands before the table
    told = _SEPARATOR.match(text)
    above = 0 if told is None else 1
    if told is not None:
        text = text[told.end() :]
    delimiter = _delimiter(path, text) if told is None else told[1]
    if options.layout:
        text = delimiter.join(options.layout) + "\n" + text
        above -= 1
    # nearly all tables have no quotes and one kind of line end
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    is_plain = '"' not in text and "\r" not in plain
    header = next(_reader(path, plain.partition("\n")[0] if is_plain else text, delimiter), [])
    if not header:
        raise InputError(
            "begins with a blank line",
            path=path,
            line=1,
            hint="begin with the names of the columns",
        )
    header = [name.strip() for name in header]
    if len(set(header)) < len(header):
        twice = next(h for h in header if header.count(h) > 1)
        raise InputError(f"has two columns called {twice!r}", path=path, line=1)
    columns: Sequence[Column] | None = cut(plain, delimiter, len(header)) if is_plain else None
    if columns is None:
        columns = _parsed(path, text, delimiter, len(header))
    return Table(
        columns=dict(zip(header, columns, strict=True)),
        path=str(path),
        line=lambda row: _line(path, text, delimiter, row) + above,
        source=path.stem,
        decimal_comma=delimiter != ",",
    )


def read_json_lines(path: Path, options: ReadOptions) -> Annotations:
    """Read a table of one JSON object per line."""
    return from_table(load_json_lines(path, options), with_sidecars(path, options))


def load_json_lines(path: Path, options: ReadOptions) -> Table:
    """Read one JSON object per line; a list as value is a set of labels."""
    rows: list[dict[str, Any]] = []
    lines: list[int] = []
    # only a newline ends a record: strings may hold other line separators
    for number, line in enumerate(decoded(path, options.encoding).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = scrubbed(json.loads(line)) if "\\u" in line else json.loads(line)
        except (ValueError, RecursionError):  # also integers of thousands of digits
            raise InputError("is not JSON", path=path, line=number) from None
        if not isinstance(row, dict):
            raise InputError("must be a JSON object", path=path, line=number)
        rows.append(row)
        lines.append(number)
    if not rows:
        raise InputError("is empty", path=path, hint="check the export")
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: trimmed([row.get(name) for row in rows]) for name in names}
    table = Table(columns=columns, path=str(path), line=lambda row: lines[row], source=path.stem)
    refuse_nesting(table, options)
    return table


def read_parquet(path: Path, options: ReadOptions) -> Annotations:
    """Read a Parquet file through pyarrow, or polars when that is what is installed."""
    from accord.formats.frame import read_frame

    try:
        import pyarrow.parquet as engine
    except ImportError:
        try:
            import polars as engine
        except ImportError:
            raise missing_dependency("pyarrow", "parquet", "reading Parquet files") from None
    try:
        frame = (
            engine.read_table(path) if hasattr(engine, "read_table") else engine.read_parquet(path)
        )
    except Exception as problem:  # each engine has errors of its own for a damaged file
        first = str(problem).split("\n")[0]
        raise InputError(f"is not a readable Parquet file ({first})", path=path) from None
    return read_frame(frame, with_sidecars(path, options), path=str(path), source=path.stem)


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


def long_rows(
    data: Annotations, lost: list[str], *, plain: bool = True
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Header and rows of the long table; `lost` receives what it cannot hold. `plain`: text cells."""
    if isinstance(data, Ratings):
        return _ratings_rows(data, lost, plain)
    if isinstance(data, Units):
        if data.texts is not None:
            lost.append("the texts of the documents")
        silent = int(data.coverage.sum()) - len(
            set(zip(data.document, data.annotator, strict=True))
        )
        if silent:
            lost.append(f"{silent} documents seen without any unit: {COVERAGE_HINT}")
        whole = data.integral
        return ["document", "annotator", "start", "end", "label"], (
            (
                u.document,
                u.annotator,
                *((int(u.start), int(u.end)) if whole else (u.start, u.end)),
                u.label,
            )
            for u in data
        )
    if isinstance(data, Segments):
        if data.types is not None:
            lost.append("the types of the boundaries")
        return ["document", "annotator", "masses"], (
            (data.documents[d], data.annotators[a], " ".join(map(str, data.masses(d, a).tolist())))
            for d, a in sorted(data.boundaries)
        )
    if isinstance(data, Chains):
        if data.facts is not None:
            lost.append("what is known about mentions (heads, types)")
        silent = len(data.coverage) - len(set(zip(data.document, data.annotator, strict=True)))
        if silent:
            lost.append(f"{silent} documents in which an annotator marked no mention")
        spans = all(
            isinstance(m, tuple) and len(m) == 2 for mentions in data.mentions for m in mentions
        )
        return ["document", "annotator", *(["start", "end"] if spans else ["mention"]), "entity"], (
            (
                data.documents[d],
                data.annotators[a],
                *(data.mentions[d][m] if spans else (label_of(data.mentions[d][m]),)),
                int(e),
            )
            for d, a, m, e in zip(
                data.document, data.annotator, data.mention, data.entity, strict=True
            )
        )
    raise TypeError(f"not annotations: {type(data).__name__}")


def _ratings_rows(
    data: Ratings, lost: list[str], plain: bool
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    if data.declared:
        lost.append("the declared categories and their order: keep them in a file")
    if data.multiplicity is not None:
        lost.append("the single items: only counts of identical items are known")
    values: Sequence[Any] = data.labels
    if not plain:
        values = [
            sorted(v) if isinstance(v, frozenset) else float(v) if data.kind == "numbers" else v
            for v in data.values
        ]
    elif data.kind == "sets":
        values = ["|".join(sorted(v)) for v in data.values]
    header = ["item", "annotator", "value"]
    extra: list[Any] = []
    for name, names, codes in (
        ("document", data.documents, data.document),
        ("time", data.times, data.time),
    ):
        if codes is not None:
            header.append(name)
            extra.append((names, codes))
    return header, (
        (
            data.items[i],
            data.annotators[a],
            values[c],
            *(names[codes[i]] for names, codes in extra),
        )
        for i, a, c in zip(data.item.tolist(), data.annotator, data.code, strict=True)
    )


# --- text ----------------------------------------------------------------------------------------


def decoded(path: Path, encoding: str | None = None) -> str:
    """The file as text; UTF-8 (with or without its mark) or UTF-16 with its mark, else as said."""
    if path.is_dir():
        raise InputError("is a folder, not a table", path=path, hint="name a file in it")
    raw = read_bytes(path)
    if len(raw) > _LONGEST_HEADER and b"\n" not in raw[:_LONGEST_HEADER]:
        raise InputError(
            f"begins with a line of more than {_LONGEST_HEADER >> 20} MB",
            path=path,
            hint="this is no table with a header",
        )
    if encoding is not None:
        return decode(raw, str(path), encoding=encoding)
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    elif b"\0" in raw[:65_536]:
        raise InputError("is a binary file, not a table", path=path, hint="export it as CSV")
    else:
        encoding = "utf-8-sig"
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as problem:
        line = raw.count(b"\n", 0, problem.start) + 1
        raise InputError(
            "is not UTF-8 text",
            path=path,
            line=line,
            hint="save it as UTF-8, or name its encoding: `encoding=cp1252`",
        ) from None


def _parsed(path: Path, text: str, delimiter: str, width: int) -> list[list[str | None]]:
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


def _refuse_width(path: Path, text: str, delimiter: str, row: int, found: int, width: int) -> None:
    raise InputError(
        f"has {found} cells where the header has {width}",
        path=path,
        line=_line(path, text, delimiter, row),
        hint="quote cells that contain the delimiter",
    )


def _reader(path: Path, text: str, delimiter: str) -> Iterator[list[str]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from reader
    except csv.Error as problem:
        raise InputError(f"is not a table ({problem})", path=path, line=reader.line_num) from None


def _line(path: Path, text: str, delimiter: str, row: int) -> int:
    """Line of a data row, found again only when an error needs it (cells may hold newlines)."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    kept = (reader.line_num for cells in reader if cells)
    return next(islice(kept, row + 1, None), row + 2)


def _delimiter(path: Path, text: str) -> str:
    if path.suffix.lower() in (".tsv", ".tab"):
        return "\t"
    first = re.search(r"\S[^\n]*", text)
    header = "" if first is None else first[0]
    return max(_DELIMITERS, key=header.count)


def _ends(*suffixes: str) -> Any:
    return lambda path, head: path.suffix.lower() in suffixes and not path.is_dir()


FORMATS = (
    Format(
        name="parquet",
        title="Parquet table",
        recognise=lambda path, head: head[:4] == b"PAR1" or _ends(".parquet")(path, head),
        read=read_parquet,
        write=write_parquet,
        suffixes=(".parquet",),
    ),
    Format(
        name="jsonl",
        title="JSON Lines table",
        recognise=_ends(".jsonl", ".ndjson"),
        read=read_json_lines,
        load=load_json_lines,
        write=write_json_lines,
        suffixes=(".jsonl", ".ndjson"),
    ),
    Format(
        name="csv",
        title="long or wide table (CSV, TSV)",
        recognise=_ends(".csv", ".tsv", ".tab", ".txt"),
        read=read_delimited,
        load=load_delimited,
        write=write_delimited,
        suffixes=(".csv", ".tsv"),
    ),
)
