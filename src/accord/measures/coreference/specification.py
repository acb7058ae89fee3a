"""What a coreference score is: statistics per document, and a formula on their totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord.measures.coreference.contingency import Table
from accord.measures.ratio import ratio
from accord.result import Array, Score

if TYPE_CHECKING:
    from accord.measures.coreference.key_response import Paired
    from accord.measures.coreference.lookup import Views


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """What each entity adds to recall (key entities) and to precision (response entities)."""

    recalled: NDArray[Any]
    recallable: NDArray[Any]
    precise: NDArray[Any]
    claimed: NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Specification:
    """One score. `tally` gives documents × statistics; `score` scores totals of them."""

    name: str
    tally: Callable[[Table], Array]
    score: Score
    #: contributions per entity, for breakdowns by size; several for a mean of scores
    parts: Sequence[Callable[[Table], Parts]] = ()
    #: a similarity in [0, 1] made of the value, for what is a distance; the identity otherwise
    similarity: Callable[[Table, Array], Array] | None = None
    #: sentences about totals that the value alone would hide
    remarks: Callable[[Array], list[str]] | None = None
    #: the tally of a score that needs the mentions themselves, instead of `tally`
    of_mentions: Callable[[Paired], Array] | None = None
    #: the tally where a mention may be in several entities; None for what compares partitions
    of_views: Callable[[Views], Array] | None = None
    #: why there is no value although there are mentions
    undefined: str = "its denominator is 0"

    def values(self, table: Table) -> Array:
        """The score of each document alone."""
        return self.score(self.tally(table))["value"]

    def similarities(self, table: Table) -> Array:
        """The score of each document alone, turned into a similarity where it is a distance."""
        values = self.values(table)
        return values if self.similarity is None else self.similarity(table, values)


def by_document(table: Table, parts: Parts) -> Array:
    """Columns: recall numerator and denominator, precision numerator and denominator, mentions.

    The last column, mentions of both sides together, tells an empty document from a bad one.
    """
    key, response = table.key.document, table.response.document
    mentions = table.mentions[0] + table.mentions[1]
    return np.stack(
        [
            table.per_document(key, parts.recalled),
            table.per_document(key, parts.recallable),
            table.per_document(response, parts.precise),
            table.per_document(response, parts.claimed),
            mentions,
        ],
        axis=1,
    )


def recall_precision(totals: Array) -> Mapping[str, Array]:
    """R, P and F of the columns of `by_document`; a ratio 0/0 counts 0, no mention at all is NaN.

    >>> scores = recall_precision(np.array([[2.0, 4.0, 2.0, 2.0, 9.0]]))
    >>> [float(scores[k][0].round(3)) for k in ("R", "P", "F")]
    [0.5, 1.0, 0.667]
    """
    return defined(f_measure(totals[:, 0], totals[:, 1], totals[:, 2], totals[:, 3]), totals[:, -1])


def f_measure(tp_r: Array, all_r: Array, tp_p: Array, all_p: Array) -> dict[str, Array]:
    """R = tp_r/all_r, P = tp_p/all_p and their harmonic mean."""
    R, P = ratio(tp_r, all_r, 0.0), ratio(tp_p, all_p, 0.0)
    F = ratio(2 * R * P, R + P, 0.0)
    return {"value": F, "R": R, "P": P, "F": F}


def defined(scores: Mapping[str, Array], mentions: Array) -> dict[str, Array]:
    """The same scores, NaN where there is no mention on either side."""
    return {name: np.where(mentions == 0, np.nan, value) for name, value in scores.items()}


def pairs(n: NDArray[Any]) -> Array:
    """Unordered pairs among n things."""
    return n * (n - 1.0) / 2
