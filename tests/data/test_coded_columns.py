"""Texts of large dataframes are told apart by Arrow; the ratings are those of small ones."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord.data import frame as frames
from accord.data.encode import distinct_numbers, order_of
from tests.large.test_lazy_frames import table


def spoken(ratings: accord.Ratings) -> tuple[object, ...]:
    arrays = (ratings.indptr, ratings.annotator, ratings.code, ratings.document)
    return (
        list(ratings.items), ratings.annotators, ratings.values, ratings.documents, ratings.notes,
        *(None if a is None else a.tolist() for a in arrays),
    )  # fmt: skip


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "categories"])
def test_texts_are_the_same_told_apart_before_or_after(library, monkeypatch):
    # (blanks around some names, empty and missing cells)
    whole = table(annotators=4, documents=True).with_columns(
        annotator=pl.when(pl.int_range(pl.len()) % 3 == 0)
        .then(pl.col("annotator") + " ")
        .otherwise(pl.col("annotator"))
    )
    made = {
        "pandas": lambda: whole.to_pandas(),
        "polars": lambda: whole,
        "pyarrow": lambda: whole.to_arrow(),
        "categories": lambda: whole.with_columns(pl.col("value", "annotator").cast(pl.Categorical)),
    }[library]()
    found = []
    for many in (0, 10**9):
        monkeypatch.setattr(frames, "MANY", many)
        found.append(spoken(accord.read(made)))
    assert found[0] == found[1]
    assert found[0][1] == ("A0", "A1", "A2", "A3")


def test_columns_of_other_things_stay_as_they_were(monkeypatch):
    monkeypatch.setattr(frames, "MANY", 0)
    mixed = pd.DataFrame(
        {"item": ["a", "a", 1, 1], "annotator": ["A", "B", "A", "B"], "value": [True, False] * 2}
    )
    assert accord.read(mixed).n_ratings == 4


@pytest.mark.parametrize("low", [0, -5, 10**12, 2**62])
def test_numbers_are_told_apart_as_by_sorting(low):
    rng = np.random.default_rng(3)
    for spread in (1, 40, 10**6):
        numbers = low + rng.integers(0, spread, 500)
        distinct, places = distinct_numbers(numbers)
        expected, inverse = np.unique(numbers, return_inverse=True)
        assert distinct.dtype == numbers.dtype
        assert np.array_equal(distinct, expected)
        assert np.array_equal(places, inverse)


@pytest.mark.parametrize("most", [1, 2**16, 2**16 + 1, 2**33, 2**62])
def test_the_order_of_keys_is_the_stable_one(most):
    keys = np.random.default_rng(1).integers(0, most, 3000) // 3
    assert np.array_equal(order_of(keys), np.argsort(keys, kind="stable"))
    assert len(order_of(keys[:0])) == 0
