"""CHAT transcripts of CLAN (`.cha`): utterances of speakers, with their times in milliseconds.

An utterance is a unit, its speaker the label and its words the feature `text`. The dependent tiers
(`%cod`, `%act` …) are layers over the same times, read when they are named (`--layer %cod`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.files.archive import Entry
from accord.formats.export import Export, Sheet
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import recordings

_BULLET = re.compile('\x15(?:%[^\x15"]*:"[^\x15"]*"_)?(\\d{1,12})_(\\d{1,12})(?:-)?\x15')
_TIER = re.compile(r"([*%][^:\t]+):\t?(.*)", re.DOTALL)
_UTTERANCES = "utterances"


def collect(export: Export) -> None:
    """Every utterance and every dependent line that stands below one with a time."""
    export.unit = "milliseconds"
    for entry, sheet in recordings(export):
        _read_file(entry, sheet)
    export.label_features[_UTTERANCES] = "speaker"


def _read_file(entry: Entry, sheet: Sheet) -> None:
    times: tuple[int, int] | None = None
    found = False
    for number, line in _lines(entry.text()):
        tier = _TIER.fullmatch(line)
        if tier is None:
            continue
        name, content = tier[1], tier[2]
        bullets = _BULLET.findall(content)
        words = " ".join(_BULLET.sub(" ", content).split())
        if name.startswith("*"):
            times = (int(bullets[0][0]), int(bullets[-1][1])) if bullets else None
            if times is None:
                sheet.export.leave_out("utterances without a time")
                continue
            if times[1] < times[0]:
                raise entry.wrong("has an utterance that ends before it starts", number)
            found = True
            speaker = name[1:].strip()
            features = {"speaker": speaker, "text": words}
            sheet.mark(*times, speaker, _UTTERANCES, features, line=number)
        elif times is not None:
            sheet.export.scaffolding.add(name)
            sheet.mark(*times, words or None, name, line=number)
    if not found:
        hint = "link the transcript to its recording in CLAN, or export a table"
        raise entry.wrong("holds no utterance with a time", hint=hint)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with what continues them: a line that begins with a tab belongs to the one above."""
    held, begun = "", 0
    for number, line in enumerate(text.split("\n"), 1):
        line = line.rstrip("\r")
        if line.startswith("\t") and held:
            held += " " + line.strip()
            continue
        if held:
            yield begun, held
        held, begun = line, number
    if held:
        yield begun, held


FORMAT = Format(
    name="chat",
    title="CHAT transcript (CLAN)",
    sniff=(Sniff(begins=Regex(rb"(?s)(?:.{0,4095}\n)??@Begin\s*\n"), every=(b"\n*",)),),
    people="file",
    collect=collect,
)
