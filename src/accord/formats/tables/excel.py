"""Excel workbooks (`.xlsx`): a sheet is a table, read and written like CSV.

Hidden and empty sheets are left out; of several others, `--layer` names the one to read. The header is
the first row of two or more cells, so that a title may stand above it. Needs openpyxl
(`pip install 'accord[excel]'`).
"""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from accord.data import Annotations
from accord.data.clock import shown
from accord.errors import InputError, UsageError, missing_dependency, some
from accord.files.archive import Entry, refuse_zip_bomb
from accord.formats.format import Format, ReadOptions, Sniff
from accord.formats.tables.long_rows import long_rows
from accord.formats.tables.table import Table
from accord.formats.writing import write_bytes

_ENDINGS = (".xlsx", ".xlsm")
_MOST_COLUMNS = 16_384

#: bytes of a workbook, unpacked, below which no part of it is a bomb: rows are read one by one
_SMALL = 1 << 26

Row = list[str | None]


def load(file: Entry, options: ReadOptions) -> Table:
    """Read one sheet as a table."""
    sheets, uncounted = _sheets(file)
    name = _chosen(sheets, options.layer, file.path)
    rows = sheets[name]
    start = next((i for i, (_, r) in enumerate(rows) if sum(c is not None for c in r) > 1), 0)
    header = rows[start][1]
    width = max((i + 1 for i, cell in enumerate(header) if cell is not None), default=0)
    names = [_header(cell, i, file.path, rows[start][0]) for i, cell in enumerate(header[:width])]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        raise file.wrong(f"has two columns called {twice!r}", rows[start][0])
    body = rows[start + 1 :]
    for line, row in body:
        if any(cell is not None for cell in row[width:]):
            raise file.wrong(
                "has a cell to the right of the last column that has a name",
                line,
                hint=f"name the column in row {rows[start][0]}, or clear the cell",
            )
    lines = [line for line, _ in body]
    columns = {
        n: [row[i] if i < len(row) else None for _, row in body] for i, n in enumerate(names)
    }
    notes = []
    if uncounted.get(name):
        notes.append(
            f"{file.name}: {uncounted[name]} formula(s) were saved without a value and are missing; "
            "open and save the workbook in Excel"
        )
    table = Table(
        columns=columns,
        path=file.path,
        line=lambda row: lines[row],
        source=file.stem,
        notes=notes,
    )
    if start:
        table.record.leave_out(
            f"{start:,} rows above the header" if start > 1 else "1 row above the header", start
        )
    for other in (sheet for sheet in sheets if sheet != name):
        table.record.leave_out(f"sheet {other!r}", keep=("layer", other))
    return table


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write the long table of any shape as the one sheet of a workbook."""
    openpyxl = _openpyxl("writing Excel workbooks")
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE as CONTROLS

    lost: list[str] = []
    header, found = long_rows(data, lost)
    # checked before a sheet is begun: it must not be left half written
    rows = list(found)
    every = (v for row in (header, *rows) for v in row)
    bad = next((v for v in every if isinstance(v, str) and CONTROLS.search(v)), None)
    if bad is not None:
        raise UsageError(f"Excel holds no control characters, but there is one in {bad[:40]!r}")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("annotations")

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return value if value is None or isinstance(value, (int, float)) else str(value)
        made = WriteOnlyCell(sheet, value=value)
        made.data_type = "s"  # a text that begins with = is no formula
        return made

    sheet.append(header)
    for row in rows:
        sheet.append([cell(value) for value in row])
    out = io.BytesIO()
    book.save(out)
    write_bytes(path, out.getvalue())
    return lost


def _openpyxl(purpose: str) -> Any:
    try:
        import openpyxl
    except ImportError:
        raise missing_dependency("openpyxl", "excel", purpose) from None
    return openpyxl


def _sheets(file: Entry) -> tuple[dict[str, list[tuple[int, Row]]], dict[str, int]]:
    """Visible sheets that hold something: (row number, cells as text) of every row that does."""
    openpyxl = _openpyxl("reading Excel workbooks")
    data = file.read()
    _refuse_bomb(data, file.path)
    sheets: dict[str, list[tuple[int, Row]]] = {}
    uncounted: dict[str, int] = {}
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        formulas = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=False)
        for sheet in book.worksheets:
            if sheet.sheet_state != "visible":
                continue
            merged: list[str] = []
            rows = _filled(sheet, merged)
            if rows:
                sheets[sheet.title] = _unmerged(rows, merged)
                uncounted[sheet.title] = _without_value(formulas[sheet.title], dict(rows))
        book.close()
        formulas.close()
    except Exception as problem:  # openpyxl lets through whatever zip, XML and its own parts raise
        if isinstance(problem, (InputError, MemoryError)):
            raise
        first = str(problem).split("\n")[0][:200]
        raise file.unreadable(f"is not a readable Excel workbook ({first})") from None
    if not sheets:
        raise file.wrong("has no visible sheet with cells", hint="check the workbook")
    return sheets, uncounted


def _refuse_bomb(data: bytes, where: str) -> None:
    """Refuse what expands beyond all measure; a million rows without a cell expand a thousand times."""
    with suppress(zipfile.BadZipFile, OSError), zipfile.ZipFile(io.BytesIO(data)) as book:
        if sum(part.file_size for part in book.infolist()) <= _SMALL:
            return
    refuse_zip_bomb(data, where)


def _unmerged(rows: list[tuple[int, Row]], merged: Sequence[str]) -> list[tuple[int, Row]]:
    """The rows with the value of merged cells in each of them; those of the header are one."""
    from openpyxl.utils import range_boundaries

    held = dict(rows)
    header = next((n for n, row in rows if sum(c is not None for c in row) > 1), 0)
    for place in merged:
        left, top, right, bottom = range_boundaries(place)
        first = held.get(top, [])
        if top <= header or len(first) < left or first[left - 1] is None:
            continue
        for row in (held[n] for n in range(top, bottom + 1) if n in held):
            row += [None] * (right - len(row))
            row[left - 1 : right] = [first[left - 1]] * (right - left + 1)
    return rows


def _filled(sheet: Any, merged: list[str]) -> list[tuple[int, Row]]:
    """Rows that hold something, no wider than the header and one cell more for what stands beyond."""
    rows: list[tuple[int, Row]] = []
    width = 0
    for number, values in _cells(sheet, merged):
        cells = {i: text for i, value in values.items() if (text := _text(value)) is not None}
        if not cells:
            continue
        last = max(cells)
        if not rows or (width == 0 and len(cells) > 1):
            row = [cells.get(i) for i in range(last + 1)]
            width = last + 1 if len(cells) > 1 else 0
        else:
            end = min(last + 1, width or len(rows[0][1]))
            row = [cells.get(i) for i in range(end)]
            row += [] if end > last else [cells[last]]
        rows.append((number, row))
    return rows


def _cells(sheet: Any, merged: list[str]) -> Iterator[tuple[int, dict[int, Any]]]:
    """The rows of a sheet as (number, place → value): by their cells, whatever size it declares.

    After the last one, `merged` has the ranges of merged cells. openpyxl reads the cells; its own walk
    pads every row, and keeps each in memory.
    """
    from openpyxl.worksheet._reader import MERGE_TAG, ROW_TAG, WorkSheetParser
    from openpyxl.xml.functions import iterparse

    book = sheet.parent
    with sheet._get_source() as source:
        reader = WorkSheetParser(
            source, sheet._shared_strings, data_only=book.data_only, epoch=book.epoch,
            date_formats=book._date_formats, timedelta_formats=book._timedelta_formats,
        )  # fmt: skip
        open_elements = []
        for event, element in iterparse(source, events=("start", "end")):
            if event == "start":
                open_elements.append(element)
                continue
            open_elements.pop()
            if element.tag == MERGE_TAG:
                merged.extend(ref for part in element if (ref := part.get("ref")))
            if element.tag == ROW_TAG:
                number, cells = reader.parse_row(element)
                reader.row_dimensions.clear()
                open_elements[-1].clear()
                yield (
                    number,
                    {
                        c["column"] - 1: c["value"]
                        for c in cells
                        if c["value"] is not None and c["column"] <= _MOST_COLUMNS
                    },
                )


def _without_value(sheet: Any, rows: dict[int, Row]) -> int:
    """Formulas whose result was not saved: a program wrote them and none has computed them."""
    count = 0
    for number, cells in _cells(sheet, []):
        row = rows.get(number, [])
        for i, value in cells.items():
            if isinstance(value, str) and value.startswith("="):
                count += i >= len(row) or row[i] is None
    return count


def _chosen(sheets: dict[str, Any], wanted: str | None, path: str) -> str:
    if wanted is not None:
        if wanted not in sheets:
            raise UsageError(f"no sheet {wanted!r} in {path}; it has {some(list(sheets))}")
        return wanted
    if len(sheets) > 1:
        raise InputError(
            f"holds several sheets: {some(list(sheets))}", path=path, hint="choose one with `layer`"
        )
    return next(iter(sheets))


def _header(cell: str | None, place: int, path: str, line: int) -> str:
    if cell is None:
        raise InputError(
            f"column {place + 1} has no name", path=path, line=line, hint="name it in the header"
        )
    return cell


def _text(value: Any) -> str | None:
    """A cell as CSV would have it: whole numbers without a point, dates as 2024-05-02, times as 1:02:03.

    >>> _text(4.0), _text(" x "), _text(datetime.datetime(2024, 5, 2)), _text("")
    ('4', 'x', '2024-05-02', None)
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.timedelta):
        return shown(value)
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        value = value.date()
    return str(value).strip() or None


FORMAT = Format(
    name="excel",
    title="Excel workbook",
    sniff=(Sniff(endings=_ENDINGS, begins=b"PK"),),
    load=load,
    write=write,
    suffixes=_ENDINGS[:1],
)
