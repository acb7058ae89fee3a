"""Lower bounds from contradictions: a round of nodes all linked but for one pair.

In a triangle i, k, j with i and k, k and j together but i and j apart, every partition goes against one of
the three pairs; so it does in a longer round with one such pair. A packing gives each round an amount so that
no pair is used beyond its weight: no partition costs less than the sum.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: nodes up to which all triangles are listed and packed by weight
MOST_LISTED = 200
#: nodes linked with an end of a pair that are tried in rounds of four
MOST_THIRDS = 60
#: what is left of a weight and too little to matter
_DUST = 1e-12


def packed(link: Floats, labels: Integers) -> float:
    """The sum of a packing of contradictions; `labels` is a good partition, to be proven so."""
    if len(link) <= MOST_LISTED:
        return max(_listed(link), _along(link, labels))
    return _along(link, labels)


def _listed(link: Floats) -> float:
    """All contradictions, the heaviest first."""
    left = np.abs(link)
    positive = np.where(link > 0, link, 0.0)
    found: list[tuple[float, int, int, int]] = []
    for a, b in zip(*(side.tolist() for side in np.nonzero(np.triu(link < 0, 1))), strict=True):
        least = np.minimum(np.minimum(positive[a], positive[b]), left[a, b])
        found += [(-float(least[k]), a, k, b) for k in np.flatnonzero(least).tolist()]
    total = 0.0
    for _, a, k, b in sorted(found):
        amount = float(min(left[a, k], left[b, k], left[a, b]))
        if amount > 0:
            total += amount
            for p, q in ((a, k), (b, k), (a, b)):
                left[p, q] -= amount
                left[q, p] -= amount
    return total


def _along(link: Floats, labels: Integers) -> float:
    """Contradictions that explain what a partition goes against, one pair of it at a time.

    Of an optimal packing only triangles with one pair against the optimal partition are used
    (complementary slackness). A pair that is linked but apart is explained by a third node of either
    entity that is linked with one end and not with the other; a pair that is joined but not linked by one
    of the entity that both are linked with. The third with the most left to give comes first. What no third
    explains is tried with two more nodes, one linked with either end.
    """
    left = np.abs(link)
    same = labels[:, None] == labels[None, :]
    a, b = np.nonzero(np.triu(np.where(same, link < 0, link > 0), 1))
    order = np.argsort(-left[a, b], kind="stable")
    total = 0.0
    unexplained = []
    for p, q in zip(a[order].tolist(), b[order].tolist(), strict=True):
        if same[p, q]:
            thirds = np.flatnonzero(same[p] & (link[p] > 0) & (link[q] > 0))
        else:
            thirds = np.flatnonzero(
                (same[p] & (link[p] > 0) & (link[q] < 0))
                | (same[q] & (link[q] > 0) & (link[p] < 0))
            )
        total += _spent(left, p, q, thirds)
        if left[p, q] > _DUST:
            unexplained.append((p, q))
    for p, q in sorted(unexplained, key=lambda pair: -left[pair]):
        total += _spent_in_fours(left, link, same, p, q)
    return total


def _spent_in_fours(left: Floats, link: Floats, same: NDArray[np.bool_], p: int, q: int) -> float:
    """Use up the weight of a pair in rounds p, k, m, q of which one pair is not linked.

    Joined, p and q are that pair. Apart, it is k and m, each in the entity of its end; or m and q, where k
    and m are of the entity of p; or p and k, of the entity of q.
    """
    ours, theirs = same[p] & (link[p] > 0), same[q] & (link[q] > 0)
    if same[p, q]:
        return _spent_between(left, link, p, q, ours, theirs, 1)
    return (
        _spent_between(left, link, p, q, ours, theirs, -1)
        + _spent_between(left, link, p, q, ours, same[p] & (link[q] < 0), 1)
        + _spent_between(left, link, p, q, same[q] & (link[p] < 0), theirs, 1)
    )


def _spent_between(
    left: Floats,
    link: Floats,
    p: int,
    q: int,
    near: NDArray[np.bool_],
    far: NDArray[np.bool_],
    sign: int,
) -> float:
    """Rounds p, k, m, q with k among `near`, m among `far` and a link of this sign between them."""
    ks, ms = _most(np.where(near, left[p], 0.0)), _most(np.where(far, left[q], 0.0))
    across = np.where(link[np.ix_(ks, ms)] * sign > 0, left[np.ix_(ks, ms)], 0.0)
    spent = 0.0
    while left[p, q] > _DUST and across.size:
        room = np.minimum(np.minimum(left[p, ks][:, None], left[q, ms][None, :]), across)
        i, j = divmod(int(np.argmax(room)), len(ms))
        amount = min(float(room[i, j]), float(left[p, q]))
        if amount <= _DUST:
            break
        k, m = int(ks[i]), int(ms[j])
        for x, y in ((p, q), (p, k), (q, m), (k, m)):
            left[x, y] -= amount
            left[y, x] -= amount
        across[i, j] -= amount
        spent += amount
    return spent


def _most(room: Floats) -> Integers:
    """The nodes with the most room, some of them."""
    order = np.argsort(-room, kind="stable")[:MOST_THIRDS]
    return order[room[order] > _DUST]


def _spent(left: Floats, p: int, q: int, thirds: Integers) -> float:
    """Use up the weight of a pair in triangles with these third nodes; how much could be."""
    room = np.minimum(left[p, thirds], left[q, thirds])
    order = np.argsort(-room, kind="stable")
    room, thirds = room[order], thirds[order]
    before = np.concatenate([[0.0], np.cumsum(room)[:-1]])
    amount = np.minimum(room, np.maximum(left[p, q] - before, 0.0))
    used = amount > _DUST
    amount, thirds = amount[used], thirds[used]
    for node in (p, q):
        left[node, thirds] -= amount
        left[thirds, node] -= amount
    spent = float(amount.sum())
    left[p, q] -= spent
    left[q, p] -= spent
    return spent
