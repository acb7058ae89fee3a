"""pairwise-f1: the mean F-measure of annotators, two by two."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import accord
from accord.data import Units
from accord.errors import UsageError
from accord.measures.spans.exact import f1, overlap_f1
from accord.measures.spans.pairwise import pairwise_f1
from accord.measures.spans.tokens import token_f1

#: three annotators, two documents; C has not seen the second
ROWS = [
    ("d1", "A", 0, 4, "x"), ("d1", "A", 6, 9, "y"), ("d1", "A", 12, 15, "x"),
    ("d1", "B", 0, 4, "x"), ("d1", "B", 7, 9, "y"),
    ("d1", "C", 1, 4, "x"), ("d1", "C", 6, 9, "y"),
    ("d2", "A", 0, 2, "x"), ("d2", "B", 0, 2, "x"), ("d2", "B", 5, 6, "x"),
]  # fmt: skip
SEEN = [("d1", "A"), ("d1", "B"), ("d1", "C"), ("d2", "A"), ("d2", "B")]


def data() -> Units:
    return Units.from_rows(ROWS, coverage=SEEN)


def test_by_hand() -> None:
    # strict: A-B m=2 of 4+4, A-C m=1 of 3+2, B-C m=0 of 2+2
    result = pairwise_f1(data())
    assert [row["value"] for row in result.by["pair"]] == [0.5, 0.4, 0.0]
    assert result.value == pytest.approx((0.5 + 0.4 + 0.0) / 3)
    assert result.terms["pooled"] == pytest.approx(2 * 3 / (8 + 5 + 4))
    assert result.terms["pairs"] == 3
    # overlap: A-B m=3, A-C m=2, B-C m=2
    lenient = pairwise_f1(data(), match="overlap")
    assert lenient.value == pytest.approx((6 / 8 + 4 / 5 + 4 / 4) / 3)
    # token: A-B shares 4+2+2 of (10+2)+(6+3); A-C 3+3 of 10+6; B-C 3+2 of 6+6
    matter = pairwise_f1(data(), match="token")
    assert matter.value == pytest.approx((16 / 21 + 12 / 16 + 10 / 12) / 3)
    assert "match:token" in matter.signature


@pytest.mark.parametrize(
    ("match", "score"), [("strict", f1), ("overlap", overlap_f1), ("token", token_f1)]
)
def test_two_annotators_are_the_score_of_one_against_the_other(match: str, score: object) -> None:
    rng = np.random.default_rng(5)
    rows = []
    for who in "AB":
        for d in range(4):
            for start in rng.choice(60, size=6, replace=False):
                end = start + rng.integers(1, 9)
                rows.append((f"d{d}", who, int(start), int(end), str(rng.choice(["x", "y"]))))
    units = Units.from_rows(rows, duplicates="first")
    a, b = (units.select(annotators=[who]) for who in "AB")
    expected = score(a, b)  # type: ignore[operator]
    found = pairwise_f1(units, match=match)
    assert found.value == pytest.approx(expected.value)
    assert found.terms["pooled"] == pytest.approx(expected.value)
    labels = {row["category"]: row["value"] for row in expected.by["category"]}
    assert {r["category"]: pytest.approx(r["value"]) for r in found.by["category"]} == labels


def test_only_documents_that_both_saw_count() -> None:
    everything = Units.from_rows(ROWS, coverage=[*SEEN, ("d2", "C")])
    here = {(r["first"], r["second"]): r["value"] for r in pairwise_f1(everything).by["pair"]}
    # C has seen the second document now and marked nothing: A's unit there has no match
    assert here["A", "C"] == pytest.approx(2 / 6)
    assert here["A", "B"] == 0.5


def test_silent_pairs_are_named_and_empty_is_undefined() -> None:
    units = Units.from_rows([("d", "A", 0, 2, "x")], coverage=[("d", w) for w in "ABC"])
    result = pairwise_f1(units)
    assert result.value == 0.0
    assert result.terms["pairs"] == 2
    assert any("left out of the mean: 'B and C'" in w or "B and C" in w for w in result.warnings)
    nothing = Units.from_rows([], coverage=[("d", "A"), ("d", "B")])
    assert math.isnan(pairwise_f1(nothing).value)
    assert pairwise_f1(nothing).undefined == "there is no unit"
    alone = [("d", "A"), ("e", "B")]
    apart = Units.from_rows([("d", "A", 0, 2, "x"), ("e", "B", 0, 2, "x")], coverage=alone)
    assert pairwise_f1(apart).undefined == "no document was annotated by two people"


def test_it_says_that_it_knows_no_chance_and_gives_an_interval() -> None:
    rows = [(f"d{i}", w, 0, 3 + (w == "B" and i % 3 == 0), "x") for i in range(12) for w in "AB"]
    result = accord.agree(Units.from_rows(rows), "pairwise-f1", ci="bootstrap")
    assert any("not corrected for chance" in w for w in result.warnings)
    assert result.interval is not None
    assert result.interval.low < 2 / 3 < result.interval.high
    with pytest.raises(UsageError, match="match must be one of strict, overlap or token"):
        pairwise_f1(data(), match="near")


def test_command(tmp_path: Path, accord_command: object) -> None:
    path = tmp_path / "units.csv"
    lines = ["document,annotator,start,end,label", *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n")
    done = accord_command(  # type: ignore[operator]
        "agree", path, "--measure", "pairwise-f1", "--match", "overlap", "--json"
    )
    found = json.loads(done.stdout)["results"][0]
    assert (found["measure"], found["terms"]["pairs"]) == ("pairwise-f1", 3)
