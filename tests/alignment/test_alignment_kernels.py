"""The alignment kernels, compiled, against the same source run uncompiled."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from accord.alignment.batch import Batch
from accord.alignment.candidates import find_candidates, find_pairs
from accord.alignment.exact import least_sum
from accord.data.continuum import documents_of
from accord.distance.units import unit_dissimilarity
from tests.alignment.test_alignment import random_units
from tests.kernels.test_kernels import uncompiled


def same(ours, theirs) -> None:
    """Equal results, arrays or tuples of them."""
    if isinstance(ours, tuple):
        assert len(ours) == len(theirs)
        for a, b in zip(ours, theirs, strict=True):
            same(a, b)
    else:
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


@pytest.fixture(scope="module")
def problem():
    data = random_units(3, 9, seed=2, spread=4.0)
    (document,) = documents_of(data)
    d = unit_dissimilarity(data.categories)
    batch = Batch.of([document.continuum])
    pairs = find_pairs(batch, d)
    return batch, d, pairs, find_candidates(batch, pairs, d.delta)


def both(name: str, function: str):
    compiled = importlib.import_module(f"accord.kernels.{name}")
    return getattr(compiled, function), getattr(uncompiled(name), function)


def test_pairs(problem, monkeypatch):
    c, d, pairs, _ = problem
    plain = uncompiled("dissimilarity")
    all_of_them = (c.bounds, c.start, c.end, c.label, d.costs, 0, c.weights(d), 5.0)
    same(tuple(plain.window_pairs(*all_of_them)), (pairs.indptr, pairs.other, pairs.distance))
    from accord.alignment import candidates

    # windows for each length find the same pairs as one for all
    monkeypatch.setattr(candidates, "FEW", 0)
    monkeypatch.setattr(candidates, "_LONGEST", 0.0)
    windows = find_pairs(c, d)
    same((windows.indptr, windows.other), (pairs.indptr, pairs.other))
    np.testing.assert_allclose(windows.distance, pairs.distance, rtol=1e-12)
    monkeypatch.setattr(candidates, "near_pairs", plain.near_pairs)
    same(find_pairs(c, d).other, pairs.other)


def test_tuples(problem):
    _, _, pairs, candidates = problem
    _, plain = both("candidates", "candidate_tuples")
    scale = candidates.scale
    found = plain(pairs.indptr, pairs.other, pairs.distance, 3, scale, float(scale), 10**6)
    same(found[:3], (candidates.offsets, candidates.member, candidates.close))


def test_prices_regions_and_search(problem, monkeypatch):
    _, _, _, candidates = problem
    columns = candidates.columns()
    fast, slow = both("covers", "columns_of_units")
    indptr, column = fast(columns.offsets, columns.member, columns.units)
    same((indptr, column), slow(columns.offsets, columns.member, columns.units))
    prices = []
    for smooth in both("covers", "smooth_prices"):
        price = np.zeros(columns.units)
        smooth(
            columns.offsets,
            columns.member,
            columns.gain / columns.one,
            indptr,
            column,
            price,
            0.1,
            5,
            0.01,
        )
        prices.append(price)
    np.testing.assert_allclose(prices[0], prices[1], rtol=1e-9)
    whole = [np.rint(prices[0] * columns.one).astype(np.int64) for _ in range(2)]
    slacks = [
        repair(columns.offsets, columns.member, columns.gain, indptr, column, w)
        for repair, w in zip(both("covers", "repair_prices"), whole, strict=True)
    ]
    same(slacks[0], slacks[1])
    same(whole[0], whole[1])
    assert slacks[0].min() >= 0
    taken = np.full(columns.units, -1, dtype=np.int32)
    fast, slow = both("regions", "open_regions")
    for ties in (False, True):
        arguments = (columns.offsets, columns.member, slacks[0], indptr, column, whole[0], taken)
        same(fast(*arguments, ties), slow(*arguments, ties))
    before = least_sum(candidates)
    from accord.alignment import packing

    for name in ("covers", "regions"):
        for function in ("search_covers", "open_regions", "take_greedily", "repair_prices"):
            if hasattr(uncompiled(name), function):
                monkeypatch.setattr(packing, function, getattr(uncompiled(name), function))
    after = least_sum(candidates)
    assert (before.cost, before.size) == (after.cost, after.size)


def test_assignment_and_outcome(problem):
    c, d, _, candidates = problem
    rng = np.random.default_rng(1)
    indptr = np.arange(0, 33, 4).astype(np.int64)
    columns, cost = rng.integers(0, 9, 32).astype(np.int32), -rng.random(32)
    fast, slow = both("matching", "match_rows")
    same(tuple(fast(indptr, columns, cost, 9)), tuple(slow(indptr, columns, cost, 9)))
    found = least_sum(candidates)
    order = c.order()
    fast, slow = both("outcome", "unitary_table")
    arguments = (order, c.bounds, found.column, candidates.offsets, candidates.member)
    table = fast(*arguments)
    same(table, slow(*arguments))
    fast, slow = both("dissimilarity", "unitary_costs")
    arguments = (table, c.start, c.end, c.label, d.costs, 0, np.ones(len(table)), 1.0)
    np.testing.assert_allclose(fast(*arguments), slow(*arguments), rtol=1e-12)
    fast, slow = both("outcome", "packing_total")
    arguments = (found.column, candidates.offsets, candidates.member, candidates.close)
    same(tuple(fast(*arguments)), tuple(slow(*arguments)))
    fast, slow = both("outcome", "packing_totals")
    by_document = (*arguments, c.bounds)
    same(tuple(fast(*by_document)), tuple(slow(*by_document)))
    (size,), (close,) = fast(*by_document)
    assert size * candidates.empty - close == found.cost
    gain = candidates.columns().gain / candidates.empty
    prices = [np.full(candidates.units, 0.1) for _ in range(2)]
    for first_prices, price in zip(both("covers", "first_prices"), prices, strict=True):
        first_prices(candidates.offsets, candidates.member, gain, price, 0.8)
    same(prices[0], prices[1])
    best = np.full(candidates.units, 0.1)
    share = np.repeat(0.8 * gain / candidates.sizes, candidates.sizes)
    np.maximum.at(best, candidates.member, share)
    np.testing.assert_allclose(prices[0], best, rtol=1e-12)
