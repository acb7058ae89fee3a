"""One comparison for every question: its test, its p-value, and what it refuses to say."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import accord
from accord.data import Ratings
from accord.data.tables import ratings_from_long
from accord.evaluation.comparison import compare_systems
from accord.uncertainty import compare, interval
from accord.uncertainty.family import between_systems, comparisons
from accord.uncertainty.holm import holm
from accord.uncertainty.joint import side_by_side
from accord.uncertainty.swaps import mcnemar_p, swap_p


def sides(rng, n=40, documents=0, errors=(0.2, 0.4)):
    """A reference and two systems, perhaps in documents."""
    truth = rng.integers(0, 3, n)
    names = [f"i{i}" for i in range(n)]
    where = [f"d{i * documents // n}" for i in range(n)] if documents else None
    out = []
    for who, error in (("reference", 0.0), *(("s", e) for e in errors)):
        answers = np.where(rng.random(n) < error, (truth + rng.integers(1, 3, n)) % 3, truth)
        values = ["abc"[v] for v in answers]
        out.append(ratings_from_long(names, [who] * n, values, documents=where))
    return out


def scores(parts, name="accuracy"):
    return [accord.score(parts[0], s, name) for s in parts[1:]]


# --- Holm ----------------------------------------------------------------------------------------


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, None]) == pytest.approx([0.03, 0.06, 0.06, None])
    assert holm([]) == []
    assert holm([None]) == [None]
    assert holm([0.6, 0.9]) == [1.0, 1.0]  # never above one
    assert holm([0.02]) == [0.02]


def test_holm_keeps_the_order_and_never_lowers():
    rng = np.random.default_rng(0)
    for _ in range(50):
        p = rng.beta(0.5, 2, 7).tolist()
        found = holm(p)
        order = np.argsort(p)
        assert np.all(np.diff(np.array(found)[order]) >= 0)
        assert all(a >= b for a, b in zip(found, p, strict=True))
        # rejected at .05: exactly those of the step-down procedure
        rejected = set()
        for place, i in enumerate(order):
            if p[i] > 0.05 / (7 - place):
                break
            rejected.add(int(i))
        assert {i for i, q in enumerate(found) if q <= 0.05} == rejected


# --- two systems ---------------------------------------------------------------------------------


def test_accuracy_on_items_is_mcnemar():
    parts = sides(np.random.default_rng(1))
    a, b = scores(parts)
    found = compare(a, b)
    joint = side_by_side(a.sample, b.sample)
    ahead = joint.first[:, 0] - joint.second[:, 0]
    only = [int(joint.counts[ahead > 0].sum()), int(joint.counts[ahead < 0].sum())]
    assert found.test == "mcnemar"
    assert found.p == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue)
    assert found.paired
    assert found.interval.low <= found.difference <= found.interval.high
    assert compare(a, a).p == 1.0


def test_swaps_are_all_tried_when_few():
    """Eight items, every one of the 2⁸ swaps by hand."""
    parts = sides(np.random.default_rng(3), n=8)
    a, b = scores(parts, "f1-macro")
    found = compare(a, b)
    assert found.test == "swap-items"
    truth, one, two = (
        [p.labels[p.code[p.indptr[i]]] for i in range(8)] for p in parts
    )  # fmt: skip
    labels = sorted({*truth, *one, *two})

    def f1(answers):
        values = []
        for k in labels:
            right = sum(t == k == x for t, x in zip(truth, answers, strict=True))
            total = truth.count(k) + list(answers).count(k)
            if total:
                values.append(2 * right / total)
        return sum(values) / len(values)

    far = 0
    for mask in range(256):
        x = [two[i] if mask >> i & 1 else one[i] for i in range(8)]
        y = [one[i] if mask >> i & 1 else two[i] for i in range(8)]
        far += abs(f1(x) - f1(y)) >= abs(f1(one) - f1(two)) - 1e-12
    assert found.p == pytest.approx(far / 256)


def test_ties_count_as_far():
    """Two systems that differ on one item only: swapping it always gives the same distance."""
    truth = list("ababababababab")
    other = ["b", *truth[1:]]
    reference = Ratings.from_matrix([truth], annotators=["reference"])
    a, b = (
        accord.score(reference, Ratings.from_matrix([s], annotators=["s"]), "f1-macro")
        for s in (truth, other)
    )
    assert compare(a, b).p == 1.0
    assert swap_p(side_by_side(a.sample, a.sample)) == 1.0
    assert mcnemar_p(side_by_side(a.sample, a.sample)) == 1.0


def test_documents_are_swapped_whole():
    """Ten documents, in each of which one system is right on all items: items would be certain."""
    n, D = 100, 10
    names = [f"i{i}" for i in range(n)]
    where = [f"d{i // 10}" for i in range(n)]
    better = np.repeat([1, 1, 1, 1, 1, 1, 0, 0, 0, 1], 10)  # seven documents against three
    reference = ratings_from_long(names, ["reference"] * n, ["a"] * n, documents=where)
    one, two = (
        ratings_from_long(names, ["s"] * n, ["a" if w else "b" for w in side], documents=where)
        for side in (better == 1, better == 0)
    )
    a, b = (accord.score(reference, s, "accuracy") for s in (one, two))
    found = compare(a, b)
    assert found.test == "swap-documents"
    assert found.p == pytest.approx(stats.binomtest(7, D).pvalue)
    forced = compare(a, b, unit="item")
    assert forced.test == "mcnemar"
    assert forced.p < 0.001
    assert any("documents are ignored" in w for w in forced.warnings)


def test_five_documents_by_jackknife():
    parts = sides(np.random.default_rng(4), n=50, documents=5)
    a, b = scores(parts)
    found = compare(a, b)
    assert found.test == "jackknife-documents"
    assert found.interval.method == "jackknife:document"
    assert any("5 documents" in w for w in found.warnings)
    D, values = 5, []
    for d in range(D):
        left = [p.select(documents=[f"d{e}" for e in range(D) if e != d]) for p in parts]
        one, two = scores(left)
        values.append(one.value - two.value)
    error = np.sqrt((D - 1) / D * np.sum((np.array(values) - np.mean(values)) ** 2))
    assert found.p == pytest.approx(2 * stats.t.sf(abs(found.difference) / error, D - 1))


def test_ranks_are_not_swapped():
    rng = np.random.default_rng(5)
    x = rng.normal(size=30)
    reference = Ratings.from_matrix([x], annotators=["reference"])
    a, b = (
        accord.score(reference, Ratings.from_matrix([x + e * rng.normal(size=30)]), "spearman")
        for e in (0.5, 2.0)
    )
    assert compare(a, b).test == "jackknife-items"


def test_systems_with_labels_of_their_own_are_not_swapped_column_by_column():
    truth = list("abababababababababab")
    reference = Ratings.from_matrix([truth], annotators=["reference"])
    a, b = (
        accord.score(
            reference, Ratings.from_matrix([[w, *truth[1:]]], annotators=["s"]), "f1-macro"
        )
        for w in ("x", "y")
    )
    found = compare(a, b)
    assert found.test == "jackknife-items"
    assert found.difference == 0
    assert found.p == 1


def test_one_door_for_systems():
    """score --compare, compare_systems and rank give one answer."""
    judges = Ratings.from_matrix([list("aabbccaabbcc")] * 3)
    systems = {
        "x": Ratings.from_matrix([list("aabbccaabbca")], annotators=["x"]),
        "y": Ratings.from_matrix([list("abbbccacbbca")], annotators=["y"]),
    }
    from dataclasses import replace

    results = {n: {"accuracy": accord.score(judges, s)} for n, s in systems.items()}
    first = compare_systems(results)[0]
    listed = [replace(r["accuracy"], system=n) for n, r in results.items()]
    second = comparisons(between_systems(listed))[0]
    ranked = accord.rank(judges, systems, measures=["accuracy"]).comparisons[0]
    for other in (second, ranked):
        assert (other["p"], other["test"]) == (first["p"], first["test"])
        assert other["difference"] == pytest.approx(first["difference"])
    assert set(first) >= {"a", "b", "difference", "interval", "p", "test", "p_holm"}
    assert set(first["interval"]) == {"low", "high", "level", "method"}


# --- groups and campaigns ------------------------------------------------------------------------


def noisy(rng, n, m, error):
    truth = rng.integers(0, 2, n)
    return [["ab"[int(t) ^ int(rng.random() < error)] for t in truth] for _ in range(m)]


def test_groups_on_the_same_items_are_paired():
    data = Ratings.from_matrix(noisy(np.random.default_rng(6), 80, 6, 0.1))
    a, b = (
        accord.agree(data.select(annotators=data.annotators[s]), "alpha")
        for s in (slice(3), slice(3, 6))
    )
    found = compare(a, b)
    assert (found.test, found.paired) == ("dirichlet-paired", True)
    assert found.interval.low < found.interval.high
    turned = compare(b, a)
    assert turned.difference == -found.difference
    assert turned.p == pytest.approx(found.p, abs=0.05)


def test_documents_of_other_names_do_not_turn_into_items():
    rng = np.random.default_rng(7)

    def corpus(name):
        rows = [
            (f"{name}{d}-{i}", a, "xy"[int(rng.random() < 0.2) ^ (i % 2)], f"{name}{d}")
            for d in range(6)
            for i in range(12)
            for a in "AB"
        ]
        items, who, values, where = zip(*rows, strict=True)
        return accord.agree(ratings_from_long(items, who, values, documents=where), "alpha")

    a, b = corpus("this"), corpus("that")
    found = compare(a, b)
    assert (found.test, found.paired) == ("deal-documents", False)
    # all 924 ways to deal twelve documents, by hand
    rows = np.vstack([r.sample.by_cluster().rows for r in (a, b)])
    score = a.sample.score
    apart = [
        abs(score(rows[list(c)].sum(axis=0)[None])["value"][0]
            - score(rows[[k for k in range(12) if k not in c]].sum(axis=0)[None])["value"][0])
        for c in combinations(range(12), 6)
    ]  # fmt: skip
    assert found.p == pytest.approx(np.mean(np.array(apart) >= abs(found.difference) - 1e-12))
    # the limits of both, joined
    one, two = (interval(r).interval for r in (a, b))
    down = np.hypot(a.value - one.low, two.high - b.value)
    assert found.interval.low == pytest.approx(found.difference - down)


def _bad_corpus(rng, D, name, labels="xy"):
    """One document in four is bad."""
    rows = []
    for d in range(D):
        error = 0.35 if rng.random() < 0.25 else 0.03
        for i in range(20):
            true = rng.random() < 0.5
            rows += [
                (f"{name}{d}-{i}", a, labels[int(true ^ (rng.random() < error))], f"{name}{d}")
                for a in "ABC"
            ]
    items, who, values, where = zip(*rows, strict=True)
    return ratings_from_long(items, who, values, documents=where)


def test_a_pilot_of_four_against_the_corpus_keeps_its_level():
    """Welch's test rejected .11 to .30 of true nulls here."""
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(80):
        pilot, main = _bad_corpus(rng, 4, "p"), _bad_corpus(rng, 30, "m")
        first, second = (accord.agree(c, "alpha") for c in (pilot, main))
        rejected += compare(first, second, resamples=50, swaps=199).p < 0.05
    assert rejected <= 8


