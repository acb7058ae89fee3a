"""Outlines of shapes that are no upright rectangles: their area, and whether they cross themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import needed

Array = NDArray[np.float64]


def shapely() -> Any:
    """The library of plane geometry; one sentence where it is not installed."""
    return needed("shapely", "shapes", "comparing polygons")


def outline_of(given: Any) -> Array:
    """The points of an outline, from ``x,y x,y …``, from pairs, or from one list x, y, x, y, …

    >>> outline_of("0,0 4,0 0,3").tolist() == outline_of([0, 0, 4, 0, 0, 3]).tolist()
    True
    """
    if isinstance(given, str):
        pairs = [pair.split(",") for pair in given.replace(";", " ").split()]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError(given)
        return np.array([[float(x), float(y)] for x, y in pairs], dtype=np.float64).reshape(-1, 2)
    found = np.asarray(given, dtype=np.float64)
    if found.size % 2 or (found.ndim == 2 and found.shape[1] != 2) or found.ndim > 2:
        raise ValueError(given)
    return found.reshape(-1, 2)


def polygon_area(points: Array) -> float:
    """The area inside an outline, its corners in either direction.

    >>> polygon_area(np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]))
    6.0
    """
    # about the first corner: far from the origin the products would cancel
    with np.errstate(invalid="ignore", over="ignore"):
        x, y = (points - points[0]).T
        return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def made_polygons(outlines: Sequence[Array]) -> Any:
    """An array of the library's polygons."""
    library = shapely()
    size = [len(points) for points in outlines]
    rings = library.linearrings(
        np.concatenate(list(outlines)) if outlines else np.empty((0, 2)),
        indices=np.repeat(np.arange(len(outlines)), size),
    )
    return library.polygons(rings)


def crossing(outlines: Sequence[Array]) -> list[int]:
    """The numbers of the outlines that cross or touch themselves.

    >>> bow_tie = np.array([[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]])
    >>> crossing([np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]), bow_tie])
    [1]
    """
    if not outlines:
        return []
    valid = shapely().is_valid(made_polygons(outlines))
    return [int(i) for i in np.flatnonzero(~valid)]


def flat(points: Array) -> bool:
    """Whether all points lie on one line.

    >>> flat(np.array([[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]]))
    True
    """
    x, y = (points - points[0]).T
    far = int(np.argmax(np.abs(x) + np.abs(y)))
    return bool((x * y[far] == y * x[far]).all())


def is_rectangle(points: Array) -> bool:
    """Whether an outline of four corners is an upright rectangle: then it needs no polygon.

    >>> is_rectangle(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 3.0], [0.0, 3.0]]))
    True
    """
    if len(points) != 4 or len(set(map(tuple, points.tolist()))) != 4:
        return False
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    on_corner = np.isin(points[:, 0], (x0, x1)) & np.isin(points[:, 1], (y0, y1))
    # one coordinate changes at every step: four corners crosswise are a bow tie
    steps = (np.diff(points, axis=0, append=points[:1]) != 0).sum(axis=1)
    return bool(on_corner.all() and (steps == 1).all())
