"""Near pairs and candidate tuples against their definitions, on every pair and tuple there is."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest

from accord.alignment import candidates as module
from accord.alignment.batch import Batch
from accord.alignment.candidates import find_candidates, find_pairs
from accord.data.continuum import Continuum
from accord.distance.units import unit_dissimilarity
from accord.kernels.candidates import candidate_tuples
from accord.kernels.dissimilarity import positions, unitary_costs

LABELS = ("x", "y", "z")


def continuum(seed: int, n: int, most: int) -> Continuum:
    rng = np.random.default_rng(seed)
    parts = []
    for _ in range(n):
        count = int(rng.integers(0, most + 1))
        start = rng.integers(0, 30, count).astype(np.float64)
        length = rng.choice([1.0, 2.0, 5.0, 20.0], count)
        parts.append((start, start + length, rng.integers(-1, 3, count).astype(np.int32)))
    return Continuum.assemble(parts, 0.0, 60.0)


def distance(c: Continuum, i: int, j: int, alpha: float, kind: str, k: float) -> float:
    if kind == "hamming":
        position = abs(c.end[i] - c.end[j]) / (2 * k)
    else:
        apart = abs(c.start[i] - c.start[j]) + abs(c.end[i] - c.end[j])
        position = (apart / (c.end[i] - c.start[i] + c.end[j] - c.start[j])) ** 2
    return alpha * position + float(c.label[i] != c.label[j])


@pytest.mark.parametrize("kind", ["sporadic", "hamming"])
@pytest.mark.parametrize("way", ["one window", "windows"])
@pytest.mark.parametrize("seed", range(12))
def test_near_pairs(seed, way, kind, monkeypatch):
    """Every pair of different annotators with d below the limit, once, in order; d to the last digit."""
    if way == "windows":
        monkeypatch.setattr(module, "FEW", -1)
        monkeypatch.setattr(module, "_LONGEST", 0.0)
    n = 2 + seed % 3
    c = continuum(seed, n, 9)
    if not len(c):
        return
    alpha = (1.0, 3.0, 0.5)[seed % 3]
    d = unit_dissimilarity(LABELS, alpha=alpha, positional=kind)
    k = float((c.end - c.start).mean())
    for limit in (None, 0.3):
        found = find_pairs(Batch.of([c]), d, limit)
        top = n * (n - 1) // 2 + n - 1 if limit is None else limit
        expected = [
            (i, j, value)
            for i, j in combinations(range(len(c)), 2)
            if c.annotator[i] != c.annotator[j]
            and (value := distance(c, i, j, alpha, kind, k)) < top
        ]
        first = np.repeat(np.arange(len(c)), np.diff(found.indptr))
        ours = list(zip(first.tolist(), found.other.tolist(), strict=True))
        assert ours == [(i, j) for i, j, _ in expected]
        assert found.distance == pytest.approx([v for *_, v in expected], rel=1e-12, abs=0)


@pytest.mark.parametrize("seed", range(20))
def test_the_canonical_order(seed):
    continua = [continuum(3 * seed + k, 3, 12) for k in range(3)]
    batch = Batch.of(continua)
    keys = (batch.label, batch.end, batch.start, batch.document)
    assert batch.order().tolist() == np.lexsort(keys).tolist()


def test_points_are_infinitely_far_from_each_other_and_equal_to_themselves():
    zero = np.zeros(2)
    found = positions(zero, zero, np.array([0.0, 1.0]), np.array([0.0, 1.0]), 0, 1.0)
    assert found.tolist() == [0.0, np.inf]


def test_equal_units_cost_nothing_whatever_their_label():
    c = continuum(3, 2, 6)
    d = unit_dissimilarity(LABELS, beta=0.0)
    found = find_pairs(Batch.of([c, c]), d)
    once = find_pairs(Batch.of([c]), d)
    # side by side: the same pairs twice, numbered on
    assert found.other.tolist() == [*once.other.tolist(), *(once.other + len(c)).tolist()]
    assert found.distance.tolist() == [*once.distance.tolist()] * 2


def whole(cost: float, scale: int) -> int:
    return int(np.floor(cost * scale + 0.5))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(10))
def test_candidates_are_the_tuples_that_no_split_of_one_or_two_units_beats(seed, n):
    """METHODS: drop K when for some split Σ cross d ≥ Δ(C + |A||B|), or leaving all alone is as good."""
    c = continuum(100 * n + seed, n, {2: 8, 3: 5, 4: 3, 5: 2}[n])
    d = unit_dissimilarity(LABELS)
    pairs = find_pairs(Batch.of([c]), d)
    scale = 1 << 20
    offsets, member, close, complete = candidate_tuples(
        pairs.indptr, pairs.other, pairs.distance, n, scale, float(scale), 10**6
    )
    found = {
        tuple(member[a:b].tolist()): int(x)
        for (a, b), x in zip(pairwise(offsets), close, strict=True)
    }
    assert complete
    assert len(found) == len(close)
    value = {}
    for i in range(len(c)):
        for e in range(pairs.indptr[i], pairs.indptr[i + 1]):
            value[i, int(pairs.other[e])] = whole(pairs.distance[e], scale)
    count = n * (n - 1) // 2
    expected = {}
    own = [[None, *range(c.offsets[a], c.offsets[a + 1])] for a in range(n)]
    for choice in product(*own):
        units = tuple(u for u in choice if u is not None)
        m = len(units)
        two = list(combinations(units, 2))
        if m < 2 or not all(p in value for p in two):
            continue
        total = sum(value[p] for p in two)
        split = False
        for size in (1, 2):
            for part in combinations(units, size):
                cross = sum(value[p] for p in two if (p[0] in part) != (p[1] in part))
                if m - size > 0 and cross >= scale * (count + size * (m - size)):
                    split = True
        if not split and total < scale * (count * (m - 1) + m * (m - 1) // 2):
            expected[units] = scale * (m * (m - 1) // 2) - total
    assert found == expected


def test_candidates_that_are_too_many():
    c = continuum(7, 4, 6)
    d = unit_dissimilarity(LABELS)
    pairs = find_pairs(Batch.of([c]), d)
    arguments = (pairs.indptr, pairs.other, pairs.distance, 4, 1 << 20, float(1 << 20))
    every = len(candidate_tuples(*arguments, 10**6)[2])
    assert candidate_tuples(*arguments, every)[3]
    short = candidate_tuples(*arguments, every - 1)
    assert not short[3]
    assert len(short[2]) == every - 1


def test_numbers_of_candidates_and_their_cost():
    c = continuum(5, 3, 5)
    batch, d = Batch.of([c]), unit_dissimilarity(LABELS, delta=2.5)
    found = find_candidates(batch, find_pairs(batch, d), d.delta)
    table = np.full((len(found.close), 3), -1)
    for k, (a, b) in enumerate(pairwise(found.offsets)):
        for u in found.member[a:b]:
            table[k, c.annotator[u]] = u
    cost = unitary_costs(
        table, c.start, c.end, c.label, d.costs, 0, np.full(len(table), 2.5), d.delta
    )
    grid = (found.empty - found.close) * d.delta / found.empty
    assert cost == pytest.approx(grid, abs=1e-7)
    assert found.fewest == c.counts.max()
    columns = found.columns()
    merges = np.diff(found.offsets) - 1
    digits = round(columns.one / found.empty)
    assert digits > len(c)
    assert (columns.gain == (merges * found.empty + found.close) * digits - merges).all()
    # at a level λ what gains nothing is left out
    level = found.empty // 2
    some = found.columns(level)
    gain = merges * (found.empty - level) + found.close
    assert some.origin.tolist() == np.flatnonzero(gain > 0).tolist()
    assert (some.gain == (gain * digits - merges)[gain > 0]).all()
