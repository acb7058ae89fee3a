"""Chance models: what a turn keeps, where it may go, and γ = 0 for independent annotators."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from benchmarks.calibration import (
    CELLS,
    CUTS,
    Column,
    calibrated,
    cut_at_random,
    glanced,
    measured,
    regressed,
    together,
    told,
)
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.chance import atom_of, models
from accord.chance.rotation import Manner, cuttings, extent_of
from accord.data import Units
from accord.data.continuum import Continuum, documents_of
from accord.kernels import turns
from accord.measures.gamma.expected import _needed, ratio_of_samples
from tests.kernels.test_kernels import uncompiled


def one(rows, *, high=None):
    """One annotator's continuum."""
    start, end = np.array(rows, dtype=float).T
    known = high is not None
    return Continuum.assemble(
        [(start, end, np.zeros(len(start), np.int32))],
        0.0 if known else start.min(),
        high if known else end.max(),
        known=known,
    )


def rotated(start, end, extent, rng, *, grid=False):
    """New starts of one annotator's units on [0, extent], in the order given."""
    order = np.lexsort((-end, start))
    found, _, number = turns.turned_units(
        np.array([0, len(start)]), start[order], end[order], np.zeros(len(start), np.int32),
        extent, grid, 0.0, 1.0, rng.random(turns.NEEDS * len(start)),
    )  # fmt: skip
    new = np.empty(len(start))
    new[order[number]] = found
    return new


pieces = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 30)).map(lambda x: (x[0], x[0] + x[1])),
    min_size=1,
    max_size=8,
)


