"""Numbers as judges give them: ICC, CCC, W, limits of agreement, reliability of means, sample size.

Values of psych 2.2.9 (``ICC(x, lmer = FALSE)``) and lme4 (``lmer(x ~ (1|item) + (1|rater))``) in R, and
of pingouin 0.7, frozen.
"""

import json

import numpy as np
import pytest

import accord
from accord.data import Ratings
from accord.errors import InputError, RefusedError, UsageError
from accord.measures.ratings.limits import growing, limits_of_agreement
from accord.simulate import annotators_or_items, planned, reliability, sample_size

#: Shrout & Fleiss 1979, Table 2, one row per judge
SF = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
HOLES = [[9, 6, 8, 7, 10, 6], [None, 1, 4, 1, 5, 2], [5, 3, 6, None, 6, 4], [8, 2, 8, 6, 9, None]]
EBEL = [
    [8, 6, 4], [6, 9, 9], [4, 9, 10], [4, 4, None], [3, 9, None], [None, 6, None], [None, 5, None],
    [None, 10, None], [None, 8, None],
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value", "low", "high"),
    [
        ("icc-1", 0.165742, -0.132932, 0.722560),
        ("icc-a", 0.289764, 0.018787, 0.761084),
        ("icc-c", 0.714841, 0.342465, 0.945858),
        ("icc-1k", 0.442797, -0.884442, 0.912415),
        ("icc-ak", 0.620051, 0.071137, 0.927232),
        ("icc-ck", 0.909316, 0.675675, 0.985892),
    ],
)
def test_shrout_and_fleiss(name, value, low, high):
    result = accord.agree(Ratings.from_matrix(SF), name, ci="auto")
    assert result.value == pytest.approx(value, abs=1e-6)
    assert (result.interval.low, result.interval.high) == pytest.approx((low, high), abs=1e-6)
    assert result.interval.method == "analytic"
    squares = {"MSB": 11.24167, "MSJ": 32.48611, "MSE": 1.019444, "MSW": 6.263889}
    assert {k: result.terms[k] for k in squares} == pytest.approx(squares, abs=1e-5)
    # one label beside the mean of k, which is not what one label is worth
    if name.endswith("k"):
        single = accord.agree(Ratings.from_matrix(SF), name[:-1].rstrip("-"), ci=None).value
        assert result.terms["single"] == pytest.approx(single)
        assert result.terms["k"] == 4


def test_variance_components():
    terms = accord.agree(Ratings.from_matrix(SF), "icc-a").terms
    assert [terms[f"sigma2_{s}"] for s in ("items", "annotators", "error")] == pytest.approx(
        [2.555556, 5.244444, 1.019444], abs=1e-6
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("icc-1", 0.288027), ("icc-a", 0.347127), ("icc-c", 0.771765),
        ("icc-1k", 0.581068), ("icc-ak", 0.645760), ("icc-ck", 0.920594),
    ],
)  # fmt: skip
def test_missing_cells_by_reml(name, value):
    result = accord.agree(Ratings.from_matrix(HOLES), name, ci="auto")
    assert result.value == pytest.approx(value, abs=2e-6)
    # who judged is drawn, too, where the form asks for it
    assert result.interval.method == ("jackknife:item" if "c" in name[3:] else "analytic")
    assert "missing:reml" in result.signature
    if name == "icc-a":
        found = [result.terms[f"sigma2_{s}"] for s in ("items", "annotators", "error")]
        assert found == pytest.approx([2.747405, 4.354798, 0.812493], abs=2e-5)
    if name.endswith("k"):
        assert result.terms["k"] == pytest.approx(3.428571, abs=1e-6)


def test_ebel_at_the_boundary():
    for name in ("icc-1", "icc-a", "icc-c"):
        assert accord.agree(
            Ratings.from_matrix(EBEL, orientation="annotators"), name
        ).value == pytest.approx(0.165108, abs=2e-6)
    assert (
        accord.agree(Ratings.from_matrix(EBEL, orientation="annotators"), "icc-a").terms[
            "sigma2_annotators"
        ]
        == 0
    )


def test_reml_is_the_analysis_of_variance_on_complete_data():
    """Where the components are positive, both give the same (McGraw & Wong 1996)."""
    from accord.measures.ratings.components import Incomplete
    from accord.measures.ratings.profiles import named_profiles

    data = Ratings.from_matrix(SF)
    layout = Incomplete(sizes=np.array([4]), annotators=4)
    profiles = named_profiles(data)
    found = layout.fit(
        layout.tally(profiles, data.numbers).sum(axis=0, keepdims=True), two_way=True
    )
    assert found.items[0] == pytest.approx(2.555556, abs=1e-5)
    assert found.annotators[0] == pytest.approx(5.244444, abs=1e-4)
    assert found.error[0] == pytest.approx(1.019444, abs=1e-5)


