"""The explorer: a self-contained page in which a corpus of alignments can be looked through.

All documents are embedded as compact JSON; the page draws the visible part of one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.data.header import under_title
from accord.data.reading import Reading
from accord.errors import UsageError
from accord.report.palette import PATTERNS, paint
from accord.report.recording import Recording, recordings
from accord.report.scene import SECONDS, compact, looks, scenes, time_unit
from accord.report.template import page, style

#: what the explorer's page runs
SCRIPTS = ("explorer.js", "words.js", "recording.js")


@dataclass(frozen=True, slots=True)
class Explorer:
    """What the explorer's template needs: its data, and what had to stay out."""

    data: str
    one: bool
    #: a sentence when not every document fits, else an empty string
    left_out: str


def explorer(
    units: Units,
    alignments: Sequence[Alignment],
    *,
    most_bytes: int | None = None,
    time: str | None = None,
    media: str | Path | None = None,
    beside: Path | None = None,
    of_relations: Mapping[str, float] | None = None,
) -> Explorer:
    """Pack the alignments; when they exceed `most_bytes`, those of least disorder stay out.

    `media` is a recording, or a folder of them, `beside` the file the page will be. `of_relations` is the
    disorder of the relations of each document, which then decides instead of that of the units they link.
    """
    time = time_unit(units, time)
    heard = {} if media is None else _heard(units, alignments, media, time)
    packed: list[dict[str, Any]] = []
    used, whole = 0, len(alignments)
    decides = [(of_relations or {}).get(a.document, a.disorder) for a in alignments]
    order = np.argsort(-np.nan_to_num(decides), kind="stable")
    for drawn in scenes(units, [alignments[i] for i in order]):
        document = compact(drawn)
        if of_relations is not None:
            document["q"] = round(of_relations.get(drawn.document, 0.0), 4)
        if drawn.document in heard:
            _hear(document, heard[drawn.document], beside, time)
        size = len(json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode())
        if most_bytes is not None and used + size > most_bytes and packed:
            break
        used += size
        packed.append(document)
    left_out = ""
    if len(packed) < whole:
        left_out = (
            f"The {len(packed)} documents with the most disorder of {whole} are shown; "
            "accord align --csv lists them all."
        )
    data = {
        "categories": list(units.categories),
        "looks": [[p.hue, PATTERNS.index(p.pattern), p.ink] for p in looks(units)],
        "bare": [paint(-1).hue, 0, paint(-1).ink],
        "documents": packed,
        **({} if time is None else {"time": time}),
    }
    return Explorer(embeddable(data), whole == 1, left_out)


def alignment_html(
    units: Units,
    alignments: Sequence[Alignment],
    *,
    title: str = "Alignments",
    time: str | None = None,
    media: str | Path | None = None,
    beside: Path | None = None,
    of_relations: Mapping[str, float] | None = None,
    reading: Reading | None = None,
) -> str:
    """A page for a corpus: zoom, pan, details, filters, the text when there is one; no network.

    `media` is a recording (one document) or a folder of recordings named like the documents; the page plays
    them where they lie, so `beside`, the file the page is saved to, says how it reaches them.
    """
    packed = explorer(
        units, alignments, time=time, media=media, beside=beside, of_relations=of_relations
    )
    n = sum(len(a) for a in alignments)
    about = (
        f"{_count(len(alignments), 'document')}, {_count(len(units.annotators), 'annotator')}, "
        f"{_count(len(units), 'unit')} in {_count(n, 'unitary alignment')}"
    )
    return page(
        "alignments.html",
        *SCRIPTS,
        title=title,
        about=about,
        read=under_title(reading or units.reading),
        left_out=packed.left_out,
        explorer=packed,
        style=style("page.css", "chart.css", "explorer.css"),
    )


def _heard(
    units: Units, alignments: Sequence[Alignment], media: str | Path, time: str | None
) -> dict[str, Recording]:
    """The documents' recordings; offsets that are no time have no place in them."""
    if time is None:
        raise UsageError(
            "a recording needs to know what the offsets count: say `time`, s or ms (seconds or milliseconds)"
        )
    return recordings(media, [a.document for a in alignments])


def _hear(
    document: dict[str, Any], recording: Recording, beside: Path | None, time: str | None
) -> None:
    """Put the recording into the document, which then lasts as long as what is heard."""
    document["m"] = recording.compact(beside)
    if recording.seconds is not None and time is not None:
        low, high = document["x"]
        document["x"] = [low, max(high, recording.seconds * SECONDS[time])]


def embeddable(data: object) -> str:
    """JSON that may stand inside a script element as it is: no tag can end or begin in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}".replace(",", "\u202f")
