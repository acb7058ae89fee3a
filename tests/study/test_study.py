"""One study per question: computed once, the same at every door."""

from __future__ import annotations

import json
import math
from collections import Counter

import numpy as np
import pytest

import accord
from accord.audit import recommend
from accord.data import Ratings, Units
from accord.errors import InputError, RefusedError, UsageError
from accord.measures import find
from accord.report.page import report
from accord.study import Certainty, Studies, Study
from accord.study.choice import choose

SCORES = Ratings.from_matrix(
    [[1, 2, 3, 4, 5, 3, 2, 4, 1, 5], [1, 2, 4, 4, 5, 3, 1, 4, 2, 5], [2, 2, 3, 5, 5, 3, 2, 4, 1, 4]]
)


def campaign(documents=3, annotators="ABC", seed=0):
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(documents):
        places = np.sort(rng.choice(40, 5, replace=False)) * 10
        for who in annotators:
            for place in places:
                start = int(place + rng.integers(0, 4))
                rows.append((f"d{d}", who, start, start + 6, "xy"[int(rng.random() < 0.4)]))
    return Units.from_rows(rows, lengths={f"d{d}": 420 for d in range(documents)})


@pytest.fixture
def calls(monkeypatch):
    """How often each measure ran on which annotators and documents."""
    counted = Counter()
    real = Study.found.func

    def found(study):
        where = study.data
        # (chance of other documents is another question about the same units)
        asked = study.record.name, study.options.get("chance")
        counted[*asked, where.annotators, where.documents, id(where)] += 1
        return real(study)

    prop = type(Study.found)(found)
    prop.__set_name__(Study, "found")
    monkeypatch.setattr(Study, "found", prop)
    return counted


def test_a_study_is_lazy_and_computes_once(calls):
    study = Study(find("alpha"), SCORES, options={"metric": "interval"})
    assert not calls
    first = study.result
    assert study.result is first
    study.breakdown("pair")
    study.breakdown("annotator")
    # all three, and three pairs, which are also "all but one"
    assert sum(calls.values()) == 4
    assert set(calls.values()) == {1}


def test_a_part_that_leaves_nothing_out_is_the_study_itself():
    two = SCORES.select(annotators=SCORES.annotators[:2])
    study = Study(find("alpha"), two)
    assert study.part(annotators=two.annotators) is study
    (row,) = study.breakdown("pair")
    assert row["value"] == study.result.value


def test_the_same_question_is_studied_once_whoever_asks():
    studies = Studies(find, SCORES)
    assert studies("alpha") is studies("krippendorff", metric="nominal")
    assert studies("alpha") is not studies("alpha", metric="interval")
    with pytest.raises(UsageError, match="has no option"):
        studies("alpha", flavour=1)


def test_gamma_by_document_is_computed_once(monkeypatch):
    from accord.measures.gamma import expected

    drawn = Counter()
    real = expected.expected_disorders

    def counting(*given, **named):
        drawn["chance"] += 1
        return real(*given, **named)

    for module in [m for n, m in __import__("sys").modules.items() if n.startswith("accord.meas")]:
        if getattr(module, "expected_disorders", None) is real:
            monkeypatch.setattr(module, "expected_disorders", counting)
    result = accord.agree(campaign(), "gamma", samples=3, by="document")
    assert len(result.by["document"]) == 3
    assert drawn["chance"] == 1


def test_a_report_on_units_repeats_nothing(calls, monkeypatch):
    from accord.alignment import solution

    aligned = Counter()
    real = solution.solve

    def counting(continua, *given, **named):
        for c in continua:
            content = (c.start.tobytes(), c.end.tobytes(), c.label.tobytes(), c.offsets.tobytes())
            aligned[content, bool(len(c))] += 1
        return real(continua, *given, **named)

    for name, module in list(__import__("sys").modules.items()):
        if name.startswith("accord.") and getattr(module, "solve", None) is real:
            monkeypatch.setattr(module, "solve", counting)
    data = campaign()
    report(data, resamples=20, samples=3)
    assert aligned
    assert all(times == 1 for times in calls.values())
    # the sums of γ and γ-k, the documents and the drawing: one alignment; and no sample comes twice
    assert set(aligned.values()) == {1}


