"""What to trust, what to change, which measure to use.

Each rule is a small function ``rule(case) -> Finding | None`` in the module of its family; `RULES`
lists them in the order in which their findings are told.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from accord.audit import (
    annotators,
    continuum,
    evidence,
    homogeneity,
    majorities,
    references,
    values,
)
from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.recommendation import Recommendation, recommend
from accord.data import Annotations
from accord.registry import find
from accord.result import Result

__all__ = ["RULES", "Finding", "Recommendation", "audit", "recommend"]

Rule = Callable[[Case], Finding | None]

RULES: tuple[Rule, ...] = (
    continuum.wrong_shape,
    continuum.atomised,
    references.agreement_as_score,
    references.system_among_humans,
    references.unvalidated_reference,
    references.not_a_metric,
    values.ordered_as_nominal,
    values.unused_categories,
    values.skewed_prevalence,
    homogeneity.heterogeneous_documents,
    homogeneity.drift,
    annotators.asymmetric_confusions,
    annotators.annotator_apart,
    evidence.few_pairable,
    evidence.wide_interval,
    continuum.low_coverage,
    majorities.weak_majorities,
    majorities.unanimity_bias,
)

_ORDER = {"serious": 0, "caution": 1, "note": 2}


def audit(
    data: Annotations,
    *,
    reference: Annotations | None = None,
    system: Annotations | None = None,
    measure: str | None = None,
    systems: Sequence[str] = (),
    result: Result | None = None,
    seed: int = 0,
) -> tuple[Finding, ...]:
    """Findings about a campaign, the most serious first; none is a clean bill.

    Parameters
    ----------
    data : the annotators' work
    reference, system : a reference and a system's output to be scored against it
    measure : the measure that is meant to be reported, if already chosen
    systems : annotators of `data` that are systems, not people
    result : the recommended measure with its interval, when it is already known

    >>> import accord
    >>> data = accord.Ratings.from_matrix([list("aaaaaaaaab"), list("aaaaaaaaba")])
    >>> [f.rule for f in audit(data)][:1]
    ['few-pairable']
    """
    if measure is not None:
        find(measure)
    case = Case(
        data=data,
        reference=reference,
        system=system,
        measure=measure,
        systems=tuple(systems),
        seed=seed,
    )
    if result is not None:
        case.know_headline(result)
    found = [finding for rule in RULES if (finding := rule(case)) is not None]
    return tuple(sorted(found, key=lambda f: _ORDER[f.severity]))
