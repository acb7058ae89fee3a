"""Charts on axes: curves with bands, and values with intervals.

Each returns a :class:`Figure`: the drawing and the table it was made from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from accord.report.figure import Figure, Table
from accord.report.svg import (
    element,
    line,
    names,
    shortened,
    tick_labels,
    ticks,
    words,
)

#: hues that show as thin lines on white and on black, each with its dashes
LINES = (
    ("#0072B2", None),
    ("#D55E00", "7 3"),
    ("#009E73", "2 3"),
    ("#CC79A7", "9 3 2 3"),
    ("#B07800", "5 2 2 2 2 2"),
    ("#3E9BD1", "12 4"),
    ("#7A7A7A", "1 2"),
    ("#8A5BC4", "7 2 2 2"),
)


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: a name, its points, and perhaps a band around it."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] | None = None
    high: Sequence[float] | None = None


@dataclass(frozen=True, slots=True)
class Estimate:
    """One value with its interval, and how many cases it rests on."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None


def curves(
    name: str,
    title: str,
    series: Sequence[Series],
    *,
    x_label: str,
    y_label: str,
    y_range: tuple[float, float] | None = None,
    level: float | None = None,
    logarithmic: bool = False,
    points: Sequence[tuple[float, float]] = (),
    width: float = 640,
    height: float = 380,
) -> Figure:
    """Curves with their bands, named at their ends; `level` draws a horizontal line to read off.

    `points` are dots beside the curves.
    """
    left, top, bottom = 56.0, 14.0, 46.0
    right = 44 + 6.8 * min(24, max(6, *(len(s.name) for s in series)))
    scale = math.log10 if logarithmic else float
    xs = [scale(v) for s in series for v in s.x]
    ys = [v for s in series for v in (*s.y, *(s.low or ()), *(s.high or ())) if math.isfinite(v)]
    x0, x1 = min(xs), max(xs)
    y0, y1 = y_range or (min(0.0, *ys), max(1.0, *ys))

    def px(v: float) -> float:
        return left + (scale(v) - x0) / ((x1 - x0) or 1) * (width - left - right)

    def py(v: float) -> float:
        return height - bottom - (v - y0) / ((y1 - y0) or 1) * (height - top - bottom)

    parts = _frame(px, py, (x0, x1), (y0, y1), logarithmic, (left, width - right, height - bottom))
    parts.append(words(x_label, (left + width - right) / 2, height - 8, "soft", anchor="middle"))
    middle = (top + height - bottom) / 2
    parts.append(words(y_label, 14, middle, "soft", anchor="middle", turned=-90))
    if level is not None:
        parts.append(line(f"M{left},{py(level):.2f}H{width - right}", "here"))
    parts.extend(
        element("circle", cx=px(x), cy=py(y), r=3, class_="dot", fill_opacity=0.5)
        for x, y in points
    )
    ends = []
    for i, s in enumerate(series):
        colour, dashes = LINES[i % len(LINES)]
        good = [j for j, v in enumerate(s.y) if math.isfinite(v)]
        if not good:
            continue
        if s.low is not None and s.high is not None:
            outline = [(px(s.x[j]), py(s.high[j])) for j in good]
            outline += [(px(s.x[j]), py(s.low[j])) for j in reversed(good)]
            parts.append(line(_path(outline) + "Z", "band", fill=colour))
        drawn = _path([(px(s.x[j]), py(s.y[j])) for j in good])
        parts.append(line(drawn, "curve", stroke=colour, stroke_dasharray=dashes))
        ends.append((py(s.y[good[-1]]), s.name, colour, dashes))
    parts.extend(_end_labels(ends, width - right + 8, top, height - bottom))
    table = Table.of(
        [
            {
                "curve": s.name,
                x_label: float(x),
                y_label: float(s.y[j]),
                "low": None if s.low is None else float(s.low[j]),
                "high": None if s.high is None else float(s.high[j]),
            }
            for s in series
            for j, x in enumerate(s.x)
        ]
    ).known("curve", x_label, y_label)
    said = f"{len(series)} curves of {y_label} against {x_label}: " + ", ".join(
        s.name for s in series
    )
    return Figure.of(name, title, (width, height), parts, said, table)


