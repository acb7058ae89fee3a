"""QualCoder projects: a folder `name.qda` with the SQLite file `data.qda`.

A coded passage is a unit, the code its label, its owner the annotator; the category above the code is
the feature `category`. Positions count code points of the source's text.
"""

from __future__ import annotations

from accord.files import safe_sqlite
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span

_QUERY = """
    SELECT s.name, s.fulltext, t.owner, n.name, c.name, t.pos0, t.pos1, t.seltext
    FROM code_text t JOIN source s ON s.id = t.fid JOIN code_name n ON n.cid = t.cid
    LEFT JOIN code_cat c ON c.catid = n.catid ORDER BY t.ctid
"""


def collect(export: Export) -> None:
    """Every coded passage of every text."""
    for entry in export.files:
        _read_project(entry, export)


def _read_project(entry: Entry, export: Export) -> None:
    path = entry.path
    texts: dict[str, str] = {}
    spans: dict[str, list[Span]] = {}
    held: dict[str, list[tuple[str, dict[str, str]]]] = {}
    with safe_sqlite.opened(entry.read(), path) as database:
        for name, text, owner, code, category, start, end, covered in database.execute(_QUERY):
            document = safe_sqlite.words(name, "the name of a source", path)
            if not isinstance(text, str):
                export.leave_out("codings of sources without a text")
                continue
            texts[document] = text
            label = safe_sqlite.words(code, "the name of a code", path)
            above = {"category": category} if isinstance(category, str) else {}
            said = (str(owner or "annotator"), {"code": label, **above})
            held.setdefault(document, []).append(said)
            begin, stop = (safe_sqlite.whole(p, "a position", path) for p in (start, end))
            known = covered if isinstance(covered, str) else None
            spans.setdefault(document, []).append(Span(begin, stop, known, label))
        for table, what in (("code_image", "pictures"), ("code_av", "recordings")):
            known_tables = f"SELECT name FROM sqlite_master WHERE type='table' AND name='{table}'"
            for _ in database.execute(known_tables):
                count = next(database.execute(f"SELECT count(*) FROM {table}"))[0]
                if count:
                    export.leave_out(f"codings of {what}", int(count))
    for document, text in texts.items():
        places = export.settle(document, text, spans[document], f"{path}: {document}")
        for (who, features), place in zip(held[document], places, strict=True):
            export.see(document, who).mark(*place, features["code"], "", features)
    if texts:
        export.label_features[""] = "code"


FORMAT = Format(
    name="qualcoder",
    title="QualCoder project",
    sniff=(Sniff(begins=safe_sqlite.MAGIC, every=(b"code_text", b"code_name")),),
    collect=collect,
)
