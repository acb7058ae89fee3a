"""Values of R (psych, lme4, stats), frozen by ``Rscript scripts/reference_values.R`` in r_values.json.

The file names the versions: R 4.2.2, psych 2.2.9, lme4 1.1.31 of Debian 12.
"""

import json
from pathlib import Path

import pytest

import accord
from accord.data import Ratings
from accord.measures.ratings.limits import limits_of_agreement

R = json.loads((Path(__file__).parent / "r_values.json").read_text(encoding="utf-8"))
ICC = ("icc-1", "icc-a", "icc-c", "icc-1k", "icc-ak", "icc-ck")


def table(name: str) -> Ratings:
    rows = R[name]["values"]
    return Ratings.from_matrix([list(column) for column in zip(*rows, strict=True)])


def side(name: str, annotator: int) -> Ratings:
    return Ratings.from_matrix([[row[annotator] for row in R[name]["values"]]])


def test_the_versions_are_named():
    assert R["versions"]["psych"] == "2.2.9"
    assert R["versions"]["R"].startswith("R version 4")


@pytest.mark.parametrize("data", ["shrout", "full"])
@pytest.mark.parametrize("name", ICC)
def test_icc_and_its_limits(data, name):
    found = accord.agree(table(data), name, ci="auto")
    value, low, high = R[data]["icc"][name]
    assert found.value == pytest.approx(value, abs=1e-12)
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize("data", ["shrout", "full"])
def test_icc_of_consistency_of_the_mean_is_cronbachs_alpha(data):
    found = accord.agree(table(data), "icc-ck").value
    assert found == pytest.approx(R[data]["cronbach"], abs=1e-12)


def test_variance_components_with_missing_cells_are_those_of_lme4():
    """lme4 stops its search within about 1e-5 of the top of the likelihood."""
    two, one = R["holes"]["components"]["two_way"], R["holes"]["components"]["one_way"]
    terms = accord.agree(table("holes"), "icc-a").terms
    found = [terms[f"sigma2_{part}"] for part in ("items", "annotators", "error")]
    assert found == pytest.approx(two, rel=1e-4)
    assert accord.agree(table("holes"), "icc-a").value == pytest.approx(two[0] / sum(two), abs=1e-5)
    assert accord.agree(table("holes"), "icc-c").value == pytest.approx(
        two[0] / (two[0] + two[2]), abs=1e-5
    )
    assert accord.agree(table("holes"), "icc-1").value == pytest.approx(one[0] / sum(one), abs=1e-5)


@pytest.mark.parametrize("data", ["shrout", "full"])
def test_kendalls_w_is_friedmans(data):
    found = accord.agree(table(data), "kendall-w")
    expected = R[data]["friedman"]
    assert found.value == pytest.approx(expected["W"], abs=1e-12)
    assert found.terms["chi2"] == pytest.approx(expected["chi_squared"], abs=1e-9)
    assert found.terms["df"] == expected["df"]
    assert found.terms["p"] == pytest.approx(expected["p"], rel=1e-9)


@pytest.mark.parametrize("data", ["shrout", "full"])
def test_kappas(data):
    two = table(data).select(annotators=["A1", "A2"])
    expected = R[data]["kappa"]
    assert accord.agree(two, "kappa").value == pytest.approx(expected["kappa"], abs=1e-12)
    fleiss = accord.agree(table(data), "fleiss").value
    assert fleiss == pytest.approx(R[data]["fleiss"], abs=1e-12)


def test_quadratic_weights_are_psychs_and_lins():
    """On values without a gap: psych counts places in the list of values, accord the values."""
    two = table("full").select(annotators=["A1", "A2"])
    expected = R["full"]["kappa"]
    weighted = accord.agree(two, "weighted-kappa", weights="quadratic").value
    assert weighted == pytest.approx(expected["quadratic"], abs=1e-12)
    assert accord.agree(two, "ccc").value == pytest.approx(expected["quadratic"], abs=1e-12)


@pytest.mark.parametrize("data", ["shrout", "full"])
def test_limits_of_agreement(data):
    found = limits_of_agreement(table(data).select(annotators=["A1", "A2"]))[0]
    expected = R[data]["limits"]
    assert found.bias == pytest.approx(expected["bias"], abs=1e-12)
    assert (found.lower, found.upper) == pytest.approx(expected["limits"], abs=1e-12)
    assert (found.bias_low, found.bias_high) == pytest.approx(expected["bias_interval"], abs=1e-9)


@pytest.mark.parametrize("data", ["shrout", "full"])
def test_correlations(data):
    for name in ("pearson", "spearman"):
        found = accord.score(side(data, 0), side(data, 1), name).value
        assert found == pytest.approx(R[data]["score"][name], abs=1e-12)
