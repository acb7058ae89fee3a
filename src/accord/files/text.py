"""Files as text: bytes read within bounds, and decoded with the line that cannot be."""

from __future__ import annotations

import csv
import io
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from accord.errors import InputError, UnreadableError
from accord.files.limits import refuse_long_lines, refuse_long_lines_of

#: bytes that are taken from a pipe or a device
MOST_PIPED = 1 << 30


def read_bytes(path: Path) -> bytes:
    """A regular file as it is; a device or an endless pipe is refused before it fills the memory."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if stat.S_ISREG(mode):
                refuse_long_lines_of(file, path)
                return file.read()
            if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                raise InputError("is a device, not a file", path=path, hint="name a file")
            data = file.read(MOST_PIPED + 1)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    if len(data) > MOST_PIPED:
        raise InputError(
            f"gives more than {MOST_PIPED >> 20} MB and is no file",
            path=path,
            hint="save it to a file first",
        )
    return data


def open_table(path: Path) -> io.StringIO:
    """The text of a small table beside the data, for the csv module; never endless."""
    return io.StringIO(decode(read_bytes(path), str(path)), newline="")


def decode(data: bytes, path: str, *, keep_mark: bool = False, encoding: str | None = None) -> str:
    """UTF-8 (or UTF-16 with a byte-order mark) as text; line ends stay as they are.

    Any other `encoding` must be named.

    >>> decode("\\ufeffé".encode(), "f"), decode("é".encode("utf-16"), "f")
    ('é', 'é')
    """
    refuse_long_lines(data, path)
    marked = encoding is None and data[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = data.decode(encoding or ("utf-16" if marked else "utf-8"))
    except UnicodeDecodeError as problem:
        if marked:
            raise UnreadableError(f"is not UTF-16 text ({problem.reason})", path=path) from None
        told, hint = problem.reason, "name another encoding"
        if encoding is None:
            told = f"byte 0x{data[problem.start]:02x}, {told}"
            hint = "save it as UTF-8, or name its encoding: `encoding=cp1252`"
        raise InputError(
            f"is not {encoding or 'UTF-8'} text ({told})",
            path=path,
            line=data.count(b"\n", 0, problem.start) + 1,
            hint=hint,
        ) from None
    return text if keep_mark or marked else text.removeprefix("\ufeff")


def first_sign(data: bytes) -> bytes:
    """The first sign after a byte-order mark and blanks, which tells JSON and XML; nothing in a blank file.

    >>> first_sign("\\ufeff  [1]".encode())
    b'['
    """
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]


def table_rows(text: str, path: str, delimiter: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows of a table, blank ones left out, each with the line where it ends."""
    # a cell may hold a whole document
    csv.field_size_limit(1 << 30)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, row
    except csv.Error as problem:
        raise InputError(f"is not a table ({problem})", path=path, line=reader.line_num) from None


def table_records(
    text: str, path: str, delimiter: str = ","
) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a table under its header; cells that are empty are left out."""
    rows = table_rows(text, path, delimiter)
    _, header = next(rows, (1, []))
    for line, row in rows:
        if len(row) > len(header):
            raise InputError("has more cells than the header", path=path, line=line)
        yield line, {name: cell for name, cell in zip(header, row, strict=False) if name and cell}
