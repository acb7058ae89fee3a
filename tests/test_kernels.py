"""Compiled kernels against the same source run uncompiled."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from accord import kernels

FOLDER = Path(kernels.__file__).parent


def uncompiled(name: str):
    """The kernel as plain Python."""
    path = FOLDER / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"plain_{name}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name", sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "__init__")
)
def test_kernels_are_compiled(name):
    module = importlib.import_module(f"accord.kernels.{name}")
    assert not module.__file__.endswith(".py"), "build the package: the kernel runs uncompiled"


def test_group_rows():
    from accord.kernels import profiles

    rng = np.random.default_rng(0)
    sizes = rng.integers(0, 4, 400)
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    first, second = (rng.integers(0, 3, indptr[-1]).astype(np.int32) for _ in range(2))
    group, representative = profiles.group_rows(indptr, first, second)
    plain_group, plain_representative = uncompiled("profiles").group_rows(indptr, first, second)
    assert (group == plain_group).all()
    assert (representative == plain_representative).all()
    rows = [
        tuple(zip(first[a:b].tolist(), second[a:b].tolist(), strict=True))
        for a, b in zip(indptr[:-1], indptr[1:], strict=True)
    ]
    numbers = {}
    assert group.tolist() == [numbers.setdefault(r, len(numbers)) for r in rows]
    assert [rows[i] for i in representative] == list(numbers)


def test_sort_rows():
    from accord.kernels import profiles

    rng = np.random.default_rng(1)
    indptr = np.array([0, 3, 3, 4, 104, 110], dtype=np.int64)
    values = rng.integers(0, 50, 110).astype(np.int32)
    expected = np.concatenate(
        [np.sort(values[a:b]) for a, b in zip(indptr[:-1], indptr[1:], strict=True)]
    )
    assert (profiles.sort_rows(indptr, values) == expected).all()
    assert (uncompiled("profiles").sort_rows(indptr, values) == expected).all()
