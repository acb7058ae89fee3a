"""What data say of themselves fits a line, whatever their size."""

from __future__ import annotations

import numpy as np
import pytest

from accord.alignment.alignment import Alignment
from accord.data import Chains, Ratings, Segments, Units
from accord.data.tables import ratings_from_long


def alignment(**changes):
    given = {
        "document": "d", "annotators": ("A", "B"), "members": np.array([[0, 1], [2, -1]]),
        "disorders": np.array([0.0, 1.0]), "disorder": 0.5, "bound": 0.5, "method": "exact",
        "objective": "x",
    }  # fmt: skip
    return Alignment(**{**given, **changes})


SHOWN = [
    (
        Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x"), ("e", "B", 1, 4, None)]),
        "Units(3 units, 2 documents, 2 annotators, 1 category)",
    ),
    (Units.from_rows([]), "Units(0 units, 0 documents, 0 annotators, 0 categories)"),
    (
        Ratings.from_matrix([["a", "b", None], ["a", "a", "b"]]),
        "Ratings(5 ratings, 3 items, 2 annotators, 2 categories)",
    ),
    (
        Ratings.from_matrix([[1.5, 2.0], [1.5, 1.5]]),
        "Ratings(4 ratings, 2 items, 2 annotators, 2 distinct numbers)",
    ),
    (
        ratings_from_long([1, 1], ["A", "B"], [frozenset("ab"), frozenset("ab")]),
        "Ratings(2 ratings, 1 item, 2 annotators, 1 distinct set)",
    ),
    (
        Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [5])]),
        "Segments(2 segmentations, 1 boundary, 1 document, 2 annotators)",
    ),
    (
        Segments.from_boundaries([("d", "A", 2, "x"), ("d", "A", 3, "y")], lengths={"d": 5}),
        "Segments(1 segmentation, 2 boundaries, 1 document, 1 annotator, 2 types)",
    ),
    (
        Chains.from_clusters({("d", "A"): [["a", "b"], ["c"]], ("d", "B"): [["a", "b", "c"]]}),
        "Chains(6 mentions, 3 entities, 1 document, 2 annotators)",
    ),
    (Chains.from_clusters({}), "Chains(0 mentions, 0 entities, 0 documents, 0 annotators)"),
    (
        alignment(),
        "Alignment(document 'd', 2 places, 2 annotators, disorder 0.5000, proven best)",
    ),
    (
        alignment(bound=0.25),
        "Alignment(document 'd', 2 places, 2 annotators, disorder 0.5000, at most 0.2500 above the best)",
    ),
]


@pytest.mark.parametrize(("data", "line"), SHOWN, ids=[line for _, line in SHOWN])
def test_one_line_says_what_there_is(data, line):
    assert repr(data) == str(data) == line


def test_documents_of_items_are_counted():
    whole = ratings_from_long([1, 2], ["A", "A"], ["x", "y"], documents=["p", "q"])
    assert repr(whole) == "Ratings(2 ratings, 2 items, 2 documents, 1 annotator, 2 categories)"


def test_thousands_stay_one_line():
    rows = [(f"d{i}", f"a{i % 1200}", 0, 1, "x") for i in range(12_345)]
    shown = repr(Units.from_rows(rows))
    assert shown == "Units(12 345 units, 12 345 documents, 1 200 annotators, 1 category)"


def test_an_alignment_of_nothing_has_no_disorder():
    nothing = alignment(
        members=np.empty((0, 2), dtype=np.int64), disorders=np.empty(0), disorder=float("nan"),
        bound=float("nan"),
    )  # fmt: skip
    assert repr(nothing) == "Alignment(document 'd', 0 places, 2 annotators)"
