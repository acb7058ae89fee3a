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

from accord.errors import InputError
from accord.files import safe_json
from accord.files.text import decode
from accord.formats.export import Export, Mark
from accord.formats.format import Format
from accord.formats.sniff import Regex, Sniff

#: columns of Appraise's table
_WIDTH = 12
_SYSTEM, _ITEM, _KIND, _DOCUMENT, _SPANS = 1, 2, 3, 7, 9
#: ends of names of documents that are repeated, broken on purpose, or for practice
_TESTS = ("#bad", "#dup", "#incomplete")


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
    for entry in export.tree:
        head = entry.head(8192)
        if not FORMAT.recognises(Path(entry.name), head):
            continue
        if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            _read_records(entry.read(), entry.path, export)
        else:
            _read_table(decode(entry.read(), entry.path), entry.path, export)


def _read_records(data: bytes, path: str, export: Export) -> None:
    for line, value in safe_json.load_lines(data, path):
        row = safe_json.record(value, "a record", path, line)
        where = [row.get("langs"), row.get("system"), row.get("doc_id"), row.get("line_id")]
        document = "/".join(str(part) for part in where if part not in (None, ""))
        rater = safe_json.word(row.get("annotator"), "the annotator", path, line)
        if isinstance(row.get("tgt"), str):
            export.add_text(document, row["tgt"], path)
        export.see(document, rater)
        spans = safe_json.listed(row.get("esa_spans") or [], "esa_spans", path, line)
        _mark(export, document, rater, spans, path, line)


def _read_table(text: str, path: str, export: Export) -> None:
    for line, cells in enumerate(csv.reader(io.StringIO(text)), 1):
        if not any(cells):
            continue
        if len(cells) != _WIDTH:
            raise InputError(
                f"has {len(cells)} columns where Appraise writes {_WIDTH}",
                path=path,
                line=line,
                hint="export the scores of the campaign again",
            )
        name = cells[_DOCUMENT]
        if cells[_KIND] == "BAD" or name.endswith(_TESTS) or "-tutorial" in name:
            export.ignored["items that test the rater were left out"] += 1
            continue
        document = "/".join(part for part in (cells[_SYSTEM], name, cells[_ITEM]) if part)
        export.see(document, cells[0])
        try:
            spans = safe_json.listed(json.loads(cells[_SPANS] or "[]"), "the spans", path, line)
        except json.JSONDecodeError as problem:
            raise InputError(
                f"has spans that are no JSON: {problem}", path=path, line=line
            ) from None
        _mark(export, document, cells[0], spans, path, line)


def _mark(
    export: Export, document: str, rater: str, spans: list[Any], path: str, line: int
) -> None:
    for value in spans:
        span = safe_json.record(value, "a span", path, line)
        if span.get("start_i") == "missing" or span.get("end_i") == "missing":
            export.ignored["omissions, which have no place in the translation, were left out"] += 1
            continue
        start = safe_json.integer(span.get("start_i"), "start_i", path, line)
        end = safe_json.integer(span.get("end_i"), "end_i", path, line)
        severity = str(span.get("severity") or "") or None
        kind = span.get("error_type")
        features = {"severity": severity or "", **({"category": str(kind)} if kind else {})}
        export.marks.append(
            Mark(document, rater, start, end + 1, severity, features=features, line=line)
        )


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
