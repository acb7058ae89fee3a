"""Dataframes in and out, whatever their library; measures as other libraries call them."""

from __future__ import annotations

import inspect
import math
import pickle
import urllib.request
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accord

EXAMPLES = Path(__file__).parents[2] / "examples"
BACKENDS = ("pandas", "polars", "pyarrow")


@pytest.fixture(scope="module")
def frame():
    return pd.read_csv(EXAMPLES / "moods.csv")


def data_of_every_shape():
    return {
        "ratings": accord.read(EXAMPLES / "moods.csv"),
        "units": accord.read(EXAMPLES / "claims.csv"),
        "chains": accord.read(EXAMPLES / "key.conll"),
        "segments": accord.Segments.from_masses([("d", "A", [2, 3]), ("d", "B", [4, 1])]),
    }


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("shape", ["ratings", "units", "chains", "segments"])
def test_data_go_round(shape, backend):
    """from_frame(to_frame(data)) is the same data, for every library."""
    data = data_of_every_shape()[shape]
    again = type(data).from_frame(data.to_frame(backend=backend))
    assert again.annotators == data.annotators
    assert again.to_frame(backend="polars").equals(data.to_frame(backend="polars"))


@pytest.mark.parametrize("backend", BACKENDS)
def test_answers_as_frames(frame, backend):
    import narwhals as nw

    judges = accord.Ratings.from_matrix([list("aabb" * 10)] * 2 + [list("abab" * 10)] * 2)
    system = accord.Ratings.from_matrix([list("aabb" * 10)], annotators=["m"])
    ranking = accord.rank(judges, {"m": system})
    answers = {
        "result": accord.agree(frame, "alpha", ci="auto").to_frame(backend=backend),
        "breakdown": accord.agree(frame, "alpha", by="pair").to_frame("pair", backend=backend),
        "reference": accord.gold(frame).to_frame(details=True, backend=backend),
        "consensus": accord.gold(EXAMPLES / "claims.csv").to_frame(backend=backend),
        "ranks": ranking.to_frame(backend=backend),
        "systems": ranking.to_frame("systems", backend=backend),
        "test": accord.alt_test(judges, system).to_frame(backend=backend),
        "findings": accord.audit(frame).to_frame(backend=backend),
        "nothing found": type(accord.audit(frame))().to_frame(backend=backend),
    }
    sizes = {name: nw.from_native(f, eager_only=True).shape for name, f in answers.items()}
    # the library may stand first, and behind the name of a part
    by_pair, units = accord.agree(frame, "alpha", by="pair"), accord.read(EXAMPLES / "claims.csv")
    first = {
        "result": by_pair.to_frame(backend),
        "breakdown": by_pair.to_frame("pair", backend),
        "reference": accord.gold(frame).to_frame(backend, details=True),
        "ranks": ranking.to_frame(backend),
        "systems": ranking.to_frame("systems", backend),
        "test": accord.alt_test(judges, system).to_frame(backend),
        "findings": accord.audit(frame).to_frame(backend),
    }
    for name, answer in first.items():
        assert type(answer) is type(answers[name]), name
        assert nw.from_native(answer, eager_only=True).shape == sizes[name], name
    for table in (accord.read(frame), units):
        assert type(table.to_frame(backend)) is type(answers["result"])
    assert type(accord.align(units)[0].to_frame(units, backend)) is type(answers["result"])
    assert sizes["result"][0] == 1
    assert sizes["breakdown"][0] == 3
    assert sizes["reference"][0] == 40
    assert sizes["ranks"][0] == 5
    assert sizes["test"][0] == 4
    assert sizes["nothing found"] == (0, 5)
    assert all(size[1] > 2 for size in sizes.values())


def test_missing_backend_is_said(frame):
    with pytest.raises(accord.AccordError, match=r"backend|install"):
        accord.agree(frame, "alpha").to_frame(backend="modin")
    with pytest.raises(accord.UsageError, match="pass by='category' first"):
        accord.agree(frame, "alpha").to_frame("category")


def test_verbs_take_frames_paths_and_data(frame):
    path = EXAMPLES / "moods.csv"
    data = accord.read(path)
    values = [accord.agree(x, "alpha").value for x in (frame, path, str(path), data)]
    assert len(set(values)) == 1
    assert [f.rule for f in accord.audit(frame)] == [f.rule for f in accord.audit(data)]
    assert accord.gold(frame).to_frame().equals(accord.gold(path).to_frame())
    units = EXAMPLES / "claims.csv"
    disorders = {accord.align(x)[0].disorder for x in (units, pd.read_csv(units))}
    assert len(disorders) == 1
    assert "α" in accord.report(frame, resamples=20).html()
    with pytest.raises(accord.UsageError, match="needs units, the data are ratings"):
        accord.align(frame)


