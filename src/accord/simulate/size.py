"""How many items must be annotated for an interval as narrow as wanted, and how many annotators."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.errors import RefusedError, UsageError
from accord.measures import agree
from accord.options import LEVEL, SEED
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.result import Array, Result, Row, Sample
from accord.simulate.degrade import noise
from accord.simulate.settings import RatingsSetting
from accord.uncertainty import interval
from accord.uncertainty.jackknife import dense

#: items of the made-up campaign that stated parameters are turned into
_POOL = 20_000
#: resamples of each interval while searching
_RESAMPLES = 500
#: sizes tried are this factor apart
_STEP = 1.05
#: a pilot of fewer units says little
_PILOT = 20
_LARGEST = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleSize(Printable):
    """The number asked for, the share of campaigns of that size that meet the aim, and others."""

    measure: str
    value: float
    #: total width of the interval wanted; None when the aim is a threshold
    width: float | None
    threshold: float | None
    level: float
    #: wanted share of campaigns that meet the aim, and the share that did, on fresh campaigns
    assurance: float
    reached: float
    #: items (or documents) needed
    needed: int
    unit: str
    #: number in the data it was computed from; None for stated parameters
    present: int | None
    #: number of units, mean width, share of campaigns that meet the aim
    points: tuple[tuple[int, float, float], ...] = field(repr=False)
    #: what it was computed from, in a sentence
    source: str = field(repr=False)
    seed: int
    campaigns: int
    warnings: tuple[str, ...] = field(default=(), repr=False)

    def _printed(self) -> Printed:
        return Printed.of_rows(
            self.rows(), caption=f"Campaigns for {self.measure}, {self.level:.0%} interval"
        )

    def rows(self) -> list[Row]:
        """One row per number of items, for a table."""
        return [
            {self.unit + "s": n, "mean_width": w, "share_that_meets_it": s}
            for n, w, s in self.points
        ]

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "warnings": list(self.warnings), "points": self.rows()}


@refuses_other_kinds
def sample_size(
    data: Ratings,
    measure: str = "alpha",
    *,
    width: float | None = None,
    threshold: float | None = None,
    assurance: float = 0.8,
    level: float = LEVEL,
    campaigns: int = 200,
    seed: int = 0,
    source: str | None = None,
    **options: object,
) -> SampleSize:
    """Items (documents, when the data have several) that meet an aim in most campaigns.

    The aim is an interval no wider than `width` (.1 unless said), or, with `threshold`, a campaign
    that shows P(value < threshold) < .05. The mean width is met by half of the campaigns only:
    `needed` is the least number with which the share `assurance` of them meets the aim, found by
    drawing `campaigns` of them with the interval that each would get, and confirmed on fresh ones.

    Campaigns are drawn from the data. A pilot is itself a sample: each campaign first draws a set
    of Dirichlet weights of the pilot's items and of the virtual ones, so that a perfect pilot of
    twenty plans for errors. `source` says where made-up data come from (see :func:`planned`), which
    are taken as they are; None for real ones.
    """
    aim = _aim(width, threshold)
    if not 0 < level < 1 or not 0 < assurance < 1:
        raise UsageError(
            f"the level and the assurance must be between 0 and 1, got {level} and {assurance}"
        )
    if campaigns < 20:
        raise UsageError(f"at least 20 campaigns are needed to judge a share, got {campaigns}")
    asked: dict[str, Any] = {"ci": "none", **options}
    found: Result = agree(data, measure, **asked)
    if found.sample is None or found.undefined is not None:
        raise RefusedError(
            f"no sample size for {found.measure}: {found.undefined or 'it keeps no sample'}"
        )
    if found.sample.whole:
        raise RefusedError(f"no sample size for {found.measure}: its intervals cost a fit each")
    pool = _Pool.of(found, pilot=source is None)
    if pool.present < 2:
        raise RefusedError(f"no sample size from {pool.present} {pool.unit}; give at least two")
    trial = _Trial(pool, found, aim, level, campaigns, seed)
    needed = _search(trial, assurance)
    reached = trial.fresh(needed)
    while reached < assurance - 1e-9 and needed < _LARGEST:
        needed = max(needed + 1, math.ceil(needed * _STEP))
        reached = trial.fresh(needed)
    around = sorted({*_ladder(needed), needed})
    few = pool.present < _PILOT and source is None
    return SampleSize(
        measure=found.measure,
        value=found.value,
        width=aim.width,
        threshold=aim.threshold,
        level=level,
        assurance=assurance,
        reached=reached,
        needed=needed,
        unit=pool.unit,
        present=pool.present if source is None else None,
        points=tuple((n, *trial.at(n)) for n in around),
        source=source or f"your {pool.present} {pool.unit}s",
        seed=seed,
        campaigns=campaigns,
        warnings=(f"a pilot of {pool.present} {pool.unit}s says little: plan again with more",)
        if few
        else (),
    )


@refuses_other_kinds
def annotators_or_items(
    value: float,
    *,
    shares: Sequence[float] = (0.5, 0.5),
    item_cost: float = 0.0,
    label_cost: float = 1.0,
    annotators: Sequence[int] = range(2, 11),
    measure: str = "alpha",
    progress: Callable[[int, int], None] | None = None,
    seed: int = 0,
    **aim: object,
) -> list[Row]:
    """Items needed with each number of annotators, and what they cost; the cheapest is marked.

    cost(m) = items(m) · (item_cost + m · label_cost). It speaks of these annotators: for others of
    their kind the width hardly falls with the number of items.
    """
    if item_cost < 0 or label_cost < 0 or item_cost + label_cost == 0:
        raise UsageError("the costs must be numbers from 0, and not both 0")
    wanted: dict[str, Any] = aim
    rows: list[dict[str, Any]] = []
    for done, m in enumerate(annotators, 1):
        plan = planned(value, annotators=m, shares=shares, seed=seed)
        found = sample_size(plan, measure, seed=seed, source=f"{m} annotators", **wanted)
        rows.append(
            {
                "annotators": m,
                "items": found.needed,
                "labels": m * found.needed,
                "cost": found.needed * (item_cost + m * label_cost),
                "share_that_meets_it": found.reached,
            }
        )
        if progress is not None:
            progress(done, len(annotators))
    least = min(row["cost"] for row in rows)
    return [{**row, "cheapest": row["cost"] == least} for row in rows]


@refuses_other_kinds
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
    rng = np.random.default_rng(SEED.checked(seed))
    truth = setting.draw(rng)
    level = 1 - math.sqrt(value)
    columns = [noise(truth, level, rng, setting) for _ in range(annotators)]
    return Ratings.from_matrix(
        [[setting.values[c] for c in column] for column in columns],
        orientation="annotators",
        categories=setting.values,
    )


# --- campaigns -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Aim:
    width: float | None
    threshold: float | None

    def met(self, result: Result) -> bool:
        made = result.interval
        if made is None:
            return False
        if self.width is not None:
            return made.high - made.low <= self.width
        return float(result.terms["p_below"]) < 0.05


def _aim(width: float | None, threshold: float | None) -> _Aim:
    if width is not None and threshold is not None:
        raise UsageError("give a width or a threshold, not both")
    if threshold is not None:
        return _Aim(width=None, threshold=threshold)
    width = 0.1 if width is None else width
    if not 0 < width < 2:
        raise UsageError(f"the width must be between 0 and 2, got {width}")
    return _Aim(width=width, threshold=None)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Pool:
    """The rows that campaigns are drawn from: real ones, and for a pilot the virtual ones."""

    sample: Sample
    #: Gamma shapes of the rows; without them the shares are known
    mass: Array
    pilot: bool
    present: int
    unit: str

    @classmethod
    def of(cls, found: Result, *, pilot: bool) -> _Pool:
        sample = found.sample
        assert sample is not None
        if sample.cluster is not None:
            grouped = sample.by_cluster()
            if grouped.size > 1:
                sample = grouped
        counts = sample.counts
        used = np.flatnonzero(counts)
        rows = dense(sample.rows[used]) if sample.rows is not None else np.eye(len(counts))[used]
        mass = counts[used].astype(np.float64)
        weight = None if sample.weight is None else sample.weight[used]
        if pilot and sample.virtual is not None:
            more = sample.virtual()
            rows, mass = np.vstack([rows, dense(more.rows)]), np.concatenate([mass, more.mass])
        held = replace(
            sample, rows=rows, index=None, multiplicity=None, cluster=None, clusters=(),
            keys=None, law=None, weight=weight,
        )  # fmt: skip
        return cls(sample=held, mass=mass, pilot=pilot, present=int(counts.sum()), unit=sample.unit)

    def draw(self, n: int, rng: np.random.Generator) -> Sample:
        """A campaign of n units."""
        shares = rng.standard_gamma(self.mass) if self.pilot else self.mass
        drawn = rng.multinomial(n, shares / shares.sum())
        return replace(self.sample, multiplicity=drawn)


class _Trial:
    """Campaigns of n units, and the share of them that meets the aim; each n is tried once."""

    def __init__(
        self, pool: _Pool, found: Result, aim: _Aim, level: float, campaigns: int, seed: int
    ) -> None:
        self.pool, self.found, self.aim = pool, found, aim
        self.level, self.campaigns, self.seed = level, campaigns, seed
        self.known: dict[int, tuple[float, float]] = {}

    def at(self, n: int) -> tuple[float, float]:
        """Mean width, and share that meets the aim."""
        if n not in self.known:
            self.known[n] = self._run(n, self.seed)
        return self.known[n]

    def fresh(self, n: int) -> float:
        """The share on campaigns that the search has not seen."""
        width, share = self._run(n, self.seed + 1)
        self.known[n] = width, share
        return share

    def _run(self, n: int, seed: int) -> tuple[float, float]:
        rng = np.random.default_rng([seed, n])
        widths, met = [], 0
        for b in range(self.campaigns):
            sample = self.pool.draw(n, rng)
            value = float(np.real(sample.score(sample.totals())["value"][0]))
            if not math.isfinite(value):
                continue
            result = interval(
                replace(self.found, sample=sample, value=value, interval=None, warnings=()),
                level=self.level,
                resamples=_RESAMPLES,
                seed=b,
                thresholds=() if self.aim.threshold is None else (self.aim.threshold,),
            )
            if result.interval is not None:
                widths.append(result.interval.high - result.interval.low)
                met += self.aim.met(result)
        return float(np.mean(widths)) if widths else math.nan, met / self.campaigns


def _search(trial: _Trial, assurance: float) -> int:
    """The least number, on a grid of sizes, at which enough campaigns meet the aim."""
    low, high = 0, 10
    while trial.at(high)[1] < assurance:
        low, high = high, 2 * high
        if high > _LARGEST:
            raise UsageError(
                "more than 10⁷ would be needed; ask for a wider interval, or a threshold farther "
                "from the value"
            )
    while high > max(low + 1, math.ceil(low * _STEP)):
        middle = max(low + 1, round(math.sqrt(max(low, 1) * high)))
        if middle >= high:
            break
        if trial.at(middle)[1] >= assurance:
            high = middle
        else:
            low = middle
    return high


def _ladder(needed: int) -> list[int]:
    return [max(2, round(needed * f)) for f in (0.5, 0.75, 1.5)]
