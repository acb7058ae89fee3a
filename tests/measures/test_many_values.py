"""Memory is bounded by the data, not by the square of its values: 20 000 numbers, no two alike."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

import accord
from accord.data import Ratings
from accord.distance import categories
from accord.distance.agreement_weights import agreement_loss
from accord.distance.categories import category_metric
from accord.errors import RefusedError, UsageError
from accord.measures import enrolled

#: refuses more values than it can fit a table of, or compare two by two, and says what to use
REFUSED = {"aickin"}
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}

PROGRAMME = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 * 2**30, 2 * 2**30))
import numpy as np
import accord

rng = np.random.default_rng(0)
people, asked = json.loads(sys.argv[1])
base = 10 + rng.normal(size=20_000 // people)
rows = [(base + 0.3 * rng.normal(size=len(base))).tolist() for _ in range(people)]
together = accord.Ratings.from_matrix(rows)
sides = [accord.Ratings.from_matrix([row]) for row in rows[:2]]
for question, name, options in asked:
    try:
        if question == "agree":
            found = accord.agree(together, name, ci="auto", resamples=100, **options)
        else:
            found = accord.score(*sides, name, ci="auto", resamples=100, **options)
        found = found if isinstance(found, accord.Result) else found[0]
        made = found.interval
        limits = None if made is None else [made.low, made.high]
        told = {"value": found.value, "interval": limits, "warnings": found.warnings}
    except accord.AccordError as problem:
        told = {"refused": str(problem)}
    except MemoryError:
        told = {"memory": True}
    print(json.dumps([name, told]), flush=True)
"""


def told_of(people: int, asked: list[tuple[str, str, dict[str, str]]]) -> list[tuple[str, dict]]:
    """What each measure says of 20 000 different numbers under 2 GB of addresses."""
    pytest.importorskip("resource")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMME, json.dumps([people, asked])],
        capture_output=True,
        text=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
        check=False,
    )
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(lines) == len(asked), done.stderr[-2000:]
    return [(name, told) for name, told in lines]


AGREE = enrolled(shape="ratings", question="agree")


@pytest.mark.parametrize("people", [2, 3])
def test_every_agreement_of_twenty_thousand_numbers(people):
    asked = [("agree", m.name, {}) for m in AGREE if people == 2 or m.name not in TWO_ONLY]
    asked += [
        ("agree", name, {"weights": w})
        for name in ("conger", "ac2")
        for w in ("linear", "quadratic", "ordinal", "circular")
    ]
    graded = ("interval", "ordinal", "linear", "ratio", "bipolar")
    asked += [("agree", "alpha", {"metric": m}) for m in graded]
    asked += [("agree", name, {"metric": "interval"}) for name in ("ks", "sigma")]
    for name, told in told_of(people, asked):
        if name in REFUSED or (name == "light" and "refused" in told):
            assert "use " in told["refused"], name
            continue
        assert "value" in told, (name, told)
        assert told["interval"] is not None, (name, told)
        low, high = told["interval"]
        assert low <= told["value"] <= high


def test_every_score_of_twenty_thousand_numbers():
    asked = [("score", m.name, {}) for m in enrolled(shape="ratings", question="score")]
    for name, told in told_of(2, asked):
        assert "memory" not in told, name
        if "refused" not in told and told["value"] == told["value"]:
            reason = any("no interval" in w for w in told["warnings"])
            assert told["interval"] is not None or reason, (name, told)


def test_the_confusions_of_many_values_are_those_that_met():
    """A table of all pairs of 40 000 values would take 12 GB; those that met are 20 000."""
    rng = np.random.default_rng(1)
    data = Ratings.from_matrix(rng.normal(size=(2, 20_000)).tolist())
    rows = accord.agree(data, "percent", ci="none", by="confusion").by["confusion"]
    assert len(rows) == 20_000
    assert {row["items"] for row in rows} == {1}


@pytest.mark.parametrize("weights", ["radical", "ratio", "bipolar"])
def test_weights_of_all_pairs_are_refused_of_too_many_values(weights):
    numbers = (1 + np.arange(4_000.0)).tolist()
    data = Ratings.from_matrix([numbers, numbers[::-1]])
    with pytest.raises(UsageError, match="use quadratic or linear weights, or alpha"):
        accord.agree(data, "conger", weights=weights)
    with pytest.raises(RefusedError, match="use weighted-kappa, or alpha"):
        accord.agree(data, "aickin")


# --- the same values as with all pairs of values in a matrix --------------------------------------


def matrix_of(weights: str, x: np.ndarray) -> np.ndarray:
    """The q × q matrix of agreement weights, as Gwet (2014) writes them."""
    q, low, high = len(x), x.min(), x.max()
    apart, total = np.abs(x[:, None] - x), x[:, None] + x
    steps = np.abs(np.arange(q)[:, None] - np.arange(q))
    if weights == "bipolar":
        with np.errstate(invalid="ignore"):
            loss = apart**2 / ((total - 2 * low) * (2 * high - total))
        loss[apart == 0] = 0
        return 1 - loss / loss.max()
    if weights == "circular":
        loss = np.sin(np.pi * apart / (high - low + 1)) ** 2
        return 1 - loss / loss.max()
    return {
        "identity": np.eye(q),
        "linear": 1 - apart / (high - low),
        "quadratic": 1 - (apart / (high - low)) ** 2,
        "radical": 1 - np.sqrt(apart / (high - low)),
        "ordinal": 1 - steps * (steps + 1) / (q * (q - 1)),
        "ratio": 1 - (apart / total) ** 2 / ((high - low) / (high + low)) ** 2,
    }[weights]


