"""RTTM and UEM: who speaks when, in seconds; one RTTM file per annotator or system.

`SPEAKER file channel start duration <NA> <NA> speaker <NA> <NA>`. A `.uem` beside it gives the
extent of each recording and the recordings that were seen, even if nobody speaks in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from accord.data import Annotations
from accord.files.archive import Entry
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import places
from accord.formats.writing import file_names, is_one_file, known_length, require_units, write_text

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?")
_BLANK = re.compile(r"\s+")


def collect(export: Export) -> None:
    """Every speaker turn; each file is one annotator."""
    export.unit = "seconds"
    files = [e for e in export.files if e.suffix != ".uem"]
    extents = [row for e in export.tree.ending(".uem") for row in _read_uem(e)]
    begins = {name: start for name, start, _ in extents}
    for name, _, end in extents:
        export.lengths[name] = max(end, export.lengths.get(name, 0.0))
    if any(begins.values()):
        export.record.assume("scored regions (UEM) begin at 0")
    for entry, _, annotator in places(export.tree, files, export.options, default="file"):
        for name in begins:
            # the extents name every recording beside every file
            export.see(name, export.options.annotator or annotator)
        _read_file(entry, annotator, export)


def write(data: Annotations, path: Path) -> Sequence[str]:
    """Write one file per annotator, `<annotator>.rttm`, and the extents as a `.uem` beside."""
    units = require_units(data, "RTTM")
    lost: list[str] = []
    people = len(units.annotators)
    single = is_one_file(path, (".rttm",), people, thing="annotator", format="rttm")
    files = file_names(units.annotators)
    rows: dict[str, list[str]] = {annotator: [] for annotator in units.annotators}
    for unit in units:
        label = "<NA>" if unit.label is None else _BLANK.sub("_", unit.label) or "_"
        document = _BLANK.sub("_", unit.document) or "_"
        if label != unit.label or document != unit.document:
            lost.append("blanks in names are written as '_', missing labels as <NA>")
        rows[unit.annotator].append(
            f"SPEAKER {document} 1 {unit.start!r} {_duration(unit.start, unit.end)!r} "
            f"<NA> <NA> {label} <NA> <NA>\n"
        )
    for annotator, lines in rows.items():
        target = path if single else path / f"{files[annotator]}.rttm"
        write_text(target, "".join(lines))
    uem = path.with_suffix(".uem") if single else path / "all.uem"
    extents = (known_length(units, d) for d in range(len(units.documents)))
    write_text(
        uem,
        "".join(
            f"{_BLANK.sub('_', name) or '_'} NA 0.0 {length!r}\n"
            for name, length in zip(units.documents, extents, strict=True)
        ),
    )
    if not units.coverage.all():
        lost.append(
            "who worked on what: RTTM takes every annotator to have worked on every recording"
        )
    return lost


def _duration(start: float, end: float) -> float:
    """A duration that gives the same end again when it is added to the start."""
    duration = end - start
    for candidate in (duration, round(duration, 9), round(duration, 6)):
        if start + candidate == end:
            return candidate
    return duration


def _rows(entry: Entry) -> Iterator[tuple[int, list[str]]]:
    """The cells of each row that is no comment, with its line."""
    for number, line in enumerate(entry.text().split("\n"), start=1):
        cells = line.split()
        if cells and not cells[0].startswith(";;"):
            yield number, cells


def _read_file(entry: Entry, annotator: str, export: Export) -> None:
    for number, cells in _rows(entry):
        if cells[0] != "SPEAKER":
            export.leave_out(f"{cells[0][:20]} rows")
            continue
        if len(cells) < 8:
            problem = f"has {len(cells)} fields where SPEAKER rows have 8 or more"
            raise entry.wrong(problem, number)
        start = _number(cells[3], entry, number)
        end = start + _number(cells[4], entry, number)
        # 0.3 + 0.6 is 0.8999999999999999: nobody measures below a microsecond
        end = round(end, 6) if abs(end - round(end, 6)) < 1e-9 else end
        if end < start:
            raise entry.wrong("has a negative duration", number)
        label = None if cells[7] == "<NA>" else cells[7]
        export.see(cells[1], annotator).mark(start, end, label, line=number)


def _read_uem(entry: Entry) -> Iterator[tuple[str, float, float]]:
    for number, cells in _rows(entry):
        if len(cells) < 4:
            raise entry.wrong("must be: file channel start end", number)
        yield cells[0], _number(cells[2], entry, number), _number(cells[3], entry, number)


def _number(text: str, entry: Entry, line: int) -> float:
    if _NUMBER.fullmatch(text) is None or abs(float(text)) > 1e12:
        raise entry.wrong(f"has a time that is no number: {text[:20]!r}", line)
    return float(text)


FORMAT = Format(
    name="rttm",
    title="RTTM and UEM (speaker turns)",
    sniff=(
        Sniff(
            begins=Regex(
                rb"(;;[^\n]*\n|\s)*(SPEAKER|SPKR-INFO|LEXEME|SEGMENT|NON-SPEECH|SU|FILLER)"
                rb"\s+\S+\s+\S+\s+(\S+)\s+(\S+)"
            )
        ),
        Sniff(endings=(".rttm",), empty=True),
    ),
    people="file",
    collect=collect,
    beside=(".uem",),
    write=write,
    suffixes=(".rttm",),
    holds=("units",),
)
