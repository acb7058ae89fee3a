"""pygamma-agreement 0.5.9 with CBC (cylp 0.94.1): disorder of the best alignment, in float32.

Each value is ``Continuum.get_best_alignment(CombinedCategoricalDissimilarity(alpha=1, beta=1,
delta_empty=1.0)).disorder`` on the units of ``units`` below.
"""

from __future__ import annotations

import random

import pytest

import accord
from accord.alignment.align import align
from accord.data import Units


def units(n: int, p: int, seed: int) -> list[tuple[str, int, int, str]]:
    rng = random.Random(seed)
    found = []
    for a in range(n):
        for _ in range(p):
            start = rng.randrange(0, 10 * p)
            found.append((f"a{a}", start, start + rng.randrange(2, 12), rng.choice("xyz")))
    return found


@pytest.mark.parametrize(
    ("n", "p", "seed", "disorder"),
    [
        (2, 8, 1, 1.0958344),
        (2, 30, 2, 1.4579061),
        (3, 8, 3, 1.3009875),
        (3, 20, 4, 1.450969),
        (4, 6, 5, 1.8206984),
        (4, 10, 6, 1.480696),
    ],
)
def test_best_alignment(n, p, seed, disorder):
    data = Units.from_rows([("d", *u) for u in dict.fromkeys(units(n, p, seed))])
    (found,) = align(data)
    assert found.proven
    assert found.disorder == pytest.approx(disorder, rel=1e-5)


@pytest.mark.parametrize(
    ("n", "p", "seed", "cat", "by_label"),
    [
        (2, 8, 1, 0.69058615, (0.759375, 0.72727275, 0.6694215)),
        (2, 30, 2, 0.9080885, (0.963047, 0.9065024, 0.8914054)),
        (3, 8, 3, 0.8933004, (1.0, 0.7891478, 0.9211514)),
        (4, 6, 5, 0.8787006, (0.86791277, 0.86904275, 0.9280446)),
    ],
)
def test_disagreement_on_categories_with_units_that_stand_alone(n, p, seed, cat, by_label):
    """``get_best_alignment(…).gamma_k_disorder(dissimilarity, None)``, and of each of x, y, z.

    The case (3, 20, 4) has several best alignments, of which the peer takes another.
    """
    data = Units.from_rows([("d", *u) for u in dict.fromkeys(units(n, p, seed))])
    options = {"alone": "differs", "samples": 2}
    assert accord.agree(data, "gamma-cat", **options).observed == pytest.approx(cat, rel=1e-6)
    found = accord.agree(data, "gamma-k", **options)
    assert [r.observed for r in found] == pytest.approx(by_label, rel=1e-6)
    assert "|alone:differs|" in found[0].signature
    assert "alone" not in accord.agree(data, "gamma-cat", samples=2).signature
