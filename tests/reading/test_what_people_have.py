"""What people have is what functions take: each row is a call, and the number or the sentence it gives.

Numbers are compared with those of the same annotations in a long table, which other tests check.
"""

from __future__ import annotations

from collections import namedtuple
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import accord
from accord.data.reading import OpenQuestionError as Asked
from accord.errors import AccordError, InputError, UsageError

ITEMS = [f"it{i}" for i in range(12)]
GOLD = np.array(list("abcabcabcabc"))
ANA, BEA, CAL = (np.array(list(v)) for v in ("abcabcabcaaa", "abcabaabcabc", "bbcabcaacabb"))
GPT = np.array(list("abcaccabcbbc"))
LONG = pd.DataFrame(
    [(i, w, v) for w, own in zip("ABC", (ANA, BEA, CAL), strict=True)
     for i, v in zip(ITEMS, own, strict=True)],
    columns=["item", "annotator", "value"],
)  # fmt: skip
WIDE = pd.DataFrame({"item": ITEMS, "A": ANA, "B": BEA, "C": CAL})
GRID = np.array([ANA, BEA, CAL])
COUNTS = np.array([[(row == c).sum() for c in "abc"] for row in GRID.T])
FOUR = pd.concat([LONG, pd.DataFrame({"item": ITEMS, "annotator": "gpt", "value": GPT})])
KEY = pd.DataFrame({"item": ITEMS, "value": GOLD})
SYSTEM = pd.DataFrame({"item": ITEMS, "value": GPT})
BOTH = pd.DataFrame({"item": ITEMS, "gold": GOLD, "gpt": GPT})
A, B = pd.Series(ANA, ITEMS, name="A"), pd.Series(BEA, ITEMS, name="B")
Row = namedtuple("Row", "item annotator value")

ALPHA = accord.agree(accord.read(LONG), "alpha").value
OF_TWO = accord.agree(accord.read(LONG, annotators=["A", "B"]), "alpha").value
KAPPA = accord.agree(accord.read(LONG, annotators=["A", "B"]), "kappa").value
RIGHT = float(np.mean(GOLD == GPT))


def agreed(*given, **told):
    return accord.agree(*given, **told).value


def scored(*given, **told):
    return accord.score(*given, **told).value


def shuffled(frame):
    return frame.sample(frac=1, random_state=1)


CARRIERS = {
    "long frame": LONG,
    "pivoted by item": LONG.pivot(index="item", columns="annotator", values="value"),
    "pivoted without values": LONG.pivot(index="item", columns="annotator"),
    "pivoted by annotator": LONG.pivot(index="annotator", columns="item", values="value"),
    "pivot reset": LONG.pivot(index="item", columns="annotator", values="value").reset_index(),
    "transposed": WIDE.set_index("item").T,
    "multi-index": LONG.set_index(["item", "annotator"]),
    "multi-index series": LONG.set_index(["item", "annotator"])["value"],
    "unstacked": LONG.set_index(["item", "annotator"])["value"].unstack(),
    "categorical": LONG.astype("category"),
    "nullable": LONG.convert_dtypes(),
    "string dtype": LONG.astype("string"),
    "filtered": shuffled(LONG),
    "array of items in a frame": pd.DataFrame(GRID.T),
    "polars": pl.from_pandas(LONG),
    "polars categorical": pl.from_pandas(LONG.astype("category")),
    "polars lazy": pl.from_pandas(LONG).lazy(),
    "polars lazy and wide": pl.from_pandas(WIDE).lazy(),
    "arrow table": pa.Table.from_pandas(LONG),
    "arrow batch": pa.RecordBatch.from_pandas(LONG),
    "records": LONG.to_dict("records"),
    "generator of records": (row for row in LONG.to_dict("records")),
    "named tuples": [Row(*row) for row in LONG.itertuples(index=False, name=None)],
    "columns": LONG.to_dict("list"),
    "wide columns": {"A": list(ANA), "B": list(BEA), "C": list(CAL)},
    "columns of arrays": {"A": ANA, "B": BEA, "C": CAL},
    "columns of series": {"A": A, "B": B[::-1], "C": pd.Series(CAL, ITEMS)},
    "people to items": {w: dict(zip(ITEMS, own, strict=True)) for w, own in zip("ABC", GRID, strict=True)},
    "people to frames": {w: pd.DataFrame({"item": ITEMS, "value": own})
        for w, own in zip("ABC", GRID, strict=True)},
    "people to records": {
        w: [{"item": i, "value": v} for i, v in zip(ITEMS, own, strict=True)]
        for w, own in zip("ABC", GRID, strict=True)
    },
}  # fmt: skip


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_carrier_of_ratings_is_read_by_verbs_and_measures(carrier):
    given = CARRIERS[carrier]
    if carrier.startswith("generator"):
        given = list(given)
        assert agreed((row for row in given), "alpha") == pytest.approx(ALPHA)
    assert agreed(given, "alpha") == pytest.approx(ALPHA)
    assert accord.alpha(given).value == pytest.approx(ALPHA)
    assert accord.gold(given, ties="first").valued().n_items == len(ITEMS)