def test_lists_of_measures(frame):
    both = accord.agree(frame, ["alpha", "fleiss"])
    assert [r.measure for r in both] == ["alpha", "fleiss"]
    assert both[0].value == accord.agree(frame, "alpha").value
    scores = accord.score(list("aabb"), list("abbb"), ["accuracy", "f1-macro"])
    assert [r.measure for r in scores] == ["accuracy", "f1-macro"]
    with pytest.raises(accord.UsageError, match="flavour"):
        accord.score(list("aabb"), list("abbb"), ["accuracy"], flavour=1)


def grades(values):
    return pd.DataFrame(
        {"item": [0, 0, 1, 1, 2, 2, 3, 3], "annotator": list("ABABABAB"), "value": values}
    )


def test_ordered_categoricals_say_the_order():
    order = ["low", "mid", "high", "top"]
    said = ["low", "mid", "mid", "mid", "high", "mid", "low", "low"]
    ordered = accord.read(grades(pd.Categorical(said, order, ordered=True)))
    assert ordered.values == tuple(order)
    assert ordered.ordered
    assert "metric:ordinal" in accord.agree(ordered).signature
    free = accord.read(grades(pd.Categorical(said, order)))
    assert not free.ordered
    enum = accord.read(
        pl.DataFrame(
            {"item": [0, 0, 1, 1], "annotator": list("ABAB"), "value": said[:4]},
            schema_overrides={"value": pl.Enum(order)},
        )
    )
    assert enum.values == tuple(order)
    wide = pd.DataFrame(
        {w: pd.Categorical(said[i::2], order, ordered=True) for i, w in enumerate("AB")}
    )
    assert accord.read(wide, wide=True).values == tuple(order)
    assert accord.Ratings.from_frame(grades(pd.Categorical(said, order, ordered=True))).ordered


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (pd.array([1, 2, None, 2, 1, 1, 3, 3], dtype="Int64"), "numbers"),
        (pd.array([1.5, 2, None, 2, 1, 1, 3, 3], dtype="Float64"), "numbers"),
        (pd.array(["x", "y", None, "y", "x", "x", "y", "y"], dtype="string"), "categories"),
        (pd.array([True, False, None, True, True, True, False, False], dtype="boolean"), "categories"),
        (pd.Series(["x", "y", pd.NA, "y", "x", "x", "y", "y"], dtype=object), "categories"),
        (pd.Series(["x", "y", None, "y", "x", "x", "y", "y"], dtype="category"), "categories"),
    ],
    ids=["Int64", "Float64", "string", "boolean", "object", "category"],
)  # fmt: skip
def test_missing_values_of_pandas(values, kind):
    data = accord.read(grades(values))
    assert (data.kind, data.n_ratings, data.n_items) == (kind, 7, 4)
    assert accord.Ratings.from_frame(grades(values)).n_ratings == 7


def test_units_with_missing_labels_and_people():
    table = pd.DataFrame(
        {"annotator": ["A", "B"], "start": [0, 1], "end": [4, 4], "label": pd.array(["x", pd.NA])}
    )
    assert [u.label for u in accord.Units.from_frame(table)] == ["x", None]
    nobody = table.assign(annotator=pd.array(["A", pd.NA]))
    with pytest.raises(accord.InputError, match="annotator is empty in 1 of 2 rows"):
        accord.Units.from_frame(nobody)


@pytest.mark.parametrize(
    ("mistake", "meant"),
    [
        (lambda f: accord.agree(f, "alpha", metrik="ordinal"), "did you mean metric?"),
        (lambda f: accord.agree(f, "fleis"), "did you mean fleiss?"),
        (lambda f: accord.agree(f, "alpha", by="categorie"), "did you mean category?"),
        (lambda f: accord.gold(f, "dawid-skeen"), "did you mean dawid-skene?"),
        (lambda f: accord.read(f, annotators=["Anna"]), "did you mean 'Ana'?"),
        (
            lambda f: accord.agree(accord.read(f), "alpha", without=["Ana"]),
            "pass it to accord.read",
        ),
        (lambda f: accord.agree(f, "gamma"), "these data are ratings; use alpha, or one of"),
    ],
)
def test_a_slip_of_the_pen_is_recognised(frame, mistake, meant):
    with pytest.raises(accord.AccordError) as caught:
        mistake(frame)
    assert meant in str(caught.value)


