"""Pairs of units that may go together, and tuples of them: what an alignment is chosen from."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from accord.alignment.packing import Codes, Columns, Whole
from accord.distance.units import Array


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs (i, other[e]) of units of different annotators that may be aligned, and their d."""

    indptr: Whole
    other: Codes
    distance: Array

    def at(self, one: Whole, two: Whole) -> Whole:
        """Where these pairs stand in the list; all of them must."""
        size = np.int64(len(self.indptr) - 1)
        key = np.repeat(np.arange(size), np.diff(self.indptr)) * size + self.other
        found: Whole = key.searchsorted(one * size + two)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """The same pairs on the grid: Δ − d in units of Δ/scale, and whose the units are."""

    indptr: Whole
    other: Codes
    close: Whole
    #: annotator a has the units own[a] .. own[a+1]
    own: Whole
    annotator: Codes
    #: place of each unit in an order in which those near each other follow each other
    rank: Codes
    #: steps of search that a proof is worth when there is no deadline
    effort: int
    #: where d is the distance of points on a line: the points, in the same unit
    place: Whole | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """Unitary alignments of two or more units, in whole numbers on a fine grid.

    `close` is Σ (Δ − d) over the pairs of a candidate, in units of Δ/scale; C·scale stands for Δ,
    the cost of a unitary alignment before its pairs are counted.
    """

    offsets: Whole
    member: Codes
    close: Whole
    units: int
    annotators: int
    scale: int
    #: no alignment has fewer unitary alignments
    fewest: int
    #: where there were more than could be listed: these are some of them, others come from here
    near: Near | None = None

    @property
    def sizes(self) -> Whole:
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def empty(self) -> int:
        """Δ times the number of pairs of annotators, on the grid."""
        return self.annotators * (self.annotators - 1) // 2 * self.scale

    def subset(self, which: Whole) -> Candidates:
        """Some of the candidates."""
        sizes = self.sizes[which]
        starts = self.offsets[which]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        cells = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], sizes)
        return replace(self, offsets=offsets, member=self.member[cells], close=self.close[which])

    def columns(self, level: int = 0) -> Columns:
        """The set packing problem of minimising Σ(δ − λ), `level` being λ·C on the grid.

        A column of m units saves (m−1)(Δ−λ) + (1/C)Σ(Δ−d) over singletons. The last digits count
        its merges, so that of equal totals the one with most unitary alignments wins.
        """
        # (pairs merge once)
        merges = 1 if self.annotators == 2 else self.sizes - 1
        gain = merges * (self.empty - level) + self.close
        digits = 1 << min(10, self.units.bit_length())
        columns = Columns(
            self.offsets,
            self.member,
            gain * digits - merges,
            self.units,
            float(self.empty) * digits,
        )
        if level == 0:
            return columns
        return columns.subset(gain > 0, np.arange(self.units, dtype=np.int32), self.units)
