"""Bounds from packed contradictions: never above the optimum, and tight where a partition explains all."""

from __future__ import annotations

import numpy as np
import pytest

from accord.gold import contradictions
from accord.gold.contradictions import packed


def drawn(rng, n):
    link = rng.integers(-3, 4, (n, n)) * rng.choice([1, 1, 4], (n, n))
    link = np.triu(link, 1).astype(float)
    return link + link.T


def against(link, labels):
    """The weight of the pairs that a partition goes against."""
    same = labels[:, None] == labels[None, :]
    return float(np.where(same, np.maximum(-link, 0), np.maximum(link, 0)).sum()) / 2


@pytest.mark.parametrize("listed", [0, 200])
def test_no_partition_is_cheaper(listed, monkeypatch):
    monkeypatch.setattr(contradictions, "MOST_LISTED", listed)
    rng = np.random.default_rng(listed)
    tight = 0
    for _ in range(150):
        n = int(rng.integers(3, 7))
        link = drawn(rng, n)
        costs = {tuple(p): against(link, np.array(p)) for p in labelled(n)}
        best = min(costs, key=costs.__getitem__)
        bound = packed(link, np.array(best))
        assert bound <= costs[best] + 1e-9
        tight += bound > costs[best] - 1e-9
        # a poor partition may give a poor bound, never a wrong one
        other = list(costs)[int(rng.integers(len(costs)))]
        assert packed(link, np.array(other)) <= costs[best] + 1e-9
    assert tight > 75


def labelled(n):
    """All partitions of n nodes as label vectors."""

    def grow(labels):
        if len(labels) == n:
            yield labels
            return
        for label in range(max(labels, default=-1) + 2):
            yield from grow([*labels, label])

    return grow([])


def test_a_round_of_four_is_a_contradiction():
    # 0–1–2–3 are linked, 3 and 0 are not, and no triangle has exactly one such pair
    link = np.zeros((4, 4))
    for a, b, w in ((0, 1, 2), (1, 2, 2), (2, 3, 2), (0, 3, -2)):
        link[a, b] = link[b, a] = w
    for labels in ([0, 0, 0, 0], [0, 0, 1, 1]):
        assert packed(link, np.array(labels)) == 2


def test_heavy_entities_are_nearly_proven():
    """One entity of two fifths of the mentions: the bound is within a tenth of a per cent of the cost."""
    from accord.gold.clustering import cluster

    rng = np.random.default_rng(1)
    share = 1 / np.arange(1, 200) ** 1.5
    key = rng.choice(199, 1000, p=share / share.sum())
    entity = np.array(
        [np.where(rng.random(1000) < 0.1, key[rng.integers(0, 1000, 1000)], key) for _ in range(3)]
    )
    entity[rng.random(entity.shape) < 0.05] = -1
    found = cluster(entity)
    assert found.largest > 120
    assert (found.cost - found.bound) / found.cost < 0.001
