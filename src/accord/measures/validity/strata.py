"""Groups of items: by class of the reference, by how far the judges agree, by document."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.measures.validity.pairing import Array, Pairing
from accord.result import Row, Score

#: breakdowns that every measure of this family has
BY = ("category", "majority", "difficulty", "unanimous", "bin", "document", "item", "confusion")
#: classes in a table of confusions, at most
_MOST_CONFUSED = 1000
#: bins of the largest probability
BINS = 10


def grouped(pairing: Pairing, rows: Array, score: Score, by: str) -> list[Row]:
    """The measure on each group of items: by reference class, strength of the majority, …"""
    group, names = strata(pairing, by)
    weight = np.ones(pairing.n) if pairing.weights is None else pairing.weights
    # how much of each group lies in each row: groups × rows, summed without making all items
    key = group * pairing.height + pairing.index
    cells, place = np.unique(key, return_inverse=True)
    amount = np.bincount(place, weights=weight)
    totals = np.zeros((len(names), rows.shape[1]))
    np.add.at(totals, cells // pairing.height, amount[:, None] * rows[cells % pairing.height])
    values = np.real(score(totals)["value"])
    sizes = np.bincount(group, minlength=len(names))
    return [
        {by: label, "value": float(v) if np.isfinite(v) else math.nan, "n": int(size)}
        for label, v, size in zip(names, values, sizes, strict=True)
        if size
    ]


def confusion(pairing: Pairing) -> list[Row]:
    """How many items of each class of the reference got each class of the system, zeros too.

    Ties count in parts. What the system does not answer is under ``None``.
    """
    K = len(pairing.labels)
    if K > _MOST_CONFUSED:
        raise UsageError(f"{K} classes are too many for a table of confusions")
    counts = pairing.target.T @ (pairing.times[:, None] * pairing.choice)
    silent = pairing.total(np.where(pairing.given, 0.0, 1.0)[:, None] * pairing.target)
    names: list[str | None] = [*pairing.labels, None]
    table = np.concatenate([counts, silent[:, None]], axis=1)
    return [
        {"reference": label, "system": names[j], "count": whole(table[i, j])}
        for i, label in enumerate(pairing.labels)
        for j in range(K + 1)
        if j < K or silent.any()
    ]


def whole(count: float) -> float:
    """A count as it is read: parts of items, where judges tie, stay parts."""
    near = round(float(count), 9)
    return int(near) if near.is_integer() else near


def strata(pairing: Pairing, by: str) -> tuple[NDArray[np.int64], list[str]]:
    """Group of each item, and the names of the groups.

    *category*: class of the reference, ties apart. *majority*: votes of the most voted class.
    *difficulty*: thirds of the entropy of the votes. *unanimous*: all judges alike, or not. *bin*:
    tenths of the system's largest probability.
    """
    if by == "item":
        return np.arange(pairing.n), list(pairing.keys)
    if by == "document":
        if pairing.document is None:
            raise UsageError("the data have no documents; name the document column")
        return pairing.document.astype(np.int64), list(pairing.documents)
    if by == "category":
        best = pairing.target.argmax(axis=1)
        split = pairing.target.max(axis=1) < 1
        of_row = np.where(split, len(pairing.labels), best)
        return of_row[pairing.index], [*pairing.labels, "(tie)"]
    if by == "bin":
        return certainty_bins(pairing.answers)[pairing.index], [bin_name(b) for b in range(BINS)]
    strength = pairing.shares.max(axis=1)
    if by == "unanimous":
        return (strength < 1).astype(np.int64)[pairing.index], ["unanimous", "not unanimous"]
    if by == "majority":
        names = ["unanimous", "more than 3/4", "1/2 to 3/4", "under 1/2"]
        group = np.select([strength == 1, strength > 0.75, strength >= 0.5], [0, 1, 2], default=3)
        return group.astype(np.int64)[pairing.index], names
    if by == "difficulty":
        h = entropies(pairing.shares)
        some = h[pairing.index][h[pairing.index] > 0]
        cuts = np.quantile(some, [1 / 3, 2 / 3]) if len(some) else np.array([0.0, 0.0])
        group = np.where(h == 0, 0, 1 + (h > cuts[0]).astype(int) + (h > cuts[1]).astype(int))
        return group.astype(np.int64)[pairing.index], ["no dissent", "easy", "medium", "hard"]
    raise UsageError(f"the breakdown must be one of {', '.join(BY)}, got {by!r}")


def certainty_bins(answers: Array) -> NDArray[np.int64]:
    """The bin [j/10, (j+1)/10) of each row's largest probability, the last one closed."""
    # a probability of .3 is in the bin that begins there, however it was rounded
    place: NDArray[np.int64] = (answers.max(axis=1) * BINS + 1e-9).astype(np.int64)
    return np.minimum(place, BINS - 1)


def bin_name(b: int) -> str:
    """How a bin is called."""
    return f"{b / BINS:.1f}–{(b + 1) / BINS:.1f}"


def entropies(shares: Array) -> Array:
    """Entropy of each row, in bits."""
    safe = np.where(shares > 0, shares, 1.0)
    h: Array = -np.sum(shares * np.log2(safe), axis=1)
    return np.where(h > 0, h, 0.0)