@given(rows=pieces, seed=st.integers(0, 50), grid=st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_turn_keeps_lengths_and_stays_inside(rows, seed, grid):
    start, end = np.array(rows, dtype=float).T
    new = rotated(start, end, 100.0, np.random.default_rng(seed), grid=grid)
    assert new.min() >= 0
    assert (new + end - start).max() <= 100 + 1e-9
    if grid:
        assert (new == np.rint(new)).all()


@given(rows=st.lists(pieces, min_size=1, max_size=3), seed=st.integers(0, 50), grid=st.booleans())
@settings(max_examples=100, deadline=None)
def test_turns_compiled_and_not(rows, seed, grid):
    """The kernel is its own oracle; each annotator keeps the units, sorted anew."""
    rng = np.random.default_rng(seed)
    parts = [np.array(sorted(r, key=lambda x: (x[0], -x[1])), dtype=float) for r in rows]
    offsets = np.concatenate([[0], np.cumsum([len(p) for p in parts])])
    start, end = (np.ascontiguousarray(x) for x in np.concatenate(parts).T)
    label = rng.integers(-1, 2, len(start)).astype(np.int32)
    arguments = (offsets, start, end, label, 100.0, grid, 7.0, 2.0, rng.random(2 * len(start)))
    found, plain = turns.turned_units(*arguments), uncompiled("turns").turned_units(*arguments)
    for ours, theirs in zip(found, plain, strict=True):
        assert np.array_equal(ours, theirs)
    first, last, number = found
    assert last - first == pytest.approx(2 * (end - start)[number])
    for a, b in pairwise(offsets):
        assert sorted(number[a:b].tolist()) == list(range(a, b))
        keys = list(zip(first[a:b], last[a:b], label[number[a:b]], strict=True))
        assert keys == sorted(keys)


def overlaps(start, end):
    order = np.argsort(start, kind="stable")
    return bool((start[order][1:] < np.maximum.accumulate(end[order])[:-1] - 1e-9).any())


def crosses(start, end):
    return any(
        s < t < e - 1e-9 and f > e + 1e-9
        for s, e in zip(start, end, strict=True)
        for t, f in zip(start, end, strict=True)
    )


@given(rows=pieces, seed=st.integers(0, 20), grid=st.booleans())
@settings(max_examples=200, deadline=None)
def test_a_turn_keeps_the_manner(rows, seed, grid):
    """Units apart stay apart, nested ones stay nested."""
    start, end = np.array(rows, dtype=float).T
    new = rotated(start, end, 100.0, np.random.default_rng(seed), grid=grid)
    moved = new + end - start
    if not overlaps(start, end):
        assert not overlaps(new, moved)
    elif not crosses(start, end):
        assert not crosses(new, moved)
        # what was inside is inside, in the same unit
        for i in range(len(start)):
            for j in range(len(start)):
                if i != j and start[i] <= start[j] and end[j] <= end[i] and end[i] > end[j]:
                    assert new[i] - 1e-9 <= new[j]
                    assert moved[j] <= moved[i] + 1e-9


def test_cuttings_stay_cuttings():
    cut = one([(0, 3), (3, 10), (10, 12), (12, 30)], high=30.0)
    assert cuttings(cut) == [True]
    orders = set()
    for seed in range(40):
        drawn = Manner.of(cut).turned(np.random.default_rng(seed))
        assert drawn.start[0] == 0
        assert (drawn.start[1:] == drawn.end[:-1]).all()
        assert drawn.end[-1] == 30
        orders.add(tuple(drawn.end - drawn.start))
    assert len(orders) > 12


def test_touching_units_beside_a_silence_change_places():
    """A cutting that ends before the recording does is not stuck in its place."""
    start, end = np.array([0.0, 20, 50, 60]), np.array([20.0, 50, 60, 80])
    firsts = Counter()
    for seed in range(60):
        new = rotated(start, end, 130.0, np.random.default_rng(seed))
        firsts[int(np.argmin(new))] += 1
        assert not overlaps(new, new + end - start)
    assert len(firsts) == 4


def test_every_place_on_a_grid_is_as_likely():
    """A unit of 2 on 6 atoms has 5 places; two of 1 apart have 10 arrangements."""
    rng = np.random.default_rng(1)
    single = Counter(
        float(rotated(np.array([1.0]), np.array([3.0]), 6.0, rng, grid=True)[0])
        for _ in range(2500)
    )
    assert set(single) == {0.0, 1.0, 2.0, 3.0, 4.0}
    assert min(single.values()) > 400
    # over all arrangements of the two, turned at random, each is as likely again
    pairs = Counter()
    for a in range(5):
        for b in range(a + 1, 5):
            for _ in range(300):
                start = np.array([a, b], dtype=float)
                new = rotated(start, start + 1, 5.0, rng, grid=True)
                pairs[tuple(sorted(new.tolist()))] += 1
    assert len(pairs) == 10
    assert max(pairs.values()) < 1.4 * min(pairs.values())


def test_overlapping_units_reach_every_start():
    """t = s/(L − l) turned by r: uniform over the possible starts."""
    rng = np.random.default_rng(2)
    rows = np.array([(0, 40), (10, 60), (50, 90), (30, 70)], dtype=float)
    new = np.array([rotated(*rows.T, 100.0, rng) for _ in range(2000)])
    room = 100 - (rows[:, 1] - rows[:, 0])
    quartiles = np.quantile(new / room, [0.25, 0.5, 0.75], axis=0)
    assert np.abs(quartiles - np.array([[0.25], [0.5], [0.75]])).max() < 0.05


def test_what_fills_the_continuum_stays():
    new = rotated(np.array([0.0, 2.0]), np.array([10.0, 4.0]), 10.0, np.random.default_rng(0))
    assert new[0] == 0
    assert new[1] != 2


def test_an_unknown_length_is_the_range_widened():
    assert extent_of(one([(10, 20), (30, 50), (60, 70)])) == (-20.0, 100.0)
    assert extent_of(one([(10, 20)])) == (10.0, 20.0)
    assert extent_of(one([(10, 20), (30, 50)], high=90.0)) == (0.0, 90.0)
    same = Continuum.assemble([(np.array([5.0]), np.array([9.0]), np.zeros(1, np.int32))] * 3,
                              5.0, 9.0, known=False)  # fmt: skip
    assert extent_of(same) == (3.0, 11.0)
    # a cutting shows its ends
    assert extent_of(one([(10, 20), (20, 50)])) == (10.0, 50.0)


def test_the_grid_is_found_whatever_its_scale():
    rng = np.random.default_rng(0)
    start = np.sort(rng.integers(0, 900, 40)).astype(float)
    rows = np.stack([start, start + rng.integers(1, 9, 40)], axis=1)
    assert atom_of([one(rows)]) == pytest.approx(1.0)
    assert atom_of([one(rows * 1000 + 7)]) == pytest.approx(1000.0)
    assert atom_of([one(rows * 0.01)]) == pytest.approx(0.01)
    assert atom_of([one(rows + rng.random(rows.shape))]) == 0.0
    assert atom_of([one(rows[:5])]) == 0.0


def test_expectation_is_a_ratio_of_sums():
    """Totals 1, 3 and 8 over weights 1, 1 and 4: 12/6, not the mean of 1, 3 and 2."""
    rows = np.array([[1.0, 1.0, 0.0], [3.0, 1.0, 0.0], [8.0, 4.0, 0.0]])
    found = ratio_of_samples(rows, "rotation", np.zeros(3, np.int64))
    assert found.mean[0] == 2.0
    # delta method: residuals −1, 1, 0
    assert found.error[0] == pytest.approx(np.sqrt(3 / 2 * 2) / 6)


def test_random_corpora_are_measured_as_the_corpus_is():
    """Two documents drawn twice: (1 + 6)/(1 + 2) and (3 + 1)/(1 + 1), and their mean."""
    rows = np.array([[1.0, 1, 0], [6.0, 2, 0], [3.0, 1, 0], [1.0, 1, 0]])
    found = ratio_of_samples(rows, "rotation", np.array([0, 1, 1, 0]), corpus=True)
    assert found.mean[0] == pytest.approx((7 / 3 + 2) / 2)
    assert ratio_of_samples(rows, "rotation", np.array([0, 1, 1, 0])).mean[0] == 11 / 5


def test_what_differs_between_documents_is_no_error():
    """Two documents, each drawn twice: 5 and 5, 1 and 2; only the second differs in itself."""
    rows = np.array([[5.0, 1, 0], [1.0, 1, 0], [5.0, 1, 0], [2.0, 1, 0]])
    found = ratio_of_samples(rows, "rotation", np.array([0, 1, 0, 1]))
    assert found.mean[0] == 13 / 4
    # Var Σ = 2·(0 + 1/2), pooled over both documents: 4·(1/2)/2
    assert found.error[0] == pytest.approx(1 / 4)
    apart = ratio_of_samples(rows, "rotation", np.zeros(4, np.int64))
    assert apart.error[0] > 3 * found.error[0]


def test_precision_is_of_the_whole():
    """Two groups alike need each half of what one alone needs (γ 2015, §5.3)."""
    rng = np.random.default_rng(0)
    total = rng.normal(2.0, 0.5, 30)
    rows = np.column_stack([total, np.ones(30), np.zeros(30)])
    found = ratio_of_samples(rows, "rotation", np.zeros(30, np.int64))
    cv = total.std(ddof=1) / total.mean()
    (alone,) = _needed([found], np.array([5.0]), 0, 0.02)
    assert alone == pytest.approx(np.ceil((1.959964 * cv / 0.02) ** 2), abs=1)
    both = _needed([found, found], np.array([5.0, 5.0]), 0, 0.02)
    assert both == pytest.approx([alone / 2] * 2, abs=1)


SMALL = [
    (name, campaigns)
    for name, campaigns in (
        ("dense, 2 annotators", 120),
        ("sparse, 3 annotators", 100),
        ("nested three deep, 3 annotators", 80),
        ("every level a cutting, 2 annotators", 80),
        ("skewed lengths, apart (85 % full), 3 annotators", 80),
        ("tiny (0–3 units), 80 documents, 2 annotators", 20),
        ("sentences of 20 tokens, 100 documents, 3 annotators", 15),
        ("cuttings, 10 documents, 2 annotators", 40),
        ("skewed categories, 10 documents, 3 annotators", 20),
    )
]


@pytest.mark.parametrize(("name", "campaigns"), SMALL)
def test_independent_annotators_get_zero(name, campaigns):
    """The committed table has the whole grid; here a part of it, as sure as a quick test can be."""
    (cell,) = (c for c in CELLS if c.name == name)
    columns = (Column("γ", "gamma", (("samples", 20),)),)
    ((mean, error, count),) = calibrated(cell, columns, campaigns, seed=3)
    assert count == campaigns
    assert error < 0.03
    assert abs(mean) < 0.02 + 2.5 * error


def test_independent_cuttings_get_zero():
    rng = np.random.default_rng(5)
    column = Column("", "segmentation-gamma", (("samples", 20),))
    values = [measured(cut_at_random(rng, CUTS[1]), column, k) for k in range(60)]
    assert abs(np.mean(values)) < 0.02 + 2.5 * np.std(values) / np.sqrt(len(values))


def test_the_papers_statistical_model_is_not_calibrated():
    """What the default was: dense units get γ well above 0 by chance (the reason for rotation)."""
    (cell,) = (c for c in CELLS if c.name == "dense, 3 annotators")
    columns = (Column("", "gamma", (("chance", "statistical"), ("samples", 15))),)
    ((mean, error, _),) = calibrated(cell, columns, 20, seed=1)
    assert mean - 2 * error > 0.1


def test_one_alignment_serves_all_gamma_measures(monkeypatch):
    from accord.measures.gamma import samples, tallies

    calls = Counter()
    for module in (tallies, samples):
        real = module.tallies
        monkeypatch.setattr(
            module,
            "tallies",
            lambda *a, _m=module.__name__, _f=real, **k: calls.update([_m]) or _f(*a, **k),
        )
    rng = np.random.default_rng(0)
    rows = [
        ("d", a, float(s), float(s + 5), "xy"[k % 2])
        for a in "ABC"
        for k, s in enumerate(rng.uniform(0, 90, 6))
    ]
    data = Units.from_rows(rows, lengths={"d": 100})
    first = accord.agree(data, "gamma-cat", by=["document", "category"])
    before = dict(calls)
    assert first.by["document"]
    assert first.by["category"]
    accord.agree(data, "gamma-k")
    value = accord.agree(data, "gamma", by=["document"])
    assert next(iter(value.by["document"]))["value"] == pytest.approx(value.value)
    assert dict(calls) == before
    fresh = accord.agree(Units.from_rows(rows, lengths={"d": 100}), "gamma")
    assert fresh.value == pytest.approx(value.value, rel=1e-12)


def test_a_document_keeps_its_draws_whatever_the_annotators_are_called():
    rows = [("d", a, s, s + 7, "x") for a, s in (("A", 3), ("B", 30), ("C", 50), ("C", 11))]
    names = {"A": "z", "B": "k", "C": "b"}
    turned = [(d, names[a], s, e, c) for d, a, s, e, c in rows]
    draws = []
    for given_rows in (rows, turned):
        (document,) = documents_of(Units.from_rows(given_rows, lengths={"d": 90}))
        draws.append(Manner.of(document.continuum).turned(np.random.default_rng(1)).start.tolist())
    assert draws[0] == draws[1]


def test_few_samples_of_chance_do_not_lower_gamma():
    """1/E is convex: three samples would make γ of independent annotators about −.03."""
    cell = next(c for c in CELLS if c.name == "dense, 2 annotators")
    rng = np.random.default_rng(11)
    values, plain = [], []
    for seed in range(400):
        found = accord.agree(cell.draw(rng), "gamma", samples=3, seed=seed, ci=None)
        lift = 1 + (found.terms["sampling"]["error"] / (1 - found.value)) ** 2
        values.append(found.value)
        plain.append(1 - found.observed / (found.expected / lift))
    # the same campaigns with and without: far more precise than either mean
    assert 0.01 < np.mean(values) - np.mean(plain) < 0.06
    assert abs(np.mean(values)) < 3 * np.std(values) / 20


def test_the_error_of_a_mean_of_ratios_is_that_of_a_mean():
    rows = np.array([[1.0, 2.0, 0.0], [3.0, 2.0, 0.0], [2.0, 4.0, 0.0], [5.0, 0.0, 0.0]])
    one = ratio_of_samples(rows, "rotation", np.zeros(4, dtype=np.int64), corpus=True)
    shares = np.array([0.5, 1.5, 0.5])
    assert one.mean[0] == pytest.approx(shares.mean())
    assert one.error[0] == pytest.approx(shares.std(ddof=1) / np.sqrt(3))


def test_the_grid_sees_a_model_that_lets_units_pass_the_end(monkeypatch):
    """Starts turned modulo the length, as shuffle does: draws are sparser than the data are."""

    def wrapped(model, template, rng):
        low, span = template.low, template.high - template.low
        parts = []
        for a, b in pairwise(template.offsets.tolist()):
            start = low + (template.start[a:b] - low + rng.random() * span) % span
            order = np.argsort(start)
            size = (template.end - template.start)[a:b]
            parts.append((start[order], (start + size)[order], template.label[a:b][order]))
        return Continuum.assemble(parts, low, template.high)

    monkeypatch.setitem(models.MODELS, "rotation", wrapped)
    (cell,) = (c for c in CELLS if c.name == "dense, 2 annotators")
    columns = (Column("γ", "gamma", (("samples", 20),)),)
    ((mean, error, _),) = calibrated(cell, columns, 60, seed=3)
    assert abs(mean) > 0.02 + 2.5 * error


def test_what_is_glanced_at_sharpens_a_mean_and_does_not_move_it():
    """y = 2 − x + noise: the mean of x over many more values stands in for that over few."""
    rng = np.random.default_rng(4)
    means, errors, plain = [], [], []
    for _ in range(200):
        x = rng.normal(3, 1, (60, 1))
        y = 2 - x[:, 0] + rng.normal(0, 0.3, 60)
        mean, error, n = regressed(y.tolist(), x.tolist(), rng.normal(3, 1, (600, 1)).tolist())
        assert n == 60
        means.append(mean)
        errors.append(error)
        plain.append(y.mean())
    assert np.mean(means) == pytest.approx(-1, abs=0.02)
    # the error that is told is the spread of the means, and a fraction of what it was
    assert np.mean(errors) == pytest.approx(np.std(means), rel=0.15)
    assert np.std(means) < 0.55 * np.std(plain)


def test_glances_show_what_the_measures_observe():
    (cell,) = (c for c in CELLS if c.name == "tiny (0–3 units), 80 documents, 2 annotators")
    small = replace(cell, documents=4)
    data = small.draw(np.random.default_rng(0), 3)
    found = glanced(data, 3, {"gamma", "gamma-cat", "gamma-k", "holistic"})
    for k in range(3):
        names = data.documents[4 * k : 4 * k + 4]
        alone = data.select(documents=names)
        for name, rows in found.items():
            _, observed = told(alone, Column("", name, (("samples", 2),)), 0)
            assert rows[k][0] == pytest.approx(observed, nan_ok=True)


def test_rounds_are_put_together_by_their_campaigns():
    one, two = [(0.1, 0.03, 10)], [(0.4, 0.01, 30)]
    ((mean, error, n),) = together([one, two])
    assert (mean, n) == (pytest.approx(0.325), 40)
    assert error == pytest.approx(np.hypot(0.03 * 10, 0.01 * 30) / 40)
    assert together([one, [(float("nan"), float("nan"), 0)]]) == [pytest.approx((0.1, 0.03, 10))]
