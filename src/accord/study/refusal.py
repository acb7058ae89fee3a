"""Why an agreement coefficient is no score for a system, and what it is when asked for anyway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from accord.data import Annotations
from accord.data.join import joined
from accord.errors import RefusedError
from accord.registry import Measure
from accord.result import Result
from accord.study.choice import check
from accord.study.study import Certainty, MissingBreakdownError, Study

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
    "relations": "use relation-f1",
    "boxes": "use box-f1",
}


def agreement_as_score(
    reference: Annotations,
    system: Annotations,
    record: Measure,
    options: Mapping[str, object],
    certainty: Certainty,
    *,
    allowed: bool,
    by: Sequence[str] = (),
) -> tuple[Result, ...]:
    """Refuse, or compute with the warning.

    With one annotator the reference is compared with the system; with several the system joins them,
    and ``terms["without_system"]`` is the agreement of the annotators alone.
    """
    several = len(reference.annotators) > 1
    reason = (_AMONG_HUMANS if several else _AGAINST_REFERENCE).format(name=record.name)
    if not allowed:
        raise RefusedError(
            f"{reason}; {_INSTEAD[reference.shape]}; to compute it all the same, "
            "pass `allow_agreement=True`"
        )
    check(record, reference.shape, options, question="agree")
    together = joined([reference, _renamed(system, reference)])
    study = Study(record, together, options=options, certainty=certainty)
    try:
        found = study.answer(by)
    except MissingBreakdownError as problem:
        kept = problem.kept
        raise MissingBreakdownError(
            problem.sentence, lambda: _beside(kept(), record, reference, options, reason)
        ) from None
    results = found if isinstance(found, tuple) else (found,)
    return _beside(results, record, reference, options, reason)


def _beside(
    results: tuple[Result, ...],
    record: Measure,
    reference: Annotations,
    options: Mapping[str, object],
    reason: str,
) -> tuple[Result, ...]:
    """The results with why they are refused, and the agreement of several annotators alone."""
    alone: Sequence[Result | None] = [None] * len(results)
    if len(reference.annotators) > 1:
        alone = Study(record, reference, options=options).results
    return tuple(
        replace(
            result,
            warnings=(*result.warnings, reason),
            terms=result.terms
            if without is None
            else {**result.terms, "without_system": without.value},
        )
        for result, without in zip_longest(results, alone[: len(results)])
    )


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