def test_what_gamma_aligned_is_what_align_gives():
    """The alignments kept with the data are the very ones that `align` finds by itself."""
    data, fresh = campaign(documents=4, seed=3), campaign(documents=4, seed=3)
    accord.agree(data, "gamma-cat", samples=3)
    assert any(key[0] == "chosen" for key in data.memo)
    for kept, found in zip(accord.align(data), accord.align(fresh), strict=True):
        assert np.array_equal(kept.members, found.members)
        assert np.array_equal(kept.disorders, found.disorders)
        shown = ("document", "annotators", "disorder", "bound", "greedy", "candidates", "method")
        assert [getattr(kept, n) for n in shown] == [getattr(found, n) for n in shown]
    # another dissimilarity, another method: aligned anew
    assert accord.align(data, alpha=0.5)[0].disorder != accord.align(data)[0].disorder
    assert accord.align(data, method="greedy")[0].method == "greedy"


@pytest.mark.parametrize(
    ("data", "metric"),
    [
        (SCORES, "interval"),
        (Ratings.from_matrix([list("abcab"), list("abcba")]), None),
        (Ratings.from_matrix([[0, 1, 0, 1], [0, 1, 1, 1]]), None),
        (
            Ratings.from_matrix(
                [["low", "mid", "high"], ["low", "high", "high"]],
                categories=["low", "mid", "high"],
                ordered=True,
            ),
            "ordinal",
        ),
    ],
)
def test_one_place_chooses(data, metric):
    choice = choose(data)
    assert choice.options.get("metric") == metric
    by_verb = accord.agree(data)
    assert by_verb.value == accord.agree(data, choice.measure, **choice.options).value
    assert recommend(data).result.value == by_verb.value
    assert report(data, resamples=20).results[0].value == by_verb.value


def test_the_headline_is_the_same_at_every_door(tmp_path, accord_command):
    path = tmp_path / "scores.csv"
    lines = ["item,annotator,value"]
    lines += [
        f"{i},{who},{int(value)}"
        for who, row in zip("ABC", [[1, 2, 3, 4, 5], [1, 2, 4, 4, 5], [2, 2, 3, 5, 5]], strict=True)
        for i, value in enumerate(row)
    ]
    path.write_text("\n".join(lines))
    agreed = json.loads(accord_command("agree", str(path), "--json").stdout)
    audited = json.loads(accord_command("audit", str(path), "--json").stdout)
    page = tmp_path / "page.html"
    reported = json.loads(accord_command("report", str(path), "-o", str(page), "--json").stdout)
    for key in ("value", "interval"):
        one = agreed["results"][0][key]
        assert one is not None
        assert one == audited["recommendation"]["result"][key]
        assert one == reported["results"][0][key]
    assert "metric:interval" in agreed["results"][0]["signature"]
    said = " ".join(agreed["results"][0]["warnings"])
    assert "numbers" in said
    assert "--metric nominal" in said
    human = accord_command("agree", str(path))
    assert "read as a scale" in " ".join((human.stdout + human.stderr).split())
    named = json.loads(accord_command("agree", str(path), "-m", "alpha", "--json").stdout)
    assert "metric:nominal" in named["results"][0]["signature"]
    told = json.loads(accord_command("agree", str(path), "--metric", "nominal", "--json").stdout)
    assert told["results"][0]["value"] == named["results"][0]["value"]
    assert "read as a scale" not in " ".join(told["results"][0]["warnings"])


