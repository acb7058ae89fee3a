"""Why an agreement coefficient is no score for a system, and what it is when asked for anyway."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from accord.data import Annotations
from accord.data.join import joined
from accord.errors import RefusedError
from accord.measures import agree
from accord.registry import Measure
from accord.result import Result

_AGAINST_REFERENCE = (
    "{name} is an agreement coefficient: against a reference each system would make half of its own "
    "baseline, so that two systems cannot be compared. In the example of Mathet & Widlöcher (2016, "
    "Table 5) a system with 25 % right answers gets κ = .143 and one with 50 % gets κ = 0"
)
_AMONG_HUMANS = (
    "adding a system to the annotators to see {name} rise says nothing about the system, which would "
    "be judge and party. In the example of Mathet & Widlöcher (2016, Table 6) α rises from .495 to "
    ".503 and .529 with two systems that are right on 67 % of the items where every human is right "
    "on 83 %"
)
_INSTEAD = {
    "ratings": "use accuracy, observed-agreement (the raw part of it) and baseline; "
    "with several judges weighted-accuracy, accord rank or accord alt-test",
    "units": "use f1, overlap-f1 or ser",
    "segments": "use windowdiff, ghd or boundary-similarity",
    "chains": "use conll, lea or b3",
}


def agreement_as_score(
    reference: Annotations, system: Annotations, record: Measure, *, allowed: bool, **options: Any
) -> Any:
    """Refuse, or compute with the warning.

    With one annotator the reference is compared with the system; with several the system joins them,
    and ``terms["without_system"]`` is the agreement of the annotators alone.
    """
    several = len(reference.annotators) > 1
    reason = (_AMONG_HUMANS if several else _AGAINST_REFERENCE).format(name=record.name)
    if not allowed:
        raise RefusedError(
            f"{reason}; {_INSTEAD[reference.shape]}; to compute it all the same, "
            "pass --allow-agreement (allow_agreement=True)"
        )
    found = agree(joined([reference, _renamed(system, reference)]), record.name, **options)
    results = found if isinstance(found, tuple) else (found,)
    alone: Any = None
    if several:
        alone = agree(reference, record.name, **{**options, "ci": None, "by": ()})
    finished = []
    for i, result in enumerate(results):
        without: Result | None = None
        if alone is not None:
            listed = alone if isinstance(alone, tuple) else (alone,)
            without = listed[i] if i < len(listed) else None
        finished.append(
            replace(
                result,
                warnings=(*result.warnings, reason),
                terms=result.terms
                if without is None
                else {**result.terms, "without_system": without.value},
            )
        )
    return tuple(finished) if isinstance(found, tuple) else finished[0]


def _renamed(system: Annotations, reference: Annotations) -> Annotations:
    """The system under a name that no annotator of the reference has."""
    taken = set(reference.annotators)
    names = []
    for name in system.annotators:
        while name in taken:
            name = f"{name} (system)"
        taken.add(name)
        names.append(name)
    return replace(system, annotators=tuple(names))  # type: ignore[type-var]
