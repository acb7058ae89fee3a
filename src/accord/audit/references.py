"""Rules about scoring systems: what a reference is, and what a score is not."""

from __future__ import annotations

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped
from accord.audit.rule import rule
from accord.audit.values import MATHET
from accord.data.roles import is_reference
from accord.errors import some
from accord.registry import find

#: coreference scores that break a property of metrics (all partitions up to six mentions)
_NOT_METRICS = {
    "muc": "triangle inequality and identity of all-singleton partitions",
    "b3": "triangle inequality",
    "ceaf-e": "triangle inequality",
    "conll": "triangle inequality and identity of all-singleton partitions",
    "blanc": "symmetry and triangle inequality",
    "lea": "triangle inequality",
}


@rule(
    "agreement-as-score",
    looks_for="an agreement coefficient meant to score a system",
    citation=f"{MATHET}, §7.1, Table 5",
)
def agreement_as_score(case: Case) -> Finding | None:
    """An agreement coefficient is meant to score a system (Table 5)."""
    if case.measure is None or case.system is None or case.reference is None:
        return None
    record = find(case.measure)
    if not record.chance or record.question != "agree":
        return None
    return Finding(
        severity="serious",
        statement=(
            f"{record.name} corrects for chance with the system's own answers: each system makes half "
            "of its own baseline, and a worse system can come out ahead (κ .143 with 25 % right "
            "answers, κ 0 with 50 %)."
        ),
        evidence={"measure": record.name},
        advice="Score with accuracy, precision and recall; give A_e(reference, reference) as baseline.",
    )


@rule(
    "system-among-humans",
    looks_for="a system counted among the annotators",
    citation=f"{MATHET}, §7.2.2, Table 6",
)
def system_among_humans(case: Case) -> Finding | Skipped | None:
    """A system is counted as one more annotator (Table 6)."""
    among = [name for name in case.systems if name in case.data.annotators]
    unknown = [name for name in case.systems if name not in case.data.annotators]
    if not among:
        return Skipped(f"no annotator is called {some(unknown)}") if unknown else None
    are = "is a system" if len(among) == 1 else "are systems"
    return Finding(
        severity="serious",
        statement=(
            f"{', '.join(among)} {are} counted among the annotators: agreement can rise while a "
            "system is worse than every human (α .495 → .529 with 67 % against 83 %)."
        ),
        evidence={"systems": among, "annotators": list(case.data.annotators)},
        advice="Leave systems out of the agreement; compare them by accord rank or accord alt-test.",
    )


@rule(
    "unvalidated-reference",
    looks_for="a reference made by one of the annotators",
    citation=f"{MATHET}, §7.2.1, Figure 6",
)
def unvalidated_reference(case: Case) -> Finding | None:
    """The reference is one of the annotators (§7.2.1)."""
    roles = case.data.roles
    chosen = None if roles is None else roles.choice.reference
    if chosen is not None and not is_reference(chosen):
        who = chosen
    elif case.reference is None or len(case.reference.annotators) != 1:
        return None
    else:
        who = case.reference.annotators[0]
        if who not in case.data.annotators or case.data is case.reference:
            return None
    return Finding(
        severity="serious",
        statement=(
            f"The reference is the work of one annotator ({who}) whom nothing validates: a score "
            "against it is an agreement with that person, and 100 % would mean imitation."
        ),
        evidence={"reference": who},
        advice="Build the reference from several annotators (accord gold) and adjudicate.",
    )


@rule(
    "not-a-metric",
    looks_for="a coreference score that is not a metric",
    citation="Seed study on coreference metrics, Table 1 (accord falsify --table)",
)
def not_a_metric(case: Case) -> Finding | None:
    """A coreference score that is not a metric: differences between scores are not distances."""
    if case.data.shape != "chains":
        return None
    name = find(case.measure).name if case.measure else "conll"
    if name not in _NOT_METRICS or (case.measure is None and case.system is None):
        return None
    return Finding(
        severity="note",
        statement=(
            f"{name} is not a metric (it breaks {_NOT_METRICS[name]}): two systems close to a third "
            "by this score can be far from each other."
        ),
        evidence={"measure": name, "broken": _NOT_METRICS[name]},
        advice="Report ceaf-m beside it, which is one; accord falsify shows the counterexamples.",
    )
