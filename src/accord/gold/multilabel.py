"""Set-valued ratings: one yes-or-no question per label, answered together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.label_sets import label_names, membership
from accord.gold.labels import TIE, Array, Estimate, Labels


def per_label(
    data: Ratings,
    labels: Labels,
    model: Callable[[Labels], Estimate],
    known: NDArray[np.float64],
) -> tuple[Array, list[Estimate]]:
    """P(item has label), items × labels, by one binary model per label.

    `known[i, l]` is 1, 0 or NaN. A label is in or out whatever else is in the set, which is what
    lets any method of this package work on sets; labels that exclude each other belong in
    categories instead.
    """
    names = label_names(data.values)
    inside = membership(data.values, names)
    present = np.empty((labels.n_items, len(names)))
    estimates = []
    for column in range(len(names)):
        binary = replace(
            labels,
            code=np.ascontiguousarray(inside[labels.code, column]),
            n_classes=2,
            clamp=np.where(np.isnan(known[:, column]), -1, known[:, column]).astype(np.int32),
        )
        estimate = model(binary)
        estimates.append(estimate)
        present[:, column] = estimate.posterior[:, 1]
    return present, estimates


def chosen_sets(
    present: Array, names: tuple[str, ...], *, ties: str, rated: NDArray[np.bool_]
) -> tuple[list[frozenset[str] | None], NDArray[np.bool_], Array]:
    """The labels more probable than not; which items tie on some label; the least sure of them.

    On a tie the label stays out, except that *abstain* and *error* leave the item undecided.
    """
    tied = (
        np.any(np.abs(present - 0.5) <= TIE, axis=1)
        if present.size
        else np.zeros(len(present), bool)
    )
    confidence = np.min(np.maximum(present, 1 - present), axis=1, initial=1.0)
    chosen: list[frozenset[str] | None] = []
    for row, tie, seen in zip(present, tied, rated, strict=True):
        if not seen or (tie and ties in ("abstain", "error")):
            chosen.append(None)
        else:
            chosen.append(frozenset(n for n, p in zip(names, row, strict=True) if p > 0.5 + TIE))
    return chosen, tied, confidence
