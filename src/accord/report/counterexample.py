"""A counterexample drawn: each object on its places, and the inequality that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import Any

from accord.simulate.falsify import PROPERTIES, Counterexample, Falsification

#: colours that stay apart for colour-blind readers (Okabe & Ito 2008)
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442", "#000000")
_STEP, _ROW, _LEFT = 46, 64, 60


def counterexample_svg(falsification: Falsification, number: str | None = None) -> str:
    """The counterexample of one property (the first that fails) as a stand-alone SVG.

    >>> from accord.simulate.falsify import falsify
    >>> svg = counterexample_svg(falsify("muc", max_n=3, max_n_triples=3))
    >>> svg.startswith("<svg") and "s(a,b)" in svg
    True
    """
    chosen = number or next(iter(falsification.violated), None)
    example = None if chosen is None else falsification.findings[chosen].counterexample
    if chosen is not None and example is not None:
        return _drawn(falsification, chosen, example)
    title = f"{falsification.measure}: {_without(falsification, chosen)}"
    return _page(max(420, 24 + 8 * len(title)), 50, [_text(14, 30, title, weight="bold")], title)


def _without(falsification: Falsification, number: str | None) -> str:
    """What is said where there is no counterexample to draw."""
    asked = [number] if number else list(falsification.findings)
    cases = [falsification.findings[p].cases for p in asked]
    which = f"property {number}" if number else "every property"
    if not any(cases):
        return f"nothing was tried of {which}"
    least = f"{min(cases):,} cases" if len(set(cases)) == 1 else f"{min(cases):,} cases or more"
    return f"{which} stands on {least}"


def partitions_svg(partitions: Mapping[str, Sequence[Sequence[int]]], n: int) -> str:
    """Partitions of the same n mentions, one below the other, as a stand-alone SVG."""
    parts: list[str] = []
    indent = 8 * max(len(name) for name in partitions)
    for i, (name, clusters) in enumerate(partitions.items()):
        y = 50 + _ROW * i
        drawn = "".join(_entities(clusters, 0))
        parts += [
            _text(14, y + 5, name, weight="bold"),
            f'<g transform="translate({indent},{y})">{drawn}</g>',
        ]
    return _page(
        _LEFT + indent + _STEP * n, 50 + _ROW * len(partitions), parts, ", ".join(partitions)
    )


def _drawn(falsification: Falsification, number: str, example: Counterexample) -> str:
    title = f"{falsification.measure} violates property {number}: {PROPERTIES[number]}"
    sentence = example.text.partition(": ")[2]
    parts = [_text(14, 26, title, weight="bold")]
    y = 70
    for name, element in example.elements.items():
        parts.append(_text(14, y + 5, f"{name} =", weight="bold"))
        parts += _element(falsification.space, element, example.n, y)
        y += _ROW
    parts.append(_text(14, y, sentence))
    width = max(_LEFT + _STEP * (example.n + 1), 24 + 8 * max(len(title), len(sentence)))
    return _page(width, y + 24, parts, f"{title}. {example.text}")


def _element(space: str, element: Any, n: int, y: float) -> list[str]:
    if space == "segmentations":
        return _blocks(_edges(element), y)
    if space == "units":
        axis = (
            f'<line x1="{_LEFT}" y1="{y + 14}" x2="{_LEFT + _STEP * n}" y2="{y + 14}" '
            'stroke="#888"/>'
        )
        return [axis, *_blocks(element, y)]
    return _entities(element, y)


def _entities(clusters: Sequence[Sequence[int]], y: float) -> list[str]:
    """Mentions as numbered discs; those of one entity share a colour and an arc."""
    arcs, discs = [], []
    for e, entity in enumerate(clusters):
        colour = _COLOURS[e % len(_COLOURS)]
        centres = [_LEFT + _STEP * (m - 0.5) for m in entity]
        for left, right in pairwise(centres):
            lift = 18 + 3 * (right - left) / _STEP
            arcs.append(
                f'<path d="M{left:g},{y} Q{(left + right) / 2:g},{y - 2 * lift:g} {right:g},{y}" '
                f'fill="none" stroke="{colour}" stroke-width="3"/>'
            )
        for m, x in zip(entity, centres, strict=True):
            discs.append(f'<circle cx="{x:g}" cy="{y}" r="14" fill="{colour}"/>')
            discs.append(_text(x, y + 5, str(m), anchor="middle", fill="#fff"))
    return arcs + discs


def _blocks(spans: Sequence[Sequence[int]], y: float) -> list[str]:
    return [
        f'<rect x="{_LEFT + _STEP * s + 2:g}" y="{y - 12 + 5 * (i % 3)}" '
        f'width="{_STEP * (e - s) - 4:g}" height="16" rx="4" '
        f'fill="{_COLOURS[i % len(_COLOURS)]}" fill-opacity="0.8"/>'
        for i, (s, e) in enumerate(spans)
    ]


def _edges(masses: Sequence[int]) -> list[tuple[int, int]]:
    spans, start = [], 0
    for mass in masses:
        spans.append((start, start + mass))
        start += mass
    return spans


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
        f'<text x="{x:g}" y="{y:g}" font-weight="{weight}" text-anchor="{anchor}" '
        f'fill="{fill}">{escape(text)}</text>'
    )


def _page(width: float, height: float, parts: Sequence[str], description: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" font-family="sans-serif" font-size="14">'
        f"<title>{escape(description)}</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )
