"""Tables and dataframes into ratings: columns, missing values, kinds, duplicates, lazy frames."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import accord
from accord.errors import InputError
from tests.conftest import ROOT
from tests.told import told

EXAMPLE = ROOT / "examples" / "moods.csv"


@pytest.fixture(scope="module")
def value() -> float:
    return accord.agree(accord.read(EXAMPLE), "alpha").value


@pytest.mark.parametrize(
    "make",
    [pd.read_csv, pl.read_csv, pl.scan_csv, lambda p: pa.Table.from_pandas(pd.read_csv(p))],
    ids=["pandas", "polars", "polars-lazy", "pyarrow"],
)
def test_any_dataframe(make, value):
    data = accord.read(make(EXAMPLE))
    assert accord.agree(data, "alpha").value == pytest.approx(value)
    assert accord.agree(data, "conger").value == pytest.approx(
        accord.agree(accord.read(EXAMPLE), "conger").value
    )


def test_duckdb_is_counted_by_its_own_engine(value, tmp_path):
    import duckdb

    frame = duckdb.sql(f"select * from read_csv('{EXAMPLE}')")
    data = accord.read(frame)
    assert data.multiplicity is not None
    assert len(data.items) < 40 == data.n_items
    assert accord.agree(data, "alpha").value == pytest.approx(value)


def test_lazy_intervals_equal_eager_in_distribution(value):
    lazy = accord.agree(accord.read(pl.scan_csv(EXAMPLE)), "alpha", ci="jackknife")
    eager = accord.agree(accord.read(EXAMPLE), "alpha", ci="jackknife")
    assert lazy.interval.low == pytest.approx(eager.interval.low)


def test_lazy_duplicates_are_an_error():
    frame = pl.LazyFrame({"item": [1, 1], "annotator": ["A", "A"], "value": ["x", "y"]})
    with pytest.raises(InputError, match="twice"):
        accord.read(frame)


def test_wide_equals_long(value):
    wide = pl.read_csv(EXAMPLE).pivot(on="annotator", index=["item", "batch"], values="value")
    assert accord.agree(accord.read(wide, wide=True), "alpha").value == pytest.approx(value)
    lazy = accord.read(wide.lazy(), wide=True)
    assert lazy.multiplicity is not None
    assert accord.agree(lazy, "alpha").value == pytest.approx(value)


def test_order_of_rows_does_not_matter(value):
    frame = pl.read_csv(EXAMPLE)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=1)
    first, second = accord.read(frame), accord.read(shuffled)
    assert first.annotators == second.annotators
    assert first.labels == second.labels
    for name in ("alpha", "fleiss", "conger", "light", "ac1", "s"):
        assert accord.agree(second, name).value == pytest.approx(
            accord.agree(first, name).value, abs=1e-12
        )


@pytest.mark.parametrize(("policy", "expected"), [("first", "x"), ("last", "y"), ("mode", "y")])
def test_duplicates_policy(policy, expected, table):
    path = table("item,annotator,value\n1,A,x\n1,A,y\n1,A,y\n1,B,y\n2,A,x\n2,B,y\n")
    data = accord.read(path, duplicates=policy)
    assert data.labels[data.code[0]] == expected
    assert any("2 repeated ratings" in n for n in told(data))
    assert data.repeats == ((0, 0, (0, 1, 1)),)


def test_intra_annotator_consistency(table):
    path = table("item,annotator,value\n1,A,x\n1,A,x\n2,A,x\n2,A,y\n1,B,x\n2,B,x\n3,A,y\n3,B,y\n")
    result = accord.agree(accord.read(path, duplicates="first"), "alpha", by=["repeats"])
    row = result.by["repeats"][0]
    assert (row["annotator"], row["items"], row["same"]) == ("A", 2, 0.5)


def test_declared_categories_and_their_order(table):
    path = table("item,annotator,value\n1,A,low\n1,B,high\n2,A,mid\n2,B,mid\n3,A,low\n3,B,low\n")
    data = accord.read(path, categories=["low", "mid", "high", "extreme"], ordered=True)
    assert data.labels == ("low", "mid", "high", "extreme")
    assert accord.agree(data, "s").expected == pytest.approx(1 / 4)
    ordinal = accord.agree(data, "alpha", metric="ordinal")
    ranks = accord.agree(
        accord.Ratings.from_matrix([[1, 2, 1], [3, 2, 1]]), "alpha", metric="ordinal"
    )
    assert ordinal.value == pytest.approx(ranks.value)


def test_multi_label_values(table):
    path = table("item,annotator,value\n1,A,a|b\n1,B,b\n2,A,c\n2,B,c\n")
    data = accord.read(path, separator="|")
    assert data.kind == "sets"
    assert data.labels == ("{b}", "{c}", "{a, b}")
    lists = table(
        '{"item":1,"annotator":"A","value":["a","b"]}\n{"item":1,"annotator":"B","value":[]}\n',
        "x.jsonl",
    )
    assert accord.read(lists).labels == ("{}", "{a, b}")


def test_json_lines_with_odd_characters(table, tmp_path):
    rows = [
        '{"item": 1, "annotator": "A", "value": "\\ud83e"}',
        '{"item": 1, "annotator": "B", "value": "a\u2028b"}',
    ]
    data = accord.read(table("\n".join(rows) + "\n", "odd.jsonl"))
    assert data.labels == ("a\u2028b", "\ufffd")
    accord.write(data, tmp_path / "odd.parquet")  # half a surrogate pair could not be written
    assert accord.read(tmp_path / "odd.parquet").n_ratings == 2
    huge = '{"item": 1, "annotator": "A", "value": ' + "9" * 5000 + "}\n"
    with pytest.raises(InputError, match=":1: is not JSON"):
        accord.read(table(huge, "huge.jsonl"))


_OFFSETS = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32).tobytes())
BROKEN = pa.Array.from_buffers(pa.string(), 2, [None, _OFFSETS, pa.py_buffer(b"a\xff")])


@pytest.mark.parametrize(
    ("columns", "says"),
    [
        ({"value": [b"x", b"1"]}, "has bytes, not text, in the column 'value'; save it"),
        ({"annotator": [b"A", b"B"]}, "has bytes, not text, in the column 'annotator'"),
        ({"value": BROKEN}, "has text that is not UTF-8 in the column 'value'; save it as UTF-8"),
        ({"value": [{"a": 1}, {"a": 2}]}, "item '1': the probability of 'a' is 2"),
        ({"value": [{"a": "b"}, {"a": "c"}]}, "the value must be a value or a list of words"),
        ({"value": [[["a"]], [["b"]]]}, "the value must be a value or a list of words"),
        ({"item": [[1], [1]]}, "the item must be a name or a number, got a list"),
        ({"start": [0, 1], "end": [2, 3], "value": [["a"], ["b"]]}, "the value must be a name"),
        ({"masses": [[[1]], [[2]]]}, "the masses must be whole numbers"),
    ],
)
def test_parquet_columns_that_are_no_text(columns, says, tmp_path):
    path = tmp_path / "x.parquet"
    plain = {"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"]}
    pq.write_table(pa.table({**plain, **columns}), path)
    with pytest.raises(InputError) as caught:
        accord.read(path)
    assert str(caught.value).startswith(f"{path}: {says}")


def test_parquet_columns_that_nobody_asked_for_may_hold_anything(tmp_path):
    path = tmp_path / "x.parquet"
    columns = {"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"]}
    extra = {"image": [b"\xff", b"\0"], "note": BROKEN, "more": [{"a": [1]}, {"a": []}]}
    pq.write_table(pa.table({**extra, **columns}), path)
    assert accord.read(path).labels == ("x", "y")


def test_a_parquet_column_whose_name_is_broken(tmp_path):
    path = tmp_path / "x.parquet"
    columns = {"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"], "qqqq": [1, 2]}
    pq.write_table(pa.table(columns), path, store_schema=False)
    path.write_bytes(path.read_bytes().replace(b"qqqq", b"qq\xb9q"))
    with pytest.raises(InputError, match=r"x.parquet: .*UTF-8|x.parquet: .*utf-8"):
        accord.read(path)


def test_dates_and_lists_in_frames():
    days = pd.DataFrame(
        {"item": [1, 1], "annotator": ["A", "B"], "value": pd.to_datetime(["2020-01-02", None])}
    )
    assert accord.read(days).labels == ("2020-01-02",)
    lists = pd.DataFrame(
        {"item": [1, 1], "annotator": ["A", "B"], "value": [np.array(["a"]), np.array(["b", "c"])]}
    )
    assert accord.read(lists).labels == ("{a}", "{b, c}")


def test_null_and_nan_in_frames_are_missing():
    frame = pd.DataFrame(
        {"item": [1, 1, 2, 2], "annotator": list("ABAB"), "value": [1.0, np.nan, 2.0, 2.0]}
    )
    data = accord.read(frame)
    assert data.n_ratings == 3
    texts = pl.DataFrame(
        {"item": [1, 1, 2], "annotator": ["A", "B", "A"], "value": ["nan", None, "x"]}
    )
    assert accord.read(texts).labels == ("x",)
    assert accord.read(texts, keep_values="nan").labels == ("nan", "x")


def test_quoted_cells_with_newlines_keep_line_numbers(table):
    path = table('item,annotator,value\n"a\nb",A,x\n"a\nb",B,x\nc,A,x\nc,A,y\n')
    with pytest.raises(InputError, match=r":7: .*line 6"):
        accord.read(path)


def test_semicolons_tabs_and_utf16(table):
    body = "item;annotator;value\n1;A;x\n1;B;x\n2;A;y\n2;B;y\n"
    assert accord.read(table(body)).n_items == 2
    assert accord.read(table(body.replace(";", "\t"), "data.tsv")).n_items == 2
    assert accord.read(table(body.encode("utf-16"), "utf16.csv")).n_items == 2
    assert accord.read(table(b"\xef\xbb\xbf" + body.encode(), "bom.csv")).n_items == 2


def test_units_segments_and_chains_are_told_by_their_columns(table):
    units = accord.read(
        table("document,annotator,start,end,label\nd,A,0,5,x\nd,B,1,5,x\n", "u.csv")
    )
    assert units.shape == "units"
    segments = accord.read(table("document,annotator,masses\nd,A,2 3\nd,B,5\n", "s.csv"))
    assert segments.shape == "segments"
    chains = accord.read(
        table("document,annotator,mention,entity\nd,A,m1,e1\nd,A,m2,e1\n", "c.csv")
    )
    assert chains.shape == "chains"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("d,A,5,2,x", "ends before it starts"),
        ("d,A,2,2,x", "length zero"),
        ("d,A,x,2,x", "must be a number"),
        ("d,A,nan,2,x", "must be a number"),
    ],
)
def test_impossible_units(row, words, table):
    with pytest.raises(InputError, match=words) as problem:
        accord.read(table(f"document,annotator,start,end,label\nd,B,0,1,x\n{row}\n"))
    assert problem.value.line == 3


def test_real_corpora(shared):
    data = accord.read(shared / "ratings/convabuse/labels.csv", duplicates="first")
    assert data.n_items == 4185
    interval = accord.agree(data, "alpha", metric="interval")
    assert interval.value == pytest.approx(0.7339, abs=1e-4)
    emobank = accord.read(shared / "ratings/emobank/reader_V.csv")
    assert emobank.n_items == 10548
    assert accord.read(shared / "segments/moonstone_g2/segmentations.csv").shape == "segments"
