"""Writing WebAnno TSV 3 that INCEpTION imports: one file per annotator and document.

Lines of the text are sentences and its words tokens, cut where units start and end, so that every
unit begins and ends with a token. The layer is `webanno.custom.Span` with the feature `value`, and
one feature for each attribute; relations are of the layer `webanno.custom.Relation`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from accord.data import Annotations
from accord.data.statements import Statement, matched
from accord.data.units import Unit
from accord.formats.corpora.uima_writer import feature_name
from accord.formats.offsets import from_code_points
from accord.formats.tags.tokens import covered, cut
from accord.formats.writing import by_annotator, write_text

_CONTROLS = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_IN_TEXT = str.maketrans(_CONTROLS)
_IN_VALUES = str.maketrans({c: f"\\{c}" for c in "[]|_>;*"} | _CONTROLS)


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write `<document>/<annotator>.tsv`."""
    lost: list[str] = []
    for one in by_annotator(data, "WebAnno TSV", lost, texts=True):
        body = _written(one.text, one.units, one.said)
        write_text(path / one.file / f"{one.folder}.tsv", body)
    return lost


def _written(text: str, units: Sequence[Unit], said: Sequence[Statement]) -> str:
    known, others, _ = matched(units, said)
    spans = [(int(u.start), int(u.end)) for u in units]
    rows = cut(text, spans)
    flat = [token for _, row in rows for token in row]
    places = [f"{n}-{i}" for n, (_, row) in enumerate(rows, 1) for i, _ in enumerate(row, 1)]
    about = _attributes(others)
    features = list(
        dict.fromkeys(f for one in known if one is not None for f in about.get(one.name, ()))
    )
    cells: list[list[list[str]]] = [[[] for _ in flat] for _ in range(1 + len(features))]
    first: dict[str, tuple[int, int]] = {}
    for number, ((start, end), unit, one) in enumerate(
        zip(spans, units, known, strict=True), start=1
    ):
        told = {} if one is None else about.get(one.name, {})
        values = [_value(unit.label), *(_value(told.get(f)) for f in features)]
        here = covered(flat, start, end)
        if one is not None and len(here):
            first[one.name] = (number, here[0])
        for i in here:
            for column, value in zip(cells, values, strict=True):
                column[i].append(f"{value}[{number}]")
    header = f"#T_SP=webanno.custom.Span|{'|'.join(['value', *map(feature_name, features)])}\n"
    relations = [
        one
        for one in others
        if one.kind == "relation"
        and len(one.targets) == 2
        and all(t in first for _, t in one.targets)
    ]
    if relations:
        more = list(dict.fromkeys(f for one in relations for f in about.get(one.name, ())))
        columns = ["value", *map(feature_name, more), "BT_webanno.custom.Span"]
        header += f"#T_RL=webanno.custom.Relation|{'|'.join(columns)}\n"
        related: list[list[list[str]]] = [[[] for _ in flat] for _ in columns]
        for one in relations:
            source, target = (first[name] for _, name in one.targets)
            told = about.get(one.name, {})
            end_of = f"{places[source[1]]}[{source[0]}_{target[0]}]"
            values = [_value(one.label or None), *(_value(told.get(f)) for f in more), end_of]
            # a relation stands at the first token of its target
            for column, value in zip(related, values, strict=True):
                column[target[1]].append(value)
        cells.extend(related)
    edges = from_code_points(text, [edge for token in flat for edge in token], "utf-16")
    lines: list[str] = []
    i = 0
    for (begin, end), row in rows:
        lines.append(f"#Text={_escaped(text[begin:end])}\n")
        for start, stop in row:
            held = "\t".join("|".join(column[i]) or "_" for column in cells)
            span = f"{edges[2 * i]}-{edges[2 * i + 1]}"
            lines.append(f"{places[i]}\t{span}\t{_escaped(text[start:stop])}\t{held}\t\n")
            i += 1
        lines.append("\n")
    return f"#FORMAT=WebAnno TSV 3.3\n{header}\n\n{''.join(lines)}"


def _attributes(others: Sequence[Statement]) -> dict[str, dict[str, str]]:
    """Name → attributes and notes, as features of a layer."""
    found: dict[str, dict[str, str]] = {}
    for one in others:
        if one.kind in ("attribute", "note") and len(one.targets) == 1:
            found.setdefault(one.targets[0][1], {}).setdefault(one.label, one.value or "true")
    return found


def _value(label: str | None) -> str:
    if label is None:
        return "*"
    return label.translate(_IN_VALUES)


def _escaped(text: str) -> str:
    return text.translate(_IN_TEXT)
