"""Where the judge is right: sensitivity, specificity and precision per class, and the confusions."""

from __future__ import annotations

import numpy as np

from accord.data import Ratings
from accord.result import Row


def shares(
    people: Ratings, judge: Ratings
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], ...]:
    """Items both labelled × classes: the share of people behind each class, the judge's answer."""
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
        )


def class_rows(people: Ratings, judge: Ratings, level: float) -> list[Row]:
    """For each value: how often people gave it, and how well the judge finds it (Wilson intervals)."""
    y, f = shares(people, judge)
    rows: list[Row] = []
    for k, label in enumerate(people.labels):
        Y, F = y[:, k], f[:, k]
        if not Y.any() and not F.any():
            continue
        cells = {
            "sensitivity": (float(Y @ F), float(Y.sum())),
            "specificity": (float((1 - Y) @ (1 - F)), float((1 - Y).sum())),
            "precision": (float(Y @ F), float(F.sum())),
        }
        row: dict[str, object] = {"value": label, "n": float(Y.sum())}
        for name, (above, below) in cells.items():
            row[name] = above / below if below else None
            row[f"{name}_interval"] = wilson(above, below, level) if below else None
        rows.append(row)
    return rows


def confusion_rows(people: Ratings, judge: Ratings) -> list[Row]:
    """People's value × judge's value, each item counted once and shared among its people."""
    y, f = shares(people, judge)
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
