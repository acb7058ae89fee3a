"""Models as annotators: the corrected rate, the right to replace people, groups of annotators."""

from __future__ import annotations

import json
from itertools import pairwise, product

import numpy as np
import pytest

from accord.data import Units
from accord.data.tables import ratings_from_long
from accord.errors import InputError, UsageError
from accord.evaluation import alt_test
from accord.evaluation.alternative import EPSILONS
from accord.evaluation.discoveries import benjamini_hochberg, benjamini_yekutieli
from accord.evaluation.groups import compare_groups, cross_replication
from accord.evaluation.judges import estimate, judge
from accord.evaluation.judges.labels import Labels
from accord.evaluation.judges.needed import needed, next_items
from accord.evaluation.judges.people import people_interval
from tests.told import told


def labels(pattern, more, people=1):
    """(count, judge's answer, the people's answers) rows, and (yes, no) of unlabelled items."""
    f, item, person, score = [], [], [], []
    for count, said, votes in pattern:
        for _ in range(count):
            for h, vote in enumerate(votes):
                item.append(len(f))
                person.append(h)
                score.append(float(vote))
            f.append(float(said))
    f += [1.0] * more[0] + [0.0] * more[1]
    return Labels(
        f=np.array(f), item=np.array(item), person=np.array(person), score=np.array(score),
        people=tuple("abc"[:people]), items=list(range(len(f))), target="rate", positive="1",
    )  # fmt: skip


# 17 yes/yes, 3 human yes judge no, 8 human no judge yes, 72 no/no; 900 more, judge yes on 270
WORKED = labels([(17, 1, [1]), (3, 0, [1]), (8, 1, [0]), (72, 0, [0])], (270, 630))
# three people: 25 items the judge says yes to, 75 no; 900 more
THREE = labels(
    [
        (15, 1, [1, 1, 1]), (3, 1, [1, 1, 0]), (2, 1, [1, 0, 0]), (5, 1, [0, 0, 0]),
        (1, 0, [1, 1, 1]), (2, 0, [0, 1, 0]), (4, 0, [0, 0, 1]), (68, 0, [0, 0, 0]),
    ],
    (270, 630),
    people=3,
)  # fmt: skip


@pytest.mark.parametrize(
    ("method", "value", "low", "high"),
    [
        (estimate.human, 0.2, 0.13337, 0.28883),
        (estimate.ppi, 0.25, 0.17911, 0.32089),
        (estimate.ppi_plus, 0.225939, 0.166414, 0.285463),
        (estimate.post_stratified, 0.2288, 0.165318, 0.295130),
        (estimate.rogan_gladen, 0.266667, 0.175038, 0.379107),
    ],
)
def test_the_worked_example(method, value, low, high):
    found = method(WORKED, 0.95)
    assert found.value == pytest.approx(value, abs=1e-6)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-5)


def test_the_terms_of_the_worked_example():
    assert estimate.ppi_plus(WORKED, 0.95).terms["lambda"] == pytest.approx(0.518774, abs=1e-6)
    terms = estimate.rogan_gladen(WORKED, 0.95).terms
    assert (terms["sensitivity"], terms["specificity"]) == pytest.approx((0.85, 0.9))


def test_ppi_equals_ppi_python():
    """ppi-python 0.2.3: ppi_mean_pointestimate and ppi_mean_ci(alpha=.05), with and without lam=1.

    120 labelled items (34 yes, the judge 47 yes, 30 of them shared), 800 more of which 297 yes.
    """
    data = labels([(30, 1, [1]), (17, 1, [0]), (4, 0, [1]), (69, 0, [0])], (297, 503))
    tuned, plain = estimate.ppi_plus(data, 0.95), estimate.ppi(data, 0.95)
    assert tuned.value == pytest.approx(0.27280133, abs=1e-8)
    assert tuned.ends == pytest.approx((0.207713, 0.33788966), abs=1e-7)
    assert plain.value == pytest.approx(0.26291667, abs=1e-8)
    assert plain.ends == pytest.approx((0.1832468, 0.34258653), abs=1e-7)


def test_several_people_per_item():
    found = estimate.post_stratified(THREE, 0.95)
    strata = estimate.strata_of(THREE)
    worth = estimate.effective(strata.n, strata.rho, strata.s2, strata.labels_per_item)
    assert found.value == pytest.approx(0.236667, abs=1e-6)
    assert worth == pytest.approx([137.793, 30.5502], abs=1e-3)
    assert found.ends == pytest.approx((0.179329, 0.290587), abs=1e-6)
    without = [estimate.post_stratified(THREE.without(h), 0.95).value for h in range(3)]
    assert without == pytest.approx([0.2323, 0.2347, 0.2430], abs=1e-4)
    people = people_interval(THREE, found, estimate.post_stratified, 0.95)
    assert (people.low, people.high) == pytest.approx((0.178874, 0.294459), abs=1e-6)


def test_one_person_has_no_interval_for_people():
    found = estimate.post_stratified(WORKED, 0.95)
    assert people_interval(WORKED, found, estimate.post_stratified, 0.95) is None


def test_labels_that_a_width_takes():
    found = needed(WORKED, 0.1, 0.95)
    assert (found.labels, found.more, found.reachable) == (162, 62, True)
    assert found.least_width == pytest.approx(0.052070, abs=1e-6)
    assert needed(WORKED, 0.1, 0.95, finite=True).labels == 123
    assert not needed(WORKED, 0.05, 0.95).reachable
    with pytest.raises(UsageError, match="width"):
        needed(WORKED, 0.0, 0.95)


def test_labels_that_a_width_takes_at_scale():
    """Prevalence .2, se .85, sp .9, W .06, M 3000: 399; people alone 683; best allocation 333."""
    data = labels([(170, 1, [1]), (30, 0, [1]), (80, 1, [0]), (720, 0, [0])], (500, 1500))
    found = needed(data, 0.06, 0.95)
    assert (found.labels, found.people_alone, found.best_allocation) == (399, 683, 333)


def test_next_items_come_from_the_unsure_stratum():
    chosen = next_items(WORKED, 10)
    assert len(set(chosen)) == 10
    assert all(WORKED.m[i] == 0 for i in chosen)
    # where the judge says yes a label tells more than where it says no and people never disagree
    sure = labels([(20, 1, [1]), (20, 1, [0]), (60, 0, [0])], (300, 300))
    assert all(sure.f[i] == 1 for i in next_items(sure, 10))


