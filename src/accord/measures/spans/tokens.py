"""F-measure of the matter marked: tokens, characters or time, label by label."""

from __future__ import annotations

import numpy as np

from accord.data import Units
from accord.errors import UsageError
from accord.measures.spans.counts import Average, Counts, summarise
from accord.measures.spans.errors import Analysis
from accord.measures.spans.options import ATOM, AVERAGE, MISSING_DOCUMENTS
from accord.measures.spans.sides import Both, Floats, Index, Missing, Side, pair_up
from accord.measures.spans.touching import touching
from accord.registry import measure
from accord.result import Result


@measure(
    "token-f1",
    title="F-measure of the tokens (characters, time) marked with each label",
    usual=True,
    shape="units",
    question="score",
    citation="van Rijsbergen 1979; Da San Martino et al. 2020 for character spans",
    range=(0.0, 1.0),
    aliases=("character-f1", "duration-f1"),
    use="How much of the text is marked rightly; long spans weigh more, and cutting one span in "
    "two costs nothing.",
    options=(ATOM, AVERAGE, MISSING_DOCUMENTS),
)
def token_f1(
    reference: Units,
    system: Units,
    *,
    atom: float | None,
    average: Average,
    missing_documents: Missing,
) -> Result:
    """F-measure of marked matter: lengths shared by spans of the same label.

    ::

        P = COR/ACT, R = COR/POS, lengths in the unit of the offsets (tokens, characters, seconds)

    Overlapping spans of one label on one side count once; matter under two labels counts for each.
    With an `atom`, whole atoms of that size count, each by whether the span covers its middle.

    >>> ref = Units.from_rows([("d", "r", 0, 4, "PER")])
    >>> sys = Units.from_rows([("d", "s", 2, 6, "PER")])
    >>> print(token_f1(ref, sys))
    token-f1 = 0.5000
    """
    both = pair_up(reference, system, missing_documents=missing_documents)
    D, L = len(both.documents), len(both.labels)
    if atom is not None and not atom > 0:
        raise UsageError(f"the atom must be greater than 0, got {atom}")
    reference_, system_ = (
        _joined(_in_atoms(side, atom), L) for side in (both.reference, both.system)
    )
    flat = Both(
        documents=both.documents,
        labels=both.labels,
        reference=reference_,
        system=system_,
        integral=both.integral,
        warnings=both.warnings,
    )
    pairs = touching(flat)
    shared = np.zeros((D * L, 3))
    shared[:, 0] = np.bincount(
        reference_.document[pairs.first], weights=pairs.shared, minlength=D * L
    )
    cells = shared.reshape(D, L, 3)
    return summarise(
        "token-f1",
        both,
        Counts(
            outcomes=cells.sum(axis=1),
            by_label=cells,
            POS=_lengths(reference_, D, L),
            ACT=_lengths(system_, D, L),
        ),
        average=average,
        options={"match": "length", "atom": atom},
        by=Analysis(both).breakdowns(),
    )


def _in_atoms(side: Side, atom: float | None) -> Side:
    """Spans of atoms: those whose middle the span covers; spans that cover none are left out."""
    if atom is None:
        return side
    start, end = (np.ceil(x / atom - 0.5) for x in (side.start, side.end))
    kept = end > start
    return Side(
        document=side.document[kept], start=start[kept], end=end[kept], label=side.label[kept]
    )


def _joined(side: Side, labels: int) -> Side:
    """Spans of one document and label that overlap or touch become one; `document` is the pair."""
    group: Index = side.document * labels + side.label
    order = np.lexsort((side.end, side.start, group))
    group, start, end = group[order], side.start[order], side.end[order]
    if not len(group):
        return Side(document=group, start=start, end=end, label=group)
    # the furthest end so far within the group: ranks keep groups apart
    rank = np.argsort(np.argsort(end, kind="stable"), kind="stable")
    reach = np.maximum.accumulate(rank + group * len(group)) - group * len(group)
    furthest = np.sort(end)[reach]
    fresh = np.concatenate([[True], (group[1:] != group[:-1]) | (start[1:] > furthest[:-1])])
    first = np.flatnonzero(fresh)
    last = np.concatenate([first[1:], [len(group)]]) - 1
    return Side(
        document=group[first],
        start=start[first],
        end=furthest[last],
        label=np.zeros(len(first), dtype=np.int64),
    )


def _lengths(side: Side, D: int, L: int) -> Floats:
    total = np.bincount(side.document, weights=side.length, minlength=D * L)
    out: Floats = total.astype(np.float64).reshape(D, L)
    return out
