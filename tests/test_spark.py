"""Spark counts what everybody counts. Needs pyspark and a Java runtime; skipped without."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import accord
from accord.formats import counted
from tests.test_lazy_frames import alike, counts_of, table

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


def test_spark_counts_the_same(spark, tmp_path, monkeypatch):
    frame = table(annotators=4, items=60, documents=True)
    frame.write_parquet(tmp_path / "all.parquet")
    eager = accord.read(frame)
    lazy = accord.read(spark.read.parquet(str(tmp_path / "all.parquet")))
    assert lazy.multiplicity is not None
    assert counts_of(lazy) == counts_of(eager)
    by_engine = accord.read(tmp_path / "all.parquet", engine="spark")
    assert counts_of(by_engine) == counts_of(eager)
    for name, options in (
        ("alpha", {"by": "document,annotator,category"}),
        ("conger", {"ci": "auto"}),
        ("ac1", {"ci": "auto", "by": "time"}),
    ):
        one, other = (accord.agree(d, name, **options) for d in (eager, lazy))
        assert alike(one.value, other.value)
        assert alike(one.terms, other.terms)
        assert alike(*({k: [dict(r) for r in v] for k, v in x.by.items()} for x in (one, other)))
        if one.interval is not None:
            assert other.interval is not None
            assert alike(one.interval.low, other.interval.low, 1e-9)
            assert alike(one.interval.high, other.interval.high, 1e-9)
    found = [accord.audit(d) for d in (eager, lazy)]
    assert [f.statement for f in found[0]] == [f.statement for f in found[1]]
    # a crowd, without names
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    crowd = accord.read(tmp_path / "all.parquet", engine="spark")
    assert crowd.anonymous
    assert alike(accord.agree(crowd, "alpha").value, accord.agree(eager, "alpha").value)
