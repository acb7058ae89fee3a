"""Antoine, Le Tallec & Villaneau (2011): the worked example of §3.2 and the ranks of §3.1."""

import numpy as np
import pytest

import accord
from accord.data import Ratings

VOTES = [["neg"]] * 35 + [["neu"]] * 48 + [["pos"]] * 17


@pytest.mark.parametrize(
    ("answer", "value"), [("neu", 1.0), ("neg", 0.35 / 0.48), ("pos", 0.17 / 0.48)]
)
def test_weighted_accuracy_of_one_item(answer, value):
    judges = Ratings.from_matrix(VOTES, orientation="annotators")
    system = Ratings.from_matrix([[answer]], annotators=["system"])
    assert accord.score(judges, system, "weighted-accuracy").value == pytest.approx(value)


def test_weighted_accuracy_is_a_ratio_of_sums():
    """A second item, unanimous: (.35 + 1) / (.48 + 1), not the mean of two ratios."""
    judges = Ratings.from_matrix([[*row, "pos"] for row in VOTES], orientation="annotators")
    system = Ratings.from_matrix([["neg", "pos"]], annotators=["system"])
    found = accord.score(judges, system, "weighted-accuracy")
    assert found.value == pytest.approx(1.35 / 1.48)


def test_majority_of_the_figure_is_weak():
    """Figure 1: the chosen class has 38.7 % of 31 votes, that is 12."""
    votes = ["-2"] * 3 + ["-1"] * 6 + ["0"] * 12 + ["1"] * 7 + ["2"] * 3
    reference = accord.gold(Ratings.from_matrix([[v] for v in votes], orientation="annotators"))
    assert reference.written(0) == "0"
    assert reference.strength[0] == pytest.approx(0.387, abs=5e-4)
    assert reference.terms["weak_majority"] == 1.0


@pytest.fixture(scope="module")
def campaign():
    """93 sentences, 31 judges, two systems, 5 classes."""
    rng = np.random.default_rng(2011)
    truth = rng.integers(-2, 3, 93)

    def opinion(spread):
        return np.clip(truth + np.round(rng.normal(0, spread, 93)), -2, 2)

    judges = Ratings.from_matrix(
        np.stack([opinion(s) for s in rng.uniform(0.5, 1.2, 31)]), orientation="annotators"
    )
    systems = {
        "good": Ratings.from_matrix([opinion(0.6)], annotators=["good"]),
        "poor": Ratings.from_matrix([opinion(1.6)], annotators=["poor"]),
    }
    return judges, systems


def test_ranks_among_the_judges(campaign):
    judges, systems = campaign
    found = accord.rank(judges, systems)
    assert {r["of"] for r in found.systems} == {33}
    assert {"accuracy", "f1-macro", "pearson", "kappa", "weighted-accuracy"} <= set(found.measures)
    majority = accord.gold(judges, ties="first").to_ratings()
    for row in found.systems:
        if row["measure"] != "accuracy":
            continue
        scores = [p["scores"]["accuracy"] for p in found.participants]
        assert row["rank"] == 1 + sum(s > row["value"] + 1e-12 for s in scores)
        assert row["rank_low"] <= row["rank"] <= row["rank_high"]
        assert row["value"] == pytest.approx(
            accord.score(majority, systems[row["system"]]).value, abs=0.05
        )
    good, poor = ([r["rank"] for r in found.systems if r["system"] == s] for s in ("good", "poor"))
    assert max(good) < min(poor)


def test_paired_form_scores_both_against_the_others(campaign):
    judges, systems = campaign
    found = accord.rank(judges, systems, measures=["accuracy"], paired=True, resamples=100)
    row = next(r for r in found.paired if r["system"] == "good")
    assert row["duels"] == 31
    gaps = []
    for name in judges.annotators:
        others = judges.select(annotators=[a for a in judges.annotators if a != name])
        human = judges.select(annotators=[name])
        gaps.append(accord.score(others, systems["good"]).value - accord.score(others, human).value)
    assert row["mean_difference"] == pytest.approx(np.mean(gaps))
    assert row["rank"] == 1 + sum(g < -1e-12 for g in gaps)


def test_three_classes_from_five(campaign):
    judges, systems = campaign
    merges = {"-1": ["-2", "-1"], "1": ["1", "2"]}
    three = accord.read(judges.to_frame(), merge=merges)
    assert three.labels == ("-1", "0", "1")
    found = accord.score(three, accord.read(systems["good"].to_frame(), merge=merges))
    assert found.value > accord.score(judges, systems["good"]).value
