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
from accord.errors import UsageError
from accord.measures import find
from accord.options.kinds import refuses_other_kinds
from accord.result import Interval, Result
from accord.simulate.degrade import RATINGS, UNITS
from accord.simulate.grid import Grid

#: the two readings of the paper
_READ = ("shift", "omission")


@refuses_other_kinds
def translate(
    value: float | Result,
    measure: str | None = None,
    data: Annotations | None = None,
    *,
    grid: Grid | None = None,
) -> str | None:
    """What the value is like, in a sentence with limits; None when nothing is known for it.

    >>> import accord
    >>> data = accord.Ratings.from_matrix([["a", "b"], ["a", "b"]])
    >>> print(translate(0.64, "alpha", data))
    like annotators who each answered 20 % of the items at random, in the observed proportions

    Parameters
    ----------
    value : a result, which is read with its own options and interval; of a bare number it is taken
        that the measure had its default options
    measure : that of a bare number
    data : the annotations, which decide the kind of reading and the number of annotators
    grid : a grid made on the user's own corpus, read instead of the stored one

    A value on units is read only from a grid made with its options; the stored ones have the
    defaults, and 2, 3 or 4 annotators who saw every document.
    """
    result = value if isinstance(value, Result) else None
    number = float(value)
    name = measure if result is None else result.measure
    if name is None:
        raise UsageError("a bare number needs the measure it is of")
    if not math.isfinite(number):
        return None
    if number <= 0:
        return "no better than chance"
    interval = None if result is None else result.interval
    if interval is not None and not (math.isfinite(interval.low) and math.isfinite(interval.high)):
        interval = None
    if isinstance(data, Ratings):
        return _attention(number, interval) if find(name).pooled else None
    if data is not None and not isinstance(data, Units):
        return None
    if grid is not None and result is not None and not grid.is_of(result.signature):
        raise UsageError(f"the grid is of another measure or options: {grid.signature}")
    chosen = grid or _stored(name, result, data)
    return None if chosen is None else read_aloud(chosen, number, interval)


def _attention(value: float, interval: Interval | None) -> str:
    """Ratings: A = (1 − e)² when each annotator answers a share e of the items at random.

    The answers at random come in the shares that chance draws from.
    """

    def share(agreement: float) -> str:
        return f"{100 * (1 - math.sqrt(min(max(agreement, 0.0), 1.0))):.0f}"

    if interval is None:
        amount, limits = share(value), ""
    else:
        amount = f"{share(value)} [{share(interval.high)}, {share(interval.low)}]"
        limits = f" (limits at {100 * interval.level:g} %)"
    return (
        f"like annotators who each answered {amount} % of the items at random, "
        f"in the observed proportions{limits}"
    )


def read_aloud(grid: Grid, value: float, interval: Interval | None = None) -> str:
    """The grid read backwards at that value, with limits, and the setting it was made on.

    The limits are the levels of the ends of the interval; without one, those at which nine tenths of
    the campaigns of the grid hold the value.
    """
    like, worse = [], []
    for curve in grid.curves:
        if curve.degradation not in _READ:
            continue
        level = curve.level_at(value)
        if level is None:
            worse.append("worse than " + in_words(curve.degradation, curve.levels[-1]))
            continue
        limits = (
            grid.limits(value)[curve.degradation]
            if interval is None
            else (curve.level_at(interval.high), curve.level_at(interval.low))
        )
        like.append("after " + in_words(curve.degradation, level, limits, curve.levels[-1]))
    copies = f"about what perfect copies would give {', or '.join(like)}" if like else ""
    told = "; ".join([part for part in (copies, *worse) if part])
    sure = f"limits at {100 * (0.9 if interval is None else interval.level):g} %; " if like else ""
    return f"{told} ({sure}simulated on {grid.setting})"


def in_words(
    degradation: str,
    level: float,
    limits: tuple[float | None, float | None] | None = None,
    last: float = math.inf,
) -> str:
    """A level of a degradation, and limits of it, as people say it; None is beyond the `last` level.

    >>> in_words("shift", 1.2)
    'moving each boundary by up to ±0.6 unit lengths'
    >>> in_words("omission", 0.4, (0.3, None), 1.0)
    'omitting 40 [30, 100] % of the units'
    """
    known = UNITS.get(degradation) or RATINGS[degradation]
    amount = known.amount(level)
    if limits is not None:
        ends = [known.amount(last if end is None else end) for end in limits]
        # a grid that ends before the damage is complete leaves the limit open
        more = "≥" if limits[1] is None and last * known.scale != 100 else ""
        amount += f" [{ends[0]}, {more}{ends[1]}]"
    return known.words.format(amount=amount, level=level)


@cache
def stored_grids() -> tuple[Grid, ...]:
    """The grids that come with the package."""
    path = files("accord.simulate") / "grids.json"
    if not path.is_file():
        return ()
    return tuple(Grid.from_dict(g) for g in json.loads(path.read_text(encoding="utf-8"))["grids"])


def _stored(measure: str, result: Result | None, data: Units | None) -> Grid | None:
    """The stored grid of the value's options and of as many annotators, if there is one."""
    if data is None:
        return None
    several = {int(n) for n in data.coverage.sum(axis=1) if n > 1}
    return next(
        (
            g
            for g in stored_grids()
            if g.measure == measure
            and several == {g.annotators}
            # the stored grids are of one document, whose chance is that of the corpus
            and (result is None or g.is_of(result.signature, but={"expected"}))
        ),
        None,
    )
