"""Boundary similarity and segmentation similarity: the worked values of the definition."""

import numpy as np
import pytest

import accord
from accord.data import Segments
from accord.data.segments import masses_of


def cut(who: str, positions: list[int], length: int) -> Segments:
    return Segments.from_masses([("d", who, masses_of(np.array(positions), length).tolist())])


@pytest.mark.parametrize(
    ("first", "second", "length", "B", "S"),
    [
        ([2, 5], [3, 5, 8], 10, 0.5, 0.8333),
        ([1, 2, 3, 4], [2, 3, 4, 5], 6, 0.6, 0.6),
        ([], [], 10, 1.0, 1.0),
        ([], [4], 10, 0.0, 8 / 9),
    ],
)
def test_worked_values(first, second, length, B, S):
    one, two = cut("r", first, length), cut("s", second, length)
    for a, b in ((one, two), (two, one)):
        assert accord.boundary_similarity(a, b).value == pytest.approx(B, abs=5e-5)
        assert accord.segmentation_similarity(a, b).value == pytest.approx(S, abs=5e-5)


def test_terms_and_itemised_edits():
    result = accord.boundary_similarity(cut("r", [2, 5], 10), cut("s", [3, 5, 8], 10))
    assert result.terms == {
        "A": 1, "S": 0, "T": 1, "matches": 1, "w_S": 0.0, "w_T": 0.5, "macro": 0.5,
    }  # fmt: skip
    assert [(e["error"], e["reference"], e["system"]) for e in result.by["errors"]] == [
        ("moved", 2, 3),
        ("spurious", None, 8),
    ]
