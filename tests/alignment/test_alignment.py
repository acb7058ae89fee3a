"""Alignments against every alignment there is, against an independent integer programme, and
against what must not matter."""

from __future__ import annotations

import math
import random
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.alignment.align import align
from accord.data import Units
from accord.data.continuum import documents_of
from accord.distance.units import unit_dissimilarity
from accord.errors import InputError, UsageError
from tests.oracles.alignment import best_alignments, best_cover, gamma_distance, order

TABLE = np.array([[0, 0.5, 1], [0.5, 0, 0.25], [1, 0.25, 0]])
ENTRIES = {(a, b): TABLE[i, j] for i, a in enumerate("xyz") for j, b in enumerate("xyz")}


def tiny(rng: random.Random, n: int) -> list[tuple[int, float, float, str | None]]:
    """A few units on a coarse grid: many ties, overlaps and nestings."""
    span = rng.choice([8, 15, 30])
    labels = ["x", "y", "z", None] if rng.random() < 0.2 else ["x", "y", "z"]
    found = []
    for a in range(n):
        for _ in range(rng.randint(0, 3 if n < 4 else 2)):
            start = rng.randint(0, span)
            found.append((a, float(start), float(start + rng.randint(1, 6)), rng.choice(labels)))
    return list(dict.fromkeys(found))


def as_units(units, n: int) -> Units:
    return Units.from_rows(
        [("d", f"a{u[0]}", u[1], u[2], u[3]) for u in units],
        coverage=[("d", f"a{a}") for a in range(n)],
        categories=["x", "y", "z"],
    )


def unitary_lists(data: Units, alignment) -> list:
    rows = list(data)
    return [
        order([(int(rows[r].annotator[1:]), *rows[r][2:]) for r in members if r >= 0])
        for members, _ in alignment
    ]


@pytest.fixture
def priced(monkeypatch):
    """No candidate is listed: all are priced out."""
    from accord.alignment import candidates

    monkeypatch.setattr(candidates, "MOST", 0)
    monkeypatch.setattr(candidates, "MOST_PER_UNIT", 0)


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("way", ["listed", "priced"])
def test_equals_every_alignment_tried(seed, way, request):
    if way == "priced":
        request.getfixturevalue("priced")
    rng = random.Random(seed)
    n = rng.choice([2, 3, 3, 4])
    units = tiny(rng, n)
    if not 1 <= len(units) <= 8:
        units = units[:8] or [(0, 0.0, 1.0, "x")]
    data = as_units(units, n)
    table = rng.choice([None, ENTRIES])
    for holistic in (False, True):
        options = {
            "alpha": rng.choice([1.0, 3.0]),
            "beta": rng.choice([1.0, 0.5]),
            "delta": rng.choice([4.0, 2.0, 6.0] if holistic else [1.0, 0.5, 2.5]),
        }
        distance = gamma_distance(**options, table=table, holistic=holistic)
        objective = "holistic" if holistic else "gamma"
        matrix = None if table is None else TABLE
        (found,) = align(data, objective=objective, matrix=matrix, **options)
        least, smallest = best_alignments(units, distance, options["delta"], n, mean=holistic)
        weight = 1 if holistic else len(units) / n
        assert found.disorder * weight == pytest.approx(least, abs=1e-8)
        assert found.gap == 0
        assert found.proven
        assert unitary_lists(data, found) == smallest
        (greedy,) = align(data, objective=objective, matrix=matrix, method="greedy", **options)
        assert greedy.bound == pytest.approx(found.disorder, abs=1e-8)
        assert greedy.disorder == pytest.approx(found.greedy, abs=1e-8)
        assert greedy.disorder >= found.disorder - 1e-8
        if not holistic:
            (soft,) = align(data, matrix=matrix, method="soft", **options)
            least = best_cover(units, distance, options["delta"], n)
            if way == "priced" and n > 2:
                # no proof without the whole list, and none is claimed
                assert soft.bound * weight <= least + 1e-8
                assert soft.disorder * weight >= least - 1e-8
                continue
            assert soft.disorder * weight == pytest.approx(least, abs=1e-8)


