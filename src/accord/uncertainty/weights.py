"""Resampling as integer weights on the rows of a sample."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

#: replicate × row weights held at once, at most
CELLS = 4_000_000


def bootstrap_weights(
    counts: NDArray[np.int64], resamples: int, rng: np.random.Generator, width: int = 1
) -> Iterator[NDArray[np.float64]]:
    """Blocks of bootstrap weights: how often each row is drawn when all units are drawn again.

    Rows that stand for many units are drawn by multinomial counts; when nearly every unit has its
    own row, drawing the units themselves is cheaper. Same distribution either way. `width` is the
    number of statistics per replicate, which also limits the height of a block.
    """
    size, n = len(counts), int(counts.sum())
    block = max(1, CELLS // max(size, width, 1))
    unit_row = None if 4 * size < n else np.repeat(np.arange(size), counts)
    for start in range(0, resamples, block):
        height = min(block, resamples - start)
        if unit_row is None:
            yield rng.multinomial(n, counts / n, size=height).astype(np.float64)
            continue
        weights = np.empty((height, size))
        for b in range(height):
            drawn = unit_row[rng.integers(0, n, size=n)]
            weights[b] = np.bincount(drawn, minlength=size)
        yield weights
