"""The interval of a result is made when it is first looked at, and looking changes nothing that is said."""

from __future__ import annotations

import copy
import math
import pickle
from dataclasses import replace

import pytest

import accord
from accord.errors import RefusedError, UsageError
from accord.result import Result, Results
from accord.study import study as studies
from accord.study.ask import certainty_of
from tests.frozen_cases import units

MATRIX = [
    ["a", "b", "a", "b", "a", "c"],
    ["a", "b", "b", "b", "a", "c"],
    ["a", "a", "b", "b", "a", "c"],
]


@pytest.fixture
def data() -> accord.Ratings:
    return accord.Ratings.from_matrix(MATRIX, annotators=["A", "B", "C"])


@pytest.fixture
def made(monkeypatch) -> list[str]:
    """The methods of the intervals that were made."""
    seen: list[str] = []
    whole = studies.interval

    def watched(result, method, **how):
        seen.append(method)
        return whole(result, method, **how)

    monkeypatch.setattr(studies, "interval", watched)
    return seen


def test_a_value_alone_makes_no_interval(data, made):
    found = accord.agree(data, by=("pair", "annotator"))
    text = repr(found), str(found), f"{found}", f"{found:.3f}", found._repr_html_()
    assert float(found) == found.value
    assert found > 0.1
    assert found.n == 6
    assert found.observed
    assert not made
    assert text[0] == "<alpha = 0.6634; n = 6>"
    assert found.low is not None
    assert found.high is not None
    assert found.interval is found.confidence_interval
    assert made == ["auto"]
    low, high = found.interval
    assert (low, high) == (found.low, found.high)
    assert repr(found).startswith("<alpha = 0.6634 [")


@pytest.mark.parametrize("look", [
    lambda r: r.signature, lambda r: r.terms, lambda r: r.warnings, lambda r: r.to_dict(),
    lambda r: r.low, lambda r: r.summary(), lambda r: r.row(), pickle.dumps,
])  # fmt: skip
def test_what_a_result_says_is_the_same_whatever_was_looked_at_first(data, look):
    eager = accord.agree(data, ci="auto", by="pair")
    found = accord.agree(data, by="pair")
    look(found)
    assert found.to_dict() == eager.to_dict()
    assert found.signature == eager.signature
    assert "ci:" in found.signature
    assert found.warnings == eager.warnings


@pytest.mark.parametrize("measure", ["gamma", "gamma-k", "holistic"])
def test_of_units_too_and_of_several_values(measure):
    data = units()
    lazy = accord.agree_each(data, measure)
    eager = accord.agree_each(data, measure, ci="auto")
    assert [r.to_dict() for r in lazy] == [r.to_dict() for r in eager]


@pytest.mark.parametrize("by", ["pair", "annotator", "document", "category"])
def test_rows_have_the_limits_that_the_command_gives(by):
    data = units()
    lazy, eager = accord.agree(data, "gamma", by=by), accord.agree(data, "gamma", ci="auto", by=by)
    assert lazy.to_dict()["by"] == eager.to_dict()["by"]
    assert any({"low", "no_interval"} & set(row) for row in lazy.by[by])
    assert list(lazy.to_frame(by).columns) == list(eager.to_frame(by).columns)


def test_rows_and_intervals_wait_for_each_other_in_vain(data, made):
    found = accord.agree(data, by="pair")
    assert found.low is not None
    assert made == ["auto"], "the rows were not looked at"
    assert {"low", "high"} <= set(found.by["pair"][0])
    assert len(made) > 1


def test_none_leaves_it_out(data, made):
    found = accord.agree(data, ci="none", by="pair")
    assert found.interval is None
    assert found.low is None
    assert found.high is None
    assert "ci:" not in found.signature
    assert "low" not in found.by["pair"][0]
    assert not made


def test_scores_wait_too(data, made):
    key, system = data.select(annotators=["A"]), data.select(annotators=["B"])
    found = accord.score(key, system)
    assert not made
    assert found.to_dict() == accord.score(key, system, ci="auto").to_dict()
    made.clear()
    every = accord.score(key, data.select(annotators=["B", "C"]), each=True)
    assert [r.system for r in every] == ["B", "C"]
    assert not made
    assert every[0].low is not None
    assert every[0].system == "B"


