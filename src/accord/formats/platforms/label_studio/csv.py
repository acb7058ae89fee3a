"""Label Studio's CSV and TSV: one row per annotation, regions as JSON in a cell.

The columns are those of JSON-MIN: the fields of the task, one column per control tag, and `annotator`,
`annotation_id`, `lead_time` and dates.
"""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.text import table_records
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.platforms.label_studio import tasks


def collect(export: Export) -> None:
    """Everything in the rows of all files."""
    for entry in export.files:
        text = entry.text()
        header = text.partition("\n")[0]
        delimiter = "\t" if header.count("\t") > header.count(",") else ","
        for number, (_, row) in enumerate(table_records(text, entry.path, delimiter), 1):
            task = {name: _cell(value, entry.path) for name, value in row.items()}
            name = safe_json.word(task.get("id", number), "the id", entry.path)
            tasks.read_small(
                task, name, f"{entry.path}: task {name}", export, export.options.annotator
            )
    if not export.seen:
        raise InputError("has a header and no rows", path=export.path, hint="check the export")


def _cell(value: str, path: str) -> Any:
    """A cell; JSON where it is JSON, as regions and several choices are written."""
    if value[:1] in ("[", "{"):
        try:
            return safe_json.load(value.encode(), path)
        except InputError:
            return value
    return value


FORMAT = Format(
    name="label-studio-csv",
    title="Label Studio CSV",
    sniff=(
        Sniff(columns=("annotation_id", "annotator", "lead_time"), none=(Regex(rb"\A\s*[{[]"),)),
    ),
    collect=collect,
)
