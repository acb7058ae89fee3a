"""References from votes: ties, thresholds, unanimity, numbers, sets, groups, worklist."""

import numpy as np
import pytest

import accord
from accord.data import Ratings
from accord.errors import InputError, UsageError
from accord.gold import worklist


@pytest.fixture
def table6():
    """Three humans of Mathet & Widlöcher (2016), Table 6."""
    return Ratings.from_matrix(
        [list("ABCAAB"), list("ABCBBB"), list("ABCABA")], annotators=["H1", "H2", "H3"]
    )


def written(reference):
    return [reference.written(i) for i in range(len(reference))]


def test_majority(table6):
    reference = accord.gold(table6, "majority")
    assert "".join(written(reference)) == "ABCABB"
    assert reference.confidence == pytest.approx([1, 1, 1, 2 / 3, 2 / 3, 2 / 3])
    assert reference.dissent(4) == ("H1",)
    assert [row["agreement"] for row in reference.annotators] == pytest.approx([5 / 6] * 3)
    assert reference.terms["weak_majority"] == 0


def test_ties_follow_the_policy():
    data = Ratings.from_matrix([["b", "x"], ["a", "x"]], items=["i", "j"])
    assert written(accord.gold(data)) == ["", "x"]
    assert written(accord.gold(data, ties="first")) == ["a", "x"]
    assert accord.gold(data).terms["ties"] == 1
    with pytest.raises(InputError, match="1 of 2 items tie: 'i'"):
        accord.gold(data, ties="error")
    draws = {written(accord.gold(data, ties="random", seed=s))[0] for s in range(20)}
    assert draws == {"a", "b"}
    with pytest.raises(UsageError, match="ties must be"):
        accord.gold(data, ties="split")


def test_random_ties_do_not_depend_on_the_order_of_rows():
    names = [f"i{k}" for k in range(40)]
    one = Ratings.from_matrix([["a"] * 40, ["b"] * 40], items=names)
    two = Ratings.from_matrix([["b"] * 40, ["a"] * 40], items=names[::-1])
    first, second = (accord.gold(d, ties="random", seed=3) for d in (one, two))
    assert written(first) == written(second)[::-1]


def test_weak_majorities_are_always_shown():
    votes = [["a", "a"], ["a", "a"], ["b", "a"], ["c", "a"], ["d", "b"]]
    reference = accord.gold(Ratings.from_matrix(votes, orientation="annotators"))
    assert reference.strength == pytest.approx([0.4, 0.8])
    assert reference.terms["weak_majority"] == 0.5
    assert any("under half the votes on 1 of 2 items" in w for w in reference.warnings)


def test_threshold():
    data = Ratings.from_matrix([["a", "a"], ["a", "b"], ["a", "a"]], orientation="annotators")
    assert written(accord.gold(data, threshold=0.9)) == ["a", ""]


def test_unanimity_measures_its_bias(table6):
    reference = accord.gold(table6, "unanimity")
    assert "".join(written(reference)) == "ABC"
    bias = reference.terms["unanimity"]
    assert bias["kept"] == 0.5
    assert bias["kept_distribution"] == pytest.approx({"A": 1 / 3, "B": 1 / 3, "C": 1 / 3})
    assert bias["dropped_distribution"] == pytest.approx({"A": 4 / 9, "B": 5 / 9, "C": 0})
    assert bias["shift"] == pytest.approx(1 / 3)
    # on the items where the two others agree: 3 of 3 and one dissent each
    assert bias["accuracy_unanimous"] == pytest.approx(9 / 12)
    assert bias["accuracy_all"] == pytest.approx((9 + 6 * 0.5) / 18)
    assert bias["inflation"] > 0


def test_given_weights_decide_a_weighted_vote():
    data = Ratings.from_matrix([["a"], ["b"], ["b"]], annotators=["X", "Y", "Z"])
    assert written(accord.gold(data, "weighted", weights={"X": 3.0})) == ["a"]
    with pytest.raises(InputError, match="unknown annotator 'Q'"):
        accord.gold(data, "weighted", weights={"Q": 1.0})


def test_numbers():
    data = Ratings.from_matrix([[1.0, 4, 2], [2.0, 4, None], [6.0, 5, 4]])
    assert accord.gold(data, "mean").to_ratings().numbers.tolist() == pytest.approx(
        [3, 13 / 3]
    )  # both 3.0: item 1 and item 3
    assert written(accord.gold(data, "median")) == ["2", "4", "3"]
    with pytest.raises(UsageError, match="numeric values"):
        accord.gold(Ratings.from_matrix([["a"], ["b"]], orientation="annotators"), "mean")


def test_median_against_numpy():
    rng = np.random.default_rng(0)
    matrix = rng.integers(0, 10, (6, 50)).astype(float)
    found = accord.gold(Ratings.from_matrix(matrix, orientation="annotators"), "median")
    assert [float(v) for v in written(found)] == np.median(matrix, axis=0).tolist()


