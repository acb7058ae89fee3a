"""The sparse matching against every matching there is, and against scipy's dense one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from accord.alignment.matching import best_matching

edges = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(-3, 9)), max_size=9)


@settings(max_examples=150, deadline=None)
@given(edges)
def test_equals_every_matching_tried(pairs: list[tuple[int, int, int]]) -> None:
    best = 0
    for size in range(1, len(pairs) + 1):
        for some in itertools.combinations(pairs, size):
            if len({p[0] for p in some}) == len({p[1] for p in some}) == size:
                best = max(best, sum(p[2] for p in some))
    chosen = [pairs[e] for e in best_matching(*zip(*pairs, strict=True))] if pairs else []
    assert len({p[0] for p in chosen}) == len({p[1] for p in chosen}) == len(chosen)
    assert sum(p[2] for p in chosen) == best


@pytest.mark.parametrize("seed", range(5))
def test_equals_dense_assignment(seed: int) -> None:
    rng = np.random.default_rng(seed)
    weight = np.where(rng.random((60, 50)) < 0.2, rng.random((60, 50)), 0.0)
    rows, columns = np.nonzero(weight)
    order = rng.permutation(len(rows))
    chosen = best_matching(rows[order], columns[order], weight[rows, columns][order])
    expected = weight[linear_sum_assignment(weight, maximize=True)].sum()
    assert weight[rows, columns][order][chosen].sum() == pytest.approx(expected, abs=1e-12)


def test_order_of_pairs_does_not_matter() -> None:
    pairs = [(i, j, 1.0) for i in range(4) for j in range(3)]
    some = best_matching(*zip(*pairs, strict=True))
    turned = best_matching(*zip(*pairs[::-1], strict=True))
    assert [pairs[e] for e in some] == [pairs[::-1][e] for e in turned]


def test_nothing_to_match() -> None:
    assert best_matching([], [], []).tolist() == []
    assert best_matching([0], [0], [0.0]).tolist() == []
