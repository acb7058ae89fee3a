"""An alignment drawn: one row per annotator, boxes for units, links between what belongs together.

Figure 1 of Mathet & Widlöcher (2011, *Une approche holiste et unifiée de l'alignement et de la
mesure d'accord inter-annotateurs*, TALN), with labels, disorder and singletons added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.errors import UsageError
from accord.files.atomic import write_text
from accord.report.arcs import RISE, arcs, arrow_head
from accord.report.palette import heat, paint, pattern_definitions
from accord.report.scene import SECONDS, Scene, scene, time_unit
from accord.report.svg import (
    clock,
    clock_ticks,
    drawing,
    element,
    escaped,
    line,
    shortened,
    tick_labels,
    ticks,
    words,
)

_LANE, _LINK, _TOP, _STRIP = 24.0, 26.0, 44.0, 46.0
#: width of a character of the text under the units
_LETTER = 7.2
_AS_TYPED = "font-family:monospace;white-space:pre"
#: characters of a text that is shown under its units
_READABLE = 20_000
#: what is wider goes on below
_PAGE = 1_000.0
#: from a place on the continuum to one on the drawing
Place = Callable[[float], float]


def alignment_svg(
    units: Units, alignment: Alignment, *, width: float | None = None, time: str | None = None
) -> str:
    """One document as a standalone SVG.

    Singletons have a dashed outline, links and the strip below turn from grey to vermillion with
    the disorder of their unitary alignment, and a link that passes over an annotator who marked
    nothing there is dashed. The drawing is as wide as its units need, or as `width` says; what needs
    more than a page is wide goes on below, like lines of a text, cut between words where the text is
    known. `time` "s" or "ms" writes the axis in minutes and seconds, unless the data
    say themselves what their offsets count.
    """
    time = time_unit(units, time)
    drawn = scene(units, alignment)
    left = 28 + 7.0 * min(max(8, *(len(a) for a in drawn.annotators)), 20)
    wide, edges = _bands(drawn, width, left)
    tops, base = _rows(drawn)
    # (one title above all bands)
    base, tops = base - _TOP + 10, [y - _TOP + 10 for y in tops]
    about = _about(drawn)
    parts = [
        pattern_definitions("p-"),
        *([element("defs", arrow_head("p-"))] if drawn.relations else []),
        words(drawn.document, 14, 22, "strong", style="font-size:15px"),
        words(about, wide - 14, 22, "soft", anchor="end"),
    ]  # fmt: skip
    y = _TOP - 10
    for low, high in pairwise(edges):
        band, tall = _band(drawn, units.categories, (low, high), wide, left, tops, base, time)
        parts.append(element("g", *band, transform=f"translate(0,{y:.1f})"))
        y += tall
    parts += _key(drawn, units.categories, left, y + 26, wide)
    tall = y + 44 + 20 * _key_lines(drawn, units.categories, left, wide)
    return drawing(
        wide,
        tall,
        *parts,
        title=f"Alignment of {drawn.document}",
        description=f"{len(drawn.annotators)} annotators, {about}",
    )


def _about(drawn: Scene) -> str:
    if not len(drawn.start):
        return "nobody marked a unit here"
    proof = "ideal" if drawn.gap == 0 else f"within {drawn.gap:.3g} of ideal"
    return (
        f"disorder {drawn.disorder:.3f} ({proof}) · {len(drawn.start)} units in "
        f"{len(drawn.groups)} alignments · {int(drawn.alone.sum())} alone"
    )


def _bands(drawn: Scene, width: float | None, left: float) -> tuple[float, list[float]]:
    """How wide the drawing is, and where the continuum is cut into lines."""
    low, high = drawn.extent
    wide = width or _natural_width(drawn)
    if width is not None or wide <= _PAGE:
        return wide, [low, high]
    count = math.ceil((wide - left - 16) / (_PAGE - left - 16))
    edges = [low + (high - low) * k / count for k in range(count + 1)]
    if drawn.text is not None:
        edges[1:-1] = [_word_start(drawn.text, round(x)) for x in edges[1:-1]]
    return _PAGE, [x for x, y in pairwise(edges) if x < y] + [high]


def _word_start(text: str, place: int) -> float:
    """The beginning of the word around a place."""
    while 0 < place < len(text) and not text[place - 1].isspace():
        place -= 1
    return float(place)


def _band(
    drawn: Scene,
    categories: Sequence[str],
    span: tuple[float, float],
    wide: float,
    left: float,
    tops: list[float],
    base: float,
    time: str | None,
) -> tuple[list[str], float]:
    """One line of the drawing, and its height."""
    low, high = span

    def px(v: float) -> float:
        inside = min(max(v, low), high)
        return left + (inside - low) / (high - low) * (wide - left - 16)

    shown = (drawn.end > low) & (drawn.start < high) | (drawn.start == low) & (drawn.end == low)
    shown |= (drawn.start == high) & (high == drawn.extent[1])
    parts = []
    for a, name in enumerate(drawn.annotators):
        h = _LANE * drawn.lanes[a]
        parts.append(
            element("rect", x=left, y=tops[a] - 2, width=wide - left - 16, height=h + 2, rx=3,
                    class_="row")
        )  # fmt: skip
        parts.append(words(shortened(name, 20), left - 12, tops[a] + h / 2 + 4, anchor="end"))
    parts += _links(drawn, px, tops, shown)
    parts += _boxes(drawn, categories, px, tops, shown)

    def top_of(unit: int) -> float:
        return float(tops[drawn.row[unit]] + _LANE * drawn.lane[unit])

    parts += arcs(drawn, categories, px, top_of, shown, "p-")
    if drawn.text is not None:
        covered = drawn.text[max(0, math.floor(low)) : math.ceil(high)].rstrip()
        if covered and wide >= left + 16 + _LETTER * 0.9 * len(covered):
            base += 20
            start = max(0.0, math.floor(low))
            long = px(start + len(covered)) - px(start)
            parts.append(words(covered, px(start), base - 7, textLength=long, style=_AS_TYPED))
    parts += _axis(span, px, base, wide - 16, left, time)
    parts += _strip(drawn, span, px, base + 34, left, wide - 16)
    return parts, base + 34 + _STRIP + 10


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """An alignment that shows itself in a notebook and saves itself in the format of the suffix."""

    units: Units
    alignments: tuple[Alignment, ...]
    #: "s" or "ms" for an axis in minutes and seconds
    time: str | None = None
    #: a recording, or a folder of recordings named like the documents, for the explorer
    media: str | Path | None = None

    def svg(self) -> str:
        """The drawing of the first document."""
        return alignment_svg(self.units, self.alignments[0], time=self.time)

    def html(self, *, beside: Path | None = None) -> str:
        """The explorer of all documents; `beside` is the file it will be, when it has recordings."""
        from accord.report.explorer import alignment_html

        return alignment_html(
            self.units, self.alignments, time=self.time, media=self.media, beside=beside
        )

    def save(self, path: str | Path) -> None:
        """Write .svg, .png or .pdf (the first document) or .html (all)."""
        target = Path(path)
        if target.suffix == ".html":
            write_text(target, self.html(beside=target))
        elif target.suffix == ".svg":
            write_text(target, self.svg())
        elif target.suffix in (".png", ".pdf"):
            from accord.report.plot import save_alignment

            save_alignment(self.units, self.alignments[0], target)
        else:
            raise UsageError(
                f"a drawing is saved as .svg, .html, .png or .pdf, got {target.suffix or path!r}"
            )

    def _repr_html_(self) -> str:
        if len(self.alignments) == 1:
            return f'<div style="overflow-x:auto">{self.svg()}</div>'
        from html import escape

        return (
            f'<iframe srcdoc="{escape(self.html())}" style="width:100%;height:720px;border:0" '
            'title="Alignments"></iframe>'
        )


def draw(
    units: Units,
    alignments: Alignment | Sequence[Alignment],
    *,
    time: str | None = None,
    media: str | Path | None = None,
) -> Drawing:
    """The alignment of one document, or of several, ready to be shown or saved.

    `time` "s" or "ms" writes the axis in minutes and seconds; `media` is a recording of the document, or a
    folder of recordings named like the documents, which the page plays.
    """
    if isinstance(alignments, Alignment):
        return Drawing(units, (alignments,), time, media)
    if not alignments:
        raise UsageError("there is no alignment to draw: the data have no document")
    return Drawing(units, tuple(alignments), time, media)


def _natural_width(drawn: Scene) -> float:
    """Room for about 42 pixels a unit of the busiest annotator, and for the text unless it is a book."""
    busiest = max((int((drawn.row == a).sum()) for a in range(len(drawn.annotators))), default=0)
    letters = 0 if drawn.text is None else len(drawn.text)
    text = 170 + _LETTER * letters if letters <= _READABLE else 0.0
    return max(900.0, 42.0 * busiest, text)


def _rows(drawn: Scene) -> tuple[list[float], float]:
    """Top of each annotator's row, and where the rows end."""
    # (arcs rise above the first row)
    tops, y = [], _TOP + (RISE if drawn.relations else 0.0)
    for lanes in drawn.lanes:
        tops.append(y)
        y += _LANE * lanes + _LINK
    return tops, y - _LINK + 6


