"""Who is an annotator, and which way a table lies: asked, likely and sure, at the three doors."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord
from accord.data.reading import OpenQuestionError
from accord.data.roles import is_reference, reference_of
from accord.errors import InputError, UsageError, in_command
from tests.in_process import run

RNG = np.random.default_rng(7)
TRUTH = RNG.choice(list("ABC"), 20)


def rated(seed):
    rng = np.random.default_rng(seed)
    return [str(t) if rng.random() < 0.75 else str(rng.choice(list("ABC"))) for t in TRUTH]


PEOPLE = {"ana": rated(1), "ben": rated(2), "cy": rated(3)}
NUMBERS = {name: [ord(v) - 64 for v in cells] for name, cells in PEOPLE.items()}
ITEMS = [f"t{i}" for i in range(1, 21)]
LONG = {
    "item": [i for i in ITEMS for _ in PEOPLE],
    "annotator": list(PEOPLE) * 20,
    "value": [PEOPLE[p][k] for k in range(20) for p in PEOPLE],
}
ALPHA = accord.agree(LONG, "alpha").value


@pytest.fixture
def typed(tmp_path, monkeypatch):
    """Write a table and type a command about it: the exit code, and all that is printed."""
    monkeypatch.chdir(tmp_path)

    def answer(columns, *words):
        pd.DataFrame(columns).to_csv("t.csv", index=False)
        code, printed, told, _ = run(" ".join(["accord agree t.csv", *words]))
        return code, " ".join(f"{printed} {told}".split())

    return answer


def assumed(data):
    return [d.taken.means for d in data.reading.provenance.decisions]


def value(given, **options):
    return accord.agree(given, "alpha", **options).value


# --- long, under names that are not known ----------------------------------------------------------


def test_a_column_that_tells_the_rows_of_an_item_apart_may_be_who_rated(typed):
    named = {"item": LONG["item"], "ann": LONG["annotator"], "label": LONG["value"]}
    code, told = typed(named)
    assert code == 2
    assert "columns={'annotator': 'ann'} if 'ann' says who rated" in told
    assert accord.agree(named, "alpha", columns={"annotator": "ann"}).value == ALPHA


def test_two_people_who_answer_alike_are_not_one_rating():
    alike = {"item": [1, 1, 2, 2, 3, 3], "ann": ["p", "q"] * 3, "label": list("aabbcc")}
    with pytest.raises(OpenQuestionError, match="'ann' tells apart"):
        accord.read(alike)


def test_ids_of_rows_are_nobody():
    ids = {"item": [1, 1, 2, 2], "row": [1, 2, 3, 4], "label": list("aabb")}
    assert accord.read(ids).annotators == ("annotator",)


# --- wide ------------------------------------------------------------------------------------------


def test_columns_of_the_same_values_are_people(typed):
    wide = {"item": ITEMS, **PEOPLE}
    data = accord.read(wide)
    assert data.annotators == ("ana", "ben", "cy")
    assert assumed(data) == ["each column is an annotator"]
    assert value(data) == ALPHA
    code, shown = typed(wide)
    assert code == 0
    assert "3 annotators: ana, ben, cy" in shown
    assert "assumed: each column is an annotator (otherwise --long)" in shown
    assert value(pl.DataFrame(wide).lazy()) == pytest.approx(ALPHA)
    # what is said is not assumed
    assert assumed(accord.read(wide, wide=True)) == []
    code, shown = typed(wide, "--long")
    assert code == 2
    assert "are not recognised" in shown


@pytest.mark.parametrize(
    "columns",
    [
        {"item": ["a", "a", "b", "b"], "who": list("xyxy"), "grade": list("1212")},
        {"item": list("abcd"), "annotator": list("xyxy"), "first": [1, 2, 1, 1], "second": [1, 2, 1, 2]},
        {"video": list("aabb"), "start": [1, 2, 1, 2], "length": [1, 2, 2, 1], "x": list("pqpq")},
        {"item": list("abc"), "note by ana": ["one", "two", "three"], "note by ben": list("xyz")},
    ],
)  # fmt: skip
def test_other_tables_are_not_guessed_to_be_wide(columns):
    with pytest.raises(InputError, match="are not recognised"):
        accord.read(columns)


def test_long_tables_stay_long():
    coder = {"item": [1, 1, 2, 2], "coder": [1, 2, 1, 2], "grade": [1, 2, 1, 1]}
    with pytest.raises(InputError):
        accord.read({k: v for k, v in coder.items() if k != "coder"})
    data = accord.read(coder, columns={"value": "grade"})
    assert data.annotators == ("1", "2")
    assert assumed(accord.read(LONG)) == []


def test_what_may_be_wide_or_long_is_asked(typed):
    crossed = {"nr": [1, 1, 2, 2, 3, 3], "person": [1, 2] * 3, "grade": [1, 2, 2, 2, 3, 3]}
    with pytest.raises(OpenQuestionError, match=r"wide=True if .*columns={'item': 'nr'") as asked:
        accord.read(crossed)
    shown = in_command(asked.value.sentence)
    assert "--column item=nr --column annotator=person --column value=grade" in shown
    assert typed(crossed)[0] == 2
    roles = {"item": "nr", "annotator": "person", "value": "grade"}
    assert accord.read(crossed, columns=roles).annotators == ("1", "2")
    assert accord.read(crossed, wide=True).annotators == ("grade", "nr", "person")


def test_a_second_column_of_the_same_labels_is_asked_about():
    table = {"item": ITEMS, "label": PEOPLE["ana"], "label2": PEOPLE["ben"]}
    with pytest.raises(OpenQuestionError, match=r"wide=True if .*wide=False if 'label' alone"):
        accord.score({"item": ITEMS, "value": list(map(str, TRUTH))}, table)
    assert accord.read(table, wide=True).annotators == ("label", "label2")
    assert accord.read(table, wide=False).n_ratings == 20
    assert accord.read(table, columns={"value": "label"}).n_ratings == 20
    beside = {"item": ITEMS, "label": PEOPLE["ana"], "domain": ["law", "med"] * 10}
    assert accord.read(beside).n_ratings == 20


def test_the_first_names_that_are_all_different_are_the_items():
    frame = {"Frage": ITEMS, **PEOPLE}
    data = accord.read(frame)
    assert list(data.items) == ITEMS
    assert "'Frage' names the items" in assumed(data)
    assert list(accord.read(frame, columns={"item": ""}).items) == list(range(1, 21))
    assert list(accord.read({"text": ITEMS, **PEOPLE}).items) == ITEMS
    assert list(accord.read({"file": ITEMS, **PEOPLE}).items) == ITEMS


def test_rows_of_people_are_told_by_their_name(typed):
    for name in ("annotator", "Coder", "annotateur", "rater"):
        turned = {
            name: list(PEOPLE),
            **{t: [c[k] for c in PEOPLE.values()] for k, t in enumerate(ITEMS)},
        }
        data = accord.read(turned)
        assert data.annotators == ("ana", "ben", "cy")
        assert list(data.items) == ITEMS
        assert assumed(data) == ["rows are people"]
        assert value(data) == ALPHA
    code, shown = typed(turned)
    assert code == 0
    assert "assumed: rows are people (otherwise --rows items)" in shown
    items = accord.read(turned, rows="items")
    assert (len(items.annotators), items.n_items) == (20, 3)
    unnamed = {"x": list(PEOPLE), **{t: turned[t] for t in ITEMS}}
    with pytest.raises(OpenQuestionError, match=r"rows='items' if .*rows='annotators' if"):
        accord.read(unnamed)
    assert value(unnamed, rows="annotators") == ALPHA
    assert value(pl.DataFrame(turned).lazy()) == ALPHA


# --- what was computed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "way", "why"),
    [
        ("total", sum, "the sum of the others"),
        ("x", sum, "the sum of the others"),
        ("Mean", lambda row: sum(row) / 3, "the mean of the others"),
        ("y", lambda row: round(sum(row) / 3, 2), "the mean of the others"),
        ("Moyenne", lambda row: sum(row) * 10, "called like a sum or mean, with other numbers"),
    ],
)
def test_a_column_that_was_computed_is_left_out(name, way, why, typed):
    wide = {"item": ITEMS, **NUMBERS}
    right = value(wide)
    wide[name] = [way(row) for row in zip(*NUMBERS.values(), strict=True)]
    data = accord.read(wide)
    assert data.annotators == ("ana", "ben", "cy")
    (gone,) = data.reading.left_out
    assert (gone.what, gone.why) == (f"column {name!r}", why)
    assert value(data) == right
    code, shown = typed(wide)
    assert code == 0
    assert f"(kept by --annotators ana,ben,cy,{name})" in shown
    kept = accord.read(wide, annotators=["ana", "ben", "cy", name])
    assert set(kept.annotators) == {"ana", "ben", "cy", name}


def test_people_who_agree_are_not_computed():
    same = {"item": ITEMS, "a": NUMBERS["ana"], "b": NUMBERS["ana"], "c": NUMBERS["ana"]}
    assert len(accord.read(same).annotators) == 3
    between = {"item": list("pqrs"), "a": [1, 2, 3, 1], "b": [3, 2, 3, 1], "c": [2, 2, 3, 1]}
    assert len(accord.read(between).annotators) == 3
    # "mean" is also what somebody may be called
    words = {"item": ITEMS, "ana": PEOPLE["ana"], "mean": PEOPLE["ben"]}
    assert accord.read(words).annotators == ("ana", "mean")


@pytest.mark.parametrize(("name", "way"), [("Total", sum), ("Moyenne", np.mean), ("z", np.mean)])
def test_a_last_row_that_was_computed_is_no_item(name, way, typed):
    wide = {"item": [f"i{k}" for k in range(6)], **{p: c[:6] for p, c in NUMBERS.items()}}
    right = value(wide)
    more = {n: [*c, name if n == "item" else round(way(c), 2)] for n, c in wide.items()}
    data = accord.read(more)
    assert data.n_items == 6
    assert value(data) == right
    code, shown = typed(more)
    assert code == 0
    assert f"left out: row {name!r}" in shown
    assert f"(kept by --items i0,i1,i2,i3,i4,i5,{name})" in shown
    assert accord.read(more, items=more["item"]).n_items == 7
    assert accord.read(more, items="*").n_items == 7
    if name == "Total":
        lazy = accord.read(pl.DataFrame(more).lazy())
        assert accord.agree(lazy, "alpha").value == pytest.approx(right)


def test_a_word_that_means_total_may_be_an_item():
    words = {"word": ["apple", "sum", "mean"], "ana": list("xyx"), "ben": list("xyy")}
    assert accord.read(words, columns={"item": "word"}).n_items == 3


def test_items_are_chosen(typed):
    for table in (LONG, {"item": ITEMS, **PEOPLE}):
        some = accord.read(table, items=["t3", "t7", "t9"])
        assert list(some.items) == ["t3", "t7", "t9"]
        result = accord.agree(some, "percent")
        assert "|items:t3,t7,t9|" in result.signature
        with pytest.raises(InputError, match=r"unknown item 't77'.*did you mean 't7"):
            accord.read(table, items="t77")
        lazy = accord.read(pl.DataFrame(table).lazy(), items=["t3", "t7", "t9"])
        assert accord.agree(lazy, "percent").value == result.value
        with pytest.raises(InputError, match="unknown item 'q'"):
            accord.read(pl.DataFrame(table).lazy(), items=["t3", "q"])
    code, shown = typed(LONG, "--items", "t3,t7")
    assert code == 0
    assert "2 items, 6 ratings" in shown
    with pytest.raises(UsageError, match="items is for ratings"):
        accord.read({"annotator": ["A"], "start": [0], "end": [4]}, items="x")


# --- the reference ---------------------------------------------------------------------------------


def test_names_of_references_are_folded():
    named = ("gold", "Gold_Label", "Référence", "reference_label", "ground_truth_label", "True label",
             "GROUND TRUTH", "adjudicated", "Curation_User", "gold-standard")  # fmt: skip
    assert all(map(is_reference, named))
    assert not any(map(is_reference, ("Goldie", "Marigold", "ana", "truthful", "label", "reefer")))


@pytest.mark.parametrize("name", ["Gold_Label", "Référence", "ground_truth_label"])
def test_a_reference_is_set_aside_wide_and_long(name, typed):
    wide = {"item": ITEMS, "ana": PEOPLE["ana"], "ben": PEOPLE["ben"], name: list(map(str, TRUTH))}
    long = {
        "item": [i for i in ITEMS for _ in range(3)],
        "annotator": ["ana", "ben", name] * 20,
        "value": [wide[p][k] for k in range(20) for p in ("ana", "ben", name)],
    }
    for table in (wide, long):
        data = accord.read(table)
        assert data.annotators == ("ana", "ben")
        assert [p.role for p in data.reading.people] == ["annotator", "annotator", "reference"]
        assert reference_of(data).annotators == (name,)
        code, shown = typed(table)
        assert code == 0
        assert f"reference: {name}" in shown
        assert f"{name!r} is the reference (otherwise --curation include)" in shown
    assert reference_of(accord.read(wide, annotators="ana,ben")).annotators == (name,)
    assert name in accord.read(wide, curation="include").annotators


# --- who shares nothing ----------------------------------------------------------------------------


@pytest.mark.parametrize("cells", [[v.lower() + "x" for v in PEOPLE["cy"]], ["law", "med"] * 10])
def test_a_column_with_labels_of_its_own_is_asked_about(cells, typed):
    wide = {"item": ITEMS, "ana": PEOPLE["ana"], "ben": PEOPLE["ben"], "zed": cells}
    assert typed(wide)[0] == 2
    with pytest.raises(OpenQuestionError) as asked:
        accord.read(wide)
    shown = in_command(asked.value.sentence)
    assert "column 'zed' shares no value with the others; --annotators ana,ben,zed if" in shown
    assert "--annotators ana,ben if it is none" in shown
    with pytest.raises(OpenQuestionError, match="annotators='ana,ben' if it is none"):
        accord.agree(pl.DataFrame(wide).lazy())
    assert accord.read(wide, annotators="ana,ben,zed").annotators == ("ana", "ben", "zed")
    assert accord.read(wide, annotators="ana,ben").extras == {"zed": cells}


def test_its_name_may_say_that_it_is_an_annotator():
    cells = [v.lower() for v in PEOPLE["cy"]]
    for names in (("r1", "r2", "r3"), ("ana", "ben", "coder 3"), ("ana", "ben", "rater_c")):
        wide = dict(
            zip(("item", *names), (ITEMS, PEOPLE["ana"], PEOPLE["ben"], cells), strict=True)
        )
        data = accord.read(wide)
        assert len(data.annotators) == 3
        assert f"{names[2]!r} is an annotator" in assumed(data)


def test_texts_and_remarks_are_left_out_by_name(typed):
    wide = {"item": ITEMS, **PEOPLE, "comment": ["A", ""] * 10, "nr": list(range(20))}
    code, shown = typed(wide)
    assert code == 0
    assert "left out: columns 'comment', 'nr', texts, numbers of rows, or empty" in shown
    assert accord.read(wide).extras["comment"][:2] == ["A", None]


# --- frames with an index --------------------------------------------------------------------------


def test_the_index_of_a_pivoted_frame_names_the_items():
    long = pd.DataFrame(LONG)
    wide = long.pivot(index="item", columns="annotator", values="value")
    data = accord.read(wide)
    assert {str(i) for i in data.items} == set(ITEMS)
    assert value(data) == ALPHA
    for index in ("item", "phrase", None):
        found = accord.read(wide.rename_axis(index))
        assert list(found.items) == list(wide.index)
    truth = pd.DataFrame({"value": list(map(str, TRUTH))}, index=ITEMS)
    answers = pd.DataFrame({"value": rated(9)}, index=ITEMS)
    right = accord.score(list(truth["value"]), list(answers["value"])).value
    assert accord.score(truth, answers.sample(frac=1, random_state=1)).value == right
    assert (
        accord.score(truth["value"], answers["value"].sample(frac=1, random_state=1)).value == right
    )
    assert value(long.set_index(["item", "annotator"])) == ALPHA
    # what filtering leaves of an index names nothing
    assert value(long[long.index > 2]) == value(long[long.index > 2].reset_index(drop=True))


def test_an_index_of_two_levels_has_documents_and_items():
    index = pd.MultiIndex.from_tuples([(f"d{k // 5}", t) for k, t in enumerate(ITEMS)])
    data = accord.read(pd.DataFrame(PEOPLE, index=index))
    assert list(data.items) == ITEMS
    assert data.documents == ("d0", "d1", "d2", "d3")


# --- arrays and lists ------------------------------------------------------------------------------


def test_what_the_rows_of_an_array_are_is_asked():
    people = list(PEOPLE.values())
    for given in (people, np.array(people), np.array(people).T, tuple(map(tuple, people))):
        with pytest.raises(OpenQuestionError, match=r"orientation='items' if .*'annotators' if"):
            accord.agree(given)
    assert value(people, orientation="annotators") == ALPHA
    assert value(np.array(people).T, orientation="items") == ALPHA
    assert accord.gold(people, orientation="annotators").confidence.shape == (20,)
    votes = [[[c[k] for c in people].count(v) for v in "ABC"] for k in range(20)]
    assert value(votes, counts=True) == pytest.approx(ALPHA)
    counted = accord.read(votes, counts=True, categories="A,B,C")
    assert set(counted.labels) == set("ABC")
    with pytest.raises(InputError, match="different lengths"):
        accord.agree([["a"], ["a", "b"]])
    # one row, or one column, is one person
    assert accord.read([["a"], ["b"], ["a"]]).n_items == 3


def test_a_matrix_of_more_rows_than_columns_is_asked_about():
    assert accord.Ratings.from_matrix([["a", "b"], ["a", "a"]]).annotators == ("A1", "A2")
    tall = [["a", "b"], ["a", "a"], ["b", "b"]]
    with pytest.raises(OpenQuestionError, match="3 × 2 values does not say"):
        accord.Ratings.from_matrix(tall)
    assert accord.Ratings.from_matrix(tall, orientation="items").n_items == 3
    assert len(accord.Ratings.from_matrix(tall, orientation="annotators").annotators) == 3
    assert accord.Ratings.from_matrix(tall, annotators=list("xyz")).n_items == 2
    with pytest.raises(UsageError, match="orientation must be items or annotators"):
        accord.Ratings.from_matrix(tall, orientation="rows")


def test_a_mapping_is_a_table_or_probabilities():
    soft = {"x": [0.6, 0.1], "y": [0.4, 0.9]}
    assert accord.read(soft).probabilities is not None
    assert accord.read([{"x": 0.6, "y": 0.4}, {"x": 1.0}]).labels == ("x", "y")
    assert accord.read({"ana": [1, 2, 1], "ben": [1, 2, 2]}).annotators == ("ana", "ben")
    either = {"x": [1, 0, 0], "y": [0, 1, 1]}
    with pytest.raises(OpenQuestionError, match=r"wide=True if .*wide=False if"):
        accord.read(either)
    assert accord.read(either, wide=True).annotators == ("x", "y")
    assert accord.read(either, wide=False).annotators == ("A",)
    rows = [dict(zip(LONG, row, strict=True)) for row in zip(*LONG.values(), strict=True)]
    assert value(rows) == ALPHA
    units = [{"annotator": a, "start": 0, "end": 4, "label": "x"} for a in "AB"]
    assert accord.read(units).shape == "units"


def test_options_of_reading_are_taken_where_data_are_read():
    with pytest.raises(UsageError, match="orientation"):
        accord.agree(accord.read(LONG), orientation="items")
    assert accord.agree(LONG, "percent", without="cy").n == 20
    sides = (dict(zip(("item", "value"), (ITEMS, PEOPLE[p]), strict=True)) for p in ("ana", "ben"))
    assert accord.score(*sides, recode={"A": "B"}).value >= 0.5


def test_the_header_and_the_choice_agree_on_two_numbers(typed):
    two = {"item": ITEMS, **{p: [min(v, 2) for v in c] for p, c in NUMBERS.items()}}
    code, shown = typed(two, "--verbose")
    assert code == 0
    assert "numbers from 1 to 2" in shown
    assert "names without order" not in shown
    assert "two values are as far apart under any metric" in shown


def test_json_tells_what_was_assumed_and_left_out(tmp_path):
    path = tmp_path / "t.csv"
    total = [sum(row) for row in zip(*NUMBERS.values(), strict=True)]
    pd.DataFrame({"item": ITEMS, **NUMBERS, "total": total}).to_csv(path, index=False)
    _, printed, _, _ = run(f"accord agree {path} --json")
    reading = json.loads(printed)["reading"]
    assert [a["otherwise"] for a in reading["assumed"]] == ["--long"]
    assert [x["keep_with"] for x in reading["left_out"]] == ["--annotators ana,ben,cy,total"]
    assert reading["unused_columns"] == [{"name": "total", "looks_like": ""}]


@pytest.mark.parametrize("name", ["Notes", "note", "Notiz", "Observaciones", "osservazioni"])
def test_a_column_called_like_remarks_is_one_where_its_texts_hardly_repeat(name):
    people = {"ana": list("xyxxyy"), "ben": list("xyyxyx")}
    remarks = [None, "unclear", None, "see page two", None, None]
    data = accord.read({"item": list(range(6)), **people, name: remarks})
    assert data.annotators == ("ana", "ben")
    (left,) = data.reading.left_out
    assert (left.what, left.why) == (f"column {name!r}", "called like a text or remark")
    grades = accord.read({"item": list(range(6)), **people, name: list("xyxyxx")})
    assert set(grades.annotators) == {"ana", "ben", name}
