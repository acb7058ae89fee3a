"""Charts of counts: a shaded matrix, and bars cut into shares.

Each returns a :class:`Figure`: the drawing and the table it was made from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from accord.report.figure import Figure, Table
from accord.report.palette import Paint, ink_on, paint, pattern_definitions, ramp
from accord.report.svg import drawing, element, escaped, names


def heat_map(
    name: str,
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    *,
    corner: str,
    low: float | None = None,
    high: float | None = None,
    decimals: int = 2,
    links: Mapping[tuple[str, str], str] | None = None,
) -> Figure:
    """A matrix of numbers, each cell shaded by its value and carrying it.

    `links` says where the cell of a row and a column leads, when it leads somewhere.
    """
    known = [v for line in values for v in line if v is not None and math.isfinite(v)]
    v0 = min(known, default=0.0) if low is None else low
    v1 = max(known, default=1.0) if high is None else high
    wide = min(180.0, 18 + 7.2 * max((len(r) for r in rows), default=1))
    digits = max((len(f"{v:.{decimals}f}") for v in known), default=4)
    cell = max(30.0, min(58.0, 620.0 / max(len(columns), 1)), 7.2 * digits + 8)
    tall, head = 30.0, 14 + 6.2 * min(max((len(c) for c in columns), default=1), 16)
    slanted = head > 30 and max(len(c) for c in columns) * 6.6 > cell
    head = head if slanted else 24.0
    # what a slanted name reaches beyond its column, to the right
    beyond = max(
        (5.0 * len(c) + cell * (j + 0.5 - len(columns)) for j, c in enumerate(names(columns, 18))),
        default=0.0,
    )
    width = wide + cell * len(columns) + (max(20.0, beyond + 8) if slanted else 8)
    height = head + tall * len(rows) + 6
    parts = []
    for j, c in enumerate(names(columns, 18)):
        x = wide + cell * (j + 0.5)
        turn = {"transform": f"rotate(-45 {x:.1f} {head - 8:.1f})"} if slanted else {}
        parts.append(
            element(
                "text",
                escaped(c),
                x=x,
                y=head - 8,
                text_anchor="start" if slanted else "middle",
                **turn,
            )
        )
    for i, (r, short) in enumerate(zip(rows, names(rows, 22), strict=True)):
        y = head + tall * i
        parts.append(
            element("text", escaped(short), x=wide - 8, y=y + tall / 2 + 4, text_anchor="end")
        )
        for j, value in enumerate(values[i]):
            x = wide + cell * j
            if value is None or not math.isfinite(value):
                parts.append(
                    element(
                        "rect",
                        x=x + 1,
                        y=y + 1,
                        width=cell - 2,
                        height=tall - 2,
                        rx=3,
                        class_="row",
                    )
                )
                continue
            colour = ramp((value - v0) / ((v1 - v0) or 1))
            inside = [
                element(
                    "rect", x=x + 1, y=y + 1, width=cell - 2, height=tall - 2, rx=3, fill=colour
                ),
                element(
                    "text",
                    f"{value:.{decimals}f}",
                    x=x + cell / 2,
                    y=y + tall / 2 + 4,
                    text_anchor="middle",
                    style=f"fill:{ink_on(colour)}",
                ),
            ]
            goal = (links or {}).get((r, columns[j]))
            if goal is None:
                parts += inside
            else:
                said = f"{r}, {columns[j]}: {value:.{decimals}f}, examples"
                parts.append(element("a", *inside, href=goal, aria_label=said, class_="cell"))
    table = Table(
        (corner, *columns), tuple((r, *line) for r, line in zip(rows, values, strict=True))
    )
    said = f"{len(rows)} by {len(columns)} matrix, shaded from {v0:.2f} to {v1:.2f}"
    return Figure(
        name,
        title,
        drawing(
            width,
            height,
            *parts,
            title=title,
            description=said,
            standalone=False,
            role="group" if links else "img",
        ),
        table,
    )


def bars(
    name: str,
    title: str,
    rows: Sequence[str],
    values: Sequence[float],
    *,
    label: str,
    unit: str,
    width: float = 640,
) -> Figure:
    """One bar for each row, as long as its value."""
    left = min(200.0, max(70.0, 24 + 7.0 * max((len(r) for r in rows), default=1)))
    step, most = 24.0, max([*values, 0.0]) or 1.0
    parts = []
    for i, (r, value) in enumerate(zip(names(rows, 24), values, strict=True)):
        y, long = 4 + step * i, value / most * (width - left - 70)
        parts += [
            element("text", escaped(r), x=left - 12, y=y + 16, text_anchor="end"),
            element("rect", x=left, y=y + 3, width=max(long, 1.0), height=step - 8, class_="bar"),
            element("text", f"{value:g}", x=left + long + 8, y=y + 16, class_="soft"),
        ]
    said = f"{unit} of each {label}"
    svg = drawing(
        width, step * len(rows) + 10, *parts, title=title, description=said, standalone=False
    )
    return Figure(name, title, svg, Table((label, unit), tuple(zip(rows, values, strict=True))))


def shares(
    name: str,
    title: str,
    rows: Sequence[str],
    categories: Sequence[str],
    counts: Sequence[Sequence[float]],
    *,
    label: str,
    ordered: bool = False,
    width: float = 640,
) -> Figure:
    """For each row a bar cut into the shares of the categories, with a key above.

    Categories that have an order are shaded from light to dark instead of told apart by hue.
    """
    looks = [
        Paint(c, "plain", ink_on(c)) if ordered else paint(k)
        for k in range(len(categories))
        for c in [ramp(0.08 + 0.92 * k / max(1, len(categories) - 1))]
    ]
    left, top, step = min(200.0, max(70.0, 24 + 6.7 * max(len(r) for r in rows))), 8.0, 28.0
    parts, x, y = [], left, top + 10
    prefix = f"p-{name}-"
    parts.append(pattern_definitions(prefix))
    for k, c in enumerate(names(categories, 24)):
        span = 26 + 6.8 * len(c)
        if x + span > width:
            x, y = left, y + 20
        parts += _swatch(x, y - 9, 12, 12, looks[k], prefix)
        parts.append(element("text", escaped(c), x=x + 17, y=y + 2, class_="small"))
        x += span
    top = y + 14
    for i, r in enumerate(names(rows, 24)):
        total = sum(counts[i]) or 1
        y, x = top + step * i, left
        parts.append(element("text", escaped(r), x=left - 12, y=y + 18, text_anchor="end"))
        for k, count in enumerate(counts[i]):
            span = count / total * (width - left - 4)
            if span <= 0:
                continue
            parts += _swatch(x, y + 3, span, step - 6, looks[k], prefix)
            if span > 34:
                parts.append(
                    element(
                        "text",
                        f"{count / total:.0%}",
                        x=x + span / 2,
                        y=y + 18,
                        text_anchor="middle",
                        style=f"fill:{looks[k].ink};stroke:{looks[k].hue};"
                        "stroke-width:3px;paint-order:stroke",
                        class_="small",
                    )
                )
            x += span
    table = Table((label, *categories), tuple((r, *c) for r, c in zip(rows, counts, strict=True)))
    height = top + step * len(rows) + 6
    return Figure(
        name,
        title,
        drawing(
            width,
            height,
            *parts,
            title=title,
            description=f"Shares of the categories by {label}",
            standalone=False,
        ),
        table,
    )


def _swatch(x: float, y: float, w: float, h: float, colours: Paint, prefix: str) -> list[str]:
    box = element("rect", x=x, y=y, width=w, height=h, fill=colours.hue, class_="box")
    if colours.pattern == "plain":
        return [box]
    return [
        box,
        element("rect", x=x, y=y, width=w, height=h, fill=f"url(#{prefix}{colours.pattern})"),
    ]
