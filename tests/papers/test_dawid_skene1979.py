"""Dawid & Skene (1979), the anaesthesia example: Table 1, and the estimates printed for it."""

import numpy as np
import pytest

from accord.gold.dawid_skene import dawid_skene
from accord.gold.labels import Labels

#: Table 1: for each patient the readings of observer 1 (three times), 2, 3, 4 and 5
TABLE_1 = [
    "1111111", "3334334", "1122122", "2223121", "2223222", "2223322", "1222111",
    "3333433", "2222223", "2322223", "4444444", "2223343", "1111111", "2223212",
    "1211111", "1112111", "1111111", "1111111", "2222221", "2221322", "2222222",
    "2222221", "2223222", "2212222", "1111111", "1111111", "2322222", "1111111",
    "1111111", "1121121", "1111111", "3333233", "1111111", "2222222", "2223232",
    "4334343", "2212232", "2323233", "3333432", "1111111", "1111111", "1212111",
    "2322222", "1211111", "2222222",
]  # fmt: skip
OBSERVER = [0, 0, 0, 1, 2, 3, 4]


@pytest.fixture(scope="module")
def labels():
    return Labels(
        indptr=np.arange(0, 7 * 45 + 1, 7),
        annotator=np.array(OBSERVER * 45, dtype=np.int32),
        code=np.array([int(c) - 1 for row in TABLE_1 for c in row], dtype=np.int32),
        n_annotators=5,
        n_classes=4,
        weight=np.ones(5),
        clamp=np.full(45, -1, dtype=np.int32),
    )


@pytest.fixture(scope="module")
def estimate(labels):
    return dawid_skene(labels, smoothing=0.0, tolerance=1e-12)


def test_marginals(estimate):
    assert estimate.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]


@pytest.mark.parametrize(
    ("observer", "true", "said"),
    [
        (0, 0, [0.89, 0.11, 0.00, 0.00]),
        (0, 1, [0.07, 0.88, 0.05, 0.00]),
        (0, 2, [0.00, 0.34, 0.66, 0.00]),
        (0, 3, [0.00, 0.00, 0.56, 0.44]),
    ],
)
def test_error_rates(estimate, observer, true, said):
    found = estimate.confusion[observer, :, true]
    assert found.round(2).tolist() == pytest.approx(said, abs=0.0051)


def test_most_patients_are_certain(estimate):
    sure = estimate.posterior.max(axis=1)
    assert np.sum(sure > 0.995) >= 38
    assert estimate.posterior[0].argmax() == 0
    assert estimate.posterior[10].argmax() == 3
    assert estimate.converged


def test_our_priors_keep_every_patient(labels, estimate):
    ours = dawid_skene(labels)
    assert np.array_equal(ours.posterior.argmax(axis=1), estimate.posterior.argmax(axis=1))
    assert np.abs(ours.posterior - estimate.posterior).max() < 0.03


def test_likelihood_never_falls(estimate):
    assert np.all(np.diff(estimate.objective) >= -1e-9)
