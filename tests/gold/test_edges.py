"""What a small slip in counting votes would change: ties of the others, shares at a threshold."""

import numpy as np
import pytest

import accord
from accord.data.tables import ratings_from_long
from accord.gold.labels import Labels
from accord.gold.ties import below, decide
from accord.gold.votes import rest_accuracy


def test_a_tie_of_the_others_counts_by_its_share():
    # A says x where the others say x and y: half right; B and C each face (x, y) or (x, x)
    data = ratings_from_long(["1"] * 3, ["A", "B", "C"], ["x", "x", "y"])
    found = rest_accuracy(Labels.of(data))
    # one of each kind added: (right + 1)/(seen + 2)
    assert found == pytest.approx([(0.5 + 1) / 3, (0.5 + 1) / 3, (0 + 1) / 3])


def test_a_share_equal_to_the_threshold_keeps_its_label():
    share = np.array([[0.75, 0.25], [0.7, 0.3], [2 / 3, 1 / 3]])
    assert decide(share, list("abc"), threshold=0.75)[0].tolist() == [0, -1, -1]
    assert decide(share, list("abc"), threshold=2 / 3)[0].tolist() == [0, 0, 0]
    assert below(np.array([0.1 + 0.2]), 0.3).tolist() == [False]


def test_three_votes_of_four_meet_three_quarters():
    data = ratings_from_long(["1"] * 4, list("ABCD"), ["x", "x", "x", "y"])
    kept = accord.gold(data, threshold=0.75)
    left = accord.gold(data, threshold=0.76)
    assert [row["value"] for row in kept.rows()] == ["x"]
    assert [row["reason"] for row in left.rows()] == ["threshold"]
