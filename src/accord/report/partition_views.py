"""Four ways to see the entities of a text, and why the scores differ (Lion-Bouton et al. 2020, F1).

(a) chains of links between successive mentions, as MUC counts them; (b) all coreference links, as
LEA; (c) these and the links of non-coreference, as BLANC; (d) sets, as B³ and CEAF.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from itertools import combinations, pairwise

Clusters = Sequence[Sequence[int]]

_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
_STEP, _ROW, _LEFT = 58, 100, 110


def partition_views_svg(sides: Mapping[str, Clusters], mentions: Sequence[str]) -> str:
    """Each side (a name and its entities, mentions numbered from 1) in the four views.

    >>> svg = partition_views_svg({"key": [[1, 2]], "response": [[1], [2]]}, ["he", "Paul"])
    >>> svg.count("<circle"), svg.startswith("<svg")
    (16, True)
    """
    parts: list[str] = []
    y = 60.0
    for title, view in _VIEWS.items():
        parts.append(_text(12, y - 34, title, weight="bold"))
        for name, clusters in sides.items():
            parts.append(_text(12, y + 5, name))
            parts += view(clusters, y)
            for e, entity in enumerate(clusters):
                for m in entity:
                    parts.append(
                        f'<circle cx="{_x(m):g}" cy="{y:g}" r="7" fill="{_COLOURS[e % 6]}"/>'
                    )
                    parts.append(_text(_x(m), y + 36, mentions[m - 1], anchor="middle", size=11))
            y += _ROW
        y += 26
    width = _LEFT + _STEP * (len(mentions) + 0.5)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{y - 60:g}" '
        f'viewBox="0 0 {width:g} {y - 60:g}" role="img" font-family="sans-serif" font-size="13">'
        "<title>Four views of the entities of a text</title>"
        f'<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def _x(mention: int) -> float:
    return _LEFT + _STEP * (mention - 0.5)


def _arc(a: int, b: int, y: float, colour: str, width: float) -> str:
    lift = 16 + 9 * abs(b - a)
    return (
        f'<path d="M{_x(a):g},{y:g} Q{(_x(a) + _x(b)) / 2:g},{y - lift:g} {_x(b):g},{y:g}" '
        f'fill="none" stroke="{colour}" stroke-width="{width:g}"/>'
    )


def _successive(clusters: Clusters, y: float) -> list[str]:
    return [
        _arc(a, b, y, _COLOURS[e % 6], 2.5)
        for e, entity in enumerate(clusters)
        for a, b in pairwise(sorted(entity))
    ]


def _all_links(clusters: Clusters, y: float) -> list[str]:
    return [
        _arc(a, b, y, _COLOURS[e % 6], 2.5)
        for e, entity in enumerate(clusters)
        for a, b in combinations(sorted(entity), 2)
    ]


def _both_links(clusters: Clusters, y: float) -> list[str]:
    apart = [
        _arc(a, b, y, "#bbb", 0.7)
        for one, two in combinations(clusters, 2)
        for a in one
        for b in two
    ]
    return apart + _all_links(clusters, y)


def _sets(clusters: Clusters, y: float) -> list[str]:
    return [
        f'<rect x="{_x(min(entity)) - 14:g}" y="{y - 14 - 5 * e:g}" '
        f'width="{_x(max(entity)) - _x(min(entity)) + 28:g}" height="{28 + 10 * e}" rx="14" '
        f'fill="none" stroke="{_COLOURS[e % 6]}" stroke-width="2"/>'
        for e, entity in enumerate(clusters)
    ]


_VIEWS: Mapping[str, Callable[[Clusters, float], list[str]]] = {
    "(a) chains of successive mentions": _successive,
    "(b) all coreference links": _all_links,
    "(c) coreference links, and non-coreference (thin)": _both_links,
    "(d) sets of mentions": _sets,
}


def _text(
    x: float,
    y: float,
    text: str,
    *,
    weight: str = "normal",
    anchor: str = "start",
    size: int = 13,
) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-weight="{weight}" text-anchor="{anchor}" '
        f'font-size="{size}" fill="#1c2024">{escape(text)}</text>'
    )
