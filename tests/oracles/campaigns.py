"""Simulated campaigns with a known truth."""

from __future__ import annotations

import numpy as np

from accord.data import Ratings
from accord.gold.labels import Labels


def one_coin_campaign(seed: int, items: int, per: int, annotators: int, classes: int):
    """Annotators with one accuracy each: (labels, truth, accuracies)."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, classes, items)
    skill = rng.uniform(0.4, 0.95, annotators)
    who = np.concatenate(
        [np.sort(rng.choice(annotators, per, replace=False)) for _ in range(items)]
    )
    item = np.repeat(np.arange(items), per)
    right = rng.random(items * per) < skill[who]
    wrong = (truth[item] + rng.integers(1, classes, items * per)) % classes
    code = np.where(right, truth[item], wrong)
    return _labels(item, who, code, items, per, annotators, classes), truth, skill


def confused_campaign(seed: int, items: int, per: int, annotators: int, classes: int):
    """Annotators with a confusion matrix each, classes of unequal size: (labels, truth)."""
    rng = np.random.default_rng(seed)
    truth = rng.choice(classes, items, p=rng.dirichlet(np.full(classes, 2.0)))
    confusion = np.array(
        [
            [rng.dirichlet(2.0 * np.eye(classes)[k] + 0.7) for k in range(classes)]
            for _ in range(annotators)
        ]
    )
    who = np.concatenate(
        [np.sort(rng.choice(annotators, per, replace=False)) for _ in range(items)]
    )
    item = np.repeat(np.arange(items), per)
    chances = confusion[who, truth[item]].cumsum(axis=1)
    code = np.minimum((rng.random(items * per)[:, None] > chances).sum(axis=1), classes - 1)
    return _labels(item, who, code, items, per, annotators, classes), truth


def _labels(item, who, code, items, per, annotators, classes) -> Labels:
    return Labels(
        indptr=np.arange(0, items * per + 1, per),
        annotator=who.astype(np.int32),
        code=code.astype(np.int32),
        n_annotators=annotators,
        n_classes=classes,
        weight=np.ones(annotators),
        clamp=np.full(items, -1, dtype=np.int32),
    )


def as_ratings(labels: Labels, *, names=None, order=None, annotators=None) -> Ratings:
    """The same labels as ratings, with other names and another order of the rows."""
    from accord.data.tables import ratings_from_long

    names = names or [f"c{k}" for k in range(labels.n_classes)]
    rows = np.arange(len(labels.code)) if order is None else order
    item, who = labels.item, labels.annotator
    called = annotators or [f"a{a:03d}" for a in range(labels.n_annotators)]
    return ratings_from_long(
        [f"i{item[j]:04d}" for j in rows],
        [called[who[j]] for j in rows],
        [names[labels.code[j]] for j in rows],
        kind="categories",
    )
