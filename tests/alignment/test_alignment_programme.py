"""Dense continua full of ties: the alignment against an integer programme over all tuples there are.

The programme knows nothing of pruning, prices or regions. Lengths are equal and coordinates whole, so
that every distance is a multiple of 1/16: sums are exact and equal optima are really equal.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array

from accord.alignment.align import align
from accord.data import Units

LABELS = "xyz"
TABLE = np.array([[0, 0.5, 1], [0.5, 0, 0.25], [1, 0.25, 0]])


def continuum(seed: int, n: int, *, most: int = 5, equal: bool = True) -> Units:
    """Units of n annotators crowded on a short axis, on whole numbers; no two of one are the same."""
    rng = np.random.default_rng(seed)
    span = int(rng.integers(3, 9))
    rows = set()
    for a in range(n):
        for _ in range(int(rng.integers(1, most + 1))):
            start = int(rng.integers(0, span))
            length = 4 if equal else int(rng.integers(1, 5))
            rows.add(("d", f"a{a}", start, start + length, LABELS[int(rng.integers(0, 3))]))
    return Units.from_rows(
        sorted(rows), coverage=[("d", f"a{a}") for a in range(n)], categories=[*LABELS]
    )


class Tuples:
    """Every unitary alignment of a document: its units in canonical order, and C·δ."""

    def __init__(self, data: Units, n: int, *, holistic: bool, table: np.ndarray | None) -> None:
        units = sorted(data, key=lambda u: (u.start, u.end, u.label, u.annotator))
        self.units, self.pairs = len(units), n * (n - 1) // 2
        self.rows = [list(data).index(u) for u in units]
        empty = 4 if holistic else 1
        distance = {}
        for i, j in combinations(range(len(units)), 2):
            u, v = units[i], units[j]
            apart = abs(u.start - v.start) + abs(u.end - v.end)
            length = (u.end - u.start) + (v.end - v.start)
            if table is not None:
                label = table[LABELS.index(u.label), LABELS.index(v.label)]
            else:
                label = float(u.label != v.label)
            distance[i, j] = empty * ((apart / length) ** 2 + label)
        own = [[i for i, u in enumerate(units) if u.annotator == f"a{a}"] for a in range(n)]
        self.members, cost = [], []
        for choice in product(*([None, *o] for o in own)):
            group = tuple(sorted(i for i in choice if i is not None))
            if group:
                self.members.append(group)
                cost.append(
                    self.pairs * empty + sum(distance[p] - empty for p in combinations(group, 2))
                )
        #: (exact in binary)
        self.whole = np.array(cost, dtype=np.float64)
        self.cost = self.whole / self.pairs
        sizes = [len(group) for group in self.members]
        self.cover = csc_array(
            (
                np.ones(sum(sizes)),
                np.concatenate([np.array(g) for g in self.members]),
                np.concatenate([[0], np.cumsum(sizes)]),
            ),
            shape=(self.units, len(self.members)),
        )

    def least(self, cost: np.ndarray, *fixed: LinearConstraint) -> float:
        """Least total cost of tuples that contain every unit once."""
        found = milp(
            cost,
            constraints=[LinearConstraint(self.cover, 1, 1), *fixed],
            integrality=np.ones(len(cost)),
            bounds=Bounds(0, 1),
            options={"mip_rel_gap": 0},
        )
        return float(found.fun) if found.fun is not None else float("inf")

    def canonical(self, cost: np.ndarray) -> list[tuple[int, ...]]:
        """Of the partitions of least cost those of most groups, of these the smallest list.

        By the first unit that is not yet in a group: what follows does not depend on how those before it
        were grouped.
        """
        starting: dict[int, list[int]] = {}
        for k, group in enumerate(self.members):
            starting.setdefault(group[0], []).append(k)
        masks = [sum(1 << i for i in group) for group in self.members]

        @cache
        def best(left: int) -> tuple[float, int, tuple[tuple[int, ...], ...]]:
            if not left:
                return 0.0, 0, ()
            first = (left & -left).bit_length() - 1
            return min(
                (cost[k] + rest[0], rest[1] - 1, (self.members[k], *rest[2]))
                for k in starting[first]
                if masks[k] & left == masks[k]
                for rest in [best(left & ~masks[k])]
            )

        return list(best((1 << self.units) - 1)[2])

    def groups(self, alignment) -> list[tuple[int, ...]]:
        """The unitary alignments found, in the numbers of the canonical order."""
        number = {row: i for i, row in enumerate(self.rows)}
        return [
            tuple(sorted(number[r] for r in members.tolist() if r >= 0)) for members, _ in alignment
        ]


CASES = [(n, seed) for n, count in ((2, 60), (3, 120), (4, 40)) for seed in range(count)]


@pytest.mark.parametrize("block", range(11))
@pytest.mark.parametrize("equal", [True, False], ids=["ties", "lengths"])
def test_gamma(block, equal):
    for n, seed in CASES[block::11]:
        data = continuum(seed, n, most=8 if n == 2 else 5 if n == 3 else 3, equal=equal)
        matrix = TABLE if seed % 3 == 0 else None
        (found,) = align(data, matrix=matrix)
        tuples = Tuples(data, n, holistic=False, table=matrix)
        assert found.proven
        assert found.gap == 0
        least = tuples.least(tuples.cost)
        assert found.disorder * len(data) / n == pytest.approx(least, abs=1e-7)
        assert found.bound * len(data) / n <= least + 1e-7
        if equal and len(data) <= 12:
            assert tuples.groups(found) == tuples.canonical(tuples.whole)


@pytest.mark.parametrize("block", range(11))
def test_the_mean(block):
    """With λ the mean that was found, no alignment has Σ(δ − λ) below 0."""
    for n, seed in CASES[block::11]:
        data = continuum(seed, n, most=8 if n == 2 else 5 if n == 3 else 3)
        (found,) = align(data, objective="holistic")
        tuples = Tuples(data, n, holistic=True, table=None)
        assert found.proven
        over = tuples.cost - found.disorder
        assert tuples.least(over) == pytest.approx(0, abs=1e-7)
        assert found.disorders.sum() - len(found) * found.disorder == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_canonical_by_programmes(seed):
    """Larger ones: each group that was chosen is the first in order with which the optimum is reached."""
    data = continuum(100 + seed, 3, most=6)
    (found,) = align(data)
    tuples = Tuples(data, 3, holistic=False, table=None)
    # a group more is worth less than the least difference of costs (1/48), and less than any is
    cost = tuples.cost - 1e-4
    least = tuples.least(cost)
    taken = np.zeros(len(cost))
    for group in tuples.groups(found):
        index = tuples.members.index(group)
        before = [
            k
            for k, other in enumerate(tuples.members)
            if other[0] == group[0]
            and other < group
            and not any(taken[j] and set(tuples.members[j]) & set(other) for j in range(len(taken)))
        ]
        for k in before:
            fixed = taken.copy()
            fixed[k] = 1
            assert tuples.least(cost, LinearConstraint(np.eye(len(cost))[fixed > 0], 1, 1)) > (
                least + 5e-5
            )
        taken[index] = 1
    assert taken @ cost == pytest.approx(least, abs=1e-7)
