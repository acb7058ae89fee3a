"""What people added to the annotators' elements: cards of their own, after the others in the queue."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from accord.adjudication.queue import Filter
from accord.data.context import passage
from accord.errors import InputError
from accord.gold.decisions import Decision, Element, Store
from accord.gold.decisions.element import Version, is_added

if TYPE_CHECKING:
    from accord.adjudication.campaign import Campaign


def chosen(store: Store, names: Iterable[str], status: str, wanted: Filter) -> list[str]:
    """The added items of this status that a filter lets through, as they stand in the documents."""
    if status not in ("decided", "conflict", "all") or wanted.between or wanted.confusion:
        return []
    found = []
    for name in names:
        standing = store.ledger.standing(name)
        there = standing.in_force
        words = f"{name}\n{there.value if there is not None else ''}".casefold()
        if (
            (there is not None or status == "conflict")
            and (status != "conflict" or standing.conflict)
            and (wanted.document is None or name.startswith(wanted.document + ":+"))
            and (wanted.category is None or (there and _label(there) == wanted.category))
            and (not wanted.search or wanted.search.casefold() in words)
        ):
            found.append(name)
    return sorted(found, key=by_place)


def card(campaign: Campaign, name: str) -> dict[str, Any]:
    """A card with the decision that made it, and no annotator's version."""
    about = element(campaign.store, name)
    standing = campaign.store.ledger.standing(name)
    there = standing.in_force
    found = passage(campaign.data, about.place, campaign.deck.texts)
    context = (
        None if found is None else dict(zip(("before", "inside", "after"), found, strict=True))
    )
    return {
        "id": name,
        "shape": campaign.data.shape,
        "document": about.document,
        "place": dict(about.place),
        "proposal": about.versions[0].value if about.versions else None,
        "confidence": 1.0,
        "gain": 0.0,
        "disputed": False,
        "confusion": "",
        "added": True,
        "versions": [],
        "decision": None if there is None else there.to_dict(),
        "rivals": [r.to_dict() for r in standing.rivals],
        "history": [d.to_dict() for d in standing.history],
        "status": "conflict" if standing.conflict else "open" if there is None else "decided",
        "changed": False,
        "flagged": name in campaign.store.flagged,
        "double": False,
        "remarks": campaign.remarks(name),
        "context": context,
        "similar": {"form": "", "confusion": "", "same_form": 0, "same_confusion": 0},
    }


def element(store: Store, name: str) -> Element:
    """Where an added item is, by the last decision that says so."""
    if name not in store.ledger or not is_added(name):
        raise InputError(f"there is no item {name!r}")
    made = [d for d in store.ledger.standing(name).history if d.kind == "label"]
    value = made[-1].value if made else None
    document = name.rpartition(":+")[0]
    place: dict[str, Any] = {"document": document}
    if isinstance(value, dict):
        place |= {"start": value["start"], "end": value["end"]}
    elif isinstance(value, int | float):
        place["position"] = value
    versions = () if value is None else (Version(value=value, annotators=()),)
    return Element(item=name, document=document, place=place, versions=versions)


def by_place(name: str) -> tuple[str, float, str]:
    """Added items in the order of the documents.

    >>> sorted(["d:+40-44", "d:+7-13"], key=by_place)
    ['d:+7-13', 'd:+40-44']
    """
    document, _, place = name.rpartition(":+")
    try:
        return document, float(place.partition("-")[0]), name
    except ValueError:
        return document, 0.0, name


def _label(decision: Decision) -> str | None:
    value = decision.value
    return value.get("label") if isinstance(value, dict) else None
