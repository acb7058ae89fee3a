"""Lazy frames, counted by their own engine, give what the collected frame gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import AccordError, InputError, UsageError
from accord.measures import enrolled

MEASURES = [m for m in enrolled(shape="ratings", question="agree") if m.name not in ("sigma", "ks")]


def _duckdb(frame: pl.DataFrame) -> Any:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    # (the connection lives as long as the relation that it made)
    return duckdb.connect().from_arrow(frame.to_arrow())


def _dask(frame: pl.DataFrame) -> Any:
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    return dask.from_pandas(frame.to_pandas(), npartitions=3)


ENGINES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame.lazy(),
    "duckdb": _duckdb,
    "dask": _dask,
}


def table(
    *,
    annotators: int = 3,
    items: int = 60,
    numbers: bool = False,
    documents: bool = False,
    seed: int = 0,
) -> pl.DataFrame:
    """A long table with missing values, a rare label, and documents and batches when asked for."""
    rng = np.random.default_rng(seed)
    rows: dict[str, list[Any]] = {"item": [], "annotator": [], "value": []}
    for i in range(items):
        truth = int(rng.integers(0, 3))
        for a in range(annotators):
            if rng.random() < 0.1:
                continue
            answer = truth if rng.random() < 0.7 else int(rng.integers(0, 3))
            rows["item"].append(f"i{i}")
            rows["annotator"].append(f"A{a}")
            rows["value"].append(float(answer + 1) if numbers else "xyz"[answer])
            if documents:
                rows.setdefault("document", []).append(f"d{i % 7}")
                rows.setdefault("batch", []).append(f"b{i % 4}")
    return pl.DataFrame(rows)


def alike(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return (math.isnan(one) and math.isnan(other)) or math.isclose(one, other, abs_tol=1e-9)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(alike, one, other))
    return bool(one == other)


def answer(data: accord.Ratings, name: str, **options: Any) -> Any:
    """The result, or the sentence that refuses it."""
    try:
        return accord.agree(data, name, **options)
    except AccordError as problem:
        return str(problem)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("documents", [False, True])
def test_every_measure_breakdown_and_interval(engine, documents):
    for numbers, annotators in ((False, 2), (False, 3), (True, 3)):
        frame = table(annotators=annotators, numbers=numbers, documents=documents)
        eager = accord.read(frame)
        lazy = accord.read(ENGINES[engine](frame))
        assert lazy.multiplicity is not None
        assert lazy.n_items == eager.n_items
        assert lazy.documents == eager.documents
        assert lazy.times == eager.times
        for record in MEASURES:
            for ci in (None, "jackknife", "analytic"):
                one, other = (answer(d, record.name, ci=ci) for d in (eager, lazy))
                if isinstance(one, str):
                    assert one == other, record.name
                    continue
                assert alike(one.value, other.value), record.name
                assert one.n == other.n
                assert alike(one.terms, other.terms), record.name
                assert (one.interval is None) == (other.interval is None), (record.name, ci)
                if one.interval is not None:
                    limits = [(r.interval.low, r.interval.high) for r in (one, other)]
                    assert alike(*limits), (record.name, ci)
            for by in record.breakdowns:
                if by == "item":
                    continue
                one, other = (answer(d, record.name, by=by) for d in (eager, lazy))
                if isinstance(one, str):
                    assert one == other, (record.name, by)
                else:
                    rows = [[dict(r) for r in result.by[by]] for result in (one, other)]
                    assert alike(*rows), (record.name, by)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_audit_says_the_same(engine):
    frame = table(annotators=4, items=200, documents=True)
    found = [accord.audit(accord.read(f)) for f in (frame, ENGINES[engine](frame))]
    eager, lazy = ({f.rule: f.statement for f in findings} for findings in found)
    assert eager == lazy


def test_what_needs_single_items_is_refused():
    lazy = accord.read(table().lazy())
    with pytest.raises(UsageError, match="have no names here"):
        accord.agree(lazy, "alpha", by="item")
    with pytest.raises(UsageError, match="needs the single items"):
        accord.gold(lazy, method="majority")


def test_more_annotators_than_a_machine_word():
    frame = table(annotators=80, items=30)
    eager, lazy = (accord.agree(accord.read(f), "alpha").value for f in (frame, frame.lazy()))
    assert lazy == pytest.approx(eager, abs=1e-12)


def test_an_item_in_two_documents_is_an_error():
    frame = pl.LazyFrame(
        {"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"], "document": ["d", "e"]}
    )
    with pytest.raises(InputError, match="some item has two values in the document column"):
        accord.read(frame)


def test_weights_are_kept():
    frame = table().with_columns(weight=pl.col("item").str.len_chars().cast(pl.Float64))
    eager, lazy = (accord.agree(accord.read(f), "alpha").value for f in (frame, frame.lazy()))
    assert lazy == pytest.approx(eager, abs=1e-12)
    assert lazy != pytest.approx(accord.agree(accord.read(table()), "alpha").value, abs=1e-6)