def test_nobody_said_yes_still_has_a_width():
    data = labels([(10, 1, [0]), (90, 0, [0])], (90, 810))
    found = estimate.post_stratified(data, 0.95)
    assert found.value == 0
    assert found.interval.low == 0
    assert found.interval.high > 0.01


def test_an_answer_that_nobody_checked_is_wide_and_said():
    data = labels([(50, 0, [0]), (50, 0, [1])], (500, 400))
    found = estimate.post_stratified(data, 0.95)
    assert found.interval.high - found.interval.low > 0.4
    assert any("no person labelled" in w for w in found.warnings)


def test_a_finite_population_is_narrower():
    plain, finite = (
        estimate.post_stratified(WORKED, 0.95, finite=exact) for exact in (False, True)
    )
    assert finite.interval.low > plain.interval.low
    assert finite.interval.high < plain.interval.high


def test_a_judge_no_better_than_chance_has_no_rogan_gladen():
    data = labels([(5, 1, [1]), (5, 0, [1]), (50, 1, [0]), (40, 0, [0])], (500, 400))
    found = estimate.rogan_gladen(data, 0.95)
    assert np.isnan(found.value)
    assert found.interval is None
    assert "no better than chance" in found.reason


def test_rates_that_contradict_each_other_have_no_interval():
    # the judge never says yes wrongly on labelled items, hardly ever says yes on the others
    data = labels([(50, 1, [1]), (25, 0, [0]), (25, 1, [0])], (10, 3000))
    found = estimate.rogan_gladen(data, 0.95)
    assert found.interval is None
    assert found.reason == "these rates contradict each other"


def test_weights_undo_an_unequal_choice():
    """Items the judge flags were labelled four times as often; weights bring the rate back."""
    rng = np.random.default_rng(5)
    gaps = []
    for _ in range(60):
        truth = rng.random(3000) < 0.2
        f = np.where(rng.random(3000) < np.where(truth, 0.85, 0.1), 1.0, 0.0)
        chance = np.where(f > 0, 0.2, 0.05)
        seen = np.flatnonzero(rng.random(3000) < chance)
        data = Labels(
            f=f, item=seen, person=np.zeros(len(seen), dtype=np.int64),
            score=truth[seen].astype(float), people=("a",), items=list(range(3000)),
            target="rate", positive="1", weights=1 / chance,
        )  # fmt: skip
        gaps.append(estimate.weighted(data, 0.95).value - truth.mean())
    assert abs(np.mean(gaps)) < 0.01


def test_strata_add_up():
    whole = estimate.post_stratified(WORKED, 0.95)
    from dataclasses import replace

    half = replace(WORKED, stratum=np.arange(1000) % 2, strata=("even", "odd"))
    found = estimate.stratified(half, 0.95, estimate.post_stratified)
    assert found.value == pytest.approx(whole.value, abs=0.02)
    lost = replace(WORKED, stratum=(np.arange(1000) >= 500).astype(int), strata=("x", "y"))
    with pytest.raises(InputError, match="'y'"):
        estimate.stratified(lost, 0.95, estimate.post_stratified)


def test_coverage_of_the_default_interval():
    """A small version of benchmarks/coverage.py: 400 campaigns each, within three standard errors."""
    rng = np.random.default_rng(11)
    for prevalence, se, sp in ((0.1, 0.8, 0.9), (0.4, 0.7, 0.95)):
        hits = 0
        for _ in range(400):
            truth = rng.random(1000) < prevalence
            f = (rng.random(1000) < np.where(truth, se, 1 - sp)).astype(float)
            data = Labels(
                f=f, item=np.arange(100), person=np.zeros(100, dtype=np.int64),
                score=truth[:100].astype(float), people=("a",), items=list(range(1000)),
                target="rate", positive="1",
            )  # fmt: skip
            low, high = estimate.post_stratified(data, 0.95).ends
            hits += low <= prevalence <= high
        assert hits / 400 > 0.917


# --- the whole answer --------------------------------------------------------------------------


def campaign(people=4, items=400, labelled=120, judges=(("gpt", 0.85, 0.9),), seed=3):
    rng = np.random.default_rng(seed)
    truth = rng.random(items) < 0.3
    rows = []
    for i in range(items):
        for name, se, sp in judges:
            rows.append(
                (f"i{i}", name, "yes" if rng.random() < (se if truth[i] else 1 - sp) else "no")
            )
        if i < labelled:
            for h in range(people):
                p = 0.9 if truth[i] else 0.08
                rows.append((f"i{i}", f"h{h}", "yes" if rng.random() < p else "no"))
    return rows


def table_of(rows):
    return ratings_from_long(*map(list, zip(*rows, strict=True)))


def test_one_answer_holds_everything():
    found = judge(table_of(campaign()), "gpt", width=0.1)
    (one,) = found.judges
    assert one.target == "rate of yes"
    assert one.corrected.method == "post-stratified"
    assert one.corrected.interval.low < one.corrected.value < one.corrected.interval.high
    assert one.corrected.interval_people.low < one.corrected.interval.low
    assert {r["value"] for r in one.classes} == {"yes", "no"}
    assert sum(r["n"] for r in one.confusion) == pytest.approx(120)
    assert 0 < one.agreement.with_humans.value < 1
    assert one.agreement.among_humans is not None
    assert one.alt_test.passed
    assert one.needed.labels > 0
    assert "may stand in" in one.verdict
    assert found.corrected is one.corrected


def test_agreement_is_percent_agreement():
    from accord.measures.ratings.urns import percent

    data = table_of(campaign(people=3))
    found = judge(data, "gpt").judges[0].agreement
    people = data.select(annotators=["h0", "h1", "h2"])
    assert found.among_humans.value == pytest.approx(percent(people).value)
    by_hand = []
    said = {k: v for k, a, v in campaign(people=3) if a == "gpt"}
    for k, a, v in campaign(people=3):
        if a != "gpt":
            by_hand.append(v == said[k])
    assert found.with_humans.value == pytest.approx(np.mean(by_hand))