def test_a_reader_of_arrow_is_read_once():
    assert agreed(pa.Table.from_pandas(LONG).to_reader(), "alpha") == pytest.approx(ALPHA)


def test_duckdb_relations_are_read():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().from_df(WIDE)
    assert agreed(relation, "alpha") == pytest.approx(ALPHA)


SPANS = [{"start": 0, "end": 5, "label": "X"}, {"start": 10, "end": 15, "label": "Y"}]
OTHERS = [{"start": 0, "end": 5, "label": "X"}, {"start": 11, "end": 15, "label": "Y"}]
TUPLES, OTHER_TUPLES = [(0, 5, "X"), (10, 15, "Y")], [(0, 5, "X"), (11, 15, "Y")]
MARKS = pd.DataFrame(
    [{"annotator": w, **unit} for w, own in (("A", SPANS), ("B", OTHERS)) for unit in own]
)
GAMMA = accord.agree(accord.read(MARKS), "gamma").value
TAGS, OTHER_TAGS = ["O", "B-PER", "I-PER", "O", "B-LOC"], ["O", "B-PER", "O", "O", "B-LOC"]
FOUND, ANSWERED = (
    [{"a", "b", "c"}, {"d", "e", "f", "g"}],
    [{"a", "b"}, {"c", "d"}, {"f", "g", "h", "i"}],
)
MUC = accord.score(
    accord.Chains.from_clusters({("d", "k"): [sorted(c) for c in FOUND]}),
    accord.Chains.from_clusters({("d", "r"): [sorted(c) for c in ANSWERED]}),
    "muc",
).value
WINDOW = accord.score(
    accord.Segments.from_masses([("d", "k", [2, 3, 6])]),
    accord.Segments.from_masses([("d", "r", [2, 2, 7])]),
    "windowdiff",
).value  # fmt: skip
F1 = accord.score(accord.from_tags([TAGS, TAGS]), accord.from_tags([OTHER_TAGS, TAGS]), "f1").value

