"""Every measure stays in its range, whatever the unit of positions, values and weights.

A recording in milliseconds, seconds, minutes or hours is the same recording. Where a measure's record says
that it is free of the unit (or of the origin), its value is the same, too.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import accord
from accord.chance.atom import largest_step
from accord.data import Boxes, Chains, Ratings, Relations, Units
from accord.errors import RefusedError, UsageError
from accord.measures import enrolled

UNITS = (1000.0, 1 / 60, 1 / 3600)
SHIFT = 50.0
#: measures on ratings that take two annotators only
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}
METRICS = ("nominal", "ordinal", "interval", "ratio", "linear", "bipolar")
WEIGHTS = ("identity", "linear", "quadratic", "radical", "ordinal", "ratio", "bipolar")


def spans(seed: int = 3) -> list[tuple[str, str, int, int, str]]:
    """Three documents of units that three people place nearly alike, without overlap of their own."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(3):
        end = 0
        for i in range(8):
            start = end + int(rng.integers(3, 20))
            end = start + int(rng.integers(5, 30))
            for who in "ABC":
                if rng.random() < 0.85:
                    moved = start + int(rng.integers(-2, 3))
                    label = "xy"[(i + (rng.random() < 0.2)) % 2]
                    rows.append((f"d{d}", who, moved, end - int(rng.integers(0, 3)), label))
    return rows


def units(unit: float, origin: float, lengths: bool) -> Units:
    rows = [(d, w, (s + origin) * unit, (e + origin) * unit, c) for d, w, s, e, c in spans()]
    return Units.from_rows(rows, lengths={f"d{d}": 320 * unit for d in range(3)} if lengths else {})


def boxes(unit: float, origin: float) -> Boxes:
    rng = np.random.default_rng(4)
    rows = []
    for d in range(3):
        for i in range(6):
            x, y = rng.integers(0, 200, 2)
            width, height = rng.integers(8, 50, 2)
            for who in "ABC":
                moved = np.array([x, y, x + width, y + height]) + rng.integers(-2, 3, 4)
                rows.append(
                    (f"d{d}", who, *((v + origin) * unit for v in moved.tolist()), "xy"[i % 2])
                )
    return Boxes.from_rows(rows)


def relations(unit: float, origin: float) -> Relations:
    by: dict[tuple[str, str], list] = {}
    for d, w, s, e, label in spans():
        by.setdefault((d, w), []).append(((s + origin) * unit, (e + origin) * unit, label))
    return Relations.from_rows(
        [
            (d, w, one[:2], two[:2], one[2])
            for (d, w), own in by.items()
            for one, two in pairwise(sorted(own))
        ]
    )


def chains(unit: float, origin: float) -> Chains:
    """Mentions have whole offsets: they can only be spread, or moved."""
    scale, by = max(1, int(unit)), {}
    for i, (d, w, s, e, _) in enumerate(spans()):
        by.setdefault((d, w), {}).setdefault(i // 3 % 3, []).append(
            (int(s + origin) * scale, int(e + origin) * scale)
        )
    return Chains.from_clusters({k: list(v.values()) for k, v in by.items()})


def numbers(people: int, unit: float = 1.0, origin: float = 0.0, weight: float | None = None):
    rng = np.random.default_rng(5)
    base = rng.integers(3, 14, 40)
    rows = (base + rng.integers(-2, 3, (3, 40))).astype(float)[:people]
    found = Ratings.from_matrix(((rows + origin) * unit).tolist())
    if weight is None:
        return found
    weights = np.where(np.arange(40) % 2, 2.0, 1.0) * weight
    return replace(found, weights=weights, _profiles={})


def measured(record, unit=1.0, origin=0.0, weight=None, lengths=True, **options):
    """All values of a measure on the same data in another unit."""
    if record.takes("beside"):
        options["beside"] = False
    if record.takes("atom") and record.shape == "units":
        options["atom"] = unit
    if record.shape == "ratings":
        if record.question == "agree":
            people = 2 if record.name in TWO_ONLY else 3
            sides = [numbers(people, unit, origin, weight)]
        else:
            both = numbers(2, unit, origin, weight)
            sides = [both.select(annotators=[a]) for a in both.annotators]
    else:
        data = (
            units(unit, origin, lengths)
            if record.shape == "units"
            else {"boxes": boxes, "relations": relations, "chains": chains}[record.shape](
                unit, origin
            )
        )
        one = record.question == "agree"
        sides = [data] if one else [data.select(annotators=[a]) for a in ("A", "B")]
    ask = accord.agree if record.question == "agree" else accord.score
    found = ask(*sides, record.name, **options)
    results = found if isinstance(found, tuple) else (found,)
    low, high = record.range
    for result in results:
        assert math.isnan(result.value) or low - 1e-9 <= result.value <= high + 1e-9, result
    return [result.value for result in results]


LOCATED = [m for m in enrolled() if m.shape in ("units", "boxes", "relations", "chains")]
OF_ITEMS = enrolled(shape="ratings")


def ids(record) -> str:
    return f"{record.question}-{record.name}"


@pytest.mark.parametrize("record", LOCATED, ids=ids)
def test_positions_in_another_unit(record):
    try:
        expected = measured(record)
    except (RefusedError, accord.InputError) as problem:
        pytest.skip(f"not for these data: {problem}")
    for unit in UNITS:
        found = measured(record, unit)
        if record.unit_free:
            assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("record", LOCATED, ids=ids)
