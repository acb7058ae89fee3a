"""Fixtures shared by all tests."""

from __future__ import annotations

import os
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
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
        return subprocess.run(
            [sys.executable, "-m", "accord", *map(str, arguments)],
            capture_output=True,
            text=True,
            timeout=300,
            **options,
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
