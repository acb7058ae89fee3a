"""Decisions on a reference: which may be made, and taking them in from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from accord.data.ratings import label_of
from accord.errors import InputError
from accord.gold.decisions import Decision, Element, Store
from accord.gold.decisions.check import Check
from accord.gold.decisions.exchange import take_in
from accord.gold.decisions.identity import find as moved
from accord.gold.decisions.ratings import rating_element
from accord.gold.item_reference import ItemReference
from accord.gold.placed_reference import PlacedReference
from accord.gold.reference import Reference


def check_of(reference: Reference, *, new_labels: bool = False) -> Check:
    """What a decision on this reference must satisfy before it is stored."""
    if isinstance(reference, ItemReference):
        data = reference.data
        place = {label_of(item): i for i, item in enumerate(data.items)}
        return Check(
            data=data,
            names=tuple(place),
            element=lambda name: rating_element(data, place[name]) if name in place else None,
            new_labels=new_labels,
        )
    assert isinstance(reference, PlacedReference)
    names = reference.resolution.names
    return Check(
        data=reference.data,
        names=names,
        element=_finder(names, reference.elements),
        new_labels=new_labels,
    )


def adjudicate(
    store: Store, decisions: Sequence[Decision], check: Check, *, path: str | None = None
) -> int:
    """Check all decisions, then store those that are new; nothing is stored if one is wrong."""
    good, wrong = [], []
    for decision in decisions:
        try:
            good.append(check(decision))
        except InputError as problem:
            wrong.append(str(problem))
    if wrong:
        more = f" (and {len(wrong) - 1} more such decisions)" if len(wrong) > 1 else ""
        raise InputError(wrong[0] + more + "; nothing was stored", path=path)
    return take_in(store, good)


def _finder(names: Sequence[str], elements: Sequence[Element]) -> Callable[[str], Element | None]:
    """The element of a name, or of a name it had before it moved."""
    place: Mapping[str, int] = {name: i for i, name in enumerate(names)}

    def found(name: str) -> Element | None:
        i = place.get(name)
        if i is None:
            i = moved(elements, [name]).get(name)
        return None if i is None else replace(elements[i], item=names[i])

    return found
