"""Properties that hold for every agreement measure on ratings, by the registry."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings
from accord.errors import RefusedError
from accord.measures import enrolled
from tests.oracles.strategies import matrices, random_matrix

#: measures on ratings that take two annotators only
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}
#: measures that are not corrected for chance
RAW = {"percent"}
#: measures of numbers: not corrected for chance either, as their expectation is another
NUMBERS = {"icc-1", "icc-a", "icc-c", "icc-1k", "icc-ak", "icc-ck", "ccc", "kendall-w"}
#: measures fitted by a search when cells are missing
FITTED = {name for name in NUMBERS if name.startswith("icc")}
#: measures whose value uses the order or size of numeric values
ORDERED = {"weighted-kappa", "ac2", *NUMBERS}

#: measures of objects that are hardly ever alike: tests/distance/test_any_distance.py
OBJECTS = {"sigma", "ks"}

NAMES = [m.name for m in enrolled(shape="ratings", question="agree") if m.name not in OBJECTS]


def test_every_measure_is_classified():
    assert {*TWO_ONLY, *RAW, *ORDERED} <= set(NAMES)
    assert {m.name for m in enrolled(shape="ratings", question="agree") if not m.chance} == {
        *RAW,
        *NUMBERS,
    }


def data_for(name: str, seed: int = 0) -> list[list]:
    rng = np.random.default_rng(seed)
    return random_matrix(rng, 2 if name in TWO_ONLY else 4, 30, 3, 0.1)


def close(name: str, expected: float):
    return pytest.approx(expected, abs=1e-5 if name in FITTED else 1e-12)


def label(name: str, text: str):
    """A value that the measure takes: numbers for measures of numbers."""
    return float(ord(text)) if name in NUMBERS else text


def value(name: str, matrix, **options) -> float:
    return accord.agree(
        Ratings.from_matrix(matrix, orientation="annotators", **options), name
    ).value


@pytest.mark.parametrize("name", NAMES)
def test_order_of_annotators_and_items_does_not_matter(name):
    matrix = data_for(name)
    first = value(name, matrix)
    assert value(name, matrix[::-1]) == close(name, first)
    assert value(name, [row[::-1] for row in matrix]) == close(name, first)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in ORDERED])
def test_names_of_labels_do_not_matter(name):
    matrix = data_for(name)
    names = {0: "zebra", 1: "nan", 2: "NA", None: None}
    renamed = [[names[v] for v in row] for row in matrix]
    assert value(name, renamed) == pytest.approx(value(name, matrix), abs=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_item_twice_is_weight_two(name):
    matrix = data_for(name)
    rows = np.r_[np.arange(30), np.arange(10)]
    twice = [[row[i] for i in rows] for row in matrix]
    data = Ratings.from_matrix(matrix, orientation="annotators")
    weighted = Ratings.from_matrix(matrix, orientation="annotators")
    weights = np.where(np.arange(30) < 10, 2.0, 1.0)
    from dataclasses import replace

    weighted = replace(weighted, weights=weights, _profiles={})
    counted = replace(data, multiplicity=weights.astype(np.int64), _profiles={})
    expected = value(name, twice)
    assert accord.agree(weighted, name).value == close(name, expected)
    assert accord.agree(counted, name).value == close(name, expected)


@pytest.mark.parametrize("name", NAMES)
def test_perfect_agreement_is_one(name):
    row = [0, 1, 2, 0, 1, 2]
    assert value(name, [row, row]) == pytest.approx(1.0)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in RAW])
def test_one_category_is_undefined_with_a_sentence(name):
    x = label(name, "x")
    result = accord.agree(Ratings.from_matrix([[x] * 4, [x] * 4]), name)
    assert math.isnan(result.value)
    assert result.undefined
    assert f"'{x if isinstance(x, str) else int(x)}'" in result.undefined


@pytest.mark.parametrize("name", NAMES)
def test_no_item_rated_twice_is_undefined_with_a_sentence(name):
    x, y = label(name, "x"), label(name, "y")
    result = accord.agree(Ratings.from_matrix([[x, None], [None, y]]), name)
    assert math.isnan(result.value)
    assert "no item was rated by two" in (result.undefined or "")


@pytest.mark.parametrize("name", NAMES)
def test_one_annotator_is_an_error(name):
    with pytest.raises(accord.InputError, match="at least two annotators"):
        accord.agree(Ratings.from_matrix([["x", "y"]]), name)


@pytest.mark.parametrize("name", sorted(TWO_ONLY))
def test_more_than_two_annotators_are_refused_with_the_way_out(name):
    with pytest.raises(RefusedError, match="two annotators"):
        accord.agree(Ratings.from_matrix([["x", "y"]] * 3, orientation="annotators"), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("method", ["bootstrap", "jackknife"])
def test_every_measure_has_intervals(name, method):
    result = accord.agree(Ratings.from_matrix(data_for(name)), name, ci=method, resamples=200)
    assert result.interval is not None
    assert result.interval.low <= result.value <= result.interval.high


@pytest.mark.parametrize("name", NAMES)
def test_the_record_is_complete(name):
    record = enrolled(shape="ratings", question="agree")
    mine = next(m for m in record if m.name == name)
    assert mine.citation
    assert mine.use
    assert mine.summary
    assert mine.range[0] < mine.range[1]


@given(matrices(annotators=(2, 2)))
@settings(max_examples=60, deadline=None)
def test_pi_and_fleiss_are_one_formula_for_two(matrix):
    data = Ratings.from_matrix(matrix, orientation="annotators")
    for first, second in (("pi", "fleiss"), ("kappa", "conger")):
        options = {"missing": "available"}  # kappa itself keeps to the items both rated
        a, b = (accord.agree(data, name, **options).value for name in (first, second))
        assert a == b or (math.isnan(a) and math.isnan(b))


@given(matrices(missing=False, items=(3, 8)))
@settings(max_examples=60, deadline=None)
def test_alpha_is_fleiss_plus_its_share(matrix):
    """Complete nominal data: alpha = K + (1 - K)/N, N the number of values."""
    data = Ratings.from_matrix(matrix, orientation="annotators")
    K, a = accord.agree(data, "fleiss").value, accord.agree(data, "alpha").value
    if math.isnan(K):
        assert math.isnan(a)
    else:
        assert a == pytest.approx(K + (1 - K) / data.n_ratings, abs=1e-12)


@given(st.lists(st.sampled_from("abc"), min_size=3, max_size=12), st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_values_stay_in_their_range(labels, seed):
    rng = np.random.default_rng(seed)
    second = list(rng.permutation(labels))
    for record in enrolled(shape="ratings", question="agree"):
        if record.name in ORDERED:
            continue
        result = accord.agree(Ratings.from_matrix([labels, second]), record.name)
        low, high = record.range
        assert math.isnan(result.value) or low - 1e-12 <= result.value <= high + 1e-12
