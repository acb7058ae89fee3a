"""What editors and type checkers see of `import accord`."""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import inspect
import re
import types
from pathlib import Path

import pytest
from mypy import api

import accord
from accord.measures import enrolled
from accord.registry import find_each

ROOT = Path(__file__).parents[2]

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
reveal_type(accord.agree(data).to_dict())
reveal_type(accord.agree(data).to_frame(backend="polars"))
reveal_type(ratings.to_frame(backend="polars"))
reveal_type(accord.align(units))
reveal_type(accord.rank(ratings, {"s": ratings}))
reveal_type(accord.Study(accord.find("alpha"), data).result)
reveal_type(accord.read("x.csv", shape="ratings"))
reveal_type(accord.alpha("x.csv", orientation="items"))
reveal_type(accord.kappa(["a"], ["b"]))
reveal_type(accord.windowdiff([2, 3], [3, 2]))
reveal_type(accord.alpha({"A": ["a"]}))
reveal_type(accord.agree(["a"], ["b"], measure="kappa"))
reveal_type(accord.score(y_true=["a"], y_pred=["b"]))
reveal_type(accord.weighted_kappa(ratings, weights="linear"))
accord.read("x.csv", flavour=1)
accord.read("x.csv", curation="never")
accord.alpha(ratings, flavour=1)
accord.alpha(units)
"""
EXPECTED = [
    "accord.result.Result",
    "accord.result.Result",
    "accord.result.Results",
    "tuple[accord.result.Result, ...]",
    "tuple[accord.result.Result, ...]",
    "accord.result.Result",
    "tuple[accord.result.Result, ...]",
    "accord.gold.item_reference.ItemReference",
    "accord.gold.placed_reference.PlacedReference",
    "accord.result.Result",
    "tuple[accord.result.Result, ...]",
    "accord.audit.finding.Findings",
    "accord.report.page.Report",
    "dict[str, bool | int | float | str | list[...] | dict[str, ...] | None]",
    "polars.dataframe.frame.DataFrame",
    "polars.dataframe.frame.DataFrame",
    "tuple[accord.alignment.alignment.Alignment, ...]",
    "accord.evaluation.ranking.Ranking",
    "accord.result.Result",
    "accord.data.ratings.Ratings",
    *["accord.result.Result"] * 7,
]


def test_types_are_revealed(tmp_path):
    path = tmp_path / "user.py"
    path.write_text(REVEALED)
    out, _, _ = api.run([str(path), "--config-file", str(ROOT / "pyproject.toml")])
    revealed = [re.sub(r"builtins\\.", "", m) for m in re.findall(r'Revealed type is "(.*)"', out)]
    assert revealed == EXPECTED, out
    assert out.count('Unexpected keyword argument "flavour"') == 2
    assert "Literal['leave-out', 'include', 'only']" in out
    assert 'incompatible type "Units"; expected "Ratings |' in out


@pytest.fixture(scope="module")
def written():
    """What the script of the stubs writes: each file and its text."""
    spec = importlib.util.spec_from_file_location("stub", ROOT / "scripts" / "make_stub.py")
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.written()


def test_the_stubs_are_current(written):
    for path, text in written.items():
        assert path.read_text(encoding="utf-8") == text, "run scripts/make_stub.py"
        assert "Any" not in re.findall(r"\w+", text)


#: what the public functions give back
GIVEN_BACK = [
    "accord.alignment.alignment.Alignment",
    "accord.audit.finding.Finding",
    "accord.audit.finding.Findings",
    "accord.evaluation.alternative.AltTest",
    "accord.evaluation.judges.answer.JudgeAnswer",
    "accord.evaluation.judges.answer.JudgeStudy",
    "accord.evaluation.ranking.Ranking",
    "accord.gold.placed_reference.PlacedReference",
    "accord.gold.reference.Reference",
    "accord.registry.Measure",
    "accord.report.page.Report",
    "accord.sample.Sample",
    "accord.uncertainty.compare.Comparison",
]


def public():
    """(name, function) of everything public that can be called: functions, and methods of classes."""
    found = [(n, getattr(accord, n)) for n in accord.__all__ if n != "simulate"]
    found += [(f"simulate.{n}", getattr(accord.simulate, n)) for n in accord.simulate.__all__]
    for path in GIVEN_BACK:
        home, _, name = path.rpartition(".")
        found.append((name, getattr(importlib.import_module(home), name)))
    for name, thing in found:
        if isinstance(thing, types.ModuleType):
            # a package that is a function too
            yield name, getattr(thing, name)
        elif inspect.isclass(thing):
            for method, function in inspect.getmembers(thing):
                own = inspect.isfunction(function) or inspect.ismethod(function)
                if own and not method.startswith("_"):
                    yield f"{name}.{method}", function
        elif callable(thing):
            yield name, thing


def test_no_public_signature_says_any():
    """Of what `import accord` offers and what that gives back; a row or a term may be anything."""
    seen, loose = [], []
    for name, function in public():
        signature = inspect.signature(function)
        told = [(p.name, p.annotation) for p in signature.parameters.values()]
        told.append(("return", signature.return_annotation))
        seen.append(name)
        loose += [f"{name}: {of}: {a}" for of, a in told if re.search(r"\bAny\b", str(a))]
        bare = [of for of, a in told if a is inspect.Parameter.empty and of not in ("self", "cls")]
        loose += [f"{name}: {of} has no type" for of in bare]
    assert {"read", "agree", "Result.to_frame", "Ratings.from_matrix", "gold"} <= set(seen)
    assert not loose, "\n".join(loose)


def test_the_keywords_of_read_are_its_options():
    from accord.options.reading import KEYWORDS, READING, ReadOptions
    from accord.reading.keywords import Keywords

    assert [o.name for o in READING] == [f.name for f in dataclasses.fields(ReadOptions)]
    # the layout is what a list of columns becomes
    assert set(Keywords.__annotations__) == {o.name for o in KEYWORDS}
    assert {o.name for o in READING} - {o.name for o in KEYWORDS} == {"layout"}


def test_every_measure_is_in_dir():
    names = dir(accord)
    for record in enrolled():
        name = record.name.replace("-", "_")
        assert name in names
        if len(find_each(record.name)) == 1:
            assert getattr(accord, name) is record.function
        else:
            # an agreement and a score: what is given tells them apart
            assert callable(getattr(accord, name))


@pytest.mark.parametrize("name", ["audit", "report", "gold"])
def test_packages_that_are_functions(name):
    data = accord.Ratings.from_matrix([list("aabb"), list("abab")])
    package = getattr(accord, name)
    assert package.__name__ == f"accord.{name}"
    assert package(data) is not None
