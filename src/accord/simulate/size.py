"""How many items must be annotated for an interval as narrow as wanted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import RefusedError, UsageError
from accord.measures import agree
from accord.result import Result, Sample
from accord.simulate.degrade import noise
from accord.simulate.settings import RatingsSetting

#: items of the made-up campaign that stated parameters are turned into
_POOL = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize:
    """The number asked for, and the expected width of the interval at other numbers."""

    measure: str
    value: float
    #: total width of the interval wanted
    width: float
    level: float
    #: items (or documents) needed
    needed: int
    unit: str
    #: number in the data it was computed from; None for stated parameters
    present: int | None
    points: tuple[tuple[int, float], ...]
    #: what it was computed from, in a sentence
    source: str
    seed: int
    resamples: int

    def rows(self) -> list[dict[str, Any]]:
        """One row per number of items, for a table."""
        return [{self.unit + "s": n, "width": w} for n, w in self.points]


def sample_size(
    data: Ratings,
    measure: str = "alpha",
    *,
    width: float = 0.1,
    level: float = 0.95,
    resamples: int = 2000,
    seed: int = 0,
    source: str | None = None,
    **options: Any,
) -> SampleSize:
    """Items (documents, when the data have several) for an interval of that total width.

    Campaigns of n units are drawn with replacement from the data; the expected width at n is the
    spread of the measure over them, from quantile (1-level)/2 to (1+level)/2, and n is the smallest
    number at which it is no wider than wanted. The width shrinks about as 1/√n, which leads the
    search. `source` says where made-up data come from (see :func:`planned`); None for real ones.
    """
    if not 0 < width < 2:
        raise UsageError(f"the width must be between 0 and 2, got {width}")
    if not 0 < level < 1:
        raise UsageError(f"the level must be between 0 and 1, got {level}")
    found: Result = agree(data, measure, **options)
    if found.sample is None or found.undefined is not None:
        raise RefusedError(
            f"no sample size for {found.measure}: {found.undefined or 'it keeps no sample'}"
        )
    sample = found.sample
    if sample.cluster is not None and len(sample.clusters) > 1:
        sample = sample.by_cluster()
    present = int(sample.counts.sum())
    if present < 2:
        raise RefusedError(f"no sample size from {present} {sample.unit}; give at least two")
    spread = _Spread(sample, level, resamples, seed)
    needed = _search(spread, present, width)
    around = sorted({*_ladder(needed), needed, *([present] if source is None else [])})
    return SampleSize(
        measure=found.measure,
        value=found.value,
        width=width,
        level=level,
        needed=needed,
        unit=sample.unit,
        present=present if source is None else None,
        points=tuple((n, spread.width(n)) for n in around),
        source=source or f"your {present} {sample.unit}s",
        seed=seed,
        resamples=resamples,
    )


def planned(
    value: float,
    *,
    annotators: int = 2,
    shares: Sequence[float] = (0.5, 0.5),
    seed: int = 0,
) -> Ratings:
    """A large made-up campaign with about that agreement, to plan from when there are no data yet.

    Each annotator answers an item rightly with probability √A and otherwise at random in the
    shares: then the chance-corrected agreement of any pair is A.
    """
    if not 0 <= value < 1:
        raise UsageError(f"the expected agreement must be from 0 to below 1, got {value}")
    if annotators < 2:
        raise UsageError(f"agreement needs at least two annotators, got {annotators}")
    total = sum(shares)
    if len(shares) < 2 or min(shares) < 0 or total <= 0:
        raise UsageError("the shares must be at least two numbers from 0, such as 0.9,0.1")
    setting = RatingsSetting(
        sentence="stated parameters",
        items=_POOL,
        annotators=annotators,
        values=tuple(f"c{i}" for i in range(len(shares))),
        shares=tuple(s / total for s in shares),
    )
    rng = np.random.default_rng(seed)
    truth = setting.draw(rng)
    level = 1 - math.sqrt(value)
    columns = [noise(truth, level, rng, setting) for _ in range(annotators)]
    return Ratings.from_matrix(
        [[setting.values[c] for c in column] for column in columns], categories=setting.values
    )


class _Spread:
    """Width of the interval at n units, each n computed once."""

    def __init__(self, sample: Sample, level: float, resamples: int, seed: int) -> None:
        self.sample, self.level, self.resamples, self.seed = sample, level, resamples, seed
        self.known: dict[int, float] = {}

    def width(self, n: int) -> float:
        if n not in self.known:
            counts = self.sample.counts
            rng = np.random.default_rng(self.seed)
            values: list[Any] = []
            block = max(1, 4_000_000 // max(1, len(counts)))
            for start in range(0, self.resamples, block):
                height = min(block, self.resamples - start)
                drawn = rng.multinomial(n, counts / counts.sum(), size=height)
                values.append(self.sample.value(drawn.astype(np.float64)))
            value = np.concatenate(values)
            value = value[np.isfinite(value)]
            tail = (1 - self.level) / 2
            low, high = np.quantile(value, [tail, 1 - tail]) if len(value) > 1 else (0.0, 2.0)
            self.known[n] = float(high - low)
        return self.known[n]


def _search(spread: _Spread, start: int, wanted: float) -> int:
    """A number of units with a width no larger than wanted, about one per cent above the least."""
    n = max(start, 2)
    for _ in range(12):
        now = spread.width(n)
        if 0.985 * wanted <= now <= wanted or (now < wanted and n == 2):
            return n
        n = max(2, math.ceil(n * (now / wanted) ** 2 * 1.01))
        if n > 10**9:
            raise UsageError("more than 10⁹ items would be needed; ask for a wider interval")
    while spread.width(n) > wanted:
        n = math.ceil(n * 1.02)
    return n


def _ladder(needed: int) -> list[int]:
    return [max(2, round(needed * f)) for f in (0.25, 0.5, 0.75, 1.5, 2)]