def _boxes(
    drawn: Scene,
    categories: Sequence[str],
    px: Place,
    tops: list[float],
    shown: NDArray[np.bool_],
) -> list[str]:
    alone = drawn.alone
    disorder = {i: drawn.disorders[k] for k, g in enumerate(drawn.groups) for i in g}
    gaps: dict[int, list[tuple[float, float]]] = {}
    for i, begin, stop in drawn.gaps:
        gaps.setdefault(i, []).append((begin, stop))
    parts = []
    for i in np.flatnonzero(shown).tolist():
        x, w = px(drawn.start[i]), max(px(drawn.end[i]) - px(drawn.start[i]), 1.5)
        y = tops[drawn.row[i]] + _LANE * drawn.lane[i]
        look = drawn.look(i)
        label = categories[drawn.label[i]] if drawn.label[i] >= 0 else "no label"
        tip = (
            f"{drawn.annotators[drawn.row[i]]}: {label} [{drawn.start[i]:g}, {drawn.end[i]:g}), "
            f"disorder {disorder.get(i, 0.0):.3f}" + (", alone" if alone[i] else "")
        )
        shape = {"x": x, "y": y, "width": w, "height": _LANE - 3, "rx": min(3.0, w / 3)}
        inside = [
            element("title", escaped(tip)),
            element("rect", fill=look.hue, class_="box alone" if alone[i] else "box", **shape),
        ]
        if look.pattern != "plain":
            inside.append(element("rect", fill=f"url(#p-{look.pattern})", **shape))
        # what a unit leaves out is a thin line
        for begin, stop in gaps.get(i, ()):
            inside += [
                element("rect", class_="gap", x=px(begin), y=y + top, width=px(stop) - px(begin),
                        height=(_LANE - 7) / 2)
                for top in (-1, (_LANE - 3) / 2 + 2)
            ]  # fmt: skip
        room = int((w - 6) / 6.6)
        if room >= 3 and drawn.label[i] >= 0:
            inside.append(
                words(
                    shortened(label, room),
                    x + w / 2,
                    y + 15,
                    "small",
                    anchor="middle",
                    style=look.on,
                )
            )
        parts.append(element("g", *inside))
    return parts


