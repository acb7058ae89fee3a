"""What editors and type checkers see of `import accord`."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest
from mypy import api

import accord
from accord.measures import enrolled

ROOT = Path(__file__).parents[1]

REVEALED = """
import accord

data = accord.read("x.csv")
ratings = accord.Ratings.from_matrix([["a"], ["b"]])
units = accord.Units.from_rows([])
reveal_type(accord.agree(data))
reveal_type(accord.agree("x.csv", "alpha", metric="ordinal"))
reveal_type(accord.agree(data, ["alpha", "fleiss"]))
reveal_type(accord.agree(data, "gamma-k"))
reveal_type(accord.agree_each(data, "alpha"))
reveal_type(accord.score(["a"], ["b"]))
reveal_type(accord.score(units, units, "semeval"))
reveal_type(accord.gold(ratings))
reveal_type(accord.gold(units))
reveal_type(accord.alpha(ratings, metric="ordinal"))
reveal_type(accord.gamma_k(units))
reveal_type(accord.audit(data))
reveal_type(accord.report(data))
accord.alpha(ratings, flavour=1)
accord.alpha(units)
"""
EXPECTED = [
    "accord.result.Result",
    "accord.result.Result",
    "list[accord.result.Result]",
    "tuple[accord.result.Result, ...]",
    "tuple[accord.result.Result, ...]",
    "accord.result.Result",
    "tuple[accord.result.Result, ...]",
    "accord.gold.reference.Reference",
    "accord.gold.consensus.Consensus",
    "accord.result.Result",
    "tuple[accord.result.Result, ...]",
    "accord.audit.finding.Findings",
    "accord.report.page.Report",
]


def test_types_are_revealed(tmp_path):
    path = tmp_path / "user.py"
    path.write_text(REVEALED)
    out, _, _ = api.run([str(path), "--config-file", str(ROOT / "pyproject.toml")])
    revealed = [re.sub(r"builtins\\.", "", m) for m in re.findall(r'Revealed type is "(.*)"', out)]
    assert revealed == EXPECTED, out
    assert 'Unexpected keyword argument "flavour"' in out
    assert 'incompatible type "Units"; expected "Ratings"' in out


def test_the_stub_is_current():
    spec = importlib.util.spec_from_file_location("stub", ROOT / "scripts" / "make_stub.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    assert made.STUB.read_text(encoding="utf-8") == made.stub(), "run scripts/make_stub.py"
    assert "Any" not in re.findall(r"\w+", made.stub())


def test_every_measure_is_in_dir():
    names = dir(accord)
    for record in enrolled():
        name = record.name.replace("-", "_")
        assert name in names
        assert getattr(accord, name) is record.function


@pytest.mark.parametrize("name", ["audit", "report", "gold"])
def test_packages_that_are_functions(name):
    data = accord.Ratings.from_matrix([list("aabb"), list("abab")])
    package = getattr(accord, name)
    assert package.__name__ == f"accord.{name}"
    assert package(data) is not None
