"""α and the urn coefficients against direct definitions, pair by pair."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings
from accord.distance.categories import mid_ranks
from tests.oracles.strategies import matrices


def columns(matrix):
    return [[v for v in column if v is not None] for column in zip(*matrix, strict=True)]


def alpha_by_pairs(matrix, delta) -> float:
    items = [c for c in columns(matrix) if len(c) >= 2]
    pool = [v for c in items for v in c]
    N = len(pool)
    if N == 0:
        return math.nan
    D_o = (
        sum(delta(a, b) / (len(c) - 1) for c in items for a, b in itertools.permutations(c, 2)) / N
    )
    D_e = sum(delta(a, b) for a, b in itertools.permutations(pool, 2)) / (N * (N - 1))
    return math.nan if D_e == 0 else 1 - D_o / D_e


def ordinal_delta(matrix):
    pool = [v for c in columns(matrix) if len(c) >= 2 for v in c]
    counts = {v: pool.count(v) for v in sorted(set(pool))}

    def delta(a, b):
        a, b = min(a, b), max(a, b)
        between = sum(n for v, n in counts.items() if a <= v <= b)
        return 0.0 if a == b else (between - (counts[a] + counts[b]) / 2) ** 2

    return delta


DELTAS = {
    "nominal": lambda a, b: float(a != b),
    "interval": lambda a, b: float((a - b) ** 2),
    "ratio": lambda a, b: 0.0 if a + b == 0 else ((a - b) / (a + b)) ** 2,
    "linear": lambda a, b: float(abs(a - b)),
}


@pytest.mark.parametrize("metric", [*DELTAS, "ordinal", "circular", "bipolar"])
@given(matrix=matrices(annotators=(2, 4), items=(2, 7), categories=(2, 5)))
@settings(max_examples=60, deadline=None)
def test_alpha_equals_the_definition(metric, matrix):
    data = Ratings.from_matrix(matrix, orientation="annotators")
    options = {}
    if metric == "ordinal":
        delta = ordinal_delta(matrix)
    elif metric == "circular":
        options = {"period": 5.0}
        delta = lambda a, b: math.sin(math.pi * (a - b) / 5) ** 2  # noqa: E731
    elif metric == "bipolar":
        low, high = (data.numbers.min(), data.numbers.max()) if len(data.values) else (0, 1)

        def delta(a, b):
            return 0.0 if a == b else (a - b) ** 2 / ((a + b - 2 * low) * (2 * high - a - b))

    else:
        delta = DELTAS[metric]
    expected = alpha_by_pairs(matrix, delta)
    got = accord.agree(data, "alpha", metric=metric, **options).value
    assert (math.isnan(got) and math.isnan(expected)) or got == pytest.approx(expected, abs=1e-9)


@given(matrices(annotators=(2, 4), items=(2, 7), categories=(2, 4)))
@settings(max_examples=60, deadline=None)
def test_urns_equal_the_definition(matrix):
    data = Ratings.from_matrix(matrix, orientation="annotators")
    rated = [c for c in columns(matrix) if c]
    twice = [c for c in rated if len(c) >= 2]
    if not twice:
        return
    A_o = np.mean([np.mean([a == b for a, b in itertools.permutations(c, 2)]) for c in twice])
    labels = sorted({v for c in rated for v in c})
    share = np.array([[c.count(k) / len(c) for k in labels] for c in rated]).mean(axis=0)
    q = len(labels)
    chances = {"fleiss": (share**2).sum(), "s": 1 / q}
    if q > 1:
        chances["ac1"] = (share * (1 - share)).sum() / (q - 1)
    for name, A_e in chances.items():
        result = accord.agree(data, name)
        assert result.observed == pytest.approx(A_o)
        assert result.expected == pytest.approx(A_e)
        if q > 1 and A_e < 1:
            assert result.value == pytest.approx((A_o - A_e) / (1 - A_e))


def test_mid_ranks_are_the_ordinal_distance():
    counts = np.array([3.0, 1.0, 4.0])
    ranks = mid_ranks(counts)
    assert (ranks[2] - ranks[0]) ** 2 == pytest.approx((8 - 7 / 2) ** 2)


def test_set_valued_labels():
    """Krippendorff's definition with Jaccard and MASI over sets."""
    sets = [[{"a"}, {"a", "b"}, {"c"}], [{"a"}, {"b"}, {"c", "a"}]]
    data = Ratings.from_matrix([[frozenset(v) for v in row] for row in sets])
    matrix = [[frozenset(v) for v in row] for row in sets]

    def jaccard(a, b):
        return 1 - len(a & b) / len(a | b)

    assert accord.agree(data, "alpha", metric="jaccard").value == pytest.approx(
        alpha_by_pairs(matrix, jaccard)
    )
    masi = accord.agree(data, "alpha", metric="masi").value
    # MASI: {a,b} against {b}: 1 - 1/2 * 2/3; {c} against {c,a} alike
    D_o = (2 * (1 - 1 / 3) * 2) / 6
    assert accord.agree(data, "alpha", metric="masi").terms["D_o"] == pytest.approx(D_o)
    assert masi < 1


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(-100, 100)), min_size=3, max_size=30))
@settings(max_examples=40, deadline=None)
def test_interval_alpha_of_real_values(pairs):
    first, second = (list(x) for x in zip(*pairs, strict=True))
    got = accord.agree(Ratings.from_matrix([first, second]), "alpha", metric="interval").value
    expected = alpha_by_pairs([first, second], DELTAS["interval"])
    assert (math.isnan(got) and math.isnan(expected)) or got == pytest.approx(
        expected, rel=1e-6, abs=1e-6
    )
