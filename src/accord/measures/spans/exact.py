"""F-measures of spans: the same bounds and label, or the same label and some overlap."""

from __future__ import annotations

import numpy as np

from accord.data import Units
from accord.measures.spans.counts import Average, Matched, tabulate
from accord.measures.spans.errors import Analysis
from accord.measures.spans.options import AVERAGE, MISSING_DOCUMENTS, TOLERANCE
from accord.measures.spans.sides import Missing, pair_up
from accord.measures.spans.touching import choose, identical, touching
from accord.registry import measure
from accord.result import Result


@measure(
    "f1",
    title="F-measure of spans with the same bounds and label",
    usual=True,
    shape="units",
    question="score",
    citation="Tjong Kim Sang & De Meulder 2003, CoNLL",
    range=(0.0, 1.0),
    aliases=("span-f1", "exact-f1", "conlleval", "seqeval"),
    use="The usual score of named entities; a span off by one counts as missed and as spurious. Use "
    "semeval-partial or ser to see near misses, tolerance for time data.",
    options=(TOLERANCE, AVERAGE, MISSING_DOCUMENTS),
)
def f1(
    reference: Units,
    system: Units,
    *,
    tolerance: float,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure of spans that are right in bounds and label.

    ::

        P = COR/ACT, R = COR/POS, F = 2·COR/(POS + ACT)

    COR correct spans, POS spans of the reference, ACT spans of the system. With a `tolerance`, each
    bound may be off by that much, and spans are matched one to one, as many as possible. `average`:
    micro over all spans, macro or weighted over labels. A precision without any system span is 0,
    as conlleval and seqeval say.

    >>> ref = Units.from_rows([("d", "ref", 0, 2, "PER"), ("d", "ref", 5, 6, "LOC")])
    >>> sys = Units.from_rows([("d", "sys", 0, 2, "PER"), ("d", "sys", 4, 6, "LOC")])
    >>> result = f1(ref, sys)
    >>> print(result, result.by["errors"][0]["error"])
    f1 = 0.5000 wrong boundary
    >>> print(f1(ref, sys, tolerance=1))
    f1 = 1.0000
    """
    both = pair_up(reference, system, missing_documents=missing_documents)
    if tolerance == 0:
        first, second = identical(both)
    else:
        pairs = touching(both, tolerance=tolerance)
        pairs = pairs.where(pairs.same_bounds & pairs.same_label)
        best = choose(pairs)
        first, second = pairs.first[best], pairs.second[best]
    return tabulate(
        "f1",
        both,
        Matched(first=first, second=second, outcome=np.zeros(len(first), dtype=np.int64)),
        average=average,
        options={"match": "exact", "tolerance": tolerance or None},
        by=Analysis(both, tolerance=tolerance).breakdowns(),
    )


@measure(
    "overlap-f1",
    title="F-measure of spans with the same label that overlap",
    usual=True,
    shape="units",
    question="score",
    citation="Chinchor & Sundheim 1993, MUC-5; matching one to one and optimal here",
    range=(0.0, 1.0),
    aliases=("lenient-f1",),
    use="When finding the place matters and its bounds do not; a system that marks everything as one "
    "span gains little, because spans are matched one to one.",
    options=(AVERAGE, MISSING_DOCUMENTS),
)
def overlap_f1(
    reference: Units,
    system: Units,
    *,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure of spans that overlap one of the same label, matched one to one.

    ::

        P = COR/ACT, R = COR/POS, COR the greatest number of pairs that can be matched

    >>> ref = Units.from_rows([("d", "ref", 0, 4, "PER"), ("d", "ref", 5, 9, "PER")])
    >>> sys = Units.from_rows([("d", "sys", 1, 9, "PER")])
    >>> result = overlap_f1(ref, sys)
    >>> print(result, result.terms["P"], result.terms["R"])
    overlap-f1 = 0.6667 1.0 0.5
    """
    both = pair_up(reference, system, missing_documents=missing_documents)
    pairs = touching(both)
    pairs = pairs.where(pairs.same_label)
    best = choose(pairs)
    return tabulate(
        "overlap-f1",
        both,
        Matched(
            first=pairs.first[best],
            second=pairs.second[best],
            outcome=np.zeros(len(best), dtype=np.int64),
        ),
        average=average,
        options={"match": "overlap"},
        by=Analysis(both).breakdowns(),
    )
