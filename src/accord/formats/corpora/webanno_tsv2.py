"""WebAnno TSV 1 and 2: one token a line, each layer a column of BIO tags, no offsets.

Version 2 names its layers in the first line (` # layer | feature # layer | feature | AttachTo=…`);
version 1 has ten columns without names: number, token, lemma, part of speech, named entity, two of a
dependency, and blanks. `#text=` gives the text of each sentence: tokens are found in it one after the
other, and sentences are joined by line ends. Stacked units stand side by side (`B-ORGpart|B-ORG`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from accord.files.archive import Entry
from accord.formats.export import Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import by_files

_NOTHING = frozenset({"", "O", "_"})
_RELATION = "AttachTo="


class _Column(NamedTuple):
    """A column of tags; a relation's columns are only counted."""

    layer: str
    feature: str
    place: int
    relation: bool = False


#: the columns of version 1 that hold tags
_OLD_COLUMNS = (
    _Column("POS", "PosValue", 3),
    _Column("NamedEntity", "value", 4),
    _Column("Dependency", "DependencyType", 7, relation=True),
)


class _Token(NamedTuple):
    start: int
    end: int
    cells: Sequence[str]
    line: int


class _Unit(NamedTuple):
    start: int
    end: int
    label: str
    line: int


def read(entry: Entry, sheet: Sheet) -> None:
    """Every unit of every layer."""
    lines = entry.text().split("\n")
    columns = _header(lines[0]) if lines[0].lstrip().startswith("# ") else _OLD_COLUMNS
    whole, sentences = _sentences(lines, entry)
    sheet.export.add_text(sheet.document, whole, entry.path)
    for tokens in sentences:
        for column in columns:
            if column.relation:
                cells = (t.cells[column.place] for t in tokens if column.place < len(t.cells))
                count = sum(cell.strip() not in _NOTHING for cell in cells)
                if count:
                    sheet.export.relations[column.layer] += count
                continue
            for start, end, label, line in _units(tokens, column.place):
                sheet.mark(start, end, label, column.layer, {column.feature: label}, line=line)


def _header(line: str) -> list[_Column]:
    """The columns that the first line names; those of one layer follow each other."""
    columns: list[_Column] = []
    place = 2
    for part in line.strip().split("# ")[1:]:
        layer, *features = (word.strip() for word in part.split("|"))
        relation = any(f.startswith(_RELATION) for f in features)
        for feature in features:
            if not feature.startswith(_RELATION):
                name = layer if not columns or columns[-1].layer != layer else f"{layer}:{feature}"
                columns.append(_Column(name, feature, place, relation))
            # the governor of a relation has a column of its own, where AttachTo stands
            place += 1
    return columns


def _sentences(lines: Sequence[str], entry: Entry) -> tuple[str, list[list[_Token]]]:
    """The whole text, and the tokens of each sentence with their places in it."""
    pieces: list[str] = []
    sentences: list[list[_Token]] = []
    offset = place = 0
    sentence = ""
    for number, line in enumerate(lines, 1):
        line = line.removesuffix("\r")
        if line.startswith("#text="):
            if pieces:
                offset += len(sentence) + 1
            sentence, place = line.removeprefix("#text="), 0
            pieces.append(sentence)
            sentences.append([])
        elif re.match(r"\d+(-\d+)?\t", line) and sentences:
            cells = line.split("\t")
            found = sentence.find(cells[1], place)
            if found < 0 or not cells[1]:
                problem = f"the token {cells[1][:30]!r} is not in its sentence's text"
                raise entry.wrong(problem, number, hint="export the document again")
            place = found + len(cells[1])
            sentences[-1].append(_Token(offset + found, offset + place, cells, number))
        elif line.strip() and not line.lstrip().startswith("#"):
            raise entry.wrong("is no token of a sentence", number)
    return "\n".join(pieces), sentences


def _units(tokens: Sequence[_Token], place: int) -> list[_Unit]:
    """Units of one column: a tag continues the open unit of its label, else it begins one."""
    found: list[_Unit] = []
    before: list[int] = []
    for token in tokens:
        cell = token.cells[place].strip() if place < len(token.cells) else ""
        here: list[int] = []
        for tag in cell.split("|") if cell not in _NOTHING else ():
            name = tag[2:] if tag.startswith(("B-", "I-")) else tag
            held = next(
                (i for i in before if found[i].label == name and tag.startswith("I-")), None
            )
            if held is None:
                here.append(len(found))
                found.append(_Unit(token.start, token.end, name, token.line))
            else:
                before.remove(held)
                here.append(held)
                found[held] = found[held]._replace(end=token.end)
        before = here
    return sorted(found, key=lambda unit: (unit.start, unit.end))


FORMAT = Format(
    name="webanno-tsv2",
    title="WebAnno TSV 1 and 2",
    sniff=(
        # a sentence's number and text, then its first token; TSV 1 has neither layers nor a blank line
        Sniff(every=(Regex(rb"(?:^|\n)#id=\d+\r?\n#text=[^\n]*\n1-1\t"),), within=20_000),
        Sniff(begins=Regex(rb"\s*#id=\d+\r?\n#text=[^\n]*\n1\t[^\t\n]+(?:\t[^\t\n]*){8}\r?\n")),
    ),
    people="file",
    collect=by_files(read),
)
