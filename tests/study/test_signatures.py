"""A signature tells how its number is made again: over the whole registry, every option, every interval."""

from __future__ import annotations

import math
import tempfile
from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accord
from accord.data import Annotations, Chains, Ratings, Relations, Units
from accord.data.statements import Statement
from accord.errors import AccordError
from accord.measures import enrolled, find
from accord.options import Option
from accord.registry import Measure
from accord.study import Certainty, Study
from accord.study.settings import settings
from tests import frozen_cases as cases

RECORDS = [(m.name, m.question) for m in enrolled()]
#: options that change no value: how the work is done, and what is shown beside it
WITHOUT_EFFECT = {"jobs", "progress", "by", "beside", "time_limit"}
#: options of measures that move no value here
UNMOVED = {"pabak": {"missing"}, "mention-u-alpha": {"length"}}
TREE = "child,parent\ndog,animal\ncat,animal\nowl,animal\ncar,thing\nbus,thing\nx,u\ny,u\nz,v\nu,w\nv,w\n"
MATRIX = ",x,y,z\nx,0,0.3,1\ny,0.3,0,0.6\nz,1,0.6,0\n"
PETS = ",cat,dog,owl\ncat,0,0.3,1\ndog,0.3,0,0.6\nowl,1,0.6,0\n"
TOPICS = "document,topic,start,end,entity\na,1,0,1,p\na,1,2,3,q\nb,1,0,1,p\nc,2,0,1,p\nc,2,4,5,q\n"


# --- the data -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("files")
    for name, text in (("tree", TREE), ("matrix", MATRIX), ("pets", PETS)):
        (folder / f"{name}.csv").write_text(text)
    places = [f"d,{a},{b}" for a in range(1, 6) for b in range(1, 6) if a != b]
    (folder / "pairs.csv").write_text("\n".join(["document,source,target", *places]) + "\n")
    return {path.stem: path for path in folder.iterdir()}


def _rated(values: list[Any], people: int, items: int, seed: int, seen: float = 1.0) -> Ratings:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(values), items)
    rows = []
    for _ in range(people):
        codes = np.where(rng.random(items) < 0.6, truth, rng.integers(0, len(values), items))
        rows.append([values[c] if rng.random() < seen else None for c in codes])
    return Ratings.from_matrix(rows)


@cache
def _ratings() -> dict[str, Ratings]:
    frozen = {k: v for k, v in cases.ratings().items() if k in ("labels", "scale", "ordered")}
    return frozen | {
        "two with gaps": _rated(list("xyz"), 2, 20, 3, 0.8),
        "numbers of two": _rated([1.0, 2.0, 4.0], 2, 20, 4, 0.8),
        "complete": _rated([1.0, 2.0, 4.0, 8.0], 3, 12, 5),
        "sets": _rated([frozenset(s) for s in ("a", "ab", "bc", "c")], 4, 14, 6),
        "vectors": _rated([(0.0, 1.0), (1.0, 0.5), (2.0, 2.0)], 3, 9, 7),
        "tree": _rated(["dog", "cat", "car", "bus"], 3, 12, 8),
        "tied": _rated(["dog", "cat", "car"], 5, 16, 9),
        "texts": _rated(["a b", "a c", "b c d"], 3, 10, 10),
        "rankings": _rated(["a>b>c", "b>a>c", "c>a>b"], 3, 12, 11),
        # more pairs of values than are compared
        "many": _rated([f"{'ab' * (i % 7)}{i}" for i in range(300)], 2, 290, 12),
    }


def _probable() -> tuple[Ratings, Ratings]:
    people = _rated(["no", "yes"], 3, 12, 2)
    rng = np.random.default_rng(3)
    chances = np.clip(np.round(rng.random(12), 2), 0, 1)
    chances[0] = 0.0
    shares = {"no": (1 - chances).tolist(), "yes": chances.tolist()}
    return people, Ratings.from_probabilities(shares)


@cache
def _units() -> dict[str, Units]:
    def renamed(names: str) -> Units:
        words = dict(zip("xyz", names.split(), strict=True))
        rows = [
            (d, a, s, e, words[c]) for d, a, s, e, c in _rows(cases.units()) if d in ("d0", "d1")
        ]
        return Units.from_rows(rows, lengths={"d0": 240, "d1": 245})

    apart = cases.units(apart=True)
    return {
        "units": cases.units(),
        "apart": apart,
        "numbers": renamed("1 2 4"),
        "tree": renamed("dog cat car"),
        "features": renamed("a|b a|c d|c"),
        "pieces": _in_pieces(apart),
        "points": Units.from_rows([(d, a, s, s, c) for d, a, s, _, c in _rows(apart)], points=True),
    }


