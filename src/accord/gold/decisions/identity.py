"""Which element of the data, as they are now, each earlier decision is about.

Items of ratings are known by their names. Units, boundaries and mentions move when annotators
correct them: they are known by where they were, and matched one to one with what is there now.
Elements that are as they were come first; the others are matched so that as many decisions as
possible find theirs, nearest first (overlap, then label). What finds none is kept aside.
"""

from __future__ import annotations

import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from accord.alignment.matching import best_matching
from accord.errors import some
from accord.gold.decisions.decision import Decision, number
from accord.gold.decisions.element import Element, Place, is_added, parsed
from accord.gold.decisions.ledger import Ledger, Standing

#: more than any sum of overlaps and labels: first as many as possible, then as near as possible
_MATCH = 16.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What became of the decisions on these elements."""

    #: the identity of each element: that of its decisions, or its own name
    names: tuple[str, ...]
    #: element number → its decisions
    held: Mapping[int, Standing] = field(default_factory=dict)
    #: elements that are elsewhere than when they were decided: number → where they were
    moved: Mapping[int, Place] = field(default_factory=dict)
    #: elements whose annotations changed since they were decided
    changed: frozenset[int] = frozenset()
    #: elements that a person added
    added: tuple[Standing, ...] = ()
    #: decisions on what the data no longer have
    aside: tuple[Standing, ...] = ()
    #: what a reader should know of the file of the decisions
    notes: tuple[str, ...] = ()

    def decision(self, i: int) -> Decision | None:
        """The decision in force on element i."""
        standing = self.held.get(i)
        return None if standing is None else standing.in_force

    def without(self, lost: Sequence[Standing]) -> Resolution:
        """These too are kept aside: what they say no longer fits the data."""
        if not lost:
            return self
        return replace(
            self,
            held={i: s for i, s in self.held.items() if s not in lost},
            added=tuple(s for s in self.added if s not in lost),
            aside=(*self.aside, *lost),
        )

    def sentences(self, elements: Sequence[Element]) -> tuple[str, ...]:
        """What a person should know: of the file, what moved, what was put aside, what contradicts."""
        out = [*self.notes]
        if self.moved:
            said = [f"{self.names[i]} is now {_where(elements[i].place)}" for i in self.moved]
            out.append(
                f"{len(said)} decided elements have moved and keep their decisions: {some(said, 3)}"
            )
        if self.changed:
            names = [self.names[i] for i in sorted(self.changed)]
            out.append(
                f"the annotations of {len(names)} decided elements changed since: {some(names, 3)}; "
                "the decisions hold until somebody confirms or replaces them"
            )
        out.extend(aside_sentence([s.item for s in self.aside]))
        rivals = [s.item for s in (*self.held.values(), *self.added) if s.conflict]
        if rivals:
            out.append(
                f"{len(rivals)} elements have decisions that contradict each other: {some(rivals, 3)}; "
                "the first holds until somebody settles it"
            )
        return tuple(out)


def aside_sentence(items: Sequence[str]) -> tuple[str, ...]:
    """A warning that names decisions without an element, when there are some."""
    if not items:
        return ()
    return (
        f"{len(items)} decisions are on elements that do not exist now and are kept aside: "
        f"{some(list(items), 3)}",
    )


def resolve(elements: Sequence[Element], ledger: Ledger, *, near: float = 1.0) -> Resolution:
    """Find the element of each decided item.

    `near` is how far a boundary, or both ends of a unit, may move and still be the same for
    certain; units that overlap by half or more (of what they cover together) are too, and those
    that keep their label and overlap at all.
    """
    if not len(ledger):
        return Resolution(names=tuple(e.item for e in elements), notes=ledger.notes)
    found: dict[int, Standing] = {}
    taken: set[str] = set()
    number_of = {e.item: i for i, e in enumerate(elements)}
    for standing in ledger:
        i = number_of.get(standing.item)
        if i is not None and _unmoved(standing, elements[i]):
            found[i] = standing
            taken.add(standing.item)
    for how in (_near, _overlapping):
        rest = [s for s in ledger if s.item not in taken]
        if not rest:
            break
        pairs = list(_pairs(rest, elements, found, how, near))
        for e in best_matching([p[0] for p in pairs], [p[1] for p in pairs], [p[2] for p in pairs]):
            s, i, _ = pairs[int(e)]
            found[i] = rest[s]
            taken.add(rest[s].item)
    left = [s for s in ledger if s.item not in taken and (s.in_force or s.conflict)]
    return Resolution(
        names=_names(elements, found, ledger),
        held=found,
        notes=ledger.notes,
        moved={
            i: place
            for i, s in sorted(found.items())
            if s.in_force is not None
            and (place := _place(s)) is not None
            and not _same_place(place, elements[i].place)
        },
        changed=frozenset(
            i for i, s in found.items() if s.in_force is not None and _stale(s, elements[i])
        ),
        added=tuple(s for s in left if is_added(s.item)),
        aside=tuple(s for s in left if not is_added(s.item)),
    )


def find(elements: Sequence[Element], names: Iterable[str]) -> dict[str, int]:
    """The elements that bear these names, or did before they moved: name → element number."""
    asked = Ledger(Decision(item=name, kind="none", who="?", id=name) for name in names)
    return {s.item: i for i, s in resolve(elements, asked).held.items()}


def _stale(standing: Standing, element: Element) -> bool:
    known = standing.in_force.digest if standing.in_force is not None else None
    return known is not None and known != element.digest


def _unmoved(standing: Standing, element: Element) -> bool:
    """The same place with the same annotations, or nothing but a name to go by."""
    place = _place(standing)
    last = standing.history[-1].digest
    if "mention" in element.place and "start" not in element.place:
        return True
    return (
        place is None
        or not ({"start", "position"} & set(element.place))
        or (_same_place(place, element.place) and last in (None, element.digest))
    )


def _place(standing: Standing) -> Place | None:
    """Where the element was when it was last decided."""
    for decision in reversed(standing.history):
        if decision.place is not None:
            return decision.place
    return parsed(standing.item)


def _same_place(old: Place, new: Place) -> bool:
    for name in ("start", "end", "position", "label"):
        if name in old and name in new and old[name] != new[name]:
            return False
    return True


def _pairs(
    standings: Sequence[Standing],
    elements: Sequence[Element],
    found: Mapping[int, Standing],
    how: Any,
    near: float,
) -> Iterator[tuple[int, int, float]]:
    """Pairs (standing, element, weight) that may be the same, within each document."""
    by_document: dict[str, list[int]] = defaultdict(list)
    documents = {str(p["document"]) for s in standings if (p := _place(s)) is not None}
    for i, element in enumerate(elements):
        if i not in found and element.document in documents:
            by_document[element.document].append(i)
    sorted_by_start: dict[str, tuple[list[float], list[int], float]] = {}
    for document, members in by_document.items():
        members.sort(key=lambda i: _low(elements[i].place))
        lows = [_low(elements[i].place) for i in members]
        longest = max(
            (_high(elements[i].place) - _low(elements[i].place) for i in members), default=0.0
        )
        sorted_by_start[document] = lows, members, longest
    for s, standing in enumerate(standings):
        old = _place(standing)
        if old is None or str(old["document"]) not in sorted_by_start:
            continue
        lows, members, longest = sorted_by_start[str(old["document"])]
        first = bisect.bisect_left(lows, _low(old) - longest - near - 1)
        last = bisect.bisect_right(lows, _high(old) + near + 1)
        for i in members[first:last]:
            weight = how(old, elements[i].place, near, is_added(standing.item))
            if weight > 0:
                # what is in force goes before what was withdrawn
                yield s, i, weight + (0.5 if standing.in_force is not None else 0.0)


def _near(old: Place, new: Place, near: float, added: bool) -> float:
    """Surely the same: both ends within `near`, or an overlap of half or more."""
    if "position" in new:
        if "position" not in old:
            return 0.0
        moved = abs(float(old["position"]) - float(new["position"]))
        return _MATCH - (moved / near) ** 2 if moved <= near else 0.0
    if "start" not in old or "start" not in new:
        return 0.0
    shift = max(abs(old["start"] - new["start"]), abs(old["end"] - new["end"]))
    same_label = _same_label(old, new)
    if added and not (shift <= near and same_label):
        return 0.0
    share = _overlap(old, new)
    if shift > near and share < 0.5:
        return 0.0
    return _MATCH + share + (0.5 if same_label else 0.0)


def _overlapping(old: Place, new: Place, near: float, added: bool) -> float:
    """Probably the same: the label is, and the two overlap."""
    told = all(name in place for name in ("start", "label") for place in (old, new))
    if added or not told or old["label"] != new["label"]:
        return 0.0
    return _overlap(old, new)


def _same_label(old: Place, new: Place) -> bool:
    return "label" not in old or "label" not in new or old["label"] == new["label"]


def _overlap(old: Place, new: Place) -> float:
    """What both cover, over what they cover together."""
    both = min(old["end"], new["end"]) - max(old["start"], new["start"])
    whole = max(old["end"], new["end"]) - min(old["start"], new["start"])
    if whole == 0:
        return 1.0
    return float(max(0.0, both / whole))


def _low(place: Place) -> float:
    return float(place.get("start", place.get("position", 0.0)))


def _high(place: Place) -> float:
    return float(place.get("end", place.get("position", 0.0)))


def _names(
    elements: Sequence[Element], found: Mapping[int, Standing], ledger: Ledger
) -> tuple[str, ...]:
    """Identities: a new element where a decided one used to be must not take its name."""
    used = {s.item for s in found.values()} | {
        e.item for i, e in enumerate(elements) if i not in found
    }
    names = []
    for i, element in enumerate(elements):
        name = found[i].item if i in found else element.item
        if i not in found and name in ledger:
            base, n = name.partition("#")[0], 2
            while f"{base}#{n}" in used or f"{base}#{n}" in ledger:
                n += 1
            name = f"{base}#{n}"
            used.add(name)
        names.append(name)
    return tuple(names)


def _where(place: Place) -> str:
    if "start" in place:
        return f"{number(place['start'])}-{number(place['end'])}"
    return number(place["position"]) if "position" in place else str(place.get("mention", ""))
