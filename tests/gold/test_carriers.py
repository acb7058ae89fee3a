"""A reference travels whole: every carrier holds it, and every verb leaves out what has no value."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data.reasons import REASONS
from accord.errors import InputError
from accord.gold import as_reference
from accord.gold.item_reference import COLUMNS
from accord.gold.tables import write_table
from tests.in_process import run

FILES = (".csv", ".jsonl", ".parquet")
FRAMES = ("pandas", "polars", "pyarrow")
#: votes of three people on four items, and what a person decided
MIXED = [["x", "x", "x"], ["x", "y", None], ["y", "y", "x"], ["x", "x", "x"], ["y", "y", "y"]]
DECIDED = {
    "1": {"kind": "reject", "who": "Ana", "when": "", "why": ""},
    "4": {"kind": "none", "who": "Bo", "when": "", "why": ""},
}


def ratings(rows):
    return accord.Ratings.from_matrix([list(column) for column in zip(*rows, strict=True)])


def made(threshold=None):
    return accord.gold(ratings(MIXED), decisions=DECIDED, threshold=threshold)


def rows_of(reference):
    return list(reference.rows(soft=True))


def carried(reference, carrier, folder):
    """The reference as a file or a frame, distributions and all."""
    if carrier in FRAMES:
        return reference.to_frame(carrier, soft=True)
    path = Path(folder) / f"reference{carrier}"
    write_table(path, rows_of(reference), COLUMNS)
    return path


def test_the_reason_of_each_item():
    assert [row["reason"] for row in made(0.9).rows()] == [
        "rejected", "tie", "threshold", "undecided", "",
    ]  # fmt: skip
    told = made(0.9).to_dict()["items"]
    assert [row["reason"] for row in told] == [row["reason"] for row in made(0.9).rows()]
    nobody = accord.gold(ratings([["x", "x"], [None, None]]))
    assert [row["reason"] for row in nobody.rows()] == ["", "nobody"]
    few = accord.gold(ratings(MIXED), "unanimity")
    assert [row["reason"] for row in few.rows()] == ["", "tie", "undecided", "", ""]
    forced = accord.gold(ratings(MIXED), ties="first", threshold=0.9)
    assert [row["reason"] for row in forced.rows()][1] == "threshold"


@pytest.mark.parametrize("carrier", [*FILES, *FRAMES])
def test_a_carrier_holds_the_whole_reference(carrier, tmp_path):
    reference = made(0.9)
    again = as_reference(carried(reference, carrier, tmp_path))
    assert rows_of(again) == rows_of(reference)


@pytest.mark.parametrize("carrier", ["itself", *FILES, *FRAMES])
def test_no_verb_scores_an_item_without_a_value(carrier, tmp_path):
    """One of five items has a value: the system is right on the others, and wrong on this one."""
    reference = made(0.9)
    system = accord.Ratings.from_matrix([["x", "x", "y", "x", "x"]], annotators=["s"])
    given = reference if carrier == "itself" else carried(reference, carrier, tmp_path)
    found = accord.score(given, system, "accuracy")
    assert (found.value, found.n) == (0.0, 1)
    data = reference.valued() if carrier == "itself" else accord.read(given)
    left = {one.what: one.n for one in data.reading.left_out}
    assert left == {
        "1 item rejected by people": 1, "1 item that ties": 1, "1 item under the threshold": 1,
        "1 item left undecided": 1,
    }  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(
    votes=st.lists(
        st.lists(st.sampled_from(["x", "y", "z", None]), min_size=3, max_size=3),
        min_size=2,
        max_size=7,
    ),
    threshold=st.sampled_from([None, 0.6, 0.9]),
    carrier=st.sampled_from([*FILES, *FRAMES]),
    data=st.data(),
)
def test_references_go_round(tmp_path_factory, votes, threshold, carrier, data):
    votes = [*votes, ["x", "x", "x"], ["y", "y", "y"]]
    n = len(votes)
    decided = data.draw(
        st.dictionaries(
            st.integers(1, n - 2).map(str), st.sampled_from(["reject", "none", "label"]), max_size=3
        )
    )
    reference = accord.gold(
        ratings(votes),
        threshold=threshold,
        decisions={
            item: {"kind": kind, "who": "Ana", **({"value": "x"} if kind == "label" else {})}
            for item, kind in decided.items()
        },
    )
    assert all((row["value"] is None) == (row["reason"] != "") for row in reference.rows())
    assert {row["reason"] for row in reference.rows()} <= {*REASONS}
    given = carried(reference, carrier, tmp_path_factory.mktemp("carried"))
    assert rows_of(as_reference(given)) == rows_of(reference)
    system = accord.Ratings.from_matrix([["x"] * n], annotators=["s"])
    values = [row["value"] for row in reference.rows() if row["value"] is not None]
    for one in (given, reference):
        found = accord.score(one, system, "accuracy", ci="none")
        assert found.n == len(values)
        assert found.value == pytest.approx(values.count("x") / len(values))


def test_the_command_writes_what_the_command_scores(tmp_path):
    """Written with --soft, --details or neither, in any format: the same score."""
    with (tmp_path / "j.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["item", "annotator", "value"])
        for i, row in enumerate(MIXED, 1):
            table.writerows([i, who, v] for who, v in zip("abc", row, strict=True) if v)
    (tmp_path / "d.csv").write_text("item,decision,who\n1,(reject),Ana\n4,(none),Bo\n")
    (tmp_path / "s.csv").write_text("item,value\n1,x\n2,x\n3,y\n4,x\n5,x\n")
    for number, words in enumerate(("--soft", "--details", "")):
        for ending in FILES:
            path = tmp_path / f"r{number}{ending}"
            said = f"-o {path} --threshold .9 --adjudicate {tmp_path}/d.csv {words}"
            code, _, err, _ = run(f"accord gold {tmp_path}/j.csv {said}")
            assert code == 0, err
            _, out, _, _ = run(f"accord score {path} {tmp_path}/s.csv -m accuracy --json")
            (found,) = json.loads(out)["results"]
            assert (found["value"], found["n"]) == (0.0, 1)


def test_a_value_beside_a_reason_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,value,reason\n1,x,\n2,y,tie\n")
    with pytest.raises(InputError, match="item '2' has a value, 'y', and a reason") as refused:
        accord.read(path)
    assert refused.value.line == 3


def test_remarks_called_reason_are_remarks(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,value,reason\n1,x,he says so\n2,y,tie\n")
    data = accord.read(path)
    assert len(data.code) == 2
    assert not data.reading.left_out


def test_a_reference_without_any_value_is_refused(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("item,value,p:x,p:y,reason\n1,,.5,.5,tie\n")
    with pytest.raises(InputError, match="in which no item has a value"):
        accord.read(path)


def test_the_command_says_what_it_wrote_and_what_is_open(tmp_path):
    (tmp_path / "j.csv").write_text(
        "item,annotator,value\n1,a,x\n1,b,y\n2,a,x\n2,b,x\n3,a,x\n3,b,y\n4,a,x\n4,b,y\n"
    )
    (tmp_path / "d.csv").write_text("item,decision,who\n1,x,Ana\n")
    path = tmp_path / "r.csv"
    _, out, _, _ = run(f"accord gold {tmp_path}/j.csv --adjudicate {tmp_path}/d.csv -o {path}")
    told = " ".join(out.split())
    assert "1 item was decided by people" in told
    assert "2 items have no value" in told
    assert "written to" in told
