"""Values of crowd-kit 1.4.2 on a small campaign.

    DawidSkene(n_iter=2000, tol=1e-13).fit_predict(frame)
    GLAD(n_iter=300, tol=1e-9, m_step_max_iter=200, m_step_tol=1e-8).fit(frame).probas_

Its MACE is not compared: it numbers workers and labels by first appearance and reads its counts back
in sorted order, so that the result depends on the order of the rows.
"""

import numpy as np
import pytest

import accord
from accord.data.tables import ratings_from_long

ROWS = (
    "i00vc i00wc i00xc i00yc i00zb i01vb i01xb i01yb i01zc i02vc i02wc i02xc i02yb i02zc i03vc "
    "i03wc i03yc i03zc i04vb i04xb i04yb i04zb i05vc i05xc i05yb i05zc i06vc i06wc i06xc i06zc "
    "i07va i07xa i07ya i07zb i08va i08wa i08xa i08zb i09va i09wa i09xa i09ya i09zc i10va i10wa "
    "i10xb i10ya i10za i11vc i11wc i11xc i11yc i11zc"
)
DAWID_SKENE = "cbccbccaaaac"
GLAD = [
    [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 0.0002, 0.9998], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0],
    [0.001, 0.0067, 0.9922], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0],
    [0.998, 0.0018, 0.0002], [0.0, 0.0, 1.0],
]  # fmt: skip


@pytest.fixture(scope="module")
def campaign():
    rows = [(r[:3], r[3], r[4]) for r in ROWS.split()]
    return ratings_from_long(*zip(*rows, strict=True))


def test_dawid_skene(campaign):
    found = accord.gold(campaign, "dawid-skene", smoothing=0.0, tolerance=1e-12)
    assert "".join(found.written(i) for i in range(12)) == DAWID_SKENE


def test_glad(campaign):
    found = accord.gold(campaign, "glad", tolerance=1e-10)
    assert found.posterior == pytest.approx(np.array(GLAD), abs=5e-3)
