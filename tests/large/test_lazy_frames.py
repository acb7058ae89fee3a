"""Lazy frames, counted by their own engine, give what the collected frame gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import AccordError, InputError, UsageError
from accord.large import counted, queries
from accord.large.digits import Digits
from accord.measures import enrolled

MEASURES = enrolled(shape="ratings", question="agree")
#: measures that take annotators as interchangeable
ALIKE = ("alpha", "fleiss", "s", "ac1", "ac2", "percent")


def _duckdb(frame: pl.DataFrame) -> Any:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
    # (the connection lives as long as the relation that it made)
    return duckdb.connect().from_arrow(frame.to_arrow())


def _dask(frame: pl.DataFrame) -> Any:
    dask = pytest.importorskip("dask.dataframe", reason="dask is not installed")
    return dask.from_pandas(frame.to_pandas(), npartitions=3)


def _dataset(frame: pl.DataFrame) -> Any:
    dataset = pytest.importorskip("pyarrow.dataset", reason="pyarrow is not installed")
    pytest.importorskip("duckdb", reason="duckdb is not installed")
    return dataset.dataset(frame.to_arrow())


ENGINES: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame.lazy(),
    "duckdb": _duckdb,
    "dask": _dask,
    "pyarrow": _dataset,
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
            answer: Any = truth if rng.random() < 0.7 else int(rng.integers(0, 3))
            answer = float(answer + 1) if numbers else "xyz"[answer]
            if rng.random() < 0.05:
                answer = None if numbers or rng.random() < 0.5 else "NA"
            rows["item"].append(f"i{i}")
            rows["annotator"].append(f"A{a}")
            rows["value"].append(answer)
            if documents:
                rows.setdefault("document", []).append(f"d{i % 7}")
                rows.setdefault("batch", []).append(f"b{i % 4}")
    return pl.DataFrame(rows)


def alike(one: Any, other: Any, within: float = 1e-12) -> bool:
    """The same, whole numbers to the last digit and others to 1e-12 of their size."""
    if isinstance(one, float) and isinstance(other, float):
        near = math.isclose(one, other, rel_tol=within, abs_tol=within)
        return (math.isnan(one) and math.isnan(other)) or near
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k], within) for k in one)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(
            alike(a, b, within) for a, b in zip(one, other, strict=True)
        )
    return bool(one == other)


def answer(data: accord.Ratings, name: str, **options: Any) -> Any:
    """The result, or the sentence that refuses it."""
    try:
        return accord.agree(data, name, **options)
    except AccordError as problem:
        return str(problem)


def same_answers(eager: accord.Ratings, lazy: accord.Ratings, record: Any, intervals: Any) -> None:
    """Value, terms, intervals and every breakdown of a measure."""
    # a fit ends where its steps are small enough, and sums in another order end a step aside
    within = 1e-9 if record.name.startswith("icc") else 1e-12
    for ci in intervals:
        one, other = (answer(d, record.name, ci=ci, resamples=200) for d in (eager, lazy))
        if isinstance(one, str):
            assert one == other, record.name
            continue
        assert alike(one.value, other.value, within), (record.name, one.value, other.value)
        assert one.n == other.n
        assert alike(one.terms, other.terms, within), (record.name, one.terms, other.terms)
        assert one.signature == other.signature
        assert (one.interval is None) == (other.interval is None), (record.name, ci)
        if one.interval is not None:
            limits = [(r.interval.low, r.interval.high) for r in (one, other)]
            # sums of weights in another order
            assert np.allclose(*limits, rtol=0, atol=1e-9, equal_nan=True), (
                record.name,
                ci,
                limits,
            )
    for by in record.breakdowns:
        one, other = (answer(d, record.name, by=by) for d in (eager, lazy))
        if isinstance(one, str):
            assert one == other, (record.name, by)
        else:
            assert not isinstance(other, str), (record.name, by, other)
            rows = [[dict(r) for r in result.by[by]] for result in (one, other)]
            assert alike(*rows, within), (record.name, by)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("documents", [False, True])
def test_every_measure_breakdown_and_interval(engine, documents):
    every_measure(ENGINES[engine], [(False, 2), (False, 3), (True, 3)], documents=documents)


def every_measure(
    lazily: Callable[[pl.DataFrame], Any], kinds: list[tuple[bool, int]], *, documents: bool
) -> None:
    """What the data are, and value, intervals and breakdowns of every measure of ratings."""
    for numbers, annotators in kinds:
        frame = table(annotators=annotators, numbers=numbers, documents=documents)
        eager = accord.read(frame)
        lazy = accord.read(lazily(frame))
        assert lazy.multiplicity is not None
        assert lazy.n_items == eager.n_items
        assert lazy.n_ratings == eager.n_ratings
        assert lazy.annotators == eager.annotators
        assert lazy.labels == eager.labels
        assert lazy.documents == eager.documents
        assert lazy.times == eager.times
        assert set(eager.notes) <= set(lazy.notes)
        for record in MEASURES:
            slow = record.name in ("sigma", "ks")
            intervals = ("none",) if slow else ("none", "auto", "jackknife", "analytic")
            same_answers(eager, lazy, record, intervals)


def counts_of(ratings: accord.Ratings) -> dict[Any, int]:
    """Who gave which value to how many items of which document and moment."""
    found: dict[Any, int] = {}
    times = (
        np.ones(len(ratings.indptr) - 1) if ratings.multiplicity is None else ratings.multiplicity
    )
    for i in range(len(ratings.indptr) - 1):
        here = slice(ratings.indptr[i], ratings.indptr[i + 1])
        key = (
            tuple(zip(ratings.annotator[here].tolist(), ratings.code[here].tolist(), strict=True)),
            None if ratings.document is None else int(ratings.document[i]),
            None if ratings.time is None else int(ratings.time[i]),
            None if ratings.weights is None else float(ratings.weights[i]),
        )
        found[key] = found.get(key, 0) + int(times[i])
    return found


@pytest.mark.parametrize("engine", ENGINES)
def test_counts_to_the_last_one(engine):
    for options in ({}, {"documents": True}, {"numbers": True}, {"annotators": 70}):
        frame = table(**options)
        if "numbers" not in options:
            frame = frame.with_columns(weight=pl.col("item").str.len_chars().cast(pl.Float64))
        eager, lazy = accord.read(frame), accord.read(ENGINES[engine](frame))
        assert counts_of(eager) == counts_of(lazy)


@pytest.mark.parametrize("engine", ENGINES)
def test_parts_by_item_add_up(engine, monkeypatch):
    monkeypatch.setattr(queries, "PART", 20)
    monkeypatch.setattr(queries, "AT_ONCE", 20)
    frame = table(annotators=4, documents=True)
    eager, lazy = accord.read(frame), accord.read(ENGINES[engine](frame))
    assert counts_of(eager) == counts_of(lazy)
    again = frame.filter((pl.col("item") == "i7") & (pl.col("value") == "z"))
    twice = pl.concat([frame, again[:1].with_columns(pl.lit("x").alias("value"))])
    with pytest.raises(InputError, match="rates item 'i7' twice"):
        accord.read(ENGINES[engine](twice))


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_parts_are_gone_when_they_were_counted(engine, monkeypatch, tmp_path):
    monkeypatch.setattr(queries, "PART", 20)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    frame = table(annotators=4).rename({"item": 'the "item"'})
    native = nw.from_native(ENGINES[engine](frame))
    sizes = []
    for part in queries.in_parts(native, 'the "item"', len(frame)):
        assert list(tmp_path.glob("accord-parts-*"))
        sizes.append(len(part.collect()))
    assert len(sizes) > 5
    assert sum(sizes) == len(frame)
    assert not list(tmp_path.glob("accord-parts-*"))
    # nor does anything stay when the counting ends early
    for _ in queries.in_parts(native, 'the "item"', len(frame)):
        break
    assert not list(tmp_path.glob("accord-parts-*"))


@pytest.mark.parametrize("engine", ENGINES)
def test_a_crowd_is_counted_without_names(engine, monkeypatch):
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    frame = table(annotators=40, items=50, documents=True)
    eager = accord.read(frame)
    fetched = accord.read(ENGINES[engine](frame))
    assert fetched.multiplicity is None  # few enough to be fetched
    monkeypatch.setattr(counted, "MOST_RATINGS", 100)
    lazy = accord.read(ENGINES[engine](frame))
    assert lazy.anonymous
    assert lazy.annotators == eager.annotators
    assert lazy.n_ratings == eager.n_ratings
    for record in MEASURES:
        if record.name in ALIKE:
            for ci in ("none", "auto", "jackknife"):
                one, other = (accord.agree(d, record.name, ci=ci) for d in (eager, lazy))
                assert alike(one.value, other.value), record.name
                assert alike(one.terms, other.terms), record.name
                if ci != "none":
                    limits = [(r.interval.low, r.interval.high) for r in (one, other)]
                    assert np.allclose(*limits, rtol=0, atol=1e-9), (record.name, ci)
            for by in ("category", "document", "time", "coincidence"):
                one, other = (accord.agree(d, record.name, by=by).by[by] for d in (eager, lazy))
                assert alike([dict(r) for r in one], [dict(r) for r in other]), (record.name, by)
    for name in ("conger", "light"):
        with pytest.raises(UsageError, match="choose annotators with annotators"):
            accord.agree(lazy, name)
    with pytest.raises(UsageError, match="who gave which rating"):
        accord.agree(lazy, "alpha", by="confusion")
    with pytest.raises(UsageError, match="single items"):
        accord.agree(lazy, "alpha", by="item")
    # a choice of annotators is counted anew, by name
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 6)
    chosen = ["A3", "A7"]
    one, other = (accord.agree(d.select(annotators=chosen), "kappa") for d in (eager, lazy))
    assert alike(one.value, other.value)
    skipped = {s.rule for s in accord.audit(lazy).skipped}
    assert {"camps", "spammers", "copied-annotators"} <= skipped


def test_more_equal_answers_than_a_digit_holds(monkeypatch):
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    frame = table(annotators=300, items=5)
    lazy = accord.read(frame.lazy())
    assert alike(accord.agree(lazy, "alpha").value, accord.agree(frame, "alpha").value)
    assert lazy.n_ratings == accord.read(frame).n_ratings


@pytest.mark.parametrize("engine", ENGINES)
def test_the_audit_says_the_same(engine):
    same_audit(ENGINES[engine])


def same_audit(lazily: Callable[[pl.DataFrame], Any]) -> None:
    frame = table(annotators=4, items=200, documents=True)
    found = [accord.audit(accord.read(f)) for f in (frame, lazily(frame))]
    eager, lazy = ({f.rule: f.statement for f in findings} for findings in found)
    assert eager == lazy
    assert [s.rule for s in found[0].skipped] == [s.rule for s in found[1].skipped]


@pytest.mark.parametrize("engine", ENGINES)
def test_references_are_the_same(engine):
    same_references(ENGINES[engine])


def same_references(lazily: Callable[[pl.DataFrame], Any]) -> None:
    frame = table(annotators=4)
    eager, lazy = (accord.read(f) for f in (frame, lazily(frame)))
    for method in ("majority", "unanimity", "weighted", "dawid-skene", "one-coin", "mace"):
        one, other = (accord.gold(d, method=method) for d in (eager, lazy))
        assert [dict(r) for r in one.rows()] == [dict(r) for r in other.rows()]


def test_the_report_of_counted_items(monkeypatch):
    frame = table(annotators=4, items=80, documents=True)
    pages = [accord.report(accord.read(f)).html() for f in (frame, frame.lazy())]
    for page in pages:
        assert "Who did what" in page
        assert "Use of the categories" in page
    # too many to be fetched: the counts alone
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    named = accord.report(accord.read(frame.lazy()))
    given = accord.read(frame).n_ratings
    assert f"{given} ratings" in named.html() or str(given) in named.html()
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    anonymous = accord.report(accord.read(frame.lazy())).html()
    assert "Who did what" not in anonymous
    assert "Use of the categories" not in anonymous


def test_what_needs_single_items_is_refused_when_they_are_too_many(monkeypatch):
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    lazy = accord.read(table().lazy())
    for ask in (
        lambda: accord.agree(lazy, "alpha", by="item"),
        lambda: accord.gold(lazy, method="majority"),
        lambda: accord.agree(lazy, "sigma"),
    ):
        with pytest.raises(UsageError, match="are fetched up to 10"):
            ask()
    texts = pl.LazyFrame(
        {"item": range(300), "annotator": ["A"] * 300, "value": [f"text {i}" for i in range(300)]}
    )
    with pytest.raises(UsageError, match="more than 200 distinct values"):
        accord.read(texts)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("documents", [False, True])
def test_numbers_that_are_all_different_are_summed(engine, documents, monkeypatch):
    rng = np.random.default_rng(4)
    frame = table(annotators=4, items=90, numbers=True, documents=documents)
    noise = pl.Series(rng.normal(1000, 0.5, len(frame)))
    frame = frame.with_columns(value=pl.col("value") + noise)
    if documents:
        frame = frame.drop("batch")
    eager = accord.read(frame)
    assert len(eager.values) > 200
    fetched = accord.read(ENGINES[engine](frame))
    assert fetched.multiplicity is None
    monkeypatch.setattr(counted, "MOST_RATINGS", 100)
    monkeypatch.setattr(queries, "PART", 120)
    lazy = accord.read(ENGINES[engine](frame))
    assert lazy.sums is not None
    assert (lazy.n_items, lazy.n_ratings) == (lazy.sums.items.sum(), eager.n_ratings)
    for ci in ("none", "analytic", *(("jackknife",) if documents else ())):
        one, other = (accord.agree(d, "alpha", metric="interval", ci=ci) for d in (eager, lazy))
        assert alike(one.value, other.value, 1e-11)
        assert alike(one.terms, other.terms, 1e-10)
        assert (one.n, one.signature) == (other.n, other.signature)
        if ci != "none":
            limits = [(r.interval.low, r.interval.high) for r in (one, other)]
            assert np.allclose(*limits, rtol=0, atol=1e-9), (ci, limits)
    without = accord.agree(lazy, "alpha", metric="interval", ci="auto")
    assert without.interval is None
    assert any("only sums over" in w for w in without.warnings)
    chosen = ["A0", "A2"]
    one, other = (
        accord.agree(d.select(annotators=chosen), "alpha", metric="interval") for d in (eager, lazy)
    )
    assert alike(one.value, other.value, 1e-11)
    if documents:
        rows = [
            accord.agree(d, "alpha", metric="interval", by="document").by for d in (eager, lazy)
        ]
        assert [r["document"] for r in rows[0]["document"]] == [
            r["document"] for r in rows[1]["document"]
        ]
        for a, b in zip(*(r["document"] for r in rows), strict=True):
            assert alike(a["value"], b["value"], 1e-10)
    for ask in (
        lambda: accord.agree(lazy, "alpha", metric="nominal"),
        lambda: accord.agree(lazy, "ccc"),
        lambda: accord.agree(lazy, "alpha", metric="interval", by="category"),
        lambda: accord.audit(lazy),
        lambda: accord.report(lazy),
        lambda: accord.gold(lazy, method="mean"),
    ):
        with pytest.raises(UsageError):
            ask()
    twice = pl.concat([frame, frame.filter(pl.col("value").is_not_null())[:1]])
    with pytest.raises(InputError, match="twice"):
        accord.read(ENGINES[engine](twice))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("documents", [False, True])
def test_correlations_of_numbers_that_are_only_summed(engine, complete, documents, monkeypatch):
    rng = np.random.default_rng(8)
    whole = [(i, a) for i in range(90) for a in range(4) if complete or rng.random() < 0.8]
    item, who = np.array(whole).T
    level = rng.normal(0, 2, 90)[item] + np.array([0.0, 0.5, -1.0, 0.2])[who]
    columns = {
        "item": item,
        "annotator": [f"A{a}" for a in who.tolist()],
        "value": 1000 + level + rng.normal(0, 1, len(item)),
    }
    if documents:
        columns["document"] = [f"d{i % 7}" for i in item.tolist()]
    frame = pl.DataFrame(columns)
    eager = accord.read(frame)
    monkeypatch.setattr(counted, "MOST_RATINGS", 100)
    monkeypatch.setattr(queries, "PART", 120)
    lazy = accord.read(ENGINES[engine](frame))
    assert lazy.sums is not None
    intervals = ["none", *(["jackknife"] if documents else []), *(["analytic"] if complete else [])]
    for name in ("icc-1", "icc-a", "icc-c", "icc-1k", "icc-ak", "icc-ck"):
        for ci in intervals:
            one, other = (accord.agree(d, name, ci=ci) for d in (eager, lazy))
            # (a fit ends where its steps are small enough)
            assert alike(one.value, other.value, 1e-9), (name, ci)
            assert alike(one.terms, other.terms, 1e-7), (name, ci)
            assert (one.n, one.signature) == (other.n, other.signature)
            if ci != "none":
                limits = [(r.interval.low, r.interval.high) for r in (one, other)]
                assert np.allclose(*limits, rtol=0, atol=1e-7), (name, ci, limits)
                assert limits[0][1] - limits[0][0] > 0.01
        without = accord.agree(lazy, name, ci="auto")
        assert without.interval is None
        assert any("only sums over" in w for w in without.warnings)
    if documents:
        one, other = (
            accord.agree(d.select(documents=["d2", "d5"]), "icc-a").value for d in (eager, lazy)
        )
        assert alike(one, other, 1e-9)
        rows = [accord.agree(d, "icc-1", by="document").by["document"] for d in (eager, lazy)]
        for a, b in zip(*rows, strict=True):
            assert a["document"] == b["document"]
            assert alike(a["value"], b["value"], 1e-7)
    # who is who is not known of more annotators than a number has bits: what needs it says so
    monkeypatch.setattr(queries, "MOST_BITS", 3)
    many = accord.read(ENGINES[engine](frame))
    assert alike(accord.agree(many, "icc-1").value, accord.agree(eager, "icc-1").value, 1e-9)
    if complete:
        assert alike(accord.agree(many, "icc-c").value, accord.agree(eager, "icc-c").value, 1e-9)
    else:
        with pytest.raises(UsageError, match="which annotators share items"):
            accord.agree(many, "icc-c")
    if engine == "polars":
        monkeypatch.setattr(queries, "MOST_GROUPS", 0)
        with pytest.raises(InputError, match="summing does not help"):
            accord.read(ENGINES[engine](frame))


def test_more_annotators_than_a_machine_word():
    frame = table(annotators=80, items=30)
    eager, lazy = (accord.agree(accord.read(f), "alpha").value for f in (frame, frame.lazy()))
    assert lazy == pytest.approx(eager, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
def test_five_thousand_annotators(engine, monkeypatch):
    rng = np.random.default_rng(1)
    who = np.concatenate([rng.choice(5000, 6, replace=False) for _ in range(3000)])
    frame = pl.DataFrame(
        {
            "item": np.repeat(np.arange(3000), 6),
            "annotator": [f"w{a}" for a in who.tolist()],
            "value": ["xyz"[v] for v in rng.choice(3, len(who), p=[0.6, 0.3, 0.1]).tolist()],
            "document": [f"d{i % 9}" for i in np.repeat(np.arange(3000), 6).tolist()],
        }
    )
    eager = accord.read(frame)
    monkeypatch.setattr(counted, "MOST_RATINGS", 100)
    monkeypatch.setattr(queries, "PART", 5000)
    lazy = accord.read(ENGINES[engine](frame))
    assert lazy.anonymous
    assert len(lazy.annotators) == len(eager.annotators) > 4800
    for name in ALIKE:
        one, other = (accord.agree(d, name, ci="auto", by="document") for d in (eager, lazy))
        assert alike(one.value, other.value), name
        assert alike(*([dict(r) for r in found.by["document"]] for found in (one, other))), name
        limits = [(r.interval.low, r.interval.high) for r in (one, other)]
        assert np.allclose(*limits, rtol=0, atol=1e-9), name
    # annotators are told apart where few are chosen
    seen = dict(zip(*np.unique(who, return_counts=True), strict=True))
    chosen = [f"w{a}" for a in sorted(seen, key=lambda a: -seen[a])[:3]]
    one, other = (answer(d.select(annotators=chosen), "conger") for d in (eager, lazy))
    assert one == other if isinstance(one, str) else alike(one.value, other.value)
    other = frame.filter(pl.col("value") != frame["value"][0])["value"][0]
    twice = pl.concat([frame, frame[:1].with_columns(pl.lit(other).alias("value"))])
    with pytest.raises(InputError, match="rates item '0' twice"):
        accord.read(ENGINES[engine](twice))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("times", [2, 3, 9, 40])
def test_an_annotator_who_answers_twice_is_an_error(engine, times, monkeypatch):
    frame = table(annotators=5, items=10)
    extra = pl.DataFrame(
        {"item": ["i3"] * times, "annotator": ["A9"] * times, "value": ["y"] + ["x"] * (times - 1)}
    )
    lazy = ENGINES[engine](pl.concat([frame, extra]))
    for most in (6, 0):  # named, then anonymous
        monkeypatch.setattr(counted, "_MOST_NUMBERS", most)
        with pytest.raises(InputError, match="'A9' rates item 'i3' twice"):
            accord.read(lazy)
        monkeypatch.setattr(counted, "MOST_RATINGS", 1)


def test_digits_see_repeats_and_overflow():
    rng = np.random.default_rng(0)
    for values in (1, 2, 3, 7):
        digits = Digits.named(annotators=9, values=values)
        for _ in range(200):
            who = rng.integers(0, 9, size=rng.integers(1, 8))
            said = rng.integers(0, values, size=len(who))
            numbers = np.zeros((1, digits.numbers), dtype=np.int64)
            for a, c in zip(who.tolist(), said.tolist(), strict=True):
                number, unit = digits.place(a)
                numbers[0, number] += (c + 1) * unit
            _, place, value = digits.read(numbers)
            if len(set(who.tolist())) == len(who):
                order = np.argsort(who)
                assert place.tolist() == who[order].tolist()
                assert (value - 1).tolist() == said[order].tolist()
            else:
                assert len(place) < len(who)
    counts = Digits.anonymous(values=3, most=3)
    for _ in range(200):
        said = rng.integers(0, 3, size=rng.integers(1, 9))
        number = sum(counts.place(int(c))[1] for c in said)
        _, _, value = counts.read(np.array([[number]]))
        fits = np.bincount(said).max() <= 3
        assert (value.sum() == len(said)) == fits or value.sum() == len(said)
        if fits:
            assert value.tolist() == [n for n in np.bincount(said) if n]


def test_an_item_in_two_documents_is_an_error():
    frame = pl.LazyFrame(
        {"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"], "document": ["d", "e"]}
    )
    with pytest.raises(InputError, match="some item has two values in the document column"):
        accord.read(frame)


@pytest.mark.parametrize("engine", ENGINES)
def test_weights_are_kept(engine):
    frame = table().with_columns(weight=pl.col("item").str.len_chars().cast(pl.Float64))
    eager, lazy = (accord.read(f) for f in (frame, ENGINES[engine](frame)))
    record = next(m for m in MEASURES if m.name == "alpha")
    same_answers(eager, lazy, record, (None, "auto", "jackknife"))
    unweighted = accord.agree(accord.read(table()), "alpha").value
    assert accord.agree(lazy, "alpha").value != pytest.approx(unweighted, abs=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_wide_tables(engine):
    frame = table(annotators=3).pivot("annotator", index="item", values="value")
    eager, lazy = (accord.read(f, wide=True) for f in (frame, ENGINES[engine](frame)))
    assert counts_of(eager) == counts_of(lazy)
    rows = [accord.agree(d, "alpha", by="item").by["item"] for d in (eager, lazy)]
    assert alike(*([dict(r) for r in found] for found in rows))


@pytest.mark.parametrize("engine", ENGINES)
def test_who_is_who(engine):
    frame = table(annotators=4)
    for chosen in (
        {"annotators": ["A1", "A2", "A3"]},
        {"without": ["A0"]},
        {"categories": ["x", "y", "z", "w"]},
    ):
        one, other = (
            accord.agree(accord.read(f, **chosen), "ac1") for f in (frame, ENGINES[engine](frame))
        )
        assert alike(one.value, other.value)
        assert one.n == other.n
        assert one.signature == other.signature


# --- who is who, of a lazy frame ------------------------------------------------------------------


def _with_a_rare_label(*, documents: bool = True) -> pl.DataFrame:
    """A table in which one annotator alone rates some items, and alone gives some value."""
    frame = table(annotators=4, documents=documents)
    own = frame.filter(pl.col("annotator") == "A0")[:3].with_columns(
        item=pl.concat_str(pl.lit("own"), "item"), value=pl.lit("rare")
    )
    return pl.concat([frame, own])


CHOICES: list[dict[str, Any]] = [
    {"without": ["A0"]},
    {"annotators": ["A2", "A1"]},
    {"systems": ["A0"]},
    {"reference_annotator": "A0"},
    {"documents": ["d1", "d4"]},
    {"documents": ["d1", "d4"], "without": ["A0"]},
    {"rename": {"A0": "Zoe"}},
    {"rename": {"A0": "A1", "A1": "A0"}},
    {"rename": {"A0": "Zoe"}, "without": ["A3"]},
]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_whoever_is_chosen_is_chosen_in_what_is_fetched_too(engine, choice, tmp_path):
    frame = _with_a_rare_label()
    eager, lazy = accord.read(frame, **choice), accord.read(ENGINES[engine](frame), **choice)
    assert lazy.multiplicity is not None
    assert counts_of(lazy) == counts_of(eager)
    assert (lazy.annotators, lazy.labels) == (eager.annotators, eager.labels)
    rows = [d.to_frame("polars").sort("item", "annotator") for d in (eager, lazy)]
    assert rows[0].equals(rows[1])
    one, other = (accord.gold(d) for d in (eager, lazy))
    assert one.to_dict()["items"] == other.to_dict()["items"]
    for by in ("item", "annotator"):
        one, other = (
            accord.agree(d, "alpha", by=by, ci="auto", resamples=200) for d in (eager, lazy)
        )
        assert one.signature == other.signature
        assert alike([dict(r) for r in one.by[by]], [dict(r) for r in other.by[by]], 1e-9)
    if engine in ("polars", "duckdb"):
        for name, data in (("one", eager), ("other", lazy)):
            accord.gold_file(data, tmp_path / f"{name}.csv")
        held = [sorted((tmp_path / f"{n}.csv").read_text().split("\n")) for n in ("one", "other")]
        assert held[0] == held[1]


def test_two_names_of_a_lazy_frame_become_one():
    frame = table(annotators=3)
    first = pl.col("item").str.tail(1).is_in(list("01234"))
    halves = pl.when((pl.col("annotator") == "A0") & first).then(pl.lit("B0"))
    frame = frame.with_columns(annotator=halves.otherwise("annotator"))
    eager, lazy = (accord.read(f, rename={"B0": "A0"}) for f in (frame, frame.lazy()))
    assert lazy.annotators == eager.annotators == ("A0", "A1", "A2")
    assert counts_of(lazy) == counts_of(eager)


def test_a_crowd_keeps_the_values_of_those_who_were_chosen(monkeypatch):
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    frame = _with_a_rare_label(documents=False)
    eager, lazy = (accord.read(f, without=["A0"]) for f in (frame, frame.lazy()))
    assert lazy.anonymous
    chosen = [d.select(annotators=["A1", "A2"]) for d in (eager, lazy)]
    assert [d.labels for d in chosen] == [("x", "y", "z")] * 2
    one, other = (accord.agree(d, "s").value for d in chosen)
    assert one == pytest.approx(other, abs=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("numbers", [False, True])
def test_systems_are_judged_ranked_and_tested_as_in_memory(engine, numbers):
    frame = table(annotators=5, items=120, documents=True, numbers=numbers)
    positive = {} if numbers else {"positive": "x"}
    for source in (frame, ENGINES[engine](frame)):
        assert accord.rank(source, ["A0"]).systems[0]["of"] == 5
    questions: list[Callable[[Any], Any]] = [
        lambda d: accord.rank(d, ["A0"], resamples=50).to_dict(),
        lambda d: accord.rank(accord.read(d, systems=["A0"]), resamples=50).to_dict(),
        lambda d: accord.alt_test(d, "A0").to_dict(),
        lambda d: accord.alt_test(accord.read(d, systems=["A0"])).to_dict(),
        lambda d: accord.judge(d, "A0", resamples=50, **positive).to_dict(),
        lambda d: accord.judge(
            accord.read(d, systems=["A0"]), "A0", resamples=50, **positive
        ).to_dict(),
    ]
    for asked in questions:
        assert alike(asked(frame), asked(ENGINES[engine](frame)), 1e-9)


@pytest.mark.parametrize("documents", [False, True])
def test_limits_of_annotators_are_those_of_the_collected_frame(documents):
    frame = table(annotators=5, items=200, documents=documents)
    for name in ("alpha", "conger", "ac1"):
        for ci in ("auto", "dirichlet", "jackknife"):
            rows = [
                [dict(r) for r in accord.agree(d, name, ci=ci, by="annotator").by["annotator"]]
                for d in (frame, frame.lazy())
            ]
            assert all("low" in r for r in rows[0])
            assert alike(*rows, 1e-9), (name, ci)