def test_one_person_is_said_to_be_one():
    found = judge(table_of(campaign(people=1)), "gpt").judges[0]
    assert found.agreement.among_humans is None
    assert found.alt_test is None
    assert found.corrected.interval_people is None
    assert any("one unvalidated person" in w for w in found.warnings)


def test_few_labels_claim_only_the_people():
    data = table_of(campaign(labelled=20))
    found = judge(data, "gpt")
    assert found.corrected.method == "human"
    named = judge(data, "gpt", method="post-stratified").judges[0]
    assert named.corrected.method == "post-stratified"
    assert any("20 labelled items" in w for w in named.warnings)


def test_everything_labelled_is_the_people_alone():
    assert judge(table_of(campaign(items=100, labelled=100)), "gpt").corrected.method == "human"


def test_items_chosen_by_the_judge_are_noticed():
    rows = campaign(items=2000, labelled=0)
    flagged = [k for k, _, v in rows if v == "yes"][:150]
    clear = [k for k, _, v in rows if v == "no"][:50]
    rng = np.random.default_rng(0)
    rows += [(k, "ann", "yes" if rng.random() < 0.7 else "no") for k in flagged]
    rows += [(k, "ann", "yes" if rng.random() < 0.05 else "no") for k in clear]
    found = judge(table_of(rows), "gpt").judges[0]
    assert found.selection["p"] < 0.01
    assert any("not a random sample" in w for w in found.warnings)
    told = judge(table_of(rows), "gpt", sampling="by-judge").judges[0]
    assert not any("not a random sample" in w for w in told.warnings)
    assert told.corrected.method == "post-stratified"
    assert judge(table_of(rows), "gpt", sampling="by-class").corrected.method == "rogan-gladen"


def chosen_by_judge(rng, items=2000):
    """A judge of .85 and .90, whose yes was sent to people four times as often; the rate is .20."""
    truth = rng.random(items) < 0.2
    said = rng.random(items) < np.where(truth, 0.85, 0.1)
    seen = np.flatnonzero(rng.random(items) < np.where(said, 0.2, 0.05))
    words = np.array(["no", "yes"])
    rows = [(i, "gpt", words[int(said[i])]) for i in range(items)]
    return table_of(rows + [(int(i), "ann", words[int(truth[i])]) for i in seen])


def test_what_the_judge_chose_is_weighted_back():
    rng = np.random.default_rng(8)
    rates, found = [], []
    for _ in range(40):
        answer = judge(chosen_by_judge(rng), "gpt", sampling="by-judge", resamples=20).judges[0]
        rates.append(answer.corrected.people_alone.value)
        row = next(r for r in answer.classes if r["value"] == "yes")
        found.append([row["sensitivity"], row["specificity"], row["precision"]])
        for name in ("sensitivity", "specificity", "precision"):
            low, high = row[f"{name}_interval"]
            assert 0 <= low <= row[name] <= high <= 1
        assert "narrower" not in answer.verdict
    assert np.mean(rates) == pytest.approx(0.2, abs=0.015)
    # .2·.85 / (.2·.85 + .8·.1)
    assert np.mean(found, axis=0) == pytest.approx([0.85, 0.9, 0.68], abs=0.03)
    assert np.mean([row[0] for row in found]) < 0.92  # .95 where labels count alike


def test_agreement_counts_what_labels_stand_for():
    data = chosen_by_judge(np.random.default_rng(2))
    weighted = judge(data, "gpt", sampling="by-judge").judges[0].agreement
    (plain,) = judge(data, "gpt").judges
    cells = {r["value"]: r for r in judge(data, "gpt", sampling="by-judge").judges[0].classes}
    rate = judge(data, "gpt", sampling="by-judge").corrected.people_alone.value
    by_hand = rate * cells["yes"]["sensitivity"] + (1 - rate) * cells["yes"]["specificity"]
    assert weighted.with_humans.value == pytest.approx(by_hand)
    assert plain.agreement.with_humans.value < by_hand - 0.03
    assert weighted.kappa_x != pytest.approx(plain.agreement.kappa_x, abs=0.005)


def test_an_answer_without_labels_refuses_the_weights():
    rows = [(i, "gpt", "yes" if i % 3 == 0 else "no") for i in range(300)]
    rows += [(i, "ann", "yes" if i % 9 else "no") for i in range(0, 150, 3)]
    answer = judge(table_of(rows), "gpt", sampling="by-judge").judges[0]
    assert answer.corrected.people_alone.interval is None
    assert "no item of one answer" in answer.corrected.people_alone.reason
    assert all(r["sensitivity"] is None for r in answer.classes)
    assert answer.agreement.kappa_x is None
    assert "Beyond chance" not in answer.verdict
    json.dumps(answer.to_dict()["agreement"])


def test_each_answer_of_a_judge_is_a_stratum_where_answers_chose():
    """Of three answers b was sent to people, c hardly: as one stratum they misstate the rate of a."""
    rng = np.random.default_rng(4)
    values = []
    for _ in range(30):
        said = rng.choice(["a", "b", "c"], 3000, p=[0.2, 0.2, 0.6])
        share = {"a": 0.9, "b": 0.5, "c": 0.0}
        truth = rng.random(3000) < np.array([share[s] for s in said])
        sent = {"a": 0.2, "b": 0.4, "c": 0.05}
        seen = np.flatnonzero(rng.random(3000) < np.array([sent[s] for s in said]))
        rows = [(i, "gpt", s) for i, s in enumerate(said)]
        rows += [(int(i), "ann", "a" if truth[i] else "c") for i in seen]
        found = judge(table_of(rows), "gpt", positive="a", sampling="by-judge", resamples=20)
        values.append(found.corrected.value)
    assert np.mean(values) == pytest.approx(0.28, abs=0.01)


def test_methods_that_a_choice_makes_wrong_are_refused():
    data = chosen_by_judge(np.random.default_rng(2))
    for sampling, method in (
        ("by-judge", "rogan-gladen"), ("by-judge", "ppi"), ("by-class", "post-stratified"),
        ("by-class", "human"), ("weights", "rogan-gladen"),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=f"{method} is wrong with sampling='{sampling}'"):
            judge(data, "gpt", sampling=sampling, method=method)
    with pytest.raises(UsageError, match="whose answers chose"):
        judge(table_of(campaign(judges=(("a", 0.8, 0.9), ("b", 0.9, 0.9)))), ["a", "b"],
              sampling="by-judge")  # fmt: skip
    answer = judge(data, "gpt", sampling="by-class").judges[0]
    assert answer.corrected.people_alone.reason is not None
    assert all(r["precision"] is None for r in answer.classes)
    assert answer.classes[0]["sensitivity"] is not None


