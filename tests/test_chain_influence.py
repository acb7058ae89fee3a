"""Influence curves: the key has the property asked for, the errors have the rate asked for."""

from __future__ import annotations

import numpy as np
import pytest

from accord.errors import UsageError
from accord.report.influence import influence_svg
from accord.simulate.chains import ERRORS, FACTORS, SHOWN, _key, influence


def test_keys_have_the_property_under_control():
    rng = np.random.default_rng(0)
    for size in (2, 5, 20):
        counts = np.bincount(_key(rng, mentions=200, size=size, singletons=0))
        assert counts.min() >= 2
        assert counts.mean() == pytest.approx(size, rel=0.05)
    counts = np.bincount(_key(rng, mentions=200, size=4, singletons=0.3))
    assert (counts == 1).sum() == 60
    assert len(_key(rng, mentions=200, size=4, singletons=1)) == 200


def test_errors_have_their_rate():
    rng = np.random.default_rng(0)
    key = _key(rng, mentions=20_000, size=4, singletons=0)
    for error in ("move", "isolate", "omit"):
        assert (ERRORS[error](rng, key, 0.2) != key).mean() == pytest.approx(0.2, abs=0.01)
    split = ERRORS["split"](rng, key, 0.5)
    assert len(np.unique(split)) > len(np.unique(key))
    merged = ERRORS["merge"](rng, key, 0.5)
    assert len(np.unique(merged)) < len(np.unique(key))
    for error in ERRORS:
        if not error.startswith(("all", "one")):
            assert (ERRORS[error](rng, key, 0) == key).all()


def test_no_error_is_a_perfect_score():
    curves = influence("size", rate=0, levels=[2, 8], repetitions=3)
    assert {p.mean for points in curves.values.values() for p in points} == {1.0}


def test_curves_say_what_is_known():
    """Singletons raise B³ and lower MUC; CEAF_m does not care about entity size."""
    singletons = influence("singletons", levels=[0, 0.8], repetitions=50).values
    assert singletons["b3"][1].mean > singletons["b3"][0].mean + 0.1
    assert singletons["muc"][1].mean < singletons["muc"][0].mean - 0.1
    size = influence("size", levels=[3, 20], repetitions=50).values
    assert abs(size["ceaf-m"][1].mean - size["ceaf-m"][0].mean) < 0.02
    assert size["muc"][1].mean > size["muc"][0].mean + 0.05
    lazy = influence("singletons", error="all-singletons", levels=[0.9], repetitions=5).values
    assert lazy["b3"][0].mean > 0.9
    assert lazy["muc"][0].mean == 0


def test_the_same_seed_gives_the_same_curves():
    one, two, three = (
        influence("entities", levels=[5], repetitions=5, seed=s).rows() for s in (1, 1, 2)
    )
    assert one == two
    assert one != three


def test_drawing_and_dictionary():
    curves = influence("singletons", levels=[0, 0.5, 0.9], repetitions=3)
    svg = influence_svg([curves])
    assert svg.count("<polyline") == len(SHOWN)
    found = curves.to_dict()
    assert found["levels"] == [0, 0.5, 0.9]
    assert len(found["curves"]["muc"]) == 3


@pytest.mark.parametrize(
    "options",
    [
        {"factor": "colour"},
        {"factor": "size", "error": "typo"},
        {"factor": "size", "rate": 2},
        {"factor": "size", "levels": [0]},
        {"factor": "singletons", "levels": [1.5]},
        {"factor": "size", "measures": ["alpha"]},
    ],
)
def test_refusals(options):
    with pytest.raises(UsageError):
        influence(**options)
    assert set(FACTORS) == {"size", "entities", "singletons"}
