"""What keeping only unanimous items does to a reference (seed of many inflated scores)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.gold.labels import Labels, normalised


def unanimous(labels: Labels) -> NDArray[np.bool_]:
    """Items with two votes at least, all for one class."""
    votes = _plain(labels).votes()
    total = votes.sum(axis=1)
    alike: NDArray[np.bool_] = (total >= 2) & (votes.max(axis=1, initial=0.0) == total)
    return alike


def bias(data: Ratings, labels: Labels) -> dict[str, Any]:
    """How the unanimous items differ from all items.

    * `kept`: their share.
    * `kept_distribution`, `dropped_distribution`: votes per category on both sides, and `shift`, half
      the sum of absolute differences between them.
    * `inflation`: for annotators scored like systems against the others (ties split), the mean
      accuracy on items where the others are unanimous less that on all their items. This is what a
      system would gain for nothing by being scored on the easy part.

    Mathet & Widlöcher (2016), §6.2: unanimity keeps the easiest items, so systems are overrated.
    """
    plain = _plain(labels)
    votes = plain.votes()
    kept = unanimous(labels)
    rated = votes.sum(axis=1) > 0
    on, off = votes[kept].sum(axis=0), votes[rated & ~kept].sum(axis=0)
    shift = None
    if on.sum() and off.sum():
        shift = float(np.abs(on / on.sum() - off / off.sum()).sum() / 2)
    names = data.labels
    everywhere, easy = _against_others(plain, votes)
    return {
        "kept": float(kept.sum() / max(1, rated.sum())),
        "kept_items": int(kept.sum()),
        "dropped_items": int(rated.sum() - kept.sum()),
        "single_vote_items": int(np.sum(votes.sum(axis=1) == 1)),
        "kept_distribution": _named(on, names),
        "dropped_distribution": _named(off, names),
        "shift": shift,
        "accuracy_all": everywhere,
        "accuracy_unanimous": easy,
        "inflation": None if everywhere is None or easy is None else easy - everywhere,
    }


def _against_others(
    labels: Labels, votes: NDArray[np.float64]
) -> tuple[float | None, float | None]:
    item, code = labels.item, labels.code
    rest = votes[item].copy()
    rest[np.arange(len(code)), code] -= 1
    total, top = rest.sum(axis=1), rest.max(axis=1, initial=0.0)
    counted = total > 0
    best = rest == top[:, None]
    credit = best[np.arange(len(code)), code] / np.maximum(1, best.sum(axis=1))
    easy = (total >= 2) & (top == total)
    return _mean(credit[counted]), _mean(credit[easy])


def _mean(values: NDArray[np.float64]) -> float | None:
    return float(values.mean()) if len(values) else None


def _named(counts: NDArray[np.float64], names: tuple[str, ...]) -> dict[str, float]:
    share = normalised(counts[None, :])[0] if counts.sum() else np.zeros(len(counts))
    return {name: float(s) for name, s in zip(names, share, strict=True)}


def _plain(labels: Labels) -> Labels:
    return Labels(
        indptr=labels.indptr,
        annotator=labels.annotator,
        code=labels.code,
        n_annotators=labels.n_annotators,
        n_classes=labels.n_classes,
        weight=np.ones(labels.n_annotators),
        clamp=labels.clamp,
    )
