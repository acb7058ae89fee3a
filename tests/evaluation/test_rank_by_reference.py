"""A ranking by a reference: the one that is given, not the majority of the judges."""

from __future__ import annotations

import csv
import json
from xml.etree import ElementTree

import pytest

import accord
from accord.data import Ratings
from accord.data.reading import beside
from accord.errors import InputError, UsageError
from accord.report.figure import Table
from tests.in_process import run

MARKS = {"a": "xyxyx", "b": "xyxxx", "c": "yyxxy", "expert": "yxyxy"}
SYSTEM = "yxyxy"


def ratings(names):
    return accord.Ratings.from_matrix([list(MARKS[n]) for n in names], annotators=list(names))


def system():
    return accord.Ratings.from_matrix([list(SYSTEM)], annotators=["s"])


def value_of(found, name, part="scores"):
    return next(r[part]["accuracy"] for r in found.participants if r["name"] == name)


@pytest.fixture
def files(tmp_path):
    rows = [f"{i},{who},{v}" for who, word in MARKS.items() for i, v in enumerate(word, 1)]
    (tmp_path / "j.csv").write_text("\n".join(["item,annotator,value", *rows]) + "\n")
    for name, word in (("s", SYSTEM), ("key", MARKS["expert"])):
        lines = [f"{i},{v}" for i, v in enumerate(word, 1)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,value", *lines]) + "\n")
    return tmp_path


def test_everybody_is_scored_as_score_does():
    people, key = ratings("abc"), ratings(["expert"])
    found = accord.rank(people, {"s": system()}, reference=key, measures=["accuracy"], resamples=20)
    for name, answers in [("s", system()), *((n, ratings(n)) for n in "abc")]:
        alone = accord.score(key, answers, "accuracy", ci="none").value
        assert value_of(found, name) == pytest.approx(alone)
    assert (found.systems[0]["value"], found.systems[0]["rank"]) == (1.0, 1)


def test_people_are_also_scored_against_the_others():
    people, key = ratings("abc"), ratings(["expert"])
    found = accord.rank(people, {"s": system()}, reference=key, measures=["accuracy"], resamples=20)
    for name in "abc":
        others = people.select(annotators=[n for n in "abc" if n != name])
        alone = accord.score(others, ratings(name), "accuracy", ci="none").value
        assert value_of(found, name, "others") == pytest.approx(alone)
    majority = accord.score(people, system(), "accuracy", ci="none").value
    assert value_of(found, "s", "others") == pytest.approx(majority)


def test_the_chosen_annotator_is_the_reference(files):
    line = f"accord rank {files}/j.csv {files}/s.csv -m accuracy --resamples 20 --json"
    by_name = json.loads(run(f"{line} --reference-annotator expert")[1])
    by_file = json.loads(run(f"{line} --without expert --reference {files}/key.csv")[1])
    assert by_name["participants"] == by_file["participants"]
    assert by_name["systems"][0]["value"] == 1.0
    assert by_name["systems"][0]["rank"] == 1
    assert "reference:expert" in by_name["signature"]
    assert "reference:key" in by_file["signature"]
    scored = run(
        f"accord score {files}/j.csv {files}/s.csv --reference-annotator expert -m accuracy --json"
    )
    assert json.loads(scored[1])["results"][0]["value"] == 1.0
    data = accord.read(files / "j.csv", reference_annotator="expert")
    python = accord.rank(data, {"s": system()}, measures=["accuracy"], resamples=20)
    assert value_of(python, "a") == by_name["participants"][0]["scores"]["accuracy"]


def test_people_alone_are_ranked_by_a_reference():
    found = accord.rank(ratings("abc"), reference=ratings(["expert"]), resamples=20)
    assert [row["role"] for row in found.participants] == ["judge"] * 3
    assert not found.systems
    with pytest.raises(UsageError, match="there is no system"):
        accord.rank(ratings("abc"))


def test_items_without_a_value_are_ranked_by_nobody():
    key = accord.gold(ratings(["c", "expert"]))  # two of the five items tie
    found = accord.rank(
        ratings("ab"), {"s": system()}, reference=key, measures=["accuracy"], resamples=20
    )
    assert [row["n"] for row in found.participants] == [3, 3, 3]


def test_the_duels_stay_those_of_the_judges():
    people, key = ratings("abc"), ratings(["expert"])
    usual = accord.rank(people, {"s": system()}, measures=["accuracy"], paired=True, resamples=20)
    by_key = accord.rank(
        people, {"s": system()}, reference=key, measures=["accuracy"], paired=True, resamples=20
    )
    assert by_key.paired == usual.paired


def test_a_judge_without_an_item_of_the_reference_is_named():
    rows = [("1", "a", "x"), ("2", "a", "y"), ("3", "b", "x")]
    people = accord.read([dict(zip(("item", "annotator", "value"), r, strict=True)) for r in rows])
    key = accord.read([{"item": "1", "value": "x"}, {"item": "2", "value": "y"}])
    with pytest.raises(InputError, match="b judged none of the items of the reference"):
        accord.rank(people, reference=key)


def test_units_are_ranked_by_a_reference():
    marks = [
        ("d", "a", 0, 2, "x"), ("d", "a", 4, 6, "x"), ("e", "a", 0, 2, "x"),
        ("d", "b", 0, 2, "x"), ("d", "b", 4, 6, "y"), ("e", "b", 0, 2, "x"),
    ]  # fmt: skip
    key = [("d", "g", 0, 2, "x"), ("d", "g", 4, 6, "y"), ("e", "g", 1, 2, "x")]
    own = [(d, "s", *rest) for d, _, *rest in key]
    people, answers = accord.Units.from_rows(marks), accord.Units.from_rows(own)
    reference = accord.Units.from_rows(key)
    found = accord.rank_located(people, {"s": answers}, reference=reference, resamples=20)
    assert {row["name"]: (row["value"], row["rank"]) for row in found.participants} == {
        "s": (1.0, 1), "b": (0.5, 2), "a": (0.25, 3),
    }  # fmt: skip
    usual = accord.rank_located(people, {"s": answers}, resamples=20)
    assert {row["name"]: row["others"] for row in found.participants} == {
        row["name"]: row["value"] for row in usual.participants
    }
    assert "reference:g" in found.signature


def test_settings_that_change_a_rank_are_in_its_signature():
    people, answers = ratings("abc"), {"s": system()}
    signatures = {
        accord.rank(people, answers, measures=["accuracy"], **options).signature
        for options in (
            {}, {"resamples": 20}, {"level": 0.5}, {"seed": 1}, {"ties": "first"}, {"paired": True},
            {"reference": ratings(["expert"])},
        )
    }  # fmt: skip
    assert len(signatures) == 7


def test_the_default_metric_is_that_of_score():
    people = accord.Ratings.from_matrix(
        [[1, 2, 3, 4, 1], [1, 2, 3, 3, 2], [2, 2, 3, 4, 1]], annotators=list("abc")
    )
    answers = accord.Ratings.from_matrix([[1, 2, 2, 3, 3]], annotators=["s"])
    for options in ({}, {"metric": "interval"}, {"metric": "nominal"}):
        ranked = accord.rank(
            people, {"s": answers}, measures=["alpha-to-distribution"], resamples=20, **options
        )
        scored = accord.score(people, answers, "alpha-to-distribution", ci="none", **options)
        assert ranked.systems[0]["value"] == pytest.approx(scored.value)


def test_each_judge_of_a_reference_file_is_counted_alone():
    judges = Ratings.from_matrix([["x", "y", "x"], ["x", None, None]], annotators=["ann", "bob"])
    people = Ratings.from_matrix([["x", "y", "y"], ["x", "x", "y"]], annotators=["eva", "leo"])
    found = beside(people, {}, key=judges)
    said = [(p.name, p.role, p.n) for p in found.people if p.role == "reference"]
    assert said == [("ann", "reference", 3), ("bob", "reference", 1)]


def test_ranks_are_written_and_drawn(files):
    line = f"accord rank {files}/j.csv {files}/s.csv --reference-annotator expert --resamples 20"
    made = {name: files / f"ranks.{name}" for name in ("csv", "svg", "html")}
    written = f"-o {made['csv']} --svg {made['svg']} --html {made['html']}"
    code, out, told, _ = run(f"{line} {written} -m accuracy -m kappa --json")
    assert code == 0, told
    found = json.loads(out)
    with made["csv"].open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [(r["name"], int(r["rank"]), float(r["value"])) for r in rows if r["measure"] == "kappa"] == [
        (p["name"], p["ranks"]["kappa"], p["scores"]["kappa"])
        for p in sorted(found["participants"], key=lambda p: (p["ranks"]["kappa"], p["name"]))
    ]  # fmt: skip
    system = found["systems"][0]
    row = next(r for r in rows if (r["name"], r["measure"]) == ("s", system["measure"]))
    assert (int(row["rank_low"]), int(row["rank_high"])) == (
        system["rank_low"],
        system["rank_high"],
    )
    page, drawing = made["html"].read_text(), made["svg"].read_text()
    ElementTree.fromstring(drawing)
    for text in ("Rank by accuracy", "Rank by kappa", "s (system)"):
        assert text in page
        assert text in drawing
    assert found["signature"] in page
    run(f"{line} --html {made['html']} --lang fr")
    assert "Rang selon accuracy" in made["html"].read_text()


def test_ranks_of_units_are_written_too(tmp_path):
    rows = ["document,annotator,start,end,label"]
    rows += [
        f"{d},{who},{at},{at + 2},x" for d in "de" for who, at in zip("abs", (0, 0, 1), strict=True)
    ]
    (tmp_path / "u.csv").write_text("\n".join(rows) + "\n")
    line = f"accord rank {tmp_path}/u.csv --systems s --resamples 20"
    assert run(f"{line} -o {tmp_path}/r.csv --svg {tmp_path}/r.svg")[0] == 0
    assert (tmp_path / "r.csv").read_text().splitlines()[1].startswith("f1,a,judge,")
    assert "Rank by f1" in (tmp_path / "r.svg").read_text()
    for wrong in ("--paired", "--metric interval", "--ties first", "-m f1 -m token-f1"):
        assert run(f"{line} {wrong}")[0] == 2


@pytest.mark.parametrize("verb", ["rank", "score", "alt-test"])
def test_whose_answers_of_a_file_are_the_system_is_in_the_signature(verb, tmp_path):
    people = [
        f"{i},{who},{'xy'[(i * 7 + k) % 3 % 2]}" for k, who in enumerate("abc") for i in range(40)
    ]
    answers = [
        f"{i},{who},{'xy'[(i + k) % 2]}" for k, who in enumerate(("u", "v")) for i in range(40)
    ]
    for name, rows in (("p", people), ("s", answers)):
        (tmp_path / f"{name}.csv").write_text("\n".join(["item,annotator,value", *rows]) + "\n")
    line = f"accord {verb} {tmp_path}/p.csv {tmp_path}/s.csv --json"
    first, second, both = (
        signatures(json.loads(run(f"{line} {how}")[1]))
        for how in ("--system-annotator u", "--system-annotator v", "--each")
    )
    assert all("|system_annotator:u|" in s for s in first)
    assert all("|system_annotator:v|" in s for s in second)
    told = {word for s in both for word in s.split("|") if word.startswith("system_annotator")}
    assert told == {"system_annotator:u", "system_annotator:v"}
    assert verb != "rank" or not {*first, *second} & {*both}


def signatures(found):
    if "signature" in found:
        return [found["signature"]]
    return [one["signature"] for one in found.get("results", found.get("systems"))]


def test_a_report_shows_the_ranks_of_systems_among_people():
    people = ratings("abc")
    beside = accord.report(
        people, reference=ratings(["expert"]), systems={"s": system()}, resamples=20
    )
    shown = next(s for s in beside.sections if s.key == "ranks")
    ranked = accord.rank(people, {"s": system()}, reference=ratings(["expert"]))
    assert shown.tables["ranks"] == Table.of(ranked.table)
    rows = [(i, n, v) for n in (*"abc", "expert") for i, v in enumerate(MARKS[n])]
    whole = accord.read(
        [dict(zip(("item", "annotator", "value"), r, strict=True)) for r in rows],
        systems=["expert"],
    )
    within = accord.report(whole, resamples=20)
    shown = next(s for s in within.sections if s.key == "ranks")
    assert {
        row[shown.tables["ranks"].columns.index("role")] for row in shown.tables["ranks"].rows
    } == {"judge", "system"}
    assert "ranks" not in {s.key for s in accord.report(people, resamples=20).sections}
