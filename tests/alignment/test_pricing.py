"""Tuples priced out against tuples listed, floors against optima, and the kernels against oracles."""

from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment, linprog

from accord.alignment import blocks, prices, pricing
from accord.alignment import candidates as listing
from accord.alignment.align import align
from accord.alignment.batch import Batch
from accord.alignment.blocks import block_floor
from accord.alignment.candidates import find_candidates, find_pairs
from accord.alignment.exact import least_mean, least_sum
from accord.alignment.floors import least_cost, unit_floor
from accord.alignment.programme import Master
from accord.data import Units
from accord.data.continuum import documents_of
from accord.distance.units import unit_dissimilarity
from accord.errors import UsageError
from accord.kernels.exchange import exchange_units
from accord.kernels.matching import matching_costs
from accord.kernels.pricing import priced_tuples
from tests.alignment.test_alignment import random_units
from tests.kernels.test_kernels import uncompiled

DENSE = [
    (3, 12, 0.7, 0.2),
    (3, 12, 0.7, None),
    (4, 7, 2.0, None),
    (5, 5, 0.7, 0.3),
    (6, 4, 3.0, None),
    (7, 2, 0.7, None),
    (8, 2, 0.7, 0.3),
]


@pytest.fixture
def unlisted(monkeypatch):
    monkeypatch.setattr(listing, "MOST", 0)
    monkeypatch.setattr(listing, "MOST_PER_UNIT", 0)


def problem(n: int, p: int, spread: float, noise: float | None, seed: int = 0):
    """The continuum, its candidates (none listed) and the pairs they come from."""
    data = random_units(n, p, seed=seed, spread=spread, noise=noise)
    (document,) = documents_of(data)
    batch, d = Batch.of([document.continuum]), unit_dissimilarity(data.categories)
    candidates = find_candidates(batch, find_pairs(batch, d), d.delta)
    assert candidates.near is not None
    return document.continuum, candidates, candidates.near


def all_tuples(near, annotators: int):
    """(units, Σ close) of every tuple of near units, by trying them all."""
    pair = {}
    for i in range(len(near.annotator)):
        for e in range(near.indptr[i], near.indptr[i + 1]):
            pair[i, int(near.other[e])] = int(near.close[e])
    own = [[None, *np.flatnonzero(near.annotator == a).tolist()] for a in range(annotators)]
    for choice in product(*own):
        units = tuple(u for u in choice if u is not None)
        if len(units) > 1 and all(two in pair for two in combinations(units, 2)):
            yield units, sum(pair[two] for two in combinations(units, 2))


