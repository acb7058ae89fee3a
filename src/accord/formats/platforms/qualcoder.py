"""QualCoder projects: a folder `name.qda` with the SQLite file `data.qda`.

A coded passage is a unit, the code its label, its owner the annotator; the category above the code is
the feature `category`. Positions count code points of the source's text.
"""

from __future__ import annotations

from accord.files import safe_sqlite
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.offsets import Span, settle
from accord.formats.sniff import Sniff

_QUERY = """
    SELECT s.name, s.fulltext, t.owner, n.name, c.name, t.pos0, t.pos1, t.seltext
    FROM code_text t JOIN source s ON s.id = t.fid JOIN code_name n ON n.cid = t.cid
    LEFT JOIN code_cat c ON c.catid = n.catid ORDER BY t.ctid
"""


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every coded passage of every text."""
    export = Export(tree.path, "qualcoder", notes=list(tree.notes))
    for entry in FORMAT.among(tree):
        _read_project(entry, export, options)
    return export


def _read_project(entry: Entry, export: Export, options: ReadOptions) -> None:
    path = entry.path
    texts: dict[str, str] = {}
    spans: dict[str, list[Span]] = {}
    held: dict[str, list[tuple[str, str, str | None]]] = {}
    with safe_sqlite.opened(entry.read(), path) as database:
        for name, text, owner, code, category, start, end, covered in safe_sqlite.rows(
            database, _QUERY
        ):
            document = safe_sqlite.words(name, "the name of a source", path)
            if not isinstance(text, str):
                export.ignored["codings of sources without a text were left out"] += 1
                continue
            texts[document] = text
            label = safe_sqlite.words(code, "the name of a code", path)
            held.setdefault(document, []).append((str(owner or "annotator"), label, category))
            spans.setdefault(document, []).append(
                Span(
                    safe_sqlite.whole(start, "pos0", path),
                    safe_sqlite.whole(end, "pos1", path),
                    covered if isinstance(covered, str) else None,
                    label,
                )
            )
        for table, what in (("code_image", "pictures"), ("code_av", "recordings")):
            known = safe_sqlite.rows(
                database, f"SELECT name FROM sqlite_master WHERE type='table' AND name='{table}'"
            )
            for _ in known:
                count = next(safe_sqlite.rows(database, f"SELECT count(*) FROM {table}"))[0]
                if count:
                    export.ignored[f"codings of {what} were left out"] += int(count)
    for document, text in texts.items():
        read = settle(text, spans[document], path=f"{path}: {document}", forced=options.offsets)
        export.add_text(document, read.text, path)
        export.notes.extend(read.notes)
        for (who, label, category), start, end in zip(
            held[document], read.starts, read.ends, strict=True
        ):
            export.see(document, who)
            features = {"code": label}
            if isinstance(category, str):
                features["category"] = category
            export.marks.append(Mark(document, who, start, end, label, "", features))
    if texts:
        export.label_features[""] = "code"


FORMAT = Format(
    name="qualcoder",
    title="QualCoder project",
    sniff=(Sniff(begins=safe_sqlite.MAGIC, every=(b"code_text", b"code_name")),),
    collect=collect,
)
