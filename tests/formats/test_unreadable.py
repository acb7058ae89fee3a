"""Files of other programs: one sentence that says what it is and what to do, never a list of formats."""

from __future__ import annotations

import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest

import accord
from accord.errors import InputError

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def zipped(*names: str, first: bytes = b"") -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        if first:
            archive.writestr("mimetype", first)
        for name in names:
            archive.writestr(name, "<x/>")
    return held.getvalue()


WORD = zipped("[Content_Types].xml", "_rels/.rels", "word/document.xml")
EXCEL = zipped("[Content_Types].xml", "xl/workbook.xml", "xl/worksheets/sheet1.xml")

#: name without its ending, bytes that tell, and words of the sentence: what it is, what to do
TOLD_BY_BYTES = {
    "docx": (WORD, "is a Word document; in Word, copy its table into a spreadsheet"),
    "doc": (OLE + "WordDocument".encode("utf-16-le"), "is a Word document"),
    "rtf": (rb"{\rtf1\ansi hello}", "is a rich text document"),
    "odt": (
        zipped("content.xml", first=b"application/vnd.oasis.opendocument.text"),
        "is a text document of LibreOffice",
    ),
    "pdf": (b"%PDF-1.7\n1 0 obj", "is a PDF; give the table or export"),
    "pptx": (zipped("[Content_Types].xml", "ppt/presentation.xml"), "is a presentation"),
    "html": (b"<!DOCTYPE html>\n<html><body>Sign in</body></html>", "is a web page, not a table"),
    "xls": (OLE + "Workbook".encode("utf-16-le"), r"is an old Excel workbook \(.xls\)"),
    "ods": (
        zipped("content.xml", first=b"application/vnd.oasis.opendocument.spreadsheet"),
        "File > Save As > CSV",
    ),
    "sav": (b"$FL2@(#) IBM SPSS STATISTICS", "is an SPSS file; in SPSS: File > Save As > CSV"),
    "sas7bdat": (bytes(12) + b"\xc2\xea\x81\x60\xb3\x14", "is a SAS table; in SAS: proc export"),
    "xpt": (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "is a SAS table"),
    "dta": (b"<stata_dta><header><release>118</release>", "in Stata: export delimited"),
    "rds": (gzip.compress(b"X\n\0\0\0\x03\0\x04\x02\0"), "is a file of R; in R: write.csv"),
    "mat": (b"MATLAB 5.0 MAT-file, Platform: GLNXA64", "in MATLAB: writetable"),
    "pkl": (b"\x80\x04\x95\x10\0", "is a Python pickle"),
    "npy": (b"\x93NUMPY\x01\0v\0", "is a file of numpy"),
    "feather": (b"ARROW1\0\0\xff\xff", "save it as Parquet"),
    "accdb": (b"\0\1\0\0Standard ACE DB\0", "is an Access database"),
    "db": (b"SQLite format 3\0" + bytes(100), "is a database"),
    "png": (b"\x89PNG\r\n\x1a\n\0", "is an image, without annotations"),
    "wav": (b"RIFF\x24\0\0\0WAVEfmt ", "is a recording, without annotations"),
    "7z": (b"7z\xbc\xaf\x27\x1c\0", "unpack it"),
}
#: what only the ending tells
TOLD_BY_ENDING = {
    "numbers": "in Numbers: File > Export To > CSV",
    "pages": "is a Pages document",
    "mx24": "REFI-QDA",
    "nvpx": "REFI-QDA",
    "sas7bdat": "is a SAS table",
    "dta": "is a Stata table",
    "zsav": "is an SPSS file",
    "yaml": "is YAML",
}


def _problem(path: Path) -> str:
    with pytest.raises(InputError) as raised:
        accord.read(path)
    said = str(raised.value)
    assert len(said) < 400
    assert "webanno" not in said, "a list of formats helps nobody"
    return said


@pytest.mark.parametrize("ending", TOLD_BY_BYTES)
@pytest.mark.parametrize("name", ["ratings.{}", "ratings.csv", "ratings"])
def test_bytes_tell(ending, name, tmp_path):
    data, said = TOLD_BY_BYTES[ending]
    if ending == "rds" and name != "ratings.{}":
        return  # it is packed with gzip: what it holds has the name of the file
    path = tmp_path / name.format(ending)
    path.write_bytes(data)
    assert re.search(said, _problem(path))
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / path.name).write_bytes(data)
    if not name.endswith("csv"):
        assert re.search(said, _problem(folder))


@pytest.mark.parametrize("ending", TOLD_BY_ENDING)
def test_endings_tell(ending, tmp_path):
    path = tmp_path / f"ratings.{ending}"
    path.write_bytes(b"coder: lea\n")
    assert TOLD_BY_ENDING[ending] in _problem(path)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("x.json", b'{"a": {"b": 1}}', "is JSON in no layout that accord knows"),
        ("x.xml", b"<?xml version='1.0'?>\n<novel/>", "is XML that accord does not know (<novel>)"),
        ("x.bin", b"\x01\0\x02\xff", "is no text, and in no format that accord knows"),
        ("x.qqq", b"hello\n", "is not in a format that accord recognises"),
        ("x.xlsx.zip", EXCEL, "is an Excel workbook under another name; call it .xlsx"),
    ],
)
def test_what_nobody_knows(name, data, said, tmp_path):
    (tmp_path / name).write_bytes(data)
    assert said in _problem(tmp_path / name)


def test_a_table_under_a_strange_name_is_read_when_its_format_is_said(tmp_path):
    path = tmp_path / "ratings.dta"
    path.write_text("item,annotator,value\n1,A,x\n1,B,x\n")
    assert accord.read(path, format="csv").annotators == ("A", "B")


def test_documents_beside_annotations_are_left_alone(tmp_path):
    (tmp_path / "a.csv").write_text("item,annotator,value\n1,A,x\n1,B,x\n")
    (tmp_path / "manual.docx").write_bytes(WORD)
    assert accord.read(tmp_path).annotators == ("A", "B")