def estimates(
    name: str,
    title: str,
    rows: Sequence[Estimate],
    *,
    label: str,
    x_label: str = "value",
    x_range: tuple[float, float] | None = None,
    overall: float | None = None,
    width: float = 640,
) -> Figure:
    """One line per value: a dot and its interval on a common axis, the overall value dashed."""
    wide = min(230.0, 24 + 6.7 * max((len(r.name) for r in rows), default=4))
    left, right, top, step = max(wide, 70.0), 96.0, 10.0, 24.0
    height = top + step * len(rows) + 44
    known = [
        v for r in rows for v in (r.value, r.low, r.high) if v is not None and math.isfinite(v)
    ]
    if overall is not None and math.isfinite(overall):
        known.append(overall)
    x0, x1 = x_range or (min(0.0, *known, 0.0), max(1.0, *known, 1.0))

    def px(v: float) -> float:
        return left + (min(max(v, x0), x1) - x0) / ((x1 - x0) or 1) * (width - left - right)

    base = top + step * len(rows)
    marks = ticks(x0, x1)
    parts = [line(f"M{px(v):.2f},{top}V{base}", "grid") for v in marks]
    parts += [
        words(t, px(v), base + 16, "soft small", anchor="middle")
        for v, t in zip(marks, tick_labels(marks), strict=True)
    ]
    parts.append(words(x_label, px((x0 + x1) / 2), base + 36, "soft", anchor="middle"))
    if overall is not None and math.isfinite(overall):
        parts.append(line(f"M{px(overall):.2f},{top - 4}V{base}", "here"))
    for i, (r, said) in enumerate(zip(rows, names([r.name for r in rows], 28), strict=True)):
        y = top + step * i + step / 2
        parts.append(words(said, left - 12, y + 4, anchor="end"))
        if not math.isfinite(r.value):
            parts.append(words("undefined", left + 6, y + 4, "soft small"))
            continue
        if r.low is not None and r.high is not None and math.isfinite(r.low + r.high):
            parts.append(line(f"M{px(r.low):.2f},{y}H{px(r.high):.2f}", "whisker"))
        parts.append(element("circle", cx=px(r.value), cy=y, r=4.5, class_="dot"))
        parts.append(words(_written(r.value), width - right + 16, y + 4, "strong"))
        if r.n is not None:
            parts.append(words(f"n {r.n}", width - 2, y + 4, "soft small", anchor="end"))
    table = Table.of(
        [{label: r.name, x_label: r.value, "low": r.low, "high": r.high, "n": r.n} for r in rows]
    ).known(label, x_label)
    said = f"{x_label} of each {label}, with intervals"
    return Figure.of(name, title, (width, height), parts, said, table)


def _written(value: float) -> str:
    """A count or rank is whole."""
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _frame(
    px: Callable[[float], float],
    py: Callable[[float], float],
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    logarithmic: bool,
    sides: tuple[float, float, float],
) -> list[str]:
    """Gridlines and the numbers on both axes; `sides` are left, right and bottom."""
    (x0, x1), (left, right, bottom) = x_range, sides
    if logarithmic:
        marks = [m * 10.0**e for e in range(math.floor(x0), math.ceil(x1) + 1) for m in (1, 2, 5)]
        marks = [v for v in marks if x0 - 1e-9 <= math.log10(v) <= x1 + 1e-9]
    else:
        marks = ticks(x0, x1)
    parts = []
    levels = ticks(*y_range)
    for v, t in zip(levels, tick_labels(levels), strict=True):
        parts.append(line(f"M{left},{py(v):.2f}H{right}", "grid"))
        parts.append(words(t, left - 8, py(v) + 4, "soft small", anchor="end"))
    parts.append(line(f"M{left},{bottom}H{right}", "axis"))
    for v, t in zip(marks, tick_labels(marks), strict=True):
        parts.append(line(f"M{px(v):.2f},{bottom}v4", "axis"))
        parts.append(words(t, px(v), bottom + 17, "soft small", anchor="middle"))
    return parts


def _end_labels(
    ends: list[tuple[float, str, str, str | None]], x: float, top: float, bottom: float
) -> list[str]:
    """Names beside the curves' ends, pushed apart so that none covers another."""
    parts: list[str] = []
    placed = top - 16.0
    room = sorted(ends)
    for i, (y, name, colour, dashes) in enumerate(room):
        last = bottom - 16.0 * (len(room) - 1 - i)
        placed = max(placed + 16, min(y, last))
        parts.append(
            line(f"M{x:.1f},{placed:.2f}h18", "curve", stroke=colour, stroke_dasharray=dashes)
        )
        parts.append(words(shortened(name, 24), x + 24, placed + 4))
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f},{y:.2f}" for x, y in points)
