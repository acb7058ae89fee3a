"""Nothing is lost in joining and selecting: the halves of a file, read together, are the file."""

import csv
import io
import json
from dataclasses import fields, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.data import Ratings, Segments
from accord.data.join import joined
from accord.errors import InputError
from accord.reading import read_many

#: what the data are, without the parts that speak of files
_APART = {"notes", "roles", "provenance", "_profiles"}


def same(one, other):
    """Every field of two data, compared."""
    assert type(one) is type(other)
    for field in fields(one):
        if field.name in _APART:
            continue
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert np.array_equal(a, b, equal_nan=a.dtype.kind == "f"), field.name
        elif isinstance(a, dict) and a and isinstance(next(iter(a.values())), np.ndarray):
            assert a.keys() == b.keys(), field.name
            assert all(np.array_equal(a[k], b[k]) for k in a), field.name
        else:
            assert list(a) == list(b) if isinstance(a, (list, range)) else a == b, field.name


names = st.sampled_from(["A", "B", "C"])
documents = st.sampled_from(["d1", "d2", "d10"])
words = st.sampled_from(["x", "y", "NA", "1", "1.50", "2,5", "n/a", ""])
rating = st.tuples(st.integers(1, 5), names, words)
unit = st.tuples(documents, names, st.integers(0, 9), st.integers(1, 5), st.sampled_from("xy"))
boundary = st.tuples(documents, names, st.integers(1, 9), st.sampled_from(["part", "line"]))
mention = st.tuples(documents, names, st.integers(0, 30), st.sampled_from("12"))


def tables(header, rows):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def halved(tmp_path, header, rows, cut, **options):
    """Read a table as it is, and cut in two; both fail alike or agree in everything."""
    parts = [rows[:cut], rows[cut:]]
    files = []
    for number, part in enumerate(parts):
        if part:
            files.append(tmp_path / f"half{number}.csv")
            files[-1].write_text(tables(header, part))
    whole = tmp_path / "whole.csv"
    whole.write_text(tables(header, rows))
    try:
        expected = accord.read(whole, **options)
    except InputError:
        with pytest.raises(InputError):
            read_many(files, **options)
        return
    same(read_many(files, **options), expected)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_halves_of_ratings(tmp_path_factory, data):
    rows = data.draw(st.lists(rating, min_size=2, max_size=12))
    policy = data.draw(st.sampled_from(["error", "first", "last", "mode"]))
    rows = [(f"i{i}", a, v, f"d{i % 2}", i % 3 + 1, f"text {i}", f"by {a}") for i, a, v in rows]
    header = ["item", "annotator", "value", "document", "weight", "text", "comment"]
    cut = data.draw(st.integers(0, len(rows)))
    halved(tmp_path_factory.mktemp("r"), header, rows, cut, duplicates=policy)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_halves_of_units(tmp_path_factory, data):
    rows = data.draw(st.lists(unit, min_size=2, max_size=12, unique=True))
    rows = [(d, a, s, s + n, c) for d, a, s, n, c in rows]
    folder = tmp_path_factory.mktemp("u")
    if data.draw(st.booleans()):
        (folder / "documents.csv").write_text("document,length\nd1,20\nd2,30\n")
        (folder / "coverage.csv").write_text("document,annotator\nd1,A\nd2,C\nd11,B\n")
    cut = data.draw(st.integers(0, len(rows)))
    header = ["document", "annotator", "start", "end", "label"]
    declared = data.draw(st.sampled_from([None, ["y", "z", "x"]]))
    halved(folder, header, rows, cut, categories=declared, duplicates="keep")


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_halves_of_segments(tmp_path_factory, data):
    rows = data.draw(st.lists(boundary, min_size=2, max_size=12))
    cut = data.draw(st.integers(0, len(rows)))
    header = ["document", "annotator", "boundary", "type"]
    declared = data.draw(st.sampled_from([None, ["part", "line"]]))
    halved(tmp_path_factory.mktemp("s"), header, rows, cut, length=10, categories=declared)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_halves_of_chains(tmp_path_factory, data):
    rows = data.draw(st.lists(mention, min_size=2, max_size=12))
    cut = data.draw(st.integers(0, len(rows)))
    rows = [(d, a, m, m + 1, e) for d, a, m, e in rows]
    halved(
        tmp_path_factory.mktemp("c"), ["document", "annotator", "start", "end", "entity"], rows, cut
    )


def test_weights_of_two_files_count(tmp_path):
    rows = [(i, a, "xy"[(i * k) % 2], i * i) for i in range(1, 9) for k, a in ((1, "A"), (3, "B"))]
    rows[3] = (2, "B", "y", 4)
    header = ["item", "annotator", "value", "weight"]
    halved(tmp_path, header, rows, 8)
    data = read_many([tmp_path / "half0.csv", tmp_path / "half1.csv"])
    assert data.weights.tolist() == [i * i for i in range(1, 9)]
    frames = [accord.read(pl.read_csv(tmp_path / f"half{n}.csv")) for n in (0, 1)]
    assert joined(frames).weights.tolist() == data.weights.tolist()
    with pytest.raises(InputError, match="an item has the weights 4 and 5"):
        accord.read(pl.DataFrame([(1, "A", "x", 4), (1, "B", "x", 5)], schema=header, orient="row"))


