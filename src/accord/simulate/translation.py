"""A value in words: what damage would have given the same agreement.

For units the grids of ``grids.json`` are read backwards; they were made once, on the setting of the
2011 paper, by ``scripts/reading_grids.py``. For ratings a formula suffices.
"""

from __future__ import annotations

import json
import math
from functools import cache
from importlib.resources import files

from accord.data import Annotations, Ratings, Units
from accord.measures import find
from accord.simulate.degrade import RATINGS, UNITS
from accord.simulate.grid import Grid

#: the two readings of the paper
_READ = ("shift", "omission")


def translate(
    value: float, measure: str, data: Annotations | None = None, *, grid: Grid | None = None
) -> str | None:
    """What the value is like, in a sentence; None when nothing is known for this measure.

    >>> import accord
    >>> data = accord.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    >>> print(translate(0.64, "alpha", data))
    like annotators who each answered 20 % of the items at random, in the observed proportions

    Parameters
    ----------
    value, measure : as in the result
    data : the annotations, which decide the kind of reading and the number of annotators
    grid : a grid made on the user's own corpus, read instead of the stored one
    """
    if not math.isfinite(value):
        return None
    if value <= 0:
        return "no better than chance"
    if isinstance(data, Ratings):
        if not find(measure).pooled:
            return None
        # A = (1 − e)² when each annotator answers a share e of the items at random, in the shares
        # that chance draws from
        share = 1 - math.sqrt(min(value, 1.0))
        return (
            f"like annotators who each answered {100 * share:.0f} % of the items at random, "
            "in the observed proportions"
        )
    if data is not None and not isinstance(data, Units):
        return None
    chosen = grid or _nearest(measure, _annotators(data))
    return None if chosen is None else read_aloud(chosen, value)


def read_aloud(grid: Grid, value: float) -> str:
    """The grid read backwards at that value, and the setting it was made on."""
    like, worse = [], []
    for curve in grid.curves:
        if curve.degradation not in _READ:
            continue
        level = curve.level_at(value)
        if level is None:
            worse.append("worse than " + in_words(curve.degradation, curve.levels[-1]))
        else:
            like.append("like " + in_words(curve.degradation, level))
    told = "; ".join([part for part in (", or ".join(like), *worse) if part])
    return f"{told} (reading grid of {grid.setting})"


def in_words(degradation: str, level: float) -> str:
    """A level of a degradation as people say it.

    >>> in_words("shift", 1.2)
    'moving each boundary by up to ±0.6 unit lengths'
    """
    known = UNITS.get(degradation) or RATINGS[degradation]
    return known.words.format(half=level / 2, percent=100 * level, level=level)


@cache
def stored_grids() -> tuple[Grid, ...]:
    """The grids that come with the package."""
    path = files("accord.simulate") / "grids.json"
    if not path.is_file():
        return ()
    return tuple(Grid.from_dict(g) for g in json.loads(path.read_text(encoding="utf-8"))["grids"])


def _nearest(measure: str, annotators: int) -> Grid | None:
    known = [g for g in stored_grids() if g.measure == measure]
    return min(known, key=lambda g: abs(g.annotators - annotators), default=None)


def _annotators(data: Units | None) -> int:
    if data is None or not len(data.documents):
        return 3
    return max(2, round(float(data.coverage.sum(axis=1).mean())))
