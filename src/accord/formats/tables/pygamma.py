"""The headerless CSV of pygamma-agreement: annotator, label, start, end."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from accord.files.archive import Entry
from accord.files.text import table_rows
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff

_NUMBER = re.compile(r"[ \t]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,3})?[ \t]*")
_CELL = rb'[ \t]*"?[ \t]*[-+]?[.0-9][^\r\n,\t;]*'
#: a first row that ends in two numbers
_FIRST = Regex(rb"\s*[^\r\n]*[,\t;]" + _CELL + rb"[,\t;]" + _CELL + rb"(?:[\r\n]|\Z)")


def test(path: Path, head: bytes) -> bool:
    """Four columns from the first row on, the last two being numbers."""
    if path.suffix.lower() not in (".csv", ".tsv", ".txt"):
        return False
    lines = head.decode("utf-8", "replace").splitlines()[:5]
    try:
        rows = [r for r in csv.reader(lines, delimiter=_delimiter(lines)) if r]
    except csv.Error:
        return False
    return bool(rows) and all(
        len(r) == 4
        and _NUMBER.fullmatch(r[2]) is not None
        and _NUMBER.fullmatch(r[3]) is not None
        # four numbers in the first row are rather a matrix or a wide table
        and not (_NUMBER.fullmatch(r[0]) and _NUMBER.fullmatch(r[1]))
        for r in rows
    )


def collect(export: Export) -> None:
    """Every row; each file is one document."""
    for entry in export.tree if export.tree.single else export.files:
        text = entry.text()
        for line, row in table_rows(text, entry.path, _delimiter(text.split("\n")[:1])):
            if len(row) != 4:
                problem = f"has {len(row)} cells where annotator, label, start, end must stand"
                raise entry.wrong(problem, line)
            start, end = (_number(cell, entry, line) for cell in row[2:])
            if end < start:
                raise entry.wrong("has a unit that ends before it starts", line)
            sheet = export.see(entry.without_suffix(), row[0].strip())
            sheet.mark(start, end, row[1].strip() or None, line=line)


def _delimiter(lines: list[str]) -> str:
    first = lines[0] if lines else ""
    return max((",", "\t", ";"), key=first.count)


def _number(cell: str, entry: Entry, line: int) -> float:
    if _NUMBER.fullmatch(cell) is None or abs(float(cell)) > 1 << 53:
        raise entry.wrong(f"has an offset that is no number: {cell[:20]!r}", line)
    return float(cell)


FORMAT = Format(
    name="pygamma-csv",
    title="pygamma-agreement CSV (annotator, label, start, end; no header)",
    sniff=(Sniff(endings=(".csv", ".tsv", ".txt"), begins=_FIRST),),
    test=test,
    collect=collect,
)
