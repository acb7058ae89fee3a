"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

#: a package of its own, which test_plugins brings in: importing it would enrol its measure everywhere
collect_ignore = ["plugin"]

# how fast examples are drawn depends on the machine, not on the code
settings.register_profile("accord", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("accord")

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real corpora beside the repository, when it is there."""
    path = ROOT.parent / "shared" / "data"
    if not path.is_dir():
        pytest.skip("the real corpora (../shared/data) are not here")
    return path


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run tests that build the package")
    parser.addoption(
        "--shuffle", type=int, help="random order: of files, and in each, by this seed"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seed = config.getoption("--shuffle")
    if seed is not None:
        # (files stay together, for what is made once for each)
        drawn = random.Random(seed)
        files = sorted({item.path for item in items})
        place = {path: drawn.random() for path in files}
        drawn.shuffle(items)
        items.sort(key=lambda item: place[item.path])
    if config.getoption("--slow") or os.environ.get("CI"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow: pass --slow"))


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def accord_command() -> Run:
    """Run the command line in a process of its own, as a user does."""

    def run(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
        # (in UTF-8 whatever the locale: tests/cli/test_encodings.py has the others)
        told = {"env": {**os.environ, "PYTHONUTF8": "1"}, "encoding": "utf-8", **options}
        return subprocess.run(
            [sys.executable, "-m", "accord", *map(str, arguments)],
            capture_output=True,
            timeout=1200,
            **told,
        )

    return run


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., Path]:
    """Write a small file and return its path."""

    def write(text: str | bytes, name: str = "data.csv") -> Path:
        path = tmp_path / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text, encoding="utf-8")
        return path

    return write
