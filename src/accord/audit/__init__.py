"""Say what to trust, what to change and which measure to use.

A rule is a function of a :class:`Case` made a :class:`Rule` by ``@rule(...)`` in the module of its
family; `RULES` lists them in the order in which their findings are told. Packages add their own by
entry points of the group ``accord.audit``, each naming a rule.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from accord import plugins
from accord.audit import (
    annotators,
    copies,
    dependence,
    evidence,
    homogeneity,
    layout,
    majorities,
    models,
    references,
    relations,
    reliability,
    shape,
    values,
)
from accord.audit.camps import camps
from accord.audit.case import Case
from accord.audit.finding import SEVERITIES, Finding, Findings, Severity, Skipped
from accord.audit.recommendation import Recommendation, recommend
from accord.audit.rule import Rule, rule
from accord.data import Ratings
from accord.data.progress import stepwise
from accord.errors import UsageError
from accord.options import check_draws
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, Sides, takes_sequences
from accord.reading.keywords import KeywordsButSystems
from accord.registry import find
from accord.result import Result
from accord.study import Studies
from accord.verbs import is_verb

__all__ = [
    "RULES",
    "SEVERITIES",
    "Case",
    "Finding",
    "Findings",
    "Recommendation",
    "Rule",
    "Severity",
    "Skipped",
    "audit",
    "recommend",
    "rule",
]

RULES: tuple[Rule, ...] = (
    reliability.undefined_agreement,
    reliability.low_agreement,
    reliability.wide_interval,
    evidence.few_pairable,
    evidence.few_documents,
    shape.wrong_shape,
    shape.atomised,
    relations.one_relation,
    relations.unshared,
    layout.habits_of_place,
    references.agreement_as_score,
    references.system_among_humans,
    references.unvalidated_reference,
    references.not_a_metric,
    values.spelling_variants,
    values.ordered_as_nominal,
    values.numbers_or_names,
    annotators.spammers,
    annotators.guessers,
    dependence.copied_annotators,
    copies.copied_in_part,
    camps,
    models.undeclared_models,
    dependence.correlated_models,
    models.model_follows_person,
    annotators.annotator_apart,
    annotators.asymmetric_confusions,
    homogeneity.heterogeneous_documents,
    homogeneity.drift,
    shape.unknown_coverage,
    shape.different_mentions,
    shape.low_coverage,
    values.skewed_prevalence,
    values.rare_categories,
    values.unused_categories,
    values.uncorrected_agreement,
    majorities.weak_majorities,
    majorities.unanimity_bias,
)

#: rules that take longer than the others: about how many times as long
_EFFORT: Mapping[str, int] = {
    homogeneity.heterogeneous_documents.name: 40,
    dependence.copied_annotators.name: 20,
}


@takes_sequences()
@refuses_other_kinds
def audit(
    data: Given,
    *,
    reference: Given | None = None,
    system: Given | None = None,
    measure: str | None = None,
    systems: Sequence[str] = (),
    result: Result | None = None,
    seed: int = 0,
    studies: Studies | None = None,
    **reading: Unpack[KeywordsButSystems],
) -> Findings:
    """Audit a campaign: the findings, the most serious first; none is a clean bill.

    Parameters
    ----------
    data : the annotators' work: what :func:`accord.read` returns, or what it reads
    reference, system : a reference and a system's output to be scored against it
    measure : the measure that is meant to be reported, if already chosen
    systems : annotators of `data` that are systems, not people
    result : the recommended measure with its interval, when it is already known
    studies : what was computed about the data before, to be used again
    **reading : those of :func:`accord.read`, for what is not read yet

    Returns
    -------
    A tuple of :class:`Finding`, whose attribute ``skipped`` names the rules that could not look.

    >>> import accord
    >>> data = accord.Ratings.from_matrix([list("ababababab"), list("babababaab")])
    >>> audit(data)[0].rule
    'low-agreement'
    """
    if measure is not None:
        find(measure)
    check_draws(seed=seed)
    sides = Sides(reading)
    told = sides.data(data)
    if isinstance(told, Ratings) and told.sums is not None:
        raise UsageError(
            "an audit needs the ratings, and these are sums of numbers that are too many to be counted "
            "or fetched; filter the frame"
        )
    case = Case(
        data=told.fetched() if isinstance(told, Ratings) else told,
        reference=None if reference is None else sides.beside(reference, "reference"),
        system=None if system is None else sides.beside(system, "system"),
        measure=measure,
        systems=tuple(systems),
        seed=seed,
        shared=studies,
    )
    sides.settle("audit")
    if result is not None:
        case.know_headline(result)
    rules = (*RULES, *plugged_in())
    found = [
        said
        for look in stepwise(rules, [_EFFORT.get(one.name, 1) for one in rules])
        if (said := look(case)) is not None
    ]
    return Findings(
        (f for f in found if isinstance(f, Finding)), (s for s in found if isinstance(s, Skipped))
    )


def plugged_in() -> tuple[Rule, ...]:
    """The rules of other packages (entry points of the group ``accord.audit``)."""
    out = []
    for source, found in plugins.plugged_in("accord.audit"):
        if not isinstance(found, Rule):
            raise UsageError(
                f"the audit rule {source} must be made by accord.audit.rule, "
                f"got {type(found).__name__}"
            )
        out.append(found)
    return tuple(out)


is_verb(__name__)
