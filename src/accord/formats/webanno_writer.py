"""Writing WebAnno TSV 3 that INCEpTION imports: one file per annotator and document.

Lines of the text are sentences and its words tokens, cut where units start and end, so that every
unit begins and ends with a token. The layer is `webanno.custom.Span` with the feature `value`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from pathlib import Path

from accord.data import Annotations
from accord.errors import UsageError
from accord.formats.text import from_code_points
from accord.formats.tokens import sentences, tokens
from accord.formats.writer import by_annotator, file_names, require_units, write_text

_SPECIAL = re.compile(r"([\\\[\]|_>;*])")
_CONTROLS = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_HEADER = "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Span|value\n\n\n"

_Unit = tuple[int, int, str | None]


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write `<document>/<annotator>.tsv`."""
    units = require_units(data, "WebAnno TSV")
    if units.texts is None or None in units.texts:
        raise UsageError("WebAnno TSV needs the texts of the documents, and they are not known")
    lost: list[str] = []
    names = file_names(units.documents)
    texts = dict(zip(units.documents, units.texts, strict=True))
    for annotator, document, rows in by_annotator(units, lost):
        body = _written(texts[document] or "", [(int(r.start), int(r.end), r.label) for r in rows])
        write_text(path / names[document] / f"{annotator}.tsv", body)
    return lost


def _written(text: str, units: Sequence[_Unit]) -> str:
    starts, ends = {start for start, _, _ in units}, {end for _, end, _ in units}
    lines_of = sentences(text, [(start, end) for start, end, _ in units])
    rows = [list(tokens(text, sentence, starts, ends)) for sentence in lines_of]
    flat = [token for row in rows for token in row]
    begins, stops = [b for b, _ in flat], [e for _, e in flat]
    values: list[list[str]] = [[] for _ in flat]
    for number, (start, end, label) in enumerate(units, start=1):
        for i in range(bisect_right(stops, start), bisect_left(begins, end)):
            values[i].append(f"{_value(label)}[{number}]")
    edges = from_code_points(text, [edge for token in flat for edge in token], "utf-16")
    lines: list[str] = []
    i = 0
    for number, ((begin, end), row) in enumerate(zip(lines_of, rows, strict=True), start=1):
        lines.append(f"#Text={_escaped(text[begin:end])}\n")
        for place, (start, stop) in enumerate(row, start=1):
            token, value = _escaped(text[start:stop]), "|".join(values[i]) or "_"
            span = f"{edges[2 * i]}-{edges[2 * i + 1]}"
            lines.append(f"{number}-{place}\t{span}\t{token}\t{value}\t\n")
            i += 1
        lines.append("\n")
    return _HEADER + "".join(lines)


def _value(label: str | None) -> str:
    if label is None:
        return "*"
    return "".join(_CONTROLS.get(c) or _SPECIAL.sub(r"\\\1", c) for c in label)


def _escaped(text: str) -> str:
    return "".join(_CONTROLS.get(c, c) for c in text)
