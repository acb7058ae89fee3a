"""Labels that annotators chose on their own: the mapping against every mapping there is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import permutations, product

import numpy as np
import pytest

import accord
from accord.alignment.own_labels import mapped
from accord.data import Units
from accord.data.continuum import documents_of
from accord.distance.units import unit_dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.observed import _solved
from tests.alignment.test_alignment import random_units

ALONE = partial(_solved, effort=10**8, time_limit=None)


def blurred(seed, *, people=3, own=False):
    """Annotators who blur one reference of twelve units in three labels; with `own` names if asked."""
    rng = np.random.default_rng(seed)
    base = [(s, int(rng.integers(3))) for s in np.sort(rng.uniform(0, 380, 12))]
    rows = []
    for a in range(people):
        names = rng.permutation(3)
        for s, c in base:
            start = s + rng.normal(0, 2)
            label = int(rng.integers(3)) if rng.random() < 0.15 else c
            name = f"{'ABCD'[a]}{names[label]}" if own else f"x{label}"
            rows.append(("d", f"p{a}", start, start + 12, name))
    return Units.from_rows(rows)


def test_the_best_of_all_mappings():
    """Two annotators, three labels: all six mappings; alternation finds the best nearly always."""
    reached = 0
    for seed in range(25):
        data = random_units(2, 6, seed=seed, spread=6.0, noise=0.3)
        (document,) = documents_of(data)
        continuum, d = document.continuum, unit_dissimilarity(data.categories)
        size = len(d.categories)
        second = continuum.annotator == 1
        costs = []
        for names in permutations(range(size)):
            label = continuum.label.copy()
            label[second] = np.array(names, np.int32)[label[second]]
            costs.append(ALONE(replace(continuum, label=label), d).ideal.cost)
        found = ALONE(mapped(continuum, d, ALONE), d).ideal.cost
        assert found >= min(costs)
        reached += found == min(costs)
    assert reached >= 23


def test_names_do_not_matter():
    for seed in range(4):
        shared, own = blurred(seed), blurred(seed, own=True)
        wanted = accord.agree(shared, "gamma", ci=None)
        found = accord.agree(own, "gamma", labels="own", ci=None)
        assert found.observed <= wanted.observed + 1e-9
        assert found.observed == pytest.approx(wanted.observed, rel=0.1)
        assert accord.agree(own, "gamma", ci=None).value < found.value
        assert "labels:own" in found.signature
        assert any("mapped between annotators" in w for w in found.warnings)


def test_chance_has_the_same_freedom():
    values = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        rows = [
            ("d", f"p{a}", s, s + 20, f"{a}{rng.integers(2)}")
            for a, _ in product(range(2), range(8))
            for s in [rng.uniform(0, 380)]
        ]
        data = Units.from_rows(rows, lengths={"d": 400})
        values.append(accord.agree(data, "gamma", labels="own", seed=seed, ci=None).value)
    assert abs(np.mean(values)) < 2.5 * np.std(values) / np.sqrt(len(values)) + 0.02


def test_labels_with_distances_are_refused():
    data = blurred(0)
    with pytest.raises(UsageError, match="no distances between them"):
        accord.agree(data, "gamma", labels="own", categorical="edit")
    with pytest.raises(UsageError, match="no categories"):
        accord.agree(data, "gamma-k", labels="own")


def test_the_same_decisions_under_other_names_are_perfect():
    rows = [
        ("d", a, 20 * k, 20 * k + 9, f"{a}{k % 3 if a == 'A' else (k + 1) % 3}")
        for a in "AB"
        for k in range(9)
    ]
    data = Units.from_rows(rows, lengths={"d": 200})
    assert accord.agree(data, "gamma", labels="own").value == 1
    assert accord.agree(data, "gamma-cat", labels="own").value == 1
    assert accord.agree(data, "holistic", labels="own").value == 1
    assert accord.agree(data, "gamma-cat").value < 0.1
