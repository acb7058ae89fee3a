"""Slot error rate: substitutions, deletions and insertions over the spans to find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from accord.data import Units
from accord.errors import UsageError
from accord.measures.spans.errors import Analysis
from accord.measures.spans.options import MISSING_DOCUMENTS, TOLERANCE, WEIGHTING
from accord.measures.spans.sides import Missing, pair_up
from accord.measures.spans.touching import choose, touching
from accord.registry import measure
from accord.result import Array, Result, Row, Rows, Sample, signature

Weighting = Literal["makhoul", "etape"]


@measure(
    "ser",
    title="Slot error rate",
    shape="units",
    question="score",
    citation="Makhoul, Kubala, Schwartz & Weischedel 1999, DARPA Broadcast News; Galibert et al. "
    "2014 (ETAPE)",
    range=(0.0, float("inf")),
    aliases=("slot-error-rate",),
    similarity=False,
    use="One error rate of entity detection, as in ETAPE and Quaero; unlike F it charges every "
    "insertion and deletion in full. May exceed 1.",
    options=(WEIGHTING, TOLERANCE, MISSING_DOCUMENTS),
)
def ser(
    reference: Units,
    system: Units,
    *,
    weighting: Weighting,
    tolerance: float,
    missing_documents: Missing,
) -> Result:
    """Slot error rate: the cost of the errors over the number of reference spans.

    ::

        makhoul: SER = (S + D + I)/N, N = C + S + D
        etape: SER = (D + I + TB + ½(T + B))/N

    C correct, D missed, I spurious, S any overlapping pair that is not correct; T a wrong label, B a
    wrong boundary, TB both. Spans are matched one to one so that the rate is the least possible.

    >>> ref = Units.from_rows([("d", "r", 0, 2, "PER"), ("d", "r", 5, 6, "LOC")])
    >>> sys = Units.from_rows([("d", "s", 0, 2, "ORG"), ("d", "s", 8, 9, "LOC")])
    >>> print(ser(ref, sys))
    ser = 1.5000
    >>> print(ser(ref, sys, weighting="etape"))
    ser = 1.2500
    """
    if weighting not in ("makhoul", "etape"):
        raise UsageError(f"the weighting must be makhoul or etape, got {weighting!r}")
    both = pair_up(reference, system, missing_documents=missing_documents)
    pairs = touching(both, tolerance=tolerance)
    right = pairs.same_bounds & pairs.same_label
    half = pairs.same_bounds ^ pairs.same_label
    # twice what a pair saves over missing one span and inserting the other, and correct ones first
    saved = np.where(right, 4, np.where(half & (weighting == "etape"), 3, 2))
    best = choose(pairs, saved, right.astype(np.int64))
    kind = np.select(
        [right[best], half[best] & pairs.same_bounds[best], half[best]], [0, 1, 2], default=3
    )
    D = len(both.documents)
    where = both.reference.document[pairs.first[best]]
    tally = np.bincount(where * 4 + kind, minlength=4 * D).reshape(D, 4).astype(np.float64)
    POS = np.bincount(both.reference.document, minlength=D).astype(np.float64)
    ACT = np.bincount(both.system.document, minlength=D).astype(np.float64)
    rows = np.column_stack([tally, POS - tally.sum(1), ACT - tally.sum(1), POS])
    cost = (
        np.array([0.0, 1.0, 1.0, 1.0, 1.0, 1.0])
        if weighting == "makhoul"
        else np.array([0.0, 0.5, 0.5, 1.0, 1.0, 1.0])
    )

    def score(totals: Array) -> Mapping[str, Array]:
        N = totals[:, 6]
        safe = np.where(N == 0, 1, N)
        return {"value": np.where(N == 0, np.nan, totals[:, :6] @ cost / safe)}

    totals = rows.sum(axis=0)
    value = float(score(totals[None, :])["value"][0])
    each = score(rows)["value"] if D else np.empty(0)
    documents: list[Row] = [
        {"document": name, "value": float(v), **_terms(row)}
        for name, v, row in zip(both.documents, each, rows, strict=True)
    ]
    n = int(totals[6])
    analysis = Analysis(both, tolerance=tolerance).breakdowns()
    return Result(
        measure="ser",
        value=value,
        terms=_terms(totals),
        by={
            "document": documents,
            **{k: Rows(make) for k, make in analysis.items()},
        },
        n=n,
        signature=signature("ser", n, weighting=weighting, tolerance=tolerance or None),
        undefined="the reference has no span",
        warnings=both.warnings,
        sample=Sample(
            rows=rows, score=score, keys=both.documents, unit="document", weight=rows[:, 6]
        ),
    )


def _terms(row: Array) -> dict[str, Any]:
    C, T, B, TB, missed, inserted, N = (int(x) for x in row)
    return {
        "C": C,
        "S": T + B + TB,
        "D": missed,
        "I": inserted,
        "N": N,
        "T": T,
        "B": B,
        "TB": TB,
        "COR": C,
        "INC": T + B + TB,
        "PAR": 0,
        "MIS": missed,
        "SPU": inserted,
    }
