"""Intervals and comparisons: against loops over the definition, and by coverage."""

import numpy as np
import pytest

import accord
from accord.data import Ratings
from accord.errors import UsageError
from accord.uncertainty import compare, interval, replicates
from tests.oracles.strategies import random_matrix


def agreeing(rng, items, annotators=3, q=3, noise=0.3):
    truth = rng.integers(0, q, items)
    return [
        [int(rng.integers(q)) if rng.random() < noise else int(t) for t in truth]
        for _ in range(annotators)
    ]


@pytest.mark.parametrize("name", ["alpha", "fleiss", "conger", "ac1", "light"])
def test_jackknife_is_leave_one_out(name):
    matrix = random_matrix(np.random.default_rng(1), 3, 12, 3, 0.1)
    whole = accord.agree(Ratings.from_matrix(matrix, orientation="annotators"), name)
    values = [
        accord.agree(
            Ratings.from_matrix([r[:i] + r[i + 1 :] for r in matrix], categories=list("012")), name
        ).value
        for i in range(12)
    ]
    n = len(values)
    error = np.sqrt((n - 1) / n * ((np.array(values) - np.mean(values)) ** 2).sum())
    got = interval(whole, "jackknife").terms["standard_error"]
    assert got == pytest.approx(error, rel=1e-9)


@pytest.mark.parametrize("metric", ["nominal", "interval", "ordinal"])
def test_bootstrap_draws_items(metric):
    """Replicates have the distribution of recomputing alpha on drawn items."""
    rng = np.random.default_rng(0)
    matrix = np.array(agreeing(rng, 40))
    data = Ratings.from_matrix(matrix.tolist())
    sample = accord.agree(data, "alpha", metric=metric).sample
    fast = replicates(sample, 4000, seed=1)
    loop = [
        accord.agree(
            Ratings.from_matrix(matrix[:, rng.integers(0, 40, 40)].tolist()), "alpha", metric=metric
        ).value
        for _ in range(300)
    ]
    assert np.mean(fast) == pytest.approx(np.mean(loop), abs=0.02)
    assert np.std(fast) == pytest.approx(np.std(loop), rel=0.2)


@pytest.mark.parametrize("name", ["fleiss", "ac1", "conger", "s", "alpha"])
def test_analytic_is_close_to_jackknife_on_many_items(name):
    data = Ratings.from_matrix(agreeing(np.random.default_rng(2), 400))
    result = accord.agree(data, name)
    analytic = interval(result, "analytic").terms["standard_error"]
    jackknife = interval(result, "jackknife").terms["standard_error"]
    assert analytic == pytest.approx(jackknife, rel=0.02)


def test_documents_are_resampled_whole():
    rng = np.random.default_rng(3)
    items = [f"{d}-{i}" for d in range(10) for i in range(10)]
    truth = np.repeat(rng.integers(0, 2, 10), 10)  # one category per document: clustered
    rows = [
        (item, a, int(t) if rng.random() < 0.8 else 1 - int(t), item.split("-")[0])
        for item, t in zip(items, truth, strict=True)
        for a in ("A", "B")
    ]
    from accord.data.tables import ratings_from_long

    columns = list(zip(*rows, strict=True))
    data = ratings_from_long(columns[0], columns[1], columns[2], documents=columns[3])
    result = accord.agree(data, "alpha")
    by_document = interval(result, "bootstrap").interval
    by_item = interval(result, "bootstrap", unit="item").interval
    assert by_document.method == "bootstrap:document"
    assert by_item.method == "bootstrap:item"
    rows_by_document = accord.agree(data, "alpha", by=["document"]).by["document"]
    assert len(rows_by_document) == 10


def test_coverage_of_the_item_bootstrap():
    """A nominal 90 % interval covers the value of the population about nine times in ten."""
    rng = np.random.default_rng(5)
    population = np.array(agreeing(rng, 4000))
    truth = accord.agree(Ratings.from_matrix(population.tolist()), "alpha").value
    hits = 0
    for seed in range(60):
        drawn = population[:, rng.integers(0, 4000, 100)]
        found = accord.agree(
            Ratings.from_matrix(drawn.tolist()),
            "alpha",
            ci="bootstrap",
            level=0.9,
            seed=seed,
            resamples=300,
        ).interval
        hits += found.low <= truth <= found.high
    assert 44 <= hits <= 60


def test_krippendorffs_bootstrap_is_narrower_and_says_so():
    data = Ratings.from_matrix(agreeing(np.random.default_rng(4), 60, annotators=6))
    result = accord.agree(data, "alpha")
    his, ours = interval(result, "krippendorff"), interval(result, "bootstrap")
    assert his.interval.high - his.interval.low < ours.interval.high - ours.interval.low
    assert any("too narrow" in w for w in his.warnings)
    with pytest.raises(UsageError, match="alpha only"):
        interval(accord.agree(data, "fleiss"), "krippendorff")


def test_compare_two_measures_on_the_same_items_is_paired():
    data = Ratings.from_matrix(agreeing(np.random.default_rng(6), 80))
    alpha, percent = accord.agree(data, "alpha"), accord.agree(data, "percent")
    found = compare(percent, alpha)
    assert found.paired
    assert found.difference == pytest.approx(percent.value - alpha.value)
    assert found.interval.low > 0
    assert found.p is None  # they answer two questions
    assert compare(alpha, alpha).difference == 0


def test_compare_two_campaigns_is_independent():
    first = accord.agree(
        Ratings.from_matrix(agreeing(np.random.default_rng(7), 200, noise=0.1)), "alpha"
    )
    other = Ratings.from_matrix(agreeing(np.random.default_rng(8), 150, noise=0.6))
    found = compare(first, accord.agree(other, "alpha"))
    assert not found.paired
    assert found.interval.low > 0


def test_too_few_units_leave_a_warning_not_an_interval():
    result = accord.agree(
        Ratings.from_matrix([["a"], ["b"]], orientation="annotators"), "alpha", ci="bootstrap"
    )
    assert result.interval is None
    assert any("at least two items" in w for w in result.warnings)