def test_what_python_takes(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,value\n1,A,x\n1,B,x\n2,A,y\n2,B,x\n")
    import pandas as pd

    frame = pd.read_csv(path)
    values = [accord.agree(given, "percent").value for given in (path, str(path), frame)]
    assert values == [0.5] * 3
    assert accord.agree([["x", "y"], ["x", "x"]], "percent", orientation="annotators").value == 0.5
    assert [r.measure for r in accord.agree(frame, ["alpha", "fleiss"])] == ["alpha", "fleiss"]
    several = accord.agree(SCORES, ["alpha", "ac1"], metric="interval")
    assert "metric:interval" in several[0].signature
    with pytest.raises(UsageError, match="weights is not an option of alpha, ac1"):
        accord.agree(SCORES, ["alpha", "ac1"], weights="linear")
    assert accord.score(np.array(["a", "b"]), pd.Series(["a", "a"])).value == 0.5
    by = accord.agree(frame, "alpha", by="category,pair").by
    assert list(by) == ["category", "pair"]
    with pytest.raises(UsageError, match="no breakdown by 'weather'; it has"):
        accord.agree(frame, "alpha", by="weather")


def test_rows_of_a_breakdown_have_intervals():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 60)
    noisy = [np.where(rng.random(60) < 0.2, rng.integers(0, 3, 60), truth) for _ in range(3)]
    data = Ratings.from_matrix([["xyz"[v] for v in row] for row in noisy])
    result = accord.agree(data, "alpha", ci="auto", by=["pair", "category", "annotator"])
    for name in ("pair", "category"):
        for row in result.by[name]:
            assert row["low"] < row["value"] < row["high"]
    for row in result.by["annotator"]:
        assert row["without_low"] < row["without"] < row["without_high"]
    assert "low" not in accord.agree(data, "alpha", ci="none", by="pair").by["pair"][0]


def test_other_annotators_and_thresholds():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 80)
    noisy = [np.where(rng.random(80) < 0.2, 1 - truth, truth) for _ in range(5)]
    data = Ratings.from_matrix([["xy"[v] for v in row] for row in noisy])
    these = accord.agree(data, "alpha", ci="auto", threshold=0.667)
    others = accord.agree(data, "alpha", ci="auto", unit="annotator")
    width = [r.interval.high - r.interval.low for r in (these, others)]
    assert width[0] < width[1]
    below = these.terms["p_below"]
    assert all(0 <= p <= 1 for p in (below.values() if isinstance(below, dict) else [below]))
    certain = Study(find("alpha"), data, certainty=Certainty(ci="auto", unit="annotator"))
    assert certain.part(annotators=data.annotators[:2]).certainty.unit is None
    assert math.isclose(certain.result.value, these.value)


def test_a_breakdown_is_made_from_the_same_count(calls):
    """Of a score, too, a breakdown is a function of the study: nothing is counted again for it."""
    judges = Ratings.from_matrix([list("aabbab"), list("aabbbb"), list("abbbaa")])
    system = Ratings.from_matrix([list("aabbaa")], annotators=["system"])
    study = Study(find("accuracy"), judges, system, certainty=Certainty(ci="auto", resamples=50))
    assert not study.result.by
    for name in ("category", "majority", "difficulty", "unanimous", "item"):
        rows = study.breakdown(name)
        assert sum(row["n"] for row in rows) == 6
        assert study.breakdown(name) is rows
    assert study.breakdown("category")[0].keys() >= {"low", "high"}
    assert sum(calls.values()) == 1
    # asked for in the call of a measure itself
    direct = find("accuracy").function(judges, system, by=["majority"])
    assert list(direct.by) == ["majority"]
    assert [r["value"] for r in direct.by["majority"]] == [
        r["value"] for r in study.breakdown("majority")
    ]
    with pytest.raises(UsageError, match="no breakdown by 'weather'; it has category"):
        find("accuracy").function(judges, system, by=["weather"])


