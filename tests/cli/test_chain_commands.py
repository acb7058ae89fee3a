"""The commands on chains as a user runs them: score, agree, falsify, simulate, convert."""

from __future__ import annotations

import json

import pytest

from tests.conftest import ROOT

KEY, RESPONSE = ROOT / "examples" / "key.conll", ROOT / "examples" / "response.conll"
SCORES = (
    "muc b3 ceaf-m ceaf-e blanc blanc-luo lea conll vi nvi nid rand ari pair-jaccard split-join "
    "merge-split b3-jaccard ceaf-m-jaccard mention-detection"
)


def test_every_score_of_the_contract(accord_command):
    names = [part for name in SCORES.split() for part in ("--measure", name)]
    done = accord_command("score", KEY, RESPONSE, *names, "--ci", "none", "--json")
    document = json.loads(done.stdout)
    assert document["shape"] == "chains"
    found = {r["measure"]: r for r in document["results"]}
    assert list(found) == SCORES.split()
    for name in SCORES.split()[:8]:
        assert {"R", "P", "F"} <= set(found[name]["terms"])
    # garden: {Anna, her} and {her sister, she} became {Anna, her, she} and {her sister}
    assert found["muc"]["terms"]["R"] == pytest.approx(3 / 5)
    assert found["merge-split"]["value"] == 4


def test_score_with_interval_breakdowns_and_comparison(accord_command):
    done = accord_command(
        "score", KEY, RESPONSE, KEY, "-m", "b3", "--by", "document,entity", "--compare", "--json"
    )
    document = json.loads(done.stdout)
    bad, good = document["results"]
    assert bad["interval"]["method"] == "jackknife:document"
    assert [r["document"] for r in bad["by"]["document"]] == [
        "(garden); part 000",
        "(train); part 000",
    ]
    assert {r["error"] for r in bad["by"]["entity"]} == {"split", "merged"}
    assert good["by"]["entity"] == []
    assert document["comparisons"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t: t.replace("(train)", "(bus)"), "lacks"),
        (lambda t: t.replace("roses", "lilies"), "token 9 is 'roses'"),
        (lambda t: t.replace("\t3)", "\t-"), "never closed"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(accord_command, tmp_path, change, says):
    path = tmp_path / "system.conll"
    path.write_text(change(RESPONSE.read_text(encoding="utf-8")), encoding="utf-8")
    done = accord_command("score", KEY, path, "-m", "b3")
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_agreement_of_several_annotators(accord_command):
    done = accord_command(
        "agree", KEY, RESPONSE, "-m", "chain-alpha", "-m", "pairwise-lea", "-m", "mention-u-alpha",
        "--distance", "masi", "--json",
    )  # fmt: skip
    found = {r["measure"]: r for r in json.loads(done.stdout)["results"]}
    assert "distance:masi" in found["chain-alpha"]["signature"]
    assert found["pairwise-lea"]["by"]["pair"][0]["second"] == "response"
    # both sides have the same mentions: what is agreed, who is not
    assert found["mention-u-alpha"]["value"] == pytest.approx(1)
    assert found["chain-alpha"]["value"] < 0.8


def test_falsify_json_is_the_contract(accord_command, tmp_path):
    svg = tmp_path / "why.svg"
    done = accord_command(
        "falsify", "blanc", "--max-n", "3", "--max-n-triples", "3", "--svg", svg, "--json"
    )
    document = json.loads(done.stdout)
    assert document["measure"] == "blanc"
    assert list(document["properties"]) == list("12345678")
    assert document["properties"]["1"]["violations"] == 12
    assert document["properties"]["1"]["counterexample"]["n"] == 3
    assert svg.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize("name", ["mor", "bridging", "split-antecedent", "zero-anaphor"])
def test_falsify_runs_or_says_why(accord_command, name):
    done = accord_command("falsify", name, "--max-n", "2", "--max-n-triples", "2")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    words = " ".join(done.stdout.split())
    if name == "mor":
        assert "5 fails, n = 2" in words
    else:
        assert "Nothing was tried: the score has no value on any pair." in words
        assert "neither side has" in words
        assert "No property is falsified" not in words


def test_falsify_counts_what_stands(accord_command):
    done = accord_command("falsify", "ceaf-m", "--max-n", "3", "--max-n-triples", "2")
    words = " ".join(done.stdout.split())
    assert "Cases of each: 30 (1), 8 (2), 30 (3), 9 (4), 30 (5), 30 (6), 8 (7), 30 (8)." in words


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["b3", "muc", "--svg", "x.svg"], "--svg draws a counterexample of one score"),
        (["--table", "--svg", "x.svg"], "--svg draws a counterexample of one score"),
        (["b3", "--draw", "4"], "give both"),
    ],
)
def test_falsify_draws_what_it_is_asked(accord_command, options, says):
    done = accord_command("falsify", *options)
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())


def test_falsify_table_and_score_are_one_document(accord_command):
    done = accord_command(
        "falsify", "b3", "--table", "--max-n", "2", "--max-n-triples", "2", "--json"
    )
    document = json.loads(done.stdout)
    assert len(document["tables"]) == 3
    assert [r["measure"] for r in document["results"]] == ["b3"]


def test_falsify_for_people(accord_command):
    done = accord_command("falsify", "windowdiff", "--max-n", "3", "--max-n-triples", "3")
    assert "over segmentations" in done.stdout
    done = accord_command("falsify", "--table", "--max-n", "4", "--max-n-triples", "4")
    assert "blanc   X . . X . . . ." in done.stdout
    assert "Predicted mentions" in done.stdout
    done = accord_command("falsify")
    assert done.returncode == 2
    assert "name a measure" in done.stderr


def test_simulate_chains(accord_command):
    done = accord_command(
        "simulate", "chains", "size", "--levels", "2,8", "--repetitions", "5", "--json"
    )
    (curves,) = json.loads(done.stdout)["results"]
    assert curves["levels"] == [2, 8]
    assert set(curves["curves"]["muc"][0]) == {"mean", "low", "high"}
    assert accord_command("simulate", "chains", "size", "--levels", "two").returncode == 2


def test_convert_between_formats_of_chains(accord_command, tmp_path):
    for name in ("key.conllu", "key.json", "key.csv"):
        target = tmp_path / name
        assert accord_command("convert", KEY, target).returncode == 0
        done = accord_command("score", KEY, target, "-m", "b3", "--ci", "none", "--json")
        assert json.loads(done.stdout)["results"][0]["value"] == 1, name
