"""The field on which judges and systems meet: each scored by the same measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.join import joined
from accord.data.ratings import label_of
from accord.errors import InputError, UsageError
from accord.measures import find
from accord.measures.validity.classes import of_accuracy, of_f1_macro
from accord.measures.validity.correlation import of_pearson, of_spearman
from accord.measures.validity.distances import (
    of_alpha,
    of_fuzzy_distance,
    of_observed_agreement,
    of_weighted_accuracy,
)
from accord.measures.validity.matched_items import pair, soft_side
from accord.measures.validity.pairing import Array, Pairing, Soft, subset, with_warnings
from accord.measures.validity.result import used_classes, validity_result
from accord.result import Result

OF_KAPPA = (
    "kappa is shown because the 2011 study ranks by it; as a score it lets each participant make half "
    "of its own baseline (Mathet & Widlöcher 2016, §7.1)"
)
Scorer = Callable[..., Result]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Entry:
    """One judge or system, its items, and its results."""

    name: str
    role: str
    rows: NDArray[np.int64]
    pairing: Pairing
    results: Mapping[str, Result]

    def oriented(self, measure: str) -> float:
        """The value, larger always meaning better."""
        value = self.results[measure].value
        return value if _similar(measure) else -value


def _kappa(pairing: Pairing, **options: Any) -> Result:
    """Cohen's κ of a participant and the majority, ties split."""
    K = len(pairing.labels)

    def tally(p: Pairing) -> Array:
        right = np.sum(p.target * p.choice, axis=1)[:, None]
        return np.concatenate([right, p.target, p.choice], axis=1)

    def score(totals: Array) -> Mapping[str, Array]:
        p, q = totals[:, 1 : 1 + K], totals[:, 1 + K :]
        n = p.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            observed = totals[:, 0] / n
            expected = np.sum(p * q, axis=1) / (n * q.sum(axis=1))
            return {"value": (observed - expected) / (1 - expected)}

    return validity_result(
        "kappa", pairing, tally, score, classes=used_classes(pairing), options={},
        warnings=(OF_KAPPA,), ties=True,
    )  # fmt: skip


_SCORERS: Mapping[str, Scorer] = {
    "accuracy": of_accuracy,
    "f1-macro": of_f1_macro,
    "pearson": of_pearson,
    "spearman": of_spearman,
    "kappa": _kappa,
    "weighted-accuracy": of_weighted_accuracy,
    "observed-agreement": of_observed_agreement,
    "fuzzy-distance": of_fuzzy_distance,
    "alpha-to-distribution": of_alpha,
}
_METRIC = ("observed-agreement", "alpha-to-distribution")


def field_of(
    judges: Ratings,
    systems: Mapping[str, Ratings],
    *,
    ties: str,
    seed: int,
    key: Ratings | None = None,
) -> Pairing:
    """All judgements against all systems' answers: the classes and items that everybody shares.

    With a `key`, it is the reference, and the judges answer beside the systems.
    """
    # people are ranked by their answers, and each is left out in turn
    people = replace(judges, probabilities=None)
    everyone = _together(systems if key is None else {"judges": people, **systems})
    made = pair(people if key is None else key, everyone, ties=ties, seed=seed)
    return replace(made, answered_soft=None, _made={})


def chosen_measures(asked: Sequence[str], ground: Pairing) -> tuple[str, ...]:
    """The measures to rank by: those asked for, or all that apply."""
    ordered = ground.ordered or ground.numbers is not None
    if not asked:
        return tuple(m for m in _SCORERS if ordered or not (find(m).ordered or m in _METRIC))
    names = []
    for text in asked:
        name = find(text).name
        if name not in _SCORERS:
            raise UsageError(f"cannot rank by {name}; the measures are {', '.join(_SCORERS)}")
        if find(name).ordered and not ordered:
            raise UsageError(
                f"{name} needs numbers or classes in order; declare `categories=low<mid<high`"
            )
        names.append(name)
    return tuple(dict.fromkeys(names))


def enter(
    ground: Pairing, judges: Ratings, systems: Mapping[str, Ratings], names: Sequence[str],
    metric: str | None,
) -> list[Entry]:  # fmt: skip
    """Everybody scored against the field's reference: the majority of all judges, unless one was given."""
    place = {key: i for i, key in enumerate(ground.keys)}
    code = {label: k for k, label in enumerate(ground.labels)}
    entries = []
    for a, name in enumerate(judges.annotators):
        rows, answers = _own(judges, a, place, code)
        if not len(rows):
            raise InputError(
                f"{name} judged none of the items of the reference",
                hint=f"check that both name their items in the same way, or pass `without={name}`",
            )
        entries.append(_entry(name, "judge", ground, rows, (rows, answers), names, metric))
    for name, system in systems.items():
        rows, answers = _own(system, None, place, code)
        # a system answers for all items: those it skips are errors
        everywhere = np.arange(ground.n)
        soft = _likely(system, ground, place, code)
        entries.append(
            _entry(name, "system", ground, everywhere, (rows, answers), names, metric, soft)
        )
    return entries


