"""What annotators who do not read would link: two ways to draw the relations of one of them.

*endpoints* keeps an annotator's sources and shuffles its targets and its labels, so that degrees stay;
*units* draws as many pairs of its own units. Both keep the number of relations and their labels.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial, prod
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes

#: draws × relations
Drawn = tuple[Codes, Codes, Codes]
#: times that an arrangement with a loop is drawn again
REDRAWS = 1_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Linked:
    """The relations of one annotator in one document, ends as numbers from 0."""

    source: Codes
    target: Codes
    label: Codes
    #: which relations have no direction
    unordered: NDArray[np.bool_]
    #: the labels of the ends of each relation; -1 where unknown
    source_kind: Codes
    target_kind: Codes
    #: the annotator's units and their labels
    unit: Codes
    unit_kind: Codes

    def __len__(self) -> int:
        return len(self.source)

    @property
    def loops(self) -> bool:
        """The annotator has one, and so may chance."""
        return bool((self.source == self.target).any())

    @property
    def content(self) -> int:
        """A number that depends on what is linked, not on names."""
        return crc32(self.source.tobytes() + b"|" + self.target.tobytes())


# --- endpoints -----------------------------------------------------------------------------------


def rearranged(one: Linked, draws: int, rng: np.random.Generator) -> tuple[Drawn, int]:
    """Targets and labels shuffled, each by itself; and how many draws kept a loop that is not allowed.

    A relation without direction is first turned either way. An arrangement with a loop is drawn again,
    unless the annotator has one.
    """
    size = len(one)
    source = np.broadcast_to(one.source, (draws, size))
    target = np.broadcast_to(one.target, (draws, size))
    if one.unordered.any():
        turned = (rng.random((draws, size)) < 0.5) & one.unordered
        source, target = np.where(turned, target, source), np.where(turned, source, target)
    label = np.take_along_axis(
        np.broadcast_to(one.label, (draws, size)), _shuffles(draws, size, rng), axis=1
    )
    found = np.take_along_axis(target, _shuffles(draws, size, rng), axis=1)
    if one.loops:
        return (source, found, label), 0
    wrong = np.flatnonzero((found == source).any(axis=1))
    for _ in range(REDRAWS):
        if not len(wrong):
            break
        again = np.take_along_axis(target[wrong], _shuffles(len(wrong), size, rng), axis=1)
        found[wrong] = again
        wrong = wrong[(again == source[wrong]).any(axis=1)]
    return (source, found, label), len(wrong)


def _shuffles(draws: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    return np.argsort(rng.random((draws, size)), axis=1)


def arrangements(one: Linked) -> int:
    """How many ways there are to arrange targets and labels, at most; 0 where directions are drawn."""
    if one.unordered.any():
        return 0
    return _orders(one.target.tolist()) * _orders(one.label.tolist())


def all_arrangements(one: Linked) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All of them, equally likely: (targets, labels); those with a loop only where one is allowed."""
    allowed = one.loops
    source = one.source.tolist()
    labels = list(_distinct(one.label.tolist()))
    for targets in _distinct(one.target.tolist()):
        if allowed or all(s != t for s, t in zip(source, targets, strict=True)):
            for label in labels:
                yield targets, label


def _distinct(values: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The distinct orders of a list.

    >>> list(_distinct([1, 2, 2]))
    [(1, 2, 2), (2, 1, 2), (2, 2, 1)]
    """
    left = Counter(values)

    def extended(prefix: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(prefix) == len(values):
            yield prefix
            return
        for value in sorted(left):
            if left[value]:
                left[value] -= 1
                yield from extended((*prefix, value))
                left[value] += 1

    return extended(())


def _orders(values: Sequence[int]) -> int:
    """Distinct orders of a list: n! / Π (times each occurs)!

    >>> _orders([1, 2, 2])
    3
    """
    return factorial(len(values)) // prod(factorial(n) for n in Counter(values).values())


# --- units ---------------------------------------------------------------------------------------


def from_units(one: Linked, draws: int, rng: np.random.Generator) -> tuple[Drawn, int]:
    """As many distinct pairs of the annotator's own units, and how many draws had to repeat some.

    Pairs have the labels of the relation's ends, where ends have labels. A unit is linked to another one,
    unless the annotator has a loop. Pairs of relations without direction have none.
    """
    size = len(one)
    source = np.empty((draws, size), dtype=np.int32)
    target = np.empty((draws, size), dtype=np.int32)
    short = 0
    for rows, starts, ends, unordered in _groups(one):
        whole = len(starts) * len(ends)
        loop = starts[:, None] == ends[None, :]
        valid = np.ones_like(loop) if one.loops else ~loop
        if unordered:
            # of two ways round the first counts; ends of two kinds have one way only
            known = np.isin(starts, ends)[:, None] & np.isin(ends, starts)[None, :]
            valid &= (starts[:, None] <= ends[None, :]) | ~known
        pairs = np.flatnonzero(valid.ravel())
        if not len(pairs):
            pairs = np.arange(whole)
            short += draws
        few = len(pairs) < len(rows)
        short += draws if few else 0
        for k in range(draws):
            drawn = rng.choice(pairs, len(rows), replace=few)
            source[k, rows] = starts[drawn // len(ends)]
            target[k, rows] = ends[drawn % len(ends)]
    label = np.broadcast_to(one.label, (draws, size))
    return (source, target, label), short


def _groups(one: Linked) -> Iterator[tuple[NDArray[np.int64], Codes, Codes, bool]]:
    """Relations whose ends have the same labels: their rows, the sources and targets to draw from."""
    keys: dict[tuple[int, int, bool], list[int]] = {}
    for row in range(len(one)):
        kinds = (int(one.source_kind[row]), int(one.target_kind[row]))
        free = bool(one.unordered[row])
        key = (min(kinds), max(kinds), True) if free else (*kinds, False)
        keys.setdefault(key, []).append(row)
    for (first, second, unordered), rows in keys.items():
        starts, ends = (
            np.unique(one.unit if kind < 0 else one.unit[one.unit_kind == kind])
            for kind in (first, second)
        )
        yield np.array(rows), starts, ends, unordered
