"""The cheapest partition of a few nodes that agree and disagree: a search, and a proof."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from math import ceil

import numpy as np
from numpy.typing import NDArray

from accord.gold.contradictions import packed

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: nodes up to which the linear programme bounds a component, and the integer programme decides it
MOST_LINEAR = 120
MOST_INTEGER = 40
#: violated triangle inequalities added at a time
MOST_ADDED = 4_000
#: inequalities of one programme, and nodes⁴ times steps of the integer one: each takes some seconds. The
#: work is limited, not the time, so that a slow machine finds what a fast one does
_MOST_ROWS = 24_000
_MOST_STEPS = 8_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A partition, its cost, and a cost that no partition goes below."""

    labels: Integers
    cost: float
    bound: float


def least_dissent(yes: Floats, no: Floats, starts: Iterable[Integers], step: float) -> Found:
    """The partition with the least Σ no (joined) + Σ yes (apart), and a lower bound of it.

    Costs are multiples of `step` (0 where that is too small to be of use). The search starts from
    singletons, one entity and `starts`; equal costs are settled by the partition itself.
    """
    n = len(yes)
    link = yes - no
    base = float(np.sum(np.minimum(yes, no))) / 2
    together = np.zeros(n, dtype=np.int64)
    near = max(step / 2, 1e-6)
    if _cost(yes, no, together) <= base + near:
        return Found(together, _cost(yes, no, together), _cost(yes, no, together))
    tried = [_improved(link, start) for start in (np.arange(n, dtype=np.int64), together, *starts)]
    cost, labels = min((_cost(yes, no, found), found.tolist()) for found in tried)
    bound = _rounded(base + packed(link, np.array(labels, dtype=np.int64)), step)
    if bound < cost - near and n <= MOST_LINEAR:
        value, x = _relaxed(link, cost - base - near)
        bound = max(bound, _rounded(base + value, step))
        if bound < cost - near:
            again = _improved(link, _halved(x))
            cost, labels = min((cost, labels), (_cost(yes, no, again), again.tolist()))
    return Found(np.array(labels, dtype=np.int64), cost, min(bound, cost))


def _rounded(bound: float, step: float) -> float:
    """The next cost that a partition can have; a hundredth of a step is left to rounding errors."""
    return ceil(bound / step - 1e-2) * step if step else bound


def _cost(yes: Floats, no: Floats, labels: Integers) -> float:
    same = labels[:, None] == labels[None, :]
    return round(float(np.sum(np.where(same, no, yes))) / 2, 9)


def _improved(link: Floats, labels: Integers) -> Integers:
    """Move single nodes until none helps, then merge the two entities that gain most; repeat."""
    while True:
        labels = _moved(link, labels)
        k = int(labels.max()) + 1
        between = _summed(_summed(link, labels).T, labels)
        np.fill_diagonal(between, -np.inf)
        i, j = divmod(int(np.argmax(between)), k)
        if k == 1 or between[i, j] <= 1e-9:
            return labels
        labels = _numbered(np.where(labels == j, i, labels))


def _moved(link: Floats, labels: Integers) -> Integers:
    n = len(link)
    labels = labels.copy()
    # one column more than nodes, so that there is always an empty entity
    favour = np.zeros((n, n + 1))
    favour[:, : int(labels.max()) + 1] = _summed(link, labels)
    count = np.bincount(labels, minlength=n + 1)
    moved = True
    while moved:
        moved = False
        for m in range(n):
            here = labels[m]
            best = int(np.argmax(favour[m]))
            if favour[m, best] <= 0:
                # to stand alone: its own entity has nothing for it but itself
                best = int(np.argmin(count))
            gain = favour[m, best] if count[best] else 0.0
            if best != here and gain > favour[m, here] + 1e-9:
                favour[:, here] -= link[:, m]
                if not count[best]:
                    favour[:, best] = 0.0
                favour[:, best] += link[:, m]
                count[here] -= 1
                count[best] += 1
                if not count[here]:
                    favour[:, here] = 0.0
                labels[m] = best
                moved = True
    return _numbered(labels)


def _summed(link: Floats, labels: Integers) -> Floats:
    """The columns of each entity added up."""
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order], prepend=-1))
    summed: Floats = np.add.reduceat(link[:, order], starts, axis=1)
    return summed


def _numbered(labels: Integers) -> Integers:
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[inverse.reshape(-1)]


def _relaxed(link: Floats, enough: float) -> tuple[float, Floats]:
    """The relaxation with triangle inequalities, as far as needed to reach `enough`; then integer.

    x = 1 for apart: min Σ_{w>0} w x + Σ_{w<0} |w|(1−x). Every value on the way is a lower bound.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    n = len(link)
    number = np.zeros((n, n), dtype=np.int64)
    i, j = np.triu_indices(n, 1)
    number[i, j] = number[j, i] = np.arange(len(i))
    weight = link[i, j]
    offset = float(-weight[weight < 0].sum())
    rows: list[tuple[int, int, int]] = []
    known: set[tuple[int, int, int]] = set()
    value, x = 0.0, np.where(weight > 0, 0.0, 1.0)
    whole = 0
    while True:
        matrix = np.zeros((n, n))
        matrix[i, j] = matrix[j, i] = x
        new = [t for t in _violated(matrix, number) if t not in known]
        if not new:
            if whole or n > MOST_INTEGER or value >= enough:
                return value, matrix
            whole = 1
        if len(rows) > _MOST_ROWS:
            return value, matrix
        rows += new
        known.update(new)
        if rows:
            a = np.repeat(np.arange(len(rows)), 3)
            coefficients = np.tile([1.0, -1.0, -1.0], len(rows))
            table = csr_array(
                (coefficients, (a, np.array(rows).reshape(-1))), shape=(len(rows), len(weight))
            )
            limits = [LinearConstraint(table, ub=np.zeros(len(rows)))]
        else:
            limits = []
        solved = milp(
            weight,
            constraints=limits,
            bounds=Bounds(0, 1),
            integrality=np.full(len(weight), whole),
            options={"node_limit": _MOST_STEPS // n**4} if whole else {},
        )
        if solved.x is None or (solved.status != 0 and not whole):
            return value, matrix
        reached = solved.fun if not whole else solved.mip_dual_bound
        if reached is not None:
            value = max(value, float(reached) + offset)
        x = solved.x
        if value >= enough or solved.status != 0:
            matrix[i, j] = matrix[j, i] = x
            return value, matrix


def _violated(x: Floats, number: Integers) -> list[tuple[int, int, int]]:
    """Triangle inequalities x_ij ≤ x_ik + x_kj that do not hold, the worst first."""
    n = len(x)
    found = []
    for a, b in combinations(range(n), 2):
        excess = x[a, b] - x[a] - x[b]
        # k = a and k = b never violate: their excess is 0
        found += [
            (-float(excess[k]), int(number[a, b]), int(number[a, k]), int(number[b, k]))
            for k in np.flatnonzero(excess > 1e-7).tolist()
        ]
    return [(p, q, r) for _, p, q, r in sorted(found)[:MOST_ADDED]]


def _halved(x: Floats) -> Integers:
    """The relaxation rounded: nodes nearer than ½ to the first free one are its entity."""
    labels = np.full(len(x), -1, dtype=np.int64)
    for m in range(len(x)):
        if labels[m] < 0:
            labels[(x[m] < 0.5) & (labels < 0)] = m
            labels[m] = m
    return _numbered(labels)