def test_documents_are_dealt_only_where_their_sums_mean_the_same():
    rng = np.random.default_rng(4)
    a, b = _bad_corpus(rng, 5, "a"), _bad_corpus(rng, 8, "b", labels="uv")
    found = compare(*(accord.agree(c, "alpha") for c in (a, b)), resamples=50)
    assert found.test == "mover-documents"
    # κ tells its annotators apart, and those of another campaign are others
    kappas = [accord.agree(c, "conger") for c in (a, _bad_corpus(rng, 8, "c"))]
    assert compare(*kappas, resamples=50).test == "mover-documents"
    # three against three: no way of dealing them gives .05
    few = [accord.agree(_bad_corpus(rng, 3, n), "alpha") for n in "de"]
    assert compare(*few, resamples=50).test == "mover-documents"
    # the level at which the limits end at 0
    side = found.interval
    assert (found.p < 0.05) == (not side.low <= 0 <= side.high)
    turned = compare(*(accord.agree(c, "alpha") for c in (b, a)), resamples=50)
    assert turned.p == pytest.approx(found.p)


def test_equal_names_of_documents_with_other_items_are_chance():
    rng = np.random.default_rng(8)

    def corpus(prefix):
        rows = [
            (f"{prefix}{d}-{i}", a, "xy"[int(rng.random() < 0.3) ^ (i % 2)], f"d{d}")
            for d in range(4)
            for i in range(10)
            for a in "AB"
        ]
        items, who, values, where = zip(*rows, strict=True)
        return accord.agree(ratings_from_long(items, who, values, documents=where), "alpha")

    assert not compare(corpus("p"), corpus("q")).paired


