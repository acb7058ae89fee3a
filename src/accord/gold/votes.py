"""Votes: plain majority, and votes weighted by how reliable each annotator looks."""

from __future__ import annotations

import numpy as np

from accord.gold.labels import (
    Array,
    Chunks,
    Estimate,
    Labels,
    agreement_under,
    agreement_with,
    whole,
)


def majority(labels: Labels | Chunks) -> Estimate:
    """Each item's distribution is the share of votes of each class."""
    return Estimate(
        posterior=whole(labels, Labels.shares),
        apply=Labels.shares,
        accuracy=agreement_under(Labels.shares, labels),
    )


def weighted(labels: Labels, *, weights: Array | None = None) -> Estimate:
    """Votes weighted by w_a = log((K - 1) p_a / (1 - p_a)), p_a the accuracy of annotator a.

    The weights may be given. Otherwise p_a is estimated once, by the agreement of a with the
    majority of the others (one vote of each kind added, so that nobody is perfect), and an annotator
    at or under chance weighs nothing. These weights are the best for independent annotators with
    one error rate each (Nitzan & Paroush 1982).
    """
    if weights is None:
        p = rest_accuracy(labels)
        K = max(2, labels.n_classes)
        weights = np.maximum(0.0, np.log((K - 1) * p / (1 - p)))
        if not np.any(weights > 0):
            weights = np.ones_like(weights)
    voting = Labels(
        indptr=labels.indptr,
        annotator=labels.annotator,
        code=labels.code,
        n_annotators=labels.n_annotators,
        n_classes=labels.n_classes,
        weight=labels.weight * weights,
        clamp=labels.clamp,
    )
    share = voting.shares()
    return Estimate(
        posterior=share,
        accuracy=agreement_with(share, labels),
        annotators={"weight": weights},
    )


def rest_accuracy(labels: Labels | Chunks) -> Array:
    """How often each annotator says what most others say (ties split), one of each kind added."""
    right, seen = np.zeros(labels.n_annotators), np.zeros(labels.n_annotators)
    for part in labels.parts():
        for total, more in zip((right, seen), _with_rest(part), strict=True):
            total += more
    return (right + 1) / (seen + 2)


def _with_rest(labels: Labels) -> tuple[Array, Array]:
    """Of each annotator: labels that most others gave too (ties split), and labels with others."""
    item, code = labels.item, labels.code
    votes = labels.votes()
    own = labels.weight[labels.annotator]
    if len(votes) == 0 or not len(code):
        return np.zeros(labels.n_annotators), np.zeros(labels.n_annotators)
    mine = votes[item, code] - own
    # the best count among the other classes, and how many classes have it
    rest = votes[item].copy()
    rest[np.arange(len(code)), code] = mine
    top = rest.max(axis=1)
    best = np.isclose(rest, top[:, None], rtol=1e-12, atol=0).sum(axis=1)
    known = labels.clamp[item]
    credit = np.where(np.isclose(mine, top, rtol=1e-12, atol=0), 1.0 / best, 0.0)
    counts = top > 0
    credit = np.where(known >= 0, (known == code).astype(np.float64), credit)
    counts = counts | (known >= 0)
    right = np.bincount(labels.annotator, weights=credit * counts, minlength=labels.n_annotators)
    seen = np.bincount(labels.annotator, weights=counts, minlength=labels.n_annotators)
    return right.astype(np.float64), seen.astype(np.float64)


def content(labels: Labels | Chunks) -> Array:
    """What each annotator did, in figures that do not depend on anybody's name: annotators × 3.

    How many labels, how often with the others, and with how many of them. What is drawn at random
    for an annotator is drawn in the order of these, so that names do not matter.
    """
    support, given = np.zeros(labels.n_annotators), np.zeros(labels.n_annotators)
    for part in labels.parts():
        share = part.shares()[part.item, part.code]
        support += np.bincount(part.annotator, weights=share, minlength=labels.n_annotators)
        given += part.per_annotator()
    return np.column_stack([given, np.round(rest_accuracy(labels), 9), np.round(support, 9)])
