"""Audacity label tracks: `start TAB end TAB label` a line, in seconds, without a header.

A label track names nobody: folders are annotators, or files where all stand together. A line that
begins with a backslash gives the frequencies of the label above it and is no label of its own.
"""

from __future__ import annotations

import re

from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import recordings

#: Audacity always writes decimals; older versions wrote the comma of the system's language
_LABEL = re.compile(r"(-?\d+[.,]\d+)\t(-?\d+[.,]\d+)(?:\t(.*))?")
_FREQUENCIES = re.compile(r"\\\t-?\d+[.,]?\d*\t-?\d+[.,]?\d*")
_LATEST = 1e9


def collect(export: Export) -> None:
    """Every label of every track."""
    export.unit = "seconds"
    for entry, sheet in recordings(export):
        for number, line in enumerate(entry.text().split("\n"), 1):
            line = line.removesuffix("\r")
            if _FREQUENCIES.fullmatch(line):
                export.leave_out("frequency ranges of labels")
            elif line.strip():
                _read_label(line, number, entry, sheet)


def _read_label(line: str, number: int, entry: Entry, sheet: Sheet) -> None:
    found = _LABEL.fullmatch(line)
    if found is None:
        hint = "export the label track again from Audacity"
        raise entry.wrong("is no label (start TAB end TAB label)", number, hint=hint)
    start, end = (float(found[i].replace(",", ".")) for i in (1, 2))
    if end < start or end > _LATEST:
        raise entry.wrong(f"has a label from {found[1]} to {found[2]} seconds", number)
    sheet.mark(start, end, (found[3] or "").strip() or None, line=number)


FORMAT = Format(
    name="audacity",
    title="Audacity label track",
    sniff=(Sniff(rows=Regex(f"{_LABEL.pattern}|{_FREQUENCIES.pattern}".encode())),),
    people="file",
    collect=collect,
)
