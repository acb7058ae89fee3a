"""What a measure returns: one frozen record, and the sample it can be resampled from."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.version import __version__

Array = NDArray[np.float64]
Row = Mapping[str, Any]
#: totals (replicates × statistics) → named arrays over the replicates, "value" among them
Score = Callable[[Array], Mapping[str, Array]]


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made."""

    low: float
    high: float
    level: float
    method: str


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
    #: number of identical units behind each entry of `index`; None for one each
    multiplicity: NDArray[np.int64] | None = None
    #: cluster (document) of each unit; None when there are none
    cluster: NDArray[np.int32] | None = None
    clusters: tuple[str, ...] = ()
    #: name of each unit, to pair two samples; None when unknown
    keys: Sequence[Hashable] | None = None
    #: what a unit is: "item" or "document"
    unit: str = "item"
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
    def counts(self) -> NDArray[np.int64]:
        """Number of units behind each row."""
        if self.index is None:
            if self.multiplicity is None:
                return np.ones(self.size, dtype=np.int64)
            return self.multiplicity
        weights = None if self.multiplicity is None else self.multiplicity
        return np.bincount(self.index, weights=weights, minlength=self.size).astype(np.int64)

    def totals(self, weights: Array | None = None) -> Array:
        """The statistics summed under each row of weights; by default over all units, once."""
        if weights is None:
            weights = self.counts.astype(np.float64)[None, :]
        return weights if self.rows is None else np.asarray(weights @ self.rows)

    def value(self, weights: Array) -> Array:
        """The value under each row of weights."""
        return self.score(self.totals(weights))["value"]

    def cluster_weights(self) -> Any:
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
        """The same sample with clusters (documents) as the resampling units."""
        weights = self.cluster_weights()
        rows = weights if self.rows is None else weights @ self.rows
        return Sample(rows=rows, score=self.score, keys=self.clusters, unit="document")


class Rows(Sequence[Row]):
    """The rows of a breakdown, made when they are first looked at."""

    def __init__(self, make: Callable[[], Sequence[Row]]) -> None:
        self._make = make
        self._rows: Sequence[Row] | None = None

    def _made(self) -> Sequence[Row]:
        if self._rows is None:
            self._rows = self._make()
        return self._rows

    def __len__(self) -> int:
        return len(self._made())

    def __getitem__(self, index: Any) -> Any:
        return self._made()[index]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return repr(self._made())

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Result:
    """One number, and everything needed to read, check and reproduce it."""

    measure: str
    value: float
    observed: float | None = None
    expected: float | None = None
    #: the formula's own names
    terms: Mapping[str, Any] = field(default_factory=dict)
    interval: Interval | None = None
    #: breakdowns: name → rows
    by: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    #: number of items (or documents, units, mentions: the measure says) it rests on
    n: int = 0
    signature: str = ""
    #: why the value is NaN, in a sentence; None when it is defined
    undefined: str | None = None
    warnings: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    document: str | None = None
    system: str | None = None
    sample: Sample | None = field(default=None, repr=False)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        if self.undefined is not None:
            return f"{self.measure} is undefined: {self.undefined}"
        text = f"{self.measure} = {self.value:.4f}"
        if self.interval is not None:
            i = self.interval
            text += f" [{i.low:.4f}, {i.high:.4f}] ({i.level:.0%} {i.method})"
        return text

    def to_dict(self) -> dict[str, Any]:
        """The result as plain JSON data: NaN becomes None, arrays become lists."""
        out: dict[str, Any] = {
            "measure": self.measure,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "interval": None
            if self.interval is None
            else {
                "low": self.interval.low,
                "high": self.interval.high,
                "level": self.interval.level,
                "method": self.interval.method,
            },
            "terms": self.terms,
            "by": self.by,
            "n": self.n,
            "signature": self.signature,
            "undefined": self.undefined,
            "warnings": list(self.warnings),
        }
        for name in ("document", "system"):
            if getattr(self, name) is not None:
                out[name] = getattr(self, name)
        if self.annotators:
            out["annotators"] = list(self.annotators)
        plain: dict[str, Any] = to_plain(out)
        return plain

    def to_frame(self, breakdown: str | None = None, *, backend: Any = "pandas") -> Any:
        """The result (one row) or one of its breakdowns, as a dataframe of the library named."""
        import narwhals as nw

        if breakdown is None:
            rows: Sequence[Row] = [
                {
                    "measure": self.measure,
                    "value": self.value,
                    "low": self.interval.low if self.interval else None,
                    "high": self.interval.high if self.interval else None,
                    "observed": self.observed,
                    "expected": self.expected,
                    "n": self.n,
                    "signature": self.signature,
                }
            ]
        else:
            rows = self.by[breakdown]
        names = list(dict.fromkeys(name for row in rows for name in row))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return nw.from_dict(columns, backend=backend).to_native()

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}\n{escape(self.signature)}</pre>"


def signature(measure: str, n: int, **options: object) -> str:
    """The line that lets a published number be reproduced.

    >>> signature("alpha", 480, metric="ordinal")
    'alpha|metric:ordinal|n:480|v:...'
    """
    parts = [measure, *(f"{k}:{v}" for k, v in options.items() if v is not None)]
    return "|".join([*parts, f"n:{n}", f"v:{__version__}"])


def to_plain(value: Any) -> Any:
    """Numbers, text, lists and dicts only, fit for JSON; NaN and infinities become None."""
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, Sequence):
        return [to_plain(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_plain(v) for v in value)
    return str(value)
