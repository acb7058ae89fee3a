"""MQM ratings of translations: one tab-separated row per error, its span marked ``<v>…</v>``.

Columns: system, doc, (doc_id), seg_id, rater, source, target, category, severity. A segment of one system
is a document whose text is the translation; a rater who found no error there ("No-error") saw it.
"""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

from accord.errors import InputError
from accord.files.text import decode
from accord.formats.export import Export, Mark
from accord.formats.format import Format
from accord.formats.sniff import Regex, Sniff

_TABS = Regex(rb"[^\n]*\t")
_OPEN, _CLOSE = "<v>", "</v>"


def collect(export: Export) -> None:
    """Every error of every rater, as a unit of the translation."""
    for entry in export.tree:
        if FORMAT.recognises(Path(entry.name), entry.head(8192)):
            _read_table(decode(entry.read(), entry.path), entry.path, export)


def _read_table(text: str, path: str, export: Export) -> None:
    rows = csv.reader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE)
    names = _columns("\t".join(next(rows)).lower())
    for number, cells in enumerate(rows, 2):
        if not any(cells):
            continue
        if len(cells) != len(names):
            raise InputError(
                f"has {len(cells)} columns where the header has {len(names)}",
                path=path,
                line=number,
                hint="export the table again, tabs inside texts removed",
            )
        _read_row(dict(zip(names, cells, strict=True)), path, number, export)


def _read_row(row: dict[str, str], path: str, line: int, export: Export) -> None:
    where = [row["system"], row.get("doc", ""), row["seg_id"]]
    document = "/".join(part for part in where if part)
    rater = row["rater"]
    marked = row["target"]
    export.see(document, rater)
    export.add_text(document, marked.replace(_OPEN, "").replace(_CLOSE, ""), path)
    category, severity = row["category"].strip(), row["severity"].strip()
    if _plain(category) == "noerror" or _plain(severity) == "noerror":
        return
    start = marked.find(_OPEN)
    end = marked.find(_CLOSE)
    if start < 0 or end < start:
        what = "in the source" if _OPEN in row.get("source", "") else "without a span"
        export.ignored[f"errors marked {what} were left out"] += 1
        return
    if marked.count(_OPEN) != 1 or marked.count(_CLOSE) != 1:
        raise InputError("marks more than one span in a row", path=path, line=line)
    export.marks.append(
        Mark(
            document,
            rater,
            start,
            end - len(_OPEN),
            category or None,
            features={"category": category, "severity": severity},
            line=line,
        )
    )


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
