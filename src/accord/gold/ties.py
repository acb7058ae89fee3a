"""From distributions to labels: thresholds and ties."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from numbers import Real
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes
from accord.errors import InputError, UsageError, some
from accord.gold.labels import TIE, Array

TIES = ("error", "abstain", "first", "random")


def decide(
    posterior: Array,
    items: Sequence[Hashable],
    *,
    ties: str = "abstain",
    threshold: float | None = None,
    seed: int = 0,
) -> tuple[Codes, NDArray[np.bool_]]:
    """The label of each item (-1 for none) and which items tie.

    `ties`: *error* refuses, *abstain* leaves the item without a label, *first* takes the first in
    the order of the labels, *random* draws by the seed and the item's name, whatever the order of
    the rows. Below `threshold` an item gets no label.
    """
    if ties not in TIES:
        raise UsageError(f"ties must be one of {', '.join(TIES)}, got {ties!r}")
    check_threshold(threshold)
    if not posterior.size:
        return np.full(len(posterior), -1, dtype=np.int32), np.zeros(len(posterior), dtype=bool)
    top = posterior.max(axis=1)
    best = posterior >= top[:, None] - TIE
    tied = best.sum(axis=1) > 1
    code = best.argmax(axis=1).astype(np.int32)
    places = np.flatnonzero(tied)
    if ties == "error" and len(places):
        raise InputError(
            f"{len(places)} of {len(items)} items tie: {some([str(items[int(i)]) for i in places])}",
            hint="choose `ties=abstain`, first or random, or adjudicate them",
        )
    if ties == "abstain":
        code[places] = -1
    elif ties == "random":
        for i in places.tolist():
            among = np.flatnonzero(best[i])
            code[i] = among[crc32(f"{seed}:{items[i]}".encode()) % len(among)]
    if threshold is not None:
        code[below(top, threshold)] = -1
    return code, tied


def check_threshold(threshold: float | None) -> None:
    if threshold is not None and not (isinstance(threshold, Real) and 0 <= threshold <= 1):
        raise UsageError(f"the threshold must be between 0 and 1, got {threshold!r}")


def below(probability: Array, threshold: float) -> NDArray[np.bool_]:
    """Which probabilities fall under the threshold; one that cannot be told from it does not."""
    return np.asarray(probability < threshold - TIE)
