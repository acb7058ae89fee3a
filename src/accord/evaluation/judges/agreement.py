"""The judge with people, beside people among themselves: the same measure on the same items."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from accord.data import Ratings
from accord.evaluation.groups import cross_replication
from accord.evaluation.judges.classes import shares
from accord.measures.ratio import ratio_of_totals
from accord.result import Array, Result, Sample, signature
from accord.uncertainty import interval


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Agreement:
    """Shares of agreeing pairs, and the chance-corrected coefficients beside them."""

    with_humans: Result
    #: None with one human
    among_humans: Result | None
    difference: Result | None
    #: α of the people, and κ_x of the judge with them
    alpha: float | None
    kappa_x: float | None

    def to_dict(self) -> dict[str, object]:
        def ends(found: Result | None) -> list[float] | None:
            return (
                None
                if found is None or found.interval is None
                else [found.interval.low, found.interval.high]
            )

        return {
            "with_humans": self.with_humans.value,
            "with_humans_interval": ends(self.with_humans),
            "among_humans": None if self.among_humans is None else self.among_humans.value,
            "among_humans_interval": ends(self.among_humans),
            "difference": None if self.difference is None else self.difference.value,
            "difference_interval": ends(self.difference),
            "alpha_of_humans": self.alpha,
            "kappa_x": self.kappa_x,
            "items": self.with_humans.n,
        }


def agreement(
    people: Ratings, judge: Ratings, *, metric: str, level: float, resamples: int, seed: int,
    weight: Mapping[Hashable, float] | None = None,
) -> Agreement:  # fmt: skip
    """Mean share of the people who agree with the judge, and of the people who agree among them.

    On the items with two people or more and an answer of the judge; with one person in all, on all
    items, and nothing is said of people among themselves. Where items were not labelled alike, `weight`
    says how many each stands for.
    """
    from accord.measures.ratings.alpha import alpha

    several = len(people.annotators) > 1 and bool(np.any(people.per_item >= 2))
    rated = people.take(np.flatnonzero(people.per_item >= (2 if several else 1)))
    y, f, keys = shares(rated, judge)
    m = _raters(rated, judge)
    each = np.array([1.0 if weight is None else weight[key] for key in keys])
    agree = np.sum(y * f, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        among = np.where(m > 1, (m * np.sum(y * y, axis=1) - 1) / (m - 1), np.nan)

    def result(name: str, rows: Array) -> Result:
        sample = Sample(rows=np.column_stack([rows * each, each]), score=ratio_of_totals)
        found = Result(
            measure=name,
            value=float(sample.score(sample.totals())["value"][0]) if len(rows) else float("nan"),
            n=len(rows),
            signature=signature(name, len(rows)),
            undefined="people labelled no item of one answer of the judge"
            if np.isnan(each).any()
            else "no item has two people and the judge",
            sample=sample,
        )
        if len(rows) < 2 or found.undefined is not None:
            return found
        return interval(found, level=level, resamples=resamples, seed=seed)

    if weight is not None:
        known = np.array([weight.get(key, np.nan) for key in people.items])
        people = people.take(np.flatnonzero(np.isfinite(known)))
        people = replace(people, weights=known[np.isfinite(known)])
    coefficient = alpha(people, metric=metric) if several and len(people.items) else None
    crossed = cross_replication(people, judge, metric=metric)
    kappa_x = crossed.value
    sample = crossed.sample
    if weight is not None and sample is not None and sample.rows is not None and crossed.n:
        w = np.array([weight[key] for key in sample.keys or ()])
        kappa_x = float(sample.score((w @ sample.rows)[None, :])["value"][0])
    return Agreement(
        with_humans=result("with_humans", agree),
        among_humans=result("among_humans", among) if several else None,
        difference=result("difference", agree - among) if several else None,
        alpha=None if coefficient is None or coefficient.undefined else coefficient.value,
        kappa_x=kappa_x if np.isfinite(kappa_x) else None,
    )


def _raters(people: Ratings, judge: Ratings) -> Array:
    """Number of people on each item that the judge answered too."""
    answered = {judge.items[i] for i in np.unique(judge.item)}
    kept = [i for i, key in enumerate(people.items) if key in answered and people.per_item[i] > 0]
    return people.per_item[kept].astype(np.float64)
