"""GermEval 2014 named entities: token number, token, outer tag, inner tag; `#` before each sentence.

The two tag columns are the layers `outer` and `inner` (entities within entities);
`--layer outer,inner` reads both, as the shared task scores them (Benikova et al. 2014). Each sentence
follows the other in one document per file; offsets count characters of the words joined by blanks.
"""

from __future__ import annotations

from accord.files.archive import Entry
from accord.formats.export import Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import by_files
from accord.formats.tags.tags import TAG, spans_of
from accord.formats.tags.tokens import placed

_LAYERS = ("outer", "inner")
_TAG = rb"(?:O|[BIESLUM](?:-\S+)?)"


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
    # number, token and two tags, with a comment before the first
    sniff=(
        Sniff(
            begins=b"#\t",
            every=(Regex(rb"\n\d+\t"),),
            rows=Regex(rb"#\t.*|\d+\t[^\t]+\t" + _TAG + rb"\t" + _TAG),
        ),
    ),
    people="file",
    collect=by_files(read),
)
