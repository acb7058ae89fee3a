"""Colours that people who confuse red and green still tell apart, and patterns past the eighth.

The eight hues of Okabe & Ito (2008, *Color Universal Design*), their black replaced by a grey that
shows on a dark page too. The ninth category takes the first hue again under a pattern, so that
colour is never alone in telling two categories apart (and every box carries its label as well).
"""

from __future__ import annotations

from dataclasses import dataclass

from accord.report.svg import element

HUES = (
    "#56B4E9",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#F0E442",
    "#0072B2",
    "#D55E00",
    "#9A9A9A",
)
#: outlines of as many annotators on any image: the hues, without the yellow that is hardly seen on a light
#: one, and six more that differ from them and from each other (CIE76 of 24 at least for every two)
OUTLINES = (
    *(hue for hue in HUES if hue != "#F0E442"),
    "#62C800",
    "#8A2BE2",
    "#1A1A1A",
    "#A8005C",
    "#00D6C0",
    "#7B3F00",
)
PATTERNS = ("plain", "stripes", "dots", "grid")
#: units without a label
UNLABELLED = "#D7D7D2"


@dataclass(frozen=True, slots=True)
class Paint:
    """How one category is painted: a hue, a pattern over it, and the ink readable on both."""

    hue: str
    pattern: str
    ink: str

    @property
    def on(self) -> str:
        """The style of letters on it, readable on hue and pattern."""
        return f"fill:{self.ink};stroke:{self.hue};stroke-width:3px;paint-order:stroke"


def paint(category: int) -> Paint:
    """The paint of the category of that number; -1 is a unit without a label.

    >>> paint(0).hue == paint(8).hue, paint(0).pattern, paint(8).pattern
    (True, 'plain', 'stripes')
    """
    if category < 0:
        return Paint(UNLABELLED, "plain", "#000")
    hue = HUES[category % len(HUES)]
    pattern = PATTERNS[category // len(HUES) % len(PATTERNS)]
    return Paint(hue, pattern, ink_on(hue))


def ink_on(colour: str) -> str:
    """Black or white, whichever contrasts more with the colour (WCAG 2 relative luminance).

    >>> ink_on("#0072B2"), ink_on("#F0E442")
    ('#fff', '#000')
    """
    light = luminance(colour)
    return "#000" if (light + 0.05) / 0.05 > 1.05 / (light + 0.05) else "#fff"


def luminance(colour: str) -> float:
    """Relative luminance of an sRGB colour, from 0 (black) to 1 (white)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def pattern_definitions(prefix: str) -> str:
    """The SVG patterns laid over a hue, named ``<prefix>stripes`` and so on."""
    shapes = {
        "stripes": element("path", d="M-1,1 l2,-2 M0,6 l6,-6 M5,7 l2,-2", stroke_width=1.4),
        "dots": element("circle", cx=3, cy=3, r=1.2, stroke="none", fill="#000"),
        "grid": element("path", d="M0,3 H6 M3,0 V6", stroke_width=1),
    }
    return element(
        "defs",
        *(
            element(
                "pattern",
                shape,
                id=prefix + name,
                width=6,
                height=6,
                patternUnits="userSpaceOnUse",
                stroke="#000",
                stroke_opacity=0.55,
                fill_opacity=0.55,
            )
            for name, shape in shapes.items()
        ),
    )


def ramp(share: float) -> str:
    """A sequential colour from nearly white (0) to deep blue (1), even in lightness.

    >>> ramp(0), ramp(1)
    ('#f4f8fb', '#084a7d')
    """
    stops = ((244, 248, 251), (158, 202, 225), (66, 136, 190), (8, 74, 125))
    place = min(max(share, 0.0), 1.0) * (len(stops) - 1)
    i = min(int(place), len(stops) - 2)
    t = place - i
    return "#" + "".join(
        f"{round(a + (b - a) * t):02x}" for a, b in zip(stops[i], stops[i + 1], strict=True)
    )


def heat(share: float) -> str:
    """Colour of a disorder from none (grey) to all there can be (vermillion).

    >>> heat(0), heat(1)
    ('#8a9299', '#d55e00')
    """
    low, high = (138, 146, 153), (213, 94, 0)
    t = min(max(share, 0.0), 1.0)
    return "#" + "".join(f"{round(a + (b - a) * t):02x}" for a, b in zip(low, high, strict=True))
