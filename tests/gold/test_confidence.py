"""Confidence that means it: calibration of model posteriors, and what people are asked first."""

from __future__ import annotations

import numpy as np
import pytest

import accord
from accord.data.tables import ratings_from_long
from accord.errors import UsageError
from accord.gold.confidence import calibration_error, tempered
from accord.gold.labels import Labels
from accord.gold.mace import mace
from accord.gold.minimax import minimax_entropy, published_minimax_entropy


def crowd(seed=0, items=400, people=20, per_item=4):
    """A crowd of careful, noisy and guessing people, on items some of which are hard for everybody."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    kind = rng.choice(3, people, p=[0.5, 0.3, 0.2])
    skill = rng.uniform(0.6, 0.95, people) * np.array([1.0, 0.8, 0.0])[kind]
    rows = []
    for i in range(items):
        ease = 1 - rng.beta(1, 4)
        for a in rng.choice(people, per_item, replace=False):
            right = rng.random() < (0.33 if kind[a] == 2 else skill[a] * ease)
            said = truth[i] if right else (truth[i] + rng.integers(1, 3)) % 3
            rows.append((f"i{i}", f"p{a}", "xyz"[said]))
    return ratings_from_long(*map(list, zip(*rows, strict=True))), truth


def certainty(reference, truth, skip=()):
    place = [i for i, item in enumerate(reference.data.items) if item not in skip]
    held = np.array([reference.written(i) for i in place])
    wanted = np.array(["xyz"[truth[int(str(reference.data.items[i])[1:])]] for i in place])
    return held == wanted, reference.confidence[place]


def gap(right, sure):
    """Expected calibration error of confidences."""
    part = np.minimum((sure * 10).astype(int), 9)
    return sum(
        np.mean(part == b) * abs(right[part == b].mean() - sure[part == b].mean())
        for b in np.unique(part)
    )


def test_bagging_and_known_items_mend_the_confidence():
    data, truth = crowd()
    known = {f"i{i}": "xyz"[truth[i]] for i in range(60)}
    errors = {
        how: gap(*certainty(accord.gold(data, "dawid-skene", calibrate=how), truth))
        for how in ("model", "bagged", "held-out")
    }
    told = accord.gold(data, "dawid-skene", known=known)
    errors["known"] = gap(*certainty(told, truth, skip=known))
    assert told.terms["confidence"] == "known"
    assert told.terms["calibration_error_after"] < told.terms["calibration_error_before"]
    assert errors["model"] > 0.15
    assert errors["bagged"] < errors["model"] / 1.5
    assert errors["held-out"] <= errors["model"] + 1e-9
    assert errors["known"] < 0.75 * errors["model"]


def test_the_worklist_finds_errors_first():
    """More errors in the first fifth of the cards than by the raw posterior."""
    found = {"bagged": 0.0, "model": 0.0}
    for seed in range(3):
        data, truth = crowd(seed)
        for how in found:
            right, sure = certainty(accord.gold(data, "dawid-skene", calibrate=how), truth)
            first = np.argsort(sure, kind="stable")[: len(sure) // 5]
            found[how] += np.sum(~right[first]) / np.sum(~right)
    assert found["bagged"] > found["model"]


def test_two_annotators_who_tie_are_not_sure():
    rows = [(f"i{i}", "A", "x") for i in range(30)] + [(f"i{i}", "B", "x") for i in range(30)]
    rows += [("tie", "A", "x"), ("tie", "B", "y")]
    data = ratings_from_long(*map(list, zip(*rows, strict=True)))
    reference = accord.gold(data, "dawid-skene", ties="first")
    assert reference.confidence[list(data.items).index("tie")] < 0.8


def test_thresholds_use_the_honest_probability():
    data, _ = crowd(items=200)
    raw = accord.gold(data, "dawid-skene", threshold=0.9, calibrate="model")
    honest = accord.gold(data, "dawid-skene", threshold=0.9)
    assert np.sum(honest.code < 0) > np.sum(raw.code < 0)


def test_confidence_does_not_depend_on_names():
    data, _ = crowd(items=80, people=7)
    swapped = {f"p{k}": f"q{9 - k}" for k in range(7)}
    other = ratings_from_long(
        [data.items[i] for i in data.item],
        [swapped[data.annotators[a]] for a in data.annotator],
        [data.values[c] for c in data.code],
    )
    for method in ("dawid-skene", "mace", "glad"):
        one, two = (accord.gold(x, method).confidence for x in (data, other))
        assert one == pytest.approx(two, abs=1e-6)


def test_a_temperature_keeps_the_order_and_the_sum():
    p = np.array([[0.7, 0.2, 0.1]])
    hot = tempered(p, 3.0)
    assert hot.sum() == pytest.approx(1)
    assert hot.argmax() == 0
    assert hot.max() < 0.7
    assert tempered(p, 1.0) == pytest.approx(p)


def test_calibration_error_by_hand():
    p = np.array([[0.95, 0.05], [0.95, 0.05], [0.65, 0.35]])
    truth = np.array([0, 1, 0])
    assert calibration_error(p, truth) == pytest.approx(2 / 3 * 0.45 + 1 / 3 * 0.35)


def test_bad_requests():
    data, _ = crowd(items=20)
    with pytest.raises(UsageError, match="calibrate must be one of"):
        accord.gold(data, "dawid-skene", calibrate="hope")
    with pytest.raises(UsageError, match="30 known items"):
        accord.gold(data, "dawid-skene", calibrate="known")


# --- minimax entropy and MACE ---------------------------------------------------------------------


def many_classes():
    rng = np.random.default_rng(1)
    K, n = 8, 300
    truth = rng.integers(0, K, n)
    rows = []
    for i in range(n):
        for a in rng.choice(80, 5, replace=False):
            said = truth[i] if rng.random() < 0.6 else rng.integers(0, K)
            rows.append((str(i), str(a), f"c{said}"))
    return ratings_from_long(*map(list, zip(*rows, strict=True))), truth


def test_the_published_form_vanishes_and_says_so_where_the_default_does_not():
    data, truth = many_classes()
    labels = Labels.of(data)
    published, default = published_minimax_entropy(labels), minimax_entropy(labels)
    assert any("compare with majority" in note for note in published.notes)
    assert not default.notes
    accuracy = [np.mean(e.posterior.argmax(axis=1) == truth) for e in (published, default)]
    assert accuracy[1] >= accuracy[0]


def test_minimax_climbs_to_the_top():
    """At the end the slope of the objective by σ is small: L-BFGS went all the way."""
    data, _ = crowd(items=60, people=6)
    found = minimax_entropy(Labels.of(data), tolerance=1e-6, rounds=200)
    assert found.converged
    assert found.objective[-1] >= found.objective[0]


def test_mace_does_not_depend_on_names():
    data, _ = crowd(items=100, people=9)
    order = np.argsort([f"{(k * 5) % 9}" for k in range(9)])
    names = {f"p{k}": f"n{order[k]}" for k in range(9)}
    other = ratings_from_long(
        [data.items[i] for i in data.item],
        [names[data.annotators[a]] for a in data.annotator],
        [data.values[c] for c in data.code],
    )
    one, two = (mace(Labels.of(x)).posterior for x in (data, other))
    assert one == pytest.approx(two, abs=1e-9)


def test_soft_labels_are_as_honest_as_the_confidences():
    data, truth = crowd()
    plain = accord.gold(data, "dawid-skene", ties="first")
    assert plain.soft is plain.posterior
    found = accord.gold(data, "dawid-skene", ties="first", calibrate="bagged")
    rows = list(found.rows(soft=True))
    held = np.arange(len(rows))
    assert found.confidence == pytest.approx(found.distribution[held, found.code])
    assert rows[0][f"p:{found.labels[0]}"] == pytest.approx(found.distribution[0, 0], abs=1e-6)
    code = np.array([truth[int(str(name)[1:])] for name in data.items])
    model = calibration_error(found.posterior, code)
    assert calibration_error(found.distribution, code) < model


def test_raw_posteriors_are_never_called_confidence_without_their_error():
    data, truth = crowd()
    plain = accord.gold(data, "dawid-skene", calibrate="model")
    assert any("calibration error was not measured" in w for w in plain.warnings)
    known = {str(data.items[i]): "xyz"[truth[int(str(data.items[i])[1:])]] for i in range(60)}
    told = accord.gold(data, "dawid-skene", calibrate="model", known=known)
    assert not any("not measured" in w for w in told.warnings)
    assert 0 < told.terms["calibration_error_before"] < 1
