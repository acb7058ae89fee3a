"""MQM ratings of translations: one tab-separated row per error, its span marked ``<v>…</v>``.

Columns: system, doc, (doc_id), seg_id, rater, source, target, category, severity. A segment of one system
is a document whose text is the translation; a rater who found no error there ("No-error") saw it.
"""

from __future__ import annotations

import csv
import io
import re

from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff

_TABS = Regex(rb"[^\n]*\t")
_OPEN, _CLOSE = "<v>", "</v>"


def collect(export: Export) -> None:
    """Every error of every rater, as a unit of the translation."""
    for entry in export.files:
        rows = csv.reader(io.StringIO(entry.text()), delimiter="\t", quoting=csv.QUOTE_NONE)
        names = _columns("\t".join(next(rows)).lower())
        for number, cells in enumerate(rows, 2):
            if any(cells) and len(cells) != len(names):
                problem = f"has {len(cells)} columns where the header has {len(names)}"
                hint = "export the table again, tabs inside texts removed"
                raise entry.wrong(problem, number, hint=hint)
            if any(cells):
                _read_row(dict(zip(names, cells, strict=True)), entry, number, export)


def _read_row(row: dict[str, str], entry: Entry, line: int, export: Export) -> None:
    where = [row["system"], row.get("doc", ""), row["seg_id"]]
    document = "/".join(part for part in where if part)
    marked = row["target"]
    sheet = export.see(document, row["rater"])
    export.add_text(document, marked.replace(_OPEN, "").replace(_CLOSE, ""), entry.path)
    category, severity = row["category"].strip(), row["severity"].strip()
    if _plain(category) == "noerror" or _plain(severity) == "noerror":
        return
    start = marked.find(_OPEN)
    end = marked.find(_CLOSE)
    if start < 0 or end < start:
        what = "in the source" if _OPEN in row.get("source", "") else "without a span"
        export.leave_out(f"errors marked {what}")
        return
    if marked.count(_OPEN) != 1 or marked.count(_CLOSE) != 1:
        raise entry.wrong("marks more than one span in a row", line)
    features = {"category": category, "severity": severity}
    sheet.mark(start, end - len(_OPEN), category or None, features=features, line=line)


def _columns(header: str) -> list[str]:
    """Names as the tables of several years have them: 'globalSegId' and 'seg_id' are one."""
    known = {"segid": "seg_id", "docid": "doc_id", "annotator": "rater"}
    return [known.get(_plain(name), name.strip()) for name in header.rstrip("\r").split("\t")]


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.lower())


FORMAT = Format(
    name="mqm",
    title="MQM error spans of translations (TSV)",
    sniff=(
        Sniff(
            begins=_TABS, columns=("system", "seg_id", "rater", "target", "category", "severity")
        ),
        Sniff(
            begins=_TABS,
            columns=("system", "seg_id", "annotator", "target", "category", "severity"),
        ),
    ),
    collect=collect,
)
