"""Connected components of a bipartite graph: compiled and plain, against scipy."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from accord.kernels import components as installed

_source = Path(__file__).parents[2] / "src" / "accord" / "kernels" / "components.py"
_spec = importlib.util.spec_from_file_location("plain_components", _source)
plain = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(plain)

BOTH = pytest.mark.parametrize("module", [installed, plain], ids=["installed", "plain"])


@BOTH
def test_components_by_hand(module):
    rows, columns = np.array([0, 1, 1, 3]), np.array([0, 0, 2, 1])
    labels = module.label_components(rows, columns, 4, 4)
    # rows 0-3 then columns 4-7: {0, 1, 4, 6}, {2}, {3, 5}, {7}
    assert labels.tolist() == [0, 0, 2, 3, 0, 3, 0, 7]


@BOTH
@pytest.mark.parametrize("seed", range(8))
def test_components_as_scipy_finds_them(module, seed):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 60))
    rows, columns = rng.integers(0, size, (2, int(rng.integers(0, 2 * size))))
    labels = module.label_components(rows, columns, size, size)
    graph = coo_array((np.ones(len(rows)), (rows, size + columns)), shape=(2 * size, 2 * size))
    number, expected = connected_components(graph, directed=False)
    assert len(np.unique(labels)) == number
    assert len(set(zip(labels.tolist(), expected.tolist(), strict=True))) == number
    assert (labels[labels] == labels).all()
