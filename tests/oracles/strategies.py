"""Hypothesis strategies for annotations."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from accord.data import Ratings


@st.composite
def matrices(draw, annotators=(2, 4), items=(2, 8), categories=(2, 4), missing=True):
    """One row per annotator of category numbers, None where missing."""
    width = draw(st.integers(*items))
    height = draw(st.integers(*annotators))
    q = draw(st.integers(*categories))
    value = st.integers(0, q - 1)
    if missing:
        value = st.one_of(value, value, value, st.none())
    return draw(
        st.lists(st.lists(value, min_size=width, max_size=width), min_size=height, max_size=height)
    )


@st.composite
def ratings(draw, **sizes) -> Ratings:
    """Ratings with numeric values."""
    return as_ratings(draw(matrices(**sizes)))


def as_ratings(matrix, **options) -> Ratings:
    return Ratings.from_matrix(matrix, orientation="annotators", **options)


def random_matrix(rng: np.random.Generator, annotators: int, items: int, q: int, missing: float):
    """A matrix of category numbers with None where missing."""
    codes = rng.integers(0, q, size=(annotators, items))
    absent = rng.random((annotators, items)) < missing
    return [
        [None if gone else int(c) for c, gone in zip(row, lost, strict=True)]
        for row, lost in zip(codes, absent, strict=True)
    ]