def _links(drawn: Scene, px: Place, tops: list[float], shown: NDArray[np.bool_]) -> list[str]:
    parts = []
    for k, group in enumerate(drawn.groups):
        colour = heat(drawn.disorders[k] / drawn.most)
        for i, j in pairwise(group):
            if not (shown[i] and shown[j]):
                continue
            x1, x2 = (px((drawn.start[m] + drawn.end[m]) / 2) for m in (i, j))
            y1 = tops[drawn.row[i]] + _LANE * drawn.lane[i] + _LANE - 3
            y2 = tops[drawn.row[j]] + _LANE * drawn.lane[j]
            half = (y1 + y2) / 2
            parts.append(
                line(
                    f"M{x1:.1f},{y1:.1f}C{x1:.1f},{half:.1f} {x2:.1f},{half:.1f} {x2:.1f},{y2:.1f}",
                    "link",
                    stroke=colour,
                    stroke_dasharray="3 3" if drawn.row[j] - drawn.row[i] > 1 else None,
                )
            )
    return parts


def _axis(
    span: tuple[float, float], px: Place, y: float, right: float, left: float, time: str | None
) -> list[str]:
    about = max(4, int((right - left) / 110))
    marks = ticks(*span, about)
    shown = tick_labels(marks)
    if time is not None:
        scale = SECONDS[time]
        seconds = clock_ticks(span[0] / scale, span[1] / scale, about)
        marks, shown = [v * scale for v in seconds], [clock(v) for v in seconds]
    parts = [line(f"M{left:.1f},{y:.1f}H{right:.1f}", "axis")]
    for v, t in zip(marks, shown, strict=True):
        parts.append(line(f"M{px(v):.1f},{y:.1f}v4", "axis"))
        parts.append(words(t, px(v), y + 17, "soft small", anchor="middle"))
    return parts


