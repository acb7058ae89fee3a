"""Ranks, tests, references, judges and grids come back from their signatures too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import accord
from accord.data import Ratings
from accord.errors import AccordError
from accord.evaluation.located import rank_located
from accord.evaluation.ranking import rank
from accord.gold import gold
from accord.plain import to_plain
from accord.simulate.grid import reading_grid
from accord.simulate.settings import PAPER, PLAIN_RATINGS, RatingsSetting
from accord.study.settings import settings
from tests import frozen_cases as cases


def _judged(people: int = 4, items: int = 60) -> tuple[Ratings, Ratings]:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 3, items)
    rows = [
        np.where(rng.random(items) < 0.7, truth, rng.integers(0, 3, items))
        for _ in range(people + 1)
    ]
    data = Ratings.from_matrix([["xyz"[c] for c in row] for row in rows])
    *who, last = data.annotators
    return data.select(annotators=who), data.select(annotators=[last])


def _checked(asked: list[dict[str, Any]], answer: Any, function: Any, **given: Any) -> None:
    """Each answer comes back from its signature, and no two that differ share one."""
    seen: dict[str, Any] = {}
    for how in asked:
        found, signature = answer(**how)
        told = settings(signature, of=function)
        again, line = answer(**{**dict(told.options), **{k: how[k] for k in given if k in how}})
        assert again == found, (how, signature)
        assert line == signature
        assert seen.setdefault(signature, found) == found, (how, signature)
    assert len(seen) == len(asked)


def test_ranks():
    people, system = _judged()

    def answer(**how):
        how["measures"] = (
            how["measures"].split(",") if isinstance(how.get("measures"), str) else ["accuracy"]
        )
        found = rank(people, {"s": system}, **how)
        return to_plain(found.to_dict()), found.signature

    every: list[dict[str, Any]] = [
        {}, {"level": 0.5}, {"resamples": 60}, {"seed": 3}, {"ties": "first"}, {"paired": True},
    ]  # fmt: skip
    _checked(every, answer, rank)


def test_ranks_of_units():
    humans, system = cases._split(cases.units(people="ABCD"))

    def answer(by=None, **how):
        found = rank_located(humans, {"s": system}, measure=how.pop("measure", by), **how)
        return to_plain(found.to_dict()), found.signature

    every = [{}, {"level": 0.5}, {"resamples": 60}, {"seed": 3}]
    _checked(every, answer, rank_located)


def test_alternative_annotators():
    people, system = _judged()

    def answer(**how):
        found = accord.alt_test(people, system, **how)
        return to_plain(found.to_dict()), found.signature

    every = [{}, {"epsilon": 0.1}, {"q": 0.2}, {"least_items": 20}, {"epsilon": 1 / 3}]
    _checked(every, answer, accord.alt_test)


def test_judges():
    people, system = _judged()
    labels = {True: "yes", False: "no"}
    rows = [
        {"item": i, "annotator": a, "value": labels[v == "x"], "kind": "ab"[i % 2]}
        for data in (people, system)
        for a, i, v in _rated(data)
        if a in system.annotators or i < 45
    ]
    data = accord.read(rows)
    (name,) = system.annotators

    def answer(**how):
        how["population"] = how.get("population", "items like these")
        found = accord.judge(data, name, **how)
        return to_plain(found.to_dict()), found.judges[0].signature

    every = [
        {}, {"level": 0.8}, {"resamples": 200}, {"seed": 3}, {"epsilon": 0.1}, {"method": "ppi"},
        {"population": "finite"}, {"positive": "no"}, {"width": 0.2}, {"sampling": "by-class"},
    ]  # fmt: skip
    _checked(every, answer, accord.judge)
    kinds = {str(i): "ab"[i % 2] for i in range(60)}
    others = {str(i): "ab"[i % 3 % 2] for i in range(60)}
    lines = {answer(strata=held)[1] for held in (kinds, others)} | {answer()[1]}
    assert len(lines) == 3


def _rated(data: Ratings) -> list[tuple[str, int, Any]]:
    frame = data.to_frame(backend="polars").to_dicts()
    return [(r["annotator"], int(r["item"]) - 1, r["value"]) for r in frame]


def test_preferences():
    rows = [
        {"judge": f"j{i // 3}", "left": "xyz"[i % 3], "right": "yzx"[i % 3], "winner": w}
        for i, w in enumerate("xyzxyyxzzxyzxxy")
    ]
    rows = [r for r in rows if r["winner"] in (r["left"], r["right"])]

    def answer(**how):
        found = accord.prefer(pd.DataFrame(rows), **how)
        return to_plain(found.to_dict()), found.signature

    _checked([{}, {"prior": 0.5}, {"level": 0.8}, {"seed": 2}], answer, accord.prefer)
    rows += [{**row, "winner": row["right"]} for row in rows[:4]]
    _checked([{"repeats": "keep"}, {"repeats": "first", "prior": 0.5}], answer, accord.prefer)


METHODS = (
    {}, {"ties": "first"}, {"ties": "random"}, {"ties": "random", "seed": 2}, {"threshold": 0.6},
    {"method": "unanimity"}, {"method": "dawid-skene"}, {"method": "dawid-skene", "smoothing": 0.5},
    {"method": "dawid-skene", "calibrate": "model"}, {"method": "one-coin"},
    {"method": "dawid-skene", "rounds": 2}, {"method": "dawid-skene", "tolerance": 0.01},
    {"method": "mace", "restarts": 2}, {"method": "mace", "restarts": 2, "seed": 4}, {"method": "glad"},
    {"method": "weighted", "weights": {"A1": 2.0, "A2": 1.0, "A3": 1.0, "A4": 1.0}},
    {"method": "weighted", "weights": {"A1": 1.0, "A2": 3.0, "A3": 1.0, "A4": 1.0}},
    {"method": "dawid-skene", "known": {"1": "x"}}, {"method": "dawid-skene", "known": {"1": "y"}},
    {"decisions": {"1": "x"}}, {"decisions": {"1": "z"}},
    {"groups": {"g": ["A1", "A2"]}}, {"groups": {"g": ["A3", "A4"]}},
)  # fmt: skip
GIVEN = ("weights", "known", "decisions", "groups")


def _read_back(signature: str, how: dict[str, Any]) -> dict[str, Any]:
    """The options of a reference: of the function and of the method, beside the tables that were given."""
    name, *words = signature.split("|")
    told = dict(word.split(":", 1) for word in words)
    found: dict[str, Any] = {"method": name.partition(":")[2]}
    for key, text in told.items():
        if key in ("n", "v", *GIVEN, "decided"):
            continue
        number = text.replace(".", "", 1).replace("-", "", 1).replace("e", "", 1).isdigit()
        found[key] = (float(text) if "." in text or "e" in text else int(text)) if number else text
    return found | {k: how[k] for k in GIVEN if k in how}


def test_references():
    people, _ = _judged(items=24)

    def answer(**how):
        found = gold(people, **how)
        values = [found.written(i) for i in range(len(found.code))]
        return to_plain([values, found.confidence, found.posterior]), found.signature

    seen: dict[str, Any] = {}
    for how in METHODS:
        found, signature = answer(**how)
        assert answer(**_read_back(signature, how)) == (found, signature), how
        assert seen.setdefault(signature, found) == found, (how, signature)
    assert len(seen) == len(METHODS)


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (cases.units, [{}, {"keep": 0.3}, {"keep": 2 / 3}, {"position": "medoid"}, {"alpha": 1 / 3},
                       {"max_disorder": 0.5}, {"threshold": 0.9}]),
        (cases.segments, [{}, {"keep": 0.3}, {"window": 3}]),
        (cases.chains, [{}, {"keep": 0.3}, {"mentions": "near"}, {"mentions": "near", "overlap": 0.9}]),
        (cases.boxes, [{}, {"keep": 0.3}, {"position": "medoid"}, {"alpha": 1 / 3}]),
    ],
    ids=["units", "segments", "chains", "boxes"],
)  # fmt: skip
def test_references_of_located_things(data, options):
    seen: dict[str, Any] = {}
    for how in options:
        try:
            made = gold(data(), **how)
        except AccordError:
            continue
        found = repr([dict(r) for r in made.considered])
        assert seen.setdefault(made.signature, found) == found, (how, made.signature)
        told = {k: v for k, v in _read_back(made.signature, how).items() if k != "seen"}
        again = gold(data(), **told)
        assert repr([dict(r) for r in again.considered]) == found, (how, made.signature)


def test_the_choice_of_people_is_in_the_signature_of_a_reference():
    people, _ = _judged(items=24)
    rows = [{"item": i, "annotator": a, "value": v} for a, i, v in _rated(people)]
    whole, without = gold(accord.read(rows)), gold(accord.read(rows, without=["A1"]))
    assert "|without:A1|" in without.signature
    assert whole.signature != without.signature


def test_grids():
    asked: list[dict[str, Any]] = [
        {}, {"steps": 3}, {"campaigns": 3}, {"seed": 1}, {"degradations": ["noise"]},
        {"setting": RatingsSetting(sentence="mine", items=20)},
        {"setting": RatingsSetting(sentence="mine", items=30)},
        {"measure": "fleiss"}, {"measure": "fleiss", "weights": "linear"},
    ]  # fmt: skip
    usual = {
        "setting": PLAIN_RATINGS,
        "steps": 2,
        "campaigns": 2,
        "degradations": ["noise", "habit"],
    }
    seen: dict[str, Any] = {}
    for how in asked:
        grid = reading_grid(**{**usual, **how})
        assert seen.setdefault(grid.signature, grid.rows()) == grid.rows(), how
        words = dict(w.split(":", 1) for w in grid.signature.split("|")[1:])
        told = settings("|".join([words["measure"], *grid.signature.split("|")[2:]]), "agree")
        again = reading_grid(
            words["measure"], {**usual, **how}["setting"], degradations=words["degradations"].split("+"),
            steps=int(words["steps"]), campaigns=int(words["campaigns"]), seed=int(words["seed"]),
            **told.options,
        )  # fmt: skip
        assert again.rows() == grid.rows()
    assert len(seen) == len(asked)
    assert (
        PAPER.sentence
        in reading_grid("gamma", PAPER, steps=1, campaigns=1, degradations=["shift"]).signature
    )
