"""The cards of a campaign: everything that can be decided, and what is known of each beforehand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Boxes, Ratings
from accord.data.context import passage
from accord.data.ratings import label_of
from accord.errors import UsageError
from accord.gold.decisions.check import NO_BOXES
from accord.gold.decisions.decision import Value, canonical
from accord.gold.decisions.element import Element
from accord.gold.decisions.ratings import rating_element
from accord.gold.item_reference import ItemReference
from accord.gold.placed_reference import PlacedReference
from accord.gold.reference import Reference

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: cells of votes that are counted at once; ratings with more have no confusion cells
_MOST_VOTES = 50_000_000
NOTHING = "nothing"


@dataclass(eq=False, kw_only=True)
class Deck:
    """One card per element, numbered as the data have them.

    `gain` is the probability that the proposal is wrong (times the item's weight): what a decision
    is expected to improve. `confusion` names the two labels that most annotators are divided
    between, `disputed` is where annotators differ at all.
    """

    data: Annotations
    names: tuple[str, ...]
    documents: tuple[str, ...]
    confidence: Array
    gain: Array
    disorder: Array
    disputed: Mask
    confusion: tuple[str, ...]
    element: Callable[[int], Element]
    propose: Callable[[int], Value]
    texts: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def place(self) -> dict[str, int]:
        """Name → number."""
        return {name: i for i, name in enumerate(self.names)}

    def prepare(self) -> None:
        """Work out what every card needs before the first one is asked for."""
        _ = self.category, self.members, self._codes

    @cached_property
    def members(self) -> dict[str, list[int]]:
        """Document → its cards."""
        out: dict[str, list[int]] = {}
        for i, document in enumerate(self.documents):
            out.setdefault(document, []).append(i)
        return out

    @cached_property
    def category(self) -> tuple[str, ...]:
        """The label that is proposed, or the most said one."""
        return tuple(_label(self.propose(i)) or c.partition(" ~ ")[0]
                     for i, c in enumerate(self.confusion))  # fmt: skip

    @cached_property
    def pair(self) -> tuple[str, ...]:
        """The first two annotators who differ."""
        out = []
        for i in range(len(self)):
            versions = self.element(i).versions
            apart = len(versions) > 1
            out.append(
                f"{versions[0].annotators[0]} ~ {versions[1].annotators[0]}" if apart else ""
            )
        return tuple(out)

    @cached_property
    def form(self) -> tuple[str, ...]:
        """The surface form, where there is a text: cards of the same form may be settled together."""
        out = []
        for i in range(len(self)):
            found = self.passage(i, around=0)
            inside = "" if found is None else " ".join(found[1].split()).casefold()
            out.append(inside if len(inside) <= 80 else "")
        return tuple(out)

    def alike(self, i: int, by: Literal["form", "confusion"]) -> Mask:
        """The cards of the same surface form or the same confusion; none where it has none."""
        keys = self.form if by == "form" else self.confusion
        if not keys[i]:
            return np.zeros(len(self), dtype=bool)
        codes = self._codes[by]
        same: Mask = codes == codes[i]
        return same

    @cached_property
    def _codes(self) -> dict[str, NDArray[np.int64]]:
        return {
            name: np.unique(np.array(keys, dtype=object).astype(str), return_inverse=True)[1]
            for name, keys in (("form", self.form), ("confusion", self.confusion))
        }

    def passage(self, i: int, *, around: int = 300) -> tuple[str, str, str] | None:
        """The text before, within and after the element; for a rating its text."""
        if isinstance(self.data, Ratings):
            text = self.texts.get(self.names[i])
            return None if text is None else ("", text, "")
        place = self.element(i).place
        return passage(self.data, place, self.texts, around=around) if place else None

    def differ(self, first: str, second: str) -> Mask:
        """Where these two annotators differ."""
        out = np.zeros(len(self), dtype=bool)
        for i in np.flatnonzero(self.disputed):
            holds = {
                a: k for k, v in enumerate(self.element(int(i)).versions) for a in v.annotators
            }
            out[i] = first in holds and second in holds and holds[first] != holds[second]
        return out


def deck_of(reference: Reference, names: Sequence[str], texts: Mapping[str, str]) -> Deck:
    """The deck of a reference that was built without decisions; `names` are the identities."""
    if isinstance(reference, ItemReference):
        return _of_ratings(reference, texts)
    assert isinstance(reference, PlacedReference)
    if isinstance(reference.data, Boxes):
        raise UsageError(NO_BOXES)
    rows, elements = reference.considered, reference.elements
    confidence = np.array([r["confidence"] for r in rows], dtype=np.float64)

    begins: dict[tuple[str, Any], str] = {}
    for row in rows:
        if "mention" in row and row["kept"]:
            begins.setdefault((row["document"], row["entity"]), row["mention"])

    def propose(i: int) -> Value:
        row = rows[i]
        if "mention" in row and row["kept"]:
            return begins[row["document"], row["entity"]]
        return proposal(row)

    return Deck(
        data=reference.data,
        names=tuple(names),
        documents=tuple(e.document for e in elements),
        confidence=confidence,
        gain=1 - confidence,
        disorder=np.array([r.get("disorder", 1 - r["confidence"]) for r in rows], dtype=np.float64),
        disputed=np.array([len(e.versions) > 1 for e in elements], dtype=bool),
        confusion=tuple(_confusion(e) for e in elements),
        element=lambda i: elements[i],
        propose=propose,
        texts=texts,
    )


def proposal(row: Mapping[str, Any]) -> Value:
    """What the rule would put there: a unit or a position, or None for nothing."""
    if not row["kept"]:
        return None
    if "position" in row:
        return int(row["position"])
    if "to" in row:
        return str(row["label"])
    return {"start": row["start"], "end": row["end"], "label": row["label"]}


def _of_ratings(reference: ItemReference, texts: Mapping[str, str]) -> Deck:
    data = reference.data
    names = tuple(label_of(item) for item in data.items)
    weight = np.ones(len(names)) if data.weights is None else data.weights
    documents: tuple[str, ...] = ("",) * len(names)
    if data.document is not None:
        documents = tuple(data.documents[d] for d in data.document)
    disputed, confusion = _divided(data)
    return Deck(
        data=data,
        names=names,
        documents=documents,
        confidence=reference.confidence,
        gain=(1 - reference.confidence) * weight,
        disorder=1 - np.nan_to_num(reference.strength),
        disputed=disputed,
        confusion=confusion,
        element=lambda i: rating_element(data, i),
        propose=lambda i: reference.written(i) or None,
        texts=texts,
    )


def _divided(data: Ratings) -> tuple[Mask, tuple[str, ...]]:
    """Where ratings differ, and between which two values mostly."""
    from accord.gold.labels import Labels

    n = len(data.indptr) - 1
    if n * len(data.values) > _MOST_VOTES or not len(data.values):
        first = np.full(n, -1)
        first[data.item[::-1]] = data.code[::-1]
        differs = np.zeros(n, dtype=bool)
        np.logical_or.at(differs, data.item, data.code != first[data.item])
        return differs, ("",) * n
    votes = Labels.of(data).votes()
    disputed: Mask = (votes > 0).sum(axis=1) > 1
    top = np.argsort(-votes, axis=1, kind="stable")[:, :2]
    labels = data.labels
    names = [
        " ~ ".join(sorted((labels[a], labels[b]))) if apart else ""
        for (a, b), apart in zip(
            top.tolist() if top.shape[1] == 2 else [(0, 0)] * n, disputed.tolist(), strict=True
        )
    ]
    return disputed, tuple(names)


def _confusion(element: Element) -> str:
    """The two labels most are divided between; for places, what kind of difference it is."""
    if len(element.versions) < 2:
        return ""
    absent = element.versions[-1].value is None
    if "mention" in element.place:
        return "mention ~ nothing" if absent else "entity"
    labels: dict[str, int] = {}
    for version in element.versions:
        name = _label(version.value) or NOTHING
        labels[name] = labels.get(name, 0) + len(version.annotators)
    if len(labels) == 1:
        return "borders"
    return " ~ ".join(sorted(sorted(labels, key=lambda k: (-labels[k], k))[:2]))


def _label(value: Value) -> str:
    if isinstance(value, Mapping):
        return str(value.get("label") or "no label")
    if value is None:
        return ""
    return "boundary" if isinstance(value, int) else canonical(value)