def _strip(
    drawn: Scene, span: tuple[float, float], px: Place, y: float, left: float, right: float
) -> list[str]:
    """The disorder of each unitary alignment, where it is."""
    parts = [
        words("disorder", left - 12, y + _STRIP - 14, "soft small", anchor="end"),
        line(f"M{left:.1f},{y + _STRIP - 10:.1f}H{right:.1f}", "grid"),
    ]
    for k, group in enumerate(drawn.groups):
        centre = sum((drawn.start[i] + drawn.end[i]) / 2 for i in group) / len(group)
        if not (span[0] <= centre < span[1] or centre == drawn.extent[1] == span[1]):
            continue
        x = px(centre)
        share = drawn.disorders[k] / drawn.most
        foot, top = y + _STRIP - 10, y + _STRIP - 10 - share * (_STRIP - 18)
        colour = heat(share)
        parts.append(
            element("path", d=f"M{x:.1f},{foot:.1f}V{top:.1f}", stroke=colour, stroke_width=2)
        )
        hollow = len(group) == 1
        parts.append(
            element(
                "circle",
                cx=x,
                cy=top,
                r=3,
                stroke=colour,
                stroke_width=1.5,
                fill="#fff" if hollow else colour,
            )
        )
    return parts


def _key_places(
    drawn: Scene, categories: Sequence[str], left: float, wide: float
) -> Iterator[tuple[int, str, float, int]]:
    x, row = left, 0
    for c in sorted(set(drawn.label.tolist())):
        name = categories[c] if c >= 0 else "no label"
        span = 30 + 6.8 * min(len(name), 28)
        if x + span > wide - 16 and x > left:
            x, row = left, row + 1
        yield c, name, x, row
        x += span


def _key_lines(drawn: Scene, categories: Sequence[str], left: float, wide: float) -> int:
    return max((row for *_, row in _key_places(drawn, categories, left, wide)), default=0)


def _key(drawn: Scene, categories: Sequence[str], left: float, y: float, wide: float) -> list[str]:
    parts = []
    for c, name, x, row in _key_places(drawn, categories, left, wide):
        look = drawn.looks[c] if c >= 0 else paint(c)
        at = {"x": x, "y": y + 20 * row - 10, "width": 13, "height": 13, "rx": 2}
        parts.append(element("rect", fill=look.hue, class_="box", **at))
        if look.pattern != "plain":
            parts.append(element("rect", fill=f"url(#p-{look.pattern})", **at))
        parts.append(words(shortened(name, 28), x + 18, y + 20 * row + 1, "small"))
    return parts
