"""Spark counts what everybody counts. Needs pyspark and a Java runtime; skipped without."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

import accord
from accord.large import counted
from tests.large.test_lazy_frames import (
    alike,
    counts_of,
    every_measure,
    same_audit,
    same_references,
    table,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    pyspark = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java runtime")
    session = (
        pyspark.SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.pyspark.python", sys.executable)
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


@pytest.fixture
def lazily(spark, tmp_path) -> Callable[[Any], Any]:
    """A frame as one of Spark's, through Parquet as campaigns come."""
    serial = count()

    def made(frame: Any) -> Any:
        path = tmp_path / f"{next(serial)}.parquet"
        frame.write_parquet(path)
        return spark.read.parquet(str(path))

    return made


@pytest.mark.parametrize("documents", [False, True])
def test_every_measure_breakdown_and_interval(lazily, documents):
    every_measure(lazily, [(False, 3), (True, 3)], documents=documents)


def test_the_audit_and_the_references_are_the_same(lazily):
    same_audit(lazily)
    same_references(lazily)


def test_spark_counts_the_same(spark, tmp_path, monkeypatch):
    frame = table(annotators=4, items=60, documents=True)
    frame.write_parquet(tmp_path / "all.parquet")
    eager = accord.read(frame)
    lazy = accord.read(spark.read.parquet(str(tmp_path / "all.parquet")))
    assert lazy.multiplicity is not None
    assert counts_of(lazy) == counts_of(eager)
    by_engine = accord.read(tmp_path / "all.parquet", engine="spark")
    assert counts_of(by_engine) == counts_of(eager)
    # a crowd, without names
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    crowd = accord.read(tmp_path / "all.parquet", engine="spark")
    assert crowd.anonymous
    assert alike(accord.agree(crowd, "alpha").value, accord.agree(eager, "alpha").value)