def random_units(n: int, p: int, seed: int, *, spread: float = 10.0, noise: float | None = None):
    """n annotators with p units each, at random, or a common reference blurred by noise."""
    rng = np.random.default_rng(seed)
    span = p * spread
    base, length = rng.uniform(0, span, p), rng.uniform(2, 12, p)
    category = rng.integers(0, 3, p)
    rows = []
    for a in range(n):
        if noise is None:
            start, size = rng.uniform(0, span, p), rng.uniform(2, 12, p)
            label = rng.integers(0, 3, p)
        else:
            start = base + rng.normal(0, noise, p) * length
            size = length * np.exp(rng.normal(0, noise, p))
            label = np.where(rng.random(p) < 0.1, rng.integers(0, 3, p), category)
        rows += [
            ("d", f"a{a}", s, s + z, "xyz"[c])
            for s, z, c in zip(start.tolist(), size.tolist(), label.tolist(), strict=True)
        ]
    return Units.from_rows(rows, categories=["x", "y", "z"])


def independent_optimum(data: Units, n: int) -> float:
    """Least Σδ by a set-partitioning programme over every tuple within the paper's bound nΔ."""
    from itertools import product

    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csc_array

    rows = list(data)
    own = [[i for i, u in enumerate(rows) if u.annotator == f"a{a}"] for a in range(n)]
    distance = gamma_distance()
    pairs = n * (n - 1) / 2
    value = {}
    for i, u in enumerate(rows):
        for j, v in enumerate(rows):
            if u.annotator < v.annotator:
                value[i, j] = distance((0, *u[2:]), (1, *v[2:]))
    costs, members, starts = [], [], [0]
    for choice in product(*([*o, None] for o in own)):
        real = [i for i in choice if i is not None]
        if not real:
            continue
        cost = 1 + sum(value[i, j] - 1 for i in real for j in real if (i, j) in value) / pairs
        if cost <= n:
            costs.append(cost)
            members += real
            starts.append(len(members))
    cover = csc_array((np.ones(len(members)), members, starts), shape=(len(rows), len(costs)))
    found = milp(
        costs,
        constraints=LinearConstraint(cover, 1, 1),
        integrality=np.ones(len(costs)),
        bounds=Bounds(0, 1),
        options={"mip_rel_gap": 0},
    )
    return found.fun


@pytest.mark.parametrize(
    ("n", "p", "spread", "noise"),
    [
        (2, 25, 10.0, None),
        (3, 14, 10.0, None),
        (3, 14, 3.0, None),
        (3, 14, 10.0, 0.3),
        (4, 7, 10.0, None),
        (4, 5, 2.0, 0.4),
        (5, 3, 5.0, None),
    ],
)
def test_equals_an_independent_programme(n, p, spread, noise):
    data = random_units(n, p, seed=n * p, spread=spread, noise=noise)
    (found,) = align(data)
    assert found.proven
    assert found.disorder * p == pytest.approx(independent_optimum(data, n), abs=1e-6)


def test_what_the_search_leaves_open_goes_to_the_programme(monkeypatch):
    """With no steps and one temperature everything is residue; the answer must not change."""
    from accord.alignment import packing

    data = random_units(4, 9, seed=3, spread=3.0)
    (before,) = align(data)
    monkeypatch.setattr(packing, "_NODES", 0)
    monkeypatch.setattr(packing, "_TEMPERATURES", (0.3,))
    (after,) = align(data)
    assert after.proven
    assert after.disorder == pytest.approx(before.disorder, abs=1e-9)
    (stopped,) = align(data, time_limit=1e-9)
    assert stopped.gap > 0
    assert stopped.bound <= before.disorder + 1e-9 <= stopped.disorder + 2e-9


def test_the_papers_ban_is_a_cost_under_the_mean():
    """METHODS §2: with M = 1 and Δ = 4, aligning x with y gives 2.0, two singletons 2.667."""
    rows = [("d", "A", 0, 10, "x"), ("d", "A", 20, 30, "x")]
    rows += [("d", "B", 0, 10, "x"), ("d", "B", 20, 30, "y")]
    data = Units.from_rows(rows)
    (found,) = align(data, objective="holistic")
    assert found.disorder == 2.0
    (banned,) = align(data, objective="holistic", forbid=True)
    assert banned.disorder == pytest.approx(8 / 3)
    assert len(banned) == 3
    assert found.greedy == pytest.approx(8 / 3)


def test_touching_units_of_equal_length_cost_delta():
    data = Units.from_rows([("d", "A", 0, 5, "x"), ("d", "B", 5, 10, "x")])
    (found,) = align(data, objective="holistic")
    assert found.disorder == 4.0


def test_hamming_looks_at_ends():
    rows = [("d", "A", 0, 4, None), ("d", "A", 4, 10, None)]
    rows += [("d", "B", 0, 5, None), ("d", "B", 5, 10, None)]
    (found,) = align(Units.from_rows(rows), objective="holistic", positional="hamming")
    # k = 5: the first units differ by 1/(5/2), the second by 0
    assert found.disorder == pytest.approx(0.2)


