"""Cuttings: segments are points on a line, where tuples and packings are found by dynamic programming."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from accord.alignment import candidates as listing
from accord.alignment.align import align
from accord.alignment.frontier import pack_along
from accord.alignment.packing import Columns
from accord.data import Segments
from accord.kernels.frontier import extend_beginnings
from accord.kernels.line_pricing import priced_on_line
from tests.kernels.test_kernels import uncompiled
from tests.oracles.packings import packings


def problem(seed):
    """Places, annotators, prices and what pairs and tuples gain, at random."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    counts = rng.integers(0, 4, n)
    counts[0] += counts.sum() == 0
    annotator = np.repeat(np.arange(n), counts).astype(np.int32)
    place, price = rng.integers(0, 30, len(annotator)), rng.integers(0, 200, len(annotator))
    bonus, empty, digits = int(rng.integers(60)), int(rng.integers(1, 40)), int(rng.choice([1, 4]))
    return place, annotator, n, bonus, empty, digits, price


def all_tuples(place, annotator, n, bonus, empty, digits, price):
    """{tuple: (slack, Σ empty − distance)} by trying them all."""
    found = {}
    for m in range(2, n + 1):
        for units in combinations(range(len(place)), m):
            own = list(units)
            if len(set(annotator[own].tolist())) == m:
                close = sum(empty - abs(int(place[i] - place[j])) for i, j in combinations(own, 2))
                gain = (m - 1) * bonus + digits * close
                found[units] = (int(price[own].sum()) - gain, close)
    return found


@pytest.mark.parametrize("limit", [-1, 0, 30, 100])
def test_tuples_on_a_line(limit):
    for seed in range(60):
        given = problem(seed)
        wanted = {t: v for t, v in all_tuples(*given).items() if v[0] <= limit}
        arguments = (*given, limit, limit < 0, 100_000)
        found = priced_on_line(*arguments)
        if seed < 15:
            plain = uncompiled("line_pricing").priced_on_line(*arguments)
            for ours, theirs in zip(found, plain, strict=True):
                np.testing.assert_array_equal(ours, theirs)
        offsets, member, close, least, finished, _ = found
        listed = [tuple(x.tolist()) for x in np.split(member, offsets[1:-1])] if len(close) else []
        assert finished
        assert len(set(listed)) == len(listed)
        for units, own in zip(listed, close.tolist(), strict=True):
            assert wanted[units][1] == own
        rank = np.argsort(np.argsort(given[0], kind="stable"))
        ends = {t: max(t, key=lambda i: rank[i]) for t in wanted}
        best = np.full(len(rank), limit + 1)
        for units, last in ends.items():
            best[last] = min(best[last], wanted[units][0])
        np.testing.assert_array_equal(least, best)
        if limit >= 0:
            assert set(listed) == set(wanted)
        else:
            # one for each size and last unit, none has less slack
            kinds = {(ends[t], len(t)) for t in wanted}
            assert {(ends[t], len(t)) for t in listed} == kinds
            for t in listed:
                alike = [wanted[u][0] for u in wanted if (ends[u], len(u)) == (ends[t], len(t))]
                assert wanted[t][0] == min(alike)


def line_columns(seed):
    """A few columns over eight units, their gains, and prices that pay for all of them."""
    rng = np.random.default_rng(seed)
    sets = sorted({tuple(sorted(rng.choice(8, int(rng.integers(2, 4)), replace=False).tolist()))
                   for _ in range(10)})  # fmt: skip
    gain = rng.integers(1, 12, len(sets))
    price = rng.integers(0, 6, 8)
    for units, worth in zip(sets, gain, strict=True):
        price[units[0]] += max(0, worth - price[list(units)].sum())
    offsets = np.concatenate([[0], np.cumsum([len(s) for s in sets])])
    member = np.concatenate(sets).astype(np.int32)
    return sets, Columns(offsets, member, gain.astype(np.int64), 8, 1.0), price.astype(np.int64)


