"""An agreement and a score may share a name; the question tells them apart."""

from __future__ import annotations

import pytest

import accord
from accord.data import Ratings
from accord.registry import _measures, _names, find, find_each, function_of, measure
from accord.result import Result

DATA = Ratings.from_matrix([["a", "b"], ["a", "b"]])


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> str:
    """A name for two measures, enrolled for one test."""
    accord.enrolled()
    monkeypatch.setattr("accord.registry._measures", dict(_measures))
    monkeypatch.setattr("accord.registry._names", dict(_names))
    facts = {"title": "", "shape": "ratings", "citation": "", "range": (0.0, 1.0)}

    @measure("toy-shared", question="agree", **facts)
    def among(data: Ratings) -> Result:
        return Result(measure="toy-shared", value=0.25)

    @measure("toy-shared", question="score", **facts)
    def against(reference: Ratings, system: Ratings) -> Result:
        return Result(measure="toy-shared", value=0.75)

    return "toy-shared"


def test_the_question_tells_them_apart(shared: str) -> None:
    assert find(shared).question == find(shared, "agree").question == "agree"
    assert find(shared, "score").question == "score"
    assert [m.question for m in find_each("Toy_Shared")] == ["agree", "score"]
    # a name with one measure gives that one, whatever was asked
    assert find("alpha", "score").question == "agree"


def test_what_is_given_tells_them_apart(shared: str) -> None:
    either = function_of(shared)
    assert either(DATA).value == 0.25
    assert either(DATA, DATA).value == either(reference=DATA, system=DATA).value == 0.75


def test_another_measure_cannot_take_the_name(shared: str) -> None:
    facts = {"title": "", "shape": "ratings", "citation": "", "range": (0.0, 1.0)}
    with pytest.raises(ValueError, match="two measures are called 'toy-shared'"):
        measure("toy-other", question="agree", aliases=(shared,), **facts)(lambda data: data)


def test_each_verb_takes_its_own(shared: str) -> None:
    assert accord.agree(DATA, shared).value == 0.25
    system = Ratings.from_matrix([["a", "b"]])
    assert accord.score(DATA, system, shared).value == 0.75
    assert accord.toy_shared(DATA, DATA).value == 0.75
