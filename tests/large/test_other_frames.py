"""Tables of ibis and Daft: the same counts, values, audit and references as in memory.

Each skips with its reason where it is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import accord
from tests.large.test_lazy_frames import alike, counts_of, table

pytestmark = pytest.mark.slow


def _ibis(path: Path) -> Any:
    return pytest.importorskip("ibis", reason="ibis is not installed").read_parquet(path)


def _daft(path: Path) -> Any:
    return pytest.importorskip("daft", reason="daft is not installed").read_parquet(str(path))


TABLES: dict[str, Callable[[Path], Any]] = {"ibis": _ibis, "daft": _daft}


@pytest.fixture(scope="module")
def campaign(tmp_path_factory) -> Path:
    path: Path = tmp_path_factory.mktemp("campaign") / "all.parquet"
    table(annotators=4, items=80, documents=True).write_parquet(path)
    return path


@pytest.fixture(scope="module", params=TABLES)
def other(request, campaign) -> Any:
    return TABLES[request.param](campaign)


def test_the_same_as_in_memory(other, campaign):
    eager = accord.read(campaign, engine="eager")
    lazy = accord.read(other)
    assert lazy.multiplicity is not None
    assert counts_of(lazy) == counts_of(eager)
    for name in ("alpha", "conger", "ac1"):
        one, another = (accord.agree(d, name, ci="auto", by="document") for d in (eager, lazy))
        assert alike(one.value, another.value)
        assert alike(*([dict(r) for r in d.by["document"]] for d in (one, another)))
        limits = [(d.interval.low, d.interval.high) for d in (one, another)]
        assert alike(*limits, 1e-9)
    assert alike(accord.agree(other, "alpha").value, accord.agree(eager, "alpha").value)
    found = [accord.audit(d) for d in (eager, lazy)]
    assert [f.statement for f in found[0]] == [f.statement for f in found[1]]
    for method in ("majority", "dawid-skene"):
        # (single items stand in the order of the rows, which an engine chooses)
        rows = [
            sorted((dict(r) for r in accord.gold(d, method=method).rows()), key=lambda r: r["item"])
            for d in (eager, lazy)
        ]
        assert alike(*rows, 1e-9), method