CALLS = {
    # two sequences, and more
    "agree of two lists": (lambda: agreed(list(ANA), list(BEA)), OF_TWO),
    "kappa of two lists": (lambda: agreed(list(ANA), list(BEA), measure="kappa"), KAPPA),
    "kappa of two tuples": (lambda: agreed(tuple(ANA), tuple(BEA), measure="kappa"), KAPPA),
    "kappa of two arrays": (lambda: agreed(ANA, BEA, measure="kappa"), KAPPA),
    "kappa of two columns": (lambda: agreed(WIDE["A"], WIDE["B"], measure="kappa"), KAPPA),
    "kappa of indexed series": (lambda: agreed(A, shuffled(B), measure="kappa"), KAPPA),
    "kappa of polars series": (lambda: agreed(pl.Series(ANA), pl.Series(BEA), measure="kappa"), KAPPA),
    "kappa of arrow arrays": (lambda: agreed(pa.array(ANA), pa.array(BEA), measure="kappa"), KAPPA),
    "kappa of mappings": (lambda: agreed(A.to_dict(), B[::-1].to_dict(), measure="kappa"), KAPPA),
    "alpha of three lists": (lambda: agreed(list(ANA), list(BEA), list(CAL), measure="alpha"), ALPHA),
    "two of a table": (lambda: agreed(WIDE[["A", "B"]], "kappa"), KAPPA),
    "two frames": (lambda: agreed(WIDE[["item", "A"]].rename(columns={"A": "value"}),
                                  WIDE[["item", "B"]].rename(columns={"B": "value"}), measure="kappa"),
                                      KAPPA),
    "missing values": (lambda: agreed([*ANA, None], [*BEA, "a"], measure="kappa"), KAPPA),
    "accord.alpha": (lambda: accord.alpha(ANA, BEA).value, OF_TWO),
    "accord.kappa": (lambda: accord.kappa(list(ANA), list(BEA)).value, KAPPA),
    "accord.kappa of a table": (lambda: accord.kappa(WIDE[["item", "A", "B"]]).value, KAPPA),
    "distribute": (lambda: accord.distribute(ANA, BEA, measure="alpha").value, OF_TWO),
    # arrays, told what they are
    "items in rows": (lambda: agreed(GRID.T, "alpha", orientation="items"), ALPHA),
    "annotators in rows": (lambda: accord.alpha(GRID, orientation="annotators").value, ALPHA),
    "list of series": (lambda: agreed([A, B], "alpha", orientation="annotators"), OF_TWO),
    "votes": (lambda: agreed(COUNTS, "alpha", counts=True), ALPHA),
    "votes of a measure": (lambda: accord.fleiss(COUNTS, counts=True).value, accord.fleiss(LONG).value),
    "rows of a long table": (lambda: agreed(list(LONG.itertuples(index=False, name=None)), "alpha",
                                            columns=["item", "annotator", "value"]), ALPHA),
    "as nltk has them": (lambda: agreed([(w, i, v) for i, w, v in LONG.itertuples(index=False)], "alpha",
                                        columns=["annotator", "item", "value"]), ALPHA),
    "items to people": (lambda: agreed(WIDE.set_index("item").to_dict("index"), "alpha",
                                       orientation="items"), ALPHA),
    # a reference and a system
    "score": (lambda: scored(GOLD, GPT, "accuracy"), RIGHT),
    "y_true and y_pred": (lambda: scored(y_true=GOLD, y_pred=list(GPT), measure="accuracy"), RIGHT),
    "accord.accuracy": (lambda: accord.accuracy(GOLD, GPT).value, RIGHT),
    "accord.accuracy named": (lambda: accord.accuracy(y_true=GOLD, y_pred=GPT).value, RIGHT),
    "two tables": (lambda: scored(KEY, shuffled(SYSTEM), "accuracy"), RIGHT),
    "indexed by item": (lambda: scored(KEY.set_index("item")["value"],
                                       shuffled(SYSTEM.set_index("item"))["value"], "accuracy"), RIGHT),
    "a pivot and a table": (lambda: scored(KEY.set_index("item"), SYSTEM, "accuracy"), RIGHT),
    "mappings": (lambda: scored(dict(zip(ITEMS, GOLD, strict=True)),
                                dict(zip(ITEMS[::-1], GPT[::-1], strict=True)), "accuracy"), RIGHT),
    "a system by name beside its reference": (lambda: scored(BOTH, "gpt", "accuracy"), RIGHT),
    "a system by name among people": (
        lambda: scored(FOUR, "gpt", "accuracy"), accord.score(LONG, SYSTEM, "accuracy").value),
    "a reference as the system": (
        lambda: scored(KEY, accord.gold(LONG, ties="first"), "accuracy"),
        float(np.mean([accord.gold(LONG, ties="first").written(i) == GOLD[i] for i in range(12)]))),
    # units, segments and chains in memory
    "masses": (lambda: accord.windowdiff([2, 3, 6], [2, 2, 7]).value, WINDOW),
    "masses of a score": (lambda: scored([2, 3, 6], [2, 2, 7], "windowdiff"), WINDOW),
    "masses of an array": (lambda: accord.windowdiff(np.array([2, 3, 6]), (2, 2, 7)).value, WINDOW),
    "masses of documents": (lambda: accord.windowdiff([[2, 3, 6]], [[2, 2, 7]]).value, WINDOW),
    "masses by document": (lambda: accord.windowdiff({"d": [2, 3, 6]}, {"d": [2, 2, 7]}).value, WINDOW),
    "boundary strings": (lambda: accord.windowdiff("0100100000", "0101000000").value, WINDOW),
    "boundaries as numbers": (lambda: accord.windowdiff([0, 1, 0, 0, 1] + [0] * 5, "0101000000").value,
        WINDOW),
    "agreement of masses": (
        lambda: agreed([2, 3, 6], [2, 2, 7], measure="boundary-pi"),
        accord.boundary_pi(accord.Segments.from_masses([("d", "A", [2, 3, 6]),
            ("d", "B", [2, 2, 7])])).value),
    "sets of mentions": (lambda: accord.muc(FOUND, ANSWERED).value, MUC),
    "lists of mentions": (lambda: scored([sorted(c) for c in FOUND], [sorted(c) for c in ANSWERED], "muc"),
        MUC),
    "mentions of documents": (lambda: accord.muc([FOUND], [ANSWERED]).value, MUC),
    "spans as mentions": (lambda: accord.muc([[(0, 1),
        (2, 3)], [(4, 5)]], [[[0, 1], [2, 3]], [[4, 5]]]).value, 1.0),
    "tags of documents": (lambda: accord.f1([TAGS, TAGS], [OTHER_TAGS, TAGS]).value, F1),
    "tags of a score": (lambda: scored([TAGS, TAGS], [OTHER_TAGS, TAGS], "f1"), F1),
    "tags of one document": (lambda: accord.f1(TAGS, OTHER_TAGS).value, 0.5),
    "records of spans": (lambda: accord.f1(SPANS, OTHERS).value, 0.5),
    "tuples of spans": (lambda: accord.f1(TUPLES, OTHER_TUPLES).value, 0.5),
    "gamma of a frame": (lambda: accord.gamma(MARKS).value, GAMMA),
    "gamma of people": (lambda: accord.gamma({"A": SPANS, "B": OTHERS}).value, GAMMA),
    "gamma of tuples": (lambda: agreed(TUPLES, OTHER_TUPLES, measure="gamma"), GAMMA),
    "gamma of people's tuples": (lambda: agreed({"A": TUPLES, "B": OTHER_TUPLES}, "gamma"), GAMMA),
    "gamma of documents": (lambda: agreed({"A": {"d": TUPLES}, "B": {"d": OTHER_TUPLES}}, "gamma"), GAMMA),
    "alignment of two": (lambda: len(accord.align(TUPLES, OTHER_TUPLES)[0]), 2),
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_a_call_gives_the_number_of_the_table(call):
    made, wanted = CALLS[call]
    assert made() == pytest.approx(wanted)


REFUSED = {
    "array of items": (lambda: agreed(GRID.T, "alpha"), Asked, "orientation='items'"),
    "array of people": (lambda: accord.alpha(GRID), Asked, "orientation='annotators'"),
    "list of lists": (lambda: accord.gold([list(ANA), list(BEA)]), Asked, "orientation"),
    "list of series": (lambda: agreed([A, B], "alpha"), Asked, "orientation"),
    "pairs": (lambda: agreed(zip(ANA, BEA, strict=True), "alpha"), Asked, "orientation"),
    "votes": (lambda: agreed(COUNTS, "fleiss"), Asked, "counts=True"),
    "three columns": (lambda: agreed([tuple(r) for r in LONG.to_numpy()], "alpha"), Asked,
                      "columns='item,annotator,value'"),
    "many columns": (lambda: agreed(pd.DataFrame(GRID), "alpha"), Asked, "rows='annotators'"),
    "people in an index": (lambda: agreed(pd.DataFrame(GRID, list("ABC")), "alpha"), Asked,
                           "rows='annotators'"),
    "items to people": (lambda: agreed(WIDE.set_index("item").to_dict("index"), "alpha"), Asked,
                        "orientation='items'"),
    "other labels": (lambda: agreed(A, A.rename(index=str.upper), measure="kappa"), InputError,
                     "labels that .* has not: 'it0'"),
    "other labels of a score": (lambda: scored(A, A.rename(index=str.upper), "accuracy"), InputError,
                                "the index of the system has labels"),
    "other labels of columns": (lambda: agreed({"A": A, "B": B[1:]}, "kappa"), InputError, "'it0'"),
    "shifted rows": (lambda: agreed(WIDE.A[3:], WIDE.B[:9], measure="kappa"), InputError, "labels that"),
    "labels twice": (lambda: agreed(pd.Series(list("ab"), [1, 1]), pd.Series(list("ab"), [1, 2]),
                                    measure="kappa"), InputError, "a label twice"),
    "an index and none": (lambda: agreed(A, list(BEA), measure="kappa"), InputError, "has no index"),
    "other lengths": (lambda: agreed(list(ANA), list(BEA)[1:], measure="kappa"), InputError, "12 values"),
    "measures as the second list": (lambda: agreed(list(ANA), ["kappa", "alpha"]), InputError, "12 values"),
    "other lengths of a score": (lambda: scored(list(GOLD), list(GPT)[1:], "accuracy"), InputError,
                                 "the reference has 12 values and the system 11"),
    "other lengths of a text": (lambda: accord.windowdiff([2, 3, 6], [2, 3]), AccordError, "11|5"),
    "tags of other lengths": (lambda: accord.gamma(TAGS, TAGS[1:]),
        InputError, "has 5 tags in document .* has 4"),
    "tags of other lengths of a score": (lambda: accord.f1([TAGS], [TAGS[1:]]),
        InputError, "'reference' has 5 tags"),
    "labels for tags": (lambda: accord.f1(list(ANA), list(BEA)), InputError, "not a BIO or IOBES tag"),
    "numbers for mentions": (lambda: accord.muc([1, 2], [1, 2]), InputError, "an entity is a list or a set"),
    "words for masses": (lambda: accord.windowdiff([["x"]], [["x"]]), InputError, "list of masses"),
    "an unknown system": (lambda: scored(FOUR, "gpt5", "accuracy"), InputError, "did you mean 'gpt'"),
    "an unknown rival": (lambda: accord.rank(FOUR, ["gpt5"]),
        InputError, "the data have 'A', 'B', 'C', 'gpt'"),
    "an unknown replacement": (lambda: accord.alt_test(FOUR, "gpt5"), InputError, "did you mean 'gpt'"),
    "a file that is none": (lambda: scored(FOUR, "gpt.csv", "accuracy"), InputError,
                            "gpt.csv: does not exist, and no annotator is called so"),
    "two levels of columns": (lambda: agreed(WIDE.set_axis(pd.MultiIndex.from_tuples(
        [("x", "item"), ("x", "A"), ("y", "B"), ("y", "C")]), axis=1), "alpha"),
            InputError, "several levels"),
    "a number": (lambda: accord.alpha(3), UsageError, "type int cannot be read"),
    "nothing to score": (lambda: scored(list(GOLD), None, "accuracy"), UsageError, "there is no system"),
}  # fmt: skip


@pytest.mark.parametrize("call", REFUSED)
def test_what_can_be_read_in_two_ways_is_asked_and_nothing_is_raw(call):
    made, kind, words = REFUSED[call]
    with pytest.raises(kind, match=words):
        made()


FIRST = accord.rank(LONG, {"gpt": SYSTEM}, measures=["accuracy"], resamples=50).systems[0]
SYSTEMS = {
    "name": (FOUR, "gpt"),
    "list of names": (FOUR, ["gpt"]),
    "frame": (LONG, SYSTEM),
    "list of frames": (LONG, [SYSTEM]),
    "mapping": (LONG, {"gpt": SYSTEM}),
    "series": (LONG, SYSTEM.set_index("item")["value"]),
    "mapping of items": (LONG, dict(zip(ITEMS, GPT, strict=True))),
    "columns": (LONG, SYSTEM.to_dict("list")),
    "records": (LONG, SYSTEM.to_dict("records")),
    "annotations": (LONG, accord.read(SYSTEM)),
    "values": (WIDE[["A", "B", "C"]], list(GPT)),
}


@pytest.mark.parametrize("given", SYSTEMS)
def test_a_system_is_the_same_however_it_is_given(given):
    people, system = SYSTEMS[given]
    told = {"measures": ["accuracy"], "resamples": 50}
    ranked = accord.rank(people, system, **told).systems[0]
    assert (ranked["value"], ranked["rank"]) == (FIRST["value"], FIRST["rank"])
    tested = accord.alt_test(people, system, least_items=1)
    assert tested.winning_rate == accord.alt_test(LONG, SYSTEM, least_items=1).winning_rate
    wanted = accord.score(LONG, SYSTEM, "accuracy").value
    found = accord.score(people, system, "accuracy")
    assert getattr(found, "value", found) == wanted or [r.value for r in found] == [wanted]


def test_a_file_is_a_system_and_a_name_comes_before_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SYSTEM.to_csv("gpt.csv", index=False)
    KEY.to_csv("gpt", index=False)
    wanted = scored(LONG, SYSTEM, "accuracy")
    assert scored(LONG, "gpt.csv", "accuracy") == scored(FOUR, "gpt", "accuracy") == wanted


def test_several_systems_have_a_result_each():
    found = accord.score(KEY, {"one": SYSTEM, "two": KEY}, "accuracy")
    assert [(r.system, r.value) for r in found] == [("one", RIGHT), ("two", 1.0)]
    assert [r.value for r in accord.score(KEY, [SYSTEM, KEY], "accuracy")] == [RIGHT, 1.0]


def test_a_judge_may_be_given_as_data():
    people = LONG.assign(value=np.where(LONG.value == "a", "yes", "no"))
    answers = SYSTEM.assign(value=np.where(SYSTEM.value == "a", "yes", "no"))
    named = pd.concat([people, answers.assign(annotator="gpt")])
    one = accord.judge(named, "gpt", resamples=50).judges[0]
    for given in (answers, {"gpt": answers}, answers.set_index("item")["value"]):
        assert accord.judge(people, given, resamples=50).judges[0].raw == one.raw


def test_people_are_called_as_their_series_are_unless_one_is_a_reference():
    assert accord.audit(A, B) is not None
    told = accord.agree(A, B, measure="kappa", by="pair").by["pair"][0]
    assert {told["first"], told["second"]} == {"A", "B"}
    told = accord.agree(A, B.rename("gold"), measure="kappa", by="pair").by["pair"][0]
    assert {told["first"], told["second"]} == {"A1", "A2"}


class Doc:
    """A document as spaCy has it, as far as it is looked at."""

    __module__ = "spacy.tokens.doc"

    def __init__(self, text, ents, **spans):
        self.text, self.ents, self.spans = text, ents, spans

    def __iter__(self):
        return iter(self.text.split())


def _span(start, end, label):
    return SimpleNamespace(start_char=start, end_char=end, label_=label)


def test_docs_of_spacy_are_units():
    key = Doc("Anna lives in Berlin", [_span(0, 4, "PER"), _span(14, 20, "LOC")])
    answer = Doc("Anna lives in Berlin", [_span(0, 4, "PER")])
    assert accord.f1(key, answer).value == accord.f1([key], [answer]).value == pytest.approx(2 / 3)
    assert accord.read([key, answer]).texts == ("Anna lives in Berlin",) * 2
    several = Doc(key.text, key.ents, sc=[_span(0, 4, "X")])
    with pytest.raises(Asked, match="layer='ents'"):
        accord.f1(several, answer)
    assert accord.f1(several, several, layer="spans[sc]").value == 1.0


TOLD = LONG.assign(
    source=["chat" if int(i[2:]) % 2 else "mail" for i in LONG.item],
    team=["x" if int(i[2:]) < 6 else "y" for i in LONG.item],
)


def test_data_are_narrowed_by_what_was_kept():
    data = accord.read(TOLD)
    chat = data.where(source="chat")
    wanted = accord.agree(TOLD[TOLD.source == "chat"], "percent").value
    assert accord.agree(chat, "percent").value == wanted
    assert "where:source=chat" in accord.agree(chat, "percent").signature
    both = data.where(source="chat", team=["x", "y"], annotator=["A", "B"])
    assert both.annotators == ("A", "B")
    assert both.n_items == 6
    assert data.select(items=["it1", "it3"], labels=["a", "b"]).n_items == 2
    assert set(data.where(value="a").code.tolist()) == {data.labels.index("a")}
    assert data["A"].annotators == ("A",)
    assert data[["A", "C"]].annotators == ("A", "C")
    for odd, words in (({"sauce": "chat"}, "did you mean source"), ({"source": "chad"}, "'chad'")):
        with pytest.raises(AccordError, match=words):
            data.where(**odd)
    with pytest.raises(UsageError, match="by their names"):
        data[0]
    with pytest.raises(InputError, match="unknown annotator 'D'"):
        data["D"]


def test_who_stands_by_is_there_by_name_and_narrowed_too():
    data = accord.read(FOUR.merge(TOLD[["item", "source"]].drop_duplicates()), systems=["gpt"])
    assert data.annotators == ("A", "B", "C")
    assert data["gpt"].annotators == ("gpt",)
    narrow = data.where(source="chat")
    wanted = accord.score(
        LONG[[int(i[2:]) % 2 == 1 for i in LONG.item]], SYSTEM.iloc[1::2], "accuracy"
    )
    assert accord.score(narrow, "gpt", "accuracy").value == wanted.value
    assert narrow["gpt"].n_items == 6


def test_units_and_lazy_frames_are_narrowed_too():
    units = accord.read(MARKS.assign(genre=["a", "b", "a", "b"]))
    assert [u.label for u in units.where(genre="b")] == ["Y", "Y"]
    assert [u.label for u in units.where(label="X")] == ["X", "X"]
    lazy = accord.read(pl.from_pandas(TOLD).lazy())
    assert accord.agree(lazy.where(source="chat"), "percent").value == pytest.approx(
        accord.agree(TOLD[TOLD.source == "chat"], "percent").value
    )
