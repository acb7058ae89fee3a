"""What annotators who do not read would link: two ways to draw the relations of one of them.

*endpoints* keeps an annotator's sources and shuffles its targets and its labels, so that degrees stay;
*units* draws as many pairs of its own units. Both keep the number of relations and their labels, and, where
two annotators of a document link things to themselves, how many loops each of them has: that two of them
coincide is then as much a matter of chance as that two targets do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial, prod
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
    #: another annotator of the document has loops, too: chance keeps how many there are
    shares_loops: bool = False

    def __len__(self) -> int:
        return len(self.source)

    @property
    def loop(self) -> NDArray[np.bool_]:
        """Which relations link something to itself."""
        found: NDArray[np.bool_] = self.source == self.target
        return found

    @property
    def loops(self) -> bool:
        """The annotator has one, and so may chance."""
        return bool(self.loop.any())

    @property
    def keeps_loops(self) -> bool:
        """Chance has as many loops as the annotator, no more and no fewer."""
        return self.shares_loops and self.loops

    @property
    def content(self) -> int:
        """A number that depends on what is linked, not on names."""
        return crc32(self.source.tobytes() + b"|" + self.target.tobytes())


# --- endpoints -----------------------------------------------------------------------------------


def rearranged(one: Linked, draws: int, rng: np.random.Generator) -> tuple[Drawn, int]:
    """Targets and labels shuffled, each by itself; and how many draws kept a loop that is not allowed.

    A relation without direction is first turned either way. An arrangement with a loop is drawn again,
    unless the annotator has one. Where loops are kept, which sources have them is drawn first, and only the
    targets of the other relations are shuffled.
    """
    size = len(one)
    source = np.broadcast_to(one.source, (draws, size))
    target = np.broadcast_to(one.target, (draws, size))
    if one.unordered.any():
        turned = (rng.random((draws, size)) < 0.5) & one.unordered
        source, target = np.where(turned, target, source), np.where(turned, source, target)
    label = np.take_along_axis(
        np.broadcast_to(one.label, (draws, size)), _shuffles((draws, size), rng), axis=1
    )
    arranged = _around_loops if one.keeps_loops else _shuffled
    found, looped = arranged(one, source, target, rng)
    if one.loops and not one.keeps_loops:
        return (source, found, label), 0
    wrong = np.flatnonzero(looped)
    for _ in range(REDRAWS):
        if not len(wrong):
            break
        found[wrong], looped = arranged(one, source[wrong], target[wrong], rng)
        wrong = wrong[looped]
    return (source, found, label), len(wrong)


#: draws × relations, and which draws have a loop that was not asked for
_Arranged = tuple[Codes, NDArray[np.bool_]]


def _shuffled(one: Linked, source: Codes, target: Codes, rng: np.random.Generator) -> _Arranged:
    """All targets in another order."""
    found = np.take_along_axis(target, _shuffles(target.shape, rng), axis=1)
    return found, (found == source).any(axis=1)


def _around_loops(one: Linked, source: Codes, target: Codes, rng: np.random.Generator) -> _Arranged:
    """Loops at different sources, as many as there are; the other targets in another order around them."""
    order = _shuffles(target.shape, rng)
    order = np.take_along_axis(
        order, _news_first(np.take_along_axis(source, order, axis=1)), axis=1
    )
    loops = int(one.loop.sum())
    looped, rest = order[:, :loops], order[:, loops:]
    others = target[:, ~one.loop]
    # (what a source had left over comes last in `rest`)
    others = np.take_along_axis(others, _shuffles(others.shape, rng), axis=1)
    found = np.empty_like(target)
    np.put_along_axis(found, looped, np.take_along_axis(source, looped, axis=1), axis=1)
    np.put_along_axis(found, rest, others, axis=1)
    meets = np.take_along_axis(source, rest, axis=1) == others
    return found, meets.any(axis=1)


def _news_first(values: Codes) -> NDArray[np.int64]:
    """An order of each row: values that occur for the first time before those that were there before.

    >>> _news_first(np.array([[3, 3, 5, 3, 1]])).tolist()
    [[0, 2, 4, 1, 3]]
    """
    by_value = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, by_value, axis=1)
    again = np.zeros(values.shape, dtype=bool)
    np.put_along_axis(again, by_value[:, 1:], ordered[:, 1:] == ordered[:, :-1], axis=1)
    return np.argsort(again, axis=1, kind="stable")


def _shuffles(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    return np.argsort(rng.random(shape), axis=1)


def arrangements(one: Linked) -> int:
    """How many ways there are to arrange targets and labels, at most; 0 where they are not equally likely.

    That is where directions are drawn, and where a source with several relations may have but one loop.
    """
    repeated = len(np.unique(one.source)) < len(one)
    if one.unordered.any() or (one.keeps_loops and repeated):
        return 0
    targets = one.target.tolist()
    ways = 1
    if one.keeps_loops:
        targets = one.target[~one.loop].tolist()
        ways = comb(len(one), len(targets))
    return ways * _orders(targets) * _orders(one.label.tolist())


def all_arrangements(one: Linked) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All of them, equally likely: (targets, labels); those with a loop only where one is allowed."""
    source = one.source.tolist()
    labels = list(_distinct(one.label.tolist()))
    for targets, loops in _placed(one):
        meets = sum(s == t for s, t in zip(source, targets, strict=True))
        if meets == loops or (one.loops and not one.keeps_loops):
            for label in labels:
                yield targets, label


def _placed(one: Linked) -> Iterator[tuple[tuple[int, ...], int]]:
    """Orders of the targets, with how many loops were put there: none, or as many as are kept."""
    if not one.keeps_loops:
        yield from ((targets, 0) for targets in _distinct(one.target.tolist()))
        return
    size, others = len(one), one.target[~one.loop].tolist()
    orders = list(_distinct(others))
    for places in combinations(range(size), len(others)):
        for order in orders:
            targets = one.source.tolist()
            for place, target in zip(places, order, strict=True):
                targets[place] = target
            yield tuple(targets), size - len(others)


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
    unless the annotator has a loop; where loops are kept they are drawn as loops. Pairs of relations without
    direction have none.
    """
    size = len(one)
    source = np.empty((draws, size), dtype=np.int32)
    target = np.empty((draws, size), dtype=np.int32)
    short = 0
    for rows, starts, ends, unordered in _groups(one):
        loop = starts[:, None] == ends[None, :]
        valid = np.ones_like(loop) if one.loops else ~loop
        if unordered:
            # of two ways round the first counts; ends of two kinds have one way only
            known = np.isin(starts, ends)[:, None] & np.isin(ends, starts)[None, :]
            valid &= (starts[:, None] <= ends[None, :]) | ~known
        parts = [(rows, valid)]
        if one.keeps_loops:
            own = one.loop[rows]
            parts = [(rows[own], valid & loop), (rows[~own], valid & ~loop)]
        for some, allowed in parts:
            pairs = np.flatnonzero(allowed.ravel())
            if not len(pairs):
                pairs = np.arange(loop.size)
                short += draws if len(some) else 0
            few = len(pairs) < len(some)
            short += draws if few else 0
            for k in range(draws):
                drawn = rng.choice(pairs, len(some), replace=few)
                source[k, some] = starts[drawn // len(ends)]
                target[k, some] = ends[drawn % len(ends)]
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
