"""WebAnno TSV 3.x, as WebAnno and INCEpTION export it: one file per user and document.

Header lines declare layers (`#T_SP` spans, `#T_RL` relations, `#T_CH` chains) with their features;
each token row holds one column per feature. Stacked values are separated by `|`; an identifier
`[n]` joins the tokens of one annotation; rows `1-1.1` are parts of tokens. Offsets count UTF-16
code units. Relations and chain links are counted; the elements of chains are units of their layer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from accord.errors import InputError
from accord.formats.annotators import by_place
from accord.formats.archive import Tree
from accord.formats.export import Export, Mark, read_with
from accord.formats.format import Format, ReadOptions
from accord.formats.label_feature import label_layers
from accord.formats.text import Span, decode, settle
from accord.formats.webanno_writer import write

_ROW = re.compile(r"(\d{1,9}-\d{1,9}(?:\.\d{1,9})?)\t(\d{1,15})-(\d{1,15})\t([^\t]*)(?:\t(.*))?")
_IDENTIFIER = re.compile(r"(?<!\\)\[(\d{1,15})\]$")
_LINK = re.compile(r"->(\d{1,15})-\d{1,15}$")
_STACKED = re.compile(r"(?<!\\)\|")
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
#: stands for the value of an annotation that has none: no text of a file holds it
_NOTHING = "\0nothing"
_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "b": "\b", "f": "\f"}


@dataclass(slots=True)
class _Layer:
    name: str
    kind: str
    #: feature name of each column
    columns: list[str] = field(default_factory=list)


def recognise(path: Path, head: bytes) -> bool:
    return head.lstrip(b"\xef\xbb\xbf").startswith(b"#FORMAT=WebAnno TSV 3")


def collect(tree: Tree, options: ReadOptions) -> Export:
    """Everything in the files; each is called after its user, in a folder of its document."""
    export = Export(tree.path, "webanno-tsv3", notes=list(tree.notes))
    files = [e for e in tree if tree.single or recognise(Path(e.name), e.head(64))]
    by_place(
        tree,
        files,
        options,
        export,
        lambda entry, document, annotator: read_document(
            entry.read(), entry.path, document, annotator, export, options
        ),
    )
    label_layers(export)
    return export


def read_document(
    data: bytes, path: str, document: str, annotator: str, export: Export, options: ReadOptions
) -> None:
    """Add one user's file of one document."""
    layers: list[_Layer] = []
    rows: list[Span] = []
    cells: list[list[str]] = []
    sentences: list[tuple[int, str]] = []
    text: list[str] = []
    export.see(document, annotator)
    for number, line in enumerate(decode(data, path).split("\n"), start=1):
        line = line.rstrip("\r")
        if line.startswith("#T_"):
            layers.append(_layer(line, path, number))
        elif line.startswith("#Text="):
            text.append(_unescaped(line[6:]))
        elif line.startswith("#") or not line.strip():
            continue
        else:
            match = _ROW.fullmatch(line)
            if match is None:
                raise InputError(
                    f"is not a token row: {line[:40]!r}",
                    path=path,
                    line=number,
                    hint="rows are sentence-token, start-end, token, values",
                )
            name, start, end, token, values = match.groups()
            if text:
                sentences.append((int(start), "\n".join(text)))
                text = []
            rows.append(Span(int(start), int(end), _unescaped(token), name, number))
            cells.append((values or "").split("\t"))
    whole = _assembled(sentences)
    if whole is None:
        export.notes.append(f"{path}: the sentences do not fit their offsets; text not checked")
        starts, ends = [r.start for r in rows], [r.end for r in rows]
    else:
        read = settle(whole, rows, path=path, counting="utf-16", forced=options.offsets)
        export.notes.extend(read.notes)
        export.add_text(document, read.text, path)
        starts, ends = read.starts, read.ends
    tokens = {row.name: row.covered or "" for row in rows}
    column = 0
    for layer in layers:
        width = len(layer.columns)
        picked = [
            (starts[i], ends[i], row[column : column + width], rows[i].line)
            for i, row in enumerate(cells)
        ]
        _read_layer(layer, picked, document, annotator, export, path, tokens)
        column += width