def test_k_steps_the_single_form_up():
    data = Ratings.from_matrix(SF)
    single = accord.agree(data, "icc-a").value
    for k in (1, 2, 8):
        value = accord.agree(data, "icc-ak", k=k).value
        assert value == pytest.approx(k * single / (1 + (k - 1) * single))
    with pytest.raises(UsageError, match="k must be at least 1"):
        accord.agree(data, "icc-ak", k=0.5)


def test_a_mean_without_variance_is_undefined():
    """MSB below MSE so far that the denominator of a k-form is not positive."""
    data = Ratings.from_matrix([[1, 5, 1, 5], [5, 1, 5, 1], [3, 3, 3, 3.1]])
    result = accord.agree(data, "icc-ak")
    assert result.undefined is not None or result.value <= 0
    flat = Ratings.from_matrix([[1, 2, 3], [3, 2, 1]])
    assert accord.agree(flat, "icc-ck").undefined


def test_parts_that_share_nothing_are_said():
    matrix = [[1, 2, 3, None, None, None], [1, 3, 3, None, None, None],
              [None, None, None, 4, 5, 6], [None, None, None, 4, 4, 6]]  # fmt: skip
    result = accord.agree(Ratings.from_matrix(matrix, orientation="annotators"), "icc-a")
    assert any("fall into 2 parts" in w for w in result.warnings)


# --- CCC, W --------------------------------------------------------------------------------------


def test_ccc_is_quadratic_kappa():
    pair = Ratings.from_matrix([[1, 2, 3, 4, 5], [2, 2, 4, 4, 6]])
    assert accord.agree(pair, "ccc").value == pytest.approx(4 / 4.6)
    rng = np.random.default_rng(0)
    for _ in range(20):
        two = Ratings.from_matrix(rng.integers(1, 6, (2, 15)).astype(float))
        assert accord.agree(two, "ccc").value == pytest.approx(
            accord.agree(two, "weighted-kappa").value
        )
    many = Ratings.from_matrix(SF)
    assert accord.agree(many, "ccc").value == pytest.approx(0.253723, abs=1e-6)
    assert accord.agree(many, "ccc").value == pytest.approx(
        accord.agree(many, "conger", weights="quadratic").value
    )


def test_ccc_skips_pairs_that_share_too_little():
    result = accord.agree(
        Ratings.from_matrix([[1, 2, 3, None], [1, 2, 4, None], [None, None, 3, 5]]), "ccc"
    )
    assert any("2 of 3 pairs" in w for w in result.warnings)
    pair = accord.agree(Ratings.from_matrix([[1, 2, 3], [1, 2, 4]]), "ccc").value
    assert result.value == pytest.approx(pair)


def test_kendalls_w_is_friedmans_test():
    from scipy import stats

    result = accord.agree(Ratings.from_matrix(SF), "kendall-w")
    assert result.value == pytest.approx(0.887037, abs=1e-6)
    terms = result.terms
    assert (terms["chi2"], terms["df"]) == pytest.approx((17.7407, 5), abs=1e-4)
    assert terms["p"] == pytest.approx(0.00329, abs=1e-5)
    assert terms["chance"] == 0.25
    rng = np.random.default_rng(1)
    x = rng.integers(1, 5, (4, 12)).astype(float)
    found = accord.agree(Ratings.from_matrix(x), "kendall-w").terms
    theirs = stats.friedmanchisquare(*x.T)  # items are the treatments
    assert (found["chi2"], found["p"]) == pytest.approx(theirs)
    y = rng.normal(size=(3, 10))
    result = accord.agree(Ratings.from_matrix(y), "kendall-w")
    rho = np.mean([stats.spearmanr(y[i], y[j])[0] for i, j in ((0, 1), (0, 2), (1, 2))])
    assert result.terms["mean_spearman"] == pytest.approx(rho)


def test_kendalls_w_leaves_incomplete_items_out():
    matrix = [[*row, None if i else 3] for i, row in enumerate(SF)]
    result = accord.agree(
        Ratings.from_matrix(matrix, orientation="annotators"), "kendall-w", ci="auto"
    )
    assert result.value == pytest.approx(0.887037, abs=1e-6)
    assert result.n == 6
    assert any("1 items not rated by all" in w for w in result.warnings)
    # the jackknife ranks anew
    values = [
        accord.agree(Ratings.from_matrix([r[:i] + r[i + 1 :] for r in SF]), "kendall-w").value
        for i in range(6)
    ]
    error = np.sqrt(5 / 6 * np.sum((np.array(values) - np.mean(values)) ** 2))
    assert result.interval.error == pytest.approx(error)


@pytest.mark.parametrize("name", ["icc-a", "ccc", "kendall-w"])
def test_names_are_not_numbers(name):
    with pytest.raises(UsageError, match="needs numbers or categories declared in order"):
        accord.agree(Ratings.from_matrix([list("abc"), list("abb")]), name)


