"""What annotators say of units beyond place and label: relations, events, attributes, notes, gaps.

One carrier for every format, in brat's terms: units have names, and everything else refers to units,
relations and events by name. Readers of exports fill it (:class:`accord.formats.export.Export`),
writers take from it what their format can hold, and `accord convert` lists what it cannot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from accord.data.units import Unit, Units

Kind = Literal[
    "unit", "relation", "event", "attribute", "normalisation", "note", "equivalence", "line"
]

#: what brat calls a remark on a unit; a feature of this name is one in formats that have no remarks
NOTE = "AnnotatorNotes"
_PREFIX: Mapping[Kind, str] = {
    "unit": "T",
    "relation": "R",
    "event": "E",
    "attribute": "A",
    "normalisation": "N",
    "note": "#",
    "equivalence": "*",
    "line": "#",
}
_NAME = re.compile(r"[TREAMN#]\d+|\*")


class Statement(NamedTuple):
    """One thing said, under a name of its own within an annotator's document."""

    name: str
    kind: Kind
    #: the label of a unit, the type of a relation or event, the name of an attribute
    label: str = ""
    #: (role, name of what it is about); the trigger of an event has the role ""
    targets: tuple[tuple[str, str], ...] = ()
    #: the value of an attribute or normalisation, the text of a note
    value: str = ""
    #: where a unit is: one place, or the fragments of a discontinuous one
    places: tuple[tuple[float, float], ...] = ()
    #: the layer it belongs to, where an export has several of relations
    layer: str = ""

    @property
    def hull(self) -> tuple[float, float]:
        """From the first to the last character of a unit."""
        return min(s for s, _ in self.places), max(e for _, e in self.places)


Said = Mapping[tuple[str, str], tuple[Statement, ...]]


def matched(
    rows: Sequence[Unit], said: Sequence[Statement]
) -> tuple[list[Statement | None], list[Statement], int]:
    """The statement of each unit, what stands of the others, and how many fall with missing units.

    >>> from accord.data.units import Unit
    >>> t = Statement("T1", "unit", "x", places=((0, 4),))
    >>> r = Statement("R1", "relation", "y", (("Arg1", "T1"), ("Arg2", "T2")))
    >>> matched([Unit("d", "A", 0, 4, "x")], [t, r])[1:]
    ([], 1)
    """
    waiting: dict[tuple[float, float, str], list[Statement]] = {}
    others = []
    for one in said:
        if one.kind == "unit":
            waiting.setdefault((*one.hull, one.label), []).append(one)
        else:
            others.append(one)
    for held in waiting.values():
        held.reverse()
    found: list[Statement | None] = []
    for row in rows:
        known = waiting.get((row.start, row.end, row.label or ""))
        found.append(known.pop() if known else None)
    standing = supported(others, {one.name for one in found if one is not None})
    return found, standing, len(others) - len(standing)


def supported(others: Sequence[Statement], names: set[str]) -> list[Statement]:
    """Those whose targets are all there: units of these names, or others of the list."""
    standing = list(others)
    while True:
        known = names | {one.name for one in standing}
        left = [one for one in standing if all(name in known for _, name in one.targets)]
        if len(left) == len(standing):
            return left
        standing = left


def numbered(said: Iterable[Statement]) -> tuple[Statement, ...]:
    """The same statements under names as brat gives them (T1, R1 …), where they have others."""
    listed = list(said)
    taken = {one.name for one in listed if _fits(one)}
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    own: list[str] = []
    for one in listed:
        name = one.name
        if not _fits(one):
            prefix = _PREFIX[one.kind]
            while name == one.name or name in taken:
                counts[prefix] += 1
                name = f"{prefix}{counts[prefix]}"
            taken.add(name)
            if one.name:
                names.setdefault(one.name, name)
        own.append(name)
    return tuple(
        one._replace(name=name, targets=tuple((role, names.get(t, t)) for role, t in one.targets))
        for one, name in zip(listed, own, strict=True)
    )


def _fits(one: Statement) -> bool:
    if _NAME.fullmatch(one.name) is None:
        return False
    return one.name[0] == _PREFIX[one.kind] or one.kind in ("attribute", "line")


def unsaid(before: Units, after: Units) -> list[str]:
    """What the second no longer says of the first's units, one sentence per matter."""
    found = []
    first, second = (_contents(units, roles=True) for units in (before, after))
    gone = first - second
    plain = _contents(before, roles=False) - _contents(after, roles=False)
    kinds = Counter(str(content[0]) for content in plain.elements())
    gaps = kinds.pop("unit", 0)
    if kinds:
        listed = ", ".join(f"{n} {_NAMES[kind]}" for kind, n in sorted(kinds.items()))
        found.append(f"{kinds.total()} statements about units are not kept: {listed}")
    roles = gone.total() - plain.total()
    if roles > 0:
        found.append(f"the names of the arguments (roles) of {roles} relation(s) are not kept")
    if gaps:
        found.append(f"the gaps in {gaps} discontinuous unit(s) are not kept")
    return found


_NAMES: Mapping[str, str] = {
    "relation": "relations",
    "event": "events",
    "attribute": "attributes",
    "normalisation": "normalisations",
    "note": "notes",
    "equivalence": "equivalences",
    "line": "other lines",
}


def _contents(units: Units, *, roles: bool) -> Counter[tuple[object, ...]]:
    """What is said whatever its names: each reference as the place and label that it leads to."""
    rows: dict[tuple[str, str], list[Unit]] = {}
    for unit in units:
        if (unit.document, unit.annotator) in units.statements:
            rows.setdefault((unit.document, unit.annotator), []).append(unit)
    found: Counter[tuple[object, ...]] = Counter()
    for key, said in units.statements.items():
        known, others, _ = matched(rows.get(key, []), said)
        leads: dict[str, tuple[object, ...]] = {}
        for one in known:
            if one is not None:
                leads[one.name] = (*one.hull, one.label)
                if len(one.places) > 1:
                    found["unit", key, one.places, one.label] += 1
        named = {one.name: one for one in others}
        for one in others:
            found[_content(one, key, leads, named, roles, 4)] += 1
    return found


def _content(
    one: Statement,
    key: tuple[str, str],
    leads: Mapping[str, tuple[object, ...]],
    named: Mapping[str, Statement],
    roles: bool,
    depth: int,
) -> tuple[object, ...]:
    about: list[tuple[object, ...]] = []
    for role, name in one.targets:
        shown = role if roles or one.kind != "relation" else ""
        if name in leads:
            about.append((shown, *leads[name]))
        elif name in named and depth:
            about.append((shown, *_content(named[name], key, leads, named, roles, depth - 1)))
    if one.kind == "equivalence":
        about.sort(key=repr)
    # an attribute that is there or not says "true" where a format wants a value
    value = one.value or ("true" if one.kind == "attribute" else "")
    return (one.kind, key, one.label, tuple(about), value)


def by_features(name: str, features: Mapping[str, str]) -> Iterator[Statement]:
    """One attribute per feature; one that is there or not has no value."""
    for feature, value in features.items():
        if feature == NOTE:
            yield Statement("", "note", NOTE, (("", name),), value)
        else:
            held = "" if value == "true" else value
            yield Statement("", "attribute", feature, (("", name),), held)
