"""Relations between the units of one annotator, drawn as arcs over the boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.report.scene import Scene
from accord.report.svg import element, escaped, line, words

#: how far an arc rises above its row at most
RISE = 16.0


def arrow_head(prefix: str) -> str:
    """The definition of the arrow head that arcs end with."""
    head = line("M0,0L8,4L0,8Z", "head")
    return element(
        "marker", head, id=f"{prefix}arrow", viewBox="0 0 8 8", refX=6, refY=4,
        markerWidth=6, markerHeight=6, orient="auto",
    )  # fmt: skip


def arcs(
    drawn: Scene,
    categories: Sequence[str],
    px: Callable[[float], float],
    top_of: Callable[[int], float],
    shown: NDArray[np.bool_],
    prefix: str,
) -> list[str]:
    """An arc for each relation of which both ends are shown; `top_of` is the top of a unit's box."""
    parts = []
    for i, j, label in drawn.relations:
        if not (shown[i] and shown[j]):
            continue
        x1, x2 = (px((drawn.start[m] + drawn.end[m]) / 2) for m in (i, j))
        y1, y2 = top_of(i) + 1, top_of(j) + 1
        rise = min(y1, y2) - min(RISE, 6 + abs(x2 - x1) / 12)
        names = [categories[drawn.label[m]] if drawn.label[m] >= 0 else "no label" for m in (i, j)]
        inside = [
            element("title", escaped(f"{names[0]} → {label} → {names[1]}")),
            element(
                "path",
                d=f"M{x1:.1f},{y1:.1f}C{x1:.1f},{rise:.1f} {x2:.1f},{rise:.1f} {x2:.1f},{y2:.1f}",
                marker_end=f"url(#{prefix}arrow)",
            ),
        ]
        if abs(x2 - x1) > 7 * len(label) + 16:
            inside.append(
                words(label, (x1 + x2) / 2, rise + 7, "small", anchor="middle")
            )  # fmt: skip
        parts.append(element("g", *inside, class_="relation"))
    return parts
