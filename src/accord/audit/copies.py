"""A rule about copies of a part: two annotators who share errors that nobody else explains.

Who copies half of a campaign agrees with the other no more than two good annotators do, but also where
both are wrong. What is right is told by the others (Dawid & Skene's model of annotators, fitted without
the one who may be a copy); two who err by themselves then give the same wrong answer as often as their
confusions say. Hard items make all pairs share more than that: by how much is seen in the other pairs.
What is beyond (Poisson) in all items, or in a stretch of them, was not made by two. Of four annotators
nobody can tell which two share the errors: it takes five.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped
from accord.audit.rule import rule
from accord.data import Ratings
from accord.gold.dawid_skene import dawid_skene
from accord.gold.labels import Labels

Array = NDArray[np.float64]
Codes = NDArray[np.int64]

#: stretches begin and end at so many places
_PARTS = 8
#: shared errors, at least, and how many times what is expected
_FEWEST, _TIMES = 5, 3.0
#: probability that a campaign without copies has such a pair
_LEVEL = 0.005
#: of four nobody can tell which two share the errors; pairs that are looked at closely
_FEWEST_PEOPLE, _SUSPECTS = 5, 3
#: answers of others on an item, and how sure they must make of what is right
_OTHERS, _SURE = 2, 0.9
#: for each pair the answers of all others on all items, for each value
_MOST = 30_000_000


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """Two annotators: same errors in each part of the items, and how many two independent ones have."""

    first: int
    second: int
    same: Array
    expected: Array
    #: items that are compared, and errors of the two
    items: int
    errors: int


@rule(
    "copied-in-part",
    looks_for="annotators who share errors that what each makes of the others does not explain",
    citation="Holland (1996), ETS Research Report 96-7, on answers copied in tests",
    shapes=("ratings",),
    people=True,
    items=True,
)
def copied_in_part(case: Case) -> Finding | Skipped | None:
    """Same errors beyond independence and the difficulty of items, in all or in one stretch."""
    data = case.categories
    if data is None or len(data.annotators) < _FEWEST_PEOPLE:
        return None
    people, items, values = len(data.annotators), len(data.per_item), len(data.values)
    if people**3 * items * values > _MOST:
        return Skipped("too many answers to compare the errors of all pairs of annotators")
    told = _told(data)
    if told is None:
        return None
    pair, p, (begin, end) = told
    one, two = data.annotators[pair.first], data.annotators[pair.second]
    same, expected = (float(x[begin:end].sum()) for x in (pair.same, pair.expected))
    stretch = "" if (begin, end) == (0, len(pair.same)) else _named(data, begin, end)
    return Finding(
        severity="serious",
        statement=f"{one} and {two} give the same answer, against the others, on {same:.0f} items where "
        f"{expected:.1f} are expected of two who err by themselves{stretch}: one may have copied a part "
        "from the other.",
        evidence={
            "first": one,
            "second": two,
            "same_errors": int(same),
            "expected": expected,
            "items": pair.items,
            "errors": pair.errors,
            "p": p,
        },
        advice="Ask how this part was done; leave the copied part of one of them out.",
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """Who said what, as codes, and the model of annotators fitted to some of them."""

    #: items × annotators, -1 for none
    code: Codes
    #: annotators × true × said; and the logarithm of how often each class is right
    said: Array
    classes: Array

    @classmethod
    def of(cls, data: Ratings, without: int | None = None) -> _Answers:
        """Fitted without one annotator, whose own confusions are those against the others."""
        code = np.full((len(data.per_item), len(data.annotators)), -1, dtype=np.int64)
        code[data.item, data.annotator] = data.code
        rest = data.annotator != (-1 if without is None else without)
        labels = Labels.of(data)
        fitted = dawid_skene(
            replace(
                labels,
                indptr=np.append(0, np.cumsum(np.bincount(data.item[rest], minlength=len(code)))),
                annotator=labels.annotator[rest],
                code=labels.code[rest],
            )
        )
        assert fitted.confusion is not None
        # (the model has annotators × said × true)
        said = fitted.confusion.swapaxes(1, 2).copy()
        if without is not None:
            own = np.eye(said.shape[1]) + 0.01
            mine = np.flatnonzero(code[:, without] >= 0)
            np.add.at(own.T, code[mine, without], fitted.posterior[mine])
            said[without] = own / own.sum(axis=1, keepdims=True)
        classes = np.log(np.maximum(fitted.posterior.mean(axis=0), 1e-6))
        return cls(code, np.maximum(said, 1e-6), classes)

    def compared(self, a: int, b: int, without: int | None = None) -> _Pair:
        """Two annotators where the others, perhaps without one of them, are sure of what is right."""
        people = np.arange(self.code.shape[1])
        others = people[~np.isin(people, [a, b, -1 if without is None else without])]
        there = self.code[:, others] >= 0
        rows = np.flatnonzero(
            (self.code[:, [a, b]] >= 0).all(axis=1) & (there.sum(axis=1) >= _OTHERS)
        )
        belief = self.classes + sum(
            np.where(there[rows, k, None], np.log(self.said[c])[:, self.code[rows, c]].T, 0.0)
            for k, c in enumerate(others.tolist())
        )
        belief = np.exp(belief - belief.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
        sure = belief.max(axis=1) >= _SURE
        rows, belief = rows[sure], belief[sure]
        right = belief.argmax(axis=1)
        wrong = self.code[rows][:, [a, b]] != right[:, None]
        same = wrong.all(axis=1) & (self.code[rows, a] == self.code[rows, b])
        alike = belief @ (self.said[a] * self.said[b])
        expected = alike.sum(axis=1) - alike[np.arange(len(rows)), right]
        part = rows * _PARTS // max(1, len(self.code))
        same_in, expected_in = (
            np.bincount(part, x, _PARTS).astype(np.float64) for x in (same, expected)
        )
        return _Pair(a, b, same_in, expected_in, len(rows), int(wrong.sum()))


def _told(data: Ratings) -> tuple[_Pair, float, tuple[int, int]] | None:
    """The pair that shares most beyond what is usual, if it does, with the stretch where it does."""
    people = range(len(data.annotators))
    answers = _Answers.of(data)
    pairs = [answers.compared(a, b) for a, b in combinations(people, 2)]
    best: tuple[_Pair, float, tuple[int, int]] | None = None
    suspects = sorted(pairs, key=lambda pair: _beyond(pair, 1.0, len(pairs))[0])[:_SUSPECTS]
    for one in suspects:
        if _beyond(one, 1.0, len(pairs))[0] >= _LEVEL:
            continue
        # what others make of the items, without the one who may be a copy
        rest = _Answers.of(data, without=one.second)
        honest = [
            rest.compared(a, b, one.second)
            for a, b in combinations(people, 2)
            if one.second not in (a, b)
        ]
        pair = rest.compared(one.first, one.second)
        p, stretch = _beyond(pair, _usual(honest), len(pairs))
        if p < _LEVEL and (best is None or p < best[1]):
            best = pair, p, stretch
    return best


def _usual(pairs: list[_Pair]) -> float:
    """How many times what two who err by themselves share: items are hard, or confused in one way."""
    same = np.array([pair.same.sum() for pair in pairs])
    expected = np.array([pair.expected.sum() for pair in pairs])
    own = np.where(same >= _FEWEST, (same - np.sqrt(same)) / np.maximum(expected, 0.1), 0.0)
    return max(1.0, float(same.sum() / max(expected.sum(), 0.1)), float(own.max(initial=0.0)))


def _beyond(pair: _Pair, usual: float, pairs: int) -> tuple[float, tuple[int, int]]:
    """The probability of so many same errors in some stretch of the items, for all pairs together."""
    from scipy.special import pdtrc

    stretches = [(i, j) for i in range(_PARTS) for j in range(i + 1, _PARTS + 1)]
    best = 1.0, (0, _PARTS)
    for begin, end in stretches:
        seen = float(pair.same[begin:end].sum())
        wanted = usual * float(pair.expected[begin:end].sum())
        if seen >= _FEWEST and seen >= _TIMES * wanted:
            p = float(pdtrc(seen - 1, wanted)) * pairs * len(stretches)
            best = min(best, (p, (begin, end)))
    return best


def _named(data: Ratings, begin: int, end: int) -> str:
    """The stretch by its first and last item."""
    items = len(data.items)
    first, last = -(-begin * items // _PARTS), -(-end * items // _PARTS) - 1
    return f", from {data.items[first]} to {data.items[last]}"
