"""Files that accord knows and does not read, each with the reason and what to do instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from accord.errors import InputError

Test = Callable[[Path, bytes], bool]


def refuse(path: Path, head: bytes) -> None:
    """Raise the sentence for a file that is known to hold nothing to compare, or not to be read."""
    for test, problem, hint in _KNOWN:
        if test(path, head):
            raise InputError(problem, path=path, hint=hint)
    kind = _foreign(path, head)
    if kind is not None:
        raise InputError(kind.what, path=path, hint=kind.do)


def unknown(path: Path, head: bytes) -> InputError:
    """Return the sentence for a file that is nothing accord knows: what it looks like, what to do."""
    looks = "is not in a format that accord recognises"
    root = re.search(rb"<([A-Za-z_][\w.:-]*)", head[:4096]) if head.lstrip()[:1] == b"<" else None
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        looks = "is JSON in no layout that accord knows"
    elif root is not None:
        looks = f"is XML that accord does not know (<{root[1].decode()}>)"
    elif head and (b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff")):
        looks = "is no text, and in no format that accord knows"
    return InputError(
        looks,
        path=path,
        hint="give a table (CSV, TSV, Excel, Parquet, JSON Lines) or what an annotation tool exports; "
        "`format` names the format of an export that is not recognised",
    )


class _Foreign(NamedTuple):
    """Files of other programs: what they are, what to do, and how they are told."""

    what: str
    do: str
    endings: tuple[str, ...] = ()
    begins: tuple[bytes, ...] = ()
    #: what stands further on, of which one is enough
    holds: tuple[bytes, ...] = ()

    def fits(self, head: bytes) -> bool:
        """Whether the bytes tell it."""
        return (
            bool(self.begins or self.holds)
            and head.startswith(self.begins or b"")
            and (not self.holds or any(mark in head for mark in self.holds))
        )


def _foreign(path: Path, head: bytes) -> _Foreign | None:
    """The kind that the bytes tell, else the one that the ending tells."""
    name = path.name.lower()
    told = (kind for kind in _FOREIGN if kind.fits(head))
    return next(told, None) or next((k for k in _FOREIGN if name.endswith(k.endings)), None)


def _holds(*words: bytes) -> Test:
    return lambda path, head: all(word in head for word in words)


def _header(*names: str) -> Test:
    columns = ",".join(names).encode()
    return lambda path, head: head.removeprefix(b"\xef\xbb\xbf").splitlines()[:1] == [columns]


def _aggregate(path: Path, head: bytes) -> bool:
    return (
        head.lstrip()[:1] == b"{"
        and b'"results"' in head
        and (b'"versions"' in head or b'"config"' in head)
        and re.search(rb'"(acc|exact_match|acc_norm)[",]', head) is not None
    )


def _prose(path: Path, head: bytes) -> bool:
    """Lines of writing: no cell that could be a header."""
    if path.suffix.lower() not in (".txt", ".ac"):
        return False
    first = head.decode("utf-8", "replace").removeprefix("\ufeff").split("\n")[0].strip()
    return "\t" not in first and (
        path.suffix.lower() == ".ac" or re.search(r"[.!?…]$| \w+ \w+ ", first) is not None
    )


def _promptfoo(path: Path, head: bytes) -> bool:
    first = head[:200_000]
    table = re.search(rb'"?\[(PASS|FAIL|ERROR)\] \(\d', first) is not None
    return (path.suffix == ".csv" and table) or (
        path.suffix in (".yaml", ".yml") and b"promptIdx:" in first
    )


_KNOWN: tuple[tuple[Test, str, str], ...] = (
    (
        _holds(b"<typeSystemDescription"),
        "is a UIMA type system, without annotations",
        "give the XMI or CAS JSON files",
    ),
    (_holds(b"<xs:schema"), "is an XML schema, without annotations", "give the project itself"),
    (_holds(b"<xsd:schema"), "is an XML schema, without annotations", "give the project itself"),
    (
        _holds(b"urn:QDA-XML:codebook:"),
        "is a codebook: it lists codes and no coded passage",
        "export the project (.qdpx)",
    ),
    (
        _header("tag", "description", "number of highlights", "number of documents"),
        "is Taguette's codebook: it counts highlights and holds none",
        "give the project's SQLite file",
    ),
    (
        _header("id", "document", "tag", "content"),
        "is Taguette's table of highlights, which has neither places nor users",
        "give the project's SQLite file",
    ),
    (
        _aggregate,
        "holds results of whole tasks and no item",
        "run lm_eval with --log_samples and give the samples_*.jsonl",
    ),
    (
        lambda path, head: path.name in ("annotation.conf", "visual.conf", "tools.conf"),
        "is a configuration of brat, without annotations",
        "give the folder of .ann files",
    ),
    (
        _promptfoo,
        "is a promptfoo table or YAML, which tells the last verdict and not who gave it",
        "write the results with --output results.json",
    ),
    (
        _prose,
        "is a text, without annotations",
        "give the file or folder that holds the annotations",
    ),
)

_TABLE_OUT = "copy its table into a spreadsheet, and save that as CSV or .xlsx"
_FRAME = "or open it with pandas ({}) and give the dataframe to accord.read"
_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0"


def _wide(name: str) -> bytes:
    """A name as the directories of old Office files write it."""
    return name.encode("utf-16-le")


#: the most telling first: what begins alike is told by what it holds
_FOREIGN = (
    # documents
    _Foreign("is a Word document", f"in Word, {_TABLE_OUT}", (".docx", ".docm"), (_ZIP,), (b"word/",)),
    _Foreign("is a Word document", f"in Word, {_TABLE_OUT}", (".doc",), (_OLE,), (_wide("WordDocument"),)),
    _Foreign("is a rich text document", f"in Word or LibreOffice, {_TABLE_OUT}", (".rtf",), (b"{\\rtf",)),
    _Foreign(
        "is a text document of LibreOffice",
        f"in LibreOffice, {_TABLE_OUT}",
        (".odt", ".ott"),
        (_ZIP,),
        (b"mimetypeapplication/vnd.oasis.opendocument.text",),
    ),
    _Foreign("is a Pages document", f"in Pages, {_TABLE_OUT}", (".pages",)),
    _Foreign("is a PDF", "give the table or export that it was made from", (".pdf",), (b"%PDF-",)),
    _Foreign(
        "is a presentation",
        _TABLE_OUT,
        (".pptx", ".ppt", ".odp"),
        (_ZIP,),
        (b"ppt/", b"opendocument.presentation"),
    ),
    _Foreign(
        "is a web page, not a table",
        "download the file itself (a page that asks to sign in is often saved in its place)",
        (".html", ".htm", ".mhtml"),
        (b"<!DOCTYPE html", b"<!doctype html", b"<html", b"<HTML"),
    ),
    # spreadsheets
    _Foreign(
        "is an Excel workbook of the binary kind", "in Excel, save it as .xlsx", (".xlsb",), (_ZIP,),
        (b"xl/workbook.bin",),
    ),
    _Foreign("is an Excel workbook under another name", "call it .xlsx", (), (_ZIP,), (b"xl/",)),
    _Foreign(
        "is a workbook with a password", "in Excel, save it without one as .xlsx", (), (_OLE,),
        (_wide("EncryptedPackage"),),
    ),
    _Foreign("is an old Excel workbook (.xls)", "save it as .xlsx or CSV", (".xls",), (_OLE,)),
    _Foreign(
        "is a spreadsheet of LibreOffice",
        "in LibreOffice: File > Save As > CSV or .xlsx",
        (".ods", ".ots"),
        (_ZIP,),
        (b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet",),
    ),
    _Foreign(
        "is a Numbers spreadsheet",
        "in Numbers: File > Export To > CSV",
        (".numbers",),
        (_ZIP,),
        (b"Index/Tables/", b"Index/CalculationEngine"),
    ),
    # statistics and dataframes
    _Foreign(
        "is an SPSS file",
        f"in SPSS: File > Save As > CSV, with value labels; {_FRAME.format('read_spss')}",
        (".sav", ".zsav", ".por"),
        (b"$FL2@(#)", b"$FL3@(#)"),
    ),
    _Foreign("is an SPSS file", "in SPSS: File > Save As > CSV", (), (), (b"ASCII SPSS PORT FILE",)),
    _Foreign(
        "is a SAS table",
        f"in SAS: proc export with dbms=csv; {_FRAME.format('read_sas')}",
        (".sas7bdat", ".xpt", ".sas7bcat"),
        (bytes(12) + b"\xc2\xea\x81\x60", b"HEADER RECORD*******LIB"),
    ),
    _Foreign(
        "is a Stata table",
        f"in Stata: export delimited; {_FRAME.format('read_stata')}",
        (".dta",),
        (b"<stata_dta>",),
    ),
    _Foreign(
        "is a file of R",
        "in R: write.csv(x, 'x.csv', row.names = FALSE)",
        (".rds", ".rda", ".rdata"),
        (b"RDX2\n", b"RDX3\n", b"X\n\0\0\0\x02", b"X\n\0\0\0\x03"),
    ),
    _Foreign("is a MATLAB file", "in MATLAB: writetable(T, 'x.csv')", (".mat",), (b"MATLAB ",)),
    _Foreign(
        "is a Python pickle, which may run any program when it is opened",
        "save the dataframe with to_csv or to_parquet",
        (".pkl", ".pickle", ".joblib"),
        (b"\x80\x03", b"\x80\x04", b"\x80\x05"),
    ),
    _Foreign(
        "is a file of numpy",
        "give the array to accord.read in Python, or save it as CSV",
        (".npy", ".npz"),
        (b"\x93NUMPY",),
    ),
    _Foreign(
        "is an Arrow, Avro, ORC or HDF5 file",
        "save it as Parquet, or open it with pandas or polars and give the dataframe to accord.read",
        (".feather", ".arrow", ".ipc", ".avro", ".orc", ".h5", ".hdf5"),
        (b"ARROW1\0\0", b"FEA1", b"Obj\x01", b"\x89HDF\r\n"),
    ),
    _Foreign(
        "is an Access database",
        "in Access: External Data > Excel or Text File",
        (".accdb", ".mdb"),
        (b"\0\1\0\0Standard ",),
    ),
    # projects of programs for qualitative analysis
    _Foreign(
        "is a project of MAXQDA, NVivo or ATLAS.ti",
        "export it as a REFI-QDA project (.qdpx)",
        (*(f".mx{year}" for year in range(18, 28)), ".mex", ".nvp", ".nvpx", ".nvcx", ".atlproj"),
    ),
    _Foreign(
        "is a database (SQLite) that accord does not know",
        "export its table as CSV",
        (),
        (b"SQLite format 3\0",),
    ),
    # what is annotated, and what is packed
    _Foreign(
        "is an image, without annotations",
        "give the file that holds its annotations (COCO, CVAT or a table)",
        (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".svg"),
        (b"\x89PNG\r\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*"),
    ),
    _Foreign(
        "is a recording, without annotations",
        "give the file that holds its annotations (ELAN, Praat, Audacity or a table)",
        (".wav", ".mp3", ".mp4", ".m4a", ".ogg", ".flac", ".mov", ".avi", ".mkv", ".webm", ".mpg"),
        (b"RIFF", b"ID3\x03", b"ID3\x04", b"OggS\0", b"fLaC\0", b"\x1aE\xdf\xa3"),
        (b"WAVE", b"AVI ", b"ID3", b"OggS", b"fLaC", b"matroska", b"webm"),
    ),
    _Foreign(
        "is an archive that accord does not open",
        "unpack it, or pack it as .zip",
        (".7z", ".rar", ".zst"),
        (b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07", b"\x28\xb5\x2f\xfd"),
    ),
    _Foreign(
        "is YAML",
        "save its records as JSON Lines or as a table",
        (".yaml", ".yml"),
    ),
)  # fmt: skip
