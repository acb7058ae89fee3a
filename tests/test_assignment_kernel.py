"""The sparse assignment: compiled and plain, against all matchings, scipy and union by hand."""

from __future__ import annotations

import importlib.util
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from accord.kernels import assignment as installed

_source = Path(__file__).parents[1] / "src" / "accord" / "kernels" / "assignment.py"
_spec = importlib.util.spec_from_file_location("plain_assignment", _source)
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)

BOTH = pytest.mark.parametrize("module", [installed, plain], ids=["installed", "plain"])


def sparse(weights):
    weights = np.asarray(weights, dtype=float)
    rows, columns = np.nonzero(weights)
    starts = np.searchsorted(rows, np.arange(len(weights) + 1)).astype(np.int64)
    return starts, columns.astype(np.int64), weights[rows, columns], weights.shape[1], rows


def total(module, weights):
    starts, columns, values, width, rows = sparse(weights)
    matched = module.match_rows(starts, columns, values, width)
    used = matched[matched >= 0]
    assert len(set(columns[used].tolist())) == len(used)
    assert rows[used].tolist() == np.nonzero(matched >= 0)[0].tolist()
    return values[used].sum()


def best(weights):
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        return best([list(c) for c in zip(*weights, strict=True)])
    return max(
        sum(weights[i][j] for i, j in enumerate(choice))
        for choice in permutations(range(columns), rows)
    )


@BOTH
@settings(max_examples=150, deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.sampled_from([0, 0, 1, 2, 0.5, 1 / 3]), min_size=width, max_size=width),
            min_size=1,
            max_size=4,
        )
    )
)
def test_heaviest_of_all_matchings(module, weights):
    assert total(module, weights) == pytest.approx(best(weights))


@pytest.mark.parametrize("seed", range(5))
def test_as_heavy_as_the_dense_solver(seed):
    rng = np.random.default_rng(seed)
    weights = np.where(rng.random((60, 80)) < 0.1, rng.integers(1, 5, (60, 80)), 0)
    rows, columns = linear_sum_assignment(-weights)
    assert total(installed, weights) == weights[rows, columns].sum()


@BOTH
def test_no_cells(module):
    empty = np.empty(0, dtype=np.int64)
    matched = module.match_rows(np.zeros(3, dtype=np.int64), empty, np.empty(0), 2)
    assert matched.tolist() == [-1, -1]


@BOTH
def test_components(module):
    rows, columns = np.array([0, 1, 1, 3]), np.array([0, 0, 2, 1])
    labels = module.label_components(rows, columns, 4, 4)
    # rows 0-3 then columns 4-7: {0, 1, 4, 6}, {2}, {3, 5}, {7}
    assert labels.tolist() == [0, 0, 2, 3, 0, 3, 0, 7]
