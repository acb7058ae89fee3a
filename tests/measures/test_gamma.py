"""γ and its relatives: chance, corpora, coverage, what must not matter."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord.chance import MODELS, PAPERS, ChanceModel
from accord.chance.pool import Pool
from accord.data import Units
from accord.data.continuum import documents_of
from accord.errors import InputError, UsageError
from accord.measures.gamma.proposals import propose_delta, propose_matrix
from accord.report import alignment_svg
from tests.alignment.test_alignment import random_units
from tests.told import told

MEASURES = ["gamma", "holistic", "gamma-cat"]


def corpus(documents: int = 4, n: int = 3, p: int = 6, noise: float = 0.25) -> Units:
    return Units.from_rows(
        [
            (f"d{k}", u.annotator, u.start, u.end, u.label)
            for k in range(documents)
            for u in random_units(n, p + k, seed=k, noise=noise)
        ],
        categories=["x", "y", "z"],
    )


@pytest.mark.parametrize("measure", MEASURES)
def test_identical_annotators_agree_perfectly(measure):
    one = [(0, 5, "x"), (8, 11, "y"), (20, 31, "x"), (24, 26, "z")]
    data = Units.from_rows([("d", a, s, e, c) for a in "ABC" for s, e, c in one])
    assert accord.agree(data, measure).value == 1.0


def test_value_is_one_minus_observed_over_expected():
    result = accord.agree(corpus(), "gamma", expected="document", ci="none")
    assert result.value == pytest.approx(1 - result.observed / result.expected)
    assert result.terms["proven"]
    assert result.interval is None
    low, high = result.terms["sampling"]["low"], result.terms["sampling"]["high"]
    assert low < result.value < high
    rows = accord.agree(corpus(), "gamma", expected="document", by=["document"]).by["document"]
    one = accord.agree(corpus().select(documents=["d1"]), "gamma")
    assert rows[1]["observed"] == pytest.approx(one.observed)
    # one document says nothing about others: what chance sampling adds is no interval of the value
    alone = accord.agree(corpus().select(documents=["d1"]), "gamma", ci="auto")
    assert alone.interval is None
    (said,) = (w for w in alone.warnings if "it takes several documents" in w)
    # Student's t of 29 degrees of freedom, for 30 samples
    half = 2.045 * alone.terms["sampling"]["error"]
    assert said.endswith(f"another random seed would move the value by about {half:.2g}")
    assert alone.terms["sampling"]["low"] < one.value < alone.terms["sampling"]["high"]
    # documents are weighted by their units per annotator
    weights = np.array([6, 7, 8, 9])
    observed = np.array([r["observed"] for r in rows])
    assert result.observed == pytest.approx(weights @ observed / weights.sum())


@pytest.mark.parametrize("method", ["auto", "jackknife", "bootstrap", "analytic"])
def test_every_interval_holds_the_sampling_of_chance(method):
    """The same data with less samples of chance: every kind of interval is wider."""
    from dataclasses import replace

    from accord.uncertainty import interval

    result = accord.agree(corpus(12), "gamma", samples=6)
    known = replace(result, sample=replace(result.sample, noise=None))
    both, alone = (interval(r, method).interval for r in (result, known))
    variance = result.terms["sampling"]["error"] ** 2
    assert both.high - both.low > 1.02 * (alone.high - alone.low)
    if method in ("jackknife", "analytic"):
        assert both.error**2 == pytest.approx(alone.error**2 + variance)


@pytest.mark.parametrize("measure", [*MEASURES, "gamma-k"])
def test_same_number_for_any_number_of_workers(measure):
    data = corpus(3)
    alone, together = (accord.agree(data, measure, jobs=j, samples=8) for j in (1, 2))
    several = lambda r: [x.value for x in (r if isinstance(r, tuple) else (r,))]  # noqa: E731
    np.testing.assert_array_equal(several(alone), several(together))


@pytest.mark.parametrize("chance", [*MODELS, "min"])
def test_chance_does_not_depend_on_place_scale_or_names(chance):
    data = corpus(4)
    rows = [
        (r.document, "ZYX"[int(r.annotator[1])], r.start * 0.25 + 512, r.end * 0.25 + 512, r.label)
        for r in data
    ]
    moved = Units.from_rows(rows[::-1], categories=["x", "y", "z"])
    for measure in ("gamma", "holistic"):
        a, b = (accord.agree(d, measure, chance=chance, samples=6) for d in (data, moved))
        assert a.observed == pytest.approx(b.observed, rel=1e-6)
        assert a.value == pytest.approx(b.value, rel=1e-6)


def test_min_is_the_severest():
    data = corpus(4)
    each = {
        name: accord.agree(data, "holistic", chance=name, samples=10).expected for name in PAPERS
    }
    least = accord.agree(data, "holistic", chance="min", samples=10)
    assert least.expected == pytest.approx(min(each.values()))
    assert least.terms["chance"] == [min(each, key=each.get)]


def test_random2_needs_documents():
    data = corpus(2)
    with pytest.raises(InputError, match="at least 3 documents"):
        accord.agree(data, "gamma", chance="random2")
    result = accord.agree(data, "holistic", chance="min", samples=4)
    assert any("random2" in w for w in result.warnings)


def test_precision_is_really_reached():
    data = corpus(1)
    result = accord.agree(data, "gamma", precision=0.02)
    assert result.terms["samples"] > 30
    assert result.terms["precision"] <= 0.02 * 1.001


def test_ground_truth_annotators_make_chance():
    rows = [("d", a, s, s + 4, c) for a in "AB" for s, c in ((0, "x"), (9, "y"), (30, "x"))]
    rows += [("d", "C", s, s + 90, "z") for s in (0, 200, 400)]
    data = Units.from_rows(rows)
    free, bound = (accord.agree(data, "gamma", ground_truth=g) for g in (None, ("A", "B")))
    assert free.observed == bound.observed
    assert free.expected != bound.expected
    assert "ground-truth:A+B" in bound.signature


def test_coverage_counts():
    rows = [("d", a, s, s + 4, "x") for a in "AB" for s in (0, 10, 20)]
    saw = Units.from_rows(rows, coverage=[("d", "C"), ("e", "C")])
    did_not = Units.from_rows(rows, coverage=[("e", "C")])
    assert accord.agree(did_not, "gamma").value == 1.0
    assert accord.agree(saw, "gamma").value < 1.0
    assert any("fewer than two" in w for w in accord.agree(did_not, "gamma").warnings)


@pytest.mark.parametrize("measure", MEASURES)
def test_undefined_has_a_sentence(measure):
    nothing = Units.from_rows([], coverage=[("d", "A"), ("d", "B")])
    result = accord.agree(nothing, measure)
    assert math.isnan(result.value)
    assert "nobody marked" in result.undefined
    alone = Units.from_rows([("d", "A", 0, 4, "x")])
    assert "by two people" in accord.agree(alone, measure).undefined


def test_gamma_k_and_gamma_cat_by_hand():
    """Two aligned pairs at distance 0, one with equal labels: weights 1, disagreement 1/2."""
    rows = [("d", "A", 0, 10, "x"), ("d", "A", 20, 30, "x")]
    rows += [("d", "B", 0, 10, "x"), ("d", "B", 20, 30, "y")]
    data = Units.from_rows(rows)
    assert accord.agree(data, "gamma-cat").observed == 0.5
    by = {r.terms["category"]: r for r in accord.agree(data, "gamma-k")}
    assert by["x"].observed == 0.5
    assert by["y"].observed == 1.0
    assert (by["x"].n, by["y"].n) == (3, 1)


def test_breakdowns():
    result = accord.agree(
        corpus(3), "gamma", samples=5, by=["document", "category", "annotator", "pair"]
    )
    assert [len(result.by[k]) for k in ("document", "category", "annotator", "pair")] == [3] * 4
    assert all(r["value"] <= 1 for r in result.by["category"])
    bootstrap = accord.agree(corpus(3), "gamma", samples=5, ci="bootstrap").interval
    assert bootstrap.method == "bootstrap:document"


def test_wrong_chance():
    with pytest.raises(UsageError, match="chance must be"):
        accord.agree(corpus(1), "gamma", chance="dice")
    with pytest.raises(UsageError, match="expected must be"):
        accord.agree(corpus(1), "gamma", expected="world")


@pytest.mark.parametrize("name", MODELS)
def test_generators_keep_what_they_promise(name):
    data = corpus(5, noise=0.3)
    continua = tuple(d.continuum for d in documents_of(data))
    model = ChanceModel(
        name=name,
        templates=continua[:1],
        sources=continua,
        pool=Pool.gather(continua[:1]),
        annotators=3,
        seed=4,
        key=2,
    )
    observed = continua[0]
    lengths = np.sort(observed.end - observed.start)
    for index in range(5):
        one, again = model.draw(index), model.draw(index)
        assert one.annotators == 3
        assert (one.start == again.start).all()
        assert (one.end > one.start).all()
        size = np.sort(one.end - one.start)
        if name == "random1":
            assert one.counts.tolist() == observed.counts.tolist()
            assert size[0] >= lengths[0]
            assert size[-1] <= lengths[-1]
            assert one.start.min() >= observed.low
            assert one.end.max() <= observed.high + 1e-9
        elif name == "rotation":
            assert one.counts.tolist() == observed.counts.tolist()
            np.testing.assert_allclose(size, lengths)
        elif name == "shuffle":
            assert one.counts.tolist() == observed.counts.tolist()
            near = np.abs(size[:, None] - lengths[None, :]).min(axis=1)
            assert near.max() < 1e-9
            assert one.start.min() >= observed.low
        elif name == "statistical":
            near = np.abs(size[:, None] - lengths[None, :]).min(axis=1)
            assert near.max() < 1e-9


def test_proposals():
    rng = np.random.default_rng(0)
    rows = []
    for k in range(40):
        s = 50.0 * k + rng.uniform(0, 20)
        rows.append(("d", "A", s, s + 10, "xyz"[k % 3]))
        # x and y are often confused, z never; boundaries move by up to 2 of 10
        label = {"x": "y", "y": "x"}.get("xyz"[k % 3], "z") if k % 2 else "xyz"[k % 3]
        rows.append(("d", "B", s + rng.uniform(-2, 2), s + 10 + rng.uniform(-2, 2), label))
    data = Units.from_rows(rows)
    table = propose_matrix(data)
    assert table[0, 1] < 1 == table[0, 2] == table[1, 2]
    assert (table == table.T).all()
    delta = propose_delta(data)
    assert 0 < delta.value < 1
    assert delta.observed == 1.0
    assert delta.chance < 0.6


def test_repeated_units_are_kept_and_said():
    rows = [("d", "A", 0, 4, "x"), ("d", "A", 0, 4, "x"), ("d", "B", 0, 4, "x")]
    data = Units.from_rows(rows)
    assert len(data) == 3
    assert "1 repeated units count (`duplicates=first`)" in told(data)
    assert accord.agree(data, "gamma").observed > 0


def test_repeated_units_of_a_table_count_once_or_are_kept(accord_command, table):
    rows = "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\nd,A,0,4,x\nd,A,0,4,y\n"
    path = table(rows, "u.csv")
    assert len(accord.read(path)) == 3
    kept = {how: len(accord.read(path, duplicates=how)) for how in ("first", "last", "keep")}
    assert kept == {"first": 3, "last": 3, "keep": 4}
    assert any(
        "1 repeated unit, the same again" in n for n in told(accord.read(path, duplicates="first"))
    )
    done = accord_command("agree", path, "--measure", "gamma")
    assert "1 repeated unit" in done.stdout


@pytest.mark.parametrize(
    ("corpus_name", "folder"),
    [("casa_stuttering", ""), ("spam_music", "upper"), ("salami_music", "lowercase")],
)
def test_real_corpora_run_end_to_end(shared, corpus_name, folder):
    place = shared / "units" / corpus_name / folder
    data = accord.read(
        place / "spans.csv", coverage=place / "coverage.csv", documents=place / "documents.csv"
    )
    result = accord.agree(data, "gamma", samples=5)
    assert result.terms["proven"]
    assert 0 < result.value < 1


def test_unknown_coverage_is_counted_and_can_be_told():
    rows = [("d", a, s, s + 4, "x") for a in "AB" for s in (0, 10, 20)]
    rows += [("e", "A", 5, 9, "x"), ("e", "B", 5, 9, "x"), ("f", "C", 1, 3, "x")]
    data = Units.from_rows(rows)
    assert data.assumed
    assert not data.notes
    (assumed,) = data.reading.to_dict()["assumed"]
    assert assumed["otherwise"] == "--seen marked"
    assert "1 of 9 pairs of document and annotator has no unit where the others" in assumed["why"]
    marked = data.covered("marked")
    assert not marked.assumed
    assert not marked.reading.to_dict()["assumed"]
    assert int(marked.coverage.sum()) == 5
    assert accord.agree(marked, "gamma").value == 1.0
    assert accord.agree(data, "gamma").value < 1.0
    assert data.covered([("f", "A")]).coverage[2].tolist() == [True, False, True]
    assert data.covered("all").coverage.all()
    with pytest.raises(UsageError, match="seen must be"):
        data.covered("some")
    told = Units.from_rows(rows, coverage=[("d", "C")])
    assert not told.assumed
    assert not told.reading.to_dict()["assumed"]


def test_tables_of_single_annotators_do_not_say_what_they_saw():
    """Joined, they are as one table: a document that only one marked was seen by all."""
    from accord.data.join import joined

    one = Units.from_rows([("d", "A", 0, 4, "x"), ("e", "A", 0, 4, "x")])
    two = Units.from_rows([("d", "B", 0, 4, "x")])
    both = joined([one, two])
    assert both.coverage.all()
    assert both.assumed
    (assumed,) = both.reading.to_dict()["assumed"]
    assert "1 of 4 pairs of document and annotator has no unit (B in 'e')" in assumed["why"]


def test_a_document_without_units_is_drawn_and_reported(tmp_path):
    from accord.report import draw, report

    rows = [("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")]
    data = Units.from_rows(rows, lengths={"d": 9, "e": 7}, coverage=[("e", "A"), ("e", "B")])
    aligned = accord.align(data)
    assert [len(a) for a in aligned] == [1, 0]
    for name in ("a.html", "a.svg"):
        draw(data, aligned if name == "a.html" else aligned[1]).save(tmp_path / name)
    assert "nobody marked a unit here" in (tmp_path / "a.svg").read_text()
    page = report(data)
    page.save(tmp_path / "r.html")


def test_soft_gamma_has_its_own_chance():
    """One long unit for two short ones: soft, it serves both, in the data and by chance."""
    rows = [("d", "A", s, s + 8, "x") for s in (0, 30, 60)]
    rows += [("d", "B", s + k, s + k + 4, "x") for s in (0, 30, 60) for k in (0, 4)]
    data = Units.from_rows(rows, lengths={"d": 100})
    exact = accord.agree(data, "gamma")
    soft = accord.agree(data, "gamma", alignment="soft")
    assert soft.observed < exact.observed
    assert soft.expected < exact.expected
    assert "alignment:soft" in soft.signature
    (drawn,) = accord.align(data, method="soft")
    assert soft.observed == pytest.approx(drawn.disorder)


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat", "gamma-k", "holistic"])
def test_a_dissimilarity_of_ones_own(measure):
    near = lambda u, v: min(2.0, abs(u[0] - v[0]) / 4)  # noqa: E731
    data = corpus(2, n=2)
    found = accord.agree(data, measure, dissimilarity=near, samples=5)
    for result in found if isinstance(found, tuple) else (found,):
        assert "function:<lambda>" in result.signature
    for wrong in (
        lambda u, v: u[0] - v[0],
        lambda u, v: float("nan"),
        lambda u, v: u[0] + 2 * v[0],
        lambda u, v: "far",
        lambda u, v: None,
    ):
        with pytest.raises(UsageError, match="dissimilarity"):
            accord.agree(data, measure, dissimilarity=wrong, samples=3)


def test_seen_is_told_when_reading(table, accord_command):
    import polars as pl

    rows = "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\nd,C,0,4,x\ne,A,5,9,x\ne,B,5,9,x\n"
    path = table(rows, "u.csv")
    pairs = table("document,annotator\ne,C\n", "who.csv")
    sizes = {
        how: int(accord.read(path, seen=how).coverage.sum())
        for how in ("all", "marked", str(pairs))
    }
    assert sizes == {"all": 6, "marked": 5, str(pairs): 6}
    (assumed,) = accord.read(path).reading.to_dict()["assumed"]
    assert assumed["what"] == "who marked nothing in a document saw it"
    assert "1 of 6 pairs of document and annotator has no unit (C in 'e')" in assumed["why"]
    assert not accord.read(path, seen="marked").reading.to_dict()["assumed"]
    frame = pl.DataFrame({"document": ["e"], "annotator": ["C"]})
    for seen in ({"e": ["C"]}, [("e", "C")], frame):
        assert int(accord.read(path, seen=seen).coverage.sum()) == 6
    done = accord_command("agree", path, "--measure", "gamma", "--seen", "marked", "--json")
    assert done.returncode == 0, done.stderr
    assert '"value": 1.0' in done.stdout
    done = accord_command("agree", path, "--measure", "gamma", "--seen", "nobody")
    assert done.returncode == 2
    assert "--seen must be all, marked or a file" in done.stderr


def test_a_table_of_who_saw_what_may_name_whom_and_what_the_units_do_not(table):
    """A document in which nobody marked anything, and an annotator who marked nothing, are data."""
    path = table(
        "document,annotator,start,end,label\nd,A,0,4,x\nd,B,0,4,x\ne,A,5,9,x\ne,B,5,9,x\n", "u.csv"
    )
    pairs = [("d", "A"), ("d", "B"), ("e", "A"), ("e", "B"), ("f", "A"), ("f", "B"), ("d", "C")]
    data = accord.read(path, seen=pairs)
    assert data.documents == ("d", "e", "f")
    assert data.annotators == ("A", "B", "C")
    assert data.coverage.tolist() == [[True] * 3, [True, True, False], [True, True, False]]
    (note,) = told(data)
    assert "1 document ('f') and 1 annotator ('C') without any unit" in note
    # C disagrees in d, and nowhere else
    rows = accord.agree(data, "gamma", by=["document"]).by["document"]
    assert [row["observed"] > 0 for row in rows[:2]] == [True, False]
    # people are renamed in both tables
    assert accord.read(path, seen=[("d", "A")], rename={"A": "Z"}).annotators == ("B", "Z")


@pytest.mark.parametrize(
    "measure",
    ["gamma", "u-alpha", "bar-u-alpha", "cu-alpha", "alpha-u", "atomized-alpha", "pairwise-f1"],
)
def test_who_saw_what_is_signed_and_asked_by_every_measure(measure):
    """Where the number depends on it, the signature has it, and from Python it is no secret either."""
    rows = [("d", a, 0, 4, "x") for a in "ABC"] + [("e", a, 5, 9, "xy"[a > "A"]) for a in "AB"]
    data = Units.from_rows(rows, lengths={"d": 20, "e": 20})
    asked, marked = (accord.agree(d, measure) for d in (data, data.covered("marked")))
    assert asked.value != marked.value or measure == "cu-alpha"
    assert "|seen:all|" in asked.signature
    assert "|seen:marked|" in marked.signature
    assert "1 of 6 pairs" in data.reading.to_dict()["assumed"][0]["why"]


@pytest.mark.parametrize(
    ("said", "unit", "shown"),
    [
        ("s", "seconds", "1:00"),
        ("ms", "milliseconds", None),
        ("char", "characters", None),
        ("", None, None),
    ],
)
def test_a_table_of_lengths_says_what_offsets_count(
    table, accord_command, tmp_path, said, unit, shown
):
    """Time is drawn in minutes and seconds without being asked for, and a conversion keeps it."""
    path = table("document,annotator,start,end,label\nd,A,0,80,x\nd,B,0,90,x\n", "u.csv")
    lengths = table(f"document,length,unit\nd,95,{said}\n", "lengths.csv")
    data = accord.read(path, lengths=lengths)
    assert data.unit == unit
    picture = alignment_svg(data, accord.align(data)[0])
    assert (">1:00<" in picture) == (shown is not None)
    out = tmp_path / "again" / "u.csv"
    out.parent.mkdir()
    done = accord_command("convert", path, out, "--lengths", lengths)
    assert done.returncode == 0, done.stderr
    assert accord.read(out).unit == unit
    mixed = table("document,length,unit\nd,95,s\ne,95,ms\n", "mixed.csv")
    assert accord.read(path, lengths=mixed).unit is None


def test_coverage_and_lengths_are_pairs_mappings_or_frames():
    import pandas as pd
    import polars as pl

    rows = [("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")]
    frame = pd.DataFrame(rows, columns=["document", "annotator", "start", "end", "label"])
    who = {"document": ["d", "e"], "annotator": ["C", "A"]}
    sizes = {"document": ["d", "e"], "length": [9, 8]}
    for coverage, lengths in (
        ([("d", "C"), ("e", "A")], {"d": 9, "e": 8}),
        ({"d": ["C"], "e": ["A"]}, pd.DataFrame(sizes)),
        (pd.DataFrame(who), pl.DataFrame(sizes)),
        (pl.DataFrame(who), {"d": 9, "e": 8}),
    ):
        for data in (
            Units.from_rows(rows, coverage=coverage, lengths=lengths),
            Units.from_frame(frame, coverage=coverage, lengths=lengths),
        ):
            assert data.annotators == ("A", "B", "C")
            assert data.coverage.tolist() == [[True] * 3, [True, False, False]]
            assert data.lengths.tolist() == [9, 8]
    for wrong in (3, [("d",)], pd.DataFrame({"document": ["d"]})):
        with pytest.raises(UsageError, match="coverage"):
            Units.from_rows(rows, coverage=wrong)
    for wrong in (3, pd.DataFrame({"document": ["d"]})):
        with pytest.raises(UsageError, match="lengths"):
            Units.from_rows(rows, lengths=wrong)


def test_frames_in_and_out():
    import pandas as pd

    frame = pd.DataFrame(
        {"who": ["A", "B"], "start": [0, 1], "end": [4, 4], "type": ["x", "y"], "n": ["1", None]}
    )
    data = Units.from_frame(frame, annotator="who", label="type", lengths={"document": 9})
    assert data.categories == ("x", "y")
    assert data.to_frame().columns.tolist() == ["document", "annotator", "start", "end", "label"]
    assert "<table" in data._repr_html_()
    with pytest.raises(InputError, match="no column 'nobody'"):
        Units.from_frame(frame, annotator="nobody")
    (aligned,) = accord.align(data)
    found = aligned.to_frame(data)
    assert found["annotator"].tolist() == ["A", "B"]
    assert found["alignment"].nunique() == len(aligned)
    matrix = {"x": {"x": 0, "y": 0.5}, "y": {"x": 0.5, "y": 0}}
    given = [matrix, pd.DataFrame(matrix), np.array([[0, 0.5], [0.5, 0]])]
    assert len({accord.align(data, matrix=m)[0].disorder for m in given}) == 1
    with pytest.raises(UsageError, match="does not name the label"):
        accord.align(data, matrix={"x": {"x": 0}})


def test_a_refused_measure_does_not_lose_the_others(table, accord_command):
    rows = "document,annotator,start,end,label\nd,A,0,9,x\nd,A,2,4,x\nd,B,1,9,x\nd,B,18,22,y\n"
    path = table(rows, "u.csv")
    done = accord_command("agree", path, "--measure", "gamma", "--measure", "u-alpha", "--json")
    assert done.returncode == 0, done.stderr
    one, two = json.loads(done.stdout)["results"]
    assert one["measure"] == "gamma"
    assert one["value"] is not None
    assert two["value"] is None
    assert "overlapping units" in two["undefined"]
    assert "--overlap" in two["undefined"]
    done = accord_command("agree", path, "--measure", "u-alpha")
    assert done.returncode == 2
    done = accord_command("agree", path, "--measure", "u-alpha", "--measure", "cu-alpha")
    assert done.returncode == 2


@pytest.mark.parametrize("chance", [*MODELS, "min"])
@pytest.mark.parametrize("measure", ["gamma", "gamma-cat", "gamma-k", "holistic"])
@settings(max_examples=6, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    shift=st.sampled_from([0.0, -64.0, 4096.0]),
    scale=st.sampled_from([0.125, 1.0, 32.0]),
    known=st.booleans(),
)
def test_no_chance_model_depends_on_place_scale_names_or_order(
    chance, measure, seed, shift, scale, known
):
    """Values are the same for the axis moved (where no length ties it to 0) or stretched, for people
    of other names in the same order, and for rows in any order."""
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(3):
        for a in "ABC":
            start = np.sort(
                rng.choice(np.arange(0, 240, 4), int(rng.integers(1, 6)), replace=False)
            )
            rows += [
                (f"d{d}", a, float(s), float(s + rng.integers(2, 30)), "xyz"[int(rng.integers(3))])
                for s in start
            ]
    shift = 0.0 if known else shift
    other = [
        (d, f"person {a}", s * scale + shift, e * scale + shift, c)
        for d, a, s, e, c in [rows[i] for i in rng.permutation(len(rows))]
    ]
    lengths = [{f"d{d}": 280 * f for d in range(3)} if known else None for f in (1, scale)]
    found = [
        accord.agree(
            Units.from_rows(r, lengths=n, categories=["x", "y", "z"]),
            measure,
            chance=chance,
            samples=4,
        )
        for r, n in zip((rows, other), lengths, strict=True)
    ]
    one, two = ([x.value for x in (r if isinstance(r, tuple) else (r,))] for r in found)
    np.testing.assert_allclose(one, two, rtol=1e-6, atol=1e-9)


def test_what_is_not_proven_leaves_an_interval():
    """Bounds of the observed and of the drawn alignments: what proofs would give lies between them."""
    data = random_units(4, 12, seed=3, noise=None, spread=2.0)
    sure = accord.agree(data, "gamma", samples=4, ci=None)
    assert sure.terms["proven"]
    assert "proof_interval" not in sure.terms
    with pytest.MonkeyPatch.context() as patch:
        from accord.alignment import packing

        patch.setattr(packing, "_NODES", 0)
        patch.setattr(packing, "_TEMPERATURES", (0.3,))
        short = accord.agree(data, "gamma", samples=4, time_limit=1e-9, ci=None)
        categories = accord.agree(data, "gamma-cat", samples=4, time_limit=1e-9, ci=None)
    assert not short.terms["proven"]
    low, high = short.terms["proof_interval"]
    assert low < high
    assert low - 0.01 <= sure.value <= high + 0.01
    assert any(f"between {low:.3f} and {high:.3f}" in w for w in short.warnings)
    assert any("not known" in w for w in categories.warnings)
