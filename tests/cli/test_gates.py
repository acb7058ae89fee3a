"""Gates of continuous integration: what is undefined or has no limit never passes."""

import math

import pytest

from accord.cli.output import failed_under
from accord.result import Interval, Result


def result(value, low=None):
    interval = (
        None if low is None else Interval(low=low, high=1.0, level=0.95, method="dirichlet:item")
    )
    return Result(measure="alpha", value=value, interval=interval, signature="alpha")


@pytest.mark.parametrize(
    ("value", "fails"), [(0.9, False), (0.8, False), (0.79, True), (math.nan, True)]
)
def test_a_value_passes_at_its_threshold_and_not_undefined(value, fails):
    assert bool(failed_under([result(value)], 0.8)) is fails


@pytest.mark.parametrize(
    ("low", "fails"), [(0.8, False), (0.7, True), (math.nan, True), (None, True)]
)
def test_a_limit_passes_only_where_there_is_one(low, fails):
    assert bool(failed_under([result(0.95, low)], 0.8, on="low")) is fails


def test_one_of_several_is_enough_to_fail():
    assert len(failed_under([result(0.9), result(0.5), result(math.nan)], 0.8)) == 2


def test_an_undefined_value_exits_with_1(accord_command, tmp_path):
    alike = tmp_path / "alike.csv"
    alike.write_text("item,A,B\n" + "".join(f"{i},x,x\n" for i in range(5)))
    done = accord_command("agree", alike, "--measure", "kappa", "--fail-under", "0.5")
    assert done.returncode == 1, done.stderr
