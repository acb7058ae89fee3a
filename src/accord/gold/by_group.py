"""A reference of each group of annotators: what one part of the people says where the others differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from accord.data import Annotations
from accord.data.join import joined
from accord.errors import InputError, some
from accord.gold import Reference, gold
from accord.gold.item_reference import ItemReference
from accord.result import Row


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GroupReferences:
    """The reference of each group, by name; the groups in the order in which they were given."""

    references: Mapping[str, Reference]
    #: group → its annotators
    members: Mapping[str, tuple[str, ...]]
    warnings: tuple[str, ...] = ()

    def together(self) -> Annotations:
        """All references as one campaign, whose annotators are the groups."""
        return joined([found.alone() for found in self.references.values()])

    def differing(self) -> list[Row]:
        """Items (of ratings) on which the groups' references differ, with the value of each."""
        values: dict[object, dict[str, object]] = {}
        for name, found in self.references.items():
            if not isinstance(found, ItemReference):
                return []
            for row in found.rows():
                values.setdefault(row["item"], {})[name] = row["value"]
        return [
            {"item": item, **given}
            for item, given in values.items()
            if len({str(v) for v in given.values() if v not in (None, "")}) > 1
        ]

    def to_dict(self) -> dict[str, Any]:
        return {
            "groups": [
                {
                    "group": name,
                    "annotators": list(self.members[name]),
                    "reference": found.to_dict(),
                }
                for name, found in self.references.items()
            ],
            "differing": self.differing(),
            "warnings": list(self.warnings),
        }


def group_references(
    data: Annotations, group_of: Mapping[str, str], method: str | None = None, **options: Any
) -> GroupReferences:
    """The reference of each group of annotators, by the same method.

    `group_of` gives the group of each annotator; who has none is left out and named. `options` are those
    of :func:`accord.gold`.

    >>> from accord.data import Ratings
    >>> data = Ratings.from_matrix([list("aabb"), list("aabb"), list("abbb"), list("abbb")])
    >>> found = group_references(data, {"A1": "young", "A2": "young", "A3": "old", "A4": "old"})
    >>> found.differing()
    [{'item': '2', 'young': 'a', 'old': 'b'}]
    """
    left = [a for a in data.annotators if a not in group_of]
    members: dict[str, list[str]] = {}
    for annotator in data.annotators:
        if annotator in group_of:
            members.setdefault(group_of[annotator], []).append(annotator)
    if not members:
        raise InputError(f"no annotator has a group; the annotators are {some(data.annotators)}")
    warnings = [f"annotators without a group are left out: {some(left)}"] if left else []
    references: dict[str, Reference] = {}
    for name, who in members.items():
        if len(who) == 1:
            warnings.append(f"group {name!r} is one annotator, {who[0]}: its reference is theirs")
        found = gold(data.select(annotators=who), method, name=name, **options)
        references[name] = found
        warnings += [f"{name}: {w}" for w in found.warnings]
    return GroupReferences(
        references=references,
        members={name: tuple(who) for name, who in members.items()},
        warnings=tuple(warnings),
    )
