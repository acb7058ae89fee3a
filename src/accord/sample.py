"""What a measure counted, kept so that it can be resampled without reading the data again."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Array = NDArray[np.float64]
#: totals (replicates × statistics) → named arrays over the replicates, "value" among them
Score = Callable[[Array], Mapping[str, Array]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Virtual:
    """Units nobody annotated, each a fraction of one: all agree on a value, or one dissents.

    A sample without a disagreement has none to draw; with a little of each kind added, no interval
    claims more than was seen.
    """

    #: statistics of each, tallied as the real ones are
    rows: Any
    #: Gamma shape of the weight of each
    mass: Array
    #: the row in which all agree on the same value (its own place where all do)
    base: NDArray[np.int64]
    #: (agreed value, dissenting value or None) of each, to match two sides of a comparison
    names: tuple[tuple[str, str | None], ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Sample:
    """What a measure counted, kept so that it can be resampled without reading the data again.

    `rows` holds additive statistics: their (weighted) sum over the resampling units determines the
    value through `score`. Units that count the same share a row: `index[i]` is the row of unit i.
    `score` is vectorised over replicates and, when it is a smooth formula, must accept complex
    totals (the analytic interval differentiates it by a complex step). `rows` may be a scipy sparse
    matrix; None means that the statistics are not additive and `score` takes the weights of the rows
    themselves.
    """

    rows: Array | None
    score: Score
    #: row of each unit; None when unit i has row i
    index: NDArray[np.int32] | None = None
    #: number of identical units behind each entry of `index` (0: not used); None for one each
    multiplicity: NDArray[np.int64] | None = None
    #: cluster (document) of each unit; None when there are none
    cluster: NDArray[np.int32] | None = None
    clusters: tuple[str, ...] = ()
    #: name of each unit, to pair two samples; None when unknown
    keys: Sequence[Hashable] | None = None
    #: what a unit is: "item" or "document"
    unit: str = "item"
    #: how much each unit (a document) weighs in the value; None for one each
    weight: Array | None = None
    #: virtual units, made when an interval asks for them; None when the measure has none
    virtual: Callable[[], Virtual] | None = None
    #: differences between values are graded: few large ones decide
    graded: bool = False
    #: the value cannot be computed under fractional weights: only units left out
    whole: bool = False
    #: columns (credit, out of) when the value is their ratio: a share
    share: tuple[int, int] | None = None
    #: exact quantiles of the value by a formula of its own, e.g. the F limits of an ICC
    law: Callable[[float], float] | None = None
    #: the law takes the annotators, too, as drawn from others of their kind
    law_of_others: bool = False
    #: rows of two systems may be swapped between them, when the columns mean the same
    swappable: bool = True
    #: what the columns are, to tell whether they mean the same on both sides
    meaning: Hashable = None
    #: intervals that these sums allow, where the single units are not known; empty for all
    allowed: tuple[str, ...] = ()
    #: (variance, degrees of freedom) that sampling chance adds to the value
    noise: tuple[float, float] | None = None
    #: breakdown → (name, sample) of each of its rows, so that they have intervals too; a pair of
    #: annotators is named by both
    parts: Callable[[str], Sequence[tuple[Hashable, Sample]]] | None = None
    #: statistic that counts the units behind the observed part; Gwet's variance holds it fixed
    fixed: int | None = None
    #: (relative deviations, their probabilities, pairs drawn): Krippendorff's own bootstrap
    deviations: Callable[[], tuple[Array, Array, int]] | None = None

    @property
    def size(self) -> int:
        """Number of distinct rows."""
        if self.rows is not None:
            return int(self.rows.shape[0])
        if self.index is not None:
            return int(self.index.max(initial=-1)) + 1
        return 0 if self.multiplicity is None else len(self.multiplicity)

    @property
    def width(self) -> int:
        """Statistics per replicate, which limits how many replicates are held at once."""
        return self.size if self.rows is None else int(self.rows.shape[1])

    @property
    def counts(self) -> NDArray[np.int64]:
        """Number of units behind each row."""
        if self.index is None:
            if self.multiplicity is None:
                return np.ones(self.size, dtype=np.int64)
            return self.multiplicity
        return np.bincount(self.index, weights=self.multiplicity, minlength=self.size).astype(
            np.int64
        )

    def totals(self, weights: Array | None = None) -> Array:
        """The statistics summed under each row of weights; by default over all units, once."""
        if weights is None:
            weights = self.counts.astype(np.float64)[None, :]
        return weights if self.rows is None else np.asarray(weights @ self.rows)

    def value(self, weights: Array) -> Array:
        """The value under each row of weights."""
        return self.score(self.totals(weights))["value"]

    def among(self, chosen: NDArray[np.bool_]) -> Sample:
        """The same sample with only the chosen units."""
        times = 1 if self.multiplicity is None else self.multiplicity
        held = np.where(chosen, times, 0).astype(np.int64)
        return replace(self, multiplicity=held, law=None, parts=None)

    def cluster_weights(self) -> csr_array[np.float64]:
        """Sparse clusters × rows: how many units of each row a cluster holds."""
        from scipy.sparse import csr_array

        if self.cluster is None:
            raise ValueError("this sample has no clusters")
        index = np.arange(len(self.cluster)) if self.index is None else self.index
        weight = np.ones(len(index)) if self.multiplicity is None else self.multiplicity
        return csr_array(
            (weight.astype(np.float64), (self.cluster, index)),
            shape=(len(self.clusters), self.size),
        )

    def by_cluster(self) -> Sample:
        """The same sample with clusters (documents) as the resampling units, empty ones left out."""
        weights = self.cluster_weights()
        sizes: Array = np.asarray(weights.sum(axis=1)).ravel()
        held = np.flatnonzero(sizes > 0)
        weights = weights[held]
        if self.rows is None:
            dense = weights.toarray()

            def score(totals: Array) -> Mapping[str, Array]:
                return self.score(totals @ dense)

            rows: Any = np.eye(len(held))
        else:
            score, rows = self.score, weights @ self.rows  # type: ignore[assignment]
        return Sample(
            rows=rows,
            score=score,
            keys=tuple(self.clusters[d] for d in held),
            unit="document",
            weight=sizes[held],
            graded=self.graded,
            whole=self.whole,
            swappable=self.swappable,
            meaning=self.meaning,
            noise=self.noise,
        )