def test_a_coin_gains_nothing():
    """Votes of three people are not three items: by that count a coin narrowed the interval by 15 %."""
    rng = np.random.default_rng(6)
    claims = 0
    for _ in range(20):
        truth = rng.random(1000) < 0.3
        rows = [(i, "coin", "yes" if rng.random() < 0.5 else "no") for i in range(1000)]
        rows += [
            (i, f"h{h}", "yes" if rng.random() < (0.85 if truth[i] else 0.1) else "no")
            for i in range(150) for h in range(3)
        ]  # fmt: skip
        answer = judge(table_of(rows), "coin", resamples=20).judges[0]
        claims += "% narrower" in answer.verdict
    assert claims <= 2
    good = judge(table_of(campaign()), "gpt").judges[0]
    assert "% narrower than by people's labels alone" in good.verdict
    assert f"κ = {good.agreement.kappa_x:.2f} (people among themselves: α = " in good.verdict
    assert good.verdict.index("may stand in") < good.verdict.index("Beyond chance")


def test_models_among_people_are_named_by_the_alternative_test():
    rows = [(i, who, "ab"[(i * k) % 2]) for i in range(40) for k, who in
            enumerate(["ana", "bo", "claude-3", "gpt-4"], 1)]  # fmt: skip
    found = alt_test(table_of(rows), "gpt-4")
    assert any("names of models: 'claude-3'" in w for w in found.warnings)
    plain = table_of([(i, w.replace("claude-3", "cy"), v) for i, w, v in rows])
    assert not any("names of models" in w for w in alt_test(plain, "gpt-4").warnings)


def test_numbers_are_a_mean():
    rng = np.random.default_rng(2)
    rows = []
    for i in range(600):
        x = rng.integers(1, 6)
        rows.append((f"i{i}", "gpt", float(np.clip(x + rng.integers(-1, 2), 1, 5))))
        if i < 100:
            rows += [(f"i{i}", h, float(np.clip(x + rng.integers(-1, 2), 1, 5))) for h in "ab"]
    found = judge(table_of(rows), "gpt").judges[0]
    assert found.target == "mean"
    assert found.corrected.method == "ppi++"
    assert found.needed is None
    people = np.mean([v for _, a, v in rows if a != "gpt"])
    assert found.corrected.value == pytest.approx(people, abs=0.3)
    cautious = judge(table_of(rows), "gpt", method="post-stratified").corrected
    assert cautious.interval.high - cautious.interval.low > 0


def test_probabilities_are_read_as_probabilities():
    rng = np.random.default_rng(4)
    rows = []
    for i in range(500):
        p = rng.random()
        rows.append((f"i{i}", "model", round(float(p), 3)))
        if i < 200:
            rows.append((f"i{i}", "ann", float(rng.random() < p)))
    found = judge(table_of(rows), "model").judges[0]
    assert found.target == "rate of 1"
    assert found.calibration is not None
    assert len(found.calibration["bins"]) == 10
    assert found.calibration["ece"] < 0.15
    assert found.calibration["ece_if_calibrated"] > 0.02


def test_repeated_runs_are_one_item():
    rows = campaign(people=1)
    rows += [("i0", "gpt", "no"), ("i1", "gpt", "no")]
    data = ratings_from_long(*map(list, zip(*rows, strict=True)), duplicates="first")
    found = judge(data, "gpt").judges[0]
    assert found.repeats["items"] == 2
    twice = [*campaign(people=1), ("i0", "h0", "no")]
    data = ratings_from_long(*map(list, zip(*twice, strict=True)), duplicates="first")
    with pytest.raises(InputError, match="'h0' labels item 'i0' twice"):
        judge(data, "gpt")


def test_several_judges_share_their_errors():
    two = (("gpt", 0.85, 0.9), ("copy", 0.85, 0.9), ("other", 0.8, 0.8))
    rows = campaign(judges=two)
    said = {k: v for k, a, v in rows if a == "gpt"}
    rows = [(k, a, said[k] if a == "copy" else v) for k, a, v in rows]
    found = judge(table_of(rows), ["gpt", "copy", "other"])
    assert [a.judge for a in found.judges] == ["gpt", "copy", "other", "panel"]
    matrix = np.array(found.panel["correlation"])
    assert matrix[0, 1] == pytest.approx(1)
    assert 1 < found.panel["effective_number"] < 3
    same = next(r for r in found.comparisons if (r["a"], r["b"]) == ("gpt", "copy"))
    assert same["difference"] == 0
    assert same["p"] == 1
    # two systems on the same items, one p-value named by its test, corrected over the three pairs
    apart = next(r for r in found.comparisons if (r["a"], r["b"]) == ("gpt", "other"))
    assert apart["test"] == "swap-items"
    assert apart["family"] == 3
    assert apart["p"] <= apart["p_holm"] <= 1
    assert apart["interval"]["low"] <= apart["difference"] <= apart["interval"]["high"]


def test_two_judges_are_no_majority():
    two = (("gpt", 0.85, 0.9), ("other", 0.8, 0.8))
    panel = judge(table_of(campaign(judges=two)), ["gpt", "other"]).judges[-1]
    assert "two judges are no majority: where they differ, gpt decides" in panel.warnings


def test_warnings_speak_options_in_a_terminal(accord_command, table):
    """People labelled what the judge calls yes: the warning says which option tells so."""
    rows = campaign()
    said = {k: v for k, a, v in rows if a == "gpt"}
    flagged = {k for k, v in said.items() if v == "yes"}
    kept = [r for r in rows if r[1] == "gpt" or r[0] in flagged or r[0].endswith("7")]
    done = accord_command("judge", written(table, kept), "--judge", "gpt", "--positive", "yes")
    assert done.returncode == 0, done.stderr
    assert "--sampling by-judge" in done.stderr
    assert "sampling=" not in done.stderr


