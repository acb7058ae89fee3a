"""Writing SVG: one function per need, text always escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from importlib.resources import files

from accord.report.cut import cut

#: the colours of a light page, for drawings that stand alone
LIGHT = {
    "--ink": "#1c2024",
    "--soft": "#5b636b",
    "--line": "#dcdfe2",
    "--paper": "#ffffff",
    "--accent": "#0b5c94",
    "--warm": "#b84d00",
    "--band": "#0072B2",
}


def element(name: str, *children: str, **attributes: object) -> str:
    """One element; children are markup, attributes are escaped, underscores become hyphens.

    A trailing underscore is dropped (``class_``); None leaves an attribute out.

    >>> element("text", escaped("a < b"), x=1.50, class_="soft", text_anchor="end")
    '<text x="1.5" class="soft" text-anchor="end">a &lt; b</text>'
    """
    given = "".join(
        f' {_attribute(key)}="{escape(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{given}>{inside}</{name}>" if inside else f"<{name}{given}/>"


def words(
    text: object, x: float, y: float, look: str | None = None, *, anchor: str | None = None,
    turned: float | None = None, **more: object,
) -> str:  # fmt: skip
    """Return a line of text at a place: its look is a class, `turned` by that many degrees there.

    >>> words("a < b", 1.50, 2, "soft", anchor="end")
    '<text x="1.5" y="2" text-anchor="end" class="soft">a &lt; b</text>'
    """
    turn = None if turned is None else f"rotate({turned:g} {number(float(x))} {number(float(y))})"
    return element(
        "text", escaped(text), x=x, y=y, text_anchor=anchor, class_=look, transform=turn, **more
    )


def box(
    x: float,
    y: float,
    w: float,
    h: float,
    look: str | None = None,
    inside: str = "",
    **more: object,
) -> str:
    """Return a rectangle that is drawn by its class; `inside` is its markup, as a title."""
    return element("rect", inside, x=x, y=y, width=w, height=h, class_=look, **more)


def line(path: str, look: str, **more: object) -> str:
    """Return a path that is drawn by its class.

    >>> line("M0,0H10", "axis")
    '<path d="M0,0H10" class="axis"/>'
    """
    return element("path", d=path, class_=look, **more)


def escaped(text: object) -> str:
    """Text made safe inside markup."""
    return escape(str(text))


def number(value: object) -> str:
    """A coordinate with at most two decimals; anything else as it is.

    >>> number(2.0), number(1 / 3), number("M0,0")
    ('2', '0.33', 'M0,0')
    """
    if isinstance(value, float):
        text = f"{value:.2f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text
    return str(value)


def drawing(
    width: float,
    height: float,
    *parts: str,
    title: str,
    description: str,
    standalone: bool = True,
    role: str = "img",
) -> str:
    """A whole SVG with its title and description for screen readers; a "group" when parts are links.

    A standalone drawing carries its style, in the colours of a light page and without variables, so
    that programs other than browsers show it too; otherwise the page it is set in has the style.
    """
    return element(
        "svg",
        element("title", escaped(title)),
        element("desc", escaped(description)),
        element("style", light_style()) if standalone else "",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(float(width))} {number(float(height))}",
        width=float(width) if standalone else None,
        height=float(height) if standalone else None,
        class_="chart",
        # on a phone a wide drawing scrolls sideways rather than shrink until nobody can read it
        style=None
        if standalone
        else f"max-width:{number(float(width))}px;min-width:min(26rem,{number(float(width))}px)",
        role=role,
        aria_label=title,
    )


def standalone(svg: str) -> str:
    """The drawing of a page made to stand alone: with its style and its size."""
    head, _, tail = svg.partition(">")
    _, _, box = head.partition('viewBox="0 0 ')
    width, height = box.partition('"')[0].split()
    size = f' width="{width}" height="{height}"'
    return f"{head}{size}>{element('style', light_style())}{_lit(tail)}"


def chart_style() -> str:
    """The style sheet of all drawings, in variables that the page sets."""
    return (files("accord.report") / "templates" / "chart.css").read_text(encoding="utf-8")


def light_style() -> str:
    """The same with the variables replaced by the colours of a light page."""
    return _lit(chart_style())


def _lit(text: str) -> str:
    """Colours in place of the variables that only a page sets."""
    for name, colour in LIGHT.items():
        text = text.replace(f"var({name})", colour)
    return text


#: steps of a time axis, in seconds
_TIMES = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from `low` to `high`, about as many as asked.

    >>> ticks(0, 1)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    if not high > low:
        return [low]
    raw = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.9999)
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def tick_labels(values: Sequence[float]) -> list[str]:
    """The numbers with as many decimals as tell them apart, and no more.

    >>> tick_labels([0.0, 0.5, 1.0]), tick_labels([0.0, 1000.0])
    (['0', '0.5', '1'], ['0', '1000'])
    """
    return [f"{v:.6g}" for v in values]


def clock_ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round times in seconds from `low` to `high`, about as many as asked.

    >>> clock_ticks(0, 100, 4)
    [0.0, 30.0, 60.0, 90.0]
    """
    raw = (high - low) / max(about, 1)
    step = next((m for m in _TIMES if m >= raw * 0.9999), None)
    if step is None or raw < 0.5:
        return ticks(low, high, about)
    return [float(i * step) for i in range(math.ceil(low / step), math.floor(high / step) + 1)]


def clock(seconds: float) -> str:
    """Minutes and seconds, with hours where there are some.

    >>> clock(75), clock(3675), clock(7.25)
    ('1:15', '1:01:15', '0:07.25')
    """
    whole = math.floor(seconds)
    rest = f"{seconds - whole:.3f}".rstrip("0")[1:].rstrip(".")
    hours, minutes = divmod(whole // 60, 60)
    front = f"{hours}:{minutes:02d}" if hours else f"{minutes}"
    return f"{front}:{whole % 60:02d}{rest}"


def shortened(text: str, most: int) -> str:
    """At most that many characters: a sentence loses its end, a name its middle.

    Names that begin alike are told apart by their ends.

    >>> shortened("annotator-12", 9), shortened("one word after another", 9)
    ('anno…r-12', 'one word…')
    """
    if len(text) <= most:
        return text
    room = max(most - 1, 1)
    if (" " in text and len(text) > 2 * most) or room < 4:
        return text[:room].rstrip() + "…"
    return f"{text[: room - room // 2]}…{text[len(text) - room // 2 :]}"


def names(texts: Sequence[str], most: int) -> list[str]:
    """Names that stand beside one another, each short and none like another.

    >>> names(["annotator-1@example.org", "annotator-2@example.org", "Ana"], 12)
    ['…ator-1@exa…', '…ator-2@exa…', 'Ana']
    """
    short = [shortened(text, most) for text in texts]
    return [
        cut(text, most, texts) if short.count(said) > texts.count(text) else said
        for text, said in zip(texts, short, strict=True)
    ]


def _attribute(name: str) -> str:
    return name.rstrip("_").replace("_", "-")