def test_errors_name_the_keyword(frame):
    with pytest.raises(accord.InputError, match=r"no column 'value'.*value='NAME'"):
        accord.Ratings.from_frame(frame.rename(columns={"value": "mood"}))
    with pytest.raises(accord.InputError, match=r"columns=\{'\w+': 'NAME'\}"):
        accord.read(frame.rename(columns={"value": "mood"}))
    with pytest.raises(accord.UsageError, match="list of names"):
        accord.read(frame).select(annotators="Ana")


def test_everything_is_in_dir():
    names = set(dir(accord))
    assert {"agree", "audit", "report", "compare", "simulate", "align", "serve", "explore"} <= names
    assert {m.name.replace("-", "_") for m in accord.enrolled()} <= names
    for name in names:
        assert getattr(accord, name) is not None


# --- scikit-learn and evaluate -------------------------------------------------------------------


def test_scorers_in_scikit_learn():
    sklearn = pytest.importorskip("sklearn")
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import make_scorer
    from sklearn.model_selection import cross_val_score

    rng = np.random.default_rng(0)
    x = rng.normal(size=(90, 3))
    y = np.where(x[:, 0] + 0.5 * rng.normal(size=90) > 0, "yes", "no")
    ours = accord.scorer("f1-macro")
    assert ours.greater_is_better
    model = LogisticRegression()
    mine = cross_val_score(model, x, y, scoring=make_scorer(ours))
    theirs = cross_val_score(model, x, y, scoring="f1_macro")
    assert mine == pytest.approx(theirs)
    assert make_scorer(ours)(DummyClassifier().fit(x, y), x, y) < 0.5
    assert not accord.scorer("jsd").greater_is_better
    assert pickle.loads(pickle.dumps(ours))(["a", "b"], ["a", "b"]) == 1.0
    assert ours.__name__ == "f1_macro"
    assert sklearn


def test_scorers_compute_like_evaluate():
    spans = [[{"start": 0, "end": 2, "label": "PER"}], []]
    wrong = [[{"start": 0, "end": 2, "label": "LOC"}], [(4, 5, "PER")]]
    found = accord.scorer("f1").compute(references=spans, predictions=wrong)
    assert (found["f1"], found["n"]) == (0.0, 1)
    assert accord.scorer("f1").compute(references=spans, predictions=spans)["f1"] == 1.0
    tags = [["B-PER", "I-PER", "O"], ["O"]]
    assert accord.scorer("semeval-strict").compute(references=tags, predictions=tags)["F"] == 1.0
    key, response = [[["a", "b"], ["c"]]], [[["a", "b", "c"]]]
    chains = accord.scorer("b3").compute(references=key, predictions=response)
    assert chains["b3"] == pytest.approx(2 * (5 / 9) / (1 + 5 / 9))
    offsets = [[[[0, 1], [3, 4]]]]
    assert accord.scorer("conll").compute(references=offsets, predictions=offsets)["conll"] == 1.0
    masses = accord.scorer("windowdiff", window=2).compute(
        references=[[3, 3]], predictions=[[3, 3]]
    )
    assert masses["windowdiff"] == 0.0
    assert masses["signature"].startswith("windowdiff|")


def test_scorers_refuse_what_makes_no_sense():
    with pytest.raises(accord.UsageError, match="agreement among annotators"):
        accord.scorer("alpha")
    with pytest.raises(accord.UsageError, match="several"):
        accord.scorer("semeval")
    with pytest.raises(accord.InputError, match="one list per document"):
        accord.scorer("f1").compute(references=["B-PER"], predictions=["B-PER"])
    with pytest.raises(accord.InputError, match="list of clusters"):
        accord.scorer("b3").compute(references=[["a", "b"]], predictions=[["a", "b"]])
    assert math.isnan(accord.scorer("pearson")([1, 1], [1, 2]))


# --- serve ---------------------------------------------------------------------------------------


