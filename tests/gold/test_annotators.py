"""The table of annotators counts what a manager means: right, misplaced, mislabelled, missed, extra."""

import pytest

import accord
from accord.data import Boxes, Relations, Units

#: two people agree; the third has one unit right, one of another label, one nearby, one that nobody has
PLACES = [(0, 4, "x"), (10, 14, "y"), (20, 24, "x"), (50, 54, "x")]
THIRD = [(0, 4, "x"), (10, 14, "x"), (21, 24, "x"), (40, 44, "x")]


def _units(extra=()):
    rows = [("d", who, *place) for who in "ab" for place in PLACES]
    rows += [("d", "c", *place) for place in THIRD]
    return Units.from_rows([*rows, *extra], coverage=[("d", who) for who in "abc"])


def _counts(row):
    return {k: row[k] for k in ("n", "same", "place_only", "near", "missed", "extra")}


@pytest.mark.parametrize("method", ["consensus", "bsc"])
def test_units_of_each_annotator(method):
    first, _, third = accord.gold(_units(), method).annotators
    assert _counts(first) == {
        "n": 4, "same": 4, "place_only": 0, "near": 0, "missed": 0, "extra": 0,
    }  # fmt: skip
    assert (third["n"], third["same"], third["place_only"]) == (4, 1, 1)
    assert (third["precision"], third["recall"]) == (1 / 4, 1 / 4)
    if method == "consensus":
        assert (third["near"], third["missed"], third["extra"]) == (1, 1, 1)


def test_what_is_counted_adds_up():
    """Of what was marked, and of what the reference has, in the documents that somebody saw."""
    more = [("e", "a", 0, 9, "x"), ("e", "b", 0, 9, "x"), ("e", "b", 20, 29, "y")]
    made = accord.gold(_units(more))
    kept = {d: sum(u.document == d for u in made.reference) for d in "de"}
    for row, seen in zip(made.annotators, ("de", "de", "d"), strict=True):
        met = row["same"] + row["place_only"] + row["near"]
        assert met + row["extra"] == row["n"]
        assert met + row["missed"] == sum(kept[d] for d in seen)


def test_a_decision_counts():
    made = accord.gold(
        _units(), decisions={"d:10-14": {"kind": "label", "value": "x", "who": "Ana"}}
    )
    first, _, third = made.annotators
    assert (first["same"], first["place_only"]) == (3, 1)
    assert (third["same"], third["place_only"]) == (2, 0)


def test_boxes_and_relations_too():
    box = [("p", who, 0, 0, 9, 9, "x") for who in "ab"] + [("p", "c", 0, 0, 9, 9, "y")]
    made = accord.gold(Boxes.from_rows(box)).annotators
    assert [(r["same"], r["place_only"]) for r in made] == [(1, 0), (1, 0), (0, 1)]
    link = [("d", who, (0, 4), (10, 14), "x") for who in "ab"]
    link += [("d", "c", (0, 4), (10, 14), "y"), ("d", "c", (0, 4), (20, 24), "y")]
    made = accord.gold(Relations.from_rows(link)).annotators
    assert [(r["same"], r["place_only"], r["extra"]) for r in made] == [
        (1, 0, 0),
        (1, 0, 0),
        (0, 1, 1),
    ]
