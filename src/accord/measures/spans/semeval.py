"""The four schemes of SemEval-2013 task 9."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data import Units
from accord.measures.spans.counts import (
    CORRECT,
    INCORRECT,
    PARTIAL,
    Average,
    Matched,
    tabulate,
)
from accord.measures.spans.errors import Analysis
from accord.measures.spans.options import AVERAGE, MISSING_DOCUMENTS, TOLERANCE
from accord.measures.spans.sides import Both, Missing, pair_up
from accord.measures.spans.touching import Touching, choose, touching
from accord.registry import measure
from accord.result import Result

_CITATION = "Segura-Bedmar, Martínez & Herrero-Zazo 2013, SemEval task 9; Chinchor & Sundheim 1993"
SCHEMES = ("strict", "exact", "partial", "type")
_RECORD: dict[str, Any] = {
    "shape": "units",
    "question": "score",
    "citation": _CITATION,
    "range": (0.0, 1.0),
}


@measure(
    "semeval-strict",
    title="SemEval-2013 strict: bounds and label",
    use="Bounds and label must both be right; near misses are counted as INC.",
    **_RECORD,
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def semeval_strict(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure where a span is correct if bounds and label are right.

    ::

        P = COR/ACT, R = COR/POS, POS = COR+INC+PAR+MIS, ACT = COR+INC+PAR+SPU

    An overlapping pair that is not correct is INC. Spans are matched one to one so that the score
    is the greatest possible, whatever the order of the input; between equals the most pairs.

    >>> ref = Units.from_rows([("d", "r", 0, 2, "PER"), ("d", "r", 5, 6, "LOC")])
    >>> sys = Units.from_rows([("d", "s", 0, 2, "PER"), ("d", "s", 4, 6, "ORG")])
    >>> for scheme in semeval(ref, sys):
    ...     t = scheme.terms
    ...     print(scheme.measure, t["COR"], t["INC"], t["PAR"], t["MIS"], t["SPU"], t["F"])
    semeval-strict 1 1 0 0 0 0.5
    semeval-exact 1 1 0 0 0 0.5
    semeval-partial 1 0 1 0 0 0.75
    semeval-type 1 1 0 0 0 0.5

    Deviations: nervaluate matches greedily in the order of the input.
    """
    return _one("strict", reference, system, tolerance, average, missing_documents)


@measure(
    "semeval-exact",
    title="SemEval-2013 exact: bounds whatever the label",
    use="How well bounds are found, labels ignored.",
    **_RECORD,
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def semeval_exact(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure where a span is correct if its bounds are right, whatever the label.

    P = COR/ACT, R = COR/POS; see :func:`semeval_strict`.
    """
    return _one("exact", reference, system, tolerance, average, missing_documents)


@measure(
    "semeval-partial",
    title="SemEval-2013 partial: half credit for overlap, whatever the label",
    use="How well places are found: right bounds 1, overlapping ½, labels ignored.",
    **_RECORD,
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def semeval_partial(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure where right bounds count 1 and an overlap ½ (PAR), whatever the label.

    P = (COR + ½PAR)/ACT, R = (COR + ½PAR)/POS; see :func:`semeval_strict`.
    """
    return _one("partial", reference, system, tolerance, average, missing_documents)


@measure(
    "semeval-type",
    title="SemEval-2013 type: label and some overlap",
    use="How well labels are found: some overlap and the right label.",
    **_RECORD,
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def semeval_type(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure where a span is correct if it overlaps one with its label.

    P = (COR + ½PAR)/ACT, R = (COR + ½PAR)/POS, PAR = 0; see :func:`semeval_strict`.
    """
    return _one("type", reference, system, tolerance, average, missing_documents)


@measure(
    "semeval",
    several=True,
    title="The four SemEval-2013 schemes at once",
    usual=True,
    use="Strict, exact, partial and type side by side: where the errors lie.",
    **_RECORD,
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def semeval(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> tuple[Result, ...]:
    """The four schemes at once, each with its own best matching; see :func:`semeval_strict`."""
    both = pair_up(reference, system, missing_documents=missing_documents)
    pairs = touching(both, tolerance=tolerance)
    analysis = Analysis(both, tolerance=tolerance)
    return tuple(_scheme(scheme, both, pairs, analysis, tolerance, average) for scheme in SCHEMES)


def _one(
    scheme: str,
    reference: Units,
    system: Units,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    both = pair_up(reference, system, missing_documents=missing_documents)
    pairs = touching(both, tolerance=tolerance)
    analysis = Analysis(both, tolerance=tolerance)
    return _scheme(scheme, both, pairs, analysis, tolerance, average)


def _scheme(
    scheme: str,
    both: Both,
    pairs: Touching,
    analysis: Analysis,
    tolerance: float,
    average: Average,
) -> Result:
    def matched(pairs: Touching) -> Matched:
        correct = {
            "strict": pairs.same_bounds & pairs.same_label,
            "exact": pairs.same_bounds,
            "partial": pairs.same_bounds,
            "type": pairs.same_label,
        }[scheme]
        other = PARTIAL if scheme == "partial" else INCORRECT
        worth = np.where(correct, 2, 1 if scheme == "partial" else 0)
        best = choose(pairs, worth, correct.astype(np.int64))
        return Matched(
            first=pairs.first[best],
            second=pairs.second[best],
            outcome=np.where(correct[best], CORRECT, other),
        )

    return tabulate(
        f"semeval-{scheme}",
        both,
        matched(pairs),
        # the row of a label is the scheme on the spans of that label
        within=matched(pairs.where(pairs.same_label)),
        average=average,
        options={"tolerance": tolerance or None},
        by=analysis.breakdowns(),
    )
