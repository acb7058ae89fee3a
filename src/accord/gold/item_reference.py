"""The reference of ratings: what was chosen for each item, how sure it is, who dissented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.brief import brief, count
from accord.data.encode import Codes, natural_key
from accord.data.label_sets import written as as_cell
from accord.data.probabilities import PREFIX
from accord.data.progress import counted
from accord.data.ratings import Kind, label_of
from accord.data.reading import Record
from accord.data.reasons import REASONS, leave_out
from accord.errors import InputError, some
from accord.gold.labels import Array, Estimate
from accord.gold.notebook import reference_html
from accord.gold.reference import SOURCES, Reference
from accord.result import Row, signature

#: the columns that every carrier has
COLUMNS = ("item", "value", "confidence", "reason", "source", "who")
#: what is kept of a decision of people
DECIDED = ("who", "when", "why")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ItemReference(Reference):
    """The reference of a campaign of ratings.

    `code[i]` indexes `values`, -1 for an item without a value; `reason[i]` then says why.
    """

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
    #: index into REASONS, 0 for an item with a value
    reason: NDArray[np.int8] = field(default_factory=lambda: np.empty(0, dtype=np.int8))

    @classmethod
    def of(cls, data: Ratings) -> Self:
        """The reference that ratings of one annotator are, with what its columns say of each item.

        >>> from accord.reading import read
        >>> rows = [{"item": "1", "value": "x"}, {"item": "2", "value": None, "reason": "tie"}]
        >>> [row["reason"] for row in ItemReference.of(read(rows)).rows()]
        ['', 'tie']
        """
        if len(data.annotators) != 1:
            raise InputError(
                f"a reference is one annotator's, and here are {some(data.annotators)}",
                hint="build one with accord gold",
            )
        data = data.single()
        n = len(data.items)
        code = np.full(n, -1, dtype=np.int32)
        code[data.item] = data.code
        said = {name: list(data.extras.get(name, [None] * n)) for name in COLUMNS}
        absent = ["undecided" if held < 0 else "" for held in code]
        reason = [
            REASONS.index(r or other) for r, other in zip(said["reason"], absent, strict=True)
        ]
        source = [SOURCES.index(s) if s in SOURCES else 0 for s in said["source"]]
        labels, posterior = _distributions(data)
        return cls(
            method="given",
            data=data,
            values=data.values,
            kind=data.kind,
            code=code,
            confidence=_numbers(said["confidence"]),
            source=np.array(source, dtype=np.int8),
            strength=np.full(n, np.nan),
            tied=np.array([REASONS[r] == "tie" for r in reason]),
            reason=np.array(reason, dtype=np.int8),
            labels=labels,
            posterior=posterior,
            decisions={
                label_of(item): {
                    key: data.extras[key][i] or "" for key in DECIDED if key in data.extras
                }
                for i, item in enumerate(data.items)
                if SOURCES[source[i]] == "human"
            },
            signature=signature("gold:given", n),
        )

    def __len__(self) -> int:
        return len(self.code)

    @property
    def columns(self) -> tuple[str, ...]:
        return COLUMNS

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
        return "" if value is None else label_of(_cell(value))

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
        """One row per item: its value or the reason why none, how sure, who decided; more when asked."""
        for i, item in enumerate(counted(self.data.items)):
            decision = self.decisions.get(label_of(item), {})
            value = self.value(i)
            row: dict[str, Any] = {
                "item": label_of(item),
                "value": None if value is None else _cell(value),
                "confidence": _rounded(self.confidence[i]),
                "reason": REASONS[self.reason[i]],
                "source": SOURCES[self.source[i]],
                "who": decision.get("who", ""),
            }
            if details:
                row["strength"] = _rounded(self.strength[i])
                row["tie"] = int(self.tied[i])
                row["dissent"] = ";".join(self.dissent(i))
                if self.error is not None:
                    row["error"] = _rounded(self.error[i])
                if self.estimate is not None and self.estimate.difficulty is not None:
                    row["difficulty"] = _rounded(self.estimate.difficulty[i])
                row |= {key: decision.get(key, "") for key in DECIDED}
            if soft and self.soft is not None:
                row |= {
                    f"{PREFIX}{name}": _rounded(p)
                    for name, p in zip(self.labels, self.soft[i], strict=True)
                }
            yield row

    def __repr__(self) -> str:
        held = int((self.code >= 0).sum())
        human = int((self.source == SOURCES.index("human")).sum())
        return brief(
            "Reference",
            self.method,
            f"{held} of {count(len(self), 'item')} with a value",
            f"mean confidence {np.nanmean(self.confidence):.3f}" if held else "",
            f"{human} decided by people" if human else "",
        )

    def _repr_html_(self) -> str:
        doubtful = sorted(self.rows(details=True), key=lambda row: row["confidence"])
        kept = ("item", "value", "reason", "confidence", "dissent")
        shown = [{k: row[k] for k in kept} for row in doubtful]
        return reference_html(self, "least sure first", shown, self.annotators, self.warnings)

    def to_ratings(self, name: str | None = None) -> Ratings:
        """The reference alone, as ratings of one annotator."""
        held = np.flatnonzero(self.code >= 0)
        has = (self.code >= 0).astype(np.int64)
        return replace(
            self.data,
            annotators=(name or self.name,),
            values=self.values,
            kind=self.kind,
            indptr=np.concatenate([[0], np.cumsum(has)]).astype(np.int64),
            annotator=np.zeros(len(held), dtype=np.int32),
            code=self.code[held],
            probabilities=None,
            repeats=(),
            _profiles={},
        )

    def valued(self) -> Ratings:
        """What is scored: the items that have a value; the data say how many have none, and why."""
        record = Record()
        leave_out([REASONS[r] for r in self.reason], record)
        return record.kept_by(self.to_ratings())

    def carried(self, *, soft: bool = False) -> Ratings:
        """The ratings of the reference, with what is said of each item beside its value."""
        columns: dict[str, list[Any]] = {}
        for row in self.rows(soft=soft):
            for key in row.keys() - {"item", "value"}:
                columns.setdefault(key, []).append(None if row[key] == "" else row[key])
        kept = self.to_ratings()
        return replace(kept, extras={**kept.extras, **columns})

    def alone(self, name: str | None = None) -> Ratings:
        return self.to_ratings(name)

    def worklist(
        self,
        *,
        confidence: float = 0.75,
        blind: bool = False,
        texts: Mapping[str, str] | None = None,
    ) -> list[Row]:
        from accord.gold.worklist import worklist

        return list(worklist(self, confidence=confidence, blind=blind, texts=texts))

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
        confusion = None if estimate is None or not self.labels else estimate.confusion
        if confusion is not None:
            out["confusion"] = {
                name: confusion[a].T.tolist() for a, name in enumerate(self.data.annotators)
            }
            out["confusion_labels"] = list(self.labels)
        return out


def _distributions(data: Ratings) -> tuple[tuple[str, ...], Array | None]:
    """The probabilities of each item's labels, also of the items that have no value."""
    names = [name for name in data.extras if name.startswith(PREFIX)]
    if names:
        columns = [_numbers(data.extras[name]) for name in names]
        return tuple(name.removeprefix(PREFIX) for name in names), np.stack(columns, axis=1)
    if data.probabilities is None:
        return (), None
    shares = np.full((len(data.items), len(data.labels)), np.nan)
    shares[data.item] = data.probabilities.share
    return data.labels, shares


def _numbers(cells: Sequence[Any]) -> Array:
    return np.array([np.nan if cell in (None, "") else float(cell) for cell in cells])


def distinct(values: Sequence[Any]) -> tuple[list[Any], Codes]:
    """The distinct values in canonical order, and the code of each; None is -1."""
    found = sorted({v for v in values if v is not None}, key=natural_key)
    place = {v: i for i, v in enumerate(found)}
    return found, np.array([-1 if v is None else place[v] for v in values], dtype=np.int32)


def _cell(value: object) -> str | float:
    """A value as carriers hold it: numbers as they are, a|b for a set, {} for the empty one."""
    if isinstance(value, frozenset):
        return as_cell(value)
    return float(value) if isinstance(value, float) else label_of(value)


def _rounded(number: float) -> float:
    """Enough digits to reproduce, few enough to read."""
    return round(float(number), 6)