def enter_without(
    ground: Pairing, judges: Ratings, systems: Mapping[str, Ratings], who: str,
    names: Sequence[str], metric: str | None,
) -> tuple[Entry, dict[str, Entry]]:  # fmt: skip
    """One judge and all systems, on the judge's items, against the other judges."""
    place = {key: i for i, key in enumerate(ground.keys)}
    code = {label: k for k, label in enumerate(ground.labels)}
    a = judges.annotators.index(who)
    rows, answers = _own(judges, a, place, code)
    row, said = ground.judged
    counts = np.bincount(row, minlength=ground.n)
    able = counts[rows] >= 2
    rows, answers = rows[able], answers[able]
    # take away one vote like the judge's own from each of these items: votes have no names here
    K = len(ground.labels)
    key = row * K + said
    order = np.argsort(key, kind="stable")
    drop = np.zeros(len(row), dtype=bool)
    drop[order[np.searchsorted(key[order], rows * K + answers)]] = True
    rest = replace(ground, judged=(row[~drop], said[~drop]), _made={})
    human = _entry(who, "judge", rest, rows, (rows, answers), names, metric)
    machines = {}
    for name, system in systems.items():
        its_rows, its_answers = _own(system, None, place, code)
        soft = _likely(system, ground, place, code)
        machines[name] = _entry(
            name, "system", rest, rows, (its_rows, its_answers), names, metric, soft
        )
    return human, machines


def replicate(entry: Entry, measure: str, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The entry's value, larger meaning better, on each replicate of item weights."""
    sample = entry.results[measure].sample
    if sample is None or sample.rows is None or not len(entry.rows):
        return np.full(len(weights), np.nan)
    rows = sample.rows if sample.index is None else sample.rows[sample.index]
    on = entry.rows
    if len(rows) < len(on):  # correlations leave out items without an answer
        on = on[entry.pairing.given[entry.pairing.index]]
    chosen = weights if np.array_equal(on, np.arange(weights.shape[1])) else weights[:, on]
    values = np.real(sample.score(chosen @ rows)["value"])
    return values if _similar(measure) else -values


def _similar(measure: str) -> bool:
    return find(measure).similarity


def _entry(
    name: str, role: str, ground: Pairing, rows: NDArray[np.int64],
    answered: tuple[NDArray[np.int64], NDArray[np.int64]], names: Sequence[str], metric: str | None,
    soft: Soft | None = None,
) -> Entry:  # fmt: skip
    whole = replace(ground, answered=answered, answered_soft=soft, _made={})
    pairing = with_warnings(subset(whole, rows), ())
    results = {}
    for m in names:
        options = {"metric": metric} if m in _METRIC and metric is not None else {}
        results[m] = _SCORERS[m](pairing, **options)
    return Entry(name=name, role=role, rows=rows, pairing=pairing, results=results)


def _own(
    data: Ratings, annotator: int | None, place: Mapping[str, int], code: Mapping[str, int]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Items and classes of one annotator (or of all of them), as the field numbers them."""
    mine = slice(None) if annotator is None else data.annotator == annotator
    row = np.array([place.get(label_of(item), -1) for item in data.items], dtype=np.int64)
    value = np.array([code[label] for label in data.labels], dtype=np.int64)
    rows, answers = row[data.item[mine]], value[data.code[mine]]
    known = rows >= 0
    return rows[known], answers[known]


def _likely(
    system: Ratings, ground: Pairing, place: Mapping[str, int], code: Mapping[str, int]
) -> Soft | None:
    """The distributions of a system that gives them, as the field numbers items and classes."""
    row = np.array([place.get(label_of(item), -1) for item in system.items], dtype=np.int64)
    value = np.array([code[label] for label in system.labels], dtype=np.int64)
    return soft_side(system, row[system.item], value, ground.n, len(ground.labels))


def _together(systems: Mapping[str, Ratings]) -> Ratings:
    parts = [
        replace(s, annotators=tuple(f"{name}:{a}" for a in s.annotators))
        for name, s in systems.items()
    ]
    whole = joined(parts)
    if not isinstance(whole, Ratings):
        raise UsageError("systems can be ranked on ratings only")
    return whole
