"""pygamma-agreement 0.5.9 with CBC (cylp 0.94.1): disorder of the best alignment, in float32.

Each value is ``Continuum.get_best_alignment(CombinedCategoricalDissimilarity(alpha=1, beta=1,
delta_empty=1.0)).disorder`` on the units of ``units`` below.
"""

from __future__ import annotations

import random

import pytest

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