def test_files_that_name_no_annotator_are_one_each_whatever_they_hold(tmp_path):
    (tmp_path / "ann.csv").write_text("item,value\n1,1\n2,2\n")
    (tmp_path / "bob.csv").write_text("item,value\n1,1\n2,odd\n")
    data = read_many([tmp_path / "ann.csv", tmp_path / "bob.csv"])
    assert (data.annotators, data.labels) == (("ann", "bob"), ("1", "2", "odd"))


def test_errors_of_the_second_file_name_it(tmp_path):
    (tmp_path / "a.csv").write_text("item,annotator,value\n1,A,x\n2,A,x\n")
    (tmp_path / "b.csv").write_text("item,annotator,value\n1,B,x\n1,A,y\n")
    with pytest.raises(
        InputError,
        match=r"b\.csv:3: annotator 'A' rates item '1' twice \(first on line 2 of .*a\.csv\)",
    ):
        read_many([tmp_path / "a.csv", tmp_path / "b.csv"])


def test_joining_keeps_counts_of_identical_items():
    one = replace(
        Ratings.from_matrix([list("xy"), list("xx")], annotators=["A", "B"]),
        multiplicity=np.array([2, 1]),
    )
    other = replace(
        Ratings.from_matrix([["y"], ["y"]], annotators=["A", "B"]), multiplicity=np.array([2])
    )
    data = joined([one, other])
    assert data.n_items == 5
    assert data.n_ratings == 10
    whole = Ratings.from_matrix([list("xxyyy"), list("xxxyy")])
    assert accord.agree(data, "alpha").value == accord.agree(whole, "alpha").value


def test_lazy_frames_are_joined_as_collected_ones():
    frames = [
        pl.DataFrame({"item": items, "A": list(a), "B": list(b)})
        for items, a, b in (([1, 2, 3], "xxy", "xxx"), ([4, 5], "yy", "yy"))
    ]
    lazy, eager = (
        joined([accord.read(read(f), wide=True) for f in frames])
        for read in (pl.DataFrame.lazy, pl.DataFrame.clone)
    )
    assert (lazy.n_items, lazy.n_ratings) == (eager.n_items, eager.n_ratings) == (5, 10)
    assert accord.agree(lazy, "alpha").value == accord.agree(eager, "alpha").value
    turned = frames[0].with_columns(A=pl.Series(["y", "x", "x"]))
    both = [accord.read(frame.lazy(), wide=True) for frame in (frames[0], turned)]
    with pytest.raises(InputError, match="annotator 'A' rates item '1' twice"):
        joined(both)


def test_joining_keeps_repeats_and_types_of_boundaries(tmp_path):
    rows = "item,annotator,value\n1,{0},x\n1,{0},y\n1,{0},y\n2,{0},x\n2,{0},y\n"
    parts = []
    for who in "AB":
        path = tmp_path / f"{who}.csv"
        path.write_text(rows.format(who))
        parts.append(accord.read(path, duplicates="mode"))
    data = joined(parts)
    assert data.repeats == ((0, 0, (0, 1, 1)), (0, 1, (0, 1, 1)), (1, 0, (0, 1)), (1, 1, (0, 1)))
    cuts = [
        Segments.from_boundaries(
            [("d", who, 2, "part"), ("d", who, 4, "line")],
            lengths={"d": 6},
            categories=["part", "line"],
        )
        for who in "AB"
    ]
    whole = joined(cuts)
    assert whole.categories == ("part", "line")
    assert [t.tolist() for t in whole.types.values()] == [[0, 1], [0, 1]]
    with pytest.raises(InputError, match="in two files"):
        joined([cuts[0], cuts[0]])


SHAPES = {
    "ratings": lambda: Ratings.from_matrix([["x", "y"], ["x", "x"]], annotators=["A", "B"]),
    "units": lambda: accord.Units.from_rows([("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "y")]),
    "segments": lambda: Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [5])]),
    "chains": lambda: accord.Chains.from_clusters({("d", "A"): [["a", "b"]], ("d", "B"): [["a"]]}),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_selecting_nobody_keeps_nobody(shape):
    data = SHAPES[shape]()
    nobody = data.select(annotators=[])
    assert nobody.annotators == ()
    assert data.select(annotators=["B"]).annotators == ("B",)
    if shape != "ratings":
        assert data.select(documents=[]).documents == ()
    with pytest.raises(InputError, match="is named twice"):
        data.select(annotators=["A", "A"])
    with pytest.raises(InputError, match="unknown annotator 'C'"):
        data.select(annotators=["C"])


def test_selecting_documents_of_ratings_leaves_the_others(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("item,annotator,value,document\n1,A,x,d1\n2,A,y,d2\n3,A,x,d1\n")
    kept = accord.read(path).select(documents=["d1"])
    assert (kept.documents, kept.document.tolist(), list(kept.items)) == (
        ("d1",),
        [0, 0],
        ["1", "3"],
    )


def test_chains_of_two_files_keep_words_and_coverage(tmp_path):
    for name, clusters in (("a", [[[0, 1], [2, 3]]]), ("b", [])):
        (tmp_path / f"{name}.json").write_text(json.dumps({"documents": {"d": {name: clusters}}}))
    data = read_many([tmp_path / "a.json", tmp_path / "b.json"])
    assert data.annotators == ("a", "b")
    assert data.coverage == {(0, 0), (0, 1)}