# --- limits of agreement -------------------------------------------------------------------------


def test_bland_and_altman():
    found = limits_of_agreement(Ratings.from_matrix([[1, 2, 3, 4, 5], [2, 2, 4, 4, 6]]))[0]
    assert found.bias == pytest.approx(-0.6)
    assert found.spread == pytest.approx(0.547723, abs=1e-6)
    assert (found.lower, found.upper) == pytest.approx((-1.673516, 0.473516), abs=1e-6)
    t = 2.7764451
    assert found.bias_high - found.bias == pytest.approx(t * 0.547723 / np.sqrt(5), abs=1e-5)
    z = 1.959964
    error = 0.547723 * np.sqrt(1 / 5 + z**2 / 8)
    assert found.margin == pytest.approx(t * error, abs=1e-5)


def test_differences_that_grow_are_said():
    x = np.arange(1.0, 31)
    rng = np.random.default_rng(0)
    found = limits_of_agreement(Ratings.from_matrix([x, x + x * rng.normal(0, 0.3, 30)]))[0]
    assert "grow with the values" in growing(found)
    assert growing(limits_of_agreement(Ratings.from_matrix(SF))[0]) is None
    three = limits_of_agreement(Ratings.from_matrix(SF), others=True)
    assert [one.first for one in three] == ["A1", "A2", "A3", "A4"]
    with pytest.raises(InputError, match="at least two annotators"):
        limits_of_agreement(Ratings.from_matrix([[1, 2, 3]]))


def test_limits_command(accord_command, table, tmp_path):
    path = table(
        "item,annotator,value\n"
        + "".join(f"{i},{a},{SF[r][i]}\n" for i in range(6) for r, a in enumerate("ABCD"))
    )
    drawn = tmp_path / "limits.svg"
    done = accord_command("limits", path, "--svg", drawn, "--json")
    rows = json.loads(done.stdout)["limits"]
    assert len(rows) == 6
    assert rows[0]["bias"] == pytest.approx(np.mean(np.array(SF[0]) - SF[1]))
    assert drawn.read_text().count("<circle") == 36
    assert "bias" in accord_command("limits", path).stdout


# --- reliability of means ------------------------------------------------------------------------


def test_generalisability():
    found = reliability(Ratings.from_matrix(SF))
    by = {row["k"]: row for row in found.rows}
    for k, consistency, agreement in (
        (1, 0.715, 0.290), (2, 0.834, 0.449), (4, 0.909, 0.620), (8, 0.953, 0.765), (10, 0.962, 0.803),
    ):  # fmt: skip
        assert by[k]["consistency"] == pytest.approx(consistency, abs=6e-4)
        assert by[k]["agreement"] == pytest.approx(agreement, abs=6e-4)
    assert found.needed == {"consistency": 2, "agreement": 10}
    assert sum(row["share"] for row in found.components) == pytest.approx(1)
    assert by[4]["agreement_low"] == pytest.approx(0.071137, abs=1e-5)
    nested = reliability(Ratings.from_matrix(SF), nested=True)
    assert set(nested.needed) == {"agreement"}
    assert nested.rows[3]["agreement"] == pytest.approx(0.442797, abs=1e-6)


def test_reliability_of_votes():
    data = Ratings.from_matrix([list("aabbaabb"), list("aabbaaba"), list("aabbabbb")])
    found = reliability(data)
    alpha = accord.agree(data, "alpha").value
    assert found.rows[1]["agreement"] == pytest.approx(2 * alpha / (1 + alpha))
    assert any("shares of votes" in w for w in found.warnings)
    with pytest.raises(RefusedError, match="no reliability"):
        reliability(Ratings.from_matrix([[1, 1], [1, 1]]))


def test_reliability_command(accord_command, table):
    path = table(
        "item,annotator,value\n"
        + "".join(f"{i},{a},{SF[r][i]}\n" for i in range(6) for r, a in enumerate("ABCD"))
    )
    done = accord_command("simulate", "reliability", path, "--json")
    found = json.loads(done.stdout)
    assert found["needed"] == {"consistency": 2, "agreement": 10}
    assert len(found["points"]) == 20
    assert "10 annotators per item" in accord_command("simulate", "reliability", path).stdout


# --- sample size ---------------------------------------------------------------------------------


def test_sample_size_has_assurance():
    """The example of 12f: prevalence .5, error .1 (α .64), width .2, three annotators: 147 ± 6."""
    plan = planned(0.64, annotators=3)
    found = sample_size(plan, "alpha", width=0.2, source="a plan", campaigns=120)
    assert 130 <= found.needed <= 165
    assert found.reached >= 0.8
    half = sample_size(plan, "alpha", width=0.2, assurance=0.5, source="a plan", campaigns=120)
    assert half.needed < found.needed
    # the mean width is met by half of the campaigns only
    shares = {n: share for n, _, share in found.points}
    assert shares[round(found.needed * 0.5)] < 0.5 < shares[round(found.needed * 1.5)]


