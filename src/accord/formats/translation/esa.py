"""Error span annotation (ESA) of translations: each rater marks errors by severity and gives a score.

Two layouts: JSON Lines as WMT publishes them (`esa_spans`, with the texts), and the table that Appraise
exports, without a header: login, system, item, kind, two languages, score, document, a flag, the spans
as JSON, two times. Offsets count characters of the translation, the end included. A translation by one
system is a document; who found nothing there saw it. Items that test the rater are left out.
"""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from accord.files import safe_json
from accord.files.archive import Entry
from accord.files.text import first_sign, table_rows
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.records import Name, Struct, records, shaped

#: columns of Appraise's table
_WIDTH = 12
_SYSTEM, _ITEM, _KIND, _DOCUMENT, _SPANS = 1, 2, 3, 7, 9
#: ends of names of documents that are repeated, broken on purpose, or for practice
_TESTS = ("#bad", "#dup", "#incomplete")


class _Span(Struct):
    start_i: Any = None
    end_i: Any = None
    severity: Any = None
    error_type: Any = None


class _Record(Struct):
    """A translation as WMT publishes it, judged by one rater."""

    annotator: Name
    langs: Any = None
    system: Any = None
    doc_id: Any = None
    line_id: Any = None
    tgt: Any = None
    esa_spans: list[_Span] | None = None


def test(path: Path, head: bytes) -> bool:
    """Records, or a first row of Appraise's columns with spans in the tenth."""
    first = head.lstrip(b"\xef\xbb\xbf \t\r\n").split(b"\n", 1)[0]
    if first.startswith(b"{"):
        return True
    # a carriage return in the middle is another encoding, and another format
    text = first.decode("utf-8", "replace").rstrip("\r")
    try:
        row = [] if "\r" in text else next(csv.reader(io.StringIO(text)), [])
    except csv.Error:
        return False
    return len(row) == _WIDTH and row[_KIND].isupper() and row[_SPANS].lstrip().startswith("[")


def collect(export: Export) -> None:
    """Every span of every rater, as a unit of the translation."""
    for entry in export.files:
        if first_sign(entry.head(64)) == b"{":
            _read_records(entry, export)
        else:
            _read_table(entry, export)


def _read_records(entry: Entry, export: Export) -> None:
    for line, row in records(entry, _Record):
        where = (row.langs, row.system, row.doc_id, row.line_id)
        document = "/".join(str(part) for part in where if part not in (None, ""))
        if isinstance(row.tgt, str):
            export.add_text(document, row.tgt, entry.path)
        _mark(export.see(document, row.annotator), row.esa_spans or [], entry.path, line)


def _read_table(entry: Entry, export: Export) -> None:
    for line, cells in table_rows(entry.text(), entry.path):
        if len(cells) != _WIDTH:
            hint = "export the scores of the campaign again"
            problem = f"has {len(cells)} columns where Appraise writes {_WIDTH}"
            raise entry.wrong(problem, line, hint=hint)
        name = cells[_DOCUMENT]
        if cells[_KIND] == "BAD" or name.endswith(_TESTS) or "-tutorial" in name:
            export.leave_out("items that test the rater")
            continue
        document = "/".join(part for part in (cells[_SYSTEM], name, cells[_ITEM]) if part)
        try:
            given = json.loads(cells[_SPANS] or "[]")
        except json.JSONDecodeError as problem:
            raise entry.wrong(f"has spans that are no JSON: {problem}", line) from None
        spans = shaped(given, list[_Span], entry.path, line)
        _mark(export.see(document, cells[0]), spans, entry.path, line)


def _mark(sheet: Sheet, spans: list[_Span], path: str, line: int) -> None:
    for span in spans:
        if "missing" in (span.start_i, span.end_i):
            sheet.export.leave_out("omissions, which have no place in the translation")
            continue
        start = safe_json.integer(span.start_i, "start_i", path, line)
        end = safe_json.integer(span.end_i, "end_i", path, line)
        severity = str(span.severity or "")
        kind = {"category": str(span.error_type)} if span.error_type else {}
        features = {"severity": severity, **kind}
        sheet.mark(start, end + 1, severity or None, features=features, line=line)


FORMAT = Format(
    name="esa",
    title="ESA error spans of translations (JSON Lines, Appraise CSV)",
    sniff=(
        Sniff(start=b"{", every=(b'"esa_spans"',)),
        # the twelve columns of Appraise, spans in the tenth
        Sniff(
            begins=Regex(rb'\s*[^\n{]*,\s*"?\['),
        ),
    ),
    test=test,
    collect=collect,
)
