"""XCES (`<cesDoc>`): paragraphs of sentences of tokens, each with its tag and lemma.

Every token is a unit whose label is its tag; the text is the words, joined by blanks, a paragraph a
line.
"""

from __future__ import annotations

from accord.files import safe_xml
from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import by_files


def read(entry: Entry, sheet: Sheet) -> None:
    """Every token of a file."""
    root = safe_xml.parse(entry.read(), entry.path)
    pieces: list[str] = []
    length = 0
    for node in root.walk():
        word = node.get("word") if node.tag == "t" else ""
        blank = "\n" if node.tag in ("p", "par") else " " if word and pieces[-1:] != ["\n"] else ""
        if blank and pieces:
            pieces.append(blank)
            length += 1
        if word:
            features = {k: node.get(k) for k in ("tag", "lemma") if node.get(k)}
            sheet.mark(
                length, length + len(word), node.get("tag") or None, "", features, line=node.line
            )
            pieces.append(word)
            length += len(word)
    if not pieces:
        raise entry.wrong("holds text and no token with a tag", hint="there is nothing to compare")
    sheet.export.add_text(sheet.document, "".join(pieces), entry.path)


def _label(export: Export) -> None:
    if export.marks:
        export.label_features[""] = "tag"


FORMAT = Format(
    name="xces",
    title="XCES",
    sniff=(Sniff(some=(b"<cesDoc", b"<cesAna")),),
    people="file",
    collect=by_files(read, then=_label),
)
