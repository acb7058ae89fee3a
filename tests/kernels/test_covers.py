"""Prices, greedy packings and searched covers, against every packing there is."""

from __future__ import annotations

import numpy as np
import pytest

from accord.kernels.covers import (
    columns_of_units,
    repair_prices,
    search_covers,
    smooth_prices,
    take_greedily,
)
from accord.kernels.outcome import packing_total
from tests.oracles.packings import packings, problem


def test_columns_of_units():
    p = problem(1)
    indptr, column = columns_of_units(p.offsets, p.member, 9)
    for u in range(9):
        inside = [k for k, s in enumerate(p.sets) if u in s]
        assert column[indptr[u] : indptr[u + 1]].tolist() == inside


@pytest.mark.parametrize("seed", range(60))
def test_repaired_prices(seed):
    """They pay for every column; none can be lowered alone; the slack is what is paid too much."""
    p = problem(seed, columns=10 + seed % 5)
    rng = np.random.default_rng(seed)
    price = rng.integers(0, 4, 9).astype(np.int64)
    before = price.copy()
    slack = repair_prices(p.offsets, p.member, p.gain, *p.index, price)
    paid = np.array([price[list(s)].sum() for s in p.sets])
    assert (slack == paid - p.gain).all()
    assert slack.min() >= 0
    assert price.min() >= 0
    for u in range(9):
        around = [slack[k] for k, s in enumerate(p.sets) if u in s]
        assert min([price[u], *around]) == 0
    # units are raised in order, each by what its columns still lack, then lowered in the same order
    raised = before.copy()
    for u in range(9):
        lack = [p.gain[k] - raised[list(s)].sum() for k, s in enumerate(p.sets) if u in s]
        raised[u] += max([0, *lack])
    for u in range(9):
        spare = [raised[list(s)].sum() - p.gain[k] for k, s in enumerate(p.sets) if u in s]
        raised[u] -= min([raised[u], *spare])
    assert price.tolist() == raised.tolist()


@pytest.mark.parametrize("seed", range(30))
def test_smoothed_prices_balance(seed):
    """At the end the weights of a unit's columns and of staying alone sum to one; the bound is least."""
    p = problem(seed)
    gain, temperature = p.gain / 10, 0.2
    price = np.zeros(9)
    sweeps = smooth_prices(p.offsets, p.member, gain, *p.index, price, temperature, 5000, 1e-9)
    assert 1 < sweeps < 5000
    paid = np.array([price[list(s)].sum() for s in p.sets])
    weight = np.exp((gain - paid) / temperature)
    for u in range(9):
        inside = [k for k, s in enumerate(p.sets) if u in s]
        if inside:
            total = np.exp(-price[u] / temperature) + weight[inside].sum()
            assert total == pytest.approx(1, abs=1e-6)
        else:
            assert price[u] == 0


def test_smoothed_prices_take_no_more_sweeps_than_asked():
    p = problem(5)
    prices = []
    for sweeps in (1, 2):
        price = np.zeros(9)
        done = smooth_prices(p.offsets, p.member, p.gain / 10, *p.index, price, 0.2, sweeps, 0.0)
        assert done == sweeps
        prices.append(price)
    # one sweep by hand: each unit in turn
    price, temperature, gain = np.zeros(9), 0.2, p.gain / 10
    for u in range(9):
        inside = [k for k, s in enumerate(p.sets) if u in s]
        if not inside:
            continue
        weights = [np.exp((gain[k] - price[list(p.sets[k])].sum()) / temperature) for k in inside]
        price[u] += temperature * np.log(np.exp(-price[u] / temperature) + sum(weights))
    assert prices[0] == pytest.approx(price, abs=1e-6)
    assert not np.allclose(prices[1], price)


def test_taking_greedily():
    p = problem(2)
    taken = np.full(9, -1, dtype=np.int32)
    ranking = np.random.default_rng(0).permutation(len(p.sets)).astype(np.int64)
    count, units, total = take_greedily(p.offsets, p.member, ranking, taken, p.gain)
    expected = np.full(9, -1)
    for k in ranking.tolist():
        if (expected[list(p.sets[k])] < 0).all():
            expected[list(p.sets[k])] = k
    used = sorted(set(expected.tolist()) - {-1})
    assert taken.tolist() == expected.tolist()
    assert (count, units, total) == (len(used), (expected >= 0).sum(), p.gain[used].sum())
    assert packing_total(taken, p.offsets, p.member, p.gain) == (
        len(used), (expected < 0).sum(), p.gain[used].sum(),
    )  # fmt: skip


