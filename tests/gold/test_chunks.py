"""References made chunk by chunk are those that are made at once."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import accord
from accord.errors import UsageError
from accord.gold.dawid_skene import dawid_skene
from accord.gold.labels import Chunks, Labels
from accord.gold.mace import mace
from accord.gold.votes import majority
from accord.large import counted, queries
from tests.large.test_lazy_frames import ENGINES, table


def in_chunks(labels: Labels, size: int) -> Chunks:
    """The same labels, so many items at a time."""

    def read() -> Any:
        for first in range(0, labels.n_items, size):
            indptr = labels.indptr[first : first + size + 1]
            here = slice(int(indptr[0]), int(indptr[-1]))
            yield Labels(
                indptr=indptr - indptr[0],
                annotator=labels.annotator[here],
                code=labels.code[here],
                n_annotators=labels.n_annotators,
                n_classes=labels.n_classes,
                weight=labels.weight,
                clamp=labels.clamp[first : first + size],
            )

    return Chunks(
        n_annotators=labels.n_annotators,
        n_classes=labels.n_classes,
        weight=labels.weight,
        n_items=labels.n_items,
        n_labels=labels.n_labels,
        read=read,
    )


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("model", [majority, dawid_skene, mace])
def test_models_over_chunks(model, size):
    labels = Labels.of(accord.read(table(annotators=6, items=90)))
    options = {"restarts": 3} if model is mace else {}
    whole, parts = model(labels, **options), model(in_chunks(labels, size), **options)
    assert parts.posterior.shape == (0, labels.n_classes)
    found = np.concatenate([parts.apply(p) for p in in_chunks(labels, size).parts()])
    assert np.allclose(found, whole.posterior, rtol=0, atol=1e-9)
    assert np.allclose(parts.accuracy, whole.accuracy, rtol=0, atol=1e-9)
    assert len(parts.objective) == len(whole.objective)
    assert np.allclose(parts.objective, whole.objective, rtol=1e-12)
    if whole.confusion is not None:
        assert np.allclose(parts.confusion, whole.confusion, rtol=0, atol=1e-9)
    if whole.prior is not None:
        assert np.allclose(parts.prior, whole.prior, rtol=0, atol=1e-9)


def rows_of(path: Path) -> dict[str, tuple[str, float]]:
    if path.suffix == ".parquet":
        rows = pl.read_parquet(path).to_dicts()
    else:
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
    return {str(r["item"]): (r["value"] or "", float(r["confidence"])) for r in rows}


def expected(frame: pl.DataFrame, method: str) -> dict[str, tuple[str, float]]:
    made = accord.gold(accord.read(frame), method=method, calibrate="model")
    return {str(r["item"]): (r["value"] or "", r["confidence"]) for r in made.rows()}


def same_rows(one: dict[str, tuple[str, float]], other: dict[str, tuple[str, float]]) -> None:
    assert one.keys() == other.keys()
    for item, (value, confidence) in one.items():
        assert other[item][0] == value, item
        assert other[item][1] == pytest.approx(confidence, abs=1.1e-6)


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "mace"])
def test_the_file_is_the_reference(method, tmp_path):
    frame = table(annotators=6, items=90)
    made = accord.gold_file(accord.read(frame), tmp_path / "gold.csv", method, chunk=7)
    same_rows(expected(frame, method), rows_of(tmp_path / "gold.csv"))
    assert made.items == 90
    whole = accord.gold(accord.read(frame), method=method, calibrate="model")
    for one, other in zip(made.annotators, whole.annotators, strict=True):
        assert one.keys() == other.keys()
        assert one["n"] == other["n"]
        assert one["agreement"] == pytest.approx(other["agreement"], abs=1e-12)
        assert one["accuracy"] == pytest.approx(other["accuracy"], abs=1e-9)
    assert made.undecided == sum(v == "" for v, _ in expected(frame, method).values())
    assert json.dumps(made.to_dict())


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_an_engine_gives_its_rows_in_parts(engine, monkeypatch, tmp_path):
    frame = table(annotators=6, items=90)
    monkeypatch.setattr(queries, "PART", 200)
    # (chunks end within the parts)
    monkeypatch.setattr("accord.gold.chunks._ITEMS", 7)
    data = accord.read(ENGINES[engine](frame))
    for method in ("majority", "dawid-skene"):
        accord.gold_file(data, tmp_path / "gold.parquet", method, soft=True)
        same_rows(expected(frame, method), rows_of(tmp_path / "gold.parquet"))
        shares = pl.read_parquet(tmp_path / "gold.parquet").select(pl.col("^p:.*$"))
        assert shares.columns == ["p:x", "p:y", "p:z"]
        assert np.allclose(shares.sum_horizontal(), 1.0)
    few = data.select(annotators=["A1", "A4", "A5"])
    accord.gold_file(few, tmp_path / "few.csv", "majority")
    alone = frame.filter(pl.col("annotator").is_in(["A1", "A4", "A5"]))
    same_rows(expected(alone, "majority"), rows_of(tmp_path / "few.csv"))


def test_the_command_writes_large_references_by_chunks(accord_command, monkeypatch, tmp_path):
    from typer.testing import CliRunner

    from accord.cli.app import app, load_commands

    load_commands()
    frame = table(annotators=6, items=90)
    frame.write_parquet(tmp_path / "campaign.parquet")
    monkeypatch.setattr(counted, "MOST_RATINGS", 100)
    command = ["gold", str(tmp_path / "campaign.parquet"), "--engine", "duckdb", "--json"]
    ran = CliRunner().invoke(
        app, [*command, "--method", "dawid-skene", "-o", str(tmp_path / "gold.csv")]
    )
    assert ran.exit_code == 0, ran.output
    assert json.loads(ran.stdout)["n"] == 90
    same_rows(expected(frame, "dawid-skene"), rows_of(tmp_path / "gold.csv"))
    refused = CliRunner().invoke(app, [*command, "--method", "dawid-skene"])
    assert isinstance(refused.exception, UsageError)
    assert "write it to a file" in str(refused.exception)


def test_what_is_not_done_by_chunks_is_said(tmp_path):
    data = accord.read(table())
    with pytest.raises(UsageError, match="glad is not made by chunks"):
        accord.gold_file(data, tmp_path / "gold.csv", "glad")
    with pytest.raises(UsageError, match=r"is \.csv or \.parquet"):
        accord.gold_file(data, tmp_path / "gold.xlsx")
    with pytest.raises(UsageError, match="has no option 'patience'"):
        accord.gold_file(data, tmp_path / "gold.csv", "dawid-skene", patience=3)
    assert not list(tmp_path.iterdir())