def _in_pieces(units: Units) -> Units:
    """The units, two of three with a gap after their first two characters."""
    said: dict[tuple[str, str], list[Statement]] = {}
    for n, (d, a, s, e, c) in enumerate(_rows(units)):
        places = ((s, s + 2), (s + 3, e)) if n % 3 else ((s, e),)
        said.setdefault((d, a), []).append(Statement(f"T{n}", "unit", c, places=places))
    return replace(units, statements={key: tuple(held) for key, held in said.items()})


def _rows(units: Units) -> list[tuple[Any, ...]]:
    frame = units.to_frame(backend="polars")
    return [
        tuple(r[k] for k in ("document", "annotator", "start", "end", "label"))
        for r in frame.to_dicts()
    ]


@cache
def data_of(shape: str, question: str) -> dict[str, tuple[Annotations, ...]]:
    """Small data on which the options of the measures of a shape make a difference."""
    score = question == "score"
    if shape == "ratings":
        split = {name: cases._split(d) if score else (d,) for name, d in _ratings().items()}
        return split | ({"probabilities": _probable()} if score else {})
    if shape == "units":
        every = {n: d for n, d in _units().items() if not score or n not in ("pieces", "points")}
        found = {n: cases._two(d) if score else (d,) for n, d in every.items()}
        first, second = cases._two(cases.units())
        half = second.select(documents=second.documents[:2])
        return found | ({"half": (first, half)} if score else {})
    if shape == "boxes":
        first, second = cases._two(cases.boxes())
        half = second.select(documents=second.documents[:3])
        return (
            {"both": (first, second), "half": (first, half)} if score else {"all": (cases.boxes(),)}
        )
    if shape == "segments":
        both = {"plain": cases.segments(), "typed": cases.segments(typed=True)}
        return {n: cases._two(d) if score else (d,) for n, d in both.items()}
    if shape == "relations":
        rows = [
            ("d", "A", 2, 1, "x"), ("d", "A", 3, 2, "y"), ("d", "A", 4, 5, "z"), ("d", "A", 5, 4, "x"),
            ("d", "B", 2, 1, "x"), ("d", "B", 2, 3, "y"), ("d", "B", 4, 2, "z"), ("d", "B", 5, 4, "y"),
            ("e", "A", 1, 2, "x"), ("e", "B", 2, 1, "x"), ("e", "B", 3, 1, "y"),
        ]  # fmt: skip
        located = [
            (d, a, (s * 10, s * 10 + 8), (t * 10 + (a == "B"), t * 10 + 9), c)
            for d, a, s, t, c in rows
        ]
        found = {"given": Relations.from_rows(rows), "located": Relations.from_rows(located)}
        return {n: cases._two(d) if score else (d,) for n, d in found.items()}
    found = {n: cases._two(d) if score else (d,) for n, d in _chains().items()}
    if not score:
        return found
    first, second = cases._two(cases.chains())
    return found | _linked() | {"half": (first, second.select(documents=second.documents[:2]))}


def _linked() -> dict[str, tuple[Annotations, ...]]:
    """Chains with heads, zeros, repeated mentions and topics, as files have them."""
    with tempfile.TemporaryDirectory() as folder:
        at = Path(folder)
        (at / "k.csv").write_text(TOPICS)
        (at / "s.csv").write_text(TOPICS.replace("b,1,0,1,p", "b,1,0,1,r"))
        topics = accord.read(at / "k.csv"), accord.read(at / "s.csv")
        sides = []
        for name, nodes in (("k", KEY), ("s", RESPONSE)):
            lines = ["# global.Entity = eid-etype-head-other", "# newdoc id = d"]
            for number, deps, entity in nodes:
                tree = ["_", "_"] if "." in number else ["0" if number == "1" else "1", "dep"]
                form = "_" if "." in number else f"w{number}"
                misc = f"Entity={entity}" if entity else "_"
                lines.append("\t".join([number, form, "_", "X", "_", "_", *tree, deps, misc]))
            (at / f"{name}.conllu").write_text("\n".join(lines) + "\n\n", encoding="utf-8")
            sides.append(accord.read(at / f"{name}.conllu"))
    words = [
        Chains.from_clusters({("d", "A"): [[(0, 1), (2, 3)], [(4, 5)]]}, words={"d": text.split()})
        for text in ("a b c d e f", "a b c d e g")
    ]
    return {"topics": topics, "corefud": tuple(sides), "words": tuple(words)}