def test_a_model_among_the_people_is_asked_about():
    rows = campaign()
    rows = [(k, "claude-3" if a == "h0" else a, v) for k, a, v in rows]
    assert any("claude-3" in w for w in judge(table_of(rows), "gpt").warnings)


def test_bias_is_shown_by_group():
    rows = campaign(people=2)
    groups = {f"i{i}": "news" if i % 2 else "forum" for i in range(400)}
    found = judge(table_of(rows), "gpt", group=groups).judges[0]
    assert {r["group"] for r in found.bias} == {"news", "forum"}
    assert all(r["low"] <= r["bias"] <= r["high"] for r in found.bias)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"judge": "nobody"}, "no judge"),
        ({"judge": "gpt", "positive": "maybe"}, "nobody used"),
        ({"judge": "gpt", "method": "magic"}, "method must be one of"),
        ({"judge": ["gpt", "h0", "h1", "h2", "h3"]}, "no person is left"),
        ({"judge": "gpt", "group": "colour"}, "no column 'colour'"),
    ],
)
def test_bad_requests_say_why(options, words):
    with pytest.raises((InputError, UsageError), match=words):
        judge(table_of(campaign()), **options)


def test_no_shared_item_is_an_error_with_counts():
    rows = [(f"a{i}", "ann", "yes") for i in range(40)] + [
        (f"b{i}", "gpt", "no") for i in range(50)
    ]
    with pytest.raises(InputError, match="people labelled 40 items, the judge 50"):
        judge(table_of(rows), "gpt")


def test_labels_without_a_positive_one_are_listed():
    rows = [(k, a, "left" if v == "yes" else "right") for k, a, v in campaign()]
    with pytest.raises(UsageError, match="left"):
        judge(table_of(rows), "gpt")
    assert judge(table_of(rows), "gpt", positive="left").corrected.method == "post-stratified"


def located(system_shift, people=3, documents=40):
    rng = np.random.default_rng(9)
    rows = []
    for d in range(documents):
        starts = np.sort(rng.choice(90, 4, replace=False))
        for h in range(people):
            for s in starts:
                move = int(rng.random() < 0.3)
                rows.append((f"d{d}", f"h{h}", int(s) + move, int(s) + 5 + move, "x"))
        moved = [int(s) + system_shift for s in starts]
        rows += [(f"d{d}", "gpt", s, s + 5, "x") for s in moved]
    return Units.from_rows(rows)


def test_located_annotations_are_judged_too():
    good, bad = (judge(located(shift), "gpt").judges[0] for shift in (0, 40))
    assert good.alt_test.passed
    assert not bad.alt_test.passed
    assert good.rank[0]["rank"] == 1
    assert bad.rank[0]["rank"] == 4
    assert bad.agreement["with_humans"] < good.agreement["among_humans"]
    assert good.corrected is None


def test_who_marks_nothing_where_nobody_does_agrees():
    from accord.evaluation.located import document_scores

    rows = [("d1", a, 0, 5, "x") for a in ("h0", "h1", "h2", "gpt")]
    coverage = [(d, a) for d in ("d1", "d2") for a in ("h0", "h1", "h2", "gpt")]
    data = Units.from_rows(rows, coverage=coverage)
    people = data.select(annotators=["h0", "h1", "h2"])
    scores = document_scores(people, data.select(annotators=["gpt"]))
    assert scores.means.tolist() == [[1.0] * 4] * 2


# --- the alternative-annotator test -------------------------------------------------------------


def test_the_smallest_epsilon_is_where_the_verdict_turns():
    for seed in range(6):
        rows = campaign(people=3 + seed % 3, judges=(("gpt", 0.7, 0.85),), seed=seed)
        data = table_of(rows)
        people = data.select(annotators=[a for a in data.annotators if a != "gpt"])
        system = data.select(annotators=["gpt"])
        least = alt_test(people, system).smallest_epsilon
        for step, passes in ((1e-6, True), (-1e-6, False)):
            if 0 <= least + step < 1:
                assert alt_test(people, system, epsilon=least + step).passed is passes
        curve = alt_test(people, system).curve
        assert [e for e, _ in curve] == list(EPSILONS)
        assert all(a <= b for (_, a), (_, b) in pairwise(curve))


def test_a_verdict_near_epsilon_is_borderline():
    data = table_of(campaign(people=3, judges=(("gpt", 0.7, 0.85),), seed=1))
    people, system = data.select(annotators=["h0", "h1", "h2"]), data.select(annotators=["gpt"])
    least = alt_test(people, system).smallest_epsilon
    near = alt_test(people, system, epsilon=max(0.0, least + 0.01))
    assert any("borderline" in w for w in near.warnings)
    assert not any("borderline" in w for w in alt_test(people, system, epsilon=0.9).warnings)


def test_the_false_positive_rate_of_the_test_is_its_level():
    """A system that is exactly ε worse than people: rejected for at most q of the humans."""
    rng = np.random.default_rng(8)
    wins = 0
    for _ in range(300):
        difference = rng.choice([1.0, 0.0, -1.0], p=[0.3, 0.6, 0.1], size=60)  # mean .2
        error = difference.std(ddof=1) / np.sqrt(60)
        from scipy.special import stdtr

        wins += stdtr(59, (difference.mean() - 0.2) / error) <= 0.05
    assert wins / 300 < 0.09


def test_benjamini_yekutieli_by_definition():
    rng = np.random.default_rng(0)
    for _ in range(50):
        p = rng.random(5) ** 3
        m, q = 5, 0.2
        harmonic = sum(1 / i for i in range(1, m + 1))
        best = max(
            (k for k in range(1, m + 1) if np.sort(p)[k - 1] <= k * q / (m * harmonic)), default=0
        )
        cut = np.sort(p)[best - 1] if best else -1
        assert benjamini_yekutieli(p.tolist(), q) == [v <= cut for v in p]


def test_benjamini_hochberg_is_monotone_and_at_most_one():
    p = [0.9, 0.001, 0.02, 0.02, 0.7]
    adjusted = benjamini_hochberg(p)
    order = np.argsort(p, kind="stable")
    assert all(np.diff(np.array(adjusted)[order]) >= 0)
    assert max(adjusted) <= 1
    assert benjamini_hochberg([]) == []


