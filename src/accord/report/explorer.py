"""The explorer: a self-contained page in which a corpus of alignments can be looked through.

All documents are embedded as compact JSON; the page draws the visible part of one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.report.palette import PATTERNS, paint
from accord.report.scene import compact, looks, scenes
from accord.report.template import render, script, style


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
) -> Explorer:
    """Pack the alignments; when they exceed `most_bytes`, those of least disorder stay out."""
    packed: list[dict[str, Any]] = []
    used, whole = 0, len(alignments)
    order = np.argsort([-np.nan_to_num(a.disorder) for a in alignments], kind="stable")
    for drawn in scenes(units, [alignments[i] for i in order]):
        document = compact(drawn)
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
) -> str:
    """A page for a corpus: zoom, pan, details, filters, the text when there is one; no network."""
    packed = explorer(units, alignments, time=time)
    n = sum(len(a) for a in alignments)
    about = (
        f"{_count(len(alignments), 'document')}, {_count(len(units.annotators), 'annotator')}, "
        f"{_count(len(units), 'unit')} in {_count(n, 'unitary alignment')}"
    )
    return render(
        "alignments.html",
        title=title,
        about=about,
        left_out=packed.left_out,
        explorer=packed,
        style=style("page.css", "chart.css", "explorer.css"),
        script=script("explorer.js"),
    )


def embeddable(data: object) -> str:
    """JSON that may stand inside a script element as it is: no tag can end or begin in it."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}".replace(",", "\u202f")