def test_two_measures_have_a_difference_and_no_p():
    data = Ratings.from_matrix(noisy(np.random.default_rng(9), 60, 3, 0.15))
    found = compare(accord.agree(data, "alpha"), accord.agree(data, "ac1"))
    assert found.p is None
    assert found.test is None
    assert found.interval.low <= found.difference <= found.interval.high
    numbers = Ratings.from_matrix([[1, 2, 3, 4, 5] * 4, [1, 2, 3, 4, 4] * 4])
    by_metric = [accord.agree(numbers, "alpha", metric=m) for m in ("nominal", "interval")]
    assert compare(*by_metric).p is None


def test_rows_that_cannot_be_compared_say_why():
    good = accord.agree(Ratings.from_matrix(noisy(np.random.default_rng(1), 20, 2, 0.1)), "alpha")
    none = accord.agree(Ratings.from_matrix([["x"] * 20] * 2), "alpha")
    row = comparisons([(("a", good), ("b", none))])[0]
    assert row["p"] is None
    assert "cannot compare" in row["undefined"]
    assert "p_holm" not in row


@pytest.mark.parametrize("documents", [0, 8])
def test_false_alarms_are_rare(documents):
    """Two systems of the same quality: p < .1 in about a tenth of the cases."""
    rng = np.random.default_rng(10)
    low = sum(
        compare(
            *scores(sides(rng, n=64, documents=documents, errors=(0.3, 0.3))),
            resamples=50, swaps=199,
        ).p < 0.1
        for _ in range(60)
    )  # fmt: skip
    assert low <= 13
