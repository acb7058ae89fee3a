"""doccano's CSV before version 1.2: one row per annotation, with the number of its user.

The text is repeated in every row; `start_offset` and `end_offset` make a row a unit, without them its
label is a judgement on the text. Labels and users are numbers: the names are in the project only.
"""

from __future__ import annotations

import csv
import io

from accord.errors import InputError
from accord.files.archive import Tree
from accord.files.text import decode
from accord.formats.export import Export, Judgement, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.sniff import Sniff

_OWN = (b"annotation_approver", b"user", b"label", b"text")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every row of every file."""
    export = Export(tree.path, "doccano-csv", notes=list(tree.notes))
    chosen: dict[tuple[str, str], set[str]] = {}
    for entry in FORMAT.among(tree):
        path = entry.path
        reader = csv.DictReader(io.StringIO(decode(entry.read(), path), newline=""), strict=True)
        try:
            for row in reader:
                line = reader.line_num
                document, who = row.get("id") or row.get("text") or "", row.get("user") or ""
                if not document or not who:
                    raise InputError("names no text or no user", path=path, line=line)
                export.see(document, who)
                label = row.get("label") or None
                if row.get("start_offset"):
                    places = [row.get(k) or "" for k in ("start_offset", "end_offset")]
                    if not all(p.isdecimal() and len(p) < 13 for p in places):
                        raise InputError("has an offset that is no number", path=path, line=line)
                    span = Span(int(places[0]), int(places[1]), None, str(label), line)
                    read = settle(row.get("text") or "", [span], path=path, forced=options.offsets)
                    export.add_text(document, read.text, f"{path}:{line}")
                    export.marks.append(
                        Mark(document, who, read.starts[0], read.ends[0], label, line=line)
                    )
                elif label is not None:
                    chosen.setdefault((document, who), set()).add(label)
                    if row.get("text"):
                        export.texts.setdefault(document, str(row["text"]))
        except csv.Error as problem:
            raise InputError(
                f"is not a table ({problem})", path=path, line=reader.line_num
            ) from None
    for (document, who), labels in chosen.items():
        export.judgements.append(Judgement(document, who, frozenset(labels)))
    return export


FORMAT = Format(
    name="doccano-csv",
    title="doccano CSV (before version 1.2)",
    sniff=(Sniff(columns=("annotation_approver", "user", "label", "text")),),
    collect=collect,
)
