"""An alignment drawn: one row per annotator, boxes for units, links between what belongs together.

Figure 1 of Mathet & Widlöcher (2011, *Une approche holiste et unifiée de l'alignement et de la
mesure d'accord inter-annotateurs*, TALN), with labels, disorder and singletons added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.errors import UsageError
from accord.formats.atomic import write_text
from accord.report.palette import heat, paint, pattern_definitions
from accord.report.scene import Scene, scene
from accord.report.svg import drawing, element, escaped, shortened, tick_labels, ticks

_LANE, _LINK, _TOP, _STRIP = 24.0, 26.0, 44.0, 46.0
#: width of a character of the text under the units
_LETTER = 7.2
_WIDEST = 14_000.0
#: from a place on the continuum to one on the drawing
Place = Callable[[float], float]


def alignment_svg(units: Units, alignment: Alignment, *, width: float | None = None) -> str:
    """One document as a standalone SVG.

    Singletons have a dashed outline, links and the strip below turn from grey to vermillion with
    the disorder of their unitary alignment, and a link that passes over an annotator who marked
    nothing there is dashed. The drawing is as wide as its units need, or as `width` says.
    """
    drawn = scene(units, alignment)
    wide = width or _natural_width(drawn)
    left = 28 + 7.0 * min(max(8, *(len(a) for a in drawn.annotators)), 20)
    tops, base = _rows(drawn)
    low, high = drawn.extent

    def px(v: float) -> float:
        return left + (v - low) / (high - low) * (wide - left - 16)

    parts = [pattern_definitions("p-")]
    alone = int(drawn.alone.sum())
    proof = "ideal" if drawn.gap == 0 else f"within {drawn.gap:.3g} of ideal"
    parts.append(
        element(
            "text", escaped(drawn.document), x=14, y=22, class_="strong", style="font-size:15px"
        )
    )
    about = (
        f"disorder {drawn.disorder:.3f} ({proof}) · {len(drawn.start)} units in "
        f"{len(drawn.groups)} alignments · {alone} alone"
        if len(drawn.start)
        else "nobody marked a unit here"
    )
    parts.append(
        element("text", escaped(about), x=wide - 14, y=22, text_anchor="end", class_="soft")
    )
    for a, name in enumerate(drawn.annotators):
        h = _LANE * drawn.lanes[a]
        parts.append(
            element(
                "rect",
                x=left,
                y=tops[a] - 2,
                width=wide - left - 16,
                height=h + 2,
                rx=3,
                class_="row",
            )
        )
        parts.append(
            element(
                "text",
                escaped(shortened(name, 20)),
                x=left - 12,
                y=tops[a] + h / 2 + 4,
                text_anchor="end",
            )
        )
    parts += _links(drawn, px, tops)
    parts += _boxes(drawn, units.categories, px, tops)
    if drawn.text is not None and wide >= left + 16 + _LETTER * 0.9 * len(drawn.text):
        base += 20
        parts.append(
            element(
                "text",
                escaped(drawn.text),
                x=px(0),
                y=base - 7,
                textLength=px(len(drawn.text)) - px(0),
                style="font-family:monospace;white-space:pre",
            )
        )
    parts += _axis(drawn, px, base, wide - 16, left)
    parts += _strip(drawn, px, base + 34, left, wide - 16)
    parts += _key(drawn, units.categories, left, base + 34 + _STRIP + 26, wide)
    tall = base + 34 + _STRIP + 44 + 20 * _key_lines(drawn, units.categories, left, wide)
    return drawing(
        wide,
        tall,
        *parts,
        title=f"Alignment of {drawn.document}",
        description=f"{len(drawn.annotators)} annotators, {about}",
    )


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """An alignment that shows itself in a notebook and saves itself in the format of the suffix."""

    units: Units
    alignments: tuple[Alignment, ...]

    def svg(self) -> str:
        """The drawing of the first document."""
        return alignment_svg(self.units, self.alignments[0])

    def html(self) -> str:
        """The explorer of all documents."""
        from accord.report.explorer import alignment_html

        return alignment_html(self.units, self.alignments)

    def save(self, path: str | Path) -> None:
        """Write .svg, .png or .pdf (the first document) or .html (all)."""
        target = Path(path)
        if target.suffix == ".html":
            write_text(target, self.html())
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


def draw(units: Units, alignments: Alignment | Sequence[Alignment]) -> Drawing:
    """The alignment of one document, or of several, ready to be shown or saved."""
    if isinstance(alignments, Alignment):
        return Drawing(units, (alignments,))
    if not alignments:
        raise UsageError("there is no alignment to draw: the data have no document")
    return Drawing(units, tuple(alignments))


def _natural_width(drawn: Scene) -> float:
    """Room for about 42 pixels a unit of the busiest annotator, or for the text if it is short."""
    busiest = max((int((drawn.row == a).sum()) for a in range(len(drawn.annotators))), default=0)
    letters = 0 if drawn.text is None else len(drawn.text)
    text = 170 + _LETTER * letters if letters <= 600 else 0.0
    return min(max(900.0, 42.0 * busiest, text), _WIDEST)


def _rows(drawn: Scene) -> tuple[list[float], float]:
    """Top of each annotator's row, and where the rows end."""
    tops, y = [], _TOP
    for lanes in drawn.lanes:
        tops.append(y)
        y += _LANE * lanes + _LINK
    return tops, y - _LINK + 6


