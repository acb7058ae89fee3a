"""What annotations have in common, and how they are told from anything else."""

import pytest

import accord
from accord.data import Ratings, Segments
from accord.reading.given import as_annotations, read_with


def test_telling_annotations_counts_nothing(monkeypatch):
    """Millions of values have a reading that takes a second: no check may make it."""
    monkeypatch.setattr(Ratings, "contents", lambda self: pytest.fail("they were counted"))
    data = Ratings.from_matrix([["a", "b"], ["a", "a"]])
    assert as_annotations(data) is data
    assert read_with(data, {})[0] is data


def test_nobody_of_ratings_is_said_to_have_seen_a_document():
    data = accord.Units.from_rows([("d", "A", 0, 4, "x"), ("e", "B", 0, 4, "x")])
    assert data.covered("marked").who_saw.tolist() == [[True, False], [False, True]]
    rated = accord.read([{"item": 1, "annotator": "A", "value": "x", "document": "d"}])
    assert rated.who_saw.tolist() == [[False]]
    assert Segments.from_masses([("d", "A", [2, 3])]).who_saw.tolist() == [[True]]
