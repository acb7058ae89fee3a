"""Simulations: degradations do what they say, curves are read backwards, sizes are honest."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from typer.testing import CliRunner

import accord
from accord.cli.simulate import simulate
from accord.data import Ratings, Units
from accord.errors import InputError, RefusedError, UsageError
from accord.registry import Measure, _measures, _names
from accord.result import Interval, Result
from accord.simulate import (
    PAPER,
    PLAIN_RATINGS,
    Curve,
    Grid,
    compare_measures,
    planned,
    prevalence_curves,
    reading_grid,
    sample_size,
    setting_of,
    translate,
)
from accord.simulate.degrade import damaged_ratings, damaged_units
from accord.simulate.grid import damaged
from tests.conftest import ROOT


def _counts(units: Units) -> list[int]:
    return np.bincount(units.annotator, minlength=len(units.annotators)).tolist()


def _made(name: str, level: float, seed: int = 0) -> Units:
    return damaged_units(PAPER, name, level, np.random.default_rng(seed))


@pytest.mark.parametrize(
    "name", ["shift", "omission", "false-positives", "confusion", "splits", "together"]
)
def test_without_damage_all_annotators_agree(name: str) -> None:
    units = _made(name, 0.0)
    assert _counts(units) == [25, 25, 25]
    first, *others = (units.select(annotators=[a]) for a in units.annotators)
    for other in others:
        assert np.array_equal(first.start, other.start)
        assert np.array_equal(first.end, other.end)
        assert np.array_equal(first.label, other.label)


def test_each_damage_changes_what_it_says_and_nothing_else() -> None:
    whole = [_made("omission", 0.4, s) for s in range(40)]
    kept = np.mean([_counts(u)[1:] for u in whole])
    assert kept == pytest.approx(25 * 0.6, abs=0.6)
    assert all(_counts(u)[0] == 25 for u in whole)
    added = np.mean([_counts(_made("false-positives", 0.4, s))[1:] for s in range(40)])
    assert added == pytest.approx(25 * 1.4, abs=0.6)
    cut = _made("splits", 1.0)
    assert _counts(cut) == [25, 50, 50]
    assert cut.select(annotators=["a1"]).end.sum() > cut.select(annotators=["a0"]).end.sum()
    confused = _made("confusion", 1.0)
    first, second = (confused.select(annotators=[a]) for a in ("a0", "a1"))
    assert np.array_equal(first.start, second.start)
    assert not np.any(first.label == second.label)


def test_shift_moves_boundaries_by_at_most_half_k_unit_lengths() -> None:
    moved = _made("shift", 0.5)
    first, second = (moved.select(annotators=[a]) for a in ("a0", "a1"))
    order = np.argsort(first.start), np.argsort(second.start)
    assert _counts(moved) == [25, 25, 25]
    size = (first.end - first.start)[order[0]]
    # sorted starts of both stay within the largest possible move of one another
    apart = np.abs(first.start[order[0]] - second.start[order[1]])
    assert apart.max() <= 0.25 * size.max() + 1e-9
    assert apart.max() > 0
    assert np.all(_made("shift", 2.0).end > _made("shift", 2.0).start)


def test_the_users_corpus_gives_its_own_statistics() -> None:
    rows = [("d1", "A", 0, 5, "x"), ("d1", "B", 0, 4, "y"), ("d2", "A", 10, 50, "x")]
    data = Units.from_rows(rows, lengths={"d1": 20, "d2": 100})
    setting = setting_of(data)
    assert setting.annotators == 2
    assert setting.shares == pytest.approx((2 / 3, 1 / 3))
    made = damaged_units(setting, "omission", 0.0, np.random.default_rng(0))  # type: ignore[arg-type]
    sizes = set((made.end - made.start).tolist())
    assert sizes <= {5.0, 4.0, 40.0}
    assert len(made.documents) > 1
    with pytest.raises(UsageError, match="simulated on units and ratings"):
        setting_of(accord.Segments.from_masses([("d", "A", [2, 3])]))
    with pytest.raises(InputError, match="no unit to simulate from"):
        setting_of(Units.from_rows([], coverage=[("d", "A"), ("d", "B")]))


def test_ratings_noise_leaves_alpha_at_the_square_of_attention() -> None:
    # the translation's formula: two annotators who both answer at random on a share e have
    # alpha (1 - e)²; against an undamaged first annotator it is 1 - e
    setting = replace(PLAIN_RATINGS, items=20_000, annotators=2)
    made = damaged_ratings(setting, "noise", 0.3, np.random.default_rng(0))
    assert accord.agree(made, "alpha").value == pytest.approx(0.7, abs=0.02)
    both = planned(0.49, annotators=2, shares=(0.4, 0.3, 0.2, 0.1))
    assert accord.agree(both, "alpha").value == pytest.approx(0.49, abs=0.02)
    sentence = translate(0.49, "alpha", both)
    assert sentence is not None
    assert "answered 30 % of the items at random" in sentence


def test_curves_are_read_backwards_through_their_noise() -> None:
    curve = Curve(
        "omission", "p", (0, 0.25, 0.5, 0.75, 1), (1, 0.7, 0.72, 0.4, 0.1), *[(0,) * 5] * 2
    )
    assert curve.level_at(1.0) == 0
    assert curve.level_at(2.0) == 0
    assert curve.level_at(0.55) == pytest.approx(0.625)
    assert curve.level_at(0.05) is None
    assert curve.level_at(0.1) == pytest.approx(1)


def test_grid_is_the_same_for_any_number_of_workers_and_survives_json() -> None:
    setting = replace(PLAIN_RATINGS, items=40)
    one = reading_grid("alpha", setting, degradations=["noise"], steps=2, campaigns=3)
    two = reading_grid("alpha", setting, degradations=["noise"], steps=2, campaigns=3, jobs=2)
    assert one == two
    assert Grid.from_dict(json.loads(json.dumps(one.to_dict()))) == one
    assert one.curves[0].value[0] == 1
    assert one.curves[0].value[0] > one.curves[0].value[1] > one.curves[0].value[2]
    assert one != reading_grid(
        "alpha", setting, degradations=["noise"], steps=2, campaigns=3, seed=1
    )


def test_grid_refuses_what_it_cannot_do() -> None:
    with pytest.raises(UsageError, match="alpha is not an agreement measure on units"):
        reading_grid("alpha", PAPER)
    with pytest.raises(UsageError, match="unknown degradation 'shift'"):
        reading_grid("alpha", PLAIN_RATINGS, degradations=["shift"])
    with pytest.raises(UsageError, match="steps and campaigns must be at least 1"):
        reading_grid("alpha", PLAIN_RATINGS, steps=0)


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> str:
    """A measure on units that is the share of units kept; it refuses campaigns under one half."""

    def share(data: Units) -> Result:
        least, most = min(_counts(data)), max(_counts(data))
        if least < most / 2:
            raise InputError("too few units", hint="too few units to count")
        return Result(measure="toy-share", value=least / most)

    record = Measure(
        name="toy-share", title="", shape="units", question="agree", citation="", range=(0, 1),
        function=share,
    )  # fmt: skip
    monkeypatch.setitem(_measures, ("toy-share", "agree"), record)
    monkeypatch.setitem(_names, "toy-share", "toy-share")
    return "toy-share"


def test_any_measure_on_units_and_what_it_cannot_value_is_counted(counting: str) -> None:
    grid = reading_grid(counting, PAPER, degradations=["shift", "omission"], steps=4, campaigns=3)
    shift, omission = grid.curves
    assert set(shift.value) == {1.0}
    assert omission.value[0] == 1 > omission.value[1]
    assert np.isnan(omission.value[-1])
    assert "toy-share has no value on" in grid.notes[0]
    assert "too few units to count" in grid.notes[0]
    read = grid.read(0.99)
    assert read["shift"] is None
    assert 0 < (read["omission"] or 0) < 0.25
    said = translate(0.99, counting, None, grid=grid)
    assert said is not None
    assert "after omitting" in said
    assert "25 units" in said


def test_translation_knows_its_limits() -> None:
    data = Ratings.from_matrix([["a", "b"], ["a", "b"]])
    assert translate(-0.1, "alpha", data) == "no better than chance"
    assert translate(0.5, "ac1", data) is None
    assert translate(float("nan"), "alpha", data) is None
    assert translate(0.5, "boundary-alpha", accord.Segments.from_masses([("d", "A", [2])])) is None


def test_prevalence_matches_the_measures_themselves() -> None:
    curves = prevalence_curves(prevalence=[0.5, 0.1, 0.01])
    assert curves.values["kappa"] == pytest.approx((0.64, 0.390, 0.0658), abs=5e-4)
    assert curves.values["s"] == pytest.approx((0.64, 0.64, 0.64))
    # the expected table itself, counted 10 000 times, under the enrolled coefficients
    p, q = 0.1, 0.9
    both, one = p * 0.81 + q * 0.01, p * 0.09 + q * 0.09
    cells = np.round(np.array([both, one, one, 1 - both - 2 * one]) * 10_000).astype(int)
    first = np.repeat(["+", "+", "-", "-"], cells)
    second = np.repeat(["+", "-", "+", "-"], cells)
    data = Ratings.from_matrix([first.tolist(), second.tolist()])
    for name in ("percent", "kappa", "pi", "s", "ac1"):
        assert accord.agree(data, name).value == pytest.approx(curves.values[name][1], abs=2e-3)
    with pytest.raises(UsageError, match="strictly between 0 and 1"):
        prevalence_curves(prevalence=[0.0])


def test_sample_size_refuses_nonsense() -> None:
    constant = Ratings.from_matrix([["a", "a"], ["a", "a"]])
    with pytest.raises(RefusedError, match="no sample size"):
        sample_size(constant, "alpha")
    with pytest.raises(UsageError, match="width must be between"):
        sample_size(planned(0.5), width=0)
    with pytest.raises(UsageError, match="from 0 to below 1"):
        planned(1.0)


def test_comparison_says_which_measure_falls() -> None:
    setting = replace(PLAIN_RATINGS, items=300)
    found = compare_measures(
        ["percent", "alpha"], setting, degradations=["habit"], steps=4, campaigns=3
    )
    (row,) = found.falls()
    # giving everything the commonest value keeps raw agreement high, and alpha falls to nothing
    assert row["alpha"] > row["percent"] + 0.15
    assert [r["level"] for r in found.rows()] == [0, 0.25, 0.5, 0.75, 1]
    with pytest.raises(UsageError, match="named twice"):
        compare_measures(
            ["alpha", "krippendorff" if "krippendorff" in _names else "alpha"], setting
        )


def test_command_line_prints_one_json_and_draws(tmp_path: Path) -> None:
    run = CliRunner()
    for words in (
        ["prevalence", "--at", "0.5,0.1"],
        ["size", "--width", "0.2"],
        ["grid", "--shape", "ratings", "--steps", "2", "--campaigns", "2", "--value", "0.5"],
        ["measures", "--shape", "ratings", "--steps", "2", "--campaigns", "2"],
    ):
        target = tmp_path / f"{words[0]}.svg"
        done = run.invoke(simulate, [*words, "--json", "--svg", str(target)])
        assert done.exit_code == 0, done.output
        json.loads(done.stdout)
        ElementTree.parse(target)
        told = run.invoke(simulate, words)
        assert told.exit_code == 0
        assert told.stdout
    done = run.invoke(simulate, ["prevalence", "--at", "0.5,0.1", "--json"])
    assert json.loads(done.stdout)["points"][1]["kappa"] == pytest.approx(0.3902, abs=1e-4)


def test_the_stored_grids_read_the_papers_value() -> None:
    # Mathet & Widlöcher (2011) §6.2: .37 is like p = .46, and like a shift of k = 1.2. The first
    # comes out; the second is about what boundaries moving by ±k give, twice k at ±k/2
    from accord.simulate.translation import stored_grids

    grids = {(g.measure, g.annotators): g for g in stored_grids()}
    assert set(grids) == {(m, n) for m in ("gamma", "holistic") for n in (2, 3, 4)}
    read = grids["holistic", 3].read(0.37)
    assert read["omission"] == pytest.approx(0.46, abs=0.03)
    # (2.25 against the severest of the papers' chance models, 2.7 against rotation)
    assert read["shift"] == pytest.approx(2.7, abs=0.25)
    for grid in grids.values():
        for curve in grid.curves:
            assert curve.value[0] == 1
            assert curve.value[0] > curve.value[8] > curve.value[-1]
    units = damaged_units(PAPER, "omission", 0.3, np.random.default_rng(5))
    said = translate(0.37, "holistic", units)
    assert said is not None
    assert "unit lengths, or after omitting 4" in said
    assert "3 annotators" in said


def grid_of(**options: Any) -> Grid:
    return reading_grid(
        "gamma", replace(PAPER, units=6), degradations=["omission"], steps=1, campaigns=1, **options
    )


OTHER = (
    {"alpha": 2.0},
    {"beta": 0.5},
    {"delta": 2.0},
    {"chance": "shuffle"},
    {"positional": "hamming"},
)


@pytest.mark.parametrize("options", OTHER, ids=str)
def test_a_value_is_read_from_a_grid_of_its_own_options(options: dict[str, Any]) -> None:
    units = damaged_units(PAPER, "omission", 0.3, np.random.default_rng(5))
    usual = accord.agree(units, "gamma", ci=None)
    other = accord.agree(units, "gamma", ci=None, **options)
    assert "omitting" in (translate(usual, data=units) or "")
    assert translate(other, data=units) is None
    # a grid made with the options reads it, and refuses the usual value
    made = grid_of(**options)
    assert "omitting" in (translate(other, data=units, grid=made) or "")
    with pytest.raises(UsageError, match="another measure or options"):
        translate(usual, data=units, grid=made)
    assert made.signature != grid_of().signature
    # how finely it was estimated is no other value
    assert translate(accord.agree(units, "gamma", ci=None, samples=40), data=units)


def test_a_value_is_read_from_a_grid_of_as_many_annotators() -> None:
    for annotators in (2, 4):
        setting = replace(PAPER, annotators=annotators)
        units = damaged_units(setting, "omission", 0.3, np.random.default_rng(5))
        assert f"{annotators} annotators" in (translate(0.5, "gamma", units) or "")
    five = damaged_units(replace(PAPER, annotators=5), "omission", 0.3, np.random.default_rng(5))
    assert translate(0.5, "gamma", five) is None
    seen = [("d", "A"), ("d", "B"), ("e", "A"), ("e", "B"), ("e", "C")]
    uneven = Units.from_rows([(d, a, 1.0, 2.0, "x") for d, a in seen], coverage=seen)
    assert translate(0.5, "gamma", uneven) is None
    # and of nothing that is not known
    assert translate(0.5, "gamma") is None
    with pytest.raises(UsageError, match="needs the measure"):
        translate(0.5)


def test_a_reading_has_the_limits_of_its_value() -> None:
    ratings = Ratings.from_matrix([["a", "b"], ["a", "b"]])
    interval = Interval(0.36, 0.81, 0.9, "bootstrap:item")
    result = Result(measure="alpha", value=0.64, interval=interval, n=2, signature="alpha|n:2")
    assert translate(result, data=ratings) == (
        "like annotators who each answered 20 [10, 40] % of the items at random, "
        "in the observed proportions (limits at 90 %)"
    )
    ends = tuple(1 - x / 10 for x in range(11))
    curve = Curve("omission", "p", tuple(x / 10 for x in range(11)), ends, ends, ends)
    low, high = tuple(x - 0.1 for x in ends), tuple(x + 0.1 for x in ends)
    grid = Grid(
        measure="gamma", setting="a line", annotators=3, campaigns=1, seed=0,
        curves=(replace(curve, low=low, high=high),),
    )  # fmt: skip
    without = replace(result, measure="gamma", interval=None, signature="gamma|n:2")
    assert translate(without, grid=grid) == (
        "about what perfect copies would give after omitting 36 [26, 46] % of the units "
        "(limits at 90 %; simulated on a line)"
    )
    at = replace(without, interval=replace(interval, low=-0.1, level=0.95))
    assert translate(at, grid=grid) == (
        "about what perfect copies would give after omitting 36 [19, 100] % of the units "
        "(limits at 95 %; simulated on a line)"
    )


def test_the_grid_of_the_command_line_takes_the_options_of_its_measure(accord_command: Any) -> None:
    words = ["simulate", "grid", "--steps", "1", "--campaigns", "1", "--degradation", "omission"]
    found = [
        json.loads(accord_command(*words, "--json", *more).stdout)
        for more in ([], ["--delta", "2", "--chance", "shuffle"])
    ]
    assert found[0]["options"]["delta"] == "1"
    assert (found[1]["options"]["delta"], found[1]["options"]["chance"]) == ("2", "shuffle")
    assert found[0]["signature"] != found[1]["signature"]
    refused = accord_command(*words, "--metric", "ordinal")
    assert refused.returncode == 2
    assert "gamma has no option --metric" in refused.stderr


def test_a_damaged_campaign_is_written_and_is_the_one_of_the_grid(
    accord_command: Any, tmp_path: Path
) -> None:
    target = tmp_path / "shifted.csv"
    words = ["simulate", "damage", "--degradation", "shift", "--level", "2", "--seed", "3"]
    done = accord_command(*words, "-o", target, "--json")
    assert json.loads(done.stdout)["written"] == str(target)
    grid = reading_grid("gamma", PAPER, degradations=["shift"], steps=2, campaigns=1, seed=3)
    kept = damaged(PAPER, "shift", 2.0, seed=3)
    assert isinstance(kept, Units)
    assert grid.curves[0].value[1] == accord.agree(kept, "gamma", ci=None, seed=3).value
    written = accord.read(target)
    assert isinstance(written, Units)
    assert np.sort(written.start) == pytest.approx(np.sort(kept.start))
    noisy = tmp_path / "noisy.csv"
    words = ["simulate", "damage", ROOT / "examples" / "moods.csv", "--degradation", "noise"]
    done = accord_command(*words, "--level", "0.5", "-o", noisy, "--annotators", "5")
    assert done.returncode == 0, done.stderr
    assert len(accord.read(noisy).annotators) == 5
    # what is there stays
    assert (
        accord_command(*words, "--level", "0.5", "-o", ROOT / "examples" / "moods.csv").returncode
        == 2
    )


@pytest.mark.parametrize(("name", "level"), [("shift", 5.0), ("omission", -0.1), ("gravity", 1.0)])
def test_damage_that_makes_no_sense_is_refused(name: str, level: float) -> None:
    with pytest.raises(UsageError, match="must be"):
        damaged(PAPER, name, level)
