"""Labels of several features, such as ``PER|singular``: a weighted mean of their distances."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError

#: what stands between the values of a compound label
SEPARATOR = "|"


def feature_distances(
    labels: Sequence[str], weights: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """d = Σ_f w_f·d_f, each d_f 0 or 1; the weights sum to 1, equal ones by default.

    >>> feature_distances(["PER|sg", "PER|pl", "LOC|pl"], [3, 1]).tolist()
    [[0.0, 0.25, 1.0], [0.25, 0.0, 0.75], [1.0, 0.75, 0.0]]
    """
    parts = [label.split(SEPARATOR) for label in labels]
    count = len(parts[0]) if parts else len(weights or ())
    for label, values in zip(labels, parts, strict=True):
        if len(values) != count:
            raise UsageError(
                f"every label must have as many features, {labels[0]!r} has {count} and {label!r} "
                f"{len(values)} (separated by {SEPARATOR})"
            )
    w = np.ones(count) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(w) != count:
        raise UsageError(f"there are {count} features and {len(w)} weights; give one for each")
    if not (np.isfinite(w).all() and (w >= 0).all() and w.sum() > 0):
        raise UsageError(f"feature weights must be numbers from 0, not all 0, got {w.tolist()}")
    found = np.zeros((len(labels), len(labels)))
    for f in range(count):
        value = np.array([values[f] for values in parts], dtype=object)
        found += w[f] / w.sum() * (value[:, None] != value[None, :])
    return found
