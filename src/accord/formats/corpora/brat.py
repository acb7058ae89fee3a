"""brat standoff: `.txt` and `.ann` side by side, one folder per annotator.

`T1⇥Type 4 17⇥text` is a unit, `4 9;12 17` a discontinuous one. Relations (`R`), equivalences (`*`),
events (`E`), attributes (`A`, `M`), normalisations (`N`) and notes (`#`) hold no units: they are
counted, and written again when brat is. Attributes of units become features, so that `--feature
Confidence` reads them as labels.

Stenetorp, P. et al. (2012). brat: a Web-based Tool for NLP-Assisted Text Annotation. EACL.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from accord.data import Annotations
from accord.data.statements import Statement, matched
from accord.data.units import Unit
from accord.errors import some
from accord.files.archive import Entry
from accord.files.text import decode
from accord.formats.corpora.standoff import LETTERS, one_word, parsed, unit_line, written
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.offsets import Span
from accord.formats.places import by_place
from accord.formats.writing import by_annotator, write_text

_UNIT = re.compile(r"(\S+) (\d{1,15} \d{1,15}(?:;\d{1,15} \d{1,15})*)")
_BREAKS = re.compile(r"[\r\n\t]+")
_KINDS = {"R": "relation", "E": "event", "*": "equivalence"}
_IGNORED = {"#": "annotator notes (#)", "N": "normalisations (N)"}


def collect(export: Export) -> None:
    """Everything in the `.ann` files, checked against the `.txt` beside each."""
    files = export.tree.ending(".ann") or [e for e in export.tree if e.suffix != ".txt"]
    orphans: dict[str, None] = {}
    # annotators' folders usually repeat the same texts: each is decoded once
    known: dict[bytes, str] = {}

    def read_one(entry: Entry, document: str, annotator: str) -> None:
        sheet = export.see(document, annotator)
        text_entry = export.tree.find(entry.without_suffix() + ".txt")
        text = None
        if text_entry is None:
            orphans[entry.name] = None
        else:
            raw = text_entry.read()
            text = known.get(raw)
            if text is None:
                text = known[raw] = decode(raw, text_entry.path, keep_mark=True)
        _read_file(entry, text, sheet)

    by_place(export, files, read_one, default="folder")
    if orphans:
        export.notes.append(
            f"no .txt beside {some(list(orphans))}: offsets were not checked against the text"
        )


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one folder per annotator, a `.txt` and an `.ann` per document.

    Without texts, blanks stand in for them, so that brat can show the units where they are.
    """
    lost: list[str] = []
    for one in by_annotator(data, "brat", lost):
        lines = _lines(one.units, one.text, one.said, lost)
        base = path / one.folder / one.file
        write_text(base.with_name(base.name + ".txt"), one.text)
        write_text(base.with_name(base.name + ".ann"), "".join(lines))
    return lost


def _lines(
    rows: Sequence[Unit], text: str, said: Sequence[Statement], lost: list[str]
) -> list[str]:
    """The lines of one file: units under the names they had, and what else was said of them.

    A line that speaks of a unit, relation or event that is no longer there goes with it.
    """
    known, others, fallen = matched(rows, said)
    if fallen:
        lost.append(
            "what was said of units that are left out: their relations, attributes and notes"
        )
    taken = {one.name for one in said}
    lines: list[str] = []
    number = 0
    for row, one in zip(rows, known, strict=True):
        label = _word(row.label or "_", lost)
        if one is not None:
            lines.append(unit_line(one.name, label, one.places, text))
            continue
        number += 1
        while f"T{number}" in taken:
            number += 1
        lines.append(unit_line(f"T{number}", label, ((row.start, row.end),), text))
    lines.extend(written(_in_words(one, lost)) for one in others)
    return [f"{line}\n" for line in lines]


def _in_words(one: Statement, lost: list[str]) -> Statement:
    """Types and roles without blanks, values on one line."""
    if one.kind == "line":
        return one
    targets = tuple((_word(role, lost) if role else "", name) for role, name in one.targets)
    value = one.value if one.kind == "normalisation" else _BREAKS.sub(" ", one.value)
    if value != one.value:
        lost.append("line ends in notes and values are written as blanks")
    if one.kind == "relation":
        value = ""  # brat's relations have a direction and nothing else
    return one._replace(label=_word(one.label, lost), targets=targets, value=value)


