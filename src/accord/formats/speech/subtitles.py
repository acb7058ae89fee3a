"""Subtitles: WebVTT, SubRip (`.srt`) and SubViewer as YouTube writes it (`.sbv`), in seconds.

A cue is a unit and its text is the label; where cues name a voice (`<v Ann>`), `--feature voice`
takes that instead. Styles, regions, notes and the marks inside of cues are left out.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from accord.data.clock import seconds_of
from accord.formats.export import Export
from accord.formats.format import Format, Regex, Sniff
from accord.formats.places import recordings

_TIME = r"([0-9]+:[0-9:]+[.,][0-9]{1,9})"
_TIMES = _TIME.encode()
_CUE = re.compile(rf"\s*{_TIME}\s*(?:-->|,)\s*{_TIME}(?:\s.*)?")
_TAG = re.compile(r"<[^<>]*>")
_VOICE = re.compile(r"<v(?:\.[^ <>]*)?\s+([^<>]+)>")
_ENDINGS = (".vtt", ".srt", ".sbv")


def collect(export: Export) -> None:
    """Every cue of every file."""
    export.unit = "seconds"
    for entry, sheet in recordings(export):
        cues = list(_cues(entry.text(), entry.path))
        if not cues:
            raise entry.wrong("holds no cue", hint="check the export")
        for line, start, end, text in cues:
            if end < start:
                export.leave_out("cue(s) that end before they start")
                continue
            voice = _VOICE.search(text)
            features = {"text": " ".join(html.unescape(_TAG.sub("", text)).split())}
            if voice is not None:
                features["voice"] = voice[1].strip()
                export.label_features[""] = "text"
            sheet.mark(start, end, features["text"] or None, "", features, line=line)


def _cues(text: str, path: str) -> Iterator[tuple[int, float, float, str]]:
    """Line, start, end and text of each cue: the lines after a time, up to a blank line."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    number = 0
    while number < len(lines):
        if re.match(r"(NOTE|STYLE|REGION)(\s|\Z)", lines[number]):
            while number < len(lines) and lines[number].strip():
                number += 1
            continue
        found = _CUE.fullmatch(lines[number])
        number += 1
        if found is None:
            continue
        begun = number
        while number < len(lines) and lines[number].strip():
            number += 1
        start, end = (seconds_of(time, path=path, line=begun) for time in found.groups())
        yield begun, start, end, "\n".join(lines[begun:number])


FORMAT = Format(
    name="subtitles",
    title="subtitles (WebVTT, SubRip, SBV)",
    sniff=(
        Sniff(begins=Regex(rb"WEBVTT(?:[ \t\r\n]|\Z)")),
        Sniff(endings=_ENDINGS),
        # a cue among the first lines
        Sniff(
            begins=Regex(rb"(?:[^\n]*\n){0,2}\s*" + _TIMES + rb"\s*-->\s*" + _TIMES + rb"(?:\s|\Z)")
        ),
    ),
    people="file",
    collect=collect,
)
