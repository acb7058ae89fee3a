"""Many annotators: what their alignment costs at least, from alignments of some of them.

Annotators are divided into parts, and every two parts make a block. A pair of annotators of different
parts is in one block, a pair of the same part in all blocks of that part, which share its weight. An
alignment of all annotators has an alignment in every block, with as many groups or fewer; so with the cost
of a group divided among the blocks, the least costs of the blocks add up to a floor of the whole. Blocks
have so few annotators that they are solved exactly, or nearly.
"""

from __future__ import annotations

import math
import time
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from accord.alignment.large import closeness
from accord.alignment.packing import Columns, Packing
from accord.alignment.pricing import packed_gain, price_out
from accord.alignment.tuples import Candidates, Near

#: annotators from which on, and up to which, blocks say more than pairs in reasonable time
_FEWEST, _MOST = 7, 40
#: annotators of a block, the larger the sharper; the next size is tried as long as there is time
_SIZES = (6, 8, 10)
#: share of the time that is left for blocks when the alignment of all may not get proven
_SHARE = 0.25
#: a floor that says nothing
_NOTHING = -(1 << 61)


def pack_many(
    candidates: Candidates, level: int = 0, deadline: float | None = None
) -> tuple[Candidates, Columns, Packing]:
    """:func:`accord.alignment.pricing.price_out`; what it leaves unproven is bounded by blocks."""
    near = candidates.near
    assert near is not None
    # (along a line prices are sharp enough)
    worth = _FEWEST <= candidates.annotators <= _MOST and near.place is None
    first = deadline
    if deadline is not None and worth:
        first = deadline - _SHARE * max(0.0, deadline - time.monotonic())
    listed, columns, packing = price_out(candidates, level, first)
    if packing.gap == 0 or not worth:
        return listed, columns, packing
    digits = round(columns.one / candidates.empty)
    gain, missing = packed_gain(columns, packing), packing.gap
    for size in _SIZES if deadline is not None else _SIZES[:1]:
        if size >= candidates.annotators or (deadline is not None and time.monotonic() > deadline):
            break
        floor = block_floor(candidates, near, packing.column, size, level, deadline)
        most = (candidates.units * (candidates.empty - level) - floor) * digits
        missing = min(missing, max(0.0, float(most - gain)))
    return listed, columns, Packing(packing.column, missing, packing.price)


def block_floor(
    candidates: Candidates,
    near: Near,
    group: NDArray[np.int32],
    size: int,
    level: int = 0,
    deadline: float | None = None,
) -> int:
    """No alignment has a Σ(C·δ(K) − level) below this; from blocks of about `size` annotators.

    `group` (-1: alone) is an alignment from which the search in each block begins. Past the deadline it
    says nothing.
    """
    parts = math.ceil(2 * candidates.annotators / size)
    part = np.arange(candidates.annotators) % parts
    blocks = list(combinations(range(parts), 2))
    share = (candidates.empty - level) // len(blocks)
    total = 0
    for turn, two in enumerate(blocks):
        limit = None
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                return _NOTHING
            limit = deadline - left * (1 - 1 / (len(blocks) - turn))
        inside = np.isin(part[near.annotator], two)
        block = _block(candidates, near, part, inside, parts - 1, near.effort // (4 * len(blocks)))
        begun = _beginning(block, group[inside])
        _, columns, packing = price_out(begun, begun.empty - share, limit)
        digits = round(columns.one / begun.empty)
        # (the last digits count merges: there are fewer than units)
        gain = (packed_gain(columns, packing) + math.ceil(packing.gap) + begun.units) // digits + 1
        total += begun.units * share - gain
    return total


def _block(
    candidates: Candidates,
    near: Near,
    part: NDArray[np.int64],
    inside: NDArray[np.bool_],
    shared: int,
    effort: int,
) -> Candidates:
    """The problem of the units inside; pairs of one part count 1/shared, rounded up."""
    first = np.repeat(np.arange(candidates.units), np.diff(near.indptr))
    kept = inside[first] & inside[near.other]
    number = np.cumsum(inside) - 1
    first, other = first[kept], near.other[kept]
    same = part[near.annotator[first]] == part[near.annotator[other]]
    close = np.where(same, -(-near.close[kept] // shared), near.close[kept])
    names, annotator = np.unique(near.annotator[inside], return_inverse=True)
    units = int(inside.sum())
    own = np.searchsorted(annotator, np.arange(len(names) + 1))
    return Candidates(
        offsets=np.zeros(1, dtype=np.int64),
        member=np.empty(0, dtype=np.int32),
        close=np.empty(0, dtype=np.int64),
        units=units,
        annotators=len(names),
        scale=candidates.scale,
        fewest=int(np.diff(own).max()),
        near=Near(
            indptr=np.searchsorted(number[first], np.arange(units + 1)).astype(np.int64),
            other=number[other].astype(np.int32),
            close=close,
            own=own.astype(np.int64),
            annotator=annotator.astype(np.int32),
            rank=near.rank[inside],
            effort=effort,
        ),
    )


def _beginning(block: Candidates, group: NDArray[np.int32]) -> Candidates:
    """The block with the groups of a larger alignment, as far as they are inside."""
    near = block.near
    assert near is not None
    alone = -1 - np.arange(block.units)
    named = np.unique(np.where(group < 0, alone, group), return_inverse=True)[1]
    counts = np.bincount(named)
    order = np.argsort(named, kind="stable")
    several = counts[named[order]] > 1
    return Candidates(
        offsets=np.concatenate([[0], np.cumsum(counts[counts > 1])]).astype(np.int64),
        member=order[several].astype(np.int32),
        close=closeness(near, named)[counts > 1],
        units=block.units,
        annotators=block.annotators,
        scale=block.scale,
        fewest=block.fewest,
        near=near,
    )
