"""``accord align`` and ``accord agree`` on units, as a user runs them."""

from __future__ import annotations

import csv
import json

import pytest

DATA = """document,annotator,start,end,label
d,A,0,10,x
d,A,20,30,x
d,B,0,10,x
d,B,20,30,y
e,A,0,7,x
e,B,1,8,x
"""


def test_json_of_the_contract(accord_command, table):
    done = accord_command("align", table(DATA), "--objective", "holistic", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["signature"].startswith("align|objective:holistic|method:exact|alpha:1")
    first = found["documents"][0]
    assert (first["document"], first["disorder"], first["bound"], first["gap"]) == ("d", 2, 2, 0)
    assert first["unitary"][1] == {
        "disorder": 4.0,
        "units": {"A": [20, 30, "x"], "B": [20, 30, "y"]},
    }
    alone = accord_command("align", table(DATA), "--forbid", "--json")
    assert json.loads(alone.stdout)["documents"][0]["unitary"][1]["units"]["B"] is None


def test_table_and_proposals(accord_command, table, tmp_path):
    target = tmp_path / "out.csv"
    done = accord_command("align", table(DATA), "--csv", target, "--propose", tmp_path / "proposed")
    assert done.returncode == 0, done.stderr
    assert "proven" in done.stdout
    rows = list(csv.DictReader(target.open(encoding="utf-8")))
    assert len(rows) == 6
    assert rows[2]["start"] == "20"
    matrix = tmp_path / "proposed" / "matrix.csv"
    assert matrix.read_text(encoding="utf-8").splitlines()[0] == ",x,y"
    again = accord_command("align", table(DATA), "--matrix", matrix, "--json")
    assert again.returncode == 0, again.stderr


def test_agree_on_units(accord_command, table):
    done = accord_command(
        "agree", table(DATA), "-m", "gamma,gamma-cat,gamma-k,holistic", "--samples", 5, "--json"
    )
    assert done.returncode == 0, done.stderr
    results = json.loads(done.stdout)["results"]
    assert [r["measure"] for r in results] == [
        "gamma",
        "gamma-cat",
        "gamma-k",
        "gamma-k",
        "holistic",
    ]
    assert results[0]["terms"]["proven"] is True


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("d,A,5,2,x", "ends before it starts"),
        ("d,A,5,5,x", "length zero"),
        ("d,A,nan,5,x", "number"),
        ("d,A,0,1000,x", "past its document's end"),
    ],
)
def test_bad_units_get_one_sentence(accord_command, table, row, words):
    path = table(f"document,annotator,start,end,label\nd,B,0,4,x\n{row}\n")
    done = accord_command("align", path, "--length", 100)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_one_annotator(accord_command, table):
    path = table("document,annotator,start,end,label\nd,A,0,4,x\n")
    done = accord_command("align", path)
    assert done.returncode == 2
    assert "two annotators" in done.stderr
