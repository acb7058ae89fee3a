"""What people and a judge said of the same items, as numbers that the estimators can use."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.errors import InputError, UsageError, some

Array = NDArray[np.float64]
Target = Literal["rate", "mean"]

#: pairs of values of which the second is the positive one, as people write them
_YES = (("0", "1"), ("false", "true"), ("no", "yes"), ("non", "oui"), ("n", "y"))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Labels:
    """The items a judge answered: its score f, the people's scores, and who gave them.

    `f[i]` is the judge's score of item i (the mean over repeated runs: runs of one item are one
    observation). The people's scores stand in a ragged table: score `score[j]` of item `item[j]` by
    the person `person[j]`. A score is [value = positive] for a rate, the number for a mean.
    """

    f: Array
    item: NDArray[np.int64]
    person: NDArray[np.int64]
    score: Array
    people: tuple[str, ...]
    items: Sequence[Hashable]
    target: Target
    #: the value whose rate is meant; None for a mean
    positive: str | None = None
    #: smallest and largest value that anybody used (a mean is scaled by them where strata need it)
    bounds: tuple[float, float] = (0.0, 1.0)
    #: weight of each item: the inverse of its probability of being labelled by people
    weights: Array | None = None
    #: the judge's answer to each item, where its answers decided what people labelled
    answer: NDArray[np.int64] | None = None
    #: stratum of each item, and the strata's names
    stratum: NDArray[np.int64] | None = None
    strata: tuple[str, ...] = ()

    @property
    def m(self) -> NDArray[np.int64]:
        """Number of people who labelled each item."""
        return np.bincount(self.item, minlength=len(self.f))

    @property
    def y(self) -> Array:
        """Mean of the people's scores of each item, NaN where nobody labelled it."""
        count = self.m
        total = np.bincount(self.item, weights=self.score, minlength=len(self.f))
        with np.errstate(invalid="ignore"):
            mean: Array = total / np.where(count, count, np.nan)
        # a mean of equal scores is that score: 0 and 1 must compare as what they are
        return np.round(mean, 15)

    def without(self, person: int) -> Self:
        """The same items without one person's labels."""
        keep = self.person != person
        return replace(self, item=self.item[keep], person=self.person[keep], score=self.score[keep])

    def blind(self) -> Self:
        """The same items and people with a judge that says nothing: always the same answer."""
        return replace(self, f=np.zeros_like(self.f), answer=None)

    def take(self, rows: NDArray[np.int64]) -> Self:
        """These items only."""
        number = np.full(len(self.f), -1, dtype=np.int64)
        number[rows] = np.arange(len(rows))
        keep = number[self.item] >= 0
        return replace(
            self,
            f=self.f[rows],
            item=number[self.item[keep]],
            person=self.person[keep],
            score=self.score[keep],
            items=[self.items[i] for i in rows],
            weights=None if self.weights is None else self.weights[rows],
            answer=None if self.answer is None else self.answer[rows],
            stratum=None if self.stratum is None else self.stratum[rows],
        )


def split(data: Ratings, judges: Sequence[str]) -> tuple[Ratings, Ratings]:
    """People and judges of one table; whoever is not named a judge is a person."""
    unknown = [j for j in judges if j not in data.annotators]
    if unknown:
        raise UsageError(
            f"no judge {some(unknown)} among the annotators; they are {some(data.annotators)}"
        )
    people = [a for a in data.annotators if a not in judges]
    if not people:
        raise InputError(
            f"every annotator is named a judge ({some(judges)}): no person is left to compare with"
        )
    return data.select(annotators=people), data.select(annotators=list(judges))


def positive_value(data: Ratings, positive: str | None) -> tuple[Target, str | None]:
    """What is estimated: the rate of one value, or the mean of numbers.

    Two values that say yes and no (0/1, true/false, yes/no) are a rate of the second; other numbers
    are a mean; other labels need `positive`.
    """
    labels = list(data.labels)
    used = [labels[k] for k in np.unique(data.code)] if len(data.code) else labels
    if positive is not None:
        if positive not in labels:
            raise UsageError(f"nobody used the value {positive!r}; the values are {some(labels)}")
        return "rate", positive
    folded = {u.strip().lower(): u for u in used}
    for no, yes in _YES:
        if set(folded) <= {no, yes}:
            return "rate", folded.get(yes, yes)
    if data.kind == "numbers":
        return "mean", None
    raise UsageError(
        f"which value is counted? The values are {some(used)}; name one with `positive`"
    )


def gives_probabilities(people: Ratings, judge: Ratings) -> bool:
    """People say 0 or 1, and the judge says numbers between them."""
    if people.kind != "numbers" or judge.probabilities is not None:
        return False
    human = people.numbers[np.unique(people.code)]
    machine = judge.numbers[np.unique(judge.code)]
    between = machine[(machine > 0) & (machine < 1)]
    return bool(
        set(human) <= {0.0, 1.0} and len(between) and machine.min() >= 0 and machine.max() <= 1
    )


def labels_of(
    people: Ratings, judge: Ratings, *, target: Target, positive: str | None,
    probabilities: bool = False,
) -> tuple[Labels, list[str]]:  # fmt: skip
    """The scores of the people and of one judge on the items that the judge answered.

    Items that people labelled and the judge did not (it refused, or never saw them) are left out and
    counted: dropping them is a selection, so it is said.
    """
    values = _scores(people, target, positive)
    said = judge.numbers if probabilities else _scores(judge, target, positive)
    each = said[judge.code]
    if judge.probabilities is not None:  # the expected score: of a rate, how probable yes is
        each = judge.probabilities.share @ said
    place = {key: i for i, key in enumerate(judge.items)}
    total = np.bincount(judge.item, weights=each, minlength=len(judge.items))
    count = np.bincount(judge.item, minlength=len(judge.items)).astype(np.float64)
    repeats = judge.repeats if judge.probabilities is None else ()
    for i, _, codes in repeats:  # repeated runs of one item are averaged, never stacked
        total[i] += float(np.mean(said[list(codes)])) - said[judge.code[judge.indptr[i]]]
    answered = np.flatnonzero(count > 0)
    number = np.full(len(judge.items), -1, dtype=np.int64)
    number[answered] = np.arange(len(answered))
    where = np.array([place.get(key, -1) for key in people.items], dtype=np.int64)
    row = np.where(where >= 0, number[where], -1)[people.item]
    keep = row >= 0
    notes = []
    lost = len(np.unique(people.item[~keep]))
    if lost:
        notes.append(
            f"{lost} items that people labelled have no answer of the judge and are left out; "
            "if it refused them, the corrected value is about the others only"
        )
    used = np.concatenate([values[people.code], each])
    found = Labels(
        f=total[answered] / count[answered],
        item=row[keep],
        person=people.annotator[keep].astype(np.int64),
        score=values[people.code][keep],
        people=people.annotators,
        items=[judge.items[i] for i in answered.tolist()],
        target=target,
        positive=positive,
        bounds=(float(used.min()), float(used.max())) if len(used) else (0.0, 1.0),
        weights=None if judge.weights is None else judge.weights[answered],
    )
    if not len(found.item):
        raise InputError(
            f"no item was labelled by a person and by the judge: people labelled "
            f"{len(np.unique(people.item))} items, the judge {len(answered)}",
            hint="check that the item names are the same on both sides",
        )
    return found, notes


def _scores(data: Ratings, target: Target, positive: str | None) -> Array:
    """The score of each distinct value."""
    if target == "mean":
        return data.numbers
    return np.array([float(label == positive) for label in data.labels])
