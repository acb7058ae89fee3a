"""What the documents of a corpus say, as rows that are put together in their order.

A worker aligns the documents of a part and answers with one :class:`Tallies`; those of all parts, one after
the other, are those of the corpus, to the last bit, however it was cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from accord.alignment.chosen import Chosen
from accord.data.continuum import Continua
from accord.data.corpus import Part
from accord.distance.units import Array, Dissimilarity
from accord.measures.gamma.observed import tallies
from accord.measures.gamma.outline import Outline, Places, shared_by_two


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Tallies:
    """Sums of each document that at least two annotators saw (see :class:`Tally`)."""

    #: documents × statistics
    numerators: Array
    denominators: Array
    gap: Array
    greedy_total: Array
    greedy_weight: Array
    #: the alignments themselves, where they were to be kept
    chosen: tuple[Chosen, ...] | None
    #: where it was not known before
    outline: Outline | None

    def __len__(self) -> int:
        return len(self.gap)

    @property
    def totals(self) -> Array:
        return self.numerators[:, 0]

    @classmethod
    def merged(cls, parts: Sequence[Tallies]) -> Tallies:
        """Those of all parts, one after the other."""
        kept = [p.chosen for p in parts if p.chosen is not None]
        outlines = [p.outline for p in parts if p.outline is not None]
        return cls(
            numerators=np.concatenate([p.numerators for p in parts]),
            denominators=np.concatenate([p.denominators for p in parts]),
            gap=np.concatenate([p.gap for p in parts]),
            greedy_total=np.concatenate([p.greedy_total for p in parts]),
            greedy_weight=np.concatenate([p.greedy_weight for p in parts]),
            chosen=tuple(one for some in kept for one in some) if kept else None,
            outline=Outline.merged(outlines) if outlines else None,
        )

    def taken(self, order: Places) -> Tallies:
        """The documents in another order."""
        return Tallies(
            numerators=self.numerators[order],
            denominators=self.denominators[order],
            gap=self.gap[order],
            greedy_total=self.greedy_total[order],
            greedy_weight=self.greedy_weight[order],
            chosen=None if self.chosen is None else tuple(self.chosen[k] for k in order.tolist()),
            outline=None if self.outline is None else self.outline.taken(order),
        )


def tallied(
    part: Part,
    *,
    d: Dissimilarity,
    by_category: bool,
    time_limit: float | None,
    method: str,
    tolerance: float,
    keep: bool,
    own_labels: bool,
    outlined: bool,
    truth: tuple[int, ...] | None,
) -> Tallies:
    """Align the documents of a part; `outlined` says that their outline is known already."""
    return Tallies.merged(
        [
            _tallied(
                documents,
                d,
                by_category=by_category,
                time_limit=time_limit,
                method=method,
                tolerance=tolerance,
                keep=keep,
                own_labels=own_labels,
                outline=None if outlined else Outline.of(documents, truth),
            )
            for documents in part.continua()
        ]
    )


def _tallied(
    everything: Continua,
    d: Dissimilarity,
    *,
    by_category: bool,
    time_limit: float | None,
    method: str,
    tolerance: float,
    keep: bool,
    own_labels: bool,
    outline: Outline | None,
) -> Tallies:
    places = np.flatnonzero(shared_by_two(everything.coverage)).tolist()
    found = tallies(
        [everything[k] for k in places],
        d,
        by_category=by_category,
        greedy=True,
        time_limit=time_limit,
        method=method,
        tolerance=tolerance,
        keep=keep,
        own_labels=own_labels,
    )
    width = len(d.categories) + 2 if by_category else 1
    return Tallies(
        numerators=np.array([t.numerators for t in found]).reshape(-1, width),
        denominators=np.array([t.denominators for t in found]).reshape(-1, width),
        gap=np.array([t.gap for t in found], dtype=np.float64),
        greedy_total=np.array([t.greedy_total for t in found], dtype=np.float64),
        greedy_weight=np.array([t.greedy_weight for t in found], dtype=np.float64),
        chosen=tuple(t.chosen for t in found if t.chosen is not None) if keep else None,
        outline=outline,
    )
