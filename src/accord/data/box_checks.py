"""What no image can hold, and what looks like a slip of units: per cent for pixels, sizes for corners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from accord.data.located import Problem, Wrong, first_of
from accord.data.polygons import crossing, flat

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: a shape may reach over the edge of its image by this share of it, or by a pixel: hands slip
_OVER = 0.1
#: scales on which coordinates are written: shares, per cent
_SCALES = (1.0, 100.0)
#: an annotator with fewer shapes than this may draw in one corner by chance
_FEW = 5


def first_wrong(
    corners: Array, outlines: Sequence[Array | None] | None, area: Array, foreign: Flags
) -> Wrong | None:
    """The first shape that is none: not finite, reversed, empty, crossing itself."""
    x0, y0, x1, y1 = corners.T
    finite: Flags = np.asarray(np.isfinite(corners).all(axis=1))
    problems: list[Problem] = [
        (~finite, "has a corner that is not a number", None),
        (
            (x1 < x0) | (y1 < y0),
            "has its corners reversed",
            "write the smaller corner first; where a file gives width and height (x,y,w,h), add them to "
            "x and y",
        ),
    ]
    if outlines is not None:
        few = np.array([o is not None and len(o) < 3 for o in outlines], dtype=bool)
        problems.append((few, "has fewer than three points", "a polygon needs three or more"))
        # (a bow tie of two equal halves has area 0 by the formula: it crosses itself all the same)
        able = np.flatnonzero(finite & ~few).tolist()
        rings = [(i, o) for i in able if (o := outlines[i]) is not None and not flat(o)]
        crossed = np.zeros(len(corners), dtype=bool)
        crossed[[rings[k][0] for k in crossing([o for _, o in rings])]] = True
        problems.append((crossed, "crosses itself", "draw its outline without crossing it"))
    problems += [
        (~(area > 0), "has no area", "drop it"),
        (foreign, "has a label that is not among the declared categories", None),
    ]
    return first_of(problems)


def outside(corners: Array, width: Array, height: Array) -> tuple[Wrong | None, int]:
    """The first shape well outside its image, and how many reach over an edge by a little."""
    x0, y0, x1, y1 = corners.T
    free_x, free_y = np.maximum(1.0, _OVER * width), np.maximum(1.0, _OVER * height)
    known = np.isfinite(width) & np.isfinite(height)
    over = known & ((x0 < 0) | (y0 < 0) | (x1 > width) | (y1 > height))
    far = known & ((x0 < -free_x) | (y0 < -free_y) | (x1 > width + free_x) | (y1 > height + free_y))
    if far.any():
        row = int(np.argmax(far))
        return (
            row,
            f"reaches outside its image of {width[row]:g} × {height[row]:g}",
            "coordinates and sizes must be in one unit: per cent are multiplied by the size of the image",
        ), 0
    return None, int(over.sum())


def scale_notes(
    corners: Array,
    document: NDArray[np.int32],
    annotator: NDArray[np.int32],
    names: Sequence[str],
    sizes: Array,
) -> list[str]:
    """A note where coordinates look like per cent (or shares) beside pixels."""
    if not len(corners):
        return []
    largest = np.abs(corners).max(axis=1)
    side = sizes[document].min(axis=1)
    found = []
    for scale in _SCALES:
        # (whole images may well be that small: their sizes, or other annotators, must say otherwise)
        if np.isfinite(side).all() and largest.max() <= scale and side.min() >= 2 * scale:
            found.append(
                f"all coordinates are at most {scale:g} and the images are larger: "
                f"are these {_UNITS[scale]}?"
            )
            break
        odd = _odd_ones(largest, document, annotator, len(names), scale)
        if odd:
            found.append(
                f"all coordinates of {', '.join(repr(names[a]) for a in odd)} are at most {scale:g}, "
                f"where those of others reach further: {_UNITS[scale]} against pixels?"
            )
            break
    return found


_UNITS: Mapping[float, str] = {1.0: "shares of the image", 100.0: "per cent"}


def _odd_ones(
    largest: Array,
    document: NDArray[np.int32],
    annotator: NDArray[np.int32],
    people: int,
    scale: float,
) -> list[int]:
    """Annotators within the scale everywhere, in documents where everybody else goes beyond twice that."""
    cell = document.astype(np.int64) * people + annotator
    reach = np.zeros((int(document.max()) + 1) * people)
    np.maximum.at(reach, cell, largest)
    table = reach.reshape(-1, people)
    counts = np.bincount(annotator, minlength=people)
    found = []
    for a in range(people):
        here = table[:, a] > 0
        others = np.where(np.arange(people) == a, 0.0, table)[here]
        shared = others.max(axis=1, initial=0.0) > 0
        if counts[a] < _FEW or not shared.any() or table[:, a].max() > scale:
            continue
        least = np.where(others > 0, others, np.inf).min(axis=1)[shared]
        if (least > 2 * scale).all():
            found.append(a)
    return found
