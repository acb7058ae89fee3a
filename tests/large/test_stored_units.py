"""Units that stay in Parquet: every number is that of the same units in memory, to the last bit."""

import json
from functools import partial

import numpy as np
import pytest

import accord
from accord.data import Units
from accord.data.continuum import Continua
from accord.data.reading import OpenQuestionError
from accord.formats.format import ReadOptions
from accord.large.stored_units import StoredUnits
from accord.measures.gamma.outline import Outline
from tests.data import test_workers
from tests.data.test_workers import campaign

pytest.importorskip("pyarrow", reason="needs pyarrow")
import pyarrow as pa
import pyarrow.parquet as pq

#: what is left beyond shared layout is not known of units that stay in their file
bits = partial(test_workers.bits, stored=True)


def rows_of(data):
    return [tuple(u) for u in data]


def table(rows, **types):
    names = ("document", "annotator", "start", "end", "label")
    return pa.table(
        {
            n: pa.array(list(c), types.get(n))
            for n, c in zip(names, zip(*rows, strict=True), strict=True)
        }
    )


def ragged(seed=3):
    """Documents of different sizes, with annotators who marked nothing, in no order of names."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in rng.permutation(60):
        for who in "ABCD"[: rng.integers(1, 5)]:
            for s in rng.choice(80, rng.integers(1, 6), replace=False):
                label = [None, "x", "y", "z"][rng.integers(4)]
                rows.append((f"d{d}", who, float(s), float(s + rng.integers(1, 9)), label))
    return rows


@pytest.fixture(params=[7, 50, 100_000], ids=lambda rows: f"groups of {rows} rows")
def stored(request, tmp_path):
    rows = ragged()
    path = tmp_path / "units.parquet"
    pq.write_table(table(rows), path, row_group_size=request.param)
    return path, rows


@pytest.mark.parametrize(
    ("measure", "options"),
    [
        ("gamma", {}),
        ("gamma", {"chance": "shuffle", "samples": 9, "seed": 4}),
        ("gamma", {"ground_truth": ("A", "B")}),
        ("gamma", {"precision": 0.05, "positional": "hamming"}),
        ("gamma-cat", {}),
        ("gamma-k", {"samples": 12}),
        ("holistic", {"samples": 4}),
    ],
)
@pytest.mark.parametrize("seen", ["all", "marked"])
def test_same_bits_as_in_memory(stored, monkeypatch, measure, options, seen):
    path, rows = stored
    monkeypatch.setattr("accord.data.corpus._MOST", 40)
    monkeypatch.setattr("accord.large.stored_units._TOGETHER", 30)
    monkeypatch.setattr("accord.large.parquet_rows._BATCH", 11)
    data = accord.Units.from_rows(rows).covered(seen)
    eager = accord.agree(data, measure, ci="auto", **options)
    lazy = accord.distribute(path, measure, ci="auto", seen=seen, **options)
    assert bits(lazy) == bits(eager)
    for one, other in zip(
        *(r if isinstance(r, tuple) else (r,) for r in (lazy, eager)), strict=True
    ):
        assert repr(one.interval) == repr(other.interval)
        assert one.warnings == tuple(w for w in other.warnings if "shared layout" not in w)
        assert (one.n, one.annotators) == (other.n, other.annotators)


def test_by_document(stored):
    path, rows = stored
    eager = accord.agree(accord.Units.from_rows(rows), "gamma", by="document")
    lazy = accord.distribute(path, "gamma", by="document", seen="all")
    assert repr(lazy.by["document"]) == repr(eager.by["document"])


def test_workers_read_their_parts(stored, monkeypatch):
    path, rows = stored
    monkeypatch.setattr("accord.data.parallel._START", 0.0)
    monkeypatch.setattr("accord.data.corpus._LEAST", 50)
    told = []
    lazy = accord.distribute(
        path, "gamma", seen="all", jobs=2, progress=lambda *done: told.append(done)
    )
    assert bits(lazy) == bits(accord.agree(accord.Units.from_rows(rows), "gamma"))
    assert told[-1][0] == told[-1][1]
    part = StoredUnits(path, ReadOptions(seen="all")).parts(2)[0]
    assert not hasattr(part, "start")


def test_a_folder_a_glob_and_a_list_are_one_table(tmp_path):
    rows = ragged()
    half = next(i for i in range(len(rows) // 2, len(rows)) if rows[i][0] != rows[i - 1][0])
    for name, some in (("a", rows[:half]), ("b", rows[half:])):
        pq.write_table(table(some), tmp_path / f"{name}.parquet")
    wanted = bits(accord.agree(accord.Units.from_rows(rows), "gamma"))
    assert bits(accord.distribute(tmp_path, "gamma", seen="all")) == wanted
    assert bits(accord.distribute(str(tmp_path / "*.parquet"), "gamma", seen="all")) == wanted
    listed = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    assert bits(accord.distribute(listed, "gamma", seen="all")) == wanted


def test_numbers_dictionaries_and_blanks_are_names(tmp_path):
    rows = [(d, a, s, s + 4, label) for d in range(12) for a in (7, 10) for s, label in
            ((0, " x "), (9 + a % 3, "NA"), (20, ""))]  # fmt: skip
    path = tmp_path / "units.parquet"
    names = ("document", "annotator", "start", "end", "label")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    made = pa.table(columns)
    made = made.set_column(4, "label", made["label"].dictionary_encode())
    pq.write_table(made, path)
    eager = accord.agree(accord.read(path), "gamma-k")
    lazy = accord.distribute(path, "gamma-k")
    assert [r.terms["category"] for r in lazy] == ["x"]
    assert bits(lazy) == bits(eager)
    assert lazy[0].warnings == eager[0].warnings


def test_columns_of_other_names_and_a_length(tmp_path):
    rows = ragged()
    path = tmp_path / "units.parquet"
    pq.write_table(table(rows).rename_columns(["book", "reader", "von", "bis", "what"]), path)
    columns = {
        "document": "book",
        "annotator": "reader",
        "start": "von",
        "end": "bis",
        "label": "what",
    }
    lengths = {f"d{d}": 100 for d in range(60)}
    eager = accord.agree(accord.Units.from_rows(rows, lengths=lengths), "gamma")
    assert bits(accord.distribute(path, "gamma", columns=columns, length=100, seen="all")) == bits(
        eager
    )


def test_columns_called_so_and_columns_that_look_so(tmp_path):
    path = tmp_path / "units.parquet"
    wanted = bits(accord.agree(accord.Units.from_rows(ragged()), "gamma"))
    options = {"seen": "all"}
    pq.write_table(
        table(ragged()).rename_columns(["video", "coder", "start", "end", "event"]), path
    )
    assert bits(accord.distribute(path, "gamma", **options)) == wanted
    stored = StoredUnits.opened(path, **options)
    assert [d.taken.means for d in stored.reading.provenance.decisions] == [
        "'video' names the documents",
        "'event' holds the labels",
    ]
    pq.write_table(
        table(ragged()).rename_columns(["thing", "coder", "start", "end", "event"]), path
    )
    with pytest.raises(OpenQuestionError, match="'thing' is not used and looks like names of"):
        accord.distribute(path, "gamma", **options)
    named = accord.distribute(path, "gamma", columns={"document": "thing"}, **options)
    assert bits(named) == wanted


GOOD = [("d", a, s, s + 4.0, "x") for a in "AB" for s in (0.0, 9.0)]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([*GOOD, ("e", "A", 0.0, 4.0, "x"), ("d", "C", 0.0, 4.0, "x")],
         r"rows of document 'd' are not together \(row 6\).*ORDER BY document"),
        ([*GOOD, ("d", "A", 5.0, 4.0, "x")], "row 5: the unit .5.0, 4.0. ends before it starts"),
        ([*GOOD, ("d", "A", None, 4.0, "x")], "row 5: .*not a number"),
        ([*GOOD, ("d", None, 1.0, 4.0, "x")], "row 5: the annotator is empty"),
        ([*GOOD, GOOD[0]], "row 5: the same unit of the same annotator is there twice"),
        ([], "has no rows"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said(tmp_path, rows, message):
    path = tmp_path / "units.parquet"
    pq.write_table(table(rows or GOOD).slice(0, len(rows)), path)
    with pytest.raises(accord.InputError, match=message):
        accord.distribute(path, "gamma")


def test_what_needs_all_units_is_refused(tmp_path):
    path = tmp_path / "units.parquet"
    pq.write_table(table(ragged()), path)
    for options, message in (
        ({"chance": "statistical"}, "chance statistical draws from the units of all documents"),
        ({"chance": "min"}, "chance min draws"),
        ({"expected": "document"}, "expected='document' draws from every document many times"),
        ({"by": "annotator"}, "stay in Parquet; read them into memory with accord.read"),
        ({"by": "category"}, "for units in memory"),
    ):
        with pytest.raises(accord.UsageError, match=message):
            accord.distribute(path, "gamma", seen="all", **options)
    with pytest.raises(accord.UsageError, match=r"u-alpha needs all units at once.*gamma-cat"):
        accord.distribute(path, "u-alpha", seen="all")
    with pytest.raises(accord.InputError, match="no such file"):
        accord.distribute(tmp_path / "none.parquet", "gamma")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(accord.InputError, match="is no Parquet file"):
        accord.distribute(tmp_path / "bad.parquet", "gamma")


def test_repeats_are_kept_when_asked(tmp_path):
    path = tmp_path / "units.parquet"
    rows = [*GOOD, GOOD[0]]
    pq.write_table(table(rows), path)
    lazy = accord.distribute([path], "gamma", duplicates="keep", expected="corpus")
    eager = accord.agree(accord.Units.from_rows(rows), "gamma", expected="corpus")
    assert lazy.value.hex() == eager.value.hex()


def test_other_data_are_read_as_ever():
    data = campaign(5)
    assert bits(accord.distribute(data, "gamma")) == bits(accord.agree(campaign(5), "gamma"))
    ratings = accord.Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
    assert accord.distribute(ratings, "alpha").value == accord.agree(ratings, "alpha").value


def test_the_command(tmp_path, accord_command):
    path = tmp_path / "units.parquet"
    rows = sorted(set(ragged()), key=lambda row: row[0])
    pq.write_table(table(rows), path)
    done = accord_command("distribute", path, "--json", "--by", "document", "--seen", "marked")
    said = json.loads(done.stdout)
    eager = accord.agree(accord.Units.from_rows(rows).covered("marked"), "gamma", ci="auto")
    assert said["shape"] == "units"
    assert said["results"][0]["value"] == eager.value
    assert said["results"][0]["interval"]["low"] == eager.interval.low
    assert len(said["results"][0]["by"]["document"]) > 10
    shown = accord_command(
        "distribute", path, "--jobs", 2, "--measure", "gamma,gamma-cat", "--seen", "all"
    )
    assert "4 annotators: A, B, C, D" in shown.stdout
    assert "gamma-cat" in shown.stdout
    for words, problem in (
        (("--measure", "u-alpha"), "u-alpha needs all units at once"),
        (("--coverage", path), "--coverage as given is not for units that stay in Parquet"),
        (("--columns", "a,b"), "--columns as given is not for units"),
        (("--dask", "x:1", "--ray", "auto"), "give one of --dask, --ray and --spark"),
    ):
        done = accord_command("distribute", path, "--seen", "all", *words)
        assert done.returncode == 2
        assert problem in done.stderr
        assert "Traceback" not in done.stderr


def test_outlines_of_parts_are_put_together_whatever_their_crowds():
    rows = [("a", who, 0, 4, "x") for who in "ABCDE"]
    rows += [("b", who, s, s + 2, "x") for who in "AF" for s in (0, 5)]
    rows += [("c", "G", 0, 4, "x")]  # nobody to compare with
    whole = Units.from_rows(rows, coverage=[(d, w) for d, w, *_ in rows] + [("b", "E")])
    parts = [whole.select(documents=[d]) for d in whole.documents]
    one = Outline.of(Continua.of(whole), None)
    assert one.counts.tolist() == [[1, 1, 1, 1, 1], [0, 2, 2, -1, -1]]
    many = Outline.merged([Outline.of(Continua.of(p), None) for p in parts])
    for name in ("counts", "distances", "imitated"):
        assert np.array_equal(getattr(one, name), getattr(many, name)), name
    assert Outline.of(Continua.of(whole), (0,)).imitated.tolist() == [1, 2]