def test_serve_from_python(frame, tmp_path):
    pytest.importorskip("uvicorn")
    with accord.serve(frame, decisions=tmp_path / "d.db") as page:
        assert page.running
        with urllib.request.urlopen(page.url, timeout=300) as answer:
            assert b"group-form" in answer.read()
        assert len(page.reference()) == 40
        assert "token=" in page._repr_html_()
        port = int(page.url.split(":")[2].split("/")[0])
        with pytest.raises(accord.UsageError, match="cannot listen"):
            accord.serve(frame, decisions=tmp_path / "e.db", port=port)
    assert not page.running
    assert "stopped" in repr(page)


# --- what a newcomer tries -----------------------------------------------------------------------


def test_lists_of_results_are_tables(frame):
    both = accord.agree(frame, ["alpha", "fleiss"], ci="auto")
    assert isinstance(both, list)
    table = both.to_frame(backend="polars")
    assert table["measure"].to_list() == ["alpha", "fleiss"]
    assert table["low"].to_list() == [r.interval.low for r in both]
    # one value per category: the category has its column, beside a measure that has none
    units = accord.agree(EXAMPLES / "claims.csv", ["gamma-k", "gamma"]).to_frame(backend="polars")
    assert units["category"].to_list() == ["claim", "counter", "premise", None]
    scores = accord.score(list("aabb"), list("abbb"), ["accuracy", "f1-macro"])
    assert "2 results" in scores._repr_html_()
    same = accord.agree([["a", "a"], ["a", "a"]], ["alpha", "percent"], orientation="annotators")
    assert "alpha is undefined" in same._repr_html_()


def test_lists_of_different_lengths_are_not_compared():
    with pytest.raises(accord.InputError, match="reference has 3 values and the system 2"):
        accord.score(["a", "b", "a"], ["a", "b"])
    # somebody who has no answer says so; nothing is lost on the way
    assert accord.score(["a", "b", "a"], ["a", "b", None]).value == pytest.approx(2 / 3)


def test_lazy_frames_are_read_without_a_warning(recwarn):
    lazy = pl.scan_csv(EXAMPLES / "moods.csv")
    assert accord.agree(lazy, "alpha").value == accord.agree(EXAMPLES / "moods.csv", "alpha").value
    assert [str(w.message) for w in recwarn if "LazyFrame" in str(w.message)] == []


def test_report_takes_one_measure_and_says_where_a_path_goes(frame):
    assert accord.report(frame, "fleiss", resamples=20).results[0].measure == "fleiss"
    with pytest.raises(accord.UsageError, match=r"\.save\('page\.html'\)"):
        accord.report(frame, "page.html")


def test_preferences_are_shown_and_are_a_table():
    rows = [(f"J{j}", "new", "old", "new") for j in range(8)] + [("J8", "old", "new", "old")]
    found = accord.prefer(pd.DataFrame(rows, columns=["judge", "a", "b", "choice"]), resamples=50)
    assert repr(found) == f"<Preferred: {found}>"
    assert str(found).startswith("new ")
    assert found.to_frame(backend="polars")["object"].to_list() == ["new", "old"]
    assert "9 judgements" in found._repr_html_()


def test_boxes_are_refused_where_cards_are_decided(tmp_path):
    rows = [("p", who, 0, 0, 4 + shift, 4, "x") for who, shift in (("A", 0), ("B", 1))]
    with pytest.raises(accord.UsageError, match="decisions about boxes cannot be taken in"):
        accord.adjudicate(accord.Boxes.from_rows(rows), who="Ann", decisions=tmp_path / "d.db")


def test_a_frame_is_of_the_library_that_is_there(monkeypatch):
    """pandas, else polars, else pyarrow; where none is, one sentence."""
    from importlib import util

    there = {"pandas", "polars", "pyarrow"}
    known = util.find_spec
    monkeypatch.setattr(
        util,
        "find_spec",
        lambda name, *more: known(name, *more) if name in there or "." in name else None,
    )
    result = accord.agree(
        accord.Ratings.from_matrix([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "b"]]),
        "alpha",
        by="pair",
    )
    kinds = []
    for gone in ("", "pandas", "polars"):
        there.discard(gone)
        kinds.append(type(result.to_frame("pair")).__module__.partition(".")[0])
    assert kinds == ["pandas", "polars", "pyarrow"]
    there.clear()
    with pytest.raises(accord.UsageError, match="no library of dataframes is installed"):
        result.to_frame()


