"""CHAT transcripts of CLAN (`.cha`): utterances of speakers, with their times in milliseconds.

An utterance is a unit, its speaker the label and its words the feature `text`. The dependent tiers
(`%cod`, `%act` …) are layers over the same times, read when they are named (`--layer %cod`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from accord.errors import InputError
from accord.files.text import decode
from accord.formats.export import Export, Mark
from accord.formats.format import Format
from accord.formats.places import recordings
from accord.formats.sniff import Regex, Sniff

_BULLET = re.compile('\x15(?:%[^\x15"]*:"[^\x15"]*"_)?(\\d{1,12})_(\\d{1,12})(?:-)?\x15')
_TIER = re.compile(r"([*%][^:\t]+):\t?(.*)", re.DOTALL)
_UTTERANCES = "utterances"


def collect(export: Export) -> None:
    """Every utterance and every dependent line that stands below one with a time."""
    export.unit = "milliseconds"
    files = export.files
    for entry, document, annotator in recordings(export.tree, files, export.options, export):
        export.see(document, annotator)
        _read_file(decode(entry.read(), entry.path), entry.path, document, annotator, export)
    export.label_features[_UTTERANCES] = "speaker"


def _read_file(text: str, path: str, document: str, annotator: str, export: Export) -> None:
    times: tuple[int, int] | None = None
    found = False
    for number, line in _lines(text):
        tier = _TIER.fullmatch(line)
        if tier is None:
            continue
        name, content = tier[1], tier[2]
        bullets = _BULLET.findall(content)
        words = " ".join(_BULLET.sub(" ", content).split())
        if name.startswith("*"):
            times = (int(bullets[0][0]), int(bullets[-1][1])) if bullets else None
            if times is None:
                export.ignored["utterances without a time were left out"] += 1
                continue
            if times[1] < times[0]:
                raise InputError(
                    "has an utterance that ends before it starts", path=path, line=number
                )
            found = True
            features = {"speaker": name[1:].strip(), "text": words}
            export.marks.append(
                Mark(
                    document,
                    annotator,
                    *times,
                    name[1:].strip(),
                    _UTTERANCES,
                    features,
                    line=number,
                )
            )
        elif times is not None:
            export.scaffolding.add(name)
            export.marks.append(Mark(document, annotator, *times, words or None, name, line=number))
    if not found:
        raise InputError(
            "holds no utterance with a time",
            path=path,
            hint="link the transcript to its recording in CLAN, or export a table",
        )


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
