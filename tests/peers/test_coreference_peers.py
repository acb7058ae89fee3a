"""Values of other coreference scorers, frozen.

Produced with scorch 0.2.0 (``scorch.scores.muc(key, response)`` and so on, sets of integers) and
coreference-eval 0.0.2 (``Scorer().update(Document(predicted=…, truth=…))``), Python 3.11, numpy
2.4.6, scipy 1.17.1.
"""

from __future__ import annotations

import pytest

from accord.data import Chains
from accord.measures import coreference

SCORCH = [
    (
        ([[1, 2, 3], [4, 5], [6]], [[1, 2], [3, 4, 5], [6]]),
        {
            "muc": (0.666667, 0.666667, 0.666667),
            "b3": (0.777778, 0.777778, 0.777778),
            "ceaf_m": (0.833333, 0.833333, 0.833333),
            "ceaf_e": (0.866667, 0.866667, 0.866667),
            "blanc": (0.659091, 0.659091, 0.659091),
        },
        0.77037,
    ),
    (
        ([[1, 2, 3], [4, 5], [6, 7]], [[8, 1, 2], [9, 4, 5], [10]]),
        {
            "muc": (0.5, 0.5, 0.5),
            "b3": (0.47619, 0.380952, 0.42328),
            "ceaf_m": (0.571429, 0.571429, 0.571429),
            "ceaf_e": (0.488889, 0.488889, 0.488889),
            "blanc": (0.325, 0.3, 0.31085),
        },
        0.470723,
    ),
    (
        ([[1], [2], [3]], [[1, 2], [3]]),
        {
            "muc": (0.0, 0.0, 0.0),
            "b3": (1.0, 0.666667, 0.8),
            "ceaf_m": (0.666667, 0.666667, 0.666667),
            "ceaf_e": (0.555556, 0.833333, 0.666667),
            "blanc": (0.666667, 1.0, 0.8),
        },
        0.488889,
    ),
    (
        ([[1, 2, 3, 4, 5], [6, 7], [8, 9, 10, 11, 12]], [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11, 12]]),
        {
            "muc": (1.0, 0.9, 0.947368),
            "b3": (1.0, 0.761905, 0.864865),
            "ceaf_m": (0.833333, 0.833333, 0.833333),
            "ceaf_e": (0.611111, 0.916667, 0.733333),
            "blanc": (0.888889, 0.83871, 0.841346),
        },
        0.848522,
    ),
]  # fmt: skip


def result(name, key, response, **options):
    sides = (Chains.from_clusters({("d", "A"): side}) for side in (key, response))
    return getattr(coreference, name)(*sides, **options)


@pytest.mark.parametrize(("pair", "values", "conll"), SCORCH)
def test_scorch(pair, values, conll):
    for name, expected in values.items():
        found = result(name, *pair)
        assert (found.terms["R"], found.terms["P"], found.value) == pytest.approx(
            expected, abs=1e-6
        )
    assert result("conll", *pair).value == pytest.approx(conll, abs=1e-6)


def test_where_scorch_is_wrong():
    """One mention against one that adds a link: scorch's BLANC is 1, though the link is spurious."""
    assert result("blanc", [[1]], [[1, 2]]).value == 0


def test_coreference_eval():
    key, response = [[1, 2, 3], [4, 5], [6, 7]], [[1, 2], [3, 4, 5]]
    expected = {
        "muc": (0.5, 0.6666666666666666, 0.5714285714285715),
        "b3": (0.5238095238095238, 0.7333333333333334, 0.6111111111111112),
        "ceaf_e": (0.5333333333333333, 0.8, 0.64),
        "lea": (0.42857142857142855, 0.6, 0.5),
    }
    for name, values in expected.items():
        found = result(name, key, response)
        assert (found.terms["R"], found.terms["P"], found.value) == pytest.approx(values)


def test_where_coreference_eval_is_wrong():
    """It drops singletons of the response but not of the key: CEAF_e of a perfect answer is .8."""
    key = [[1, 2, 3], [4, 5], [6]]
    assert result("ceaf_e", key, key).value == 1
    assert result("ceaf_e", key, key, drop_singletons=True).value == 1
