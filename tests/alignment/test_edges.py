"""What a small slip before the solver would change: pairs near the limit, weights of fragments."""

import pytest

import accord
from accord.data import Units
from tests.measures.test_fragments import with_fragments


@pytest.mark.parametrize(
    ("distance", "together"), [(0.5, True), (1.9, True), (1.99, True), (2.01, False), (3.0, False)]
)
def test_an_own_dissimilarity_pairs_units_up_to_what_two_alone_cost(distance, together):
    # two annotators, Δ = 1: each unit alone costs Δ, both together what the function says
    data = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 6, 9, "x")], lengths={"d": 20})
    (found,) = accord.align(data, dissimilarity=lambda one, two: distance if one != two else 0.0)
    groups = sorted(int((members >= 0).sum()) for members in found.members)
    assert groups == ([2] if together else [1, 1])


def test_the_weight_of_positions_counts_for_fragments():
    rows = [("d", "A", [(0, 4), (8, 12)], "x"), ("d", "B", [(0, 4), (9, 13)], "x")]
    data = with_fragments(rows, lengths={"d": 20})
    once, thrice = (accord.align(data, alpha=alpha)[0].disorder for alpha in (1.0, 3.0))
    assert once > 0
    assert thrice == pytest.approx(3 * once)


def test_the_weight_of_positions_decides_which_fragments_belong_together():
    # half of each lies on the other: d = ((8 of 16))² = .25, which alone costs less than Δ twice
    rows = [("d", "A", [(0, 4), (8, 12)], "x"), ("d", "B", [(2, 6), (10, 14)], "x")]
    data = with_fragments(rows, lengths={"d": 20})
    assert [len(accord.align(data, alpha=alpha)[0]) for alpha in (1.0, 7.9, 8.1)] == [1, 1, 2]
