"""Every public function, with the wrong kind for each of its parameters: a sentence, no raw error."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from accord import simulate
from accord.data import Ratings, Units
from accord.errors import AccordError
from accord.options.kinds import kinds_of


class Odd:
    """Nothing that anybody takes."""


WRONG: tuple[Any, ...] = (
    Odd(), "nonsense", 3.5, -7, b"x", None, [Odd()], {"a": Odd()}, {Odd()}, ("a", 1),
)  # fmt: skip

RATINGS = Ratings.from_matrix(
    [list("AABBAB"), list("AABABB"), list("ABBBAB")], annotators=["a", "b", "c"]
)
UNITS = Units.from_rows(
    [(d, who, s, s + 5, "x") for d in "de" for who in "AB" for s in (0, 9)]
    + [("d", "A", 20, 22, "y")]
)


def _one(name: str, labels: str) -> Ratings:
    return Ratings.from_matrix([list(labels)], annotators=[name])


REFERENCE, SYSTEM = _one("reference", "AABBAB"), _one("s", "AABBAA")
DRAWS = {"resamples": 20}


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """A call of each function that works, beside which one parameter at a time is wrong."""
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text("item,annotator,value\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n", encoding="utf-8")
    rows = "".join(f"{i},{a},m{i % 3},m{(i + 1) % 3},left\n" for i in range(9) for a in "ab")
    Path("p.csv").write_text("item,annotator,left,right,preferred\n" + rows, encoding="utf-8")
    scores = [accord.score(REFERENCE, s, "accuracy") for s in (SYSTEM, _one("t", "AABBBB"))]
    return {
        "adjudicate": {"data": RATINGS, "who": "me"},
        "agree": {"data": RATINGS, **DRAWS},
        "agree_each": {"data": RATINGS, "measure": "alpha"},
        "align": {"data": UNITS},
        "alt_test": {"judges": RATINGS, "system": SYSTEM},
        "audit": {"data": RATINGS},
        "compare": {"first": scores[0], "second": scores[1], **DRAWS},
        "distribute": {"data": UNITS, **DRAWS},
        "enrolled": {},
        "explore": {"data": UNITS},
        "find": {"name": "alpha"},
        "from_tags": {"sequences": [["B-x", "O"]]},
        "gold": {"data": RATINGS},
        "gold_file": {"data": "r.csv", "path": "o.csv"},
        "interval": {"result": scores[0], **DRAWS},
        "judge": {"data": RATINGS, "judge": "a", **DRAWS},
        "prefer": {"data": "p.csv", **DRAWS},
        "rank": {"judges": RATINGS, "systems": {"s": SYSTEM}, **DRAWS},
        "rank_located": {"humans": UNITS, "systems": ["A"], "reference": UNITS, **DRAWS},
        "read": {"source": "r.csv"},
        "report": {"data": RATINGS, **DRAWS},
        "score": {"reference": REFERENCE, "system": SYSTEM, **DRAWS},
        "scorer": {"measure": "accuracy"},
        "serve": {"data": RATINGS},
        "write": {"data": RATINGS, "path": "w.csv"},
        "annotators_or_items": {"value": 0.5, "annotators": [2, 3], "width": 0.4},
        "compare_measures": {"measures": ["gamma"]},
        "planned": {"value": 0.5},
        "prevalence_curves": {},
        "reading_grid": {"measure": "alpha"},
        "reliability": {"data": RATINGS},
        "sample_size": {"data": RATINGS, "width": 0.4, "campaigns": 5},
        "setting_of": {"data": RATINGS},
        "translate": {"value": 0.5},
    }


def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(accord if name in accord.__all__ else simulate, name)
    return found


def _public() -> set[str]:
    """The functions of the package and of `simulate`; packages that are verbs are functions too."""
    verbs = {"audit", "gold", "report"}
    return {
        name
        for home in (accord, simulate)
        for name in home.__all__
        if name in verbs or inspect.isfunction(getattr(home, name))
    }


#: what draws for seconds whatever it is given: wrong kinds are refused before, and are all that is tried
_LONG = {"compare_measures", "reading_grid", "annotators_or_items", "serve"}


def test_every_public_function_is_called(calls: dict[str, dict[str, Any]]) -> None:
    assert set(calls) == _public()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(_public()))
def test_wrong_kinds_end_in_a_sentence(name: str, calls: dict[str, dict[str, Any]]) -> None:
    raw = []
    function = _function(name)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        kinds = kinds_of(str(parameter.annotation))
        for wrong in WRONG:
            if name in _LONG and (not kinds or any(kind.holds(wrong) for kind in kinds)):
                continue
            try:
                function(**{**calls[name], parameter.name: wrong})
            except AccordError:
                pass
            except Exception as error:
                raw.append(f"{name}({parameter.name}={wrong!r}): {type(error).__name__}: {error}")
    assert not raw, "\n".join(raw)


def test_a_refusal_says_what_it_must_be() -> None:
    with pytest.raises(accord.UsageError, match=r"epsilon must be a number, got 'x'"):
        accord.alt_test(RATINGS, SYSTEM, epsilon="x")  # type: ignore[arg-type]
    with pytest.raises(accord.UsageError, match=r"path must be a word or a path, got None"):
        accord.write(RATINGS, None)  # type: ignore[arg-type]
    with pytest.raises(accord.UsageError, match=r"strata must be a word or a mapping, got 3"):
        accord.judge(RATINGS, "a", strata=3)  # type: ignore[arg-type]


def test_what_numpy_and_pandas_give_is_taken() -> None:
    import numpy as np
    import pandas as pd

    named = accord.rank(
        RATINGS, pd.Series(["c"]), level=np.float64(0.9), resamples=np.int64(20), seed=np.int32(1)
    )
    assert named.judges == ("a", "b")


def test_alternatives_that_can_be_anything_are_left_to_the_readers() -> None:
    assert kinds_of("Given | None") == ()
    assert [k.wanted for k in kinds_of("str | PathLike[str] | None")] == [
        "a word",
        "a path",
        "None",
    ]
