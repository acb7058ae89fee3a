"""Scores on ratings against direct formulas."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings
from accord.errors import InputError, UsageError
from accord.measures import enrolled

NAMES = [m.name for m in enrolled(shape="ratings", question="score")]
CONTRACT = {
    "accuracy", "precision", "recall", "f1-macro", "f1-micro", "pearson", "spearman",
    "weighted-accuracy", "observed-agreement", "fuzzy-distance", "alpha-to-distribution",
    "cross-entropy", "kl", "jsd", "js-distance", "manhattan", "emd", "entropy-correlation",
    "baseline", "brier", "log-loss", "ece",
}  # fmt: skip


def ratings(rows, **options) -> Ratings:
    return Ratings.from_matrix(rows, **options)


def one(row, name="system") -> Ratings:
    return Ratings.from_matrix([row], annotators=[name])


def test_all_names_of_the_contract_exist():
    assert set(NAMES) >= CONTRACT


codes = st.lists(st.integers(0, 3), min_size=3, max_size=20)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_precision_recall_f_by_definition(data):
    y = data.draw(codes)
    x = data.draw(st.lists(st.integers(0, 3), min_size=len(y), max_size=len(y)))
    classes = sorted({*y, *x})
    P, R, F = [], [], []
    for k in classes:
        tp = sum(a == b == k for a, b in zip(y, x, strict=True))
        P.append(tp / x.count(k) if x.count(k) else 0.0)
        R.append(tp / y.count(k) if y.count(k) else 0.0)
        F.append(2 * tp / (x.count(k) + y.count(k)))
    reference, system = one([str(v) for v in y], "reference"), one([str(v) for v in x])

    def value(name, **options):
        return accord.score(reference, system, name, **options).value

    right = np.mean([a == b for a, b in zip(y, x, strict=True)])
    assert value("accuracy") == pytest.approx(right)
    assert value("f1-micro") == pytest.approx(right)
    assert value("precision") == pytest.approx(np.mean(P))
    assert value("recall") == pytest.approx(np.mean(R))
    assert value("f1-macro") == pytest.approx(np.mean(F))
    assert value("recall", average="weighted") == pytest.approx(right)
    assert value("weighted-accuracy") == pytest.approx(right)
    assert value("observed-agreement") == pytest.approx(right)
    assert value("baseline") == pytest.approx(sum((y.count(k) / len(y)) ** 2 for k in classes))


def test_neutral_class_is_no_decision():
    reference = one(["pos", "neg", "neu", "pos", "neg", "neu"], "reference")
    system = one(["pos", "neu", "neu", "neg", "neg", "pos"])
    # decided: pos, neg, neg, pos; right: two; the reference decides four
    found = {
        m: accord.score(reference, system, m, neutral="neu", **o).value
        for m, o in (("precision", {"average": "micro"}), ("recall", {"average": "micro"}))
    }
    assert found == {"precision": pytest.approx(2 / 4), "recall": pytest.approx(2 / 4)}
    f = accord.score(reference, system, "f1-micro", neutral="neu")
    assert f.value == pytest.approx(0.5)
    with pytest.raises(UsageError, match="neutral class 'x' does not occur"):
        accord.score(reference, system, "f1-micro", neutral="x")


@pytest.fixture(scope="module")
def many():
    rng = np.random.default_rng(0)
    judges = rng.integers(0, 5, (7, 60)).astype(float)
    judges[rng.random((7, 60)) < 0.2] = np.nan
    system = rng.integers(0, 5, 60).astype(float)
    return judges, system


def shares(judges, K=5):
    return np.array([[np.sum(col == k) for k in range(K)] for col in judges.T]) / np.sum(
        ~np.isnan(judges), axis=0
    ).reshape(-1, 1)


def test_soft_scores_by_definition(many):
    judges, system = many
    p = shares(judges)
    q = np.eye(5)[system.astype(int)]
    m = (p + q) / 2

    def kl(a, b):
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.sum(np.where(a > 0, a * np.log2(a / b), 0), axis=1)

    js = (kl(p, m) + kl(q, m)) / 2
    clipped = np.log(np.maximum(q, 1e-3))
    entropy = -np.sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1)), 0), axis=1)
    expected = {
        "manhattan": np.abs(p - q).sum(axis=1).mean(),
        "jsd": js.mean(),
        "js-distance": np.sqrt(js).mean(),
        "emd": np.abs(np.cumsum(p - q, axis=1)).sum(axis=1).mean(),
        "fuzzy-distance": (1 - p[np.arange(60), system.astype(int)]).mean(),
        "weighted-accuracy": p[np.arange(60), system.astype(int)].sum() / p.max(axis=1).sum(),
    }
    reference, answers = ratings(judges), one(system)
    for name, value in expected.items():
        assert accord.score(reference, answers, name).value == pytest.approx(value), name
    h = -np.sum(p * clipped, axis=1)
    found = accord.score(reference, answers, "cross-entropy", clip=1e-3)
    assert found.value == pytest.approx(h.mean())
    assert "clip:0.001" in found.signature
    assert found.terms["floor"] == pytest.approx(entropy.mean())
    assert accord.score(reference, answers, "kl", clip=1e-3).value == pytest.approx(
        (h - entropy).mean()
    )


def test_an_ensemble_is_a_distribution(many):
    judges, _ = many
    reference = ratings(judges)
    same = accord.score(reference, ratings(judges), "jsd")
    assert same.value == pytest.approx(0, abs=1e-12)
    assert accord.score(reference, ratings(judges), "entropy-correlation").value == pytest.approx(1)


def test_alpha_to_distribution_by_definition(many):
    judges, system = many
    p = shares(judges)
    d2 = (np.arange(5)[:, None] - np.arange(5)) ** 2
    observed = np.mean([p[i] @ d2[int(system[i])] for i in range(60)])
    pool = p.mean(axis=0)
    found = accord.score(ratings(judges), one(system), "alpha-to-distribution", metric="interval")
    assert found.value == pytest.approx(1 - observed / (pool @ d2 @ pool))
    assert found.observed == pytest.approx(observed)


def test_correlations_against_scipy(many):
    from scipy import stats

    judges, system = many
    truth = np.nanmean(judges, axis=0)
    reference, answers = ratings([truth], annotators=["reference"]), one(system)
    assert accord.score(reference, answers, "pearson").value == pytest.approx(
        stats.pearsonr(truth, system).statistic
    )
    assert accord.score(reference, answers, "spearman").value == pytest.approx(
        stats.spearmanr(truth, system).statistic
    )
    assert accord.score(ratings(judges), answers, "pearson", target="mean").value == pytest.approx(
        stats.pearsonr(truth, system).statistic
    )


def test_observed_agreement_with_a_metric():
    reference, system = one([0.0, 1, 2, 4], "reference"), one([0.0, 2, 2, 0])
    found = accord.score(reference, system, "observed-agreement", metric="interval")
    assert found.value == pytest.approx(1 - (1 + 16) / 4 / 16)
    assert found.terms["D_o"] == pytest.approx(17 / 4)


def test_ties_split_the_item():
    judges = ratings([["a", "x"], ["b", "x"]])
    for answer, value in (("a", 0.75), ("b", 0.75), ("c", 0.5)):
        assert accord.score(judges, one([answer, "x"])).value == pytest.approx(value)
    assert accord.score(judges, one(["b", "x"]), ties="first").value == 0.5
    left = accord.score(judges, one(["c", "x"]), ties="abstain")
    assert (left.value, left.n) == (1.0, 1)
    with pytest.raises(InputError, match="tie on 1 of 2"):
        accord.score(judges, one(["c", "x"]), ties="error")


def test_unanswered_items_are_errors_and_foreign_ones_are_named():
    reference = ratings([["a", "b", "a"]], annotators=["reference"], items=["1", "2", "3"])
    system = ratings([["a", "b"]], annotators=["s"], items=["1", "9"])
    found = accord.score(reference, system)
    assert found.value == pytest.approx(1 / 3)
    assert any("no answer on 2 of 3" in w for w in found.warnings)
    assert any("not in the reference: '9'" in w for w in found.warnings)
    other = ratings([["a"]], annotators=["s"], items=["77"])
    with pytest.raises(InputError, match="answers none of the items"):
        accord.score(reference, other)


def test_breakdowns(many):
    judges, system = many
    names = ("category", "majority", "difficulty", "unanimous", "item")
    found = accord.score(ratings(judges), one(system), "accuracy", by=names)
    for name in names:
        rows = found.by[name]
        assert sum(r["n"] for r in rows) == 60
        mean = sum(r["value"] * r["n"] for r in rows) / 60
        assert mean == pytest.approx(found.value), name
    with pytest.raises(UsageError, match="no breakdown by"):
        accord.score(ratings(judges), one(system), "baseline", by=("item",))


@pytest.mark.parametrize("name", sorted(CONTRACT))
def test_a_system_like_the_reference_is_best(name):
    record = next(m for m in enrolled() if m.name == name)
    row = [0.0, 1, 2, 3, 1, 0]
    found = accord.score(one(row, "reference"), one(row), name)
    best = {"baseline": 10 / 36, "cross-entropy": 0.0, "kl": 0.0}.get(
        name, 1.0 if record.similarity else 0.0
    )
    if name == "entropy-correlation":
        assert math.isnan(found.value)
        assert "never hesitates" in found.undefined
    else:
        assert found.value == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("name", sorted(CONTRACT - {"entropy-correlation"}))
def test_order_and_intervals(name, many):
    judges, system = many
    first = accord.score(ratings(judges), one(system), name, ci="bootstrap", resamples=200)
    order = np.random.default_rng(1).permutation(60)
    names = [f"i{i}" for i in range(60)]
    moved = accord.score(
        ratings(judges[::-1][:, order], items=[names[i] for i in order]),
        ratings([system], annotators=["s"], items=names),
        name,
    )
    assert moved.value == pytest.approx(first.value, abs=1e-9)
    assert first.interval.low <= first.value + 0.05
    assert first.interval.high >= first.value - 0.05
    assert first.interval.low < first.interval.high


@pytest.mark.parametrize("name", sorted(CONTRACT - {"entropy-correlation"}))
def test_item_weights_count_items(name, many):
    from dataclasses import replace

    judges, system = many
    twice = np.r_[np.arange(60), np.arange(20)]
    weights = np.where(np.arange(60) < 20, 2.0, 1.0)
    weighted = accord.score(replace(ratings(judges), weights=weights), one(system), name)
    repeated = accord.score(ratings(judges[:, twice]), one(system[twice]), name)
    assert weighted.value == pytest.approx(repeated.value, abs=1e-9)
