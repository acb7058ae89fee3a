"""A package that extends accord by its entry points, used from the command line and from Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[1] / "plugin"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(PLUGIN), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.run(
        [sys.executable, "-m", "accord", *arguments],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "june.weather"
    path.write_text("ann: sun rain sun\nbob: sun sun sun\n", encoding="utf-8")
    return str(path)


def test_a_measure_with_its_option_and_a_format(log):
    done = run("agree", log, "-m", "sunshine", "--sky", "rain", "--json")
    assert done.returncode == 0, done.stderr
    (result,) = json.loads(done.stdout)["results"]
    assert result["value"] == pytest.approx(1 / 6)
    assert "|sky:rain|" in result["signature"]
    # a plug-in that cannot be loaded is named, and stops nobody
    assert "'broken' (accord_weather.no_such_module) cannot be loaded" in done.stderr


def test_it_is_listed_like_any_other(log):
    listed = json.loads(run("measures", "sunshine", "--json").stdout)["measures"]
    assert listed[0]["options"] == ["sky"]
    assert "--sky" in run("agree", "--help", "all").stdout
    assert "--sky" in run("agree", "--help", "sunshine").stdout
    assert "weather-log" in run("agree", log, "--format", "nonsense").stderr


def test_an_audit_rule(tmp_path):
    path = tmp_path / "july.weather"
    path.write_text("ann: sun sun sun\nbob: sun sun sun\n", encoding="utf-8")
    found = json.loads(run("audit", str(path), "--json").stdout)["findings"]
    assert "too-sunny" in [f["rule"] for f in found]


def test_without_the_package_nothing_of_it_is_there(log):
    bare = subprocess.run(
        [sys.executable, "-m", "accord", "agree", log, "-m", "sunshine"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert bare.returncode == 2