WEIGHTS = ("identity", "linear", "quadratic", "radical", "ordinal", "ratio", "circular", "bipolar")


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("seed", range(4))
def test_weights_are_those_of_the_matrix(weights, seed):
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(np.arange(1, 60), 12, replace=False) / 4)
    loss = agreement_loss(weights, tuple(x.tolist()), tuple(map(str, x)), kind="numbers")
    dense = matrix_of(weights, x)
    index = np.arange(len(x))
    assert np.allclose(1 - loss.pairs(index[:, None], index), dense, atol=1e-13)
    share = rng.dirichlet(np.ones(len(x)), size=5)
    totals = share if loss.moments is None else share @ loss.moments
    expected = np.einsum("bi,ij,bj->b", share, dense, share)
    assert np.allclose(1 - loss.expected(totals), expected, atol=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("people", [2, 3])
def test_coefficients_are_those_of_the_matrix(weights, people):
    """A_o and A_e of S, π, κ and AC2 from their definitions, gaps among the data."""
    rng = np.random.default_rng(people)
    codes = rng.integers(0, 6, size=(people, 30))
    codes[0, :3] = -1
    values = np.array([0.5, 1, 2, 3.5, 4, 7])
    data = Ratings.from_matrix(
        [[None if c < 0 else values[c] for c in row] for row in codes], categories=values.tolist()
    )
    assert tuple(data.values) == tuple(values)
    w, q = matrix_of(weights, values), 6
    agreed, shares = [], []
    for item in codes.T:
        own = item[item >= 0]
        shares.append(np.bincount(own, minlength=q) / len(own))
        if len(own) >= 2:
            pairs = [w[a, b] for i, a in enumerate(own) for j, b in enumerate(own) if i != j]
            agreed.append(np.mean(pairs))
    A_o, pi = np.mean(agreed), np.mean(shares, axis=0)
    urns = [np.bincount(row[row >= 0], minlength=q) / (row >= 0).sum() for row in codes]
    between = [urns[g] @ w @ urns[h] for g in range(people) for h in range(people) if g != h]
    chance = {
        "s": w.sum() / q**2,
        "fleiss": pi @ w @ pi,
        "conger": np.mean(between),
        "ac2": w.sum() / (q * (q - 1)) * (pi * (1 - pi)).sum(),
    }
    for name, A_e in chance.items():
        found = accord.agree(data, name, weights=weights)
        assert found.observed == pytest.approx(A_o, abs=1e-12)
        assert found.expected == pytest.approx(A_e, abs=1e-12)
        assert found.value == pytest.approx((A_o - A_e) / (1 - A_e), abs=1e-12)


@pytest.mark.parametrize("metric", ["ratio", "bipolar"])
@pytest.mark.parametrize("spread", [0.001, 1.0, 30.0])
def test_distances_of_many_values_are_summed_without_their_pairs(metric, spread, monkeypatch):
    """The points that stand for the values are as far apart as the formula says, 0 among them."""
    rng = np.random.default_rng(3)
    values = sorted([0.0][: spread > 0.5] + np.exp(spread * rng.normal(size=200)).tolist())
    pairs = category_metric(metric, values, kind="numbers")
    monkeypatch.setattr(categories, "_FEW", 1)
    points = category_metric(metric, values, kind="numbers")
    assert pairs.moments is None
    assert points.moments is not None
    assert np.array_equal(points.matrix(), pairs.matrix())
    z = points.moments[:, 2:]
    between = ((z[:, None] - z[None]) ** 2).sum(axis=-1)
    assert between == pytest.approx(pairs.matrix(), rel=1e-5, abs=1e-12)
    counts = rng.integers(0, 5, size=(4, len(values))).astype(float)
    found, expected = points.expected(counts @ points.moments), pairs.expected(counts)
    assert found == pytest.approx(expected, rel=1e-11)


def test_units_that_are_too_many_to_be_left_out_singly_go_in_groups(monkeypatch):
    """The interval of very many statistics: the error of 200 groups is near that of each unit."""
    from accord.uncertainty import jackknife

    rng = np.random.default_rng(2)
    base = rng.normal(size=1_000)
    data = Ratings.from_matrix([(base + 0.3 * rng.normal(size=1_000)).tolist() for _ in range(2)])
    exact = accord.agree(data, "conger", weights="linear", ci="jackknife").interval
    monkeypatch.setattr(jackknife, "_MOST_STATISTICS", 1_000)
    grouped = accord.agree(data, "conger", weights="linear", ci="jackknife").interval
    widths = [i.high - i.low for i in (exact, grouped)]
    assert widths[1] == pytest.approx(widths[0], rel=0.15)
    assert widths[1] != widths[0]
    assert all(a < b for a, b in pairwise(sorted(widths)))
