"""Every measure, breakdown, reference and alignment of small data is what it was.

The numbers are checked by papers, peers and oracles elsewhere; here none of them may move unnoticed. For one
that changes on purpose: ``python -m tests.frozen_cases``.
"""

from __future__ import annotations

import json
import math

import pytest

from tests.frozen_cases import CASES, FOLDER, plain


def differences(old, new, where=""):
    """Where two plain values differ by more than rounding."""
    if isinstance(old, dict) and isinstance(new, dict):
        # (what is told besides may grow, and a measure may have fewer breakdowns)
        for key in old:
            if key in new:
                yield from differences(old[key], new[key], f"{where}.{key}")
            elif not where.endswith(".by"):
                yield f"{where}.{key}: gone"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{where}[{i}]")
    elif isinstance(old, float) or isinstance(new, float):
        numbers = all(isinstance(v, int | float) for v in (old, new))
        if not numbers or not math.isclose(old, new, rel_tol=1e-6, abs_tol=1e-9):
            yield f"{where}: {old} → {new}"
    elif old != new:
        yield f"{where}: {old!r} → {new!r}"


@pytest.mark.parametrize("name", CASES)
def test_nothing_moved(name):
    old = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    new = json.loads(json.dumps(plain(CASES[name]())))
    moved = [d for key in old.keys() & new.keys() for d in differences(old[key], new[key], key)]
    assert not moved, "\n".join(moved[:20])
    assert old.keys() <= new.keys(), f"no longer there: {sorted(old.keys() - new.keys())}"


def test_a_difference_is_seen():
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.0, "x"]})) == []
    assert list(differences({"a": [1.0, "x"]}, {"a": [1.1, "y"]})) != []
    assert list(differences({"a": None}, {"a": 1.0})) != []
    assert list(differences([1], [1, 2])) != []
    assert list(differences({"a": 1.0}, {"b": 1.0})) != []
