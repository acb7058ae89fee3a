"""Influence curves: the key has the property asked for, the errors have the rate asked for."""

from __future__ import annotations

import json

import numpy as np
import pytest

from accord.data import Chains
from accord.errors import InputError, UsageError
from accord.report.curves import influence_figures, stacked
from accord.simulate.chains import ERRORS, FACTORS, SHOWN, _key, influence
from accord.simulate.own_chains import own_bias


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
    svg = stacked(influence_figures([curves]))
    assert svg.count('class="curve"') == 2 * len(SHOWN)  # and in the key
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


class TestOwnData:
    DATA = Chains.from_clusters(
        {
            ("d", "A"): [["a"], ["b"], list("cdefgh"), list("ijkl")],
            ("e", "A"): [[f"x{i}" for i in range(5)], ["y"], ["z", "w"]],
        }
    )

    def test_the_loss_is_that_of_the_scores(self):
        # every mention of the entity of two is set apart: CEAF_m loses one of 20, 2/20 are wrong
        found = own_bias(self.DATA, measures=["ceaf-m"], error="isolate", rate=1, repetitions=1)
        pair = next(row for row in found.sizes if row["size"] == "2")
        assert (pair["entities"], pair["mentions"]) == (1, 2)
        assert pair["ceaf-m"] == pytest.approx((1 / 20) / (2 / 20))
        # singletons set apart are what they were
        assert np.isnan(found.sizes[0]["ceaf-m"])
        assert sum(row["mentions"] for row in found.sizes) == 20

    def test_without_singletons_as_the_option_drops_them(self):
        found = own_bias(self.DATA, measures=["b3", "muc"], error="merge", rate=0.5, seed=3)
        rows = {row["measure"]: row for row in found.singletons}
        # links are those of the others
        assert rows["muc"]["difference"] == pytest.approx(0, abs=0.2)
        assert rows["b3"]["with_singletons"] != rows["b3"]["without"]
        same = own_bias(self.DATA, measures=["b3"], error="move", rate=0.3, seed=1, repetitions=2)
        again = own_bias(self.DATA, measures=["b3"], error="move", rate=0.3, seed=1, repetitions=2)
        assert same.singletons == again.singletons
        np.testing.assert_equal(same.sizes, again.sizes)

    def test_the_command(self, tmp_path, accord_command):
        path = tmp_path / "c.json"
        path.write_text(json.dumps([["a"], ["b", "c"], list("defg")]))
        done = accord_command("simulate", "chains", "--like", path, "-m", "b3", "--json")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)["results"]
        assert [row["size"] for row in found["size"]] == ["1", "2", "3–4"]
        refused = accord_command("simulate", "chains", "size", "--like", path)
        assert (refused.returncode, "leave FACTOR out" in refused.stderr) == (2, True)

    def test_nothing_to_learn_from(self):
        with pytest.raises(InputError, match="no mention"):
            own_bias(Chains.from_clusters({("d", "A"): []}))
        with pytest.raises(UsageError, match="above 0"):
            own_bias(self.DATA, rate=0)
