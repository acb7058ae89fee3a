"""What a small slip in a test statistic would change: p is never 0, degrees of freedom by hand."""

import numpy as np
import pytest

import accord
from accord.data.tables import ratings_from_long
from accord.uncertainty.jackknife import satterthwaite
from accord.uncertainty.joint import side_by_side
from accord.uncertainty.swaps import SWAPS, swap_p


def test_swaps_that_are_never_as_far_apart_leave_one_in_all_of_them():
    items = [f"i{i}" for i in range(60)]
    reference, right, wrong = (
        ratings_from_long(items, [who] * 60, [value] * 60)
        for who, value in (("reference", "a"), ("s", "a"), ("s", "b"))
    )
    first, second = (accord.score(reference, side, "accuracy") for side in (right, wrong))
    joint = side_by_side(first.sample, second.sample)
    # a draw as far apart swaps all items or none: 2 of 2⁶⁰
    assert swap_p(joint, swaps=999) == 1 / 1000
    assert swap_p(joint) == 1 / (SWAPS + 1)


def test_degrees_of_freedom_of_a_sum_of_variances():
    assert satterthwaite((4.0, 3.0), (9.0, 5.0)) == pytest.approx(13**2 / (16 / 3 + 81 / 5))
    # one variance keeps its own; two alike have the sum of theirs, in whatever unit
    assert satterthwaite((0.01, 7.0)) == pytest.approx(7)
    assert satterthwaite((0.3, 4.0), (0.3, 4.0)) == pytest.approx(8)
    assert satterthwaite((3e6, 4.0), (3e6, 4.0)) == pytest.approx(8)
    assert satterthwaite((0.0, 4.0)) == np.inf
