"""Where the judge is right: sensitivity, specificity and precision per class, and the confusions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.result import Row

Array = NDArray[np.float64]
Shares = np.ndarray[tuple[int, int], np.dtype[np.float64]]
#: draws of the limits of weighted shares
_DRAWS = 4000


def shares(people: Ratings, judge: Ratings) -> tuple[Shares, Shares, list[Hashable]]:
    """Items both labelled × classes: the share of people behind each class, the judge's answer; items."""
    K = len(people.values)
    place = {key: i for i, key in enumerate(judge.items)}
    at = np.array([place.get(key, -1) for key in people.items], dtype=np.int64)
    answered = np.zeros(len(judge.items), dtype=bool)
    answered[judge.item] = True
    both = np.flatnonzero((at >= 0) & (people.per_item > 0) & answered[at])
    votes = np.zeros((len(people.items), K))
    np.add.at(votes, (people.item, people.code), 1.0)
    said = np.zeros((len(judge.items), K))
    np.add.at(said, (judge.item, judge.code), 1.0)
    with np.errstate(invalid="ignore"):
        return (
            votes[both] / votes[both].sum(axis=1, keepdims=True),
            said[at[both]] / said[at[both]].sum(axis=1, keepdims=True),
            [people.items[i] for i in both.tolist()],
        )


def class_rows(
    people: Ratings, judge: Ratings, level: float,
    weight: Mapping[Hashable, float] | None = None, sampling: str = "random", seed: int = 0,
) -> list[Row]:  # fmt: skip
    """For each value: how often people gave it, and how well the judge finds it (Wilson intervals).

    Where items were not labelled alike, `weight` says how many each stands for; what cannot be known
    of all items is None: everything where no label stands for one answer of the judge, and the
    precision where the true class chose the items.
    """
    y, f, keys = shares(people, judge)
    w = np.array([1.0 if weight is None else weight[key] for key in keys])
    rows: list[Row] = []
    for k, label in enumerate(people.labels):
        Y, F = y[:, k], f[:, k]
        if not Y.any() and not F.any():
            continue
        N, G = 1 - Y, 1 - F
        cells = {"sensitivity": (Y, F, Y), "specificity": (N, G, N), "precision": (Y, F, F)}
        row: dict[str, object] = {"value": label, "n": float(Y.sum())}
        for name, (truth, said, of) in cells.items():
            row |= {name: None, f"{name}_interval": None}
            below = float(w @ of)
            if not below > 0 or (name == "precision" and sampling == "by-class"):
                continue
            share = min(1.0, float(w @ (truth * said)) / below)
            limits = (
                wilson(share * below, below, level)
                if weight is None
                else _weighted_limits(truth, said, of, np.argmax(f, axis=1), w, level, seed)
            )
            row |= {name: share, f"{name}_interval": limits}
        rows.append(row)
    return rows


def _weighted_limits(
    truth: Array,
    said: Array,
    of: Array,
    answer: NDArray[np.int64],
    w: Array,
    level: float,
    seed: int,
) -> list[float]:
    """Limits of Σ w·truth·said / Σ w·of by drawing people's share within each of the judge's answers.

    Few labels stand for many items where the judge seldom errs: no variance shows what they did not
    find, so the shares of the answer are drawn from their Jeffreys posteriors, by Kish's number of items.
    """
    rng = np.random.default_rng(seed)
    above = below = np.zeros(_DRAWS)
    for k in np.unique(answer):
        own, each = answer == k, w[answer == k]
        mass, n = float(each.sum()), float(each.sum() ** 2 / (each @ each))
        x, saying = n * float(each @ truth[own]) / mass, float(each @ said[own]) / mass
        rho = rng.beta(0.5 + x, 0.5 + n - x, _DRAWS)
        above = above + mass * saying * rho
        below = below + mass * (rho if of is truth else saying)
    low, high = np.quantile(above / below, [(1 - level) / 2, (1 + level) / 2])
    share = float(w @ (truth * said)) / float(w @ of)
    return [min(float(low), share), min(1.0, max(float(high), share))]


def confusion_rows(people: Ratings, judge: Ratings) -> list[Row]:
    """People's value × judge's value, each item counted once and shared among its people."""
    y, f, _ = shares(people, judge)
    table = y.T @ f
    return [
        {"people": a, "judge": b, "n": float(table[i, j])}
        for i, a in enumerate(people.labels)
        for j, b in enumerate(people.labels)
        if table[i, j] > 0
    ]


def mistakes(people: Ratings, judge: Ratings, most: int = 50) -> list[Row]:
    """Items on which most people contradict the judge, the clearest first."""
    said = {judge.items[i]: int(c) for i, c in zip(judge.item.tolist(), judge.code, strict=True)}
    rows: list[tuple[float, int, Row]] = []
    for i, key in enumerate(people.items):
        votes = people.code[people.indptr[i] : people.indptr[i + 1]]
        if key not in said or not len(votes):
            continue
        against = float(np.mean(votes != said[key]))
        if against > 0.5:
            counts = np.bincount(votes, minlength=len(people.values))
            order = np.argsort(-counts, kind="stable")
            given = ", ".join(f"{counts[k]} {people.labels[k]}" for k in order if counts[k])
            row = {"item": key, "judge": judge.labels[said[key]], "people": given}
            rows.append((-against, -len(votes), {**row, "against": against, "labels": len(votes)}))
    return [row for _, _, row in sorted(rows, key=lambda r: r[:2])[:most]]


def wilson(x: float, n: float, level: float) -> list[float]:
    """Wilson's interval of x out of n.

    >>> [round(v, 5) for v in wilson(20, 100, 0.95)]
    [0.13337, 0.28883]
    """
    from scipy.special import ndtri

    z2 = float(ndtri((1 + level) / 2)) ** 2
    p = x / n
    middle = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(z2 * (p * (1 - p) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return [max(0.0, float(middle - half)), min(1.0, float(middle + half))]
