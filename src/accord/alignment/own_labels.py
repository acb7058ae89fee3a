"""Labels that annotators chose on their own: which label of one is which of another.

As in diarization, where one system's "speaker 1" may be another's "B": labels are mapped one to one
between annotators so that the disorder of the best alignment is least. Alignment and mapping take turns,
each the best given the other, until nothing improves, from the labels as they are and from an alignment
by position alone. The better end is taken: a local optimum, not a proven one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import real_pairs
from accord.alignment.batch import Batch
from accord.alignment.matching import best_matching
from accord.alignment.solution import Solution
from accord.data.continuum import Continuum
from accord.data.encode import Codes
from accord.distance.units import Dissimilarity

#: turns of alignment and mapping, at most: the disorder falls with each, and a few are enough
_TURNS = 20

Solver = Callable[[Continuum, Dissimilarity], Solution[Batch]]


def mapped(continuum: Continuum, d: Dissimilarity, solve: Solver) -> Continuum:
    """The same units with labels mapped between annotators; d must be nominal in labels."""
    if len(continuum) == 0 or len(d.categories) < 2:
        return continuum
    best = continuum, _cost(solve(continuum, d))
    by_position = replace(d, beta=0.0, costs=np.zeros_like(d.costs))
    for begun in (solve(continuum, d), solve(continuum, by_position)):
        members = begun.members(begun.ideal)
        for _ in range(_TURNS):
            one = _relabelled(continuum, members, len(d.categories))
            found = solve(one, d)
            if _cost(found) >= best[1]:
                break
            best, members = (one, _cost(found)), found.members(found.ideal)
    return best[0]


def _cost(solution: Solution[Batch]) -> tuple[int, int]:
    return solution.ideal.cost, -solution.ideal.size


def _relabelled(continuum: Continuum, members: NDArray[np.int64], categories: int) -> Continuum:
    """Every annotator's labels renamed so that as many aligned pairs as possible have the same.

    The first annotator keeps his; the others are matched to all before them, then each to all others
    until nothing changes.
    """
    _, first, second = real_pairs(members)
    one, two = np.concatenate([first, second]), np.concatenate([second, first])
    owner, was = continuum.annotator, continuum.label
    label = was.copy()
    settled = np.zeros(continuum.annotators, dtype=bool)
    settled[0] = True
    for turn in range(_TURNS):
        before = label.copy()
        for a in range(1, continuum.annotators):
            others = settled.copy()
            others[a] = False
            mine = (owner[one] == a) & others[owner[two]] & (was[one] >= 0) & (label[two] >= 0)
            counts = np.zeros((categories, categories), dtype=np.int64)
            np.add.at(counts, (was[one[mine]], label[two[mine]]), 1)
            own = owner == a
            label[own] = np.where(was[own] < 0, -1, _renamed(counts)[was[own]])
            settled[a] = True
        if turn and np.array_equal(before, label):
            break
    return replace(continuum, label=label.astype(np.int32))


def _renamed(counts: NDArray[np.int64]) -> Codes:
    """The name of each label: one to one, with the most pairs alike; what meets nothing gets what is left."""
    row, column = np.nonzero(counts)
    new = np.full(len(counts), -1, dtype=np.int32)
    for e in best_matching(row, column, counts[row, column]):
        new[row[e]] = column[e]
    free = np.setdiff1d(np.arange(len(counts)), new)
    new[new < 0] = free
    return new
