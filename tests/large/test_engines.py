"""Parquet files, folders, globs and addresses, counted by an engine of one's choice."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import accord
from accord.cli.app import app, load_commands
from accord.data.progress import hearing
from accord.errors import InputError, MissingDependencyError, UsageError
from accord.files.scratch import own_folder
from accord.large import counted, engines, queries, scanned
from accord.large.row_groups import RowGroup, cuts, file_cuts, row_groups
from tests.large.test_lazy_frames import alike, counts_of, table

ENGINES = ("duckdb", "polars", "dask")
SOURCES = ("all.parquet", "all.csv", "hive", "parts", "parts/*.parquet")


@pytest.fixture(scope="module")
def campaign(tmp_path_factory) -> Path:
    """One table as a file, as text, in partitions by document, and in parts."""
    folder = tmp_path_factory.mktemp("campaign")
    whole = table(annotators=4, items=80, documents=True)
    whole.write_parquet(folder / "all.parquet")
    whole.write_csv(folder / "all.csv")
    for (document,), part in whole.group_by("document"):
        place = folder / "hive" / f"document={document}"
        place.mkdir(parents=True)
        part.drop("document").write_parquet(place / "0.parquet")
    (folder / "parts").mkdir()
    whole[:100].write_parquet(folder / "parts" / "1.parquet")
    whole[100:].write_parquet(folder / "parts" / "2.parquet")
    return folder


@pytest.mark.parametrize("engine", ENGINES)
def test_every_source_gives_the_same_counts(campaign, engine):
    pytest.importorskip(engine)
    eager = accord.read(table(annotators=4, items=80, documents=True))
    for source in SOURCES:
        found = accord.read(campaign / source, engine=engine)
        assert isinstance(found, accord.Ratings)
        assert found.multiplicity is not None, source
        assert found.documents == eager.documents, source
        assert counts_of(found) == counts_of(eager), source


def test_small_tables_are_read_at_once_and_large_ones_are_counted(campaign, monkeypatch):
    for source in SOURCES:
        assert accord.read(campaign / source).multiplicity is None
    monkeypatch.setattr(scanned, "SMALL", 100)
    for source in ("all.parquet", "hive", "parts", "parts/*.parquet"):
        assert accord.read(campaign / source).multiplicity is not None
        assert accord.read(campaign / source, engine="eager").multiplicity is None
    files = [campaign / "parts" / "1.parquet", campaign / "parts" / "2.parquet"]
    together = accord.reading.read_many(files)
    assert counts_of(together) == counts_of(accord.read(campaign / "all.parquet", engine="eager"))


def test_objects_of_other_libraries(campaign):
    eager = counts_of(accord.read(campaign / "all.parquet", engine="eager"))
    dataset = pytest.importorskip("pyarrow.dataset").dataset(campaign / "all.parquet")
    assert counts_of(accord.read(dataset)) == eager
    ibis = pytest.importorskip("ibis")
    assert counts_of(accord.read(ibis.read_parquet(campaign / "all.parquet"))) == eager


def test_a_dataset_of_ray_is_sent_to_parquet():
    # (a class of that place: Ray itself is large, and is not asked)
    dataset = type("Dataset", (), {"__module__": "ray.data.dataset"})()
    with pytest.raises(UsageError, match=r"write_parquet\(FOLDER\)"):
        accord.read(dataset)


def test_what_an_engine_cannot_do_is_said(campaign, monkeypatch, tmp_path):
    with pytest.raises(UsageError, match="engine must be one of auto, eager, duckdb"):
        accord.read(campaign / "all.parquet", engine="oracle")
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 and no more")
    for engine in ("duckdb", "polars"):
        with pytest.raises(InputError, match="cannot"):
            accord.read(damaged, engine=engine)
    other = tmp_path / "spans.ann"
    other.write_text("T1\tx 0 3\tabc\n")
    with pytest.raises(UsageError, match="reads Parquet and CSV tables"):
        accord.read(other, engine="duckdb")
    with pytest.raises(InputError):
        accord.read(tmp_path / "nothing-*.parquet")
    for engine, module in (
        ("duckdb", "duckdb"),
        ("polars", "polars"),
        ("dask", "dask.dataframe"),
        ("spark", "pyspark.sql"),
    ):
        monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(MissingDependencyError, match=rf"accord\[{engine}\]"):
            accord.read(campaign / "all.parquet", engine=engine)


def test_the_command_line_takes_an_engine(campaign, accord_command):
    load_commands()
    values = {}
    for engine in ("auto", "eager", "duckdb", "polars"):
        ran = CliRunner().invoke(
            app,
            ["agree", str(campaign / "hive"), "--engine", engine, "--measure", "alpha", "--measure",
             "conger", "--by", "document,annotator,item", "--json"],
        )  # fmt: skip
        assert ran.exit_code == 0, ran.output
        values[engine] = [
            # items that are alike in dispute stand in the order of the rows, which an engine chooses
            {k: r[k] for k in ("value", "interval", "n")}
            | {
                k: sorted(rows, key=lambda row: str(next(iter(row.items()))))
                for k, rows in r["by"].items()
            }
            for r in json.loads(ran.stdout)["results"]
        ]
    for engine in ("auto", "duckdb", "polars"):
        for one, other in zip(values["eager"], values[engine], strict=True):
            assert alike(one, other, 1e-9), engine
    refused = accord_command("agree", campaign / "hive", "--engine", "oracle")
    assert refused.returncode == 2
    assert "--engine must be one of" in refused.stderr


class _Store(BaseHTTPRequestHandler):
    """A bucket of one object, as far as reading it goes."""

    content = b""

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def do_GET(self) -> None:
        self._answer(body=True)

    def _answer(self, *, body: bool) -> None:
        data, status = self.content, 200
        first, last = 0, len(data) - 1
        asked = self.headers.get("Range")
        if asked:
            begin, _, end = asked.removeprefix("bytes=").partition("-")
            first = int(begin) if begin else max(0, len(data) - int(end))
            last = min(last, int(end)) if begin and end else last
            status = 206
        self.send_response(status)
        self.send_header("Content-Length", str(last - first + 1))
        self.send_header("Content-Range", f"bytes {first}-{last}/{len(data)}")
        self.send_header("Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT")
        self.send_header("ETag", '"1"')
        self.end_headers()
        if body:
            self.wfile.write(data[first : last + 1])

    def log_message(self, *args: Any) -> None:
        pass


def test_an_address_is_read_by_the_engine(campaign, monkeypatch):
    _Store.content = (campaign / "all.parquet").read_bytes()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Store)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{server.server_port}",
        "AWS_ALLOW_HTTP": "true",
        "AWS_SKIP_SIGNATURE": "true",
        "AWS_REGION": "nowhere",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "no_proxy": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    try:
        address = "s3://campaigns/all.parquet"
        eager = counts_of(accord.read(campaign / "all.parquet"))
        for engine in ("auto", "polars"):
            # a path loses one of the two slashes, as arguments of the command line do
            for written in (address, Path(address)):
                assert counts_of(accord.read(written, engine=engine)) == eager
    finally:
        server.shutdown()


def test_file_addresses_are_paths(campaign, tmp_path, accord_command):
    eager = counts_of(accord.read(campaign / "all.parquet", engine="eager"))
    spaced = tmp_path / "a b.csv"
    spaced.write_bytes((campaign / "all.csv").read_bytes())
    for source in (*(campaign / s for s in SOURCES), spaced):
        # (a glob is no address of a file: only what names one is)
        address = source.as_uri() if "*" not in source.name else f"file://{source}"
        for engine in ("auto", "duckdb"):
            # a path loses two of the three slashes, as arguments of the command line do
            for written in (address, Path(address)):
                found = accord.read(written, engine=engine)
                assert counts_of(found) == eager, address
    done = accord_command(
        "agree", (campaign / "all.parquet").as_uri(), "--measure", "alpha", "--json"
    )
    assert done.returncode == 0, done.stderr
    gone = accord_command("agree", (campaign / "gone.parquet").as_uri(), "--measure", "alpha")
    assert gone.returncode == 2
    assert "does not exist" in gone.stderr


def test_what_to_do_is_said_where_an_address_cannot_be_read(monkeypatch):
    for name, value in {
        "AWS_ENDPOINT_URL": "http://127.0.0.1:9",
        "AWS_ALLOW_HTTP": "true",
        "AWS_REGION": "nowhere",
        "AWS_ACCESS_KEY_ID": "none",
        "AWS_SECRET_ACCESS_KEY": "none",
        "no_proxy": "127.0.0.1",
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setitem(
        scanned.SCANS, "duckdb", lambda found: pytest.fail("no network is asked for here")
    )
    with pytest.raises(InputError, match="check the network") as told:
        accord.read("s3://campaigns/all.parquet")
    assert "\n" not in str(told.value)

    def refused(found: list[str]) -> Any:
        raise OSError("the extension 'httpfs':\nmore")

    monkeypatch.setitem(scanned.SCANS, "duckdb", refused)
    with pytest.raises(InputError, match=r"httpfs.*use .*polars"):
        accord.read("hf://datasets/some/campaign.parquet", engine="duckdb")


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask"])
def test_categories_of_the_engine(engine):
    frame = (
        table(annotators=3, documents=True)
        .filter(pl.col("value") != "NA")
        .with_columns(
            pl.col("annotator", "document").cast(pl.Categorical),
            pl.col("value").cast(pl.Enum(["x", "y", "z", "w"])),
        )
    )
    eager = accord.read(frame)
    if engine == "polars":
        lazy: Any = frame.lazy()
    elif engine == "duckdb":
        lazy = pytest.importorskip("duckdb").connect().from_arrow(frame.to_arrow())
    else:
        lazy = pytest.importorskip("dask.dataframe").from_pandas(frame.to_pandas(), npartitions=2)
    found = accord.read(lazy)
    assert counts_of(found) == counts_of(eager)
    if engine == "polars":  # DuckDB and Dask forget an order on the way
        assert found.values == eager.values
        assert found.declared


# --- tables that are cut where they lie ---------------------------------------------------------------


def _stored(folder: Path, layout: str, *, text: bool, annotators: int = 4) -> tuple[Any, str]:
    """A table of 300 items, written as people write them, and where it is."""
    rng = np.random.default_rng(3)
    item = np.repeat(np.arange(-100, 200), annotators)
    who = np.tile(np.arange(annotators), 300)
    frame = pl.DataFrame(
        {
            "item": [f"é{i:04d}" for i in item + 100] if text else item,
            "annotator": [f"w{a}" for a in who],
            "value": [None if v == 3 else "xyz"[v] for v in rng.integers(0, 4, len(item))],
        }
    )
    order = {
        "by item": np.arange(len(item)),
        "by annotator": np.argsort(who, kind="stable"),
        "in runs": np.concatenate(
            [rng.permutation(120) + 120 * r for r in range(len(item) // 120)]
        ),
        "shuffled": rng.permutation(len(item)),
    }[layout]
    frame = frame[order]
    if layout != "by annotator":
        frame.write_parquet(folder / "one.parquet", row_group_size=30)
        return frame, str(folder / "one.parquet")
    for name, rows in frame.group_by("annotator", maintain_order=True):
        rows.write_parquet(folder / f"{name[0]}.parquet", row_group_size=30)
    return frame, str(folder)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.parametrize("crowd", [False, True])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("layout", ["by item", "by annotator", "in runs", "shuffled"])
def test_a_table_is_cut_where_its_items_are_near(
    layout, text, crowd, engine, tmp_path, monkeypatch
):
    frame, address = _stored(tmp_path, layout, text=text)
    monkeypatch.setattr(queries, "PART", 100)
    monkeypatch.setattr(queries, "AT_ONCE", 100)
    monkeypatch.setattr(counted, "RANGE", 120)
    if crowd:
        monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
        monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    written = []
    monkeypatch.setattr(
        queries, "own_folder", lambda kind: written.append(kind) or own_folder(kind)
    )
    data, whole = accord.read(address, engine=engine), accord.read(frame)
    alpha = accord.agree(whole, "alpha").value
    assert accord.agree(data, "alpha").value == pytest.approx(alpha, abs=1e-12)
    assert crowd or counts_of(data) == counts_of(whole)
    assert data.n_items == whole.n_items
    # nothing is written but where the rows of an item may be anywhere
    assert bool(written) == (layout == "shuffled")


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_the_parts_of_a_cut_table_give_its_reference_and_its_repeats(engine, tmp_path, monkeypatch):
    frame, address = _stored(tmp_path, "in runs", text=False)
    monkeypatch.setattr(counted, "RANGE", 120)
    data = accord.read(address, engine=engine)
    runs = list(data.engine.by_item())
    assert len(runs) > 5
    assert sum(len(run.code) for run in runs) == frame["value"].count()
    assert len({i for run in runs for i in run.items}) == sum(len(run.items) for run in runs)
    monkeypatch.setattr(counted, "_MOST_NUMBERS", 0)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    again = frame.filter(pl.col("value").is_not_null())[700:701]
    pl.concat([frame, again]).write_parquet(tmp_path / "two.parquet", row_group_size=30)
    with pytest.raises(InputError, match="twice"):
        accord.read(tmp_path / "two.parquet", engine=engine)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_numbers_are_summed_range_by_range(engine, tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    item = np.repeat(np.arange(400), 3)
    frame = pl.DataFrame(
        {"item": item, "annotator": ["abc"[i % 3] for i in range(1200)], "value": rng.normal(item)}
    )
    frame.write_parquet(tmp_path / "numbers.parquet", row_group_size=60)
    monkeypatch.setattr(counted, "RANGE", 200)
    monkeypatch.setattr(counted, "MOST_RATINGS", 10)
    # (all items are rated by the same three: one group, in every range)
    monkeypatch.setattr(queries, "MOST_GROUPS", 1)
    data = accord.read(tmp_path / "numbers.parquet", engine=engine)
    found = accord.agree(data, "alpha", metric="interval").value
    assert found == pytest.approx(accord.agree(frame, "alpha", metric="interval").value, abs=1e-12)


def test_files_that_say_nothing_of_their_items_are_not_cut(tmp_path):
    plain = pl.DataFrame({"item": [1, 2, 3], "value": ["x", "y", "x"]})
    plain.write_parquet(tmp_path / "plain.parquet", statistics=False)
    plain.with_columns(pl.col("item").cast(pl.String)).write_parquet(tmp_path / "text.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    plain.write_parquet(tmp_path / "told.parquet")
    path = {p.stem: p for p in tmp_path.iterdir()}
    assert row_groups([path["told"]], "item", int) == [RowGroup(1, 3, 3)]
    for files in (["plain"], ["text"], ["broken"], ["told", "plain"], ["told", "text"]):
        assert row_groups([path[f] for f in files], "item", int) == []
    assert row_groups([path["told"]], "unit", int) == []


def test_ranges_do_not_ask_a_thousand_files_a_thousand_times(tmp_path, monkeypatch):
    _, folder = _stored(tmp_path, "by annotator", text=False)
    files = sorted(Path(folder).glob("*.parquet"))
    found = file_cuts(files, "item", int, 120)
    assert len(found) > 5
    monkeypatch.setattr("accord.large.row_groups._LOOKS", len(files) * len(found))
    assert file_cuts(files, "item", int, 120) == []


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(1, 50)), max_size=40),
    st.integers(10, 400),
)
def test_cuts_keep_their_promise(drawn, most):
    groups = [RowGroup(min(a, b), max(a, b), rows) for a, b, rows in drawn]
    found = cuts(groups, most)
    assert found == sorted(set(found))
    if not found:
        return
    edges = [-1, *found, 61]
    read = [
        sum(g.rows for g in groups if g.low < high and g.high >= low)
        for low, high in pairwise(edges)
    ]
    assert max(read) <= 2 * most
    assert sum(read) <= 1.5 * sum(g.rows for g in groups)


@pytest.mark.parametrize("layout", ["in runs", "shuffled"])
def test_what_is_counted_of_a_large_table_is_told(layout, tmp_path, monkeypatch):
    _, address = _stored(tmp_path, layout, text=False)
    monkeypatch.setattr(queries, "PART", 100)
    monkeypatch.setattr(queries, "AT_ONCE", 100)
    monkeypatch.setattr(counted, "RANGE", 120)
    told: list[float] = []
    with hearing(lambda done, of: told.append(done / of)):
        accord.read(address, engine="duckdb")
    assert len(told) > 5
    assert told == sorted(told)
    # what was looked at before is told first, the last part when it begins
    assert 0 < told[0] < 0.1
    assert 0.8 < told[-1] < 1


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_profiles_that_recur_in_every_part_are_held_once(engine, tmp_path, monkeypatch):
    frame, address = _stored(tmp_path, "by item", text=False)
    monkeypatch.setattr(counted, "RANGE", 120)
    whole = accord.read(frame.lazy())
    profiles = len(whole.indptr) - 1
    monkeypatch.setattr(counted, "MOST_PROFILES", profiles)
    data = accord.read(address, engine=engine)
    assert len(data.indptr) - 1 == profiles
    assert counts_of(data) == counts_of(whole)


@pytest.mark.parametrize("engine", ENGINES)
def test_names_are_read_as_in_any_table(engine, tmp_path, monkeypatch):
    pytest.importorskip(engine)
    frame, address = _stored(tmp_path, "by item", text=True)
    # blanks around a name are no part of it
    odd = pl.when(pl.col("annotator") == "w1").then(pl.concat_str("item", pl.lit("  ")))
    frame.with_columns(item=odd.otherwise("item")).write_parquet(address, row_group_size=30)
    monkeypatch.setattr(queries, "PART", 100)
    monkeypatch.setattr(counted, "RANGE", 120)
    found = accord.read(address, engine=engine)
    assert found.n_items == 300
    assert counts_of(found) == counts_of(accord.read(frame))
    for column, message in (("item", "the item is empty"), ("annotator", "the annotator is empty")):
        for nothing in ("", None):
            empty = pl.when(pl.col(column) == frame[column][0]).then(pl.lit(nothing))
            frame.with_columns(empty.otherwise(column).alias(column)).write_parquet(address)
            with pytest.raises(InputError, match=message):
                accord.read(address, engine=engine)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_globs_find_the_partitions_of_a_folder(campaign, engine):
    eager = accord.read(table(annotators=4, items=80, documents=True))
    for pattern in ("hive/**/*.parquet", "hive/*/*.parquet", "hive/document=*/0.parquet"):
        found = accord.read(campaign / pattern, engine=engine)
        assert found.documents == eager.documents
        assert counts_of(found) == counts_of(eager)
    parts = accord.read(campaign / "parts" / "*.parquet", engine=engine)
    assert counts_of(parts) == counts_of(eager)


@pytest.mark.parametrize("engine", ["duckdb", "polars"])
@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are those of Unix")
def test_an_engine_that_does_not_fit_ends_in_a_sentence(engine, tmp_path):
    """Under a limit of the address space both would be ended by the first allocation that fails."""
    pytest.importorskip(engine)
    import resource

    path = tmp_path / "data.csv"
    path.write_text("item,annotator,value\n1,a,x\n1,b,x\n2,a,y\n2,b,x\n", encoding="utf-8")

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9))

    run = subprocess.run(
        [sys.executable, "-m", "accord", "agree", str(path), "--engine", engine],
        capture_output=True, text=True, preexec_fn=limited,
    )  # fmt: skip
    assert run.returncode == 2
    assert f"this process may use 1000 MB of address space, and {engine}" in run.stderr
    assert "--engine eager" in run.stderr


def test_limits_are_told_to_duckdb(monkeypatch, tmp_path):
    pytest.importorskip("duckdb")
    container = tmp_path / "memory.max"
    monkeypatch.setattr(engines, "_CONTAINER", (container, tmp_path / "none"))
    assert engines.room("duckdb") > 800
    container.write_text("max\n", encoding="ascii")
    assert engines.room("duckdb") > 800
    container.write_text("700000000\n", encoding="ascii")
    assert engines.room("duckdb") == pytest.approx(250)
    held = engines._connection().execute("SELECT current_setting('memory_limit')").fetchone()[0]
    assert held.startswith("238.4 MiB")
    container.write_text("300000000\n", encoding="ascii")
    with pytest.raises(InputError, match=r"300 MB of memory, and polars needs 600 MB"):
        engines.room("polars")


def test_a_folder_of_two_endings_loses_no_file(tmp_path):
    rows = [(f"i{k}", who, "xy"[k % 2]) for k in range(40) for who in "AB"]
    frame = pl.DataFrame(rows, schema=["item", "annotator", "value"], orient="row")
    frame[:30].write_parquet(tmp_path / "a.parquet")
    frame[30:].write_parquet(tmp_path / "b.pq")
    assert accord.read(tmp_path, engine="polars").n_ratings == 80
