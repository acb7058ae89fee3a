"""doccano's CSV before version 1.2: one row per annotation, with the number of its user.

The text is repeated in every row; `start_offset` and `end_offset` make a row a unit, without them its
label is a judgement on the text. Labels and users are numbers: the names are in the project only.
"""

from __future__ import annotations

from accord.files.text import table_records
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span


def collect(export: Export) -> None:
    """Every row of every file."""
    chosen: dict[tuple[str, str], set[str]] = {}
    for entry in export.files:
        for line, row in table_records(entry.text(), entry.path):
            document, who = row.get("id") or row.get("text", ""), row.get("user", "")
            if not document or not who:
                raise entry.wrong("names no text or no user", line)
            sheet, label = export.see(document, who), row.get("label", "")
            if "start_offset" in row:
                places = [row["start_offset"], row.get("end_offset", "")]
                if not all(p.isdecimal() and len(p) < 13 for p in places):
                    raise entry.wrong("has an offset that is no number", line)
                span = Span(int(places[0]), int(places[1]), None, label, line)
                sheet.mark_spans(row.get("text", ""), [span], f"{entry.path}:{line}")
            elif label:
                chosen.setdefault((document, who), set()).add(label)
                if "text" in row:
                    export.texts.setdefault(document, row["text"])
    for pair, labels in chosen.items():
        export.see(*pair).judge(frozenset(labels))


FORMAT = Format(
    name="doccano-csv",
    title="doccano CSV (before version 1.2)",
    sniff=(Sniff(columns=("annotation_approver", "user", "label", "text")),),
    collect=collect,
)