def test_positions_from_another_origin(record):
    try:
        expected = measured(record, lengths=False)
    except (RefusedError, accord.InputError) as problem:
        pytest.skip(f"not for these data: {problem}")
    found = measured(record, origin=SHIFT, lengths=False)
    if record.origin_free:
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)
    else:
        assert found != pytest.approx(expected, abs=1e-9, nan_ok=True)


def variants(record) -> list[dict[str, str]]:
    if record.takes("metric"):
        refused = ("ordinal",) if record.name in ("ks", "sigma") else ()
        return [{"metric": m} for m in METRICS if m not in refused]
    if record.takes("weights"):
        return [{"weights": w} for w in WEIGHTS]
    return [{}]


@pytest.mark.parametrize("record", OF_ITEMS, ids=ids)
def test_values_in_another_unit(record):
    for options in variants(record):
        expected = measured(record, **options)
        for unit in UNITS:
            found = measured(record, unit, **options)
            assert not record.unit_free or found == pytest.approx(expected, abs=1e-6, nan_ok=True)
        found = measured(record, origin=SHIFT, **options)
        if record.origin_free and "ratio" not in options.values():
            assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize("record", OF_ITEMS, ids=ids)
def test_weights_of_another_size(record):
    """Weights from 1 count items; shares are relative to each other, so that their size is nothing."""
    options = {"metric": "interval"} if record.takes("metric") else {}
    measured(record, weight=1.0, **options)
    measured(record, weight=1000.0, **options)
    first, second = (measured(record, weight=w, **options) for w in (1 / 60, 1 / 3600))
    assert first == pytest.approx(second, abs=1e-6, nan_ok=True)


def test_a_measure_that_is_not_free_of_the_unit_says_so():
    # u-α of mentions counts characters, or words: whole numbers whose unit is given
    assert {m.name for m in enrolled() if not m.unit_free} == {"emd", "mention-u-alpha"}


# --- the size of an atom -----------------------------------------------------------------------


def recording(unit: float = 1.0) -> Units:
    """Two people, whole milliseconds from 1 to 183 551."""
    rng = np.random.default_rng(7)
    rows, end = [], 0
    for i in range(30):
        start = end + int(rng.integers(500, 3000))
        end = start + int(rng.integers(800, 6000))
        for who in "AB":
            s, e = start + int(rng.integers(-200, 200)), end - int(rng.integers(0, 300))
            rows.append(("d", who, s * unit, e * unit, "xyz"[i % 3]))
    return Units.from_rows(rows, lengths={"d": (end + 1001) * unit})


@pytest.mark.parametrize("name", ["u-alpha", "bar-u-alpha", "alpha-u", "atomized-alpha"])
def test_a_recording_has_the_same_value_in_every_unit(name):
    options = {"beside": False} if name.startswith("atomized") else {}
    whole = accord.agree(recording(), name, **options)
    assert "atom" not in whole.signature or name.startswith("atomized")
    for unit in (1 / 1000, 1 / 60_000, 1 / 3_600_000):
        found = accord.agree(recording(unit), name, **options)
        assert found.value == pytest.approx(whole.value, abs=1e-9)
        assert f"|atom:{unit:.9g}"[:13] in found.signature
        assert any("not whole numbers: pieces of" in w for w in found.warnings)
        # what the signature tells gives the value again, and then nothing is said
        again = accord.agree(recording(unit), name, atom=unit, **options)
        assert again.value == pytest.approx(whole.value, abs=1e-9)
        assert not any("whole numbers" in w for w in again.warnings)


def test_an_atom_may_be_longer_than_a_gap():
    rows = [("d", "A", 0, 9, "x"), ("d", "B", 0, 10, "x")]
    data = Units.from_rows(rows, lengths={"d": 10})
    assert accord.agree(data, "bar-u-alpha", atom=100).value <= 1
    assert accord.agree(data, "u-alpha", atom=100).value <= 1


def test_offsets_without_a_step_have_no_atoms():
    rng = np.random.default_rng(1)
    rows = [("d", w, float(s), float(s + 0.5 * rng.random()), "x") for w in "AB" for s in range(5)]
    data = Units.from_rows(rows, lengths={"d": 2 * math.pi})
    found = accord.agree(data, "u-alpha")
    assert "|atom:0|" in found.signature
    assert any("not cut into pieces" in w for w in found.warnings)
    assert accord.agree(data, "u-alpha", atom=1e-9).value == pytest.approx(found.value, abs=1e-8)
    with pytest.raises(RefusedError, match="give their size with"):
        accord.agree(data, "atomized-kappa")
    with pytest.raises(UsageError, match="greater than 0"):
        accord.agree(data, "atomized-kappa", atom=0)


@pytest.mark.parametrize("decimals", [1, 2, 3])
def test_the_step_of_decimals_is_found(decimals):
    rng = np.random.default_rng(decimals)
    lengths = np.round(rng.random(200) * 900, decimals)
    assert largest_step(lengths) == pytest.approx(10**-decimals, rel=1e-9)
    assert largest_step(rng.random(200)) == 0
    assert largest_step(np.array([])) == 0
    # what is left of one division must divide the divisor, too
    assert largest_step(np.array([1.0, math.pi])) == 0
    assert largest_step(np.array([0.7, 1.6])) == pytest.approx(0.1)
    assert largest_step(np.array([0.75, 1.0])) == 0.25
