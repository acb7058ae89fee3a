"""Compiled kernels against the same source run uncompiled."""

import ast
import importlib.util
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import accord
from accord import kernels
from accord.data import Units

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


@pytest.mark.parametrize(
    "name", sorted(p.stem for p in FOLDER.glob("*.py") if p.stem != "__init__")
)
def test_kernels_read_arrays_that_nobody_may_write(name):
    """What a kernel only reads it declares const: joblib hands large arrays over read-only."""
    for function in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))):
        if not isinstance(function, ast.FunctionDef):
            continue
        written = {
            node.value.id
            for node in ast.walk(function)
            if isinstance(node, ast.Subscript)
            and isinstance(node.ctx, ast.Store)
            and isinstance(node.value, ast.Name)
        }
        for argument in function.args.args:
            kind = ast.unparse(argument.annotation) if argument.annotation else ""
            if kind.endswith(("[:]", "[:, :]")) and "const" not in kind:
                assert argument.arg in written, f"{function.name}: {argument.arg} is not written"


def test_large_arrays_reach_workers_read_only():
    data = Units.from_rows(
        [("d", f"a{a}", 10.0 * k, 10.0 * k + 5, "x") for a in range(2) for k in range(200)]
    )
    for array in (data.start, data.end, data.label, data.annotator, data.document):
        array.flags.writeable = False
    (found,) = accord.align(data)
    assert found.disorder == 0
    assert accord.agree(data, "gamma", samples=2).value == 1


@pytest.mark.parametrize("named", [True, False])
def test_group_rows(named):
    from accord.kernels import profiles

    rng = np.random.default_rng(0)
    sizes = np.r_[rng.integers(0, 4, 400), 70, 70]
    indptr = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    who, code = (rng.integers(0, 3, indptr[-1]).astype(np.int32) for _ in range(2))
    code[-70:] = rng.permutation(code[-140:-70])
    found = profiles.group_rows(indptr, who, code, named)
    plain = uncompiled("profiles").group_rows(indptr, who, code, named)
    for ours, theirs in zip(found[: 2 if not named else 4], plain, strict=False):
        assert (ours == theirs).all()
    rows = [
        tuple(zip(who[a:b].tolist(), code[a:b].tolist(), strict=True))
        if named
        else tuple(sorted(code[a:b].tolist()))
        for a, b in pairwise(indptr)
    ]
    group, start, pool_who, pool_code = found
    numbers = {}
    assert group.tolist() == [numbers.setdefault(r, len(numbers)) for r in rows]
    pool = [
        tuple(zip(pool_who[a:b].tolist(), pool_code[a:b].tolist(), strict=True))
        if named
        else tuple(pool_code[a:b].tolist())
        for a, b in pairwise(start)
    ]
    assert pool == list(numbers)