def test_an_undefined_value_has_none(data):
    found = accord.agree(accord.Ratings.from_matrix([["a", "a"], ["a", "a"]]), "alpha")
    assert math.isnan(found.value)
    assert found.interval is None
    assert found.low is None
    with pytest.raises(UsageError, match="above no number"):
        assert found > 0.5
    with pytest.raises(UsageError, match="undefined"):
        sorted([found, found])


def test_no_interval_is_said_once_looked_at():
    found = accord.agree(
        accord.Ratings.from_matrix([["a"], ["b"]], annotators=["A", "B"]), "percent"
    )
    assert found.interval is None
    assert any(w.startswith("no interval: ") for w in found.warnings)


def test_copies_and_pickles(data):
    found = accord.agree(data, by="pair")
    assert copy.copy(found) is found
    assert copy.deepcopy(found) is found
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == found.to_dict()
    assert again.interval == found.interval
    assert again.reading == found.reading
    both = pickle.loads(pickle.dumps(accord.agree(data, ["alpha", "kappa"])))
    assert isinstance(both, Results)
    assert both["alpha"].low == found.low


def test_a_changed_result_keeps_its_interval(data, made):
    found = accord.agree(data)
    renamed = found.of_system("gpt")
    assert not made
    assert renamed.system == "gpt"
    assert renamed.interval == replace(found, system="gpt").interval == found.interval
    assert found.of_system("x").system == "x"


def test_another_interval_takes_the_place_of_the_usual_one(data, made):
    found = accord.interval(accord.agree(data), "bootstrap", seed=4)
    assert not made
    assert found.signature.count("ci:") == 1
    assert "ci:bootstrap" in found.signature


def test_a_refusal_is_one_whenever_it_is_looked_at(data):
    two = data.select(annotators=["A", "B"])
    with pytest.raises(RefusedError, match="two annotators say nothing about a third"):
        accord.agree(two, unit="annotator")
    for wrong in ({"level": 2}, {"resamples": 0}, {"seed": -1}):
        with pytest.raises(UsageError):
            accord.agree(two, **wrong)


def test_what_asks_for_an_interval_gets_it_at_once(data, made):
    for asked in ({"ci": "auto"}, {"unit": "item"}, {"threshold": 0.5}, {"unit": "annotator"}):
        assert accord.agree(data, **asked).later is None
        assert made.pop() == "auto"
    assert accord.agree(data, threshold=0.5).terms["p_below"] > 0
    assert certainty_of().later
    assert not certainty_of("none").later


def test_numbers_are_compared_and_written(data):
    found, other = accord.agree(data, "percent"), accord.agree(data, "alpha")
    assert found > other
    assert other < found
    assert found >= 0.5
    assert found <= 1
    assert not found < 0.1
    assert f"{found:.1f} {found:6.2f}" == "0.8   0.78"
    assert f"{found:.0%}" == "78%"
    with pytest.raises(TypeError):
        assert found > "0.5"
    assert found != other
    assert found == found
    assert max([other, found]) is found


def test_a_summary_says_all_of_it(data):
    told = accord.agree(data).summary().splitlines()
    assert told[0].startswith("alpha = 0.6634 [")
    assert "other items" in told[0]
    assert "3 annotators: A, B, C" in told[1]
    assert told[-2].startswith("⚠ the interval rests on 6 items")
    assert told[-1].startswith("alpha|")
    assert "ci:" in told[-1]


def test_results_by_name(data):
    found = accord.agree(data, ["alpha", "fleiss"])
    assert found["alpha"] is found[0]
    assert isinstance(found[:1], Results)
    assert found[-1].measure == "fleiss"
    with pytest.raises(
        UsageError, match="no result of 'alpa'; there is 'alpha', 'fleiss'; did you mean"
    ):
        found["alpa"]
    with pytest.raises(UsageError, match="2 results are alpha"):
        Results([*found[:1], *found[:1]])["alpha"]


def test_an_attribute_that_is_not_there():
    with pytest.raises(AttributeError, match="intervall"):
        Result(measure="x", value=1.0).intervall  # noqa: B018