@pytest.mark.parametrize(("n", "p", "spread", "noise"), DENSE)
@pytest.mark.parametrize("objective", ["gamma", "holistic"])
def test_the_same_alignment_as_listed(n, p, spread, noise, objective, monkeypatch):
    for seed in range(3):
        data = random_units(n, p, seed=seed, spread=spread, noise=noise)
        with monkeypatch.context() as patch:
            patch.setattr(listing, "MOST", 10**7)
            (listed,) = align(data, objective=objective)
            patch.setattr(listing, "MOST", 0)
            patch.setattr(listing, "MOST_PER_UNIT", 0)
            (priced,) = align(data, objective=objective)
        assert listed.candidates is not None
        assert priced.candidates is None
        assert priced.proven
        assert priced.disorder == pytest.approx(listed.disorder, abs=1e-12)
        np.testing.assert_array_equal(priced.members, listed.members)
        assert priced.greedy == pytest.approx(listed.greedy, abs=1e-12)


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize(("n", "p"), [(3, 4), (4, 3), (5, 2), (6, 2)])
def test_search_finds_every_tuple_within_the_limit(n, p):
    _, candidates, near = problem(n, p, 2.0, None)
    columns = candidates.columns()
    digits = round(columns.one / candidates.empty)
    bonus = candidates.empty * digits - 1
    rng = np.random.default_rng(n)
    price = np.rint(rng.random(columns.units) * 1.2 * columns.one).astype(np.int64)
    slack = {
        units: int(price[list(units)].sum()) - (len(units) - 1) * bonus - close * digits
        for units, close in all_tuples(near, n)
    }
    for limit in (-1, round(0.3 * columns.one)):
        expected = {units for units, value in slack.items() if value <= limit}
        arguments = (
            near.indptr, near.other, near.close * digits, near.annotator, n, 0, columns.units, bonus,
            price, limit, False, 10**6, 10**9,
        )  # fmt: skip
        offsets, member, close, least, finished, _ = priced_tuples(*arguments)
        found = [tuple(member[a:b].tolist()) for a, b in pairwise(offsets)]
        assert finished
        assert len(found) == len(set(found))
        assert set(found) == expected != set()
        assert [c // digits for c in close.tolist()] == [
            dict(all_tuples(near, n))[u] for u in found
        ]
        for unit in range(columns.units):
            begins = [value for units, value in slack.items() if units[0] == unit]
            assert least[unit] == min([limit + 1, *begins])
        plain = uncompiled("pricing").priced_tuples(*arguments)
        for ours, theirs in zip(plain[:4], (offsets, member, close, least), strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize(("n", "p", "spread"), [(3, 5, 0.7), (4, 4, 8.0), (6, 3, 0.7), (8, 2, 3.0)])
def test_exchange_gives_every_unit_a_tuple_of_little_slack(n, p, spread):
    _, candidates, near = problem(n, p, spread, None)
    columns = candidates.columns()
    digits = round(columns.one / candidates.empty)
    bonus = candidates.empty * digits - 1
    pairs = prices.BothWays.of(near, digits)
    rng = np.random.default_rng(n)
    slack: dict[tuple[int, ...], int] = {(u,): 0 for u in range(columns.units)}
    slack |= {
        units: -(len(units) - 1) * bonus - close * digits for units, close in all_tuples(near, n)
    }
    for _ in range(3):
        price = np.rint(rng.random(columns.units) * 1.2 * columns.one).astype(np.int64)
        least = np.full(columns.units, np.iinfo(np.int64).max)
        for units, value in slack.items():
            least[list(units)] = np.minimum(least[list(units)], value + price[list(units)].sum())
        member = np.full((columns.units, n), -1, dtype=np.int32)
        member[np.arange(columns.units), near.annotator] = np.arange(columns.units)
        plain = member.copy()
        arguments = (*pairs, near.annotator, bonus, price)
        found, steps = exchange_units(*arguments, member, 40, 1)
        for unit, row in enumerate(member.tolist()):
            units = tuple(u for u in row if u >= 0)
            assert unit in units
            assert found[unit] == slack[units] + price[list(units)].sum()
        # small problems: what is found is the best
        np.testing.assert_array_equal(found, least)
        again, as_many = uncompiled("exchange").exchange_units(*arguments, plain, 40, 1)
        np.testing.assert_array_equal(again, found)
        np.testing.assert_array_equal(plain, member)
        assert as_many == steps


def test_prices_of_the_master_are_those_of_its_linear_programme():
    """The sum of the prices is the value of the programme, whatever they were held to before."""
    rng = np.random.default_rng(8)
    rows = np.array([sorted(rng.choice(12, 3, replace=False)) for _ in range(40)], dtype=np.int32)
    rows[::4, 0] = -1
    gain = rng.random(40)
    cover = np.zeros((12, 40))
    for k, row in enumerate(rows):
        cover[row[row >= 0], k] = 1
    value = -linprog(-gain, A_ub=cover, b_ub=np.ones(12)).fun
    master = Master(12)
    master.add(rows[:20], gain[:20])
    centre = rng.random(12)
    held, strain = master.solve(centre, 0.01, 0.2, None)
    assert strain > 0
    assert (
        np.abs(held - centre).sum() < np.abs(master.solve(centre, 0.0, 0.0, None)[0] - centre).sum()
    )
    master.add(rows[20:], gain[20:])
    price, strain = master.solve(centre, 0.01, 0.0, None)
    assert strain == 0
    assert price.sum() == pytest.approx(value, abs=1e-9)
    assert (cover.T @ price >= gain - 1e-7).all()


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize(("n", "p", "noise"), [(10, 8, None), (14, 6, 0.2)])
def test_many_annotators_over_one_another_are_proven(n, p, noise):
    """No bound but the prices' own reaches the alignment: blocks leave a gap."""
    (found,) = align(random_units(n, p, seed=3, spread=0.7, noise=noise))
    assert found.candidates is None
    assert found.proven


@pytest.mark.usefixtures("unlisted")
def test_a_search_cut_short_still_knows_a_floor():
    _, candidates, near = problem(4, 6, 0.7, None)
    columns = candidates.columns()
    digits = round(columns.one / candidates.empty)
    market = pricing.Market(near, 4, candidates.empty * digits - 1, digits, candidates.scale)
    price = np.full(columns.units, round(columns.one / 2), dtype=np.int64)
    whole = market.search(price, -1, least_only=True)
    short = market.search(price, -1, least_only=True, steps=0)
    assert whole.finished
    assert not short.finished
    assert (short.least <= whole.least).all()


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize(("n", "p", "spread", "noise"), DENSE)
def test_floors_lie_below_the_optimum(n, p, spread, noise):
    for seed in range(4):
        _, candidates, near = problem(n, p, spread, noise, seed)
        best = least_sum(candidates)
        assert best.gap == 0
        floor = least_cost(candidates, near)
        assert unit_floor(candidates, near) <= floor <= best.cost
        assert floor > 0.7 * best.cost
        mean = least_mean(candidates)
        level = -(-mean.cost // mean.size)
        assert least_cost(candidates, near, level) <= mean.cost - level * mean.size


@pytest.mark.usefixtures("unlisted")
@pytest.mark.parametrize(
    ("n", "p", "noise"), [(7, 3, None), (7, 3, 0.3), (8, 2, None), (9, 2, 0.4)]
)
def test_blocks_of_annotators_bound_the_alignment_of_all(n, p, noise):
    for seed in range(2):
        _, candidates, near = problem(n, p, 0.7, noise, seed)
        best = least_sum(candidates)
        assert best.gap == 0
        alone = np.full(candidates.units, -1, dtype=np.int32)
        pairs = least_cost(candidates, near)
        floors = [block_floor(candidates, near, alone, size) for size in (2, 4, 6)]
        assert max(floors) <= best.cost
        assert max(floors) > 0.95 * best.cost
        if noise is None:
            assert max(floors) > pairs
        mean = least_mean(candidates)
        level = -(-mean.cost // mean.size)
        assert block_floor(candidates, near, alone, 4, level) <= mean.cost - level * mean.size


@pytest.mark.usefixtures("unlisted")
def test_blocks_sharpen_the_gap_of_many_annotators(monkeypatch):
    data = random_units(8, 3, seed=1, spread=0.7)
    (proven,) = align(data)

    def hasty(candidates, level, deadline):
        """All annotators get one round only, blocks as many as they need."""
        with monkeypatch.context() as patch:
            if candidates.annotators == 8:
                patch.setattr(prices, "_ROUNDS", 1)
                patch.setattr(prices, "_PROGRAMMES", 0)
            return pricing.price_out(candidates, level, deadline)

    monkeypatch.setattr(blocks, "price_out", hasty)
    (found,) = align(data)
    assert 0 < found.gap < 0.1 * found.disorder
    assert found.bound <= proven.disorder + 1e-9
    monkeypatch.setattr(blocks, "_MOST", 0)
    (plain,) = align(data)
    assert plain.gap > found.gap


@pytest.mark.usefixtures("unlisted")
def test_an_unfinished_proof_says_its_gap(monkeypatch):
    data = random_units(4, 8, seed=1, spread=0.7)
    for objective in ("gamma", "holistic"):
        (proven,) = align(data, objective=objective)
        with monkeypatch.context() as patch:
            patch.setattr(prices, "_ROUNDS", 1)
            patch.setattr(prices, "_PROGRAMMES", 0)
            (stopped,) = align(data, objective=objective)
            (late,) = align(data, objective=objective, time_limit=1e-9)
        for found in (stopped, late):
            assert found.gap > 0
            assert found.bound <= proven.disorder + 1e-9
            assert found.disorder >= proven.disorder - 1e-9


@pytest.mark.usefixtures("unlisted")
def test_soft_alignment_claims_no_proof_it_does_not_have(monkeypatch):
    data = random_units(3, 6, seed=4, spread=1.0)
    (soft,) = align(data, method="soft")
    monkeypatch.setattr(listing, "MOST", 10**7)
    (ideal,) = align(data, method="soft")
    assert ideal.proven
    assert soft.bound <= ideal.disorder + 1e-9 <= soft.disorder + 2e-9


@pytest.mark.usefixtures("unlisted")
def test_algorithm_1_too_long_to_follow(monkeypatch):
    data = random_units(4, 6, seed=2, spread=0.7)
    search = pricing.Market.search
    monkeypatch.setattr(pricing.Market, "search", lambda *a, **k: search(*a, **{**k, "steps": 0}))
    (found,) = align(data)
    assert found.greedy is None
    with pytest.raises(UsageError, match="use the exact method"):
        align(data, method="greedy")


def test_matchings_of_every_size():
    """Least costs of matchings of at least so many pairs, against scipy on padded tables."""
    rng = np.random.default_rng(3)
    counts = [4, 3, 5]
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    who = np.repeat(np.arange(3), counts)
    indptr, other, cost = [0], [], []
    for i in range(12):
        for j in np.flatnonzero(who > who[i]).tolist():
            if rng.random() < 0.8:
                other.append(j)
                cost.append(int(rng.integers(-50, 50)))
        indptr.append(len(other))
    arrays = (
        np.array(indptr, dtype=np.int64),
        np.array(other, dtype=np.int32),
        np.array(cost, dtype=np.int64),
    )
    groups = 13
    found = matching_costs(offsets, *arrays, groups)
    np.testing.assert_array_equal(
        found, uncompiled("matching").matching_costs(offsets, *arrays, groups)
    )
    for g in range(groups):
        total = 0.0
        for a, b in combinations(range(3), 2):
            table = np.full((counts[a], counts[b]), 1e6)
            for i in range(counts[a]):
                for e in range(indptr[offsets[a] + i], indptr[offsets[a] + i + 1]):
                    if offsets[b] <= other[e] < offsets[b + 1]:
                        table[i, other[e] - offsets[b]] = cost[e]
            needed = max(0, counts[a] + counts[b] - g)
            total += at_least(table, needed)
        if total > 1e5:
            assert found[g] == -(1 << 62)
        else:
            assert found[g] == total


def at_least(table: np.ndarray, needed: int) -> float:
    """The cheapest matching with `needed` pairs or more, by trying every set of rows and columns."""
    best = np.inf
    for size in range(needed, min(table.shape) + 1):
        for rows in combinations(range(table.shape[0]), size):
            for columns in combinations(range(table.shape[1]), size):
                part = table[np.ix_(rows, columns)]
                best = min(best, part[linear_sum_assignment(part)].sum() if size else 0.0)
    return float(best)


def test_a_crowd_is_not_searched_for_the_closest_tuple():
    """The closest tuple around a unit of 200 people took minutes: Algorithm 1 is left out."""
    rng = np.random.default_rng(0)
    rows = [
        ("d", f"a{a}", float(s), float(s) + 8.0, "xy"[a % 2])
        for a in range(pricing.MANY_ANNOTATORS + 6)
        for s in rng.uniform(0, 60, 2)
    ]
    (found,) = align(Units.from_rows(rows))
    assert found.greedy is None
    assert found.disorder > 0
