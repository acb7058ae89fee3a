"""Resampling as weights on the rows of a sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from accord.result import Array

#: replicate × row weights held at once, at most
CELLS = 4_000_000


def bootstrap_weights(
    counts: NDArray[np.int64], resamples: int, rng: np.random.Generator, width: int = 1
) -> Iterator[Array]:
    """Blocks of bootstrap weights: how often each row is drawn when all units are drawn again.

    Rows that stand for many units are drawn by multinomial counts; when nearly every unit has its
    own row, drawing the units themselves is cheaper. Same distribution either way. `width` is the
    number of statistics per replicate, which also limits the height of a block.
    """
    size, n = len(counts), int(counts.sum())
    unit_row = None if 4 * size < n else np.repeat(np.arange(size), counts)
    for height in blocks(resamples, max(size, width)):
        if unit_row is None:
            yield rng.multinomial(n, counts / n, size=height).astype(np.float64)
            continue
        weights = np.empty((height, size))
        for b in range(height):
            drawn = unit_row[rng.integers(0, n, size=n)]
            weights[b] = np.bincount(drawn, minlength=size)
        yield weights


def dirichlet_weights(
    mass: Array, total: float, resamples: int, rng: np.random.Generator, width: int = 1
) -> Iterator[Array]:
    """Blocks of Dirichlet weights (Rubin 1981): independent Gamma(mass), scaled to sum to `total`.

    A row that stands for c units has mass c: a sum of c Gamma(1), so that rows alike cost nothing.
    """
    for height in blocks(resamples, max(len(mass), width)):
        drawn = rng.standard_gamma(mass, size=(height, len(mass)))
        drawn *= total / drawn.sum(axis=1, keepdims=True)
        yield drawn


def unit_weights(n: int, cluster: NDArray[np.int32] | None, resamples: int, seed: int) -> Array:
    """Dirichlet weights of n items, replicates × items; items of one document share theirs.

    Fewer replicates when the items are many: all are held at once.
    """
    count = max(50, min(resamples, 20_000_000 // max(1, n)))
    rng = np.random.default_rng(seed)
    several = cluster is not None and len(np.unique(cluster)) > 1
    size = int(cluster.max()) + 1 if several and cluster is not None else n
    drawn = rng.standard_exponential((count, size))
    if several:
        drawn = drawn[:, cluster]
    return np.asarray(drawn * (n / drawn.sum(axis=1, keepdims=True)))


def blocks(resamples: int, width: int) -> Iterator[int]:
    """Heights of blocks that hold `resamples` replicates in bounded memory."""
    block = max(1, CELLS // max(width, 1))
    for start in range(0, resamples, block):
        yield min(block, resamples - start)
