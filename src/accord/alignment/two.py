"""Many documents of two annotators, aligned at once.

Documents are independent: put side by side, their pairs are one assignment problem that falls apart into
theirs. What takes long with small documents, going from one step to the next, is then paid once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import Alignment
from accord.alignment.candidates import Pairs, find_candidates, find_pairs
from accord.alignment.canonical import canonical_rank
from accord.alignment.exact import Partition, least_sum
from accord.alignment.greedy import greedy_partition
from accord.alignment.packing import Whole
from accord.data.continuum import Continuum, Document
from accord.distance.units import Array, Dissimilarity
from accord.kernels.outcome import unitary_costs, unitary_table


def can_align_at_once(document: Document, d: Dissimilarity) -> bool:
    """Two annotators, some units, γ's objective, and a dissimilarity that is the same everywhere."""
    return (
        len(document.annotators) == 2
        and len(document.continuum) > 0
        and d.objective == "gamma"
        and d.positional == "sporadic"
        and d.own is None
    )


def align_at_once(documents: Sequence[Document], d: Dissimilarity) -> list[Alignment]:
    """The ideal alignments of documents for which :func:`can_align_at_once` holds.

    They are the same as those of :func:`accord.alignment.align.align_document`.
    """
    continua = [x.continuum for x in documents]
    counts = np.array([(int(c.offsets[1]), len(c) - int(c.offsets[1])) for c in continua])
    whole = _side_by_side(continua)
    # document, and row among all units, of each unit of the whole
    numbers = np.arange(len(documents))
    place = np.concatenate([np.repeat(numbers, counts[:, side]) for side in (0, 1)])
    rows = np.concatenate(
        [
            *(x.rows[:a] for x, a in zip(documents, counts[:, 0].tolist(), strict=True)),
            *(x.rows[a:] for x, a in zip(documents, counts[:, 0].tolist(), strict=True)),
        ]
    )
    candidates = find_candidates(whole, _pairs(continua, counts, d), d.delta)
    order = np.lexsort((whole.label, whole.end, whole.start, place))
    rank = canonical_rank(whole, order)
    ideal, greedy = least_sum(candidates, rank=rank), greedy_partition(candidates, rank)
    assert greedy is not None
    members: Whole = unitary_table(
        order, whole.offsets, ideal.column, candidates.offsets, candidates.member
    )
    disorders: Array = unitary_costs(
        members, whole.start, whole.end, whole.label, d.costs, 0,
        d.alpha * d.position_scale(whole), d.delta,
    )  # fmt: skip
    cuts = place[members.max(axis=1)].searchsorted(np.arange(len(documents) + 1)).tolist()
    table = np.where(members < 0, -1, rows[members])
    listed = np.bincount(place[candidates.member[0::2]], minlength=len(documents)).tolist()
    fast = _costs(greedy, place, counts)
    same = (_costs(ideal, place, counts) == fast).tolist()
    reached = (fast * (d.delta / candidates.empty)).tolist()
    found = []
    for k, x in enumerate(documents):
        part = slice(cuts[k], cuts[k + 1])
        mean = x.continuum.mean_count
        disorder = float(disorders[part].sum() / mean)
        found.append(
            Alignment(
                document=x.name,
                annotators=x.annotators,
                members=table[part],
                disorders=disorders[part],
                disorder=disorder,
                bound=disorder,
                method="exact",
                objective="gamma",
                greedy=disorder if same[k] else reached[k] / mean,
                candidates=listed[k] + len(x.continuum),
            )
        )
    return found


def _side_by_side(continua: Sequence[Continuum]) -> Continuum:
    """One continuum: the first annotators of all, document after document, then the second ones."""
    sides = [
        *(slice(0, int(c.offsets[1])) for c in continua),
        *(slice(int(c.offsets[1]), len(c)) for c in continua),
    ]
    twice = [*continua, *continua]
    first = sum(int(c.offsets[1]) for c in continua)
    total = sum(len(c) for c in continua)
    return Continuum(
        np.array([0, first, total]),
        np.concatenate([c.start[s] for c, s in zip(twice, sides, strict=True)]),
        np.concatenate([c.end[s] for c, s in zip(twice, sides, strict=True)]),
        np.concatenate([c.label[s] for c, s in zip(twice, sides, strict=True)]),
        0.0,
        0.0,
    )


def _pairs(continua: Sequence[Continuum], counts: NDArray[np.int64], d: Dissimilarity) -> Pairs:
    """The near pairs of each document, numbered as in the whole."""
    own = [find_pairs(c, d) for c in continua]
    first = int(counts[:, 0].sum())
    # the second annotator's units of document k begin at first + before[k]
    before = np.cumsum(counts[:, 1]) - counts[:, 1]
    shift = (first + before - counts[:, 0]).tolist()
    degrees = [np.diff(p.indptr)[:a] for p, a in zip(own, counts[:, 0].tolist(), strict=True)]
    indptr = np.zeros(first + int(counts[:, 1].sum()) + 1, dtype=np.int64)
    np.cumsum(np.concatenate(degrees), out=indptr[1 : first + 1])
    indptr[first + 1 :] = indptr[first]
    return Pairs(
        indptr,
        np.concatenate([p.other + s for p, s in zip(own, shift, strict=True)]).astype(np.int32),
        np.concatenate([p.distance for p in own]),
    )


def _costs(found: Partition, place: NDArray[np.int64], counts: NDArray[np.int64]) -> Whole:
    """Σ C·δ(K) of each document, on the grid."""
    among = found.among
    used = np.unique(found.column[found.column >= 0])
    where = place[among.member[among.offsets[used]]]
    size = counts.sum(axis=1) - np.bincount(where, minlength=len(counts))
    close = np.zeros(len(counts), dtype=np.int64)
    np.add.at(close, where, among.close[used])
    return np.asarray(size * among.empty - close)
