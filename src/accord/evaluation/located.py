"""Annotators and systems scored document by document against each other: units, segments, chains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations
from accord.data.join import joined
from accord.data.protocol import changed
from accord.data.roles import signed
from accord.errors import InputError, UsageError
from accord.evaluation.entrants import (
    NO_SYSTEM,
    Systems,
    free_name,
    key_of,
    people_and_systems,
    said_of,
)
from accord.measures import find
from accord.options import LEVEL, check_draws
from accord.options.kinds import refuses_other_kinds
from accord.printed import Printable, Printed
from accord.reading.given import Given, Sides
from accord.reading.keywords import KeywordsButSystems
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
    measure = _measure(humans, measure)
    if len(system.annotators) != 1:
        raise InputError(f"a system is one annotator, got {len(system.annotators)}")
    name = system.annotators[0]
    if name in humans.annotators:
        raise InputError(f"{name!r} is the name of a human and of the system")
    everybody = joined([humans, system])
    who = [*humans.annotators, name]
    documents = tuple(everybody.documents)
    saw = _saw(everybody, who)
    matrix = np.full((len(documents), len(who), len(who)), np.nan)
    for g, reference in enumerate(humans.annotators):
        for x, other in enumerate(who):
            if x != g:
                both = saw[:, g] & saw[:, x]
                matrix[:, x, g] = _against(everybody, reference, other, both, measure)
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
        measure=measure, documents=documents, duels=duels, means=means, warnings=()
    )


def _measure(data: Annotations, measure: str | None) -> str:
    """The name of a score of this shape of which more is better."""
    record = find(measure or MEASURES[data.shape], "score")
    if record.shape != data.shape or record.question != "score" or not record.similarity:
        raise UsageError(
            f"{record.name} does not score {data.shape} so that more is better; "
            f"use {MEASURES[data.shape]}"
        )
    return record.name


def _saw(everybody: Annotations, who: Sequence[str]) -> NDArray[np.bool_]:
    """Documents × people: who saw what; who is left with nothing is none of everybody, and saw nothing."""
    seen = dict(zip(everybody.annotators, everybody.who_saw.T, strict=True))
    none = np.zeros(len(everybody.documents), dtype=bool)
    return np.stack([seen.get(a, none) for a in who], axis=1)


def against_key(
    key: Annotations, people: Annotations, systems: Mapping[str, Annotations], measure: str
) -> dict[str, Array]:
    """The score of everybody against the reference, by document."""
    if len(key.annotators) != 1:
        raise InputError(f"a reference is one annotator, got {len(key.annotators)}")
    others = [people, *(changed(system, annotators=(n,)) for n, system in systems.items())]
    name = free_name("reference", {n for one in others for n in one.annotators})
    everybody = joined([changed(key, annotators=(name,)), *others])
    who = [n for one in others for n in one.annotators]
    saw = _saw(everybody, [name, *who])
    return {
        n: _against(everybody, name, n, saw[:, 0] & saw[:, place], measure).round(12)
        for place, n in enumerate(who, 1)
    }


def _against(
    everybody: Annotations, reference: str, other: str, both: NDArray[np.bool_], measure: str
) -> Array:
    """The score on each document that both saw; two who mark nothing agree there."""
    found = np.full(len(everybody.documents), np.nan)
    common = [everybody.documents[i] for i in np.flatnonzero(both)]
    if common:
        values = _by_document(everybody, reference, other, common, measure)
        found[both] = [values.get(document, 1.0) for document in common]
    return found


def mean_score(table: Array) -> Array:
    """The mean of each column over the documents that have a value; NaN where none has."""
    counted = np.isfinite(table).sum(axis=0)
    total = np.where(np.isfinite(table), table, 0.0).sum(axis=0)
    return np.asarray(np.where(counted, total / np.maximum(counted, 1), np.nan))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LocatedRanking(Printable):
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

    def _printed(self) -> Printed:
        return Printed.of_rows(self.table)

    @property
    def table(self) -> tuple[Row, ...]:
        """One row per participant, the best first."""
        return tuple({"measure": self.measure, **row} for row in self.participants)

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


@refuses_other_kinds
def rank_located(
    humans: Given,
    systems: Systems = None,
    *,
    reference: Given | None = None,
    measure: str | None = None,
    level: float = LEVEL,
    resamples: int = 500,
    seed: int = 0,
    system_annotator: str | None = None,
    each: bool = False,
    **reading: Unpack[KeywordsButSystems],
) -> LocatedRanking:
    """Rank systems that mark units, cut segments or link mentions among the people who did the same.

    Everybody is scored against each person but themselves, document by document; the value is the mean
    over documents. Rank 1 is the best; the interval of a rank draws the documents again. `systems`,
    `system_annotator`, `each` and the options of reading are those of :func:`rank`. With a `reference`,
    or one that was chosen when the data were read, everybody is scored against it; `others` is the
    value against the people.
    """
    check_draws(level=level, resamples=resamples, seed=seed)
    sides = Sides(reading)
    humans, entered = people_and_systems(
        humans, systems, system_annotator=system_annotator, each=each, sides=sides
    )
    key = key_of(humans, reference, sides)
    sides.settle("rank_located")
    if len(humans.annotators) < (2 if key is None else 1):
        raise InputError("ranking among people needs at least two of them")
    if not entered:
        raise UsageError(NO_SYSTEM)
    columns: dict[str, Array] = {}
    others: dict[str, float] = {}
    warnings: tuple[str, ...] = ()
    scored_by = _measure(humans, measure)
    if len(humans.annotators) > 1:
        for system, answers in entered.items():
            found = document_scores(humans, changed(answers, annotators=(system,)), measure)
            warnings = found.warnings
            for who, column in zip((*humans.annotators, system), found.means.T, strict=True):
                columns.setdefault(who, column)
    if key is not None:
        others = {who: float(mean_score(column[:, None])[0]) for who, column in columns.items()}
        columns = against_key(key, humans, entered, scored_by)
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
                **({} if key is None else {"others": others.get(name)}),
            }
        )
    rows.sort(key=lambda r: (r["rank"], r["name"]))
    return LocatedRanking(
        measure=scored_by,
        judges=humans.annotators,
        participants=tuple(rows),
        systems=tuple({"system": r["name"], **r} for r in rows if r["role"] == "system"),
        documents=len(table),
        signature=signed(
            signature(
                "rank",
                len(table),
                by=scored_by,
                level=None if level == LEVEL else level,
                resamples=resamples,
                seed=seed,
                reference=said_of(humans, key),
            ),
            humans,
            *entered.values(),
        ),
        warnings=warnings,
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
        ci="none",
    )
    rows = found.by["document"]
    return {str(r["document"]): float(r["value"]) for r in rows if np.isfinite(r["value"])}