def test_own_function():
    data = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 100, 104, "x")])
    (found,) = align(data, dissimilarity=lambda u, v: 0.0 if u[2] == v[2] else 9.0)
    assert (len(found), found.disorder) == (1, 0.0)


def test_distances_between_labels():
    numeric = Units.from_rows(
        [("d", "A", 0, 4, "1"), ("d", "B", 0, 4, "4"), ("d", "B", 9, 12, "7")]
    )
    (found,) = align(numeric, categorical="numerical")
    assert found.disorders[0] == pytest.approx(0.5)
    (found,) = align(numeric, categorical="ordinal")
    assert found.disorders[0] == pytest.approx(0.5)
    words = Units.from_rows([("d", "A", 0, 4, "kitten"), ("d", "B", 0, 4, "sitting")])
    (found,) = align(words, categorical="edit")
    assert found.disorder == pytest.approx(3 / 7)


def test_who_saw_and_marked_nothing_counts():
    rows = [("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x")]
    (two,) = align(Units.from_rows(rows))
    (three,) = align(Units.from_rows(rows, coverage=[("d", "C")]))
    assert two.disorder == 0
    # δ = Δ + (0 − Δ)/3 over x̄ = 2/3
    assert three.disorder == pytest.approx(1.0)
    assert three.annotators == ("A", "B", "C")


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 4),
    shift=st.sampled_from([0.0, 10_000.0, -3_333.5]),
    scale=st.sampled_from([1.0, 0.01, 1000.0]),
)
def test_moving_scaling_and_naming_do_not_matter(seed, n, shift, scale):
    rng = random.Random(seed)
    units = tiny(rng, n) or [(0, 0.0, 1.0, "x")]
    data = as_units(units, n)
    moved = [("d", f"z{9 - u[0]}", u[1] * scale + shift, u[2] * scale + shift, u[3]) for u in units]
    rng.shuffle(moved)
    other = Units.from_rows(
        moved, coverage=[("d", f"z{9 - a}") for a in range(n)], categories=["z", "x", "y"]
    )
    for objective in ("gamma", "holistic"):
        (a,), (b,) = align(data, objective=objective), align(other, objective=objective)
        assert a.disorder == pytest.approx(b.disorder, rel=1e-6, abs=1e-9)
        assert len(a) == len(b)


def test_documents_and_workers():
    rows = [
        (f"d{k}", u.annotator, u.start, u.end, u.label)
        for k in range(3)
        for u in random_units(3, 5, k)
    ]
    data = Units.from_rows(rows)
    alone, together = align(data), align(data, jobs=2)
    assert [a.document for a in alone] == ["d0", "d1", "d2"]
    for a, b in zip(alone, together, strict=True):
        assert a.disorder == b.disorder
        assert (a.members == b.members).all()
    everything = np.concatenate([a.members[a.members >= 0] for a in alone])
    assert sorted(everything.tolist()) == list(range(len(data)))


def test_nothing_to_align():
    data = Units.from_rows([("d", "A", 0, 4, "x")], coverage=[("e", "A"), ("e", "B")])
    (found,) = align(data)
    assert found.document == "e"
    assert len(found) == 0
    assert math.isnan(found.disorder)
    with pytest.raises(InputError, match="two annotators"):
        align(Units.from_rows([("d", "A", 0, 4, "x")]))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "fast"}, "method must be"),
        ({"method": "soft", "objective": "holistic"}, "soft alignment"),
        ({"objective": "delta"}, "objective must be"),
        ({"alpha": -1}, "alpha must be"),
        ({"delta": 0}, "delta must be"),
        ({"alpha": 0, "beta": 0}, "not both be 0"),
        ({"positional": "near"}, "sporadic or hamming"),
        ({"categorical": "masi"}, "categorical must be"),
        ({"categorical": "numerical"}, "numeric labels"),
        ({"matrix": np.ones((2, 2))}, "must have 0 for"),
        ({"time_limit": 0}, "time limit"),
    ],
)
def test_wrong_options(options, words):
    data = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "y")])
    with pytest.raises(UsageError, match=words):
        accord.align(data, **options)


def test_long_units_beside_short_ones():
    """Windows go by length classes: one very long unit must not hide its neighbours."""
    data = random_units(3, 60, seed=5)
    rows = [*data, ("d", "a0", 0.0, 600.0, "x"), ("d", "a1", 20.0, 580.0, "x")]
    mixed = Units.from_rows([tuple(r) for r in rows], categories=["x", "y", "z"])
    (found,) = align(mixed)
    rows = list(mixed)
    long = [m for m, _ in found if any(r >= 0 and rows[r].end - rows[r].start > 500 for r in m)]
    assert len(long) == 1
    assert (long[0] >= 0).sum() >= 2


