"""Tables read from their bytes, against the standard library's reader."""

import csv
import io

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import accord
from accord.data.encode import encode, encode_sorted
from accord.data.located import canonical_order
from accord.data.values import is_number
from accord.errors import InputError
from accord.formats.tables.cells import cut

words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters='",\r\n\0')
    | st.sampled_from("ab01"),
    max_size=20,
)
long_words = st.text("ab", min_size=60, max_size=70)
few = st.sampled_from(["", "a", "b", "aaaaaaaa", "aaaaaaaab", "é" * 12, "é" * 12 + "a"])


@given(st.lists(st.tuples(words | long_words, few), max_size=40), st.integers(0, 2))
@example([("", "")], 0)
@settings(max_examples=200, deadline=None)
def test_columns_are_those_of_the_csv_module(rows, newlines):
    text = "\n".join(["x,y", *(",".join(r) for r in rows)]) + "\n" * newlines
    found = cut(text, ",", 2)
    expected = list(csv.reader(io.StringIO(text, newline="")))[1:]
    expected = [r for r in expected if r]
    for j, column in enumerate(found):
        values = [row[j].strip() or None for row in expected]
        assert list(column) == values
        assert len(column) == len(values)
        assert [column[i] for i in range(len(values))] == values
        codes, names = encode(column)
        plain_codes, plain_names = encode(values)
        assert (codes.tolist(), names) == (plain_codes.tolist(), plain_names)


def test_runs_and_many_distinct_values():
    values = [f"document-{i // 50:05d}" for i in range(9000)] + [f"{i}x" for i in range(9000)]
    (column,) = cut("x\n" + "\n".join(values), ",", 1)
    assert list(column) == values
    assert encode(column)[1] == list(dict.fromkeys(values))


numerals = st.one_of(
    st.integers(0, 10**9).map(str),
    st.floats(allow_nan=False).map(str),
    st.sampled_from(["0", "00", "007", "-3", "+3", " 7 ", "1e3", "12345678", "123456789", "1a", "/", ":",
                     "", "nan", "12345:78"]),
)  # fmt: skip


@given(st.lists(numerals | st.integers(0, 99_999_999).map(str), min_size=1, max_size=6))
@settings(max_examples=300, deadline=None)
def test_numbers_are_those_that_python_reads(texts):
    _, column = cut("x,y\n" + "".join(f"k,{t}\n" for t in texts), ",", 2)
    found = column.numbers()
    if all(is_number(t.strip()) for t in texts):
        assert found.tolist() == [float(t) for t in texts]
    else:
        assert found is None


@pytest.mark.parametrize(
    "text", ["x,y\n1\n", "x,y\n1,2,3\n", "x,y\n1,2\n3\n4,5,6\n", "x,y\n\0,1\n"]
)
def test_what_needs_a_closer_look(text):
    assert cut(text, ",", 2) is None


HEAD = "document,annotator,start,end,label\n"


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["d,A,0,4,x", "", "d,B,1,4"], ":4: has 4 cells where the header has 5"),
        (["d,A,0,4,x", "", "d,B,one,4,x"], ":4: the start must be a number, got 'one'"),
        (["d,A,0,4,x", "d,B,,4,x"], ":3: the start must be a number, got None"),
        (["d,A,0,4,x", "d,B,1,007,x"], ":3: the end must be a number, got '007'"),
        (["d,A,0,4,x", "d,,1,4,x"], ":3: the annotator is empty"),
        (["d,A,0,4,x", "d,B,5,4,"], ":3: the unit [5.0, 4.0) (no label) of annotator 'B' in document"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_errors_name_the_line(rows, says, newline, tmp_path):
    path = tmp_path / "units.csv"
    path.write_bytes((HEAD + "\n".join(rows) + "\n").replace("\n", newline).encode())
    with pytest.raises(InputError) as caught:
        accord.read(path)
    assert f"units.csv{says}" in str(caught.value)


@pytest.mark.parametrize("text", ["\n" + HEAD + "d,A,0,4,x\n", '\r\n"d",A\r\n'])
def test_a_header_is_needed(text, tmp_path):
    path = tmp_path / "units.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=r"units.csv:1: begins with a blank line; begin with"):
        accord.read(path, format="csv")


def test_quoted_and_plain_tables_read_alike(tmp_path):
    rows = [f"d{i % 7},A{i % 3},{i},{i + 5},l{i % 4 or ''}" for i in range(500)]
    (tmp_path / "a.csv").write_text(HEAD + "\n".join(rows))
    (tmp_path / "b.csv").write_text(HEAD + "\n".join(f'"{r[:2]}"{r[2:]}' for r in rows) + "\r\n")
    one, other = accord.read(tmp_path / "a.csv"), accord.read(tmp_path / "b.csv")
    assert list(one) == list(other)
    assert (one.documents, one.annotators, one.categories) == (
        other.documents,
        other.annotators,
        other.categories,
    )


@given(
    st.lists(
        st.tuples(*[st.integers(-1, 3)] * 2, st.sampled_from([0.5, 1.0, 7e9, 70_000.0, 3.0])),
        max_size=30,
    )
)
def test_canonical_order(rows):
    columns = [np.array([r[j] for r in rows]) for j in range(3)]
    assert canonical_order(columns).tolist() == np.lexsort(columns[::-1]).tolist()
    ordered = [c[np.lexsort(columns[::-1])] for c in columns]
    assert canonical_order(ordered).tolist() == list(range(len(rows)))


def test_names_that_do_not_occur_are_numbered_too():
    codes, names = encode_sorted(["b", "b"], ["c", "a", "b"])
    assert (codes.tolist(), names) == ([1, 1], ["a", "b", "c"])


@pytest.mark.parametrize("cell", ["\x1c.5", "e999", "+e5", "-.e5"])
def test_cells_that_only_look_like_numbers(tmp_path, cell):
    """White space that strip() knows and float() does not; exponents of nothing."""
    path = tmp_path / "u.csv"
    path.write_text(f"document,annotator,start,end,label\nd,A,{cell},4,x\n", encoding="utf-8")
    if cell.endswith(".5"):
        assert accord.read(path).start.tolist() == [0.5]
    else:
        with pytest.raises(InputError, match=r"u\.csv:2: the start must be a number"):
            accord.read(path)


def test_comment_lines_above_the_header_are_told_of(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("# exported in May\nitem,annotator,value\n1,A,x\n1,B,x\n")
    with pytest.raises(InputError, match=r"ratings.csv:2: has 3 cells .* delete the lines above"):
        accord.read(path)
