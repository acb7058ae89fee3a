"""Systems that mark nothing, documents that somebody saw without marking them, and item names."""

import json
import math

import numpy as np
import pytest

import accord
from accord.data.names import Numbered, names_of, places_among, same_names

UNITS = "document,annotator,start,end,label\n"
GOLD = UNITS + "d1,gold,0,4,x\nd1,gold,6,9,y\nd2,gold,1,3,x\n"


@pytest.fixture
def files(tmp_path):
    (tmp_path / "r.csv").write_text(GOLD)
    (tmp_path / "nothing.csv").write_text(UNITS)
    (tmp_path / "some.csv").write_text(UNITS + "d1,sys,0,4,x\n")
    return tmp_path


@pytest.mark.parametrize("name", ["f1", "overlap-f1", "token-f1", "semeval-strict"])
def test_a_system_without_units_scores_nothing(files, accord_command, name):
    done = accord_command("score", files / "r.csv", files / "nothing.csv", "-m", name, "--json")
    (found,) = json.loads(done.stdout)["results"]
    assert found["value"] == 0
    assert found["terms"]["R"] == found["terms"]["F"] == 0
    assert found["terms"]["P"] is None
    assert any("marks nothing" in w for w in found["warnings"])
    assert accord.score(files / "r.csv", files / "nothing.csv", name).value == 0


def test_nothing_on_both_sides_is_undefined(files):
    found = accord.score(files / "nothing.csv", files / "nothing.csv", "f1")
    assert math.isnan(found.value)
    assert found.undefined == "neither side has a span"


def test_a_campaign_without_units_stays_an_error(files, accord_command):
    done = accord_command("agree", files / "nothing.csv")
    assert done.returncode == 2
    assert "has a header and no rows" in done.stderr


@pytest.mark.parametrize("sides", [("gold",), ("sys",), ("gold", "sys")])
def test_coverage_of_either_side(files, accord_command, sides):
    rows = "".join(f"{d},{who}\n" for who in sides for d in ("d1", "d2", "d3"))
    (files / "seen.csv").write_text("document,annotator\n" + rows)
    done = accord_command(
        "score", files / "r.csv", files / "some.csv", "--coverage", files / "seen.csv",
        "--by", "document", "--json",
    )  # fmt: skip
    (found,) = json.loads(done.stdout)["results"]
    assert [row["document"] for row in found["by"]["document"]] == ["d1", "d2", "d3"]
    # only a side whose coverage was not said is suspected of a gap
    absent = [w for w in found["warnings"] if "have nothing in the" in w]
    assert bool(absent) == (len(sides) == 1)


def test_confusions_of_units_are_drawn(files, accord_command):
    accord_command(
        "score", files / "r.csv", files / "some.csv", "--by", "confusion", "--svg", files / "c.svg"
    )
    assert "(none)" in (files / "c.svg").read_text()


def test_confusions_of_ratings_count_every_pair():
    found = accord.score(list("aabbc"), ["a", "b", "b", "b", None], "f1-macro", by="confusion")
    rows = {(r["reference"], r["system"]): r["count"] for r in found.by["confusion"]}
    assert rows["a", "a"] == rows["a", "b"] == 1
    assert rows["b", "b"] == 2
    assert rows["b", "a"] == 0
    assert rows["c", None] == 1
    assert sum(rows.values()) == 5
    assert len(rows) == 3 * 4


def test_names_are_found_among_many_as_among_few():
    rng = np.random.default_rng(0)
    known = [f"i{k}" for k in range(25_000)]
    asked = [*(known[k] for k in rng.permutation(25_000)), "nobody", ""]
    place = {name: k for k, name in enumerate(known)}
    found = places_among(asked, known)
    assert found.tolist() == [place.get(name, -1) for name in asked]


def test_two_names_of_one_hash_are_told_apart():
    class Same(str):
        def __hash__(self) -> int:
            return 1

    known = [Same(f"i{k}") for k in range(3)]
    from accord.data import names

    assert names._by_hash(["i0"], known) is None


def test_numbered_items_are_names():
    assert list(names_of(range(1, 3))) == ["1", "2"]
    assert isinstance(names_of(range(3)), Numbered)
    assert same_names(range(3), range(3))
    assert not same_names(range(3), range(1, 4))
    assert names_of((1, "b")) == ["1", "b"]


def test_the_order_of_items_does_not_matter():
    rng = np.random.default_rng(2)
    n = 30_000
    y, x = rng.integers(0, 4, n), rng.integers(0, 4, n)
    order = rng.permutation(n)
    from accord.data.tables import ratings_from_long

    def ratings(name, codes, places):
        items = [f"i{k}" for k in places]
        return ratings_from_long(items, [name] * n, ["abcd"[codes[k]] for k in places])

    reference = ratings("reference", y, range(n))
    values = {
        accord.score(reference, ratings("s", x, places), "f1-macro").value
        for places in (range(n), order)
    }
    assert len(values) == 1
