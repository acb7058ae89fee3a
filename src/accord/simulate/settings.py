"""What a made-up campaign looks like before anything is degraded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Ratings, Units
from accord.errors import InputError, UsageError
from accord.options.kinds import refuses_other_kinds

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """What one annotator marked in one document."""

    start: Floats
    end: Floats
    label: Ints
    length: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UnitsSetting:
    """Documents of units: drawn afresh as in the 2011 paper, or taken from a real campaign.

    `records` are real annotators' documents; when there are none, `units` units are placed at
    random on a continuum of length 1 000, their lengths uniform between `shortest` and `longest`.
    """

    shape: Literal["units"] = "units"
    #: one sentence on what the numbers were made on
    sentence: str
    units: int = 25
    annotators: int = 3
    shortest: float = 8.0
    longest: float = 40.0
    length: float = 1000.0
    categories: tuple[str, ...] = ("unit",)
    shares: tuple[float, ...] = (1.0,)
    records: tuple[Record, ...] = ()
    #: the same with several categories, where a degradation needs them
    labelled: UnitsSetting | None = None

    def draw(self, rng: np.random.Generator) -> list[Record]:
        """The documents of the first annotator: at least `units` units in all."""
        if not self.records:
            size = rng.uniform(self.shortest, self.longest, self.units)
            start = rng.uniform(0.0, self.length - size)
            label = rng.choice(len(self.shares), self.units, p=self.shares)
            return [Record(start, start + size, label.astype(np.int64), self.length)]
        drawn: list[Record] = []
        while sum(len(r.start) for r in drawn) < self.units:
            drawn.append(self.records[rng.integers(len(self.records))])
        return drawn


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RatingsSetting:
    """Items whose true values are drawn in the shares given."""

    shape: Literal["ratings"] = "ratings"
    sentence: str
    items: int = 200
    annotators: int = 3
    values: tuple[object, ...] = ("a", "b", "c", "d")
    shares: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    numbers: bool = False

    def draw(self, rng: np.random.Generator) -> Ints:
        """The value (its number) of each item."""
        return rng.choice(len(self.shares), self.items, p=self.shares).astype(np.int64)


Setting = UnitsSetting | RatingsSetting

#: §6.1 of Mathet & Widlöcher (2011): 25 units placed at random, of random sizes, 3 annotators, and
#: no word of categories. The paper names neither the continuum nor the sizes: these are ours, and
#: with them the paper's .37 comes out at p = .44 to .46 (it prints .46).
PAPER = UnitsSetting(
    sentence="25 units of random place and size, 3 annotators, as in Mathet & Widlöcher 2011",
    labelled=UnitsSetting(
        sentence="the same with 4 categories of 40, 30, 20, 10 %",
        categories=("a", "b", "c", "d"),
        shares=(0.4, 0.3, 0.2, 0.1),
    ),
)
PLAIN_RATINGS = RatingsSetting(sentence="200 items, 3 annotators, 4 categories of 40, 30, 20, 10 %")


@refuses_other_kinds
def setting_of(data: Annotations) -> Setting:
    """The setting of a real campaign: its own documents, annotators, sizes and categories."""
    if isinstance(data, Units):
        return _units_setting(data)
    if isinstance(data, Ratings):
        return _ratings_setting(data)
    raise UsageError(
        f"degradations are simulated on units and ratings, these data are {data.shape}"
    )


def _units_setting(data: Units) -> UnitsSetting:
    pairs = np.stack([data.document, data.annotator], axis=1)
    records = []
    for d, a in np.unique(pairs, axis=0):
        rows = (data.document == d) & (data.annotator == a)
        end = float(data.end[rows].max())
        length = float(data.lengths[d])
        records.append(
            Record(
                data.start[rows],
                data.end[rows],
                data.label[rows].astype(np.int64),
                length if np.isfinite(length) else end,
            )
        )
    if not records:
        raise InputError("there is no unit to simulate from", hint="give annotated documents")
    n = max(2, round(float(data.coverage.sum(axis=1).mean())))
    counts = np.bincount(data.label[data.label >= 0], minlength=len(data.categories))
    return UnitsSetting(
        sentence=f"your corpus: {len(data.documents)} documents annotated {len(records)} times, "
        f"{n} annotators, {len(data.categories)} categories",
        units=max(25, round(len(data) / len(records))),
        annotators=n,
        categories=data.categories,
        shares=tuple((counts / max(1, counts.sum())).tolist()),
        records=tuple(records),
    )


def _ratings_setting(data: Ratings) -> RatingsSetting:
    if not len(data.code):
        raise InputError("there is no rating to simulate from", hint="give rated items")
    weight = None if data.multiplicity is None else data.multiplicity[data.item]
    counts = np.bincount(data.code, weights=weight, minlength=len(data.values))
    n = max(2, round(data.n_ratings / max(1, data.n_items)))
    return RatingsSetting(
        sentence=f"your campaign: {data.n_items} items, {n} annotators, "
        f"{len(data.values)} values in their observed shares",
        items=min(data.n_items, 2000),
        annotators=n,
        values=tuple(data.values),
        shares=tuple((counts / counts.sum()).tolist()),
        numbers=data.kind == "numbers",
    )
