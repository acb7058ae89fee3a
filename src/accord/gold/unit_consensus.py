"""Units: a consensus from the best alignment of each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.alignment.align import align
from accord.data import Units
from accord.errors import UsageError
from accord.gold.aligned import Belief, belief_of, check_keep, doubts, quality, terms, verdict
from accord.gold.decisions.element import Element, unit_name, versions_of
from accord.gold.decisions.ledger import Ledger
from accord.gold.placed_reference import PlacedReference
from accord.gold.unit_reference import Candidate, settle
from accord.result import signature

if TYPE_CHECKING:
    from accord.alignment.alignment import Alignment


def unit_consensus(
    data: Units,
    *,
    name: str = "reference",
    keep: float | None = None,
    max_disorder: float | None = None,
    position: str = "median",
    decisions: Ledger | None = None,
    alignments: Sequence[Alignment] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PlacedReference:
    """Which units, where, with which label, and how sure, from the alignment of least disorder.

    A unitary alignment becomes a unit when it is more likely real than not by a model of who misses
    and who invents units (:func:`accord.gold.presence.presence`); or, with `keep`, when m > `keep` × n
    of the n annotators of the document take part (½ when there are fewer than fifty to learn from).
    If given, its disorder must be at most `max_disorder`. It lies at the *median* of
    the starts and of the ends (the lower of two middle ones, so that offsets stay those that somebody
    chose), or where the *medoid* lies, the unit nearest to all others. Its label is the most frequent
    one; a tie goes to the annotators who find more, then to the label more frequent in the whole
    campaign, and is marked. The confidence of a kept unit is the probability that it is real (the
    share of annotators present, with `keep`) times the share of these who gave the label; that of a
    dropped one is the probability that it is not.

    Elements are named ``document:start-end``. A person's decision *(reject)* or *(none)* drops one, a
    label keeps it under that label, a value with start, end and label puts it there. An element that
    moved keeps its decision; a decision whose element is gone is kept aside, not in the reference.
    `options` are those of :func:`accord.align`; `alignments` are those it gave already.
    """
    check_keep(keep)
    if position not in ("median", "medoid"):
        raise UsageError(f"the position must be median or medoid, got {position!r}")
    if alignments is None:
        alignments = align(data, progress=progress, **options)
    belief = belief_of(data, alignments, keep)
    found: list[Candidate] = []
    for alignment in alignments:
        found += _elements(data, alignment, belief, len(found), max_disorder, position)
    covered = [a.document for a in alignments]
    settled = settle(data, found, covered, name, decisions or Ledger())
    rows = settled.rows
    return PlacedReference(
        method="consensus",
        data=data,
        name=name,
        reference=settled.reference,
        considered=rows,
        elements=settled.elements,
        resolution=settled.resolution,
        alignments=tuple(alignments),
        annotators=quality(data, settled.reference, covered, settled.matched, belief),
        terms=terms("units", len(settled.reference), rows),
        warnings=(*doubts(data, covered, alignments), *settled.warnings),
        signature=signature(
            "gold:consensus", len(covered), keep=belief.rule, position=position,
            max_disorder=max_disorder, **options,
        ),
    )  # fmt: skip


def _elements(
    data: Units,
    alignment: Alignment,
    belief: Belief,
    first: int,
    max_disorder: float | None,
    position: str,
) -> list[Candidate]:
    """Each unitary alignment of a document: its row, its element, who takes part."""
    out = []
    used = Counter[str]()
    for i, (members, disorder) in enumerate(alignment):
        start, end = _place(data, members[members >= 0], position)
        found = verdict(data, alignment, members, disorder, belief, first + i, max_disorder)
        item = unit_name(alignment.document, start, end)
        used[item] += 1
        if used[item] > 1:
            item += f"#{used[item]}"
        row = {
            "item": item,
            "document": alignment.document,
            "start": start,
            "end": end,
            **found.columns,
        }
        place = {"document": alignment.document, "start": start, "end": end, "label": found.label}
        versions = versions_of(
            (who, _value(data, int(unit)))
            for who, unit in zip(alignment.annotators, members, strict=True)
        )
        element = Element(item=item, document=alignment.document, place=place, versions=versions)
        out.append((row, element, list(found.present)))
    return out


def _value(data: Units, unit: int) -> dict[str, Any] | None:
    if unit < 0:
        return None
    code = int(data.label[unit])
    return {
        "start": float(data.start[unit]),
        "end": float(data.end[unit]),
        "label": None if code < 0 else data.categories[code],
    }


def _place(data: Units, inside: Any, position: str) -> tuple[float, float]:
    starts, ends = data.start[inside], data.end[inside]
    if position == "median":
        middle = (len(inside) - 1) // 2
        start, end = float(np.sort(starts)[middle]), float(np.sort(ends)[middle])
        if start < end or (start == end and np.all(starts == ends)):
            return start, end
        # medians of scattered units can cross; the medoid cannot
    far = np.abs(starts[:, None] - starts) + np.abs(ends[:, None] - ends)
    best = int(np.argmin(far.sum(axis=1)))
    return float(starts[best]), float(ends[best])