def _odd_frames(frame: pd.DataFrame) -> dict[str, object]:
    """What people give by mistake, or as their library has it."""
    named = frame.set_axis([("ab"[i % 2], name) for i, name in enumerate(frame.columns)], axis=1)
    return {
        "nothing": None,
        "no data": 3,
        "no path": "",
        "a class": accord.Ratings,
        "frames": [frame, frame],
        "columns": {"item": [1, 1], "annotator": ["A", "B"], "value": ["x"]},
        "a table of nothing": {"x": None, "y": [1]},
        "levels": named.set_axis(pd.MultiIndex.from_tuples(list(named.columns)), axis=1),
        "numbered columns": frame.set_axis(range(frame.shape[1]), axis=1),
        "a column without a name": frame.rename(columns={"item": None}),
        "a schema that fails": pl.from_pandas(frame).lazy().select("nothing"),
        "a result": accord.agree(frame, "alpha"),
    }


VERBS = {
    "read": accord.read,
    "agree": accord.agree,
    "gold": accord.gold,
    "audit": accord.audit,
    "align": accord.align,
    "alpha": accord.alpha,
    "gamma": accord.gamma,
    "b3": lambda data: accord.b3(data, data),
    "score": lambda data: accord.score(data, data),
    "rank": lambda data: accord.rank(data, ["A1"]),
    "alt_test": lambda data: accord.alt_test(data, "A1"),
    "judge": lambda data: accord.judge(data, "A1"),
    "prefer": accord.prefer,
    "from_tags": accord.from_tags,
    "write": lambda data: accord.write(data, "nowhere.csv"),
    "gold_file": lambda data: accord.gold_file(data, "nowhere.csv"),
    "from_frame": accord.Ratings.from_frame,
}


