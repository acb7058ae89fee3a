"""WebAnno TSV 3.x, as WebAnno and INCEpTION export it: one file per user and document.

Header lines declare layers (`#T_SP` spans, `#T_RL` relations, `#T_CH` chains) with their features;
each token row holds one column per feature. Stacked values are separated by `|`; an identifier
`[n]` joins the tokens of one annotation; rows `1-1.1` are parts of tokens. Offsets count UTF-16
code units. Relations are kept beside the units; the elements of chains are units of their layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from accord.data.statements import Statement, by_features
from accord.files.archive import Entry
from accord.formats.corpora.label_feature import label_layers, preferred
from accord.formats.corpora.webanno_writer import write
from accord.formats.export import MoreOfMark, Sheet
from accord.formats.format import Format, Sniff
from accord.formats.offsets import Span
from accord.formats.places import by_files

_ROW = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)\t(\d{1,15})-(\d{1,15})\t([^\t]*)(?:\t(.*))?")
_IDENTIFIER = re.compile(r"(?<!\\)\[(\d{1,15})\]$")
_RELATED = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)(?:\[(\d{1,15})_(\d{1,15})\])?")
_LINK = re.compile(r"->(\d{1,15})-\d{1,15}$")
_STACKED = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
#: stands for the value of an annotation that has none: no text of a file holds it
_NOTHING = "\0nothing"
#: cells in which nothing is said
_EMPTY = frozenset(("_", ""))
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(slots=True)
class _Layer:
    name: str
    kind: str
    #: feature name of each column
    columns: list[str] = field(default_factory=list)


#: a value of a cell, if any, and the identifier of its annotation
_Value = tuple[str | None, int | None]


class _Row(NamedTuple):
    start: int
    end: int
    cells: list[str]
    line: int | None
    name: str


@dataclass(slots=True)
class _File:
    sheet: Sheet
    entry: Entry
    #: name of a row → its token
    tokens: Mapping[str, str]
    said: list[Statement] = field(default_factory=list)


def read(entry: Entry, sheet: Sheet) -> None:
    """Everything in one user's file of one document; :func:`label_layers` is called after the last."""
    layers: list[_Layer] = []
    rows: list[Span] = []
    cells: list[list[str]] = []
    sentences: list[tuple[int, str]] = []
    text: list[str] = []
    for number, line in enumerate(entry.text().split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith("#T_"):
            layers.append(_layer(line, entry, number))
        elif line.startswith("#Text="):
            text.append(_unescaped(line[6:]))
        elif not line.startswith("#") and line.strip():
            match = _ROW.fullmatch(line)
            if match is None:
                hint = "rows are sentence-token, start-end, token, values"
                raise entry.wrong(f"is not a token row: {line[:40]!r}", number, hint=hint)
            name, start, end, token, values = match.groups()
            if text:
                sentences.append((int(start), "\n".join(text)))
                text = []
            rows.append(Span(int(start), int(end), _unescaped(token), name, number))
            cells.append((values or "").split("\t"))
    whole, path = _assembled(sentences), entry.path
    if whole is None:
        sheet.export.notes.append(
            f"{path}: the sentences do not fit their offsets; text not checked"
        )
    places = sheet.settle(whole, rows, path, "utf-16")
    file = _File(sheet, entry, {row.name: row.covered or "" for row in rows})
    column = 0
    for layer in layers:
        here = slice(column, column + len(layer.columns))
        # most tokens have nothing in any column
        picked = [
            _Row(*place, row[here], span.line, span.name)
            for place, row, span in zip(places, cells, rows, strict=True)
            if len(row) < here.stop or not _EMPTY.issuperset(row[here])
        ]
        _read_layer(layer, picked, file)
        column = here.stop
    sheet.say(*file.said)


def _layer(line: str, entry: Entry, number: int) -> _Layer:
    kind, _, declared = line[3:].partition("=")
    name, *features = declared.split("|")
    if kind not in ("SP", "RL", "CH") or not name:
        raise entry.wrong(f"declares a layer of an unknown kind: {line[:40]!r}", number)
    # (the cell after a role declares the target's type)
    return _Layer(name, kind, [feature for feature in features if feature] or [""])


def _read_layer(layer: _Layer, rows: Sequence[_Row], file: _File) -> None:
    joined: dict[int | str, int] = {}
    for row in rows:
        values = row.cells
        if len(values) < len(layer.columns):
            if not any(values):
                continue
            raise file.entry.wrong("has fewer columns than the header declares", row.line)
        stacks = [_stack(value) for value in values[: len(layer.columns)]]
        for values_of_one in _unstacked(layer, stacks):
            if layer.kind == "RL":
                _read_relation(layer, values_of_one, row, file)
            else:
                _read_value(layer, values_of_one, row, joined, file)


def _unstacked(layer: _Layer, stacks: Sequence[Sequence[_Value]]) -> list[list[_Value]]:
    """The values of each stacked annotation, column by column.

    Identifiers tell which belong together: not every column repeats an annotation without a value.
    Slots have the identifiers of what they point to, and go by place.
    """
    size = max(map(len, stacks))
    by_place = [[s[i] if i < len(s) else (None, None) for s in stacks] for i in range(size)]
    held = [entry for stack in stacks for entry in stack if entry[0] is not None]
    slots = any(column.startswith("ROLE_") for column in layer.columns)
    if layer.kind != "SP" or slots or not held or any(number is None for _, number in held):
        return by_place
    numbers = dict.fromkeys(number for _, number in held)
    return [
        [next((e for e in stack if e[1] == number), (None, None)) for stack in stacks]
        for number in numbers
    ]


def _read_relation(layer: _Layer, values: Sequence[_Value], row: _Row, file: _File) -> None:
    """`1-2[3_4]` in the last column: from annotation 3 at token 1-2 to annotation 4 at this one."""
    reference = values[-1][0]
    if reference is None:
        return
    file.sheet.export.relations[layer.name] += 1
    match = _RELATED.fullmatch(reference)
    base = layer.columns[-1].removeprefix("BT_")
    if match is None:
        return
    features = {
        column: value
        for column, (value, _) in zip(layer.columns[:-1], values, strict=False)
        if column and value is not None and value != _NOTHING
    }
    label = preferred(features)
    name = f"relation {len(file.said)}"
    ends = ((match[1], int(match[2] or 0)), (row.name, int(match[3] or 0)))
    targets = tuple(
        (role, _called(base, place, number))
        for role, (place, number) in zip(("Arg1", "Arg2"), ends, strict=True)
    )
    kind = layer.name.rpartition(".")[2] if label is None else features.pop(label)
    file.said.append(Statement(name, "relation", kind, targets, layer=layer.name))
    file.said.extend(by_features(name, features))


def _called(layer: str, place: str, number: int) -> str:
    """What an annotation is called in relations: its layer, its identifier, or its token."""
    return f"{layer}[{number}]" if number else f"{layer}@{place}"


def _read_value(
    layer: _Layer,
    values: Sequence[_Value],
    row: _Row,
    joined: dict[int | str, int],
    file: _File,
) -> None:
    export = file.sheet.export
    features: dict[str, str] = {}
    slot: tuple[str, str] | None = None
    identifier: int | str | None = None
    chain: str | None = None
    present = False
    for column, (value, number) in zip(layer.columns, values, strict=True):
        if value is None:
            slot = None
            continue
        present = True
        link = _LINK.search(value) if layer.kind == "CH" else None
        if link is not None:
            # chain-element, the same on all tokens of an element; the chain alone stands in [n]
            chain, identifier = link[1], link[0]
        elif layer.kind != "CH" and number is not None and slot is None:
            identifier = number
        if column == "referenceRelation":
            continue
        if column.startswith("ROLE_"):
            roles = "" if value == _NOTHING else value
            export.relations[layer.name] += len([v for v in value.split(";") if v])
            slot = (column.partition(":")[2].rpartition("_")[0] or column, roles)
        elif slot is not None:
            if value != _NOTHING:
                features[slot[0]] = _pointed(slot[1], value, file.tokens)
            slot = None
        elif column and value != _NOTHING:
            features[column] = value
    if not present:
        return
    known = None if identifier is None else joined.get(identifier)
    if known is not None:
        mark = export.marks[known]
        export.marks[known] = mark._replace(
            start=min(mark.start, row.start), end=max(mark.end, row.end)
        )
        return
    if identifier is not None:
        joined[identifier] = len(export.marks)
    name = _called(layer.name, row.name, identifier if isinstance(identifier, int) else 0)
    # which feature is the label is decided when all files are read, as for a CAS
    more: MoreOfMark = {"line": row.line, "chain": chain, "name": name}
    file.sheet.mark(row.start, row.end, None, layer.name, features, **more)
    if chain is not None:
        export.relations[f"{layer.name} links"] += 1


def _stack(cell: str) -> list[_Value]:
    """The stacked values of one cell, each with its identifier."""
    found: list[_Value] = []
    for piece in _STACKED.split(cell) if cell not in _EMPTY else ():
        match = _IDENTIFIER.search(piece)
        body = piece if match is None else piece[: match.start()]
        # a star alone is an annotation without a value; an escaped one is the value "*"
        value = _NOTHING if body == "*" else _unescaped(body)
        found.append((value, None if match is None else int(match[1])))
    return found or [(None, None)]


def _pointed(roles: str, targets: str, tokens: Mapping[str, str]) -> str:
    """A slot feature as people read it: each role, and the word that it points to.

    >>> _pointed("agent;*", "1-2[3];1-4", {"1-2": "dog", "1-4": "cat"})
    'agent→dog; cat'
    """
    shown = []
    names = roles.split(";")
    for i, target in enumerate(targets.split(";")):
        place = _IDENTIFIER.sub("", target)
        word = tokens.get(place, tokens.get(place.partition(".")[0], place))
        role = names[i] if i < len(names) and names[i] != "*" else ""
        shown.append(f"{role}→{word}" if role else word)
    return "; ".join(shown)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPED.sub(lambda m: _ESCAPES.get(m[1], m[1]), text)


def _assembled(sentences: Sequence[tuple[int, str]]) -> str | None:
    """The document's text from its sentences and where each begins, in UTF-16 code units."""
    parts: list[str] = []
    length = 0
    for start, sentence in sentences:
        if start < length:
            blank = parts[-1] if parts else ""
            kept = blank.rstrip()
            spare = len(blank) - len(kept)
            if length - start > spare:
                return None
            parts[-1] = blank[: len(blank) - (length - start)]
            length = start
        if start - length > 100_000_000:
            return None
        if start > length:
            parts.append("\n" + " " * (start - length - 1) if parts else " " * (start - length))
        parts.append(sentence)
        length = start + len(sentence.encode("utf-16-le", "surrogatepass")) // 2
    return "".join(parts)


FORMAT = Format(
    name="webanno-tsv3",
    title="WebAnno TSV 3 (WebAnno, INCEpTION)",
    sniff=(Sniff(begins=b"#FORMAT=WebAnno TSV 3"),),
    people="file",
    collect=by_files(read, then=label_layers),
    write=write,
    holds=("units", "relations"),
)