# --- groups -------------------------------------------------------------------------------------


X = {1: "BB", 2: "BBB", 3: "AA", 4: "AAA", 5: "AB"}
Y = {1: "BB", 2: "AB", 3: "AB", 4: "AB", 5: "AA"}


def two_groups():
    rows = [
        (str(i), f"{g}{k}", c)
        for g, table in (("x", X), ("y", Y))
        for i, votes in table.items()
        for k, c in enumerate(votes)
    ]
    data = table_of(rows)
    return data, [data.select(annotators=[a for a in data.annotators if a[0] == g]) for g in "xy"]


def test_cross_replication_worked():
    data, (x, y) = two_groups()
    found = cross_replication(x, y)
    assert (found.observed, found.expected) == pytest.approx((0.409091, 0.5), abs=1e-6)
    assert found.value == pytest.approx(2 / 11)
    study = compare_groups(data, {a: a[0] for a in data.annotators}, permutations=49)
    one, two = study.groups
    assert (one["alpha"], two["alpha"]) == pytest.approx((0.694444, -0.08), abs=1e-6)
    assert one["gai"] == pytest.approx(3.8194, abs=1e-4)
    assert study.pairs[0]["normalised"] is None


def test_cross_replication_by_definition():
    rng = np.random.default_rng(1)
    for metric in ("nominal", "interval"):
        rows = [
            (str(i), f"{g}{k}", int(rng.integers(0, 4)))
            for i in range(8)
            for g in "xy"
            for k in range(int(rng.integers(1, 4)))
        ]
        data = table_of(rows)
        x, y = (data.select(annotators=[a for a in data.annotators if a[0] == g]) for g in "xy")
        values = {g: [(i, v) for i, a, v in rows if a[0] == g] for g in "xy"}

        def far(a, b, metric=metric):
            return float(a != b) if metric == "nominal" else float(a - b) ** 2

        R, S = len(values["x"]), len(values["y"])
        above = 0.0
        for i in {i for i, _, _ in rows}:
            one = [v for k, v in values["x"] if k == i]
            two = [v for k, v in values["y"] if k == i]
            total = sum(far(a, b) for a, b in product(one, two))
            above += (len(one) + len(two)) / (len(one) * len(two)) * total
        D_o = above / (R + S)
        D_e = sum(far(a, b) for (_, a), (_, b) in product(values["x"], values["y"])) / (R * S)
        assert cross_replication(x, y, metric=metric).value == pytest.approx(1 - D_o / D_e)


def test_a_group_apart_is_found_and_chance_is_not():
    rng = np.random.default_rng(6)
    rows = []
    for i in range(60):
        one, two = rng.integers(0, 2, 2)
        rows += [(str(i), f"x{k}", int(one if rng.random() < 0.9 else 1 - one)) for k in range(4)]
        rows += [(str(i), f"y{k}", int(two if rng.random() < 0.9 else 1 - two)) for k in range(4)]
    data = table_of([(i, a, "AB"[v]) for i, a, v in rows])
    camps = compare_groups(data, {a: a[0] for a in data.annotators}, permutations=99)
    assert all(g["alpha"] > 0.4 for g in camps.groups)
    mixed = compare_groups(data, {a: str(int(a[1]) % 2) for a in data.annotators}, permutations=99)
    assert all(g["p"] is None or g["p"] > 0.05 for g in mixed.groups)


# --- the command --------------------------------------------------------------------------------


def written(table, rows, name="all.csv"):
    lines = ["item,annotator,value", *(f"{k},{a},{v}" for k, a, v in rows)]
    return table("\n".join(lines) + "\n", name)


def test_the_command_prints_one_json_document(accord_command, table):
    path = written(table, campaign())
    done = accord_command(
        "judge", path, "--judge", "gpt", "--positive", "yes", "--width", ".1", "--json"
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)["judges"][0]
    assert set(answer["corrected"]) >= {"method", "value", "interval", "interval_people"}
    assert set(answer["corrected"]["interval"]) == {"low", "high", "level"}
    assert set(answer["alt_test"]) >= {"omega", "passes", "smallest_epsilon", "curve"}
    assert set(answer["agreement"]) >= {"with_humans", "among_humans"}
    assert set(answer["needed"]) >= {"labels", "more", "reachable", "least_width"}
    assert {"value", "n", "sensitivity", "specificity", "precision"} <= set(answer["classes"][0])


def test_the_command_and_python_agree(accord_command, table):
    path = written(table, campaign(people=1))
    done = accord_command("judge", path, "--judge", "gpt", "--json")
    answer = json.loads(done.stdout)["judges"][0]["corrected"]
    found = judge(table_of(campaign(people=1)), "gpt").corrected
    assert answer["value"] == pytest.approx(found.value)
    assert answer["interval"]["low"] == pytest.approx(found.interval.low)


def test_more_answers_in_another_file(accord_command, table):
    rows = campaign()
    known = {k for k, a, _ in rows if a != "gpt"}
    labelled = written(table, [r for r in rows if r[0] in known], "some.csv")
    rest = written(table, [r for r in rows if r[0] not in known], "rest.csv")
    done = accord_command("judge", labelled, "--judge", "gpt", "--unlabelled", rest, "--json")
    whole = accord_command("judge", written(table, rows), "--judge", "gpt", "--json")
    one, two = (json.loads(d.stdout)["judges"][0]["corrected"]["value"] for d in (done, whole))
    assert one == pytest.approx(two)


def test_the_command_refuses_in_one_sentence(accord_command, table):
    path = written(table, campaign())
    done = accord_command("judge", path, "--judge", "nobody")
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert "no judge" in done.stderr


def test_people_read_a_verdict(accord_command, table):
    done = accord_command(
        "judge", written(table, campaign()), "--judge", "gpt", "--width", ".1", "--verbose"
    )
    assert done.returncode == 0, done.stderr
    for words in (
        "may stand in",
        "corrected (post-stratified)",
        "people among themselves",
        "For a paper",
    ):
        assert words in done.stdout


def test_systems_of_the_data_are_judged_in_the_report(accord_command, table, tmp_path):
    page = tmp_path / "report.html"
    path = written(table, campaign())
    done = accord_command("report", path, "--systems", "gpt", "-o", page, "--resamples", "50")
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert "May it replace people?" in text
    assert "may stand in" in text
    assert "The models among people" in text