def test_a_perfect_pilot_plans_for_errors():
    pilot = Ratings.from_matrix([["a", "b"] * 10] * 2)
    found = sample_size(pilot, "alpha", width=0.1, campaigns=60)
    assert found.needed > 60
    few = sample_size(Ratings.from_matrix([["a", "b"] * 6] * 2), "alpha", width=0.3, campaigns=40)
    assert any("a pilot of 12 items says little" in w for w in few.warnings)


def test_sample_size_for_a_threshold():
    plan = planned(0.8, annotators=3)
    near, far = (
        sample_size(plan, "alpha", threshold=t, source="a plan", campaigns=60).needed
        for t in (0.74, 0.667)
    )
    assert near > far
    with pytest.raises(UsageError, match="not both"):
        sample_size(plan, "alpha", width=0.1, threshold=0.667)


def test_annotators_against_items():
    rows = annotators_or_items(
        0.64, item_cost=2, label_cost=1, annotators=(2, 4), width=0.3, campaigns=40
    )
    assert rows[0]["items"] > rows[1]["items"]
    assert rows[1]["cost"] == rows[1]["items"] * 6
    assert [row["cheapest"] for row in rows] == [False, True]


# --- numbers that are none -----------------------------------------------------------------------


def test_whole_numbers_beyond_2_to_53_are_names():
    big = [2**53 + i for i in range(4)]
    for matrix in ([big, big], np.array([big, big]), [[str(b) for b in big]] * 2):
        data = Ratings.from_matrix(matrix, orientation="annotators")
        assert data.kind == "categories"
        assert data.labels == tuple(str(b) for b in big)
    assert Ratings.from_matrix([[2**53, 1]] * 2).kind == "numbers"


def test_infinities_and_numbers_without_a_square_are_errors():
    with pytest.raises(InputError, match="not a finite number"):
        Ratings.from_matrix([[1, 2, float("inf")], [1, 2, 3]])
    huge = Ratings.from_matrix([[1e308, 2, -1e308], [1e308, 2, 3]])
    with pytest.raises(UsageError, match="cannot be squared"):
        accord.agree(huge, "alpha", metric="interval")
    assert accord.agree(huge, "alpha", metric="ordinal").undefined is None
    assert accord.agree(huge, "alpha").undefined is None


def test_dates_are_categories():
    from datetime import date

    days = [date(2020, 1, 5), date(2020, 1, 6), date(2020, 1, 5)]
    data = Ratings.from_matrix([days, days])
    assert (data.kind, data.labels) == ("categories", ("2020-01-05", "2020-01-06"))


def test_documented_comparison_of_measures(accord_command):
    done = accord_command(
        "simulate", "measures", "--shape", "ratings", "--measure", "percent,alpha",
        "--campaigns", "2", "--steps", "2", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def _exponential(rng, lost=False):
    """Sixty items of three annotators, true values and errors exponential: the ICC is 1/1.36."""
    table = (rng.exponential(1, 60)[:, None] + 0.6 * rng.exponential(1, (60, 3))).T.tolist()
    if lost:
        table[0][0] = None
    return Ratings.from_matrix(table)


def test_numbers_that_are_not_normal_are_covered():
    """F limits hold about .75 of them, whatever the number of items."""
    rng = np.random.default_rng(12)
    hits = {"auto": 0, "analytic": 0}
    for _ in range(150):
        found = accord.agree(_exponential(rng), "icc-c")
        for method in hits:
            made = accord.interval(found, method).interval
            hits[method] += made.low <= 1 / 1.36 <= made.high
    assert hits["auto"] >= 132
    assert hits["analytic"] <= 124


@pytest.mark.parametrize("name", ["icc-1", "icc-a", "icc-ak"])
def test_a_missing_cell_leaves_the_question_of_the_interval(name):
    whole, lacking = (
        accord.interval(accord.agree(data, name))
        for data in (
            _exponential(np.random.default_rng(1)),
            _exponential(np.random.default_rng(1), True),
        )
    )
    assert whole.interval.claim == lacking.interval.claim == "other annotators and items"
    assert lacking.interval.low == pytest.approx(whole.interval.low, abs=0.03)
    assert lacking.interval.high == pytest.approx(whole.interval.high, abs=0.03)


def test_few_numbers_are_said_to_be_taken_as_normal():
    few = accord.interval(accord.agree(Ratings.from_matrix([[1, 2, 4, 3], [2, 2, 5, 3]]), "icc-c"))
    assert few.interval.method == "analytic"
    assert any("suppose normal numbers, and 4 items" in w for w in few.warnings)
