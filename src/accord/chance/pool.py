"""What is observed about units, pooled for drawing: gaps, durations, labels, counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from accord.data.continuum import Continuum
from accord.data.encode import Codes

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """Observed values in an order that does not depend on names, so that draws do not either."""

    gaps: Array
    durations: Array
    labels: Codes

    @classmethod
    def gather(cls, continua: Sequence[Continuum]) -> Self:
        """Pool the units of several continua.

        A gap is the distance from the end of an annotator's unit to the start of the next (negative
        when they overlap), and from the beginning of the continuum to the first.
        """
        if not continua:
            return cls(np.empty(0), np.empty(0), np.empty(0, dtype=np.int32))
        gaps, durations, labels, starts = [], [], [], []
        for c in continua:
            before = np.concatenate([[c.low], c.end[:-1]]) if len(c) else c.end
            firsts = c.offsets[:-1][c.counts > 0]
            before[firsts] = c.low
            gaps.append(c.start - before)
            durations.append(c.end - c.start)
            labels.append(c.label)
            starts.append(c.start - c.low)
        gap, duration = np.concatenate(gaps), np.concatenate(durations)
        label, start = np.concatenate(labels), np.concatenate(starts)
        # frequent labels first, then those that come early: an order blind to their names
        distinct, code = np.unique(label, return_inverse=True)
        rank = np.empty(len(distinct), dtype=np.int64)
        early = np.full(len(distinct), np.inf)
        np.minimum.at(early, code, start)
        rank[np.lexsort((early, -np.bincount(code, minlength=len(distinct))))] = np.arange(
            len(distinct)
        )
        order = np.argsort(rank[code], kind="stable") if len(distinct) else code
        return cls(np.sort(gap), np.sort(duration), label[order].astype(np.int32))
