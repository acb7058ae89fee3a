"""Praat TextGrid, long and short: interval and point tiers, in seconds.

Interval tiers are annotators or layers (:mod:`accord.formats.speech.tiers`). Point tiers beside intervals
are read with `points` only. Intervals with empty text are gaps. Read directly rather than through
praatio, which reads files only and reports no line; praatio is the oracle in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from accord.data import Annotations, Units
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Sniff
from accord.formats.speech.tiers import check_tiers, distinct, tier_places
from accord.formats.writing import file_names, is_one_file, known_length, require_units, write_text

_TOKEN = re.compile(
    r'"((?:[^"]|"")*)"|(?<![^\s=])([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,4})?)(?![^\s])|<(\w+)>'
)


class _Word(NamedTuple):
    kind: str
    text: str
    line: int


def collect(export: Export) -> None:
    """Every labelled interval and point of every tier."""
    export.unit = "seconds"
    files = export.files
    for entry, document, annotator in tier_places(export, files):
        _read_file(entry, document, annotator, export)
    check_tiers(export, files)


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one file per document, one tier per annotator (several when units overlap)."""
    units = require_units(data, "TextGrid")
    lost: list[str] = []
    names = file_names(units.documents)
    documents = len(units.documents)
    single = is_one_file(path, (".textgrid",), documents, thing="document", format="textgrid")
    for d, document in enumerate(units.documents):
        target = path if single else path / f"{names[document]}.TextGrid"
        write_text(target, _written(units, d, lost))
    return lost


def _read_file(entry: Entry, document: str, annotator: str | None, export: Export) -> None:
    words = _Words(entry)
    header = [words.next("text"), words.next("text")]
    # Praat's own short header says it in one word less: "ooTextFile short" and "TextGrid"
    if header[0].text not in ("ooTextFile", "ooTextFile short") or header[1].text != "TextGrid":
        raise entry.wrong("is not a TextGrid", header[0].line)
    words.number()
    end = words.number()
    export.lengths[document] = max(end, export.lengths.get(document, 0.0))
    if words.next("flag").text != "exists":
        return
    tiers = [_read_tier(words) for _ in range(words.count())]
    # beside intervals, points are marks of another kind: boundaries, tones, clicks
    aside = not export.options.points and any(not tier.points for tier in tiers)
    for tier, name in zip(tiers, distinct([t.name for t in tiers]), strict=True):
        sheet = export.sheet(document, annotator or name)
        layer = name if annotator is not None else ""
        if tier.points and aside:
            layer = f"points {name}"
            if tier.marks:
                export.scaffolding.add(layer)
        else:
            export.see(document, sheet.annotator)
        for start, stop, label, line in tier.marks:
            sheet.mark(start, stop, label, layer, line=line)


class _Tier(NamedTuple):
    """A tier as the file has it: its name, whether it holds points, and what is marked in it."""

    name: str
    points: bool
    marks: list[tuple[float, float, str | None, int]]


def _read_tier(words: _Words) -> _Tier:
    kind = words.next("text")
    name = words.next("text").text
    words.number()
    words.number()
    size = words.count()
    if kind.text not in ("IntervalTier", "TextTier"):
        raise words.entry.wrong(f"has a tier of unknown class {kind.text[:30]!r}", kind.line)
    marks: list[tuple[float, float, str | None, int]] = []
    for _ in range(size):
        start = words.number()
        stop = words.number() if kind.text == "IntervalTier" else start
        label = words.next("text")
        if stop < start:
            raise words.entry.wrong("has an interval that ends before it starts", label.line)
        said = label.text.strip()
        # an interval without a text is a gap, a point without one is a point
        if said or kind.text == "TextTier":
            marks.append((start, stop, said or None, label.line))
    return _Tier(name, kind.text == "TextTier", marks)


