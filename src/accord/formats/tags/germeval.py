"""GermEval 2014 named entities: token number, token, outer tag, inner tag; `#` before each sentence.

The two tag columns are the layers `outer` and `inner` (entities within entities);
`--layer outer,inner` reads both, as the shared task scores them (Benikova et al. 2014). Each sentence
follows the other in one document per file; offsets count characters of the words joined by blanks.
"""

from __future__ import annotations

import re
from pathlib import Path

from accord.errors import InputError
from accord.files.archive import Entry, Tree
from accord.files.text import decode
from accord.formats.export import Export, Mark
from accord.formats.format import Format, ReadOptions
from accord.formats.places import by_place
from accord.formats.sniff import Sniff
from accord.formats.tags.tags import TAG, spans_of

_LAYERS = ("outer", "inner")
_ROW = re.compile(r"\d+\t[^\t]+\t[^\t]+\t[^\t]+")


def test(path: Path, head: bytes) -> bool:
    """Rows of number, token and two tags, with a comment before the first."""
    lines = head.decode("utf-8-sig", "replace").splitlines()[:60]
    rows = [x for x in (lines[:-1] or lines) if x.strip() and not x.startswith("#\t")]
    return (
        bool(rows)
        and lines[0].startswith("#\t")
        and all(
            _ROW.fullmatch(row) is not None and all(TAG.match(t) for t in row.split("\t")[2:])
            for row in rows
        )
    )


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Both layers of every file; each file is one annotator."""
    export = Export(tree.path, "germeval", notes=list(tree.notes))
    files = FORMAT.among(tree)

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        _read_file(decode(entry.read(), entry.path), entry.path, document, annotator, export)

    by_place(tree, files, options, export, read_one)
    return export


def _read_file(text: str, path: str, document: str, annotator: str, export: Export) -> None:
    pieces: list[str] = []
    offset = 0
    sentence: list[tuple[str, list[str], int]] = []
    export.see(document, annotator)
    for number, line in enumerate([*text.split("\n"), ""], 1):
        line = line.rstrip("\r")
        if line.strip() and not line.startswith("#\t"):
            cells = line.split("\t")
            if len(cells) < 4 or not all(TAG.match(tag) for tag in cells[2:4]):
                raise InputError(
                    "is not number, token and two tags, separated by tabs", path=path, line=number
                )
            sentence.append((cells[1], cells[2:4], number))
        elif sentence:
            starts = []
            for word, _, _ in sentence:
                starts.append(offset)
                offset += len(word) + 1
            pieces.append(" ".join(word for word, _, _ in sentence))
            for column, layer in enumerate(_LAYERS):
                for first, last, label in spans_of([tags[column] for _, tags, _ in sentence]):
                    end = starts[last - 1] + len(sentence[last - 1][0])
                    export.marks.append(
                        Mark(
                            document,
                            annotator,
                            starts[first],
                            end,
                            label,
                            layer,
                            line=sentence[first][2],
                        )
                    )
            sentence = []
    export.add_text(document, "\n".join(pieces), path)


FORMAT = Format(
    name="germeval",
    title="GermEval 2014 (nested named entities)",
    sniff=(Sniff(begins=b"#\t"),),
    people="file",
    test=test,
    collect=collect,
)
