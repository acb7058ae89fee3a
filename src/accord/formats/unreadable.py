"""Files that accord knows and does not read: what each is, what to do instead, and how it is told.

They are written into ``index.json`` beside the formats; this module is not loaded to refuse one.
"""

from __future__ import annotations

import re
from pathlib import Path

from accord.errors import InputError, UnreadableError
from accord.files.text import first_sign
from accord.formats.format import Regex, Sniff


def unknown(path: Path, head: bytes) -> InputError:
    """Return the sentence for a file that is nothing accord knows: what it looks like, what to do."""
    looks = "is not in a format that accord recognises"
    root = re.search(rb"<([A-Za-z_][\w.:-]*)", head[:4096]) if first_sign(head) == b"<" else None
    if first_sign(head) in (b"{", b"["):
        looks = "is JSON in no layout that accord knows"
    elif root is not None:
        looks = f"is XML that accord does not know (<{root[1].decode()}>)"
    elif head and (b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff")):
        looks = "is no text, and in no format that accord knows"
    if not head.strip() and path.is_file():
        return UnreadableError("is empty", path=path, hint="check the export")
    return InputError(
        looks,
        path=path,
        hint="give a table (CSV, TSV, Excel, Parquet, JSON Lines) or what an annotation tool exports; "
        "`format` names the format of an export that is not recognised",
    )


#: what a file is, what to do, and the ways to know it
Unread = tuple[str, str, tuple[Sniff, ...]]

_TABLE_OUT = "copy its table into a spreadsheet, and save that as CSV or .xlsx"
_FRAME = "or open it with pandas ({}) and give the dataframe to accord.read"
_PROJECT = "give the project's SQLite file"


def _file(what: str, do: str, *ways: Sniff) -> Unread:
    return what, do, ways


def _named(*endings: str) -> Sniff:
    return Sniff(endings=endings)


def _held(*words: bytes) -> Sniff:
    return Sniff(some=words)


def _zipped(*words: bytes) -> Sniff:
    return Sniff(begins=b"PK\x03\x04", some=words)


def _old(*names: str) -> Sniff:
    """An old Office file, whose directory writes names in UTF-16."""
    return Sniff(
        begins=b"\xd0\xcf\x11\xe0", some=tuple([name.encode("utf-16-le") for name in names])
    )


def _begun(*words: bytes) -> Sniff:
    return Sniff(begins=words)


#: the most telling first: what begins alike is told by what it holds
UNREADABLE: tuple[Unread, ...] = (
    # parts of exports without annotations
    _file(
        "is a UIMA type system, without annotations", "give the XMI or CAS JSON files",
        _held(b"<typeSystemDescription"),
    ),
    _file(
        "is an XML schema, without annotations", "give the project itself",
        _held(b"<xs:schema", b"<xsd:schema"),
    ),
    _file(
        "is a codebook: it lists codes and no coded passage", "export the project (.qdpx)",
        _held(b"urn:QDA-XML:codebook:"),
    ),
    _file(
        "is Taguette's codebook: it counts highlights and holds none", _PROJECT,
        Sniff(begins=Regex(rb"tag,description,number of highlights,number of documents\r?(\n|\Z)")),
    ),
    _file(
        "is Taguette's table of highlights, which has neither places nor users", _PROJECT,
        Sniff(begins=Regex(rb"id,document,tag,content\r?(\n|\Z)")),
    ),
    _file(
        "holds results of whole tasks and no item",
        "run lm_eval with --log_samples and give the samples_*.jsonl",
        Sniff(
            begins=Regex(rb"\s*\{"), every=(b'"results"', Regex(rb'"(acc|exact_match|acc_norm)[",]')),
            some=(b'"versions"', b'"config"'),
        ),
    ),
    _file(
        "is a configuration of brat, without annotations", "give the folder of .ann files",
        _named("annotation.conf", "visual.conf", "tools.conf"),
    ),
    _file(
        "is a promptfoo table or YAML, which tells the last verdict and not who gave it",
        "write the results with --output results.json",
        Sniff(endings=(".csv",), every=(Regex(rb'"?\[(PASS|FAIL|ERROR)\] \(\d'),), within=200_000),
        Sniff(endings=(".yaml", ".yml"), every=(b"promptIdx:",), within=200_000),
    ),
    _file(
        "is a text, without annotations", "give the file or folder that holds the annotations",
        # lines of writing: no cell that could be a header
        Sniff(endings=(".txt",), begins=Regex(rb"[^\t\n]*(?:[.!?]|\xe2\x80\xa6)[ \r]*(?:\n|\Z)")),
        Sniff(endings=(".txt",), begins=Regex(rb"[^\t\n]*(?: [\w\x80-\xff]+){2} [^\t\n]*(?:\n|\Z)")),
        Sniff(endings=(".ac",), begins=Regex(rb"[^\t\n]*(?:\n|\Z)")),
    ),
    # documents
    _file(
        "is a Word document", f"in Word, {_TABLE_OUT}",
        _zipped(b"word/"), _old("WordDocument"), _named(".docx", ".docm", ".doc"),
    ),
    _file(
        "is a rich text document", f"in Word or LibreOffice, {_TABLE_OUT}",
        _begun(b"{\\rtf"), _named(".rtf"),
    ),
    _file(
        "is a text document of LibreOffice", f"in LibreOffice, {_TABLE_OUT}",
        _zipped(b"mimetypeapplication/vnd.oasis.opendocument.text"), _named(".odt", ".ott"),
    ),
    _file("is a Pages document", f"in Pages, {_TABLE_OUT}", _named(".pages")),
    _file(
        "is a PDF", "give the table or export that it was made from",
        _begun(b"%PDF-"), _named(".pdf"),
    ),
    _file(
        "is a presentation", _TABLE_OUT,
        _zipped(b"ppt/", b"opendocument.presentation"), _named(".pptx", ".ppt", ".odp"),
    ),
    _file(
        "is a web page, not a table",
        "download the file itself (a page that asks to sign in is often saved in its place)",
        _begun(b"<!DOCTYPE html", b"<!doctype html", b"<html", b"<HTML"),
        _named(".html", ".htm", ".mhtml"),
    ),
    # spreadsheets
    _file(
        "is an Excel workbook of the binary kind", "in Excel, save it as .xlsx",
        _zipped(b"xl/workbook.bin"), _named(".xlsb"),
    ),
    _file("is an Excel workbook under another name", "call it .xlsx", _zipped(b"xl/")),
    _file(
        "is a workbook with a password", "in Excel, save it without one as .xlsx",
        _old("EncryptedPackage"),
    ),
    _file("is an old Excel workbook (.xls)", "save it as .xlsx or CSV", _old(), _named(".xls")),
    _file(
        "is a spreadsheet of LibreOffice", "in LibreOffice: File > Save As > CSV or .xlsx",
        _zipped(b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), _named(".ods", ".ots"),
    ),
    _file(
        "is a Numbers spreadsheet", "in Numbers: File > Export To > CSV",
        _zipped(b"Index/Tables/", b"Index/CalculationEngine"), _named(".numbers"),
    ),
    # statistics and dataframes
    _file(
        "is an SPSS file",
        f"in SPSS: File > Save As > CSV, with value labels; {_FRAME.format('read_spss')}",
        _begun(b"$FL2@(#)", b"$FL3@(#)"), _named(".sav", ".zsav", ".por"),
    ),
    _file("is an SPSS file", "in SPSS: File > Save As > CSV", _held(b"ASCII SPSS PORT FILE")),
    _file(
        "is a SAS table", f"in SAS: proc export with dbms=csv; {_FRAME.format('read_sas')}",
        _begun(bytes(12) + b"\xc2\xea\x81\x60", b"HEADER RECORD*******LIB"),
        _named(".sas7bdat", ".xpt", ".sas7bcat"),
    ),
    _file(
        "is a Stata table", f"in Stata: export delimited; {_FRAME.format('read_stata')}",
        _begun(b"<stata_dta>"), _named(".dta"),
    ),
    _file(
        "is a file of R", "in R: write.csv(x, 'x.csv', row.names = FALSE)",
        _begun(b"RDX2\n", b"RDX3\n", b"X\n\0\0\0\x02", b"X\n\0\0\0\x03"),
        _named(".rds", ".rda", ".rdata"),
    ),
    _file(
        "is a MATLAB file", "in MATLAB: writetable(T, 'x.csv')",
        _begun(b"MATLAB "), _named(".mat"),
    ),
    _file(
        "is a Python pickle, which may run any program when it is opened",
        "save the dataframe with to_csv or to_parquet",
        _begun(b"\x80\x03", b"\x80\x04", b"\x80\x05"), _named(".pkl", ".pickle", ".joblib"),
    ),
    _file(
        "is a file of numpy", "give the array to accord.read in Python, or save it as CSV",
        _begun(b"\x93NUMPY"), _named(".npy", ".npz"),
    ),
    _file(
        "is an Arrow, Avro, ORC or HDF5 file",
        "save it as Parquet, or open it with pandas or polars and give the dataframe to accord.read",
        _begun(b"ARROW1\0\0", b"FEA1", b"Obj\x01", b"\x89HDF\r\n"),
        _named(".feather", ".arrow", ".ipc", ".avro", ".orc", ".h5", ".hdf5"),
    ),
    _file(
        "is an Access database", "in Access: External Data > Excel or Text File",
        _begun(b"\0\1\0\0Standard "), _named(".accdb", ".mdb"),
    ),
    # projects of programs for qualitative analysis
    _file(
        "is a project of MAXQDA, NVivo or ATLAS.ti", "export it as a REFI-QDA project (.qdpx)",
        _named(*(f".mx{year}" for year in range(18, 28))),
        _named(".mex", ".nvp", ".nvpx", ".nvcx", ".atlproj"),
    ),
    _file(
        "is a database (SQLite) that accord does not know", "export its table as CSV",
        _begun(b"SQLite format 3\0"),
    ),
    # what is annotated, and what is packed
    _file(
        "is an image, without annotations",
        "give the file that holds its annotations (COCO, CVAT or a table)",
        _begun(b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*"),
        _named(".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".svg"),
    ),
    _file(
        "is a recording, without annotations",
        "give the file that holds its annotations (ELAN, Praat, Audacity or a table)",
        Sniff(
            begins=(b"RIFF", b"ID3\x03", b"ID3\x04", b"OggS\0", b"fLaC\0", b"\x1aE\xdf\xa3"),
            some=(b"WAVE", b"AVI ", b"ID3", b"OggS", b"fLaC", b"matroska", b"webm"),
        ),
        _named(".wav", ".mp3", ".mp4", ".m4a", ".ogg", ".flac"),
        _named(".mov", ".avi", ".mkv", ".webm", ".mpg"),
    ),
    _file(
        "is an archive that accord does not open", "unpack it, or pack it as .zip",
        _begun(b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd"),
        _named(".7z", ".rar", ".zst"),
    ),
    _file("is YAML", "save its records as JSON Lines or as a table", _named(".yaml", ".yml")),
)  # fmt: skip