@pytest.mark.parametrize("objective", ["gamma", "holistic"])
@pytest.mark.parametrize("seed", range(4))
def test_more_candidates_than_can_be_listed(monkeypatch, seed, objective):
    """A good alignment with a bound that holds; never called proven unless it is."""
    from accord.alignment import candidates

    data = random_units(4, 8, seed=seed, noise=0.3)
    (ideal,) = align(data, objective=objective)
    monkeypatch.setattr(candidates, "MOST", 20)
    (found,) = align(data, objective=objective)
    assert found.bound <= ideal.disorder + 1e-8
    assert found.disorder >= ideal.disorder - 1e-8
    assert found.disorder <= 1.3 * ideal.disorder
    assert sorted(found.members[found.members >= 0].tolist()) == list(range(len(data)))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("positional", ["sporadic", "hamming"])
def test_small_documents_together_as_one_by_one(seed, positional, monkeypatch):
    """Side by side they are one problem, and nothing of the answer may change."""
    from accord.alignment import batch

    rng = random.Random(seed)
    rows, coverage = [], []
    for k in range(9):
        n = rng.choice([2, 2, 3, 4])
        rows += [(f"d{k}", f"a{u[0]}", *u[1:]) for u in tiny(rng, n)]
        coverage += [(f"d{k}", f"a{a}") for a in range(n)]
    # one document that nobody marked
    coverage += [("d9", "a0"), ("d9", "a1")]
    data = Units.from_rows(rows, coverage=coverage, categories=["x", "y", "z"])
    told = []
    together = align(
        data, alpha=3.0, positional=positional, progress=lambda *done: told.append(done)
    )
    assert told[-1][0] == told[-1][1]
    assert told == sorted(told)
    assert len(told) < 5
    monkeypatch.setattr(batch, "_TOGETHER", -1)
    alone = align(data, alpha=3.0, positional=positional)
    assert [a.document for a in together] == [f"d{k}" for k in range(10)]
    for one, other in zip(together, alone, strict=True):
        np.testing.assert_array_equal(one.members, other.members)
        np.testing.assert_array_equal(one.disorders, other.disorders)
        np.testing.assert_equal(one.disorder, other.disorder)
        assert one.annotators == other.annotators
        assert (one.greedy, one.candidates, one.proven) == (
            other.greedy, other.candidates, other.proven,
        )  # fmt: skip


def test_documents_that_are_too_much_together_are_proven_one_by_one(monkeypatch):
    from accord.alignment import candidates

    rows = [(f"d{k}", *tuple(u)[1:]) for k in range(3) for u in random_units(3, 5, k, spread=2.0)]
    data = Units.from_rows(rows, categories=["x", "y", "z"])
    together = align(data)
    monkeypatch.setattr(candidates, "MOST", max(a.candidates for a in together))
    monkeypatch.setattr(candidates, "MOST_PER_UNIT", 0)
    for one, other in zip(together, align(data), strict=True):
        assert other.proven
        np.testing.assert_array_equal(one.members, other.members)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda u, v: u[0] - v[0] + 200, "symmetric, got 100.0"),
        (lambda u, v: -1.0, "from 0, got -1.0"),
        (lambda u, v: float("nan"), "from 0, got nan"),
    ],
)
def test_own_functions_are_checked(wrong, words):
    data = Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 100, 104, "x")])
    with pytest.raises(UsageError, match=words):
        align(data, dissimilarity=wrong)


def test_algorithm_1_keeps_to_the_time_limit(monkeypatch):
    """Where candidates are not listed it searches for each: past the deadline there is no answer of it."""
    from accord.alignment import candidates as module
    from accord.alignment.batch import Batch
    from accord.alignment.greedy import greedy_partition

    monkeypatch.setattr(module, "MOST", 10)
    monkeypatch.setattr(module, "MOST_PER_UNIT", 0)
    data = random_units(4, 6, seed=1, spread=2.0)
    d = unit_dissimilarity(data.categories)
    batch = Batch.of([x.continuum for x in documents_of(data)])
    pairs = module.find_pairs(batch, d)
    candidates = module.find_candidates(batch, pairs, d.delta)
    assert candidates is not None
    assert candidates.near is not None
    rank = np.arange(candidates.units, dtype=np.int32)
    assert greedy_partition(candidates, rank) is not None
    assert greedy_partition(candidates, rank, time.monotonic() + 60) is not None
    assert greedy_partition(candidates, rank, time.monotonic() - 1) is None