class _Words:
    """The quoted texts, free-standing numbers and flags: all that Praat itself reads."""

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self._words = self._found(entry.text())

    def _found(self, text: str) -> Iterator[_Word]:
        line, place = 1, 0
        for match in _TOKEN.finditer(text):
            line += text.count("\n", place, match.start())
            place = match.start()
            if match[1] is not None:
                yield _Word("text", match[1].replace('""', '"'), line)
            elif match[2] is not None:
                yield _Word("number", match[2], line)
            else:
                yield _Word("flag", match[3], line)

    def next(self, kind: str) -> _Word:
        """The next word, which must be of this kind."""
        word = next(self._words, None)
        if word is None:
            raise self.entry.wrong("ends too early", hint="save it again from Praat")
        if word.kind != kind:
            problem = f"has {word.text[:30]!r} where a {kind} must stand"
            raise self.entry.wrong(problem, word.line)
        return word

    def number(self) -> float:
        """The next word as a time."""
        word = self.next("number")
        value = float(word.text)
        if abs(value) > 1e12:
            raise self.entry.wrong(f"has a time that is too large: {word.text[:30]}", word.line)
        return value

    def count(self) -> int:
        """The next word as a size."""
        word = self.next("number")
        if not word.text.isdigit() or len(word.text) > 9:
            raise self.entry.wrong(f"has a size that is no number: {word.text[:30]!r}", word.line)
        return int(word.text)


def _written(units: Units, d: int, lost: list[str]) -> str:
    length = known_length(units, d)
    tiers: list[tuple[str, list[tuple[float, float, str]]]] = []
    for a, annotator in enumerate(units.annotators):
        if not units.coverage[d, a]:
            continue
        here = (units.document == d) & (units.annotator == a)
        rows: list[list[tuple[float, float, str]]] = [[]]
        for s, e, c in zip(units.start[here], units.end[here], units.label[here], strict=True):
            label = units.categories[c] if c >= 0 else "?"
            if c < 0:
                lost.append("units without a label are written as '?': empty text is a gap")
            if not label.strip() or label != label.strip():
                lost.append("blanks around labels are not kept")
                label = label.strip() or "?"
            if e == s:
                lost.append(
                    "units of length zero cannot stand among intervals; they are not written"
                )
                continue
            row = next((r for r in rows if not r or r[-1][1] <= s), None)
            if row is None:
                rows.append(row := [])
            row.append((float(s), float(e), label))
        if len(rows) > 1:
            lost.append(
                f"overlapping units of annotator {annotator!r} are spread over {len(rows)} tiers"
            )
        for i, row in enumerate(rows):
            tiers.append((annotator if i == 0 else f"{annotator} #{i + 1}", row))
    head = (
        f'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0 \nxmax = {length!r} \n'
        f"tiers? <exists> \nsize = {len(tiers)} \nitem []: \n"
    )
    return head + "".join(_tier(i, n, r, length) for i, (n, r) in enumerate(tiers, start=1))


def _tier(number: int, name: str, row: Sequence[tuple[float, float, str]], length: float) -> str:
    intervals: list[tuple[float, float, str]] = []
    place = 0.0
    for start, end, label in row:
        if start > place:
            intervals.append((place, start, ""))
        intervals.append((start, end, label))
        place = end
    if place < length or not intervals:
        intervals.append((place, length, ""))
    lines = [
        f'    item [{number}]:\n        class = "IntervalTier" \n        name = {_quoted(name)} \n'
        f"        xmin = 0 \n        xmax = {length!r} \n"
        f"        intervals: size = {len(intervals)} \n"
    ]
    for i, (start, end, label) in enumerate(intervals, start=1):
        lines.append(
            f"        intervals [{i}]:\n            xmin = {start!r} \n"
            f"            xmax = {end!r} \n            text = {_quoted(label)} \n"
        )
    return "".join(lines)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


FORMAT = Format(
    name="textgrid",
    title="Praat TextGrid",
    sniff=(Sniff(every=(b"ooTextFile", b"TextGrid"), within=400, utf16=True),),
    people="tier",
    collect=collect,
    write=write,
    suffixes=(".TextGrid", ".textgrid"),
    holds=("units",),
)
