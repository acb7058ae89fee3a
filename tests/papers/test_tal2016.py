"""Mathet & Widlöcher (2016): every printed number that concerns ratings."""

import pytest

import accord
from accord.data import Ratings
from accord.measures.ratings import alpha, kappa
from accord.report.reproduce import reproduce
from accord.report.reproduce.tal2016 import unitizing


@pytest.mark.parametrize("check", reproduce("tal2016"), ids=lambda c: f"{c.table} {c.what}")
def test_every_printed_value(check):
    assert check.status in ("ok", "slip", "own data"), (check.ours, check.printed)


def test_a_wrong_value_would_be_noticed():
    checks = list(reproduce("tal2016:Table 1"))
    assert len(checks) == 16
    moved = [abs(c.ours + 0.01 - c.printed) <= c.rounding for c in checks]
    assert not any(moved)


def test_what_is_printed_is_read_as_it_stands():
    """Rounding is half a unit of the last digit that stands there."""
    printed = {(c.table, c.what): c for c in reproduce("tal2016")}
    slip = printed["Table 2", "raw agreement"]
    assert (slip.printed, slip.rounding, slip.status) == (0.9985, pytest.approx(5e-5), "slip")
    for what in ("κ at prevalence 0.1", "κ at prevalence 0.01"):
        assert printed["§3.4", what].printed is None
    assert printed["§7.1", "baseline A_e(reference, reference)"].printed is None


@pytest.mark.parametrize(
    ("chance", "name", "least", "most"),
    [
        ("shuffle", "unitizing 1", -0.035, -0.025),
        ("shuffle", "unitizing 2", 0.685, 0.695),
        ("rotation", "unitizing 1", 0.1, 0.2),
        ("rotation", "unitizing 2", 0.3, 0.65),
        ("statistical", "unitizing 2", 0.3, 0.65),
    ],
)
def test_shuffle_gives_both_printed_gammas_on_the_chosen_places(chance, name, least, most):
    found = accord.agree(unitizing(name), "gamma", chance=chance, samples=4_000, ci="none")
    assert least < found.value < most


def test_table_2_terms():
    first = "+" * 10 + "-" * 9990
    second = "+" * 5 + "-" * 5 + "+" * 5 + "-" * 9985
    result = kappa(Ratings.from_matrix([list(first), list(second)]))
    assert result.observed == pytest.approx(0.999)
    assert result.expected == pytest.approx((10 * 10 + 9990 * 9990) / 1e8)
    assert result.value == pytest.approx(0.4995, abs=5e-5)


def test_nominal_alpha_on_numbers_warns_with_both_values():
    data = Ratings.from_matrix([list(range(10)), [*range(1, 10), 9]])
    result = alpha(data)
    assert result.value == pytest.approx(0.045, abs=5e-4)
    assert any("0.94" in w and "interval" in w for w in result.warnings)
    assert not any("interval" in w for w in alpha(data, metric="interval").warnings)
