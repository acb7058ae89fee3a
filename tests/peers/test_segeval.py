"""segeval 2.0.11 and nltk 3.10.4 on random cuttings (seed 7), and where they are wrong.

segeval.window_diff(h, r), pk(h, r), window_diff(h, r, window_size=4[, lamprier_et_al_2007_fix=True]),
boundary_similarity(h, r[, n_t=3]), segmentation_similarity(h, r); nltk.metrics.segmentation.ghd(r, h)
and ghd(r, h, ins_cost=1.5, del_cost=3.0, shift_cost_coeff=0.5).
"""

import numpy as np
import pytest

import accord
from accord.data import Segments

# reference, hypothesis, WD, Pk, WD(k=4), the same padded, B, S, B(n_t=3), GHD, GHD(1.5, 3, .5)
ROWS = [
    ([3, 3, 1, 5], [1, 1, 7, 2, 1], 0.8, 0.8, 0.75, 0.7058823529411765, 0.08333333333333333, 0.5,
     0.2, 9.0, 7.0),
    ([2, 5, 5, 5, 2, 11], [2, 1, 5, 6, 16], 0.42857142857142855, 0.39285714285714285, 0.5, 0.4,
     0.21428571428571427, 0.8103448275862069, 0.3333333333333333, 9.0, 7.0),
    ([4, 2, 2, 7, 13, 8, 1, 4, 12, 7], [3, 1, 5, 6, 4, 7, 10, 1, 1, 3, 16, 1, 2],
     0.40350877192982454, 0.3157894736842105, 0.44642857142857145, 0.4307692307692308,
     0.36666666666666664, 0.8389830508474576, 0.42857142857142855, 16.0, 14.0),
    ([40], [10, 17, 8, 5], 1.0, 1.0, 0.3333333333333333, 0.26666666666666666, 0.0,
     0.9230769230769231, 0.0, 6.0, 9.0),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS)
def test_frozen_values(row):
    ref, hyp, wd, pk, wd4, padded, B, S, B3, ghd, other = row
    one = Segments.from_masses([("d", "r", ref)])
    two = Segments.from_masses([("d", "s", hyp)])
    assert accord.windowdiff(one, two).value == pytest.approx(wd, abs=1e-12)
    assert accord.pk(one, two).value == pytest.approx(pk, abs=1e-12)
    assert accord.windowdiff(one, two, window=4).value == pytest.approx(wd4, abs=1e-12)
    terms = accord.windowdiff(one, two, window=4, padding="lamprier").terms
    # segeval divides by one window too many
    assert terms["windows"] == sum(ref) + 4
    assert terms["errors"] / (terms["windows"] + 1) == pytest.approx(padded, abs=1e-12)
    assert accord.boundary_similarity(one, two).value == pytest.approx(B, abs=1e-12)
    assert accord.segmentation_similarity(one, two).value == pytest.approx(S, abs=1e-12)
    assert accord.boundary_similarity(one, two, nt=3).value == pytest.approx(B3, abs=1e-12)
    assert accord.ghd(one, two).value == ghd
    assert accord.ghd(one, two, insertion=1.5, deletion=3.0, shift=0.5).value == other


def test_typed_boundaries_of_segeval():
    """Sets of types 1..3: B agrees; segeval's S multiplies by the number of types twice."""
    first = [(2, "1"), (4, "2"), (6, "1"), (6, "2"), (8, "3")]
    second = [(2, "2"), (5, "2"), (6, "1"), (8, "3"), (9, "1")]
    one, two = (
        Segments.from_boundaries(
            [("d", who, p, t) for p, t in rows], lengths={"d": 10}, categories=["1", "2", "3"]
        )
        for who, rows in (("r", first), ("s", second))
    )
    result = accord.boundary_similarity(one, two, types="ordinal")
    assert result.value == pytest.approx(0.5277777777777778, abs=1e-12)
    similarity = accord.segmentation_similarity(one, two, types="ordinal")
    assert similarity.value == pytest.approx(1 - 3 * (1 - 0.9650205761316872), abs=1e-12)


def test_positions_beyond_256_and_windows_beyond_256():
    """segeval compares integers with `is`: Pk and WindowDiff go wrong past 256."""
    masses = [1] * 600
    one, two = (Segments.from_masses([("d", who, masses)]) for who in "rs")
    assert accord.pk(one, two).value == 0
    assert accord.windowdiff(one, two, window=300).value == 0


def test_no_length_limit_of_ghd():
    """nltk builds a matrix over all pairs of boundaries."""
    positions = np.arange(1, 200_000, 2)
    one, two = (
        Segments.from_boundaries(
            [("d", who, int(p) + shift, None) for p in positions], lengths={"d": 200_002}
        )
        for who, shift in (("r", 0), ("s", 1))
    )
    assert accord.ghd(one, two).value == len(positions)


def test_greedy_transpositions_of_segeval():
    """segeval pairs 3 with 4 first and gives B(n_t=3) = .2222; 3→1 and 6→4 cost less."""
    one, two = (
        Segments.from_boundaries([("d", who, p, None) for p in rows], lengths={"d": 12})
        for who, rows in (("r", [3, 6]), ("s", [1, 4]))
    )
    assert accord.boundary_similarity(one, two, nt=3).value == pytest.approx(1 - (4 / 3) / 2)