def test_a_judge_that_was_set_aside_as_a_system_is_found(accord_command, table):
    path = written(table, campaign())
    plain = accord_command("judge", path, "--judge", "gpt", "--json")
    aside = accord_command("judge", path, "--judge", "gpt", "--systems", "gpt", "--json")
    one, two = (json.loads(d.stdout)["judges"][0]["corrected"]["value"] for d in (plain, aside))
    assert one == two


def cut(system_errs: float, documents: int = 35):
    """Three people and a system who cut texts of 60 sentences at the same places, with errors."""
    from accord.data import Segments

    rng = np.random.default_rng(5)
    rows = []
    for d in range(documents):
        true = sorted(rng.choice(np.arange(3, 58), 6, replace=False).tolist())
        for who, wrong in (("ann", 0.15), ("ben", 0.15), ("cyd", 0.15), ("gpt", system_errs)):
            places = {p if rng.random() > wrong else int(rng.integers(1, 60)) for p in true}
            edges = [0, *sorted(places), 60]
            rows.append((f"d{d}", who, np.diff(edges).tolist()))
    return Segments.from_masses(rows)


def linked(system_errs: float, documents: int = 35):
    """Three people and a system who link 16 mentions of four entities, with errors."""
    from accord.data import Chains

    rng = np.random.default_rng(6)
    found = {}
    for d in range(documents):
        for who, wrong in (("ann", 0.1), ("ben", 0.1), ("cyd", 0.1), ("gpt", system_errs)):
            clusters = {}
            for k in range(16):
                entity = k % 4 if rng.random() > wrong else int(rng.integers(0, 4))
                clusters.setdefault(entity, []).append((3 * k, 3 * k + 1))
            found[f"d{d}", who] = list(clusters.values())
    return Chains.from_clusters(found)


@pytest.mark.parametrize(
    ("make", "measure"), [(cut, "boundary-similarity"), (linked, "conll")], ids=["cut", "linked"]
)
def test_segments_and_chains_are_judged_by_document(make, measure):
    good, bad = (judge(make(errs), "gpt").judges[0] for errs in (0.05, 0.8))
    assert good.alt_test.passed
    assert not bad.alt_test.passed
    for answer, better in ((good, True), (bad, False)):
        shown = answer.agreement
        assert shown["measure"] == measure
        assert shown["documents"] == 35
        assert (shown["with_humans"] > shown["among_humans"]) is better
        for key in ("with_humans", "among_humans", "difference"):
            low, high = shown[f"{key}_interval"]
            assert low < shown[key] < high
        assert (shown["difference_interval"][0] > 0) is better
    from accord.evaluation.located import rank_located

    data = make(0.05)
    people = data.select(annotators=["ann", "ben", "cyd"])
    ranked = rank_located(people, {"gpt": data.select(annotators=["gpt"])})
    assert ranked.systems[0]["rank"] == 1
    assert alt_test(people, data.select(annotators=["gpt"])).passed


def test_agreement_of_people_is_on_the_documents_the_judge_saw():
    """A person with one bad document that the judge did not see does not count."""
    data = linked(0.05)
    seen = data.select(annotators=["ann", "ben", "cyd"])
    half = data.documents[:32]
    few = data.select(annotators=["gpt"], documents=half)
    from accord.data.join import joined

    found = judge(joined([seen, few]), "gpt").judges[0].agreement
    assert found["documents"] == 32
    alone = judge(data.select(documents=half), "gpt").judges[0].agreement
    assert found["among_humans"] == pytest.approx(alone["among_humans"])


def test_located_judges_are_compared_on_the_documents_of_both():
    data = linked(0.05)
    study = judge(data, ["gpt", "cyd"])
    row = study.comparisons[0]
    assert (row["a"], row["b"], row["test"]) == ("gpt", "cyd", "swap-documents")
    assert row["n"] == 35


def test_people_who_hardly_agree_are_no_standard():
    rng = np.random.default_rng(2)
    rows = [
        (f"d{d}", who, int(s), int(s) + 5, "x")
        for d in range(40)
        for who in ("ann", "ben", "cyd", "gpt")
        for s in rng.choice(900, 5, replace=False)
    ]
    answer = judge(Units.from_rows(rows), "gpt").judges[0]
    assert "to do as well as they do says little" in answer.verdict
    assert any("`measure=overlap-f1`" in w for w in answer.warnings)


# --- groups, located systems and error spans at the command line ------------------------------------


