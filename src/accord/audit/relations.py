"""Rules about relations: schemes that nothing can be rearranged in, and units that nobody shares."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding, percent
from accord.audit.rule import rule
from accord.data import Relations
from accord.errors import AccordError
from accord.measures.relations.pairs import judged

#: share of documents from which on a scheme is one of single relations
_MOSTLY = 0.5
#: share of relations on unshared units from which on it is said
_MANY = 0.05


@rule(
    "one-relation-per-document",
    looks_for="schemes in which annotators have one relation a document: chance has nothing to rearrange",
    citation="Mathet et al. 2015, §5, on chance that keeps what annotators do",
    shapes=("relations",),
)
def one_relation(case: Case) -> Finding | None:
    """Documents in which some annotator has one relation pull relation-gamma to 0."""
    data = case.data
    if not isinstance(data, Relations) or not len(data):
        return None
    people = len(data.annotators)
    counts = np.bincount(
        data.document.astype(np.int64) * people + data.annotator,
        minlength=len(data.documents) * people,
    ).reshape(-1, people)
    used = counts.sum(axis=1) > 0
    single = ((counts == 1) & data.coverage).any(axis=1)[used]
    share = float(single.mean()) if len(single) else 0.0
    if share < _MOSTLY:
        return None
    severe = bool((counts < 2).all())
    return Finding(
        severity="serious" if severe else "caution",
        statement=f"In {int(single.sum())} of {len(single)} documents an annotator has one relation: "
        "chance by rearranged ends is what was observed there, and relation-gamma is pulled to 0.",
        evidence={"documents": int(single.sum()), "of": len(single), "share": share},
        advice="Give the units and draw chance from them (accord agree --units FILE --chance units), or make "
        "longer documents.",
    )


@rule(
    "units-nobody-shares",
    looks_for="relations with an end that no other annotator marked: these disagree about units, not links",
    citation="Hripcsak & Rothschild 2005, JAMIA 12(3)",
    shapes=("relations",),
)
def unshared(case: Case) -> Finding | None:
    """Relations whose ends nobody else marked vanish from α and cannot be agreed on."""
    data = case.data
    if not isinstance(data, Relations) or data.given or len(data.annotators) < 2 or not len(data):
        return None
    try:
        lost = sum(document.left_out for document in judged(data, undirected=False))
    except AccordError:
        return None
    share = lost / len(data)
    if share < _MANY:
        return None
    return Finding(
        severity="serious" if share >= 0.3 else "caution",
        statement=f"{lost} of {len(data)} relations ({percent(share)}) have an end that no other annotator "
        "marked.",
        evidence={"relations": lost, "of": len(data), "share": share},
        advice="Agree on the units first (report gamma of the units), then on the relations between them; "
        "relation-alpha leaves these relations out.",
    )
