"""Values of any kind: texts, vectors, rankings, trees, and functions of one's own."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accord
from accord import Ratings
from accord.data.tables import ratings_from_long
from accord.distance.objects import OBJECTS, compared, edit
from accord.errors import RefusedError, UsageError
from accord.measures.ratings import chance_pairs, within_between
from accord.measures.ratings.chance_pairs import some_pairs

TEXTS = (
    ("the cat sat", "a cat sat", "cat sat here"),
    ("dogs run fast", "the dogs run", "dog runs fast"),
    ("no comment", "none", "no comment at all"),
)
RANKINGS = (("a>b>c>d", "a>b>d>c", "b>a>c>d"), ("d>c>b>a", "d>c>a>b", "d>b>c>a"))


def of_items(items, **how) -> Ratings:
    return Ratings.from_matrix(
        [list(row) for row in zip(*items, strict=True)], orientation="annotators", **how
    )


def levenshtein(a: str, b: str) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row = row, [i]
        for j, y in enumerate(b, 1):
            row.append(min(last[j] + 1, row[-1] + 1, last[j - 1] + (x != y)))
    return row[-1]


@settings(max_examples=200, deadline=None)
@given(st.text("abc", max_size=90), st.text("abcd", max_size=90))
def test_edit_is_levenshtein_over_the_longer_length(a, b):
    longer = max(len(a), len(b))
    assert edit(a, b) == pytest.approx(levenshtein(a, b) / longer if longer else 0)


@pytest.mark.parametrize(
    ("metric", "first", "second", "value"),
    [
        ("edit", "kitten", "sitting", 3 / 7),
        ("edit", "café", "café", 0),
        ("token-f1", "The cat sat.", "a cat sat", 1 / 3),
        ("token-f1", "...", "!", 0),
        ("cosine", "[1, 0]", "[0, 2]", 1),
        ("cosine", "1 1", "2, 2", 0),
        ("euclidean", "[0, 0]", "[3, 4]", 5),
        ("kendall", "a>b=c>d", "a>b>c>d", 1 / 12),
        ("footrule", "a>b=c>d", "a>b>c>d", 1 / 8),
        ("kendall", "a > b", "b > a", 1),
        ("bracket-f1", "(S (NP they) (VP ran))", "(S (NP they) (VP (V ran)))", 1 / 7),
    ],
)
def test_named_distances(metric, first, second, value):
    met = compared(metric, [first, second])
    assert met.between(np.array([0, 1, 0]), np.array([1, 0, 0])) == pytest.approx([value, value, 0])


@pytest.mark.parametrize(
    ("metric", "alpha", "observed", "expected", "sigma", "ks"),
    [
        ("edit", 0.239180594970569, 0.563711778417661, 0.740927182838948, 5 / 9, 5 / 9),
        ("token-f1", 1 / 3, 16 / 27, 8 / 9, 2 / 3, 17 / 27),
    ],
)
def test_worked_texts(metric, alpha, observed, expected, sigma, ks):
    data = of_items(TEXTS)
    found = accord.alpha(data, metric=metric)
    assert (found.value, found.observed, found.expected) == pytest.approx(
        (alpha, observed, expected)
    )
    assert accord.sigma(data, metric=metric).value == pytest.approx(sigma)
    assert accord.ks(data, metric=metric).value == pytest.approx(ks)


def test_sigma_by_another_quantile_and_smoothed():
    data = of_items(TEXTS)
    assert accord.sigma(data, metric="edit", quantile=0.2).value == pytest.approx(7 / 9)
    assert accord.sigma(data, metric="edit", cdf="kde").value == pytest.approx(4 / 9)


def test_worked_rankings():
    data = of_items(RANKINGS)
    assert accord.alpha(data, metric="kendall").value == pytest.approx(0.615384615384615)
    assert accord.alpha(data, metric="footrule").value == pytest.approx(0.512195121951220)
    assert accord.ks(data, metric="kendall").value == pytest.approx(1)
    # against random orders, 1 − 2·mean distance is the mean of Kendall's τ
    from scipy.stats import kendalltau

    orders = [[[item.split(">").index(o) for o in "abcd"] for item in items] for items in RANKINGS]
    taus = [kendalltau(x, y)[0] for i in orders for k, x in enumerate(i) for y in i[:k]]
    uniform = accord.alpha(data, metric="kendall", chance="uniform")
    assert uniform.value == pytest.approx(np.mean(taus))
    assert "chance:uniform" in uniform.signature


def test_a_function_of_two_objects_is_called_once_for_each_pair():
    calls: list[tuple[object, object]] = []

    def apart(a, b):
        calls.append((a, b))
        return abs(a[0] - b[0]) + abs(len(a) - len(b))

    data = of_items([[[1, 2], [1], [3, 4]], [[5, 6], [5, 6], [7]]], kind="objects")
    assert set(data.values) == {(1, 2), (1,), (3, 4), (5, 6), (7,)}
    value = accord.alpha(data, metric=apart)
    tried = len(calls)
    accord.agree(data, "alpha", metric=apart, resamples=200)
    by_hand = accord.alpha(of_items([["a", "b", "c"], ["d", "d", "e"]]), metric=np.array(
        [[apart(x, y) for y in ([1, 2], [1], [3, 4], [5, 6], [7])]
         for x in ([1, 2], [1], [3, 4], [5, 6], [7])], dtype=float))  # fmt: skip
    assert value.value == pytest.approx(by_hand.value)
    # ten trials of a value with itself at most, fifty pairs both ways, then each pair once
    assert tried <= 5 + 100 + 10


@pytest.mark.parametrize(
    ("distance", "message"),
    [
        (lambda a, b: 1.0, "to itself is 1: it must be 0"),
        (lambda a, b: 0.0 if a == b else float("nan"), "must be a finite number from 0"),
        (lambda a, b: -1.0 if a != b else 0.0, "must be a finite number from 0"),
        (lambda a, b: float(a < b), "not symmetric"),
        (lambda a, b: 0 if a == b else "far", "must be a finite number from 0"),
    ],
)
def test_what_is_no_distance_is_refused(distance, message):
    with pytest.raises(UsageError, match=message):
        accord.alpha(of_items(TEXTS), metric=distance)


@pytest.mark.parametrize(
    ("metric", "values", "message"),
    [
        ("cosine", ["0 0", "1 1"], "has no direction"),
        ("euclidean", ["1 2", "1 2 3"], "vectors of one length"),
        ("euclidean", ["1 2", "red"], "not a list of numbers"),
        ("kendall", ["a>b", "a>c"], "rankings of the same objects"),
        ("kendall", ["a>b", "a>a"], "compares rankings such as"),
        ("bracket-f1", ["(S (NP they)", "(S x)"], "compares trees such as"),
    ],
)
def test_values_that_a_distance_cannot_read(metric, values, message):
    with pytest.raises(UsageError, match=message):
        accord.alpha(of_items([values, values]), metric=metric)


def test_ties_have_no_uniform_chance():
    with pytest.raises(UsageError, match="without ties"):
        accord.alpha(of_items([["a>b=c", "a>b>c"]] * 2), metric="kendall", chance="uniform")
    with pytest.raises(UsageError, match="chance uniform is for rankings"):
        accord.alpha(of_items(TEXTS), metric="edit", chance="uniform")


def test_sigma_needs_values_that_differ_and_two_items():
    few = of_items([["a", "a", "b"], ["b", "b", "b"], ["a", "b", "a"]])
    result = accord.sigma(few, metric="edit")
    assert np.isnan(result.value)
    assert "at distance 0" in (result.undefined or "")
    with pytest.raises(RefusedError, match="one item"):
        accord.ks(of_items(TEXTS[:1]), metric="edit")


def texts(items: int, each: int, seed: int = 0) -> Ratings:
    """Items whose annotators write the same words, some of them changed."""
    rng = random.Random(seed)
    made = []
    for _ in range(items):
        words = ["".join(rng.choices("abcdefgh", k=5)) for _ in range(6)]
        made.append([" ".join(w if rng.random() < 0.7 else "new" + str(rng.random()) for w in words)
                     for _ in range(each)])  # fmt: skip
    return of_items(made)


def test_two_annotators_of_many_texts_with_nothing_in_common_are_undefined(monkeypatch):
    """All texts are too many pairs, but those that two annotators both gave are few, or none."""
    monkeypatch.setattr(chance_pairs, "MOST_PAIRS", 500)
    made = [
        (f"i{i}", who, f"{who} said {i}") for i in range(40) for who in ("AB" if i < 20 else "BC")
    ]
    data = ratings_from_long(*zip(*made, strict=True))
    pairs = accord.agree(data, "alpha", metric="token-f1", by="pair").by["pair"]
    by_name = {(row["first"], row["second"]): row["value"] for row in pairs}
    assert np.isnan(by_name["A", "C"])
    assert np.isfinite(by_name["A", "B"])


def test_chance_from_a_sample_is_near_chance_from_all_pairs(monkeypatch):
    data = texts(40, 3)
    whole = accord.alpha(data, metric="token-f1")
    assert "chance_pairs" not in whole.terms
    monkeypatch.setattr(chance_pairs, "MOST_PAIRS", 500)
    sampled = accord.alpha(data, metric="token-f1")
    assert sampled.terms["chance_pairs"] == 500
    error = sampled.terms["chance_error"]
    assert 0 < error < 0.02
    assert abs(sampled.expected - whole.expected) < 4 * error
    assert sampled.value != accord.alpha(data, metric="token-f1", seed=1).value
    # its error is in the interval
    variance, df = sampled.sample.noise
    assert variance == pytest.approx(((1 - sampled.value) * error / sampled.expected) ** 2)
    assert df == 499


@pytest.mark.parametrize("measure", ["alpha", "sigma", "ks"])
def test_intervals_hold_the_value_and_items_decide(measure):
    data = texts(30, 3, seed=2)
    found = accord.agree(data, measure, metric="token-f1", ci="auto", resamples=300)
    low, high = found.interval.low, found.interval.high
    assert low < found.value <= high <= 1
    assert high - low > 0.01


@pytest.mark.parametrize("measure", ["sigma", "ks"])
def test_order_and_names_do_not_matter_and_weights_count(measure):
    from dataclasses import replace

    data = texts(12, 3, seed=3)
    matrix = [[data.values[c] for c in data.code[data.annotator == a]] for a in range(3)]
    value = accord.agree(data, measure, metric="token-f1").value
    turned = Ratings.from_matrix([row[::-1] for row in matrix[::-1]], annotators=["z", "y", "x"])
    assert accord.agree(turned, measure, metric="token-f1").value == pytest.approx(value)
    # an item without weight is not there
    weights = np.where(np.arange(12) < 9, 1.0, 0.0)
    weighted = replace(data, weights=weights, _profiles={})
    fewer = Ratings.from_matrix([row[:9] for row in matrix])
    assert accord.agree(weighted, measure, metric="token-f1").value == pytest.approx(
        accord.agree(fewer, measure, metric="token-f1").value
    )


@pytest.mark.parametrize("n", [2, 3, 10, 400])
def test_pairs_are_drawn_without_replacement(n):
    first, second = some_pairs(n, 1_000, np.random.default_rng(0))
    assert len(first) == min(1_000, n * (n - 1) // 2)
    assert len({*zip(first.tolist(), second.tolist(), strict=True)}) == len(first)
    assert ((first < second) & (first >= 0) & (second < n)).all()


@pytest.mark.parametrize("metric", OBJECTS)
def test_every_named_distance_at_the_command_line(accord_command, table, metric):
    vectors = [["1 2", "2 1"], ["3 1", "5 1"]]
    trees = [["(S (A x))", "(S x)"], ["(T (B x y))", "(T (B x) y)"]]
    values = {
        "kendall": RANKINGS, "footrule": RANKINGS, "bracket-f1": trees,
        "cosine": vectors, "euclidean": vectors,
    }.get(metric, TEXTS)  # fmt: skip
    rows = [f"{i},{a},{v}" for i, item in enumerate(values) for a, v in enumerate(item)]
    done = accord_command("agree", table("item,annotator,value\n" + "\n".join(rows) + "\n"),
                          "-m", "alpha", "--metric", metric, "--json")  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"metric:{metric}" in done.stdout


def test_real_translations(shared):
    path = shared / "beyond/texts_crowdwsa/T1.csv"
    data = accord.read(path, duplicates="first")
    # METHODS has .371, .793, .745 on the untrimmed cells; 47 of 882 have blanks at an end
    assert accord.alpha(data, metric="edit").value == pytest.approx(0.373, abs=0.002)
    assert accord.sigma(data, metric="token-f1").value == pytest.approx(0.945, abs=0.002)
    assert accord.ks(data, metric="token-f1").value == pytest.approx(0.900, abs=0.002)


def test_every_item_may_rank_objects_of_its_own_by_uniform_chance():
    """METHODS §19: chance is that of random orders, so that items need not share their objects."""
    data = accord.Ratings.from_matrix(
        [["a>b>c", "x>y"], ["a>c>b", "y>x"], ["b>a>c", "x>y"]],
        orientation="annotators",
        kind="objects",
    )
    with pytest.raises(UsageError, match="rankings of the same objects"):
        accord.alpha(data, metric="kendall")
    with pytest.raises(UsageError, match="rankings of the same objects"):
        accord.sigma(data, metric="kendall")
    found = accord.alpha(data, metric="kendall", chance="uniform")
    # τ of the three pairs of judges: ⅓, ⅓, −⅓ on the first item, −1, 1, −1 on the second
    assert found.value == pytest.approx((1 / 9 - 1 / 3) / 2)
    assert found.expected == 0.5
    assert "chance:uniform" in found.signature
    assert accord.agree(data, "alpha", metric="kendall", chance="uniform", ci="auto").interval
    with pytest.raises(UsageError, match="same number of objects"):
        accord.alpha(data, metric="footrule", chance="uniform")


@settings(max_examples=25, deadline=None)
@given(
    items=st.lists(
        st.lists(
            st.sampled_from(["z", "a", "a b", "b c d", "c", "d e", "e f g"]), min_size=1, max_size=4
        ),
        min_size=4,
        max_size=12,
    ).filter(lambda found: any(len(one) > 1 for one in found)),
    drawn=st.randoms(use_true_random=False),
    name=st.sampled_from(["ks", "sigma", "alpha"]),
)
def test_neither_rows_nor_names_choose_what_is_compared(items, drawn, name):
    """Also where chance is a sample: the pairs are drawn from the values, whoever gave them where."""
    rows = [(i, a, v) for i, values in enumerate(items) for a, v in enumerate(values)]
    new_items = drawn.sample(range(len(items)), len(items))
    new_people = drawn.sample(range(4), 4)
    other = [(new_items[i], new_people[a], v) for i, a, v in drawn.sample(rows, len(rows))]
    found = []
    with pytest.MonkeyPatch.context() as patch:
        for module in (chance_pairs, within_between):
            patch.setattr(module, "MOST_PAIRS", 9)
        for table in (rows, other):
            data = ratings_from_long(*zip(*((str(i), str(a), v) for i, a, v in table), strict=True))
            found.append(accord.agree(data, name, metric="token-f1", ci="none").value)
    if name == "alpha":
        found = [round(value, 12) for value in found]
    assert found[0] == found[1] or all(value != value for value in found)