def _layer(line: str, path: str, number: int) -> _Layer:
    kind, _, declared = line[3:].partition("=")
    name, *features = declared.split("|")
    if kind not in ("SP", "RL", "CH") or not name:
        raise InputError(
            f"declares a layer of an unknown kind: {line[:40]!r}", path=path, line=number
        )
    columns: list[str] = []
    for feature in features:
        if feature.startswith("ROLE_"):
            columns.append(feature)  # the role; the next cell declares the target's type
        elif feature:
            columns.append(feature)
    return _Layer(name, kind, columns or [""])


def _read_layer(
    layer: _Layer,
    rows: Sequence[tuple[int, int, list[str], int | None]],
    document: str,
    annotator: str,
    export: Export,
    path: str,
    tokens: Mapping[str, str],
) -> None:
    if layer.kind == "RL":
        for _, _, values, line in rows:
            # the last column points to the other end: one reference for each relation
            export.relations[layer.name] += sum(1 for v in _stack(values[-1:], line, path) if v[0])
        return
    joined: dict[int | str, int] = {}
    for start, end, values, line in rows:
        if len(values) < len(layer.columns):
            if not any(values):
                continue
            raise InputError("has fewer columns than the header declares", path=path, line=line)
        stacks = [_stack([value], line, path) for value in values[: len(layer.columns)]]
        for depth in range(max(map(len, stacks))):
            _read_value(
                layer,
                stacks,
                depth,
                (start, end, line),
                joined,
                document,
                annotator,
                export,
                tokens,
            )


def _read_value(
    layer: _Layer,
    stacks: Sequence[Sequence[tuple[str | None, int | None]]],
    depth: int,
    place: tuple[int, int, int | None],
    joined: dict[int | str, int],
    document: str,
    annotator: str,
    export: Export,
    tokens: Mapping[str, str],
) -> None:
    features: dict[str, str] = {}
    slot: tuple[str, str] | None = None
    identifier: int | str | None = None
    chain: str | None = None
    present = False
    for column, stack in zip(layer.columns, stacks, strict=True):
        value, number = stack[depth] if depth < len(stack) else (None, None)
        if value is None:
            continue
        present = True
        link = _LINK.search(value) if layer.kind == "CH" else None
        if link is not None:
            # chain-element, the same on all tokens of an element; the chain alone stands in [n]
            chain, identifier = link[1], link[0]
        elif layer.kind != "CH" and number is not None:
            identifier = number
        if column == "referenceRelation":
            continue
        if column.startswith("ROLE_"):
            roles = "" if value == _NOTHING else value
            export.relations[layer.name] += len([v for v in value.split(";") if v])
            slot = (column.partition(":")[2].rpartition("_")[0] or column, roles)
        elif slot is not None:
            if value != _NOTHING:
                features[slot[0]] = _pointed(slot[1], value, tokens)
            slot = None
        elif column and value != _NOTHING:
            features[column] = value
    if not present:
        return
    start, end, line = place
    known = None if identifier is None else joined.get(identifier)
    if known is not None:
        mark = export.marks[known]
        export.marks[known] = mark._replace(start=min(mark.start, start), end=max(mark.end, end))
        return
    if identifier is not None:
        joined[identifier] = len(export.marks)
    # which feature is the label is decided when all files are read, as for a CAS
    export.marks.append(
        Mark(document, annotator, start, end, None, layer.name, features, None, line, chain)
    )
    if chain is not None:
        export.relations[f"{layer.name} links"] += 1


def _stack(
    values: Sequence[str], line: int | None, path: str
) -> list[tuple[str | None, int | None]]:
    """The stacked values of one cell, each with its identifier."""
    found: list[tuple[str | None, int | None]] = []
    for cell in values:
        if cell in ("_", ""):
            continue
        for piece in _STACKED.split(cell):
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
        length = start + len(sentence) + sum(c > "\uffff" for c in sentence)
    return "".join(parts)


FORMAT = Format(
    name="webanno-tsv3",
    title="WebAnno TSV 3 (WebAnno, INCEpTION)",
    recognise=recognise,
    read=read_with(collect),
    collect=collect,
    placed=True,
    write=write,
    holds=("units",),
)
