"""Influence curves drawn: one panel per factor, one line per score."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from accord.simulate.chains import InfluenceCurves

#: colours that stay apart for colour-blind readers (Okabe & Ito 2008), then dashes
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_WIDTH, _HEIGHT, _LEFT, _TOP = 420, 240, 56, 48


def influence_svg(found: Sequence[InfluenceCurves]) -> str:
    """All curves in one stand-alone SVG."""
    parts = []
    for i, curves in enumerate(found):
        parts += _panel(curves, _TOP + i * (_HEIGHT + 90))
    height = _TOP + len(found) * (_HEIGHT + 90)
    description = "; ".join(f"{c.factor}: {c.sentence}" for c in found)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="{height}" '
        f'viewBox="0 0 640 {height}" role="img" font-family="sans-serif" font-size="12">'
        f"<title>{escape(description)}</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _panel(curves: InfluenceCurves, top: float) -> list[str]:
    low, high = _range(curves)
    steps = max(1, len(curves.levels) - 1)

    def x(i: int) -> float:
        return _LEFT + _WIDTH * i / steps

    def y(value: float) -> float:
        return top + _HEIGHT * (1 - (value - low) / (high - low))

    parts = [
        _text(_LEFT, top - 14, f"{curves.factor} ({curves.sentence})", weight="bold"),
        f'<rect x="{_LEFT}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" fill="none" '
        'stroke="#888"/>',
    ]
    for k in range(5):
        value = low + (high - low) * k / 4
        parts.append(_text(_LEFT - 8, y(value) + 4, f"{value:.2f}", anchor="end"))
        parts.append(
            f'<line x1="{_LEFT}" y1="{y(value):.1f}" x2="{_LEFT + _WIDTH}" y2="{y(value):.1f}" '
            'stroke="#ddd"/>'
        )
    for i, level in enumerate(curves.levels):
        parts.append(_text(x(i), top + _HEIGHT + 18, f"{level:g}", anchor="middle"))
    parts.append(_text(_LEFT + _WIDTH / 2, top + _HEIGHT + 36, curves.factor, anchor="middle"))
    last = []
    for k, (name, points) in enumerate(curves.values.items()):
        colour = _COLOURS[k % len(_COLOURS)]
        dash = ' stroke-dasharray="5 3"' if k >= len(_COLOURS) else ""
        line = " ".join(f"{x(i):.1f},{y(p.mean):.1f}" for i, p in enumerate(points))
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}>'
            f"<title>{escape(name)}</title></polyline>"
        )
        last.append((y(points[-1].mean), name, colour))
    # labels at the right, pushed down where curves end together
    place = float("-inf")
    for at, name, colour in sorted(last):
        place = max(at, place + 14)
        parts.append(_text(_LEFT + _WIDTH + 8, place + 4, name, fill=colour))
    return parts


def _range(curves: InfluenceCurves) -> tuple[float, float]:
    """From 0 to 1 where scores live; wider for distances."""
    means = [p.mean for points in curves.values.values() for p in points]
    return min(0.0, *means), max(1.0, *means)


def _text(
    x: float,
    y: float,
    text: str,
    *,
    weight: str = "normal",
    anchor: str = "start",
    fill: str = "#1c2024",
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(text)}</text>'
    )
