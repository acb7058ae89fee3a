"""GermEval 2014 named entities: token number, token, outer tag, inner tag; `#` before each sentence.

The two tag columns are the layers `outer` and `inner` (entities within entities);
`--layer outer,inner` reads both, as the shared task scores them (Benikova et al. 2014). Each sentence
follows the other in one document per file; offsets count characters of the words joined by blanks.
"""

from __future__ import annotations

import re
from pathlib import Path

from accord.files.archive import Entry
from accord.formats.export import Sheet
from accord.formats.format import Format, Sniff
from accord.formats.places import by_files
from accord.formats.tags.tags import TAG, spans_of
from accord.formats.tags.tokens import placed

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


def read(entry: Entry, sheet: Sheet) -> None:
    """Both layers of a file."""
    pieces: list[str] = []
    offset = 0
    sentence: list[tuple[str, list[str], int]] = []
    for number, line in enumerate([*entry.text().split("\n"), ""], 1):
        line = line.rstrip("\r")
        if line.strip() and not line.startswith("#\t"):
            cells = line.split("\t")
            if len(cells) < 4 or not all(TAG.match(tag) for tag in cells[2:4]):
                raise entry.wrong("is not number, token and two tags, separated by tabs", number)
            sentence.append((cells[1], cells[2:4], number))
        elif sentence:
            text, places = placed([word for word, _, _ in sentence], None, entry.path)
            pieces.append(text)
            for column, layer in enumerate(_LAYERS):
                for first, last, label in spans_of([tags[column] for _, tags, _ in sentence]):
                    start, end = offset + places[first][0], offset + places[last - 1][1]
                    sheet.mark(start, end, label, layer, line=sentence[first][2])
            offset += len(text) + 1
            sentence = []
    sheet.export.add_text(sheet.document, "\n".join(pieces), entry.path)


FORMAT = Format(
    name="germeval",
    title="GermEval 2014 (nested named entities)",
    sniff=(Sniff(begins=b"#\t"),),
    people="file",
    test=test,
    collect=by_files(read),
)
