"""Edges that a wrong operator would pass: none of these was noticed when it was broken on purpose."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import accord
from accord.data import Ratings, Segments, Units
from accord.errors import InputError, UsageError
from accord.gold import worklist
from accord.measures.ratings.alpha import alpha
from accord.uncertainty.mean import mean_sample
from accord.uncertainty.scale import scale_of

LABELS = Ratings.from_matrix([list("aabbcca"), list("aabbcab"), list("abbbcac")])
UNITS = Units.from_rows(
    [
        ("d", who, s, s + 4, "xy"[k % 2])
        for who in "AB"
        for k, s in enumerate((0, 10, 20 + ord(who) % 2))
    ]
)


# --- what may be asked of which data --------------------------------------------------------------------


def test_a_measure_of_another_shape_is_refused():
    for data, measure in ((LABELS, "gamma"), (UNITS, "alpha"), (LABELS, "accuracy")):
        with pytest.raises(UsageError):
            accord.agree(data, measure)


@pytest.mark.parametrize(
    "option",
    [{"known": {"i": "x"}}, {"groups": {"g": ["A"]}}, {"weights": {"A": 2.0}}, {"threshold": 0.5}],
)
def test_options_of_references_of_ratings_are_refused_one_by_one(option):
    with pytest.raises(UsageError, match="for ratings"):
        accord.gold(UNITS, **option)


@pytest.mark.parametrize("weight", [-1.0, math.inf, math.nan])
def test_a_weight_of_an_annotator_is_a_number_from_zero(weight):
    with pytest.raises((InputError, UsageError)):
        accord.gold(LABELS, weights={LABELS.annotators[0]: weight})


# --- what is resampled is the value ---------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["gamma", "gamma-cat", "holistic"])
def test_the_sample_of_gamma_is_its_value(measure):
    found = accord.agree(UNITS, measure, samples=4)
    scored = found.sample.score(found.sample.totals())
    assert scored["value"][0] == pytest.approx(found.value)
    assert scored["observed"][0] == pytest.approx(found.observed)
    assert scored["expected"][0] == pytest.approx(found.expected)
    # the error of a mean of N samples has N − 1 degrees of freedom
    assert found.sample.noise[1] == max(1, found.terms["samples"] - 1)
    low, high = found.terms["sampling"]["low"], found.terms["sampling"]["high"]
    assert low <= found.value <= high


def test_krippendorffs_bootstrap_has_the_pairs_of_the_data():
    data = Ratings.from_matrix([list("aabb"), list("abbb"), ["a", None, "b", None]])
    deviations, chances, pairs = alpha(data).sample.deviations()
    assert pairs == 3 + 1 + 3 + 1
    assert chances.sum() == pytest.approx(1)
    # nominal: a pair agrees (0) or is 1/D_e away; the mean deviation is D_o/D_e
    found = alpha(data)
    assert set(np.round(deviations * found.expected, 9)) == {0.0, 1.0}
    assert float(deviations @ chances) == pytest.approx(found.observed / found.expected)


def test_weights_move_the_ranks_of_the_ordinal_metric():
    """An item of weight two is two items, for the marginal that the ranks come from too."""
    rows = [[1, 2, 3, 3, 1, 2], [1, 3, 3, 2, 1, 1]]
    twice = [[*row, row[1], row[3]] for row in rows]
    import pandas as pd

    frame = pd.DataFrame(
        [
            {"item": i, "who": a, "value": float(v), "weight": 2.0 if i in (1, 3) else 1.0}
            for a, row in enumerate(rows)
            for i, v in enumerate(row)
        ]
    )
    weighted = Ratings.from_frame(frame, annotator="who", weight="weight")
    for metric in ("ordinal", "interval", "nominal"):
        one, two = (
            alpha(weighted, metric=metric),
            alpha(Ratings.from_matrix(twice, orientation="annotators"), metric=metric),
        )
        assert one.value == pytest.approx(two.value), metric


def test_a_mean_of_samples_is_the_mean_of_their_values():
    one, two, three = LABELS.annotators
    pairs = ((one, two), (two, three))
    parts = [accord.agree(LABELS.select(annotators=pair), "alpha") for pair in pairs]
    joint = mean_sample([p.sample for p in parts])
    assert joint.value(joint.counts[None, :].astype(float))[0] == pytest.approx(
        np.mean([p.value for p in parts])
    )
    # samples of different documents: what one lacks adds nothing
    docs = [
        accord.agree(UNITS.select(annotators=["A", "B"]), "u-alpha", length=40.0),
        accord.agree(
            Units.from_rows([("e", w, 0, 5 + ord(w) % 3, "x") for w in "AB"]),
            "u-alpha",
            length=30.0,
        ),
    ]
    joint = mean_sample([d.sample for d in docs])
    assert joint.value(joint.counts[None, :].astype(float))[0] == pytest.approx(
        np.mean([d.value for d in docs])
    )
    assert sorted(joint.weight.tolist()) == sorted(
        float(w) for d in docs for w in d.sample.weight.tolist()
    )


# --- scales and tests -----------------------------------------------------------------------------------


def test_scales():
    assert (scale_of("alpha").low, scale_of("alpha").high) == (-1.0, 1.0)
    assert (scale_of("accuracy").low, scale_of("accuracy").worst) == (0.0, 0.0)
    assert math.isinf(scale_of("kl").high)
    assert (scale_of("kl").low, scale_of("kl").best) == (0.0, 0.0)
    assert scale_of("kappa").low == -1.0
    assert scale_of("nobody").low == -math.inf


def test_two_systems_with_the_same_answers_do_not_differ():
    reference = Ratings.from_matrix([list("aabbaabb")], annotators=["reference"])
    one = Ratings.from_matrix([list("aabbabab")], annotators=["one"])
    same, other = accord.score(reference, one), accord.score(reference, one)
    assert accord.compare(same, other).p == 1.0
    two = Ratings.from_matrix([list("bbbbaabb")], annotators=["two"])
    b, c = 2, 2
    p = min(1.0, 2 * stats.binom.cdf(min(b, c), b + c, 0.5))
    assert accord.compare(same, accord.score(reference, two)).p == pytest.approx(p)


# --- signatures, terms and sentences --------------------------------------------------------------------


def test_beta_is_signed_when_it_is_not_one():
    two = Ratings.from_matrix([list("aabb")], annotators=["s"])
    reference = Ratings.from_matrix([list("abbb")], annotators=["reference"])
    for measure in ("f1-macro", "f1-micro"):
        assert "beta" not in accord.score(reference, two, measure).signature
        assert "beta:2" in accord.score(reference, two, measure, beta=2.0).signature
    found = accord.score(reference, two, "f1-macro")
    assert "value" not in found.terms
    assert {"P", "R", "F"} <= set(found.terms)


def test_unanimity_says_what_it_does():
    kept = accord.gold(LABELS, "unanimity")
    assert any("the easiest" in w for w in kept.warnings)
    assert int((kept.code < 0).sum()) == kept.terms["abstained"] > 0


def test_a_worklist_names_its_reasons_and_is_strict():
    split = Ratings.from_matrix(
        [list("aab"), list("abb"), list("acc"), list("adc")], orientation="annotators"
    )
    made = accord.gold(split, ties="abstain")
    sure = [float(c) for c in made.confidence]
    rows = worklist(made, confidence=min(sure))
    assert all("low confidence" not in row["reason"] for row in rows if "tie" not in row["reason"])
    rows = worklist(made, confidence=1.01)
    assert len(rows) == 3
    assert all("low confidence" in row["reason"] for row in rows)


def test_agreement_of_groups_with_many_values():
    """Beyond fifty values the sum is taken in another order; the value is the same."""
    from accord.evaluation.groups import cross_replication

    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 90, (2, 120)), rng.integers(0, 90, (2, 120))
    many = [
        Ratings.from_matrix(m.astype(float).tolist(), orientation="annotators")
        for m in (first, second)
    ]
    x, y = first.ravel(), second.ravel()
    apart = np.mean([a != b for i in range(120) for a in first[:, i] for b in second[:, i]])
    chance = np.mean(x[:, None] != y[None, :])
    assert cross_replication(*many).value == pytest.approx(1 - apart / chance)


def test_semeval_takes_the_right_pair_rather_than_two_wrong_ones():
    reference = Units.from_rows([("d", "r", 0, 10, "x"), ("d", "r", 10, 20, "y")])
    system = Units.from_rows([("d", "s", 0, 14, "x"), ("d", "s", 3, 8, "z")])
    found = accord.score(reference, system, "semeval-type")
    assert (found.terms["COR"], found.terms["POS"], found.terms["ACT"]) == (1, 2, 2)


def test_a_tolerance_counts_near_spans_in_the_errors_too():
    reference = Units.from_rows([("d", "r", 0, 10, "x"), ("d", "r", 30, 40, "y")])
    system = Units.from_rows([("d", "s", 1, 10, "x"), ("d", "s", 30, 40, "z")])
    strict = accord.score(reference, system, "f1", by="error").by["error"]
    loose = accord.score(reference, system, "f1", tolerance=1.0, by="error").by["error"]
    wrong = [{row["error"]: row["count"] for row in rows} for rows in (strict, loose)]
    assert wrong[0]["wrong boundary"] == 1
    assert "wrong boundary" not in wrong[1]
    assert [w["wrong label"] for w in wrong] == [1, 1]


def test_untyped_boundaries_are_one_type():
    data = Segments.from_masses([("d", "A", [3, 4, 5]), ("d", "B", [3, 5, 4])])
    assert accord.agree(data, "boundary-pi").value == pytest.approx(
        accord.agree(data, "boundary-kappa").value, abs=0.05
    )


# --- what is proven, and what is not --------------------------------------------------------------------


def test_a_programme_that_was_stopped_says_what_is_missing(monkeypatch):
    """Neither the bound of the solver nor the ceiling that was known before may be overstated."""
    from types import SimpleNamespace

    from accord.alignment import programme

    class Part(SimpleNamespace):
        def __len__(self):
            return len(self.gain)

    part = Part(
        gain=np.array([4.0, 3.0, 2.0]),
        one=2.0,
        offsets=np.array([0, 2, 4, 5]),
        member=np.array([0, 1, 1, 2, 2]),
        units=3,
        sizes=np.array([2, 2, 1]),
    )
    held = np.array([-1, -1, 2], dtype=np.int32)
    for chosen, floor, optimal, ceiling, gap in (
        (np.array([True, False, True]), -3.5, False, 9.0, 1.0),
        (np.array([True, False, True]), -3.5, False, 6.5, 0.5),
        (np.array([True, False, True]), -3.0, True, 9.0, 0.0),
        (None, -3.5, False, 9.0, 5.0),
        (np.array([True, False, True]), -2.0, False, 9.0, 0.0),
    ):
        answer = SimpleNamespace(chosen=chosen, floor=floor, optimal=optimal)
        monkeypatch.setattr(programme, "cheapest_sets", lambda *a, _found=answer, **k: _found)
        got, missing = programme.solve_programme(part, held, ceiling=ceiling, deadline=None)
        assert missing == pytest.approx(gap)
        assert got.tolist() == ([0, 0, 2] if chosen is not None else [-1, -1, 2])
    # no time left: what is held, against the ceiling
    got, missing = programme.solve_programme(part, held, ceiling=9.0, deadline=0.0)
    assert (got is held, missing) == (True, 7.0)


def test_gamma_by_category_counts_that_category():
    rows = [
        ("d", w, s, s + 4, c) for w in "AB" for s, c in ((0, "x"), (10, "x"), (20, "y"), (30, "z"))
    ]
    rows += [("d", "A", 40, 44, "x"), ("d", "B", 41, 44, "y")]
    data = Units.from_rows(rows)
    found = accord.agree(data, "gamma", samples=3, by="category").by["category"]
    assert {row["category"]: row["n"] for row in found} == {"x": 5, "y": 3, "z": 2}
    # one category is never confused, the others are: γ-cat is about all of them
    each = {r.terms["category"]: r.value for r in accord.agree_each(data, "gamma-k", samples=3)}
    assert each["z"] == pytest.approx(1.0)
    assert accord.agree(data, "gamma-cat", samples=3).value < 1


# --- one annotator, no time, no spread ------------------------------------------------------------------


@pytest.mark.parametrize(
    "measure",
    ["kappa", "conger", "light", "alpha", "fleiss", "ac1", "icc-a", "kendall-w", "ccc", "aickin"],
)
def test_agreement_needs_two(measure):
    alone = Ratings.from_matrix([[1.0, 2.0, 3.0]], annotators=["only"])
    with pytest.raises(InputError, match="at least two annotators"):
        accord.agree(alone, measure)


def test_by_time():
    import pandas as pd

    rows = [(i, w, "ab"[(i + (w == "B" and i == 3)) % 2], "early" if i < 3 else "late")
            for i in range(6) for w in "AB"]  # fmt: skip
    frame = pd.DataFrame(rows, columns=["item", "annotator", "value", "time"])
    found = accord.agree(frame, "percent", by="time").by["time"]
    assert [(r["time"], r["value"]) for r in found] == [
        ("early", 1.0),
        ("late", pytest.approx(2 / 3)),
    ]
    with pytest.raises(UsageError, match="no time or batch column"):
        accord.agree(LABELS, "percent", by="time")


def test_progress_is_told():
    told = []
    accord.gold(LABELS, "glad", progress=lambda done, of: told.append((done, of)))
    assert told == sorted(told)
    assert len({done for done, _ in told}) > 5
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]


# --- γ: what is told besides the value ------------------------------------------------------------------


def test_what_gamma_tells_of_chance_and_of_the_fast_method():
    found = accord.agree(UNITS, "gamma", samples=5)
    assert found.sample.noise[0] == pytest.approx(found.terms["sampling"]["error"] ** 2)
    for measure, objective in (("gamma", "gamma"), ("holistic", "holistic")):
        (drawn,) = accord.align(UNITS, objective=objective)
        told = accord.agree(UNITS, measure, samples=3).terms
        assert told["greedy"] == pytest.approx(drawn.greedy)
    steps = []
    accord.agree(UNITS, "gamma", samples=5, progress=lambda done, of: steps.append((done, of)))
    assert all(0 <= done <= of for done, of in steps)
    assert [d for d, _ in steps] == sorted(d for d, _ in steps)


def test_a_stopped_soft_alignment_still_covers_every_unit(monkeypatch):
    from accord.alignment import soft

    monkeypatch.setattr(soft, "cheapest_sets", lambda *a, **k: (None, 0.0, False))
    (found,) = accord.align(UNITS, method="soft")
    assert sorted(found.members[found.members >= 0].tolist()) == list(range(len(UNITS)))
    assert found.gap > 0


def test_proposed_distances_of_units(tmp_path):
    from accord.measures.gamma.proposals import propose_matrix, write_matrix

    with pytest.raises(UsageError, match="fewer than two categories"):
        propose_matrix(Units.from_rows([("d", w, 0, 5, "x") for w in "AB"]))
    rows = [("d", w, s, s + 5, c) for w, c in (("A", "x"), ("B", "y")) for s in (0, 20, 41)]
    rows += [("d", w, s, s + 5, "z") for w in "AB" for s in (60, 80)]
    swapped = [(d, "BA"["AB".index(w)], s, e, c) for d, w, s, e, c in rows]
    one, two = (propose_matrix(Units.from_rows(r)) for r in (rows, swapped))
    assert one == pytest.approx(two)
    assert one[0, 1] == pytest.approx(one[1, 0])
    assert one[0, 1] < 1
    path = tmp_path / "m.csv"
    write_matrix(path, ["x", "y", "z"], one)
    lines = path.read_text().splitlines()
    assert lines[0] == ",x,y,z"
    assert [line.split(",")[0] for line in lines[1:]] == ["x", "y", "z"]
    assert float(lines[1].split(",")[2]) == pytest.approx(one[0, 1], rel=1e-3)


# --- sentences and signatures ---------------------------------------------------------------------------


def test_a_wrong_shape_is_named():
    with pytest.raises(UsageError, match="gamma is for units, these data are ratings"):
        accord.agree(LABELS, "gamma")
    with pytest.raises(UsageError, match="scores a system against a reference"):
        accord.agree(LABELS, "accuracy")
    with pytest.raises(UsageError, match="has no option"):
        accord.agree(LABELS, "alpha", flavour=1)


def test_scales_of_measures_without_a_least_value():
    assert scale_of("icc-1").low == -math.inf
    assert scale_of("aickin").low == 0.0


def test_hard_answers_are_named_where_the_clip_decides():
    reference = Ratings.from_matrix([list("aabb"), list("abbb")])
    system = Ratings.from_matrix([list("abab")], annotators=["s"])
    for measure in ("cross-entropy", "kl"):
        assert any(
            "made by the clip" in w for w in accord.score(reference, system, measure).warnings
        )
    assert not any("clip" in w for w in accord.score(reference, system, "jsd").warnings)


def test_the_target_of_a_correlation_is_signed_when_there_is_a_choice():
    system = Ratings.from_matrix([[1.0, 2, 3, 3]], annotators=["s"])
    one = Ratings.from_matrix([[1.0, 2, 2, 3]], annotators=["reference"])
    two = Ratings.from_matrix([[1.0, 2, 2, 3], [1.0, 1, 2, 3]])
    for measure in ("pearson", "spearman"):
        assert "target" not in accord.score(one, system, measure).signature
        assert "target:majority" in accord.score(two, system, measure).signature


def test_virtual_items_agree_or_dissent():
    reference = Ratings.from_matrix([list("aabbc")], annotators=["reference"])
    system = Ratings.from_matrix([list("abbbc")], annotators=["s"])
    virtual = accord.score(reference, system, "accuracy").sample.virtual()
    right = [second is None for _, second in virtual.names]
    assert sum(right) == 3
    assert right == sorted(right, reverse=True)
    assert virtual.rows[:, 0].tolist() == [float(r) for r in right]
    for (agreed, _), base in zip(virtual.names, virtual.base.tolist(), strict=True):
        assert virtual.names[base] == (agreed, None)


def test_one_text_under_two_names_is_one_document():
    text = {"one": "a fox ran"}
    reference = Units.from_rows([("one", "r", 2, 5, "x")], texts=text)
    system = Units.from_rows([("two", "s", 2, 5, "x")], texts={"two": "a fox ran"})
    found = accord.score(reference, system, "f1")
    assert found.value == 1.0
    assert any("has the text of 'one'" in w for w in found.warnings)


def test_a_worklist_of_a_consensus_is_strict():
    data = Units.from_rows(
        [("d", w, 0, 5, "x") for w in "ABC"] + [("d", w, 10, 15, "y") for w in "AB"]
    )
    made = accord.gold(data)
    least = min(row["confidence"] for row in made.considered)
    assert made.worklist(confidence=least) == [] or all(
        row.get("confidence", 0) < least for row in made.worklist(confidence=least)
    )
    assert made.worklist(confidence=1.01)


def test_nested_mentions_are_flattened_before_they_are_unitized():
    from accord.data import Chains

    data = Chains.from_clusters({("d", w): [[(0, 9), (2, 4)], [(20, 24)]] for w in ("A", "B")})
    assert accord.agree(data, "mention-u-alpha", length=40.0).value == pytest.approx(1.0)


def test_beyond_the_end_of_a_scale_there_is_nothing():
    from accord.uncertainty.spread import of_few

    best = of_few(1.0, 5, 0.95, scale_of("accuracy"), "x")
    assert (best.below(1.0), best.high) == (1.0, 1.0)
    assert 0 < best.below(best.low) < 0.5
    worst = of_few(0.0, 5, 0.95, scale_of("accuracy"), "x")
    assert (worst.below(-0.1), worst.low) == (0.0, 0.0)
    assert 0.5 < worst.below(worst.high) < 1


def test_nothing_held_out_leaves_the_confidence_as_it_is():
    from accord.gold.confidence import _temperature

    assert _temperature(np.empty((0, 2)), np.empty((0, 2))) == 1.0


def test_the_spread_of_ranks_is_from_the_best_to_the_worst(monkeypatch):
    from tests.conftest import ROOT

    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    import valence

    found = valence.protocol(classes=5, paired=False, resamples=10)
    for name, spread in found.terms["rank_spread"].items():
        ranks = [row["rank"] for row in found.systems if row["system"] == name]
        assert (spread["best_rank"], spread["worst_rank"]) == (min(ranks), max(ranks))
        assert min(ranks) < max(ranks)
    assert found.terms["unanimous"] <= 1


def test_a_weak_majority_is_to_be_looked_at():
    made = accord.gold(
        Ratings.from_matrix(
            [["a", "a"], ["a", "a"], ["b", "a"], ["c", "a"], ["d", "b"]], orientation="annotators"
        )
    )
    rows = {row["item"]: row for row in worklist(made, confidence=0.0)}
    assert [("weak majority" in row["reason"]) for row in rows.values()] == [True]
    (weak,) = rows.values()
    sure = float(np.asarray(made.confidence)[0])
    assert weak["confidence"] == round(sure, 6)
    assert weak["gain"] == round(1 - sure, 6)


def test_an_error_is_of_the_span_that_is_meant():
    """The span with the same label is the one that was meant, though another shares more text."""
    reference = Units.from_rows([("d", "r", 0, 10, "x")])
    system = Units.from_rows([("d", "s", 0, 8, "z"), ("d", "s", 5, 10, "x")])
    found = accord.score(reference, system, "f1", by="error").by["error"]
    assert {row["error"]: row["count"] for row in found if row["count"]} == {
        "wrong boundary": 1,
        "spurious": 1,
    }


@pytest.mark.parametrize("people", [1, 3])
def test_a_study_of_judges_can_be_told(people):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 60)
    rows = [np.where(rng.random(60) < 0.15, 1 - truth, truth) for _ in range(people + 2)]
    names = [f"P{i}" for i in range(people)] + ["m1", "m2"]
    data = Ratings.from_matrix(
        [["no" if v else "yes" for v in row] for row in rows],
        annotators=names,
    )
    study = accord.judge(data, ["m1", "m2"], resamples=50)
    told = study.to_dict()
    assert [j["judge"] for j in told["judges"]] == ["m1", "m2", "panel"]
    for answer, judge in zip(told["judges"], study.judges, strict=True):
        assert (answer["alt_test"] is None) == (people == 1)
        assert answer["corrected"]["value"] == pytest.approx(judge.corrected.value)
    assert "m1" in repr(study) or "2" in repr(study)
    assert study.to_frame(backend="polars").height == 3


def test_merging_keeps_an_order_that_it_does_not_break():
    grades = Ratings.from_matrix([["low", "mid", "high", "top"]] * 2).to_frame()

    def merged(**merge):
        return accord.read(grades, categories="low<mid<high<top", merge=merge)

    assert merged(upper=["high", "top"]).ordered
    assert merged(upper=["high", "top"]).labels == ("low", "mid", "upper")
    broken = merged(ends=["low", "top"])
    assert not broken.ordered
    assert "order" in broken.reading.provenance.left_out[0].what


def test_decisions_that_cannot_hold_are_named_and_the_others_hold(tmp_path):
    """An item that is not there, a value that is not declared: said, and what comes after still counts."""
    data = Ratings.from_matrix(
        [list("abab"), list("abba")], items=["i1", "i2", "i3", "i4"], categories=["a", "b"]
    )
    path = tmp_path / "decided.csv"
    path.write_text("item,decision\ni0,a\ni3,q\ni4,b\n")
    made = accord.gold(data, decisions=path)
    said = " ".join(made.warnings)
    assert "i0" in said
    assert "cannot hold" in said
    assert "i3: q" in said
    assert made.written(list(data.items).index("i4")) == "b"
    assert made.terms["decided"] == 1


def test_judges_by_class_and_two_by_two():
    names = [f"i{k}" for k in range(12)]
    people = list("aaaaaabbbbbb")
    one, two = list("aaaaabbbbbba"), list("aaabbbbbbbbb")
    data = Ratings.from_matrix([people, one, two], annotators=["P", "m1", "m2"], items=names)
    told = accord.judge(data, ["m1", "m2"], positive="a", resamples=50).to_dict()
    by_class = {row["value"]: row for row in told["judges"][0]["classes"]}
    assert by_class["a"]["sensitivity"] == pytest.approx(5 / 6)
    assert by_class["a"]["precision"] == pytest.approx(5 / 6)
    assert by_class["b"]["sensitivity"] == pytest.approx(5 / 6)
    assert by_class["a"]["specificity"] == pytest.approx(5 / 6)
    pair = next(row for row in told["comparisons"] if {row["a"], row["b"]} == {"m1", "m2"})
    assert (pair["error_a"], pair["error_b"], pair["items"]) == (pytest.approx(2 / 12), 3 / 12, 12)
