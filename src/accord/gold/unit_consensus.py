"""Units: a consensus from the best alignment of each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.align import align
from accord.data import Boxes, Units
from accord.data.choose import some
from accord.errors import UsageError
from accord.gold.consensus import Consensus
from accord.gold.decisions.element import Element, unit_name, versions_of
from accord.gold.decisions.ledger import Ledger
from accord.gold.presence import presence
from accord.gold.unit_reference import Candidate, Settled, settle
from accord.result import Row, signature

if TYPE_CHECKING:
    from accord.alignment.alignment import Alignment

#: unitary alignments from which who misses and who invents can be learnt
_ENOUGH = 50


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
) -> Consensus:
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
    if keep is not None and not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
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
    alone = [d for d in data.documents if d not in set(covered)]
    warnings = [f"{a.document}: the alignment is within {a.gap:.3g} of the best" for a in alignments
                if not a.proven]  # fmt: skip
    if alone:
        warnings.append(
            f"{len(alone)} documents seen by fewer than two annotators have no consensus: {some(alone)}"
        )
    warnings.extend(settled.warnings)
    rows = settled.rows
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return Consensus(
        method="consensus",
        data=data,
        reference=settled.reference,
        rows=rows,
        elements=settled.elements,
        resolution=settled.resolution,
        alignments=tuple(alignments),
        annotators=_quality(data, covered, settled, belief),
        terms={
            "units": len(settled.reference),
            "considered": len(rows),
            "label_ties": sum(r["tie"] for r in rows),
            "weak": weak,
            "weak_share": weak / len(rows) if rows else 0.0,
        },
        warnings=tuple(warnings),
        signature=signature(
            "gold:consensus", len(covered), keep=belief.rule, position=position,
            max_disorder=max_disorder, **options,
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """How likely each unitary alignment is real, and what decides ties of labels."""

    rule: str
    probability: NDArray[np.float64]
    #: how often each annotator finds what is real
    found: NDArray[np.float64]
    invented: NDArray[np.float64] | None
    #: how often each label occurs in the campaign
    frequency: Counter[int]


def belief_of(data: Units | Boxes, alignments: Sequence[Alignment], keep: float | None) -> Belief:
    """What the groups themselves say about who misses and who invents."""
    number = {name: a for a, name in enumerate(data.annotators)}
    rows = sum(len(alignment) for alignment in alignments)
    marks = np.full((rows, len(number)), -1, dtype=np.int8)
    i = 0
    for alignment in alignments:
        columns = [number[name] for name in alignment.annotators]
        for members, _ in alignment:
            marks[i, columns] = members >= 0
            i += 1
    frequency = Counter(data.label[data.label >= 0].tolist())
    if keep is None and rows >= _ENOUGH:
        known = presence(marks)
        return Belief("model", known.probability, known.found, known.invented, frequency)
    share = (marks == 1).sum(axis=1) / np.maximum((marks >= 0).sum(axis=1), 1)
    rule = 0.5 if keep is None else keep
    # a share at the rule is dropped; scaled so that what is kept lies above one half
    above = np.where(share > rule, np.maximum(share, np.nextafter(0.5, 1)), np.minimum(share, 0.5))
    return Belief(f"{rule:g}", above, np.ones(len(number)), None, frequency)


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
    n = len(alignment.annotators)
    for i, (members, disorder) in enumerate(alignment):
        inside = members[members >= 0]
        present = [alignment.annotators[a] for a in np.flatnonzero(members >= 0)]
        start, end = _place(data, inside, position)
        code, share, tie = label_of_group(data, inside, belief)
        m = len(inside)
        p = float(belief.probability[first + i])
        real = p if belief.rule == "model" else m / n
        holds = p > 0.5 and (max_disorder is None or disorder <= max_disorder)
        item = unit_name(alignment.document, start, end)
        used[item] += 1
        if used[item] > 1:
            item += f"#{used[item]}"
        label = None if code < 0 else data.categories[code]
        row = {
            "item": item,
            "document": alignment.document,
            "start": start,
            "end": end,
            "label": label,
            "support": m,
            "annotators": n,
            "label_share": share,
            "tie": tie,
            "disorder": float(disorder),
            "kept": holds,
            "confidence": real * share if holds else 1 - real,
            "source": "rule",
            "dissent": ";".join(a for a in alignment.annotators if (a in present) != holds),
        }
        place = {"document": alignment.document, "start": start, "end": end, "label": label}
        versions = versions_of(
            (who, _value(data, int(unit)))
            for who, unit in zip(alignment.annotators, members, strict=True)
        )
        element = Element(item=item, document=alignment.document, place=place, versions=versions)
        out.append((row, element, present))
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


def label_of_group(data: Units | Boxes, inside: Any, belief: Belief) -> tuple[int, float, bool]:
    """The label of a group by vote, the share that gave it, and whether it was a tie."""
    counts = Counter(data.label[inside].tolist())
    top = max(counts.values())
    best = [code for code, count in counts.items() if count == top]
    worth = Counter[int]()
    for unit in inside.tolist():
        worth[int(data.label[unit])] += float(belief.found[data.annotator[unit]])  # type: ignore[assignment]
    chosen = min(best, key=lambda code: (-worth[code], -belief.frequency.get(code, 0), code))
    return chosen, top / len(inside), len(best) > 1


def _quality(data: Units, covered: list[str], settled: Settled, belief: Belief) -> tuple[Row, ...]:
    """How each annotator's units meet the consensus: precision, and recall where they saw it."""
    where = np.isin(np.array(data.documents)[data.document] if len(data) else [], covered)
    rows: list[dict[str, Any]] = []
    for a, who in enumerate(data.annotators):
        given = int(np.sum(where & (data.annotator == a)))
        asked = settled.asked(data, a)
        rows.append(
            {
                "annotator": who,
                "n": given,
                "matched": settled.matched[who],
                "precision": settled.matched[who] / given if given else np.nan,
                "recall": settled.matched[who] / asked if asked else np.nan,
            }
        )
        if belief.invented is not None:
            rows[-1] |= {"finds": float(belief.found[a]), "invents": float(belief.invented[a])}
    return tuple(rows)
