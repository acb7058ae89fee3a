"""Label Studio's CSV and TSV: one row per annotation, regions as JSON in a cell.

The columns are those of JSON-MIN: the fields of the task, one column per control tag, and `annotator`,
`annotation_id`, `lead_time` and dates.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from accord.errors import InputError
from accord.files import safe_json
from accord.files.archive import Tree
from accord.files.text import decode
from accord.formats.export import Export
from accord.formats.format import Format, ReadOptions
from accord.formats.platforms.label_studio import tasks
from accord.formats.sniff import Regex, Sniff

_OWN = (b"annotation_id", b"annotator", b"lead_time")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the rows of all files."""
    export = Export.of("label-studio-csv", tree, options)
    for entry in FORMAT.among(tree):
        text = decode(entry.read(), entry.path)
        header = text.partition("\n")[0]
        delimiter = "\t" if header.count("\t") > header.count(",") else ","
        csv.field_size_limit(1 << 30)
        reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
        try:
            for number, row in enumerate(reader, 1):
                task = {k: _cell(v, entry.path, reader.line_num) for k, v in row.items() if v and k}
                name = safe_json.word(task.get("id", number), "the id", entry.path)
                where = f"{entry.path}: task {name}"
                tasks.read_small(task, name, where, export, options.annotator)
        except csv.Error as problem:
            raise InputError(
                f"is not a table ({problem})", path=entry.path, line=reader.line_num
            ) from None
    if not export.seen:
        raise InputError("has a header and no rows", path=tree.path, hint="check the export")
    return export


def _cell(value: str | list[str], path: str, line: int) -> Any:
    """A cell; JSON where it is JSON, as regions and several choices are written."""
    if isinstance(value, list):
        raise InputError("has more cells than the header", path=path, line=line)
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
