"""Workbooks are read by their cells, whatever size their sheets declare, in bounded memory."""

import io
import tracemalloc
import zipfile

import pytest

import accord
from accord.errors import InputError
from accord.formats.tables import excel

openpyxl = pytest.importorskip("openpyxl")

ROWS = [("item", "annotator", "value")] + [
    (f"i{i}", a, "pn"[i % 2]) for i in range(6) for a in ("x", "y")
]
SHEET = (
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    '<dimension ref="A1:XFD1048576"/><sheetData>{}</sheetData></worksheet>'
)


def _row(number, cells):
    written = "".join(
        f'<c r="{place}{number}" t="inlineStr"><is><t>{cell}</t></is></c>' for place, cell in cells
    )
    return f'<row r="{number}">{written}</row>'


def _workbook(path, more):
    """A real workbook whose sheet holds the rows, and what else is said there."""
    held = io.BytesIO()
    openpyxl.Workbook().save(held)
    rows = "".join(_row(n, zip("ABC", cells, strict=True)) for n, cells in enumerate(ROWS, 1))
    with zipfile.ZipFile(held) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
        for name in source.namelist():
            sheet = name == "xl/worksheets/sheet1.xml"
            out.writestr(name, SHEET.format(rows + more) if sheet else source.read(name))
    return path


END = len(ROWS) + 1


@pytest.mark.parametrize(
    "more",
    [
        "",
        '<row r="1048576"><c r="XFD1048576"/></row>',
        ("<row" + " " * 20 + "/>") * 50_000,
        "".join(f'<row r="{i}" ht="15"/>' for i in range(END, 30_000)),
        "".join(f'<row r="{i}"><c r="XFD{i}"/></row>' for i in range(END, END + 600)),
    ],
    ids=["the dimension alone", "a last cell", "empty rows", "high rows", "wide rows"],
)
def test_a_sheet_is_read_by_its_cells(more, tmp_path):
    path = _workbook(tmp_path / "x.xlsx", more)
    tracemalloc.start()
    try:
        data = accord.read(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (data.n_ratings, list(data.labels)) == (12, ["n", "p"])
    assert most < 30e6


def test_cells_beyond_the_header_take_no_room(tmp_path):
    more = "".join(_row(i, [("XFD", "stray")]) for i in range(END, END + 600))
    path = _workbook(tmp_path / "x.xlsx", more)
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=rf"x\.xlsx:{END}: has a cell to the right"):
            accord.read(path)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 30e6


def test_a_workbook_that_is_large_unpacked_is_a_bomb(tmp_path, monkeypatch):
    path = _workbook(tmp_path / "x.xlsx", "<row/>" * 300_000)
    monkeypatch.setattr(excel, "_SMALL", 1 << 20)
    with pytest.raises(InputError, match="like a zip bomb"):
        accord.read(path)
