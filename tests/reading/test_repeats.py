"""What the same annotator says twice: once in the value where it is the same, else a question."""

import json

import polars as pl
import pytest

import accord
from accord.data import Units
from accord.data.join import joined
from accord.data.tables import ratings_from_long
from accord.errors import InputError
from tests.in_process import run

LONG = "item,annotator,value\n1,ana,x\n1,ben,x\n2,ana,y\n2,ben,x\n3,ana,y\n3,ben,y\n"
UNITS = "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\nd,A,6,9,y\n"


def typed(*words):
    """What the command printed; it must not have been refused."""
    code, printed, told, _ = run(" ".join(map(str, ("accord", *words))))
    assert code == 0, told
    return printed


@pytest.fixture
def written(tmp_path):
    def write(text, name="r.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_the_same_rating_twice_counts_once_and_is_said(written):
    path = written(LONG + "2,ana,y\n2,ana,y\n")
    data = accord.read(path)
    assert (data.n_ratings, data.repeats) == (6, ((1, 0, (1, 1, 1)),))
    assert [(x.what, x.n) for x in data.reading.left_out] == [("2 repeated ratings", 2)]
    assert accord.agree(data).value == accord.agree(accord.read(written(LONG, "one.csv"))).value
    assert "left out: 2 repeated ratings, the same again" in typed("agree", path)
    found = json.loads(typed("agree", path, "--json"))
    assert found["reading"]["left_out"][0]["n"] == 2
    assert "ana            1" in typed("agree", path, "--by", "repeats")


def test_ratings_that_differ_are_refused_also_after_one_that_is_the_same(written):
    path = written(LONG + "2,ana,y\n3,ben,x\n")
    with pytest.raises(
        InputError, match=r"'ben' rates item '3' twice \(first on line 7\)"
    ) as found:
        accord.read(path)
    assert all(f"`duplicates={how}`" in found.value.hint for how in ("first", "last", "mode"))
    assert accord.read(path, duplicates="last").n_ratings == 6


def test_distributions_that_differ_are_no_repeats(written):
    head = "item,annotator,p:x,p:y\n1,ana,0.6,0.4\n"
    assert accord.read(written(head + "1,ana,0.6,0.4\n")).n_ratings == 1
    with pytest.raises(InputError, match="twice"):
        accord.read(written(head + "1,ana,0.7,0.3\n"))


def test_a_row_of_a_wide_table_twice(written):
    rows = "item,ana,ben\n1,x,x\n2,y,x\n1,x,{}\n"
    data = accord.read(written(rows.format("x")), wide=True)
    assert (data.n_items, data.n_ratings) == (2, 4)
    assert data.reading.left_out[0].what == "2 repeated ratings"
    with pytest.raises(InputError, match=r"r\.csv:4: annotator 'ben' rates item '1' twice"):
        accord.read(written(rows.format("y")), wide=True)


def test_lazy_frames_count_repeats_once_as_others_do(written):
    frame = pl.read_csv(written(LONG + "2,ana,y\n"))
    for one in (frame, frame.lazy()):
        data = accord.read(one)
        assert data.n_ratings == 6
        assert data.reading.left_out[0].what == "1 repeated rating"


def test_joined_data_count_repeats_once():
    parts = [ratings_from_long([1, 2], [who] * 2, ["x", "y"]) for who in "AAB"]
    whole = joined(parts)
    assert (whole.n_ratings, len(whole.repeats)) == (4, 2)
    assert whole.reading.left_out[0].what == "2 repeated ratings"


def test_a_person_may_say_the_same_twice_beside_a_judge(written):
    people = ((2, "Ann"), (3, "gpt"))
    rows = [f"i{i},{who},{'yes' if i % k else 'no'}" for i in range(40) for k, who in people]
    path = written("\n".join(["item,annotator,value", *rows, "i1,Ann,yes", ""]))
    assert "gpt" in typed("judge", path, "--judge", "gpt", "--resamples", 20)


def test_the_same_unit_twice_counts_once_unless_it_is_kept(written):
    path = written(UNITS + "d,A,0,4,x\n")
    data = accord.read(path)
    assert len(data) == 3
    assert data.reading.left_out[0].keep == ("duplicates", "keep")
    assert len(accord.read(path, duplicates="keep")) == 4
    head = "left out: 1 repeated unit, the same again (kept by --duplicates keep)"
    assert head in typed("agree", path, "--measure", "pairwise-f1", "--ci", "none")
    once = Units.from_rows([("d", "A", 0, 4, "x")] * 2, duplicates="error")
    assert len(once) == 1
    assert once.reading.left_out