#: (node, what it depends on, mentions): heads, singletons, zeros, and a span in two entities
KEY = [
    ("1", "_", "(e1--1-"), ("2", "_", "e1)"), ("3", "_", "(e2--1-)"), ("4", "_", "(e3--2-"),
    ("5", "_", "e3)"),
    ("5.1", "1:nsubj", "(e1--1-)"), ("5.2", "1:obj", "(e2--1-)"), ("6", "_", "(e2--1-)(e4--1-)"),
    ("7", "_", "(e4--1-)"), ("8", "_", "(e3--1-)"), ("9", "_", "(e5--1-)"),
]  # fmt: skip
RESPONSE = [
    ("1", "_", "(e1--2-"), ("2", "_", "e1)"), ("3", "_", "(e2--1-)"), ("4", "_", ""), ("5", "_", "(e3--1-)"),
    ("5.1", "1:obj", "(e2--1-)"), ("5.2", "1:nsubj", "(e1--1-)"), ("6", "_", "(e4--1-)(e2--1-)"),
    ("7", "_", "(e4--1-)"), ("8", "_", "(e3--1-"), ("9", "_", "e3)"),
]  # fmt: skip


@cache
def _chains() -> dict[str, Chains]:
    near = {
        ("d", "A"): [[(0, 3), (10, 14)], [(20, 22), (30, 31)], [(40, 44)]],
        ("d", "B"): [[(0, 3), (11, 14)], [(20, 23), (30, 31), (40, 41)], [(50, 51)]],
        ("e", "A"): [[(0, 3), (8, 9)], [(5, 6)]],
        ("e", "B"): [[(0, 3), (5, 6)], [(8, 9)]],
    }
    return {"chains": cases.chains(), "near": Chains.from_clusters(near)}


# --- what is asked --------------------------------------------------------------------------------------


def _values(option: Option, files: dict[str, Path]) -> list[Any]:
    """Values other than the default, some of them not round."""
    if option.python_only or option.name in WITHOUT_EFFECT - {"time_limit"}:
        return []
    special: dict[str, list[Any]] = {
        "taxonomy": [files["tree"]],
        "matrix": [files["matrix"], files["pets"]],
        "candidates": [files["pairs"]],
        "feature_weights": [("1", "2.5")],
        "ground_truth": [("A",)],
        "symmetric": [("x",), ("x", "y")],
        "neutral": ["b", "y", "dog"],
        "across": ["topic", "corpus"],
        "period": [5.0, 10.0 / 3],
    }
    if option.name in special:
        return special[option.name]
    if option.choices:
        return [c for c in option.choices if c != option.default]
    if option.type is bool:
        return (
            [not option.default, option.default] if option.default is None else [not option.default]
        )
    if option.type is float:
        usual = (
            [1 / 3, 2.0] if option.default is None else [option.default * 2 / 3, option.default + 1]
        )
        return usual if option.default != 0.0 else [1 / 3, 4.0]
    if option.type is int:
        return [2, 3] if option.default is None else [option.default + 1]
    return []


def _asked(record: Measure, files: dict[str, Path]) -> list[dict[str, Any]]:
    """The defaults, every option alone, and those that only tell beside another one."""
    found: list[dict[str, Any]] = [{}]
    for option in record.options:
        found += [{option.name: value} for value in _values(option, files)]
    names = {o.name for o in record.options}
    for first, others in (
        ({"metric": "circular"}, {"period": [5.0, 7.0]}),
        ({"metric": "path"}, {"taxonomy": [files["tree"]]}),
        ({"weights": "path"}, {"taxonomy": [files["tree"]]}),
        ({"categorical": "path"}, {"taxonomy": [files["tree"]]}),
        ({"categorical": "ordinal"}, {"alpha": [1 / 3]}),
        ({"ties": "random"}, {"seed": [1, 2]}),
        ({"mentions": "near"}, {"overlap": [0.9, 0.2]}),
        ({"chance": "random1"}, {"seed": [1], "precision": [0.5]}),
        ({"samples": 3}, {"seed": [4]}),
        ({"categorical": "features"}, {"feature_weights": [("1", "2.5")]}),
        ({"metric": "edit"}, {"seed": [1, 2], "chance": ["uniform"]}),
        ({"metric": "kendall"}, {"chance": ["uniform"]}),
        ({"ties": "abstain"}, {"missing_documents": ["error"]}),
        ({"chance": "uniform"}, {"samples": [20], "seed": [5]}),
        ({"matching": "partial"}, {"zeros": ["dependent", "drop"]}),
        ({"matching": "head"}, {"min_spans": [True]}),
    ):
        if {*first, *others} <= names:
            found += [{**first, name: v} for name, values in others.items() for v in values]
    return found