def _boxes(drawn: Scene, categories: Sequence[str], px: Place, tops: list[float]) -> list[str]:
    alone = drawn.alone
    disorder = {i: drawn.disorders[k] for k, g in enumerate(drawn.groups) for i in g}
    parts = []
    for i in range(len(drawn.start)):
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
        room = int((w - 6) / 6.6)
        if room >= 3 and drawn.label[i] >= 0:
            inside.append(
                element(
                    "text",
                    escaped(shortened(label, room)),
                    x=x + w / 2,
                    y=y + 15,
                    text_anchor="middle",
                    class_="small",
                    style=f"fill:{look.ink};stroke:{look.hue};stroke-width:3px;paint-order:stroke",
                )
            )
        parts.append(element("g", *inside))
    return parts


def _links(drawn: Scene, px: Place, tops: list[float]) -> list[str]:
    parts = []
    for k, group in enumerate(drawn.groups):
        colour = heat(drawn.disorders[k] / drawn.most)
        for i, j in pairwise(group):
            x1, x2 = (px((drawn.start[m] + drawn.end[m]) / 2) for m in (i, j))
            y1 = tops[drawn.row[i]] + _LANE * drawn.lane[i] + _LANE - 3
            y2 = tops[drawn.row[j]] + _LANE * drawn.lane[j]
            half = (y1 + y2) / 2
            parts.append(
                element(
                    "path",
                    d=f"M{x1:.1f},{y1:.1f}C{x1:.1f},{half:.1f} {x2:.1f},{half:.1f} "
                    f"{x2:.1f},{y2:.1f}",
                    class_="link",
                    stroke=colour,
                    stroke_dasharray="3 3" if drawn.row[j] - drawn.row[i] > 1 else None,
                )
            )
    return parts


def _axis(drawn: Scene, px: Place, y: float, right: float, left: float) -> list[str]:
    marks = ticks(*drawn.extent, max(4, int((right - left) / 110)))
    parts = [element("path", d=f"M{left:.1f},{y:.1f}H{right:.1f}", class_="axis")]
    for v, t in zip(marks, tick_labels(marks), strict=True):
        parts.append(element("path", d=f"M{px(v):.1f},{y:.1f}v4", class_="axis"))
        parts.append(
            element("text", t, x=px(v), y=y + 17, text_anchor="middle", class_="soft small")
        )
    return parts


def _strip(drawn: Scene, px: Place, y: float, left: float, right: float) -> list[str]:
    """The disorder of each unitary alignment, where it is."""
    parts = [
        element(
            "text",
            "disorder",
            x=left - 12,
            y=y + _STRIP - 14,
            text_anchor="end",
            class_="soft small",
        ),
        element("path", d=f"M{left:.1f},{y + _STRIP - 10:.1f}H{right:.1f}", class_="grid"),
    ]
    for k, group in enumerate(drawn.groups):
        x = px(sum((drawn.start[i] + drawn.end[i]) / 2 for i in group) / len(group))
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
    x, line = left, 0
    for c in sorted(set(drawn.label.tolist())):
        name = categories[c] if c >= 0 else "no label"
        span = 30 + 6.8 * min(len(name), 28)
        if x + span > wide - 16 and x > left:
            x, line = left, line + 1
        yield c, name, x, line
        x += span


def _key_lines(drawn: Scene, categories: Sequence[str], left: float, wide: float) -> int:
    return max((line for *_, line in _key_places(drawn, categories, left, wide)), default=0)


def _key(drawn: Scene, categories: Sequence[str], left: float, y: float, wide: float) -> list[str]:
    parts = []
    for c, name, x, line in _key_places(drawn, categories, left, wide):
        look = drawn.looks[c] if c >= 0 else paint(c)
        at = {"x": x, "y": y + 20 * line - 10, "width": 13, "height": 13, "rx": 2}
        parts.append(element("rect", fill=look.hue, class_="box", **at))
        if look.pattern != "plain":
            parts.append(element("rect", fill=f"url(#p-{look.pattern})", **at))
        parts.append(
            element(
                "text", escaped(shortened(name, 28)), x=x + 18, y=y + 20 * line + 1, class_="small"
            )
        )
    return parts