@pytest.mark.parametrize("verb", VERBS)
def test_what_cannot_be_read_is_said_in_a_sentence(frame, verb, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for what, given in _odd_frames(frame).items():
        with pytest.raises(accord.AccordError) as told:
            VERBS[verb](given)
        assert "\n" not in str(told.value), (verb, what)
        assert "--" not in str(told.value), (verb, what)
    assert not list(tmp_path.iterdir())


def test_columns_without_texts_for_names():
    table = pd.DataFrame([list("ab"), list("aa"), list("bb"), list("bb")])
    data = accord.read(table, wide=True)
    assert data.annotators == ("0", "1")
    array = accord.agree(table.to_numpy(), "alpha", orientation="items")
    assert array.value == accord.agree(data, "alpha").value
    from_long = pd.DataFrame([[1, "A", "x"], [1, "B", "y"]], columns=[7, "who", "said"])
    assert (
        accord.read(from_long, columns={"item": "7", "annotator": "who", "value": "said"}).n_items
        == 1
    )


def test_measures_take_what_verbs_take_and_refuse_another_shape(frame):
    assert accord.alpha(frame).value == accord.agree(frame, "alpha").value
    with pytest.raises(accord.UsageError, match="data of type int cannot be read"):
        accord.alpha(3)
    units = accord.from_tags([["B-x", "O"]])
    with pytest.raises(accord.RefusedError, match="alpha is for ratings, these data are units"):
        accord.alpha(units)


def test_no_reference_is_made_of_nothing(frame, tmp_path):
    empty = frame.assign(value=None)
    for source in (empty, pl.from_pandas(empty).lazy()):
        with pytest.raises(accord.InputError, match="no item has a value"):
            accord.gold(source)
        with pytest.raises(accord.InputError, match="no item has a value"):
            accord.gold_file(source, tmp_path / "gold.csv")


def test_frames_and_files_are_written_as_data_are(frame, tmp_path):
    for name, source in (("frame", frame), ("data", accord.read(frame))):
        accord.write(source, tmp_path / f"{name}.csv")
    assert (tmp_path / "frame.csv").read_text() == (tmp_path / "data.csv").read_text()
    accord.write(tmp_path / "frame.csv", tmp_path / "copy.parquet")
    assert accord.read(tmp_path / "copy.parquet").n_ratings == len(frame)


def test_preferences_of_any_frame():
    rows = {"judge": ["J", "J", "K"], "left": ["a", "b", "a"], "right": ["b", "c", "c"]}
    table = pd.DataFrame(rows | {"winner": ["a", "tie", None], "item": [1, 2, 3]})
    table["picture"] = [b"\x00"] * 3
    found = [
        accord.prefer(f, prior=0.5, resamples=10) for f in (table, pl.from_pandas(table).lazy())
    ]
    assert found[0].to_dict() == found[1].to_dict()
    with pytest.raises(accord.InputError, match=r"^the dataframe: has no column 'left'"):
        accord.prefer(table.drop(columns="left"))


def test_signatures_of_verbs_that_are_packages():
    for name in ("audit", "gold", "report"):
        assert "data" in inspect.signature(getattr(accord, name)).parameters


def test_what_is_shown_of_answers_is_short(frame, tmp_path):
    several = accord.agree(frame, ["alpha", "gamma"])
    assert all(len(repr(result)) < 120 for result in several)
    assert "or one of" in str(several[1])
    made = accord.gold_file(frame, tmp_path / "gold.csv")
    assert repr(made) == "FileReference(majority, 38 of 40 items with a value, in gold.csv)"
    ratings, units = accord.read(frame), accord.read(EXAMPLES / "claims.csv")
    judged = accord.judge(frame, "Ana", positive="positive")
    shown = [
        *accord.enrolled(),
        *accord.audit(frame),
        *accord.align(units),
        accord.agree(frame, "alpha", ci="auto").interval,
        accord.Study(accord.find("alpha"), ratings),
        judged.judges[0],
        accord.simulate.sample_size(ratings),
    ]
    assert all(len(repr(one)) < 260 for one in shown), max(map(repr, shown), key=len)
    assert repr(accord.find("alpha")) == "<Measure alpha: Krippendorff's α, agree on ratings>"


def test_names_and_alignments_given_in_the_wrong_way():
    units = accord.read(EXAMPLES / "claims.csv")
    with pytest.raises(accord.UsageError, match="annotators must be a list of names, got 3"):
        units.select(annotators=3)
    with pytest.raises(accord.UsageError, match=r"alignment\.to_frame\(units, 'polars'\)"):
        accord.align(units)[0].to_frame("polars")


SLIPS = [
    (lambda f: accord.agree(f, accord.alpha), "measure must be a word or a list of names"),
    (lambda f: accord.find(3), "named by a word"),
    (lambda f: accord.agree(f, "alpha", by=3), "by must be a word or a list of names"),
    (lambda f: accord.agree(f, "alpha", threshold="high"), "threshold must be a number"),
    (lambda f: accord.agree(f, "alpha", metric=3), "a matrix is a file, an array.*got int"),
    (lambda f: accord.agree(f, "alpha", metric=np.eye(2)), "must be 3 × 3.*got 2 × 2"),
    (lambda f: accord.agree(f, "alpha", ci="auto", seed=-1), "seed must be at least 0"),
    (lambda f: accord.agree(f, "alpha", ci="auto", level="95%"), "level must be a number"),
    (lambda f: accord.interval(f), "result must be a result, got DataFrame"),
    (lambda f: accord.compare(f, f), "must be a result, got DataFrame"),
    (lambda f: accord.gold(f, 3), "method must be a word, got 3"),
    (lambda f: accord.gold(f, threshold="x"), "threshold must be a number"),
    (lambda f: accord.gold(f, weights=["Ana"]), "weights must be a mapping of numbers"),
    (lambda f: accord.gold(f, "mace", seed=1.5), "seed must be a whole number"),
    (
        lambda f: accord.gold(EXAMPLES / "claims.csv", keeps=0.5),
        "no option keeps; did you mean keep",
    ),
    (lambda f: accord.rank(f, ["Ana"], level=2), "the level must be between 0 and 1"),
    (lambda f: accord.judge(f, None), "data of type NoneType cannot be read"),
    (lambda f: accord.align(EXAMPLES / "claims.csv", jobs=0), "jobs must be a number of workers"),
    (lambda f: accord.read(f, annotators=1), "annotators must be a list of names, got 1"),
    (lambda f: accord.read(f).to_frame("excel"), "no dataframe library is called 'excel'"),
]


@pytest.mark.parametrize(("slip", "message"), SLIPS)
def test_values_of_the_wrong_kind_are_named(frame, slip, message):
    with pytest.raises(accord.AccordError, match=message):
        slip(frame)


def test_nothing_asked_for_is_nothing(frame):
    plain = accord.agree(frame, "alpha").value
    assert accord.agree(frame, "alpha", by=None, threshold=None, ci=None).value == plain


def test_a_prior_without_limit_is_refused():
    rows = {"judge": ["J", "K"], "left": ["a", "b"], "right": ["b", "a"], "winner": ["a", "b"]}
    with pytest.raises(accord.UsageError, match="prior must be a number from 0, got inf"):
        accord.prefer(pd.DataFrame(rows), prior=math.inf)