def _results(
    record: Measure, data: tuple[Annotations, ...], how: dict[str, Any]
) -> tuple[Any, ...]:
    return Study(record, *data, options=how).results


def _same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def _given(found: dict[str, Any], files: dict[str, Path]) -> dict[str, Any]:
    """The options with the files that they name by name and digest."""
    by_name = {path.name: path for path in files.values()}
    return {
        k: by_name[v.partition("@")[0]] if isinstance(v, str) and "@" in v else v
        for k, v in found.items()
    }


# --- the tests ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "question"), RECORDS)
def test_the_value_comes_back_from_its_signature(name, question, files):
    record = find(name, question)
    seen: dict[tuple[str, str, int], float] = {}
    values: defaultdict[str, defaultdict[Any, set[str]]] = defaultdict(lambda: defaultdict(set))
    tried = 0
    for of, data in data_of(record.shape, question).items():
        for how in _asked(record, files):
            try:
                found = _results(record, data, how)
            except AccordError:
                continue
            tried += 1
            *others, last = how or ("",)
            for option in record.options if not others else ():
                if option.name not in how or option.name == last:
                    values[option.name][of].add(repr([r.value for r in found]))
            if others:
                values[last][of, *(how[o] for o in others)].add(repr([r.value for r in found]))
            for i, result in enumerate(found):
                told = settings(result.signature, question)
                its = find(told.name, question)
                again = {**_given(dict(told.options), files)}
                if "seed" in told.certainty and record.takes("seed"):
                    again["seed"] = told.certainty["seed"]
                made = _results(its, data, again)[i if its is record else 0]
                assert _same(made.value, result.value), (of, how, result.signature)
                assert made.signature == result.signature, (of, how)
                before = seen.setdefault((of, result.signature, i), result.value)
                assert _same(before, result.value), (of, how, result.signature)
    assert tried
    if all(value == value for value in seen.values()):
        moved = {n for n, by in values.items() if any(len(v) > 1 for v in by.values())}
        typed = {option.name for option in record.options if not option.python_only}
        assert typed - moved - WITHOUT_EFFECT == UNMOVED.get(name, set())


CERTAINTIES = (
    {}, {"level": 0.9}, {"resamples": 150}, {"seed": 3}, {"unit": "item"}, {"unit": "document"},
    {"unit": "annotator"}, {"ci": "dirichlet"}, {"ci": "bootstrap"}, {"ci": "jackknife"},
    {"ci": "jackknife", "unit": "item"}, {"ci": "bootstrap", "unit": "item"}, {"ci": "analytic"},
    {"ci": "krippendorff"},
)  # fmt: skip


def _limits(found: Any) -> tuple[Any, ...]:
    made = found.interval
    return () if made is None else (made.low, made.high, made.level, made.method)


@pytest.mark.parametrize(("name", "question"), RECORDS)
def test_the_interval_comes_back_from_its_signature(name, question):
    record = find(name, question)
    seen: dict[tuple[str, str], tuple[Any, ...]] = {}
    usual = {"ci": "auto", "resamples": 200}
    for of, data in data_of(record.shape, question).items():
        if of in (
            "many",
            "near",
            "typed",
            "features",
            "pieces",
            "points",
            "half",
            "words",
            "topics",
        ):
            continue
        for how in CERTAINTIES:
            try:
                study = Study(record, *data, certainty=Certainty(**{**usual, **how}))
                found = study.estimates[0]
            except AccordError:
                continue
            told = settings(found.signature, question).certainty
            assert ("ci" in told and told["ci"] != "none") == (found.interval is not None)
            if found.interval is None:
                continue
            before = seen.setdefault((of, found.signature), _limits(found))
            assert before == _limits(found), (of, how, found.signature)
            again = Study(find(found.measure, question), *data, certainty=Certainty(**told))
            assert _limits(again.estimates[0]) == _limits(found), (of, how, found.signature)
            assert again.estimates[0].signature == found.signature
