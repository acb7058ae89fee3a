"""What a small slip in a chance model would change: who cuts, and how far pivots lie apart."""

import numpy as np
import pytest

from accord.chance.models import _pivot
from accord.chance.rotation import cuttings
from accord.data.continuum import Continuum


def continuum(*people, low=0.0, high=10.0):
    parts = [
        (np.array([s for s, _ in units], float), np.array([e for _, e in units], float),
         np.zeros(len(units), np.int32))
        for units in people
    ]  # fmt: skip
    return Continuum.assemble(parts, low, high)


@pytest.mark.parametrize(
    ("units", "cuts"),
    [
        ([(0, 4), (4, 10)], True),
        ([(0, 10)], True),
        ([(0, 4), (4, 9)], False),  # does not reach the end
        ([(1, 4), (4, 10)], False),  # begins late
        ([(0, 4), (5, 10)], False),  # has a gap
        ([(0, 5), (4, 10)], False),  # overlaps itself
    ],
)
def test_a_cutting_reaches_from_end_to_end_without_gap_or_overlap(units, cuts):
    assert cuttings(continuum(units)) == [cuts]
    # each by themselves, and who marked nothing is not asked
    assert cuttings(continuum([(0, 10)], units, [])) == [True, cuts]


def test_pivots_lie_a_unit_apart_on_the_circle():
    rng, span, least = np.random.default_rng(0), 10.0, 2.0
    near = span
    for _ in range(400):
        taken: list[float] = []
        for _ in range(3):
            taken.append(_pivot(rng, taken, least, span))
        for i, a in enumerate(taken):
            for b in taken[:i]:
                apart = min(abs(a - b), span - abs(a - b))
                assert apart >= least - 1e-9
                near = min(near, apart)
    # and no farther than that: some come as near as they may
    assert near < least + 0.05


def test_pivots_without_room_lie_anywhere():
    rng = np.random.default_rng(1)
    drawn = [_pivot(rng, [2.0, 7.0], 5.0, 10.0) for _ in range(400)]
    assert min(drawn) < 0.5
    assert max(drawn) > 9.5
