"""A reference: what was chosen for each item, how sure it is, who dissented, who is good."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.brief import brief, count
from accord.data.encode import Codes, natural_key
from accord.data.label_sets import written as as_cell
from accord.data.progress import counted
from accord.data.ratings import Kind, label_of
from accord.data.tabular import Backend
from accord.gold.labels import Array, Estimate
from accord.gold.notebook import reference_html
from accord.result import Row

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

#: where an item's value comes from
SOURCES = ("rule", "known", "human")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Reference:
    """The reference of a campaign of ratings.

    `code[i]` indexes `values`, -1 for an item without a value (tie, threshold, reject).
    """

    method: str
    data: Ratings
    values: Sequence[Any]
    kind: Kind
    code: Codes
    confidence: Array
    #: index into SOURCES
    source: NDArray[np.int8]
    #: share of the votes of the most voted value, NaN for an item without votes
    strength: Array
    tied: NDArray[np.bool_]
    #: names of the columns of `posterior`
    labels: tuple[str, ...] = ()
    posterior: Array | None = None
    #: the same as honest as the confidences are (calibrated)
    distribution: Array | None = None
    #: soft labels are calibrated too: a way to calibrate was named
    calibrated: bool = False
    estimate: Estimate | None = None
    #: standard error of each number
    error: Array | None = None
    annotators: tuple[Row, ...] = ()
    groups: tuple[Row, ...] = ()
    effective_annotators: float = 0.0
    #: items whose unanimous independent annotators are contradicted
    overturned: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    #: human decisions: item → record
    decisions: Mapping[str, Row] = field(default_factory=dict)
    #: decided items that the data lack, whose annotations changed since, whose decisions contradict
    aside: tuple[str, ...] = ()
    changed: frozenset[str] = frozenset()
    conflicts: tuple[str, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    signature: str = ""

    def __len__(self) -> int:
        return len(self.code)

    @property
    def soft(self) -> Array | None:
        """How probable each label is: as the model says, calibrated where a way to do so was named."""
        return self.distribution if self.calibrated else self.posterior

    def value(self, i: int) -> object:
        """The value of item i, or None."""
        return None if self.code[i] < 0 else self.values[self.code[i]]

    def written(self, i: int) -> str:
        """The value of item i as tables hold it: empty for none, a|b for a set, {} for the empty one."""
        value = self.value(i)
        if value is None:
            return ""
        return as_cell(value) if isinstance(value, frozenset) else label_of(value)

    def dissent(self, i: int) -> tuple[str, ...]:
        """The annotators who gave item i another value."""
        if self.code[i] < 0:
            return ()
        value = self.values[self.code[i]]
        d = self.data
        return tuple(
            d.annotators[d.annotator[j]]
            for j in range(int(d.indptr[i]), int(d.indptr[i + 1]))
            if d.values[d.code[j]] != value
        )

    def rows(self, *, soft: bool = False, details: bool = False) -> Iterator[Row]:
        """One row per item: item, value, confidence, and more when asked."""
        for i, item in enumerate(counted(self.data.items)):
            row: dict[str, Any] = {
                "item": label_of(item),
                "value": self.written(i),
                "confidence": _rounded(self.confidence[i]),
            }
            if details:
                row["source"] = SOURCES[self.source[i]]
                row["strength"] = _rounded(self.strength[i])
                row["tie"] = int(self.tied[i])
                row["dissent"] = ";".join(self.dissent(i))
                if self.error is not None:
                    row["error"] = _rounded(self.error[i])
                if self.estimate is not None and self.estimate.difficulty is not None:
                    row["difficulty"] = _rounded(self.estimate.difficulty[i])
                decision = self.decisions.get(label_of(item), {})
                row |= {key: decision.get(key, "") for key in ("who", "when", "why")}
            if soft and self.soft is not None:
                row |= {
                    f"p:{name}": _rounded(p)
                    for name, p in zip(self.labels, self.soft[i], strict=True)
                }
            yield row

    def __repr__(self) -> str:
        held = int((self.code >= 0).sum())
        human = int((self.source == SOURCES.index("human")).sum())
        return brief(
            self,
            self.method,
            f"{held} of {count(len(self), 'item')} with a value",
            f"mean confidence {np.nanmean(self.confidence):.3f}" if held else "",
            f"{human} decided by people" if human else "",
        )

    @overload
    def to_frame(
        self, backend: Literal["pandas"] = ..., *, soft: bool = ..., details: bool = ...
    ) -> pd.DataFrame: ...
    @overload
    def to_frame(
        self, backend: Literal["polars"], *, soft: bool = ..., details: bool = ...
    ) -> pl.DataFrame: ...
    @overload
    def to_frame(
        self, backend: Backend, *, soft: bool = ..., details: bool = ...
    ) -> IntoDataFrame: ...
    def to_frame(
        self, backend: Backend | None = None, *, soft: bool = False, details: bool = False
    ) -> IntoDataFrame:
        """One row per item, as a dataframe of the library named: ``to_frame("polars")``."""
        from accord.data.frame import to_frame

        rows = list(self.rows(soft=soft, details=details))
        return to_frame(rows, backend, ("item", "value", "confidence"))

    def _repr_html_(self) -> str:
        doubtful = sorted(self.rows(details=True), key=lambda row: row["confidence"])
        shown = [
            {k: row[k] for k in ("item", "value", "confidence", "dissent")} for row in doubtful
        ]
        return reference_html(self, "least sure first", shown, self.annotators, self.warnings)

    def to_ratings(self, name: str = "reference") -> Ratings:
        """The reference alone, as ratings of one annotator called `name`."""
        held = np.flatnonzero(self.code >= 0)
        has = (self.code >= 0).astype(np.int64)
        return replace(
            self.data,
            annotators=(name,),
            values=self.values,
            kind=self.kind,
            indptr=np.concatenate([[0], np.cumsum(has)]).astype(np.int64),
            annotator=np.zeros(len(held), dtype=np.int32),
            code=self.code[held],
            probabilities=None,
            repeats=(),
            _profiles={},
        )

    def together(self, name: str = "reference") -> Ratings:
        """The annotators and the reference as one more, so that everything else works on it."""
        from accord.data.join import joined

        return joined([self.data, self.to_ratings(name)])  # type: ignore[return-value]

    def to_dict(self, *, soft: bool = False) -> dict[str, object]:
        """Everything as plain data."""
        estimate = self.estimate
        items = []
        for i, told in enumerate(self.rows(details=True)):
            row = dict(told)
            row["value"] = self.written(i) if self.code[i] >= 0 else None
            row["tie"] = bool(self.tied[i])
            row["dissent"] = list(self.dissent(i))
            if soft and self.soft is not None:
                row["distribution"] = dict(
                    zip(self.labels, map(_rounded, self.soft[i]), strict=True)
                )
            items.append(row)
        out: dict[str, Any] = {
            "shape": "ratings",
            "method": self.method,
            "n": len(self),
            "items": items,
            "annotators": list(self.annotators),
            "terms": dict(self.terms),
            "effective_annotators": self.effective_annotators,
            "groups": list(self.groups),
            "overturned": [label_of(self.data.items[i]) for i in self.overturned],
            "aside": list(self.aside),
            "changed": sorted(self.changed),
            "conflicts": list(self.conflicts),
            "warnings": list(self.warnings),
            "signature": self.signature,
        }
        if estimate is not None and estimate.objective:
            out["convergence"] = {
                "converged": estimate.converged,
                "rounds": len(estimate.objective),
                "objective": estimate.objective[-1],
                "notes": list(estimate.notes),
            }
        if estimate is not None and estimate.confusion is not None and self.labels:
            out["confusion"] = {
                name: estimate.confusion[a].T.tolist()
                for a, name in enumerate(self.data.annotators)
            }
            out["confusion_labels"] = list(self.labels)
        return out


def distinct(values: Sequence[Any]) -> tuple[list[Any], Codes]:
    """The distinct values in canonical order, and the code of each; None is -1."""
    found = sorted({v for v in values if v is not None}, key=natural_key)
    place = {v: i for i, v in enumerate(found)}
    return found, np.array([-1 if v is None else place[v] for v in values], dtype=np.int32)


def _rounded(number: float) -> float:
    """Enough digits to reproduce, few enough to read."""
    return round(float(number), 6)
