"""A rule of the audit: one record with its name, what it looks for, and the paper behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped
from accord.data.protocol import SHAPES, Shape

#: None: nothing to say, or not a rule for these data
Look = Callable[[Case], Finding | Skipped | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Called with a :class:`Case`, it returns a finding, why it could not look, or None."""

    name: str
    #: the end of the sentence "It looks for …"
    looks_for: str
    citation: str
    look: Look
    shapes: tuple[Shape, ...] = SHAPES
    #: about single annotators: counts of ratings do not tell them apart
    people: bool = False
    #: about single items: equal items that an engine counted do not do
    items: bool = False

    def __call__(self, case: Case) -> Finding | Skipped | None:
        if case.data.shape not in self.shapes:
            return None
        if self.people and getattr(case.data, "anonymous", False):
            return Skipped("these are counts: who gave which rating is not known", rule=self.name)
        if self.items and getattr(case.data, "multiplicity", None) is not None:
            return Skipped("the items were counted and are too many to fetch", rule=self.name)
        found = self.look(case)
        if isinstance(found, Skipped):
            return replace(found, rule=self.name)
        if found is None:
            return None
        return replace(found, rule=self.name, citation=found.citation or self.citation)


def rule(
    name: str,
    *,
    looks_for: str,
    citation: str,
    shapes: tuple[Shape, ...] = SHAPES,
    people: bool = False,
    items: bool = False,
) -> Callable[[Look], Rule]:
    """Make a function of a case into a rule."""

    def make(look: Look) -> Rule:
        return Rule(
            name=name,
            looks_for=looks_for,
            citation=citation,
            look=look,
            shapes=shapes,
            people=people,
            items=items,
        )

    return make
