"""Charts of counts: a shaded matrix, and bars cut into shares.

Each returns a :class:`Figure`: the drawing and the table it was made from.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from accord.report.figure import Figure, Table
from accord.report.palette import Paint, ink_on, paint, pattern_definitions, ramp
from accord.report.svg import box, element, names, words


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
        anchor, turned = ("start", -45.0) if slanted else ("middle", None)
        parts.append(words(c, x, head - 8, anchor=anchor, turned=turned))
    for i, (r, short) in enumerate(zip(rows, names(rows, 22), strict=True)):
        y = head + tall * i
        parts.append(words(short, wide - 8, y + tall / 2 + 4, anchor="end"))
        for j, value in enumerate(values[i]):
            x = wide + cell * j
            if value is None or not math.isfinite(value):
                parts.append(box(x + 1, y + 1, cell - 2, tall - 2, "row", rx=3))
                continue
            colour = ramp((value - v0) / ((v1 - v0) or 1))
            said, ink = f"{value:.{decimals}f}", f"fill:{ink_on(colour)}"
            inside = [
                box(x + 1, y + 1, cell - 2, tall - 2, rx=3, fill=colour),
                words(said, x + cell / 2, y + tall / 2 + 4, anchor="middle", style=ink),
            ]
            goal = (links or {}).get((r, columns[j]))
            if goal is None:
                parts += inside
            else:
                told = f"{r}, {columns[j]}: {said}, examples"
                parts.append(element("a", *inside, href=goal, aria_label=told, class_="cell"))
    table = Table(
        (corner, *columns), tuple((r, *line) for r, line in zip(rows, values, strict=True))
    )
    said = f"{len(rows)} by {len(columns)} matrix, shaded from {v0:.2f} to {v1:.2f}"
    role = "group" if links else "img"
    return Figure.of(name, title, (width, height), parts, said, table, role=role)


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
            words(r, left - 12, y + 16, anchor="end"),
            box(left, y + 3, max(long, 1.0), step - 8, "bar"),
            words(f"{value:g}", left + long + 8, y + 16, "soft"),
        ]
    said = f"{unit} of each {label}"
    table = Table((label, unit), tuple(zip(rows, values, strict=True)))
    return Figure.of(name, title, (width, step * len(rows) + 10), parts, said, table)


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
        parts.append(words(c, x + 17, y + 2, "small"))
        x += span
    top = y + 14
    for i, r in enumerate(names(rows, 24)):
        total = sum(counts[i]) or 1
        y, x = top + step * i, left
        parts.append(words(r, left - 12, y + 18, anchor="end"))
        for k, count in enumerate(counts[i]):
            span = count / total * (width - left - 4)
            if span <= 0:
                continue
            parts += _swatch(x, y + 3, span, step - 6, looks[k], prefix)
            if span > 34:
                said = f"{count / total:.0%}"
                parts.append(
                    words(said, x + span / 2, y + 18, "small", anchor="middle", style=looks[k].on)
                )
            x += span
    table = Table((label, *categories), tuple((r, *c) for r, c in zip(rows, counts, strict=True)))
    height = top + step * len(rows) + 6
    said = f"Shares of the categories by {label}"
    return Figure.of(name, title, (width, height), parts, said, table)


def _swatch(x: float, y: float, w: float, h: float, colours: Paint, prefix: str) -> list[str]:
    plain = box(x, y, w, h, "box", fill=colours.hue)
    if colours.pattern == "plain":
        return [plain]
    return [plain, box(x, y, w, h, fill=f"url(#{prefix}{colours.pattern})")]