def _word(label: str, lost: list[str]) -> str:
    word = one_word(label)
    if word != label:
        lost.append(f"label {label!r} is written {word!r}: brat has no blanks in types")
    return word


def _read_file(entry: Entry, text: str | None, sheet: Sheet) -> None:
    export = sheet.export
    spans: list[Span] = []
    groups: list[tuple[str, str, slice]] = []
    attributes: dict[str, dict[str, str]] = {}
    for number, line in enumerate(entry.text().split("\n"), start=1):
        kind = line[:1]
        if kind and kind in LETTERS:
            sheet.say(parsed(line.rstrip("\r")))
        if kind == "T":
            _read_unit(line, number, entry, spans, groups)
        elif kind in "AM" and kind:
            _read_attribute(line, attributes, export)
        elif kind in _KINDS:
            what = line.split("\t")[1:2]
            name = (what[0].split(" ")[0].split(":")[0] if what else "") or "(unnamed)"
            export.relations[f"{_KINDS[kind]} {name}"] += 1
        elif kind in _IGNORED:
            export.leave_out(_IGNORED[kind])
        elif line.strip():
            hint = "lines start with T, R, E, A, M, N, # or *"
            raise entry.wrong(f"is not a brat line: {line[:40]!r}", number, hint=hint)
    places = sheet.settle(text, spans, entry.path)
    for span in spans if text is None else ():
        export.add_words(sheet.document, span, entry.path)
    for name, label, held in groups:
        line, features = spans[held.start].line, attributes.get(name)
        sheet.mark_pieces(places[held], label, "", features, line=line, name=name)


def _read_unit(
    line: str, number: int, entry: Entry, spans: list[Span], groups: list[tuple[str, str, slice]]
) -> None:
    cells = line.rstrip("\r").split("\t", 2)
    match = _UNIT.fullmatch(cells[1]) if len(cells) > 1 else None
    if match is None:
        hint = "it must be T1<tab>Type start end<tab>text"
        raise entry.wrong(f"is not a brat unit: {line[:40]!r}", number, hint=hint)
    covered = cells[2] if len(cells) > 2 else None
    first = len(spans)
    pairs = [tuple(map(int, piece.split(" "))) for piece in match[2].split(";")]
    # brat joins the fragments' texts by blanks: each is checked by itself
    texts = [covered] if len(pairs) == 1 else _cut(covered, pairs)
    for (start, end), part in zip(pairs, texts, strict=True):
        spans.append(Span(start, end, part, cells[0], number))
    groups.append((cells[0], match[1], slice(first, len(spans))))


def _cut(covered: str | None, pairs: Sequence[tuple[int, ...]]) -> list[str | None]:
    """The covered text of each fragment, when the lengths add up."""
    sizes = [end - start for start, end in pairs]
    if covered is None or sum(sizes) + len(sizes) - 1 != len(covered):
        return [None] * len(sizes)
    parts: list[str | None] = []
    place = 0
    for size in sizes:
        parts.append(covered[place : place + size])
        place += size + 1
    return parts


def _read_attribute(line: str, attributes: dict[str, dict[str, str]], export: Export) -> None:
    cells = line.rstrip("\r").split("\t")
    words = cells[1].split(" ") if len(cells) > 1 else []
    if len(words) >= 2 and words[1][:1] == "T":
        attributes.setdefault(words[1], {})[words[0]] = " ".join(words[2:]) or "true"
    else:
        export.leave_out("attributes of relations and events (A, M)")


FORMAT = Format(
    name="brat",
    title="brat standoff (.ann beside .txt)",
    sniff=(
        Sniff(endings=(".ann",), empty=True),
        Sniff(endings=(".ann",), begins=Regex(rb"[\r\n]*[TREAMN#*]\d*\t")),
        Sniff(
            begins=Regex(
                rb"T\d+\t\S+ \d+ \d+(;\d+ \d+)*(\t|\r?\n|\Z)|[RE]\d+\t\S+|A\d+\t|#\d+\t|\*\t"
            )
        ),
    ),
    people="folder",
    collect=collect,
    beside=(".txt",),
    write=write,
    holds=("units", "relations"),
)