def test_groups_of_annotators_stand_beside_the_agreement(accord_command, table):
    groups = table("annotator,group\nh0,x\nh1,x\nh2,y\nh3,y\n", "groups.csv")
    done = accord_command(
        "agree", written(table, campaign()), "--systems", "gpt", "--groups", groups, "--json"
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert [g["group"] for g in answer["groups"]] == ["x", "y"]
    assert answer["pairs_of_groups"][0]["items"] == 120


def units_file(table, shift):
    data = located(shift)
    lines = ["document,annotator,start,end,label"]
    lines += [f"{u.document},{u.annotator},{u.start},{u.end},{u.label}" for u in data]
    return table("\n".join(lines) + "\n", f"units{shift}.csv")


def test_systems_that_mark_units_are_ranked_and_tested(accord_command, table):
    ranks, once = {}, ("--duplicates", "first")
    for shift in (0, 40):
        path = units_file(table, shift)
        done = accord_command("rank", path, "--systems", "gpt", *once, "--json")
        assert done.returncode == 0, done.stderr
        ranks[shift] = json.loads(done.stdout)["systems"][0]["rank"]
        test = accord_command("alt-test", path, "--systems", "gpt", *once, "--json")
        assert test.returncode == 0, test.stderr
        assert json.loads(test.stdout)["passed"] is (shift == 0)
    assert ranks == {0: 1, 40: 4}


MQM = """system\tdoc\tseg_id\trater\tsource\ttarget\tcategory\tseverity
A\tn\t1\tr1\ts\ta <v>mouse</v> here\tAccuracy\tMajor
A\tn\t1\tr2\ts\ta mouse here\tNo-error\tNo-error
A\tn\t2\tr1\t<v>s</v>\tplain\tAccuracy/Omission\tMajor
"""


ESA = """{"langs": "de-en", "system": "A", "doc_id": "n", "line_id": 1, "tgt": "a mouse here", \
"annotator": "r1", "esa_score": 60, "esa_spans": [{"start_i": 2, "end_i": 6, "severity": "major"}, \
{"start_i": "missing", "end_i": "missing", "severity": "minor"}]}
{"langs": "de-en", "system": "A", "doc_id": "n", "line_id": 1, "tgt": "a mouse here", \
"annotator": "r2", "esa_score": 90, "esa_spans": []}
"""
APPRAISE = """\
deu01,A,1,TGT,deu,eng,60,news_1,False,"[{""start_i"":2,""end_i"":6,""severity"":""major""}]",1.0,2.0
deu02,A,1,TGT,deu,eng,90,news_1,False,[],1.0,2.0
deu01,A,2,BAD,deu,eng,10,news_1#bad,False,[],1.0,2.0
"""


def test_error_span_annotation_is_read_in_both_layouts(table):
    import accord

    for text, name, document, people, left_out in (
        (ESA, "esa.jsonl", "de-en/A/n/1", ("r1", "r2"), "omissions"),
        (APPRAISE, "scores.csv", "A/news_1/1", ("deu01", "deu02"), "test the rater"),
    ):
        data = accord.read(table(text, name))
        assert data.annotators == people
        assert data.coverage.all()
        assert [(u.document, u.annotator, u.start, u.end, u.label) for u in data] == [
            (document, people[0], 2.0, 7.0, "major")
        ]
        assert any(left_out in one for one in told(data))


def test_broken_error_spans_are_one_sentence(table):
    import accord

    broken = APPRAISE.replace('""end_i"":6', '""end_i"":""six""')
    with pytest.raises(InputError, match=r"scores.csv:1: .*end_i"):
        accord.read(table(broken, "scores.csv"))
    short = APPRAISE + "deu01,A,3,TGT\n"
    with pytest.raises(InputError, match="has 4 columns where Appraise writes 12"):
        accord.read(table(short, "scores.csv"))


# --- groups at the command line ---------------------------------------------------------------------

GROUPED = "item,annotator,value,age\n" + "".join(
    f"i{i},{who},{'y' if age == 'old' and i % 4 == 0 else 'xz'[i % 2]},{age}\n"
    for i in range(40)
    for who, age in zip("ABCDEF", ["young"] * 3 + ["old"] * 3, strict=True)
)


def test_each_group_has_its_reference(accord_command, table, tmp_path):
    import accord

    path, out = table(GROUPED, "grouped.csv"), tmp_path / "references.csv"
    done = accord_command("gold", path, "--groups", "age", "-o", out, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [(g["group"], g["annotators"]) for g in found["groups"]] == [
        ("young", ["A", "B", "C"]),
        ("old", ["D", "E", "F"]),
    ]
    assert len(found["differing"]) == 10
    assert found["differing"][0] == {"item": "i0", "young": "x", "old": "y"}
    # the file is a campaign whose annotators are the groups
    again = accord.read(out)
    assert set(again.annotators) == {"young", "old"}
    assert accord.agree(again, "percent").value == pytest.approx(0.75)
    shown = accord_command("gold", path, "--groups", "age")
    assert "10 items on which the groups differ" in shown.stdout
    refused = accord_command("gold", path, "--groups", "age", "--worklist", tmp_path / "w.csv")
    assert refused.returncode == 2
    assert "--worklist is about one reference" in refused.stderr


def test_located_groups_have_references_too(accord_command, tmp_path):
    import accord

    path, out = tmp_path / "units.csv", tmp_path / "references.csv"
    accord.write(located(0), path)
    groups = tmp_path / "groups.csv"
    who = located(0).annotators
    lines = [f"{a},{'one' if k < 2 else 'two'}" for k, a in enumerate(who)]
    groups.write_text("annotator,group\n" + "\n".join(lines) + "\n", encoding="utf-8")
    done = accord_command("gold", path, "--groups", groups, "--duplicates", "first", "-o", out)
    assert done.returncode == 0, done.stderr
    assert set(accord.read(out).annotators) == {"one", "two"}


def test_systems_are_scored_by_each_group(accord_command, table):
    path = table(GROUPED, "grouped.csv")
    system = table(
        "item,value\n" + "".join(f"i{i},{'xz'[i % 2]}\n" for i in range(40)), "system.csv"
    )
    done = accord_command(
        "score", path, system, "--groups", "age", "-m", "accuracy", "--compare", "--json"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    values = {r["terms"]["group"]: r["value"] for r in found["results"]}
    assert values == {"young": 1.0, "old": 0.75}
    (row,) = found["comparisons"]
    assert (row["a"], row["b"]) == ("system, young", "system, old")
    assert row["test"] == "mcnemar"
    assert row["p"] < 0.01


def test_two_campaigns_on_the_same_items_are_replications(accord_command, table):
    one = table(GROUPED, "one.csv")
    two = table(GROUPED.replace(",A,", ",A2,").replace(",B,", ",B2,"), "two.csv")
    done = accord_command("agree", one, "--against", two, "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["replication"]
    assert row["items"] == 40
    assert row["low"] < row["kappa_x"] < row["high"] <= 1
    assert row["alpha_this"] == pytest.approx(row["alpha_other"])
    elsewhere = table(GROUPED.replace("\ni", "\nother"), "elsewhere.csv")
    alone = accord_command("agree", one, "--against", elsewhere, "--json")
    assert "replication" not in json.loads(alone.stdout)


def test_error_spans_of_translations_are_units(table):
    import accord

    data = accord.read(table(MQM, "mqm.tsv"))
    assert [(u.document, u.annotator, u.start, u.end, u.label) for u in data] == [
        ("A/n/1", "r1", 2.0, 7.0, "Accuracy")
    ]
    assert data.texts[0] == "a mouse here"
    assert data.coverage.tolist()[0] == [True, True]
    assert any("marked in the source" in one for one in told(data))
    with pytest.raises(InputError, match="2: has 2 columns"):
        accord.read(table(MQM.split("\n")[0] + "\nA\tn\n", "bad.tsv"))
