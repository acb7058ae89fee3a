"""The default intervals: worked values, the promises over the registry, and coverage."""

import importlib.util
import json
import math
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import accord
from accord.data import Ratings, Segments, Units
from accord.errors import RefusedError, UsageError
from accord.measures import enrolled
from accord.uncertainty import interval
from accord.uncertainty.jackknife import effective_number, leave_one_out, satterthwaite
from accord.uncertainty.scale import Scale, scale_of
from accord.uncertainty.spread import of_few, of_root, of_share
from tests.oracles.strategies import random_matrix

AGREEMENT = [
    # (σ and KS are for objects that are hardly ever alike: tests/distance/test_any_distance.py)
    m.name
    for m in enrolled(shape="ratings", question="agree")
    if m.name not in ("sigma", "ks")
]
TWO_ONLY = {"kappa", "weighted-kappa", "aickin"}
SCORES = [m.name for m in enrolled(shape="ratings", question="score")]


def alike(n: int, annotators: int = 2) -> Ratings:
    return Ratings.from_matrix([["a", "b"] * (n // 2)] * annotators, orientation="annotators")


def scored(right: int, n: int, name: str = "accuracy"):
    truth = ["a", "b"] * (n // 2)
    wrong = [{"a": "b", "b": "a"}[v] if i < n - right else v for i, v in enumerate(truth)]
    reference = Ratings.from_matrix([truth], annotators=["reference"])
    return accord.score(reference, Ratings.from_matrix([wrong], annotators=["s"]), name, ci="auto")


def clustered(rng, documents=6, each=15, annotators=3, error=0.15, sizes=None):
    """Documents with categories of their own, in a long table."""
    from accord.data.tables import ratings_from_long

    rows = []
    for d in range(documents):
        share, wrong = rng.beta(2, 2), rng.beta(error * 20, (1 - error) * 20)
        for i in range(each if sizes is None else sizes[d]):
            truth = int(rng.random() < share)
            for a in range(annotators):
                value = 1 - truth if rng.random() < wrong else truth
                rows.append((f"{d}-{i}", f"A{a}", "xy"[value], f"d{d}"))
    items, who, values, where = zip(*rows, strict=True)
    return ratings_from_long(items, who, values, documents=where)


# --- worked values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(27, 30, 0.7602, 0.9715), (30, 30, 0.9216, 1.0), (90, 100, 0.8307, 0.9477)],
)
def test_accuracy_is_a_beta(right, n, low, high):
    found = scored(right, n).interval
    assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)
    assert found.method == "dirichlet:item"


@pytest.mark.parametrize(("n", "low"), [(10, 0.7918), (30, 0.9216), (100, 0.9754), (1000, 0.9975)])
def test_percent_of_two_who_always_agree(n, low):
    found = accord.agree(alike(n), "percent", ci="auto").interval
    assert (found.low, found.high) == pytest.approx((low, 1.0), abs=5e-5)


def test_drawn_weights_agree_with_the_beta():
    """The resampling that other measures use gives the Beta of a share, to resampling error."""
    from dataclasses import replace

    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    other = np.where(rng.random(60) < 0.15, 1 - truth, truth)
    result = accord.agree(Ratings.from_matrix([truth.tolist(), other.tolist()]), "percent")
    exact = interval(result).interval
    drawn = interval(
        replace(result, sample=replace(result.sample, share=None)), resamples=20_000
    ).interval
    assert (drawn.low, drawn.high) == pytest.approx((exact.low, exact.high), abs=0.006)


def test_a_share_of_documents_that_cannot_be_excluded():
    """1 − Beta⁻¹(.025; D + 1, ½): .35 at five documents, .21 at ten."""
    scale = Scale(low=-1, high=1, best=1, worst=0)
    for D, share in ((5, 0.35), (10, 0.21)):
        found = of_few(1.0, D, 0.95, scale, "")
        assert found.low == pytest.approx(1 - share, abs=0.005)
        assert found.high == 1
        assert found.below(found.low) == pytest.approx(0.025, abs=1e-6)
        middle = of_few(0.5, D, 0.95, scale, "")
        assert middle.below(middle.low) == pytest.approx(0.025, abs=1e-6)
        assert middle.below(middle.high) == pytest.approx(0.975, abs=1e-6)


# --- promises ------------------------------------------------------------------------------------


def numbers_for(name: str) -> list[list]:
    rng = np.random.default_rng(3)
    return random_matrix(rng, 2 if name in TWO_ONLY else 4, 30, 4, 0.1)


@pytest.mark.parametrize("name", AGREEMENT)
@pytest.mark.parametrize("kind", ["noise", "perfect", "near"])
def test_an_interval_holds_the_value_has_a_width_and_stays_in_range(name, kind):
    matrix = numbers_for(name)
    if kind != "noise":
        row = [i % 4 for i in range(30)]
        matrix = [list(row) for _ in matrix]
        if kind == "near":
            matrix[0][0] = 1
    result = accord.agree(
        Ratings.from_matrix(matrix, orientation="annotators"), name, ci="auto", resamples=400
    )
    low, high = scale_of(name).low, scale_of(name).high
    assert result.interval is not None, result.warnings
    found = result.interval
    assert found.low <= result.value <= found.high
    assert found.high - found.low > 1e-6
    assert low <= found.low
    assert found.high <= high
    assert found.claim.startswith(("these annotators", "other annotators"))


@pytest.mark.parametrize("name", AGREEMENT)
def test_renaming_annotators_and_reordering_items_changes_nothing(name):
    matrix = numbers_for(name)
    names = ["zoe", "adam", "mia", "bob"][: len(matrix)]
    first = accord.agree(
        Ratings.from_matrix(matrix, orientation="annotators"), name, ci="auto", resamples=300
    ).interval
    renamed = Ratings.from_matrix(matrix, annotators=names)
    again = accord.agree(renamed, name, ci="auto", resamples=300).interval
    assert (again.low, again.high) == (first.low, first.high)
    order = np.random.default_rng(0).permutation(30)
    moved = Ratings.from_matrix(
        [[row[i] for i in order] for row in matrix], orientation="annotators"
    )
    third = accord.agree(moved, name, ci="auto", resamples=300).interval
    assert (third.low, third.high) == pytest.approx((first.low, first.high), abs=1e-5)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("errors", [0, 1, 8])
def test_scores_have_intervals_too(name, errors):
    rng = np.random.default_rng(1)
    truth = [int(v) for v in rng.integers(1, 5, 40)]
    judges = [list(truth) for _ in range(3)]
    for row in judges:
        row[int(rng.integers(40))] = 1
    answers = [5 - v if i < errors else v for i, v in enumerate(truth)]
    reference = Ratings.from_matrix(judges)
    system = Ratings.from_matrix([answers], annotators=["s"])
    result = accord.score(reference, system, name, ci="auto", resamples=400)
    if result.undefined:
        assert name == "entropy-correlation"
        return
    scale = scale_of(name)
    found = result.interval
    if found is None and math.isinf(scale.high):
        # nothing was wrong, and nothing bounds how wrong an answer may be
        assert any("has no worst value" in w for w in result.warnings)
        return
    assert found is not None, result.warnings
    assert scale.low <= found.low <= result.value <= found.high <= scale.high
    assert found.high > found.low


def test_a_perfect_score_is_not_certain():
    for name in ("accuracy", "f1-macro", "precision", "recall", "weighted-accuracy", "jsd"):
        found = scored(20, 20, name).interval
        assert found.high - found.low > 0.05, name


def test_located_measures_have_intervals_over_documents():
    rows = [
        (f"d{d}", a, 20 * u + (a == "B") * (u + d) % 3, 20 * u + 6, "xy"[u % 2])
        for d in range(6)
        for a in ("A", "B")
        for u in range(5)
    ]
    units = Units.from_rows(rows, lengths={f"d{d}": 120 for d in range(6)})
    for name in ("gamma", "u-alpha", "alpha-u"):
        result = accord.agree(units, name, ci="auto")
        assert result.interval.method == "jackknife:document", name
        assert result.interval.low < result.value
        assert any("6 documents" in w for w in result.warnings)
    reference, system = (units.select(annotators=[a]) for a in "AB")
    for name in ("f1", "overlap-f1", "ser"):
        found = accord.score(reference, system, name, ci="auto").interval
        assert found.method == "jackknife:document"
    # one document: no claim about others
    alone = accord.score(
        reference.select(documents=["d0"]), system.select(documents=["d0"]), "f1", ci="auto"
    )
    assert alone.interval is None
    assert any("it takes several documents" in w for w in alone.warnings)


def test_perfect_documents_leave_room_for_bad_ones():
    rows = [(f"d{d}", a, 5 * u, 5 * u + 4, "x") for d in range(5) for a in "AB" for u in range(4)]
    units = Units.from_rows(rows)
    sides = [units.select(annotators=[a]) for a in "AB"]
    result = accord.score(*sides, "f1", ci="auto")
    assert result.value == 1
    assert result.interval.low == pytest.approx(0.65, abs=0.005)
    assert result.interval.high == 1


def test_segments_by_document():
    data = Segments.from_masses(
        [
            row
            for d in range(8)
            for row in ((f"d{d}", "A", [3, 4, 3]), (f"d{d}", "B", [3, 3 + d % 2, 4 - d % 2]))
        ]
    )
    result = accord.agree(data, "boundary-pi", ci="auto")
    assert result.interval.method == "jackknife:document"
    assert result.interval.low < result.value


# --- documents -----------------------------------------------------------------------------------


def test_documents_by_hand():
    data = clustered(np.random.default_rng(0))
    result = accord.agree(data, "percent", ci="auto")
    values = [
        accord.agree(data.select(documents=[o for o in data.documents if o != d]), "percent").value
        for d in data.documents
    ]
    D = len(values)
    error = math.sqrt((D - 1) / D * sum((v - np.mean(values)) ** 2 for v in values))
    assert result.interval.error == pytest.approx(error)
    assert result.interval.df == pytest.approx(D - 1)
    assert result.interval.method == "jackknife:document"
    assert result.interval.claim == "these annotators, other documents"
    assert "the interval rests on 6 documents only" in result.warnings
    items = accord.agree(data, "percent", ci="auto", unit="item")
    assert items.interval.method == "dirichlet:item"
    assert "dirichlet-item" in items.signature
    # never narrower than independent items
    assert result.interval.low <= items.interval.low
    assert result.interval.high >= items.interval.high


def test_the_limit_away_from_the_best_value_is_on_the_square_root():
    """u = .04, s = .02, 9 degrees: (.2 + 2.262157·.05)² = .0980365."""
    found = of_root(0.96, 0.04, 0.02, 9.0, 0.95, 1.0)
    assert found.low == pytest.approx(1 - (0.2 + 2.2621572 * 0.02 / 0.4) ** 2, abs=1e-7)
    assert found.low == pytest.approx(1 - 0.0980365, abs=1e-6)
    assert found.high == 0.96
    assert found.below(found.low) == pytest.approx(0.025)
    assert found.below(0.9) < found.below(0.95) < 0.5
    # a distance, whose best value is 0
    far = of_root(0.04, 0.04, 0.02, 9.0, 0.95, 0.0)
    assert (far.low, far.high) == pytest.approx((0.04, 0.0980365), abs=1e-6)
    assert far.below(far.high) == pytest.approx(0.975)


def test_the_end_that_values_press_against():
    assert scale_of("accuracy").nearest_end(0.9) == 1.0
    assert scale_of("accuracy").nearest_end(0.2) == 0.0
    # near chance nothing holds α back
    assert scale_of("alpha").nearest_end(0.05) == scale_of("alpha").nearest_end(-0.9) == 1.0
    assert scale_of("ser").nearest_end(3.0) == 0.0
    assert Scale().nearest_end(0.5) is None


def test_an_unseen_document_by_hand():
    """Half a document as bad as the worst and one dissent worse, by the value without each."""
    data = clustered(np.random.default_rng(0), documents=8, error=0.05)
    result = accord.agree(data, "percent", ci="auto")
    left = [
        accord.agree(data.select(documents=[o for o in data.documents if o != d]), "percent").value
        for d in data.documents
    ]
    D, N, v = 8, 8 * 15, result.value
    influence = [(D - 1) * (x - np.mean(left)) for x in left]
    # an item on which one of three dissents has a third of its pairs in agreement
    one = v - (v * N + 1 / 3) / (N + 1)
    worst = max(influence) + D * one
    shift = 0.5 * worst / (D + 0.5)
    squares = sum((i - shift) ** 2 for i in influence) + 0.5 * (worst - shift) ** 2
    error = math.sqrt(squares / (D + 0.5) ** 2 * D / (D - 1))
    expected = of_root(v, 1 - v + shift, error, D - 1.0, 0.95, 1.0).low
    assert result.interval.low == pytest.approx(expected, abs=1e-9)
    plain = accord.agree(data, "percent", ci="jackknife")
    assert result.interval.low < plain.interval.low
    assert result.interval.error == pytest.approx(plain.interval.error)


def test_uneven_documents_are_worth_fewer():
    sizes = [60, 5, 5, 5, 5]
    data = clustered(np.random.default_rng(1), documents=5, sizes=sizes)
    sample = accord.agree(data, "alpha").sample.by_cluster()
    assert effective_number(sample) == pytest.approx(80**2 / (3600 + 100))
    found = accord.agree(data, "alpha", ci="auto").interval
    assert found.df == pytest.approx(max(1, 80**2 / 3700 - 1))


def test_few_documents_are_said():
    data = clustered(np.random.default_rng(2), documents=3)
    result = accord.agree(data, "alpha", ci="auto")
    assert any(
        "3 documents: the interval is wide, and they cannot show" in w for w in result.warnings
    )
    one = accord.agree(data.select(documents=["d0"]), "alpha", ci="auto")
    assert one.interval.method == "dirichlet:item"
    assert any("there is one document only" in w for w in one.warnings)


def test_a_category_of_one_document_falls_back_to_items():
    """Without d0 all values are alike and the value is undefined."""
    from accord.data.tables import ratings_from_long

    rows = [
        (f"{d}-{i}", a, "y" if d == 0 and i < 3 else "x", f"d{d}")
        for d in range(3)
        for i in range(10)
        for a in "AB"
    ]
    items, who, values, where = zip(*rows, strict=True)
    data = ratings_from_long(items, who, values, documents=where)
    result = accord.agree(data, "alpha", ci="auto")
    assert result.interval.method == "dirichlet:item"
    assert any(w.startswith("documents are ignored") for w in result.warnings)


def test_krippendorffs_bootstrap_works_with_documents():
    data = clustered(np.random.default_rng(4))
    result = accord.agree(data, "alpha", ci="krippendorff")
    assert result.interval.method == "krippendorff"
    assert any("documents are ignored" in w for w in result.warnings)


def test_limits_of_other_methods_stay_in_range():
    matrix = [["a", "b"] * 6, ["a", "b"] * 6]
    matrix[0][0] = "b"
    for method in ("bootstrap", "jackknife", "analytic"):
        found = accord.agree(
            Ratings.from_matrix(matrix, orientation="annotators"), "alpha", ci=method
        ).interval
        assert found.high <= 1


def test_unrated_rows_do_not_widen_the_analytic_interval():
    matrix = random_matrix(np.random.default_rng(1), 3, 25, 3, 0.0)
    padded = [[*row, *[None] * 40] for row in matrix]
    for name in ("fleiss", "alpha", "ac1", "conger", "percent"):
        plain, more = (
            accord.agree(Ratings.from_matrix(m, orientation="annotators"), name, ci="analytic")
            for m in (matrix, padded)
        )
        assert more.interval.low == pytest.approx(plain.interval.low, abs=1e-12), name
        assert more.n == plain.n == 25


# --- new annotators ------------------------------------------------------------------------------


def test_new_annotators_by_hand():
    data = Ratings.from_matrix(random_matrix(np.random.default_rng(7), 5, 60, 2, 0.0))
    result = accord.agree(data, "alpha", ci="auto", unit="annotator")
    values = [
        accord.agree(data.select(annotators=[o for o in data.annotators if o != a]), "alpha").value
        for a in data.annotators
    ]
    among = 4 / 5 * sum((v - np.mean(values)) ** 2 for v in values)
    items = leave_one_out(result.sample).error ** 2
    assert result.interval.error == pytest.approx(math.sqrt(items + among))
    assert result.interval.df == pytest.approx(satterthwaite((items, 59), (among, 4)))
    assert result.interval.method == "jackknife:item*annotator"
    assert result.interval.claim == "other annotators and items"
    these = accord.agree(data, "alpha", ci="auto").interval
    assert result.interval.low <= these.low
    assert result.interval.high >= these.high


def test_two_annotators_say_nothing_about_a_third():
    data = Ratings.from_matrix(random_matrix(np.random.default_rng(7), 2, 20, 2, 0.0))
    with pytest.raises(RefusedError, match="nothing about a third"):
        accord.agree(data, "alpha", ci="auto", unit="annotator")
    three = Ratings.from_matrix(random_matrix(np.random.default_rng(7), 3, 20, 2, 0.0))
    result = accord.agree(three, "alpha", ci="auto", unit="annotator")
    assert any("3 annotators say little" in w for w in result.warnings)
    with pytest.raises(RefusedError, match="no annotators to draw again"):
        accord.score(three.select(annotators=["A1"]), three.select(annotators=["A2"]), "accuracy",
                     ci="auto", unit="annotator")  # fmt: skip
    with pytest.raises(UsageError, match="cannot draw annotators again"):
        accord.agree(three, "alpha", ci="bootstrap", unit="annotator")


# --- breakdowns ----------------------------------------------------------------------------------


def test_rows_of_breakdowns_have_limits():
    data = clustered(np.random.default_rng(5), documents=4, each=20)
    result = accord.agree(
        data, "alpha", ci="auto", by=["category", "annotator", "pair", "document"]
    )
    for name, rows in result.by.items():
        for row in rows:
            value = row["mean_pairwise"] if name == "annotator" else row["value"]
            assert row["low"] <= value <= row["high"], (name, row)
            assert row["high"] > row["low"]
    # the interval of one pair is that of the pair alone
    pair = result.by["pair"][0]
    alone = data.select(annotators=[pair["first"], pair["second"]])
    assert accord.agree(alone, "alpha", ci="auto", resamples=400).interval.low == pair["low"]


def test_an_annotator_of_two_has_the_interval_of_the_pair():
    data = Ratings.from_matrix(random_matrix(np.random.default_rng(2), 2, 40, 2, 0.0))
    result = accord.agree(data, "alpha", ci="auto", by=["annotator"])
    whole = accord.agree(data, "alpha", ci="auto", resamples=4000).interval
    for row in result.by["annotator"]:
        assert (row["low"], row["high"]) == pytest.approx((whole.low, whole.high), abs=0.08)


def test_rows_of_scores_have_limits():
    reference = Ratings.from_matrix([list("aaabbbcccc") * 4], annotators=["reference"])
    system = Ratings.from_matrix([list("aabbbbccca") * 4], annotators=["s"])
    rows = accord.score(reference, system, "accuracy", ci="auto", by=["category"]).by["category"]
    right = {"a": (8, 4), "b": (12, 0), "c": (12, 4)}
    for row in rows:
        exact = of_share(*right[row["category"]], 0.95, "")
        assert row["low"] == pytest.approx(min(exact.low, row["value"]))
    rows = accord.score(reference, system, "f1-macro", ci="auto", by=["category"]).by["category"]
    assert all(row["low"] < row["F"] < row["high"] for row in rows)
    plain = accord.score(reference, system, "accuracy", ci="none", by=["category"]).by["category"]
    assert "low" not in plain[0]


# --- thresholds ----------------------------------------------------------------------------------


def test_probability_below_a_threshold():
    result = interval(
        accord.agree(
            Ratings.from_matrix(random_matrix(np.random.default_rng(0), 3, 80, 2, 0.0)), "alpha"
        ),
        thresholds=(0.0, 0.667),
    )
    below = result.terms["p_below"]
    assert set(below) == {"0", "0.667"}
    assert 0 < below["0"] < below["0.667"] < 1
    one = interval(scored(27, 30), thresholds=(0.9,))
    assert one.terms["p_below"] == pytest.approx(1 - of_share(27, 3, 0.95, "").below(0.9), abs=0.6)
    # the median of Beta(28, 3.5) lies just below .9
    assert one.terms["p_below"] == pytest.approx(0.51, abs=0.05)


def test_command_line_thresholds(accord_command, table):
    path = table(
        "item,annotator,value\n"
        + "".join(f"{i},{a},{'xy'[i % 2]}\n" for i in range(20) for a in "ABC")
    )
    done = accord_command("agree", path, "--threshold", "0.8", "--json")
    result = json.loads(done.stdout)["results"][0]
    assert 0 < result["terms"]["p_below"] < 0.05
    assert result["interval"]["method"] == "dirichlet:item"
    assert result["terms"]["interval_for"] == "these annotators, other items"
    low = result["interval"]["low"]
    assert 0.8 < low < 1
    assert accord_command("agree", path, "--fail-under", "0.99").returncode == 0
    failed = accord_command("agree", path, "--fail-under", "0.99", "--fail-on", "low")
    assert failed.returncode == 1
    assert "the low end of alpha" in failed.stderr
    bad = accord_command("agree", path, "--fail-under", "0.99", "--fail-on", "luck")
    assert bad.returncode == 2


def test_bad_requests_are_one_sentence():
    result = accord.agree(alike(10), "alpha")
    with pytest.raises(UsageError, match="must be one of auto"):
        interval(result, "magic")
    with pytest.raises(UsageError, match="between 0 and 1"):
        interval(result, level=1.0)
    with pytest.raises(UsageError, match="one of item, document, annotator"):
        interval(result, unit="page")
    with pytest.raises(UsageError, match="no documents"):
        interval(result, unit="document")


# --- coverage ------------------------------------------------------------------------------------


def test_small_coverage():
    """A few of the settings of benchmarks/coverage.py: the whole table is in docs/intervals.md."""
    path = Path(__file__).parents[2] / "benchmarks" / "coverage.py"
    if not path.is_file():
        pytest.skip("the benchmarks are not here")
    # not by its name, which the tool for test coverage has too
    specification = importlib.util.spec_from_file_location("interval_coverage", path)
    benchmark = importlib.util.module_from_spec(specification)
    sys.modules[specification.name] = benchmark
    specification.loader.exec_module(benchmark)
    wanted = {
        "2×30, near perfect",
        "5×30, rare category",
        "3 documents",
        "10 documents, errors in few of them",
        "n = 30, .98",
    }
    for setting in benchmark.settings():
        if setting.name in wanted:
            for row in benchmark.coverage(setting, 60):
                # 60 campaigns: .91 less three standard errors
                assert row["coverage"] >= 0.8, row
                assert row["flat"] == 0


@pytest.mark.parametrize("measure", ["alpha", "conger", "ac1"])
def test_the_bootstrap_does_not_depend_on_the_order_of_the_rows(measure):
    rng = np.random.default_rng(0)
    rows = [(i, who, "xyz"[rng.choice(3, p=[0.6, 0.3, 0.1])]) for i in range(60) for who in "ABC"]
    found = set()
    for order in (np.arange(180), rng.permutation(180)):
        frame = pl.DataFrame([rows[k] for k in order], ["item", "annotator", "value"], orient="row")
        for given in (frame, frame.lazy()):
            made = accord.agree(given, measure, ci="bootstrap", resamples=50).interval
            found.add((round(made.low, 12), round(made.high, 12)))
    assert len(found) == 1


@pytest.mark.parametrize("measure", ["icc-1", "icc-c", "kendall-w"])
@pytest.mark.parametrize("ci", ["auto", "bootstrap"])
def test_fits_of_many_units_do_not_depend_on_the_order_of_the_rows(measure, ci):
    """More profiles than are left out one by one, whether they were folded by an engine or not."""
    rng = np.random.default_rng(1)
    rows = [
        (i, who, int(np.clip(level + rng.integers(-2, 3), 0, 9)))
        for i, level in enumerate(rng.integers(0, 10, 400))
        for who in "ABCD"
        if measure == "kendall-w" or rng.random() < 0.8
    ]
    found = []
    for order in (np.arange(len(rows)), rng.permutation(len(rows))):
        frame = pl.DataFrame([rows[k] for k in order], ["item", "annotator", "value"], orient="row")
        for given in (frame, frame.lazy()):
            made = accord.agree(given, measure, ci=ci, resamples=20, by="annotator")
            limits = [row[end] for row in made.by["annotator"] for end in ("low", "high")]
            found.append([made.value, made.interval.low, made.interval.high, *limits])
    # (a fit goes on until it stands still, so that its last digits are its own)
    for other in found[1:]:
        assert other[0] == pytest.approx(found[0][0], abs=1e-6)
        assert other == pytest.approx(found[0], abs=2e-5)
