"""Decisions on ratings: items are known by their names, and an item that is gone is kept aside."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.data import Ratings
from accord.data.label_sets import written as as_cell
from accord.data.ratings import label_of
from accord.data.values import is_number
from accord.errors import some
from accord.gold.decisions.decision import Decision, Value, canonical
from accord.gold.decisions.element import Element, versions_of
from accord.gold.decisions.identity import aside_sentence
from accord.gold.decisions.ledger import Ledger


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Which decisions hold on these ratings, and what became of the others."""

    in_force: Mapping[str, Decision]
    aside: tuple[str, ...]
    changed: frozenset[str]
    conflicts: tuple[str, ...]
    sentences: tuple[str, ...]


def of_ratings(data: Ratings, ledger: Ledger, place: Mapping[str, int]) -> Decided:
    """Match decisions to items by name; what cannot hold on these data is named, never an error."""
    held: dict[str, Decision] = {}
    aside, foreign, conflicts = [], [], []
    changed = set()
    for standing in ledger:
        decision = standing.in_force
        if decision is None and not standing.conflict:
            continue
        if standing.item not in place:
            aside.append(standing.item)
            continue
        if standing.conflict:
            conflicts.append(standing.item)
        if decision is None:
            continue
        if decision.kind == "label" and not _can_hold(data, decision.value):
            foreign.append(f"{standing.item}: {canonical(decision.value)}")
            aside.append(standing.item)
            continue
        held[standing.item] = decision
        if decision.digest is not None:
            now = rating_element(data, place[standing.item]).digest
            if now != decision.digest:
                changed.add(standing.item)
    gone = [a for a in aside if not any(f.startswith(f"{a}: ") for f in foreign)]
    sentences = [*ledger.notes, *aside_sentence(gone)]
    if foreign:
        sentences.append(
            f"{len(foreign)} decisions have values that these ratings cannot hold and are kept aside: "
            f"{some(foreign, 3)}"
        )
    unused = sorted({canonical(d.value) for d in held.values() if d.kind == "label"} - _known(data))
    if unused and data.kind == "categories":
        sentences.append(
            f"decisions use labels that no annotator uses now: {some(unused)}; were labels renamed?"
        )
    if changed:
        sentences.append(
            f"the annotations of {len(changed)} decided items changed since: {some(sorted(changed), 3)}; "
            "the decisions hold until somebody confirms or replaces them"
        )
    if conflicts:
        sentences.append(
            f"{len(conflicts)} items have decisions that contradict each other: {some(conflicts, 3)}; "
            "the first holds until somebody settles it"
        )
    return Decided(
        in_force=held,
        aside=tuple(aside),
        changed=frozenset(changed),
        conflicts=tuple(conflicts),
        sentences=tuple(sentences),
    )


def rating_element(data: Ratings, i: int) -> Element:
    """An item and what each annotator who rated it said."""
    first, last = int(data.indptr[i]), int(data.indptr[i + 1])
    said: list[tuple[str, Value]] = [
        (data.annotators[data.annotator[j]], written(data.values[data.code[j]]))
        for j in range(first, last)
    ]
    item = label_of(data.items[i])
    document = "" if data.document is None else data.documents[data.document[i]]
    return Element(item=item, document=document, place={}, versions=versions_of(said))


def written(value: Any) -> str:
    """A value of a rating as decisions write it: a|b for a set, {} for the empty one."""
    return as_cell(value) if isinstance(value, frozenset) else label_of(value)


def _can_hold(data: Ratings, value: Value) -> bool:
    if data.kind == "numbers":
        return is_number(canonical(value))
    if data.kind == "sets":
        return True
    return not data.declared or canonical(value) in data.labels


def _known(data: Ratings) -> set[str]:
    return {written(v) for v in data.values}
