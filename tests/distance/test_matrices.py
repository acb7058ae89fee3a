"""Matrices of distances and weights: one check at every door, and weights that differ by direction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import accord
from accord.data import Ratings, Units
from accord.errors import AccordError
from accord.result import Result
from accord.uncertainty import interval

LABELS = ["a", "b", "c"]
APART = np.array([[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]])
DATA = Ratings.from_matrix([list("abcabca"), list("abbabcc")])


def named(table: np.ndarray) -> dict[str, dict[str, float]]:
    return {
        a: dict(zip(LABELS, row.tolist(), strict=True))
        for a, row in zip(LABELS, table, strict=True)
    }


def in_file(table: np.ndarray, folder: Path) -> Path:
    path = folder / "table.csv"
    pd.DataFrame(table, LABELS, LABELS).to_csv(path)
    return path


FORMS: dict[str, Callable[[np.ndarray, Path], Any]] = {
    "array": lambda table, _: table,
    "dict": lambda table, _: named(table),
    "frame": lambda table, _: pd.DataFrame(table, LABELS, LABELS),
    "file": in_file,
}


def units() -> Units:
    rows = [("d", who, k, k + 1, label) for who, said in (("x", "abc"), ("y", "abb"))
            for k, label in enumerate(said)]  # fmt: skip
    return Units.from_rows(rows, categories=LABELS)


DOORS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "weights of fleiss": (lambda m: accord.agree(DATA, "fleiss", weights=m), "weights"),
    "weights of light": (lambda m: accord.agree(DATA, "light", weights=m), "weights"),
    "weights of ac2": (lambda m: accord.agree(DATA, "ac2", weights=m), "weights"),
    "metric of alpha": (lambda m: accord.agree(DATA, "alpha", metric=m), "distances"),
    "matrix of gamma": (
        lambda m: accord.agree(units(), "gamma", matrix=m, samples=30), "distances",
    ),
}  # fmt: skip


def entry(table: np.ndarray, i: int, j: int, value: float) -> np.ndarray:
    changed = table.astype(float).copy()
    changed[i, j] = value
    return changed


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("door", DOORS)
def test_every_door_refuses_what_is_no_matrix_of_its_kind(
    door: str, form: str, tmp_path: Path
) -> None:
    ask, role = DOORS[door]
    good = APART if role == "distances" else 1 - APART
    own = float(good[0, 0])

    def given(table: np.ndarray) -> Any:
        return FORMS[form](table, tmp_path)

    assert ask(given(good)) is not None
    wrong = {
        "is not symmetric: 0.5 for 'a', 'b' and 0.2 for 'b', 'a'": entry(good, 1, 0, 0.2),
        "'a', 'b'": entry(entry(good, 0, 1, -1), 1, 0, -1),
        f"must have {own:g} for 'b', 'b'": entry(good, 1, 1, 0.4),
        "number": entry(entry(good, 0, 1, np.nan), 1, 0, np.nan),
    }
    for message, table in wrong.items():
        with pytest.raises(AccordError, match=message):
            ask(given(table))
    if role == "weights":
        with pytest.raises(AccordError, match=r"holds distances.*give 1 less each"):
            ask(given(APART))
    else:
        with pytest.raises(AccordError, match="must have 0 for 'a', 'a'"):
            ask(given(1 - APART))
    if form == "array":
        with pytest.raises(AccordError, match=r"must be 3 × 3.*got 2 × 2"):
            ask(good[:2, :2])


def test_the_forms_give_one_value(tmp_path: Path) -> None:
    for door, (ask, role) in DOORS.items():
        good = APART if role == "distances" else 1 - APART
        values = {ask(form(good, tmp_path)).value for form in FORMS.values()}
        assert len(values) == 1, door


def value(found: Any) -> float:
    assert isinstance(found, Result)
    return found.value


def test_weighted_kappa_of_two_takes_weights_by_direction(tmp_path: Path) -> None:
    """Cohen (1968): rows are the first annotator's values, columns the second's."""
    directed = np.array([[1, 0.6, 0], [0.2, 1, 0.5], [0, 0.1, 1]])
    first, second = ([LABELS.index(x) for x in word] for word in ("abcabca", "abbabcc"))
    joint = np.zeros((3, 3))
    for k, m in zip(first, second, strict=True):
        joint[k, m] += 1 / 7
    chance = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    by_hand = (np.sum(directed * joint) - np.sum(directed * chance)) / (
        1 - np.sum(directed * chance)
    )
    found = accord.agree(DATA, "weighted-kappa", weights=directed)
    assert value(found) == pytest.approx(by_hand)
    assert "differ by direction" in found.warnings[0]
    limits = interval(found).interval
    assert limits is not None
    assert limits.low < by_hand < limits.high
    other = Ratings.from_matrix([list("abbabcc"), list("abcabca")], annotators=["A2", "A1"])
    # rows are those of the first by name, in whatever order they come
    assert other.annotators == ("A1", "A2")
    assert value(accord.agree(other, "weighted-kappa", weights=directed)) == pytest.approx(by_hand)
    back = accord.agree(DATA, "weighted-kappa", weights=directed.T)
    assert abs(value(back) - by_hand) > 0.01
    in_a_file = accord.agree(DATA, "weighted-kappa", weights=in_file(directed, tmp_path))
    assert value(in_a_file) == pytest.approx(by_hand)


def test_weighted_light_is_the_mean_of_weighted_kappas() -> None:
    three = Ratings.from_matrix(
        [[1, 2, 3, 1, 2, 3, 1], [1, 2, 2, 1, 2, 3, 3], [2, 2, 3, 1, 1, 3, 1]]
    )
    for weights in ("identity", "linear", "quadratic", "radical"):
        pairs = [
            value(
                accord.agree(three.select(annotators=list(two)), "weighted-kappa", weights=weights)
            )
            for two in (("A1", "A2"), ("A1", "A3"), ("A2", "A3"))
        ]
        found = accord.agree(three, "light", weights=weights)
        assert value(found) == pytest.approx(np.mean(pairs))
    assert "weights:quadratic" in accord.agree(three, "light", weights="quadratic").signature
