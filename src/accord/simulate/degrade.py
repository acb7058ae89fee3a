"""Controlled damage: the annotators after the first are copies of the first, made worse.

(a) and (b) are those of §6.1 of Mathet & Widlöcher (2011, TALN); the others extend them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from accord.data import Ratings, Units
from accord.simulate.settings import Ints, RatingsSetting, Record, UnitsSetting

UnitsDamage = Callable[[Record, float, np.random.Generator, UnitsSetting], Record]
RatingsDamage = Callable[[Ints, float, np.random.Generator, RatingsSetting], Ints]


@dataclass(frozen=True, slots=True)
class Degradation:
    """One kind of damage: the symbol of its strength, the strongest that makes sense, in words."""

    name: str
    symbol: str
    most: float
    #: what it does, in words that end "like ...", at an `{amount}`
    words: str
    needs_categories: bool = False
    #: the amount that people are told: a strength of 1 is so much, with so many decimals
    scale: float = 100.0
    decimals: int = 0

    def amount(self, level: float) -> str:
        """A strength in the numbers that people are told."""
        return f"{self.scale * level:.{self.decimals}f}"


UNITS: Mapping[str, Degradation] = {
    d.name: d
    for d in (
        Degradation("shift", "k", 4.0, "moving each boundary by up to ±{amount} unit lengths",
                    scale=0.5, decimals=1),
        Degradation("omission", "p", 1.0, "omitting {amount} % of the units"),
        Degradation("false-positives", "f", 1.0, "adding {amount} % more units at random"),
        Degradation("confusion", "c", 1.0, "giving {amount} % of the units another category",
                    needs_categories=True),
        Degradation("splits", "s", 1.0, "cutting {amount} % of the units in two"),
        Degradation("together", "m", 0.5, "all of these at once at {amount} %, boundaries "
                    "moving by up to ±{level:.2f} unit lengths"),
    )
}  # fmt: skip

RATINGS: Mapping[str, Degradation] = {
    d.name: d
    for d in (
        Degradation("noise", "e", 1.0, "answering {amount} % of the items at random"),
        Degradation("neighbour", "n", 1.0, "moving {amount} % of the values to a neighbour"),
        Degradation("habit", "h", 1.0, "giving {amount} % of the items the commonest value"),
    )
}


def damaged_units(
    setting: UnitsSetting, name: str, level: float, rng: np.random.Generator
) -> Units:
    """A campaign in which all annotators but the first are degraded copies of the first."""
    damage = _UNITS[name]
    if UNITS[name].needs_categories and setting.labelled is not None:
        setting = replace(setting.labelled, annotators=setting.annotators)
    rows: list[tuple[str, str, float, float, str | None]] = []
    lengths = {}
    for d, first in enumerate(setting.draw(rng)):
        document = f"d{d}"
        lengths[document] = first.length
        for a in range(setting.annotators):
            record = first if a == 0 else damage(first, level, rng, setting)
            rows.extend(
                (document, f"a{a}", s, e, setting.categories[c] if c >= 0 else None)
                for s, e, c in zip(
                    record.start.tolist(), record.end.tolist(), record.label.tolist(), strict=True
                )
            )
    everybody = [(d, f"a{a}") for d in lengths for a in range(setting.annotators)]
    return Units.from_rows(rows, lengths=lengths, coverage=everybody, categories=setting.categories)


def damaged_ratings(
    setting: RatingsSetting, name: str, level: float, rng: np.random.Generator
) -> Ratings:
    """Ratings in which all annotators but the first are degraded copies of the first."""
    truth = setting.draw(rng)
    columns = [truth, *(_RATINGS[name](truth, level, rng, setting)
                        for _ in range(setting.annotators - 1))]  # fmt: skip
    matrix = [[setting.values[c] for c in column] for column in columns]
    return Ratings.from_matrix(
        matrix,
        orientation="annotators",
        categories=None if setting.numbers else list(setting.values),
    )


def shift(r: Record, k: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """(a) Move each boundary by a uniform value in ±k/2 times the length of the unit.

    Boundaries that cross change roles; what would leave the continuum stops at its end.

    Deviations: the paper writes ±k/2, and so do we; but its own figure (.37 at k = 1.2, where
    p = .46) is about what boundaries moving by ±k give: .37 is k ≈ 2.1 to 2.4 here.
    """
    size = r.end - r.start
    start = r.start + rng.uniform(-k / 2, k / 2, len(size)) * size
    end = r.end + rng.uniform(-k / 2, k / 2, len(size)) * size
    low, high = np.minimum(start, end), np.maximum(start, end)
    # a unit that shrinks to nothing is no unit: keep a hundredth of its length
    low = np.clip(low, 0.0, r.length - size / 100)
    high = np.minimum(np.maximum(high, low + size / 100), r.length)
    return Record(low, high, r.label, r.length)


def omission(r: Record, p: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """(b) Leave each unit out with probability p."""
    kept = rng.random(len(r.start)) >= p
    return Record(r.start[kept], r.end[kept], r.label[kept], r.length)


def false_positives(r: Record, f: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """For each unit, add with probability f one of its length and label at a random place."""
    copied = np.flatnonzero(rng.random(len(r.start)) < f)
    size = (r.end - r.start)[copied]
    start = rng.uniform(0.0, np.maximum(r.length - size, 0.0))
    return Record(
        np.concatenate([r.start, start]),
        np.concatenate([r.end, np.minimum(start + size, r.length)]),
        np.concatenate([r.label, r.label[copied]]),
        r.length,
    )


def confusion(r: Record, c: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """Give each unit, with probability c, another category, in the shares of the others."""
    label = r.label.copy()
    for i in np.flatnonzero((rng.random(len(label)) < c) & (label >= 0)):
        share = np.array(setting.shares)
        share[label[i]] = 0.0
        label[i] = rng.choice(len(share), p=share / share.sum())
    return Record(r.start, r.end, label, r.length)


def splits(r: Record, s: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """Cut each unit in two, with probability s, between a fifth and four fifths of its length."""
    cut = rng.random(len(r.start)) < s
    place = r.start + rng.uniform(0.2, 0.8, len(r.start)) * (r.end - r.start)
    return Record(
        np.concatenate([r.start, place[cut]]),
        np.concatenate([np.where(cut, place, r.end), r.end[cut]]),
        np.concatenate([r.label, r.label[cut]]),
        r.length,
    )


def together(r: Record, m: float, rng: np.random.Generator, setting: UnitsSetting) -> Record:
    """Every degradation at m, the shift at k = 2m."""
    r = omission(shift(r, 2 * m, rng, setting), m, rng, setting)
    if sum(share > 0 for share in setting.shares) > 1:
        r = confusion(r, m, rng, setting)
    return false_positives(splits(r, m, rng, setting), m, rng, setting)


def noise(truth: Ints, e: float, rng: np.random.Generator, setting: RatingsSetting) -> Ints:
    """Answer each item, with probability e, at random in the shares of the values."""
    drawn = rng.choice(len(setting.shares), len(truth), p=setting.shares)
    return np.where(rng.random(len(truth)) < e, drawn, truth)


def neighbour(truth: Ints, n: float, rng: np.random.Generator, setting: RatingsSetting) -> Ints:
    """Move each value, with probability n, to one beside it in their order."""
    step = rng.choice([-1, 1], len(truth))
    last = len(setting.shares) - 1
    step = np.where(truth == 0, 1, np.where(truth == last, -1, step)) if last else 0 * truth
    return np.where(rng.random(len(truth)) < n, truth + step, truth)


def habit(truth: Ints, h: float, rng: np.random.Generator, setting: RatingsSetting) -> Ints:
    """Give each item, with probability h, the commonest value."""
    return np.where(rng.random(len(truth)) < h, int(np.argmax(setting.shares)), truth)


_UNITS: Mapping[str, UnitsDamage] = {
    "shift": shift,
    "omission": omission,
    "false-positives": false_positives,
    "confusion": confusion,
    "splits": splits,
    "together": together,
}
_RATINGS: Mapping[str, RatingsDamage] = {"noise": noise, "neighbour": neighbour, "habit": habit}
