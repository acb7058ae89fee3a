"""Annotators and systems scored document by document against each other: units, segments, chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations
from accord.data.join import joined
from accord.data.protocol import changed
from accord.data.seen import seen_by
from accord.errors import InputError, UsageError
from accord.evaluation.entrants import NO_SYSTEM, Systems, people_and_systems
from accord.measures import find
from accord.reading.given import Given
from accord.result import Result, Row, signature

Array = NDArray[np.float64]

#: how one annotation of a document is scored against another, by shape
MEASURES: Mapping[str, str] = {
    "units": "f1",
    "segments": "boundary-similarity",
    "chains": "conll",
    "relations": "relation-f1",
    "boxes": "box-f1",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DocumentScores:
    """For each human: their mean score against the other humans, and the system's, by document."""

    measure: str
    documents: tuple[str, ...]
    duels: Mapping[str, tuple[Array, Array]]
    #: documents × (humans, then the system): score against all other humans
    means: Array
    warnings: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return len(self.documents)


def document_scores(
    humans: Annotations, system: Annotations, measure: str | None = None
) -> DocumentScores:
    """S(x, others): the mean score of x against each other human, on each document both saw.

    Two annotations that both mark nothing in a document agree there: their score is 1.
    """
    if humans.shape != system.shape:
        raise InputError(f"the humans' data are {humans.shape}, the system's {system.shape}")
    record = find(measure or MEASURES[humans.shape], "score")
    if record.shape != humans.shape or record.question != "score" or not record.similarity:
        raise UsageError(
            f"{record.name} does not score {humans.shape} so that more is better; "
            f"use {MEASURES[humans.shape]}"
        )
    if len(system.annotators) != 1:
        raise InputError(f"a system is one annotator, got {len(system.annotators)}")
    name = system.annotators[0]
    if name in humans.annotators:
        raise InputError(f"{name!r} is the name of a human and of the system")
    everybody = joined([humans, system])
    who = [*humans.annotators, name]
    documents = tuple(everybody.documents)
    # (who is left with nothing is none of everybody, and saw nothing)
    seen = dict(zip(everybody.annotators, seen_by(everybody).T, strict=True))
    none = np.zeros(len(documents), dtype=bool)
    saw = np.stack([seen.get(a, none) for a in who], axis=1)
    matrix = np.full((len(documents), len(who), len(who)), np.nan)
    for g, reference in enumerate(humans.annotators):
        for x, other in enumerate(who):
            common = [d for i, d in enumerate(documents) if saw[i, g] and saw[i, x]]
            if x != g and common:
                values = _by_document(everybody, reference, other, common, record.name)
                at = [documents.index(d) for d in common]
                matrix[at, x, g] = [values.get(d, 1.0) for d in common]
    matrix = np.round(matrix, 12)  # equal scores compare as equal, whatever the order of the sums
    duels: dict[str, tuple[Array, Array]] = {}
    last = len(who) - 1
    for h, human in enumerate(humans.annotators):
        others = [g for g in range(last) if g != h]
        both = np.isfinite(matrix[:, h, others]) & np.isfinite(matrix[:, last, others])
        rows = np.flatnonzero(both.any(axis=1))
        pick = [np.where(both, matrix[:, x, others], np.nan)[rows] for x in (h, last)]
        duels[human] = np.nanmean(pick[0], axis=1), np.nanmean(pick[1], axis=1)
    with np.errstate(invalid="ignore"):
        counted = np.isfinite(matrix).sum(axis=2)
        means = np.where(counted, np.nansum(matrix, axis=2) / np.maximum(counted, 1), np.nan)
    return DocumentScores(
        measure=record.name, documents=documents, duels=duels, means=means, warnings=()
    )


def mean_score(table: Array) -> Array:
    """The mean of each column over the documents that have a value; NaN where none has."""
    counted = np.isfinite(table).sum(axis=0)
    total = np.where(np.isfinite(table), table, 0.0).sum(axis=0)
    return np.asarray(np.where(counted, total / np.maximum(counted, 1), np.nan))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LocatedRanking:
    """Where systems stand among the people, by their mean score against the people."""

    measure: str
    judges: tuple[str, ...]
    #: everybody with value and rank, the best first
    participants: tuple[Row, ...]
    #: the systems alone, with the interval of their rank over documents drawn again
    systems: tuple[Row, ...]
    documents: int
    signature: str
    warnings: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        return {
            "measure": self.measure,
            "judges": list(self.judges),
            "participants": [dict(r) for r in self.participants],
            "systems": [dict(r) for r in self.systems],
            "documents": self.documents,
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


def rank_located(
    humans: Given,
    systems: Systems = None,
    *,
    measure: str | None = None,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
    system_annotator: str | None = None,
    each: bool = False,
) -> LocatedRanking:
    """Rank systems that mark units, cut segments or link mentions among the people who did the same.

    Everybody is scored against each person but themselves, document by document; the value is the mean
    over documents. Rank 1 is the best; the interval of a rank draws the documents again. `systems`,
    `system_annotator` and `each` are those of :func:`rank`.
    """
    humans, entered = people_and_systems(
        humans, systems, system_annotator=system_annotator, each=each
    )
    if len(humans.annotators) < 2:
        raise InputError("ranking among people needs at least two of them")
    columns: dict[str, Array] = {}
    found: DocumentScores | None = None
    for name, system in entered.items():
        one = changed(system, annotators=(name,))
        found = document_scores(humans, one, measure)
        for who, column in zip((*humans.annotators, name), found.means.T, strict=True):
            columns.setdefault(who, column)
    if found is None:
        raise UsageError(NO_SYSTEM)
    table = np.column_stack(list(columns.values()))
    names = list(columns)
    means = mean_score(table).round(12)
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(table), size=(resamples, len(table)))
    again = mean_score(table[drawn].swapaxes(0, 1)).round(12)
    tail = (1 - level) / 2
    rows: list[dict[str, Any]] = []
    for k, name in enumerate(names):
        ranks = 1 + np.sum(again > again[:, [k]], axis=1)
        rows.append(
            {
                "name": name,
                "role": "system" if name in entered else "judge",
                "value": float(means[k]),
                "rank": int(1 + np.sum(means > means[k])),
                "of": len(names),
                "rank_low": int(np.quantile(ranks, tail, method="lower")),
                "rank_high": int(np.quantile(ranks, 1 - tail, method="higher")),
            }
        )
    rows.sort(key=lambda r: (r["rank"], r["name"]))
    return LocatedRanking(
        measure=found.measure,
        judges=humans.annotators,
        participants=tuple(rows),
        systems=tuple({"system": r["name"], **r} for r in rows if r["role"] == "system"),
        documents=found.n,
        signature=signature("rank", found.n, by=found.measure, resamples=resamples, seed=seed),
        warnings=found.warnings,
    )


def _by_document(
    data: Annotations, reference: str, system: str, documents: Sequence[str], measure: str
) -> dict[str, float]:
    """The score on each document; documents where neither marked anything are left out."""
    from accord.evaluation.scores import score

    found: Result = score(
        data.select(annotators=[reference], documents=documents),
        data.select(annotators=[system], documents=documents),
        measure,
        by=["document"],
    )
    rows = found.by["document"]
    return {str(r["document"]): float(r["value"]) for r in rows if np.isfinite(r["value"])}