def test_a_refused_measure_does_not_lose_the_others(table, accord_command):
    """Overlaps, the wrong shape, a breakdown it has not: each is told beside the values of the others."""
    rows = [
        ("d", "A", 0, 10, "x"),
        ("d", "A", 3, 7, "y"),
        ("d", "B", 0, 9, "x"),
        ("d", "B", 4, 8, "y"),
    ]
    units = Units.from_rows(rows, lengths={"d": 30})
    found = accord.agree(
        units, ["gamma", "u-alpha", "kappa", "gamma-k"], by=["document"], samples=3
    )
    assert [r.measure for r in found] == ["gamma", "u-alpha", "kappa", "gamma-k", "gamma-k"]
    assert found[0].undefined is None
    assert found[1].undefined.startswith("annotator 'A' has overlapping units")
    assert "for ratings, these data are units" in found[2].undefined
    assert "no breakdown by 'document'" in found[3].warnings[-1]
    with pytest.raises(InputError, match="overlapping"):
        accord.agree(units, ["u-alpha", "kappa"])
    with pytest.raises(RefusedError, match="for ratings"):
        accord.agree(units, ["kappa"])
    # a mistake in the question is one, whatever else is asked
    with pytest.raises(UsageError, match="unknown measure"):
        accord.agree(units, ["gamma", "gama"])
    judges = [["x", "y", "x"], ["x", "y", "y"], ["x", "x", "x"]]
    alpha, kappa = accord.agree(Ratings.from_matrix(judges), ["alpha", "kappa"])
    assert alpha.undefined is None
    assert "defined for two annotators" in kappa.undefined
    sides = (units.select(annotators=[a]) for a in "AB")
    f1, b3 = accord.score(*sides, ["f1", "b3"])
    assert f1.undefined is None
    assert "for chains" in b3.undefined
    path = table(
        "item,annotator,value\n"
        + "".join(f"{i},{a},{'xy'[i > 1]}\n" for i in range(3) for a in "ABC"),
        "r.csv",
    )
    done = accord_command("agree", path, "--measure", "kappa", "--measure", "alpha", "--json")
    assert done.returncode == 0, done.stderr
    assert [r["value"] for r in json.loads(done.stdout)["results"]] == [None, 1.0]


def test_a_breakdown_that_a_measure_lacks_leaves_its_value():
    """Beside a measure that has it, the value stands with a warning; alone, it is refused."""
    rows = [
        (d, a, s, s + 5, c) for d in "de" for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))
    ]
    units = accord.Units.from_rows(rows)
    alone = accord.agree(units, "gamma-k", samples=5)
    found = accord.agree(units, ["gamma", "gamma-k"], by="document", samples=5)
    assert [r.measure for r in found] == ["gamma", "gamma-k", "gamma-k"]
    assert [r.value for r in found[1:]] == [r.value for r in alone]
    assert list(found[0].by) == ["document"]
    said = "no breakdown by 'document': it has one value per category already"
    assert [said in r.warnings for r in found] == [False, True, True]
    with pytest.raises(RefusedError, match="gamma-k has no breakdown by 'document'"):
        accord.agree(units, "gamma-k", by="document", samples=5)
    with pytest.raises(RefusedError, match="has no breakdown by 'nonsense'"):
        accord.agree(units, ["gamma", "gamma-k"], by="nonsense", samples=5)


def test_a_missing_breakdown_leaves_those_that_are_there():
    """Of two breakdowns the one that the measure has is shown; scores that are agreements say why."""
    numbers = accord.Ratings.from_matrix([[1, 2, 3, 4, 5, 2, 1], [1, 2, 3, 5, 4, 2, 2]])
    found = accord.agree(numbers, ["alpha", "icc-a"], by=["category", "annotator"])
    assert list(found[0].by) == ["category", "annotator"]
    assert list(found[1].by) == ["annotator"]
    assert any(w.startswith("no breakdown by 'category'; it has") for w in found[1].warnings)
    scored = accord.score(
        [1, 2, 3, 4, 5], [1, 2, 3, 5, 4], ["accuracy", "icc-a"], by="category", allow_agreement=True
    )
    assert list(scored[0].by) == ["category"]
    assert any("no breakdown by 'category'" in w for w in scored[1].warnings)
    assert any("agreement coefficient" in w for w in scored[1].warnings)


def test_the_command_line_keeps_the_value_too(accord_command):
    import json

    from tests.conftest import ROOT

    told = accord_command(
        "agree", ROOT / "examples" / "claims.csv", "--measure", "gamma,gamma-k", "--by", "document",
        "--samples", "3", "--ci", "none", "--json",
    )  # fmt: skip
    results = json.loads(told.stdout)["results"]
    assert [r["undefined"] for r in results] == [None] * 4
    assert list(results[0]["by"]) == ["document"]
    assert all("breakdown by 'document'" in r["warnings"][-1] for r in results[1:])