def regions_of(seeds: list[int], *, canonical: bool):
    """Several problems side by side as regions: columns and lone units sorted as the search asks."""
    unit_offsets, column_offsets, offsets, member, slack, sets = [0], [0], [0], [], [], []
    for seed in seeds:
        p = problem(seed, units=7, columns=7, high=3 + seed % 4)
        choices = [*zip(p.sets, p.slack.tolist(), strict=True)]
        choices += [((u,), int(p.price[u])) for u in range(7)]
        choices.sort(key=lambda c: c[0] if canonical else c[1])
        base = unit_offsets[-1]
        for units, value in choices:
            member += [base + u for u in units]
            offsets.append(len(member))
            slack.append(value)
            sets.append(units)
        unit_offsets.append(base + 7)
        column_offsets.append(len(slack))
    whole = [np.array(x, dtype=np.int64) for x in (unit_offsets, column_offsets, offsets)]
    return (*whole, np.array(member, dtype=np.int32), np.array(slack, dtype=np.int64)), sets


def covers(sets: list[tuple[int, ...]], slack: list[int]):
    """(total slack, chosen) of every choice that covers each unit once."""
    for chosen in packings(sets):
        if sum(len(sets[k]) for k in chosen) == 7:
            yield sum(slack[k] for k in chosen), chosen


@pytest.mark.parametrize("seed", range(40))
def test_searched_covers(seed):
    arguments, sets = regions_of([3 * seed, 3 * seed + 1, 3 * seed + 2], canonical=False)
    columns, slack = arguments[1].tolist(), arguments[4].tolist()
    for spare in (1, 0, 10**6):
        least = []
        for r in range(3):
            part = slice(columns[r], columns[r + 1])
            least.append(min(t for t, _ in covers(sets[part], slack[part])))
        best = np.array(least, dtype=np.int64) + spare
        chosen, found, finished, total = search_covers(*arguments, best, 3, 10**6, False)
        assert finished.all()
        for r in range(3):
            picked = [k for k in range(columns[r], columns[r + 1]) if chosen[k]]
            if spare == 0:
                # only something better would be of interest
                assert not found[r]
                assert not picked
                assert total[r] == best[r]
                continue
            assert found[r]
            assert total[r] == least[r] == sum(slack[k] for k in picked)
            assert sorted(u for k in picked for u in sets[k]) == list(range(7))


@pytest.mark.parametrize("seed", range(40))
def test_the_first_cover_is_the_smallest(seed):
    arguments, sets = regions_of([2 * seed, 2 * seed + 1], canonical=True)
    columns, slack = arguments[1].tolist(), arguments[4].tolist()
    expected, best = [], []
    for r in range(2):
        part = slice(columns[r], columns[r + 1])
        every = list(covers(sets[part], slack[part]))
        least = min(t for t, _ in every)
        best.append(least + 1)
        expected.append(min(sorted(sets[part][k] for k in c) for t, c in every if t == least))
    chosen, found, finished, _ = search_covers(
        *arguments, np.array(best, dtype=np.int64), 3, 10**6, True
    )
    assert found.all()
    assert finished.all()
    for r in range(2):
        picked = [sets[k] for k in range(columns[r], columns[r + 1]) if chosen[k]]
        assert picked == expected[r]


def test_a_search_that_is_too_long_says_so():
    arguments, _ = regions_of([0, 1, 2], canonical=False)
    best = np.full(3, 10**6, dtype=np.int64)
    *_, free, _ = search_covers(*arguments, best, 3, 10**6, False)
    assert free.all()
    chosen, _, finished, total = search_covers(*arguments, best, 3, 2, False)
    assert not finished.any()
    # what was not found is not claimed
    assert not chosen.any()
    assert (total == best).all()
    # the next region begins afresh
    steps = next(
        s for s in range(1, 10**4) if search_covers(*arguments, best, 3, s, False)[2].any()
    )
    mixed = search_covers(*arguments, best, 3, steps, False)
    for r in np.flatnonzero(mixed[2]).tolist():
        assert mixed[3][r] == search_covers(*arguments, best, 3, 10**6, False)[3][r]