def test_packing_along_a_line():
    for seed in range(80):
        sets, columns, price = line_columns(seed)
        place = np.random.default_rng(seed).integers(0, 20, 8)
        most = max(int(columns.gain[list(chosen)].sum()) for chosen in packings(sets))
        slack = int(price.sum()) - most
        for order in (place, -place):
            # from either end the same is seen
            assert pack_along(columns, order, price, slack - 1, 10**6)[:2] == (None, True)
            found, whole, steps = pack_along(columns, order, price, slack + 3, 10**6)
            used = np.unique(found.column[found.column >= 0])
            assert whole
            assert steps > 0
            assert found.gap == 0
            assert int(columns.gain[used].sum()) == most
            for column in used:
                assert (found.column[list(sets[column])] == column).all()


def test_packing_along_a_line_is_given_up_after_its_steps():
    given_up = 0
    for seed in range(40):
        _, columns, price = line_columns(seed)
        place = np.random.default_rng(seed).integers(0, 20, 8)
        best = pack_along(columns, place, price, 10**6, 10**6)
        for steps in (0, 20, 60):
            found = pack_along(columns, place, price, 10**6, steps)
            given_up += not found.whole
            assert (found.packing is not None) == found.whole
            if found.whole:
                np.testing.assert_array_equal(found.packing.column, best.packing.column)
    assert 40 <= given_up < 120


def test_one_step_along_a_line():
    """Compiled or not, over more than one word: the same beginnings, none twice, none too dear."""
    rng = np.random.default_rng(3)
    for words in (1, 2, 3):
        taken = rng.integers(0, 2**63, (40, words), dtype=np.uint64) & np.uint64(0b10011)
        taken[:, -1] |= rng.integers(0, 4, 40, dtype=np.uint64) << np.uint64(50)
        masks = (
            rng.integers(0, 2**63, (30, words), dtype=np.uint64) & np.uint64(0b110)
        ) | np.uint64(1)
        more = np.sort(rng.integers(0, 9, 30))
        arguments = (taken, rng.integers(0, 9, 40), masks, more, 11, 10**6)
        found = extend_beginnings(*arguments)
        for one, two in zip(
            found, uncompiled("frontier").extend_beginnings(*arguments), strict=True
        ):
            np.testing.assert_array_equal(one, two)
        best: dict[int, int] = {}
        for units, slack in zip(map(as_number, taken), arguments[1].tolist(), strict=True):
            ways = [(units, slack)] if units & 1 else [
                (units | mask, slack + cost)
                for mask, cost in zip(map(as_number, masks), more.tolist(), strict=True)
                if not units & mask and slack + cost <= 11
            ]  # fmt: skip
            for whole, cost in ways:
                best[whole >> 1] = min(cost, best.get(whole >> 1, cost))
        assert dict(zip(map(as_number, found[0]), found[1].tolist(), strict=True)) == best


def as_number(words):
    return sum(int(word) << (64 * k) for k, word in enumerate(words))


def cut_at_random(n, segments, length, seed):
    rng = np.random.default_rng(seed)
    rows = []
    for a in range(n):
        cuts = np.sort(rng.choice(np.arange(1, length), segments - 1, replace=False))
        masses = np.diff(np.concatenate([[0], cuts, [length]]))
        rows.append(("d", f"a{a}", [int(m) for m in masses]))
    return Segments.from_masses(rows).to_units()


@pytest.mark.parametrize("objective", ["gamma", "holistic"])
@pytest.mark.parametrize(("n", "segments"), [(3, 8), (4, 5), (5, 3)])
def test_the_same_alignment_as_listed(n, segments, objective, monkeypatch):
    for seed in range(3):
        data = cut_at_random(n, segments, 40, seed)
        options = {"positional": "hamming", "objective": objective}
        with monkeypatch.context() as patch:
            patch.setattr(listing, "MOST", 10**7)
            (listed,) = align(data, **options)
            patch.setattr(listing, "MOST", 0)
            patch.setattr(listing, "MOST_PER_UNIT", 0)
            (priced,) = align(data, **options)
        assert listed.candidates is not None
        assert priced.candidates is None
        assert priced.proven
        assert priced.disorder == pytest.approx(listed.disorder, abs=1e-9)


def test_many_people_who_cut_are_aligned_for_certain():
    """Nine annotators, ten segments: more than 10¹⁰ tuples, none of them listed."""
    (found,) = align(cut_at_random(9, 10, 100, 1), positional="hamming")
    assert found.candidates is None
    assert found.proven
