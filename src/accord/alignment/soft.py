"""Soft alignment: every unit at least once, γ's objective."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.alignment.exact import Partition
from accord.alignment.floors import unit_floor
from accord.alignment.packing import Codes, ranges
from accord.alignment.programme import cheapest_sets


class SoftCover(NamedTuple):
    """Unitary alignments that contain every unit, and what may be missing of the least cost."""

    groups: list[NDArray[np.int64]]
    #: on the grid
    gap: float


def soft_cover(ideal: Partition, deadline: float | None = None) -> SoftCover:
    """Unitary alignments of least total δ that contain every unit, among the candidates of a partition.

    A set cover, solved as an integer programme; for two annotators it is an edge cover. Splitting
    a unitary alignment covers the same units, so the same candidates are pruned as for a partition.
    Where they are not all listed, those that a partition may need serve, and the gap is to a floor. The
    ideal partition is a cover too: what there is when the programme is stopped.
    """
    candidates, units = ideal.among, ideal.among.units
    if not units:
        return SoftCover([], 0.0)
    listed = len(candidates.close)
    sizes = np.concatenate([candidates.sizes, np.ones(units, dtype=np.int64)])
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    member = np.concatenate([candidates.member, np.arange(units, dtype=np.int32)])
    cost = np.concatenate([candidates.empty - candidates.close, np.full(units, candidates.empty)])
    chosen, floor, optimal = cheapest_sets(
        cost / candidates.empty,
        offsets,
        member,
        units,
        cover=True,
        seconds=None if deadline is None else max(0.01, deadline - time.monotonic()),
    )
    if chosen is None or not _covers(chosen, sizes, member, units):
        chosen, optimal = np.zeros(len(sizes), dtype=bool), False
        chosen[np.where(ideal.column < 0, listed + np.arange(units), ideal.column)] = True
    picked = np.flatnonzero(chosen)
    groups = [member[offsets[k] : offsets[k + 1]].astype(np.int64) for k in picked]
    reached = int(cost[picked].sum())
    if candidates.near is not None:
        return SoftCover(groups, float(reached - unit_floor(candidates, candidates.near)))
    if optimal:
        return SoftCover(groups, 0.0)
    return SoftCover(groups, max(0.0, reached - max(0.0, floor) * candidates.empty))


def _covers(chosen: NDArray[np.bool_], sizes: NDArray[np.int64], member: Codes, units: int) -> bool:
    starts = np.cumsum(sizes) - sizes
    hit = np.zeros(units, dtype=bool)
    hit[member[ranges(starts[chosen], sizes[chosen])]] = True
    return bool(hit.all())