def test_bias_and_noise_are_found():
    rng = np.random.default_rng(1)
    truth = rng.normal(50, 10, 400)
    bias, noise = np.array([5.0, -3, 0, -2, 0]), np.array([1.0, 2, 4, 8, 3])
    matrix = truth + bias[:, None] + noise[:, None] * rng.normal(size=(5, 400))
    matrix[rng.random((5, 400)) < 0.2] = np.nan
    found = accord.gold(Ratings.from_matrix(matrix, orientation="annotators"), "bias-noise")
    rows = found.annotators
    assert [r["bias"] for r in rows] == pytest.approx(list(bias), abs=0.7)
    assert [r["noise"] for r in rows] == pytest.approx(list(noise), abs=0.5)
    values = np.array([float(found.written(i)) for i in range(400)])
    plain = np.nanmean(matrix, axis=0)
    assert np.std(values - truth) < 0.6 * np.std(plain - truth)
    trace = found.estimate.objective
    assert np.all(np.diff(trace) >= -1e-8 * abs(trace[-1]))
    # the stated errors are honest
    z = (values - truth - np.mean(values - truth)) / found.error
    assert np.std(z) == pytest.approx(1, abs=0.15)


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "one-coin", "mace"])
def test_sets_of_labels(method):
    data = Ratings.from_matrix(
        [[["a", "b"], ["a"], ["c"]], [["a", "b"], ["a", "c"], ["c"]], [["b", "a"], ["a"], ["c"]]]
    )
    reference = accord.gold(data, method)
    assert written(reference) == ["a|b", "a", "c"]
    assert reference.labels == ("a", "b", "c")


def test_correlated_groups_lose_weight():
    rng = np.random.default_rng(0)
    n = 400
    truth = rng.integers(0, 2, n)

    def flip(rate):
        return np.where(rng.random(n) < rate, 1 - truth, truth)

    shared = flip(0.35)
    models = [np.where(rng.random(n) < 0.05, 1 - shared, shared) for _ in range(5)]
    humans = [flip(0.1), flip(0.1)]
    data = Ratings.from_matrix(
        np.stack([*humans, *models]), annotators=["H1", "H2", *(f"M{i}" for i in range(5))]
    )
    groups = {"models": [f"M{i}" for i in range(5)]}
    naive, aware = accord.gold(data), accord.gold(data, groups=groups, ties="first")
    block = aware.groups[0]
    assert block["effective"] < 2
    assert block["error_correlation"] > 0.6
    assert aware.effective_annotators == pytest.approx(2 + block["effective"])

    def right(reference):
        return np.mean([reference.written(i) == str(truth[i]) for i in range(n)])

    assert right(aware) > right(naive) + 0.1


def test_unanimous_humans_are_not_overturned_in_silence():
    matrix = [["a"] * 12, ["a"] * 12] + [["b"] * 6 + ["a"] * 6] * 4
    names = ["H1", "H2", "M1", "M2", "M3", "M4"]
    data = Ratings.from_matrix(matrix, annotators=names)
    # members that never differ cannot show a correlation with each other's errors below 1
    reference = accord.gold(data, groups={"M": names[2:]})
    assert written(reference) == ["a"] * 12
    # a model that trusts them all the same is caught
    told = accord.gold(data, "majority", groups={"M": names[2:]}, weights={"H1": 0.1, "H2": 0.1})
    assert len(told.overturned) == 6
    assert any("contradicts annotators outside" in w for w in told.warnings)
    assert all("contradicts" in row["reason"] for row in worklist(told)[:6])


def test_worklist_is_ordered_by_gain_and_can_be_blind(table6):
    reference = accord.gold(table6)
    rows = worklist(reference)
    assert [r["item"] for r in rows] == ["4", "5", "6"]
    assert rows[0]["votes"] == "A: H1, H3; B: H2"
    assert rows[0]["gain"] == pytest.approx(1 / 3, abs=1e-6)
    blind = worklist(reference, blind=True)
    assert "votes" not in blind[0]
    assert "proposed" not in blind[0]


def test_reference_is_one_more_annotator(table6):
    whole = accord.gold(table6).together("gold")
    assert whole.annotators == ("H1", "H2", "H3", "gold")
    assert accord.agree(whole.select(annotators=["H1", "gold"]), "percent").value == pytest.approx(
        5 / 6
    )


def test_foreign_options_and_items_are_refused(table6):
    with pytest.raises(UsageError, match="majority has no option 'restarts'"):
        accord.gold(table6, "majority", restarts=3)
    with pytest.raises(InputError, match="known values name 1 items that the data lack"):
        accord.gold(table6, known={"99": "A"})
    with pytest.raises(UsageError, match="method must be one of"):
        accord.gold(table6, "magic")
    with pytest.raises(UsageError, match="two groups"):
        accord.gold(table6, groups={"x": ["H1", "H2"], "y": ["H2", "H3"]})


def test_item_without_ratings_gets_no_value():
    data = Ratings.from_matrix([["a", None], ["a", None]])
    for method in ("majority", "dawid-skene", "mace", "glad", "one-coin", "minimax-entropy"):
        assert written(accord.gold(data, method)) == ["a", ""], method
