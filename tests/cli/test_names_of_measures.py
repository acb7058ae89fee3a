"""Names of measures where they are typed: as a command, as an option, and in the list of measures."""

from __future__ import annotations

import json
import re

import pytest

import accord
from accord.cli.measures import families
from accord.elsewhere import _SENTENCE
from accord.errors import RefusedError
from accord.measures import enrolled
from accord.registry import find_each
from tests.conftest import ROOT
from tests.in_process import commands, run

MOODS = ROOT / "examples" / "moods.csv"


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("kappa data.csv", "accord agree data.csv --measure kappa"),
        ("cohen_kappa data.csv --by pair", "accord agree data.csv --by pair --measure kappa"),
        ("f1 'my key.csv' b.csv", "accord score 'my key.csv' b.csv --measure f1"),
        ("gamma", "accord agree DATA --measure gamma"),
        ("muc", "accord score REFERENCE SYSTEM --measure muc"),
    ],
)
def test_a_measure_as_a_command_is_answered_with_the_line_to_type(typed, line):
    code, out, told, _ = run(f"accord {typed}")
    assert (code, out) == (2, "")
    assert told.endswith(f"is a measure; type: {line}")


def test_the_line_runs():
    told = run(f"accord kappa '{MOODS}' --annotators Ana,Ben")[2]
    code, out, _, _ = run(told.partition("type: ")[2] + " --json")
    assert code == 0
    assert json.loads(out)["results"][0]["measure"] == "kappa"


@pytest.mark.parametrize("name", ["holsti", "dice", "oks", "staple", "easydiag", "iaa", "irr",
                                  "intra-annotator", "test–retest", "elo"])  # fmt: skip
def test_names_of_the_field_say_what_to_use_at_every_door(name):
    sentence = run(f"accord agree '{MOODS}' -m {name}")[2]
    assert sentence.startswith("no measure is called ")
    assert "\n" not in sentence
    assert run(f"accord {name} data.csv")[:3] == (2, "", sentence)
    assert run(f"accord measures {name}")[:3] == (2, "", sentence)
    with pytest.raises(RefusedError) as refused:
        accord.agree(MOODS, name)
    assert str(refused.value) == sentence


def test_a_command_that_is_nothing_is_still_refused():
    code, _, told, _ = run("accord nothing-like-it data.csv")
    assert code == 2
    assert "measure" not in told


def test_what_is_elsewhere_is_no_measure_and_names_what_exists():
    every = {name for m in enrolled() for name in (m.name, *m.aliases)}
    assert not every & set(_SENTENCE)
    known = {m.name for m in enrolled()} | set(commands().commands)
    for sentence in set(_SENTENCE.values()):
        named = re.findall(r"[a-z]+(?:-[a-z0-9]+)*[0-9]?", sentence.partition(": ")[2] + " percent")
        assert known & set(named), sentence
        for command in re.findall(r"accord ([a-z-]+)", sentence):
            assert command in commands().commands, sentence


def test_the_list_shows_what_people_use_and_the_others_in_a_line(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _, _ = run("accord measures")
    assert code == 0
    rows = re.findall(r"^([a-z][-a-z0-9]+) {2,}\S", out, re.M)
    usual = [m.name for m in enrolled() if m.usual]
    assert sorted(rows) == sorted([*usual, *["name"] * out.count("what it is")])
    assert len(out.splitlines()) < 120
    # (a family is one)
    assert "pairwise-* (21)" in out
    assert "pairwise-muc" not in out
    for shape in ("ratings", "units", "segments", "chains", "relations", "boxes"):
        for question in ("agree", "score"):
            if enrolled(shape=shape, question=question):
                shown = out.partition(f"{shape}: accord {question}\n")[2].partition("\n\n")[0]
                own = [m for m in enrolled(shape=shape, question=question) if m.usual]
                assert 1 <= len(own) <= 12, (shape, question)
                rest = [m.name for m in enrolled(shape=shape, question=question) if not m.usual]
                also = " ".join(shown.partition("also: ")[2].split())
                assert also == families(rest)


def test_all_of_them_and_the_json_are_whole():
    everything = [m.name for m in enrolled()]
    whole = run("accord measures --all")[1]
    assert set(re.findall(r"^([a-z][-a-z0-9]*) {2,}\S", whole, re.M)) >= set(everything)
    listed = json.loads(run("accord measures --json")[1])["measures"]
    assert [m["name"] for m in listed] == everything
    assert "usual" not in listed[0]
    assert json.loads(run("accord measures --all --json")[1])["measures"] == listed


def test_a_name_with_a_dash_of_print_is_found():
    assert find_each("Cohen–kappa")[0].name == "kappa"
