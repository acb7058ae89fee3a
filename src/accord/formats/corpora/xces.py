"""XCES (`<cesDoc>`): paragraphs of sentences of tokens, each with its tag and lemma.

Every token is a unit whose label is its tag; the text is the words, joined by blanks, a paragraph a
line.
"""

from __future__ import annotations

from accord.errors import InputError
from accord.files import safe_xml
from accord.files.archive import Entry, Tree
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.places import by_place
from accord.formats.sniff import Sniff


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Every token of every file; each file is one annotator."""
    export = Export(tree.path, "xces", notes=list(tree.notes))
    files = FORMAT.among(tree)

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        _read_file(entry.read(), entry.path, document, annotator, export)

    by_place(tree, files, options, export, read_one)
    if export.marks:
        export.label_features[""] = "tag"
    return export


def _read_file(data: bytes, path: str, document: str, annotator: str, export: Export) -> None:
    root = safe_xml.parse(data, path)
    marks: list[Mark] = []
    pieces: list[str] = []
    length = 0
    for node in root.walk():
        if node.tag in ("p", "par") and pieces:
            pieces.append("\n")
            length += 1
        if node.tag != "t" or not node.get("word"):
            continue
        if pieces and pieces[-1] != "\n":
            pieces.append(" ")
            length += 1
        word = node.get("word")
        features = {k: node.get(k) for k in ("tag", "lemma") if node.get(k)}
        marks.append(
            Mark(
                document,
                annotator,
                length,
                length + len(word),
                node.get("tag") or None,
                "",
                features,
                line=node.line,
            )
        )
        pieces.append(word)
        length += len(word)
    if not marks:
        raise InputError(
            "holds text and no token with a tag", path=path, hint="there is nothing to compare"
        )
    export.see(document, annotator)
    export.add_text(document, "".join(pieces), path)
    export.marks.extend(marks)


FORMAT = Format(
    name="xces",
    title="XCES",
    sniff=(Sniff(some=(b"<cesDoc", b"<cesAna")),),
    people="file",
    collect=collect,
)
