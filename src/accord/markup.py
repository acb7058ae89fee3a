"""What notebooks show of an object: a heading, a bar for the interval, tables; no script, no network.

Colours are those of the notebook (its ink at various strengths, one accent), so that light and dark
themes both work.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

_ACCENT = "#1f77b4"
_SOFT = "opacity:.72;font-size:.92em"
_CELL = "padding:.15em .7em .15em 0;vertical-align:top;text-align:"


def block(heading: str, *parts: str) -> str:
    """A heading and what stands under it.

    >>> block("3 items", paragraph("a & b"))[:43]
    '<div class="accord" style="max-width:60em">'
    """
    top = f'<div style="font-weight:600;margin:.2em 0">{escape(heading)}</div>'
    return f'<div class="accord" style="max-width:60em">{top}{"".join(parts)}</div>'


def paragraph(text: str, *, soft: bool = False) -> str:
    """One sentence or more."""
    return f'<p style="margin:.2em 0;{_SOFT if soft else ""}">{escape(text)}</p>' if text else ""


def folded(title: str, inside: str, *, unfolded: bool = False) -> str:
    """Something that opens by a click."""
    state = " open" if unfolded else ""
    return f"<details{state}><summary>{escape(title)}</summary>{inside}</details>"


def number(value: float | None) -> str:
    """A number as results are written, a dash where there is none.

    >>> number(0.64575), number(math.nan), number(120.0)
    ('0.646', '–', '120')
    """
    if value is None or not math.isfinite(value):
        return "–"
    return str(int(value)) if float(value).is_integer() and abs(value) >= 2 else f"{value:.3f}"


def interval_bar(
    value: float | None,
    low: float | None,
    high: float | None,
    *,
    axis: tuple[float, float],
    width: int = 240,
) -> str:
    """The value as a dot and its interval as a bar, on an axis from 0 (or below) to 1 (or above).

    >>> "<circle" in interval_bar(0.5, 0.4, 0.6, axis=(0, 1))
    True
    >>> interval_bar(math.nan, None, None, axis=(0, 1))
    ''
    """
    if value is None or not math.isfinite(value):
        return ""
    least, most = axis
    span = (most - least) or 1.0

    def x(at: float) -> float:
        return round(6 + (width - 12) * min(1.0, max(0.0, (at - least) / span)), 1)

    ticks = "".join(
        f'<line x1="{x(t)}" x2="{x(t)}" y1="3" y2="17" stroke="currentColor" stroke-opacity=".3"/>'
        for t in sorted({least, 0.0, most})
    )
    line = (
        f'<line x1="6" x2="{width - 6}" y1="10" y2="10" stroke="currentColor" stroke-opacity=".3"/>'
    )
    bar = ""
    spoken = number(value)
    if low is not None and high is not None and math.isfinite(low) and math.isfinite(high):
        bar = (
            f'<rect x="{x(low)}" width="{max(1.0, x(high) - x(low)):.1f}" y="6" height="8" rx="3" '
            f'fill="{_ACCENT}" fill-opacity=".45"/>'
        )
        spoken += f" from {number(low)} to {number(high)}"
    return (
        f'<svg role="img" aria-label="{spoken}, on an axis from {least:g} to {most:g}" '
        f'width="{width}" height="20" viewBox="0 0 {width} 20" style="vertical-align:middle">'
        f'{line}{ticks}{bar}<circle cx="{x(value)}" cy="10" r="4" fill="{_ACCENT}"/></svg>'
    )


def axis_of(values: Iterable[float | None]) -> tuple[float, float]:
    """From 0, or −1 where something is negative, to 1, or the most there is.

    >>> axis_of([0.2, None]), axis_of([-0.1, 0.4]), axis_of([3.2])
    ((0.0, 1.0), (-1.0, 1.0), (0.0, 3.2))
    """
    known = [v for v in values if v is not None and math.isfinite(v)]
    least, most = min(known, default=0.0), max(known, default=1.0)
    return (0.0 if least >= 0 else min(-1.0, least), max(1.0, most))


def table(rows: Sequence[Mapping[str, Any]], *, most: int = 12, bars: bool = True) -> str:
    """Rows as a table, the first `most` of them; a bar where a row has a value and its limits.

    >>> table([{"category": "a", "value": 0.5}]).count("<td")
    2
    >>> ">0<" in table([{"start": 0.0}, {"start": 47.0}])  # a column of whole numbers
    True
    """
    shown = list(rows[:most])
    if not shown:
        return ""
    names = list(dict.fromkeys(name for row in shown for name in row))
    drawn = bars and {"value", "low", "high"} <= set(names)
    axis = (
        axis_of(row.get(k) for row in shown for k in ("value", "low", "high")) if drawn else (0, 1)
    )
    numeric = {n for n in names if all(_is_number(row.get(n)) for row in shown)}
    whole = {n for n in numeric if are_whole([row.get(n) for row in shown])}
    head = "".join(
        f'<th style="{_CELL}{"right" if n in numeric else "left"}">{escape(n.replace("_", " "))}</th>'
        for n in names
    )
    body = []
    for row in shown:
        cells = "".join(
            f'<td style="{_CELL}{"right" if n in numeric else "left"}">'
            f"{escape(_cell(row.get(n), n in whole))}</td>"
            for n in names
        )
        if drawn:
            bar = interval_bar(
                row.get("value"), row.get("low"), row.get("high"), axis=axis, width=140
            )
            cells += f'<td style="{_CELL}left">{bar}</td>'
        body.append(f"<tr>{cells}</tr>")
    more = paragraph(f"… and {len(rows) - most} more", soft=True) if len(rows) > most else ""
    last = "<th></th>" if drawn else ""
    return (
        f'<table style="border-collapse:collapse"><thead><tr>{head}{last}</tr></thead>'
        f"<tbody>{''.join(body)}</tbody></table>{more}"
    )


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))


def are_whole(values: Sequence[object]) -> bool:
    """Places and counts rather than shares: whole numbers, some of them beyond 0 and 1.

    >>> are_whole([0.0, 47.0, None]), are_whole([0.0, 1.0]), are_whole([2.5])
    (True, False, False)
    """
    known = [v for v in values if v is not None]
    return all(isinstance(v, (int, float)) and float(v).is_integer() for v in known) and any(
        isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) >= 2 for v in known
    )


def _cell(value: Any, whole: bool = False) -> str:
    if value is None:
        return ""
    if whole:
        return str(int(value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return ", ".join(_cell(v) for v in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_cell(v)}" for k, v in value.items())
    return str(value)
