"""κ and its kin: two annotators, the items both rated; of more annotators the table of pairs."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest

import accord
from accord.data import Ratings, Units
from accord.errors import RefusedError
from tests.in_process import run

#: three people, gaps in all of them; None where nothing was answered
ROWS = {
    "A": ["a", "a", "b", "b", "a", "b", "b", "a", "a", "b", "a", "b", None, "b"],
    "B": ["a", "b", "b", "b", "a", "b", "a", "a", "a", "b", None, None, "a", "b"],
    "C": ["b", "a", "b", None, "a", "b", "b", "b", None, "b", "a", "a", "a", None],
}


def ratings(*people: str) -> Ratings:
    return Ratings.from_matrix([ROWS[p] for p in people], annotators=list(people))


def common(first: str, second: str) -> tuple[list[str], list[str]]:
    """What both said of the items that both rated."""
    both = [(x, y) for x, y in zip(ROWS[first], ROWS[second], strict=True) if x and y]
    return [x for x, _ in both], [y for _, y in both]


@pytest.mark.parametrize(("first", "second"), list(combinations("ABC", 2)))
def test_kappa_with_gaps_is_that_of_the_common_items(first, second):
    """As scikit-learn, R and SPSS have it, where the urns are those of the items that both rated."""
    x, y = common(first, second)
    agreed = np.mean([u == v for u, v in zip(x, y, strict=True)])
    chance = sum(x.count(k) * y.count(k) for k in "ab") / len(x) ** 2
    data = ratings(first, second)
    for name, expected in (
        ("kappa", (agreed - chance) / (1 - chance)),
        ("weighted-kappa", None),
        ("light", (agreed - chance) / (1 - chance)),
        ("pabak", 2 * agreed - 1),
    ):
        options = {"weights": "identity"} if name == "weighted-kappa" else {}
        found = accord.agree(data, name, **options)
        assert found.value == pytest.approx(expected or (agreed - chance) / (1 - chance), abs=1e-12)
        assert "missing:pair" in found.signature
        assert found.n == len(x)
    # the other reading, which is the default of all others, has urns of all that each rated
    assert accord.agree(data, "kappa", missing="available").value != pytest.approx(
        accord.agree(data, "kappa").value
    )
    assert "missing:available" in accord.agree(data, "conger").signature


def test_the_peer_prints_the_same_kappa():
    metrics = pytest.importorskip("sklearn.metrics")
    for first, second in combinations("ABC", 2):
        for name, weights in (("kappa", None), ("weighted-kappa", "quadratic")):
            expected = metrics.cohen_kappa_score(*common(first, second), weights=weights)
            assert accord.agree(ratings(first, second), name).value == pytest.approx(expected)


@pytest.mark.parametrize("name", ["kappa", "weighted-kappa", "aickin"])
def test_more_than_two_annotators_have_a_table_of_pairs(name):
    data = ratings("A", "B", "C")
    with pytest.raises(RefusedError, match="its table of pairs comes with by='pair'"):
        accord.agree(data, name)
    result = accord.agree(data, name, by="pair", ci="auto")
    assert math.isnan(result.value)
    assert result.undefined == f"{name} is defined for two annotators, these data have 3"
    assert not result.warnings
    assert result.signature.startswith(f"{name}|")
    for row in result.by["pair"]:
        alone = accord.agree(ratings(row["first"], row["second"]), name)
        assert row["value"] == pytest.approx(alone.value, abs=1e-12)
        assert row["n"] == alone.n
        assert row["low"] <= row["value"] <= row["high"]
    # with another breakdown only, it is refused as before
    with pytest.raises(RefusedError, match="defined for two annotators"):
        accord.agree(data, name, by="item")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "ratings.csv"
    lines = [
        f"{item},{who},{value}"
        for who, row in ROWS.items()
        for item, value in enumerate(row)
        if value
    ]
    path.write_text("item,annotator,value\n" + "\n".join(lines) + "\n")
    return path


def test_the_command_line_prints_the_table_of_pairs(table):
    code, out, err, _ = run(f"accord agree {table} --measure kappa")
    assert code == 2
    assert "its table of pairs comes with" in err
    code, out, err, _ = run(f"accord agree {table} --measure kappa --by pair --json")
    assert code == 0
    (result,) = json.loads(out)["results"]
    expected = accord.agree(accord.read(table), "kappa", by="pair").by["pair"]
    assert [row["value"] for row in result["by"]["pair"]] == [row["value"] for row in expected]


def test_no_measure_vanishes_from_a_list(table):
    asked = ["kappa", "alpha", "aickin", "light"]
    listed = accord.agree(table, asked)
    assert [r.measure for r in listed] == asked
    code, out, _, _ = run(f"accord agree {table} --measure {','.join(asked)} --json")
    assert code == 0
    told = json.loads(out)["results"]
    assert [r["measure"] for r in told] == asked
    for here, there in zip(listed, told, strict=True):
        assert (here.undefined is None) is (there["undefined"] is None)
        if here.undefined is not None:
            assert here.undefined.partition(";")[0] == there["undefined"].partition(";")[0]
    assert "by='pair'" in listed[0].undefined
    assert "--by pair" in told[0]["undefined"]


def test_units_without_labels_have_no_value_for_each():
    data = Units.from_rows([("d", "A", 0, 4, None), ("d", "B", 0, 5, None)])
    (found,) = accord.agree(data, "gamma-k")
    assert math.isnan(found.value)
    assert found.undefined == "nothing has a label, and it has one value for each label"
    assert [r.measure for r in accord.agree(data, ["gamma-k", "gamma"])] == ["gamma-k", "gamma"]
    (alone,) = accord.gamma_k(data)
    assert alone.undefined == found.undefined
