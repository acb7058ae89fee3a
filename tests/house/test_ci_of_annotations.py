"""What runs in an annotation repository: the action's own script, and the hooks before a commit."""

from __future__ import annotations

import os
import random
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import places
from tests.conftest import ROOT

yaml = pytest.importorskip("yaml")
BASH = shutil.which("bash")
pytestmark = pytest.mark.skipif(BASH is None, reason="needs bash")


def batch(path: Path, name: str, *, sure: float) -> None:
    draw = random.Random(name)
    rows = [
        [f"{name}-{i}", who, truth if draw.random() < sure else draw.choice("abc")]
        for i in range(60)
        for truth in [draw.choice("abc")]
        for who in ("Ana", "Ben", "Cleo")
    ]
    places.write_rows(path, ["item", "annotator", "value"], *rows)


@pytest.fixture
def repository(tmp_path):
    batch(tmp_path / "the annotations" / "batch 1.csv", "b1", sure=0.95)
    batch(tmp_path / "the annotations" / "batch 2.csv", "b2", sure=0.95)
    batch(tmp_path / "noise.csv", "b3", sure=0.0)
    return tmp_path


def environment() -> dict[str, str]:
    """The command of this environment is the first that is found."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def action(
    folder: Path, data: str, report: str = "our report.html", gates: str = ""
) -> subprocess.CompletedProcess[str]:
    """The steps of the action but the installing, as a runner runs them."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    (script,) = [step for step in steps if "pip install" not in step["run"]]
    told = {"data": data, "fail-on": "serious", "report": report, "gates": gates}
    given = {
        name: told[value.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, value in script["env"].items()
    }
    return subprocess.run(
        [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", script["run"]],
        cwd=folder, env={**environment(), **given}, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "installed"), [("", "the/action"), ("accord==0.1.0", "accord==0.1.0")]
)
def test_the_action_installs_itself_unless_told_otherwise(asked, installed, tmp_path):
    """No release is needed: the action's folder is a clone at its tag."""
    pip = tmp_path / "python"
    pip.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', encoding="utf-8")
    pip.chmod(0o755)
    told = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    assert told["inputs"]["install"]["default"] == ""
    (step,) = [s for s in told["runs"]["steps"] if "pip install" in s["run"]]
    done = subprocess.run(
        [str(BASH), "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env={"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "INSTALL": asked,
             "GITHUB_ACTION_PATH": "the/action"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split()[-1] == installed


@pytest.mark.parametrize(
    "data",
    [
        "the annotations/batch 1.csv\nthe annotations/batch 2.csv\n",
        "  the annotations/batch 1.csv  \n\n  the annotations/batch 2.csv",
        "the annotations/*.csv",
        "the annotations/",
    ],
)
def test_the_action_takes_one_path_per_line(repository, data):
    done = action(repository, data)
    assert done.returncode == 0, done.stderr
    page = (repository / "our report.html").read_text(encoding="utf-8")
    assert "120" in page


def test_the_action_fails_on_noise_and_says_what_is_not_there(repository):
    done = action(repository, "noise.csv", report="")
    assert done.returncode == 1
    assert "serious" in done.stdout
    assert not (repository / "our report.html").exists()
    done = action(repository, "no such file.csv")
    assert done.returncode == 2
    assert "no such file.csv: does not exist" in done.stderr


def test_the_action_fails_on_a_gate(repository):
    """Each line is a command, with quotes as a shell takes them, of which nothing else is run."""
    data = "the annotations/batch 1.csv"
    good = f"agree '{data}' --fail-under 0.1\n\n  agree '{data}' --fail-under .2 $(touch ran)\n"
    done = action(repository, data, report="", gates=f"agree '{data}' --fail-under 0.1\n\n")
    assert done.returncode == 0, done.stderr
    assert "alpha" in done.stdout
    done = action(repository, data, report="", gates=good)
    assert done.returncode != 0
    assert not (repository / "ran").exists()
    strict = f"agree '{data}' --fail-under 1.1\nagree '{data}'"
    done = action(repository, data, report="", gates=strict)
    assert done.returncode == 1
    assert f"failed: accord agree '{data}' --fail-under 1.1" in done.stderr


def test_a_hook_takes_names_with_spaces(repository):
    """pre-commit splits the entry as a shell does, and passes the names of files behind it."""
    hooks = {
        hook["id"]: hook
        for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    }
    assert hooks["accord-judge"]["entry"] == "accord judge --quiet"
    names = ["the annotations/batch 1.csv", "the annotations/batch 2.csv"]
    for name, more in (("accord-audit", []), ("accord-agree", ["--fail-under", "0.5"])):
        hook = hooks[name]
        words = [*shlex.split(hook["entry"]), *(more or hook.get("args", [])), *names]
        done = subprocess.run(
            words, cwd=repository, env=environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        done = subprocess.run(
            [*words[: -len(names)], "noise.csv"],
            cwd=repository, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
