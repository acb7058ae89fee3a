"""Rules about how much there is to conclude from: items and documents annotated twice."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding
from accord.audit.reliability import KRIPPENDORFF
from accord.audit.rule import rule
from accord.data import Annotations, Chains, Ratings, Segments
from accord.data.located import Located

#: fewer items than this rated twice carry little, whatever the value
_FEW_ITEMS = 50
_VERY_FEW_ITEMS = 20


@rule(
    "few-pairable",
    looks_for="hardly any item (or no two documents) annotated by two annotators",
    citation=KRIPPENDORFF,
)
def few_pairable(case: Case) -> Finding | None:
    """Most was annotated once, or hardly anything twice."""
    data = case.data
    if len(data.annotators) < 2:
        return None  # undefined-agreement says it
    if not isinstance(data, Ratings):
        seen = viewers(data)
        twice, total, what = int((seen >= 2).sum()), len(seen), "documents"
        if twice / max(1, total) >= 0.1:
            return None
        return Finding(
            severity="caution",
            statement=_counted(twice, total, what, "annotated"),
            evidence={"documents": total, "annotated_twice": twice, "share": twice / max(1, total)},
            advice="Have more documents annotated twice; agreement is known for these alone.",
        )
    times = 1 if data.multiplicity is None else data.multiplicity
    twice = int(((data.per_item >= 2) * times).sum())
    share = twice / max(1, data.n_items)
    if twice >= _FEW_ITEMS and share >= 0.1:
        return None
    return Finding(
        severity="serious" if twice < _VERY_FEW_ITEMS else "caution",
        statement=_counted(twice, data.n_items, "items", "rated"),
        evidence={"items": data.n_items, "rated_twice": twice, "share": share},
        advice="Have more items annotated twice; accord simulate size says how many.",
    )


@rule(
    "few-documents",
    looks_for="agreement known from one document or a handful, which says little about others",
    citation="Cameron & Miller (2015), A practitioner's guide to cluster-robust inference, JHR 50(2)",
)
def few_documents(case: Case) -> Finding | None:
    """Items of one document are alike: what counts is the number of documents."""
    data = case.data
    if len(data.annotators) < 2:
        return None
    if isinstance(data, Ratings):
        if data.document is None or not data.documents:
            return None
        used = len(np.unique(data.document[data.per_item >= 2]))
    else:
        used = int((viewers(data) >= 2).sum())
    if used >= 10 or used == 0:
        return None
    if used == 1:
        severity, says = (
            "caution",
            (
                "Everything that two people annotated is in one document: other documents may give "
                "another value."
            ),
        )
    else:
        severity = "caution" if used < 5 else "note"
        says = (
            f"Agreement is known from {used} documents only, hence a wide interval: other documents may "
            "give another value."
        )
    return Finding(
        severity=severity,  # type: ignore[arg-type]
        statement=says,
        evidence={"documents": used},
        advice="Annotate more documents rather than more of the same ones; ten is a good number.",
    )


def viewers(data: Annotations) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """How many annotators worked on each document."""
    seen = np.zeros(len(data.documents), dtype=np.int64)
    if isinstance(data, Located):
        return data.coverage.sum(axis=1)  # type: ignore[no-any-return]
    if isinstance(data, Segments):
        pairs = list(data.boundaries)
    elif isinstance(data, Chains):
        pairs = list(data.coverage)
    else:
        return seen
    np.add.at(seen, [d for d, _ in pairs], 1)
    return seen


def _counted(twice: int, total: int, what: str, done: str) -> str:
    if twice == total:
        return (
            f"There are {total} {what}: few to conclude from, though all were {done} twice or more."
        )
    if twice == 0:
        return f"None of the {total} {what} was {done} by two annotators."
    return f"Only {twice} of {total} {what} were {done} by two annotators or more."
