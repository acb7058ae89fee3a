"""Values of irrCAC 0.4.4 and krippendorff 0.9.0 on Gwet's (2014) 12 items by 4 raters with gaps.

``CAC(frame, weights=W, digits=8).METHOD()["est"]`` and ``krippendorff.alpha(matrix,
level_of_measurement=M)``.
"""

import pytest

import accord
from accord.data import Ratings
from accord.uncertainty import interval

GWET = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, None],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]

#: (weights, measure) → coefficient, standard error, observed, expected
VALUES = {
    ("identity", "fleiss"): (0.76116928, 0.1530192, 0.81818182, 0.23871528),
    ("identity", "ac1"): (0.77544407, 0.14294995, 0.81818182, 0.19032118),
    ("identity", "conger"): (0.76281744, 0.14916815, 0.81818182, 0.23342516),
    ("identity", "s"): (0.77272727, 0.14471662, 0.81818182, 0.2),
    ("quadratic", "fleiss"): (0.86493506, 0.14603361, 0.97537879, 0.81770833),
    ("quadratic", "ac2"): (0.91400072, 0.10396224, 0.97537879, 0.71370443),
    ("quadratic", "conger"): (0.85771066, 0.14367066, 0.97537879, 0.82696377),
    ("quadratic", "s"): (0.90151515, 0.11089437, 0.97537879, 0.75),
    ("linear", "ac2"): (0.85873914, 0.11732902, 0.93939394, 0.57096354),
    ("ordinal", "ac2"): (0.89893977, 0.10690352, 0.96818182, 0.68515625),
    ("radical", "ac2"): (0.8198117, 0.12835552, 0.89726911, 0.42986923),
    ("ratio", "ac2"): (0.85736756, 0.12207133, 0.95411487, 0.67829811),
    ("circular", "ac2"): (0.83019514, 0.13265138, 0.90245918, 0.4255711),
    ("bipolar", "ac2"): (0.90037302, 0.10581571, 0.96836219, 0.68243738),
    ("bipolar", "conger"): (0.84487175, 0.14213883, 0.96836219, 0.79605386),
    ("ratio", "fleiss"): (0.82133834, 0.15238604, 0.95411487, 0.74317306),
}

ALPHA = {
    "nominal": 0.743421052631579,
    "ordinal": 0.8153875037548814,
    "interval": 0.8491071428571428,
    "ratio": 0.7974027747116121,
    "linear": 0.80038388,
    "bipolar": 0.83499052,
}


@pytest.fixture(scope="module")
def gwet() -> Ratings:
    return Ratings.from_matrix(GWET)


@pytest.mark.parametrize(("case", "printed"), VALUES.items(), ids=lambda c: "-".join(map(str, c)))
def test_coefficients_and_standard_errors(gwet, case, printed):
    weights, name = case
    options = {} if weights == "identity" else {"weights": weights}
    result = interval(accord.agree(gwet, name, **options), "analytic")
    value, error, observed, expected = printed
    assert result.value == pytest.approx(value, abs=1e-8)
    assert result.observed == pytest.approx(observed, abs=1e-8)
    assert result.expected == pytest.approx(expected, abs=1e-8)
    assert result.terms["standard_error"] == pytest.approx(error, abs=1e-8)


@pytest.mark.parametrize(("metric", "printed"), ALPHA.items())
def test_alpha(gwet, metric, printed):
    assert accord.agree(gwet, "alpha", metric=metric).value == pytest.approx(printed, abs=1e-8)


def test_circular_alpha_is_irrcacs_circular(gwet):
    # irrCAC's circular weights take the period from the range: 5 - 1 + 1
    assert accord.agree(gwet, "alpha", metric="circular", period=5).value == pytest.approx(
        0.78998027, abs=1e-8
    )


def test_alpha_linearised_error_is_not_irrcacs(gwet):
    """irrCAC holds its small-sample correction fixed (.1456); ours differentiates alpha itself."""
    result = interval(accord.agree(gwet.pairable(), "alpha"), "analytic")
    assert result.terms["standard_error"] == pytest.approx(0.1419369, abs=1e-6)
    jackknife = interval(accord.agree(gwet.pairable(), "alpha"), "jackknife")
    assert jackknife.terms["standard_error"] == pytest.approx(0.147, abs=2e-3)
