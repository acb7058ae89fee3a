"""Units: a consensus from the best alignment of each document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.alignment.align import align
from accord.data import Units
from accord.data.choose import some
from accord.errors import UsageError
from accord.gold.consensus import Consensus
from accord.gold.decisions.decision import Decision
from accord.gold.decisions.element import Element, parsed, unit_name, versions_of
from accord.gold.decisions.identity import resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.result import Row, signature

if TYPE_CHECKING:
    from accord.alignment.alignment import Alignment


def unit_consensus(
    data: Units,
    *,
    name: str = "reference",
    keep: float = 0.5,
    max_disorder: float | None = None,
    position: str = "median",
    decisions: Ledger | None = None,
    alignments: Sequence[Alignment] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Consensus:
    """Which units, where, with which label, and how sure, from the alignment of least disorder.

    A unitary alignment in which m of the n annotators of the document take part becomes a unit when
    m > `keep` × n and, if given, its disorder is at most `max_disorder`. It lies at the *median* of
    the starts and of the ends (the lower of two middle ones, so that offsets stay those that somebody
    chose), or where the *medoid* lies, the unit nearest to all others. Its label is the most frequent
    one; a tie goes to the label more frequent in the whole campaign, and is marked. The confidence of
    a kept unit is the share of annotators present times the share of these who gave the label; that
    of a dropped one is the share of annotators absent.

    Elements are named ``document:start-end``. A person's decision *(reject)* or *(none)* drops one, a
    label keeps it under that label, a value with start, end and label puts it there. An element that
    moved keeps its decision; a decision whose element is gone is kept aside, not in the reference.
    `options` are those of :func:`accord.align`; `alignments` are those it gave already.
    """
    if not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    if position not in ("median", "medoid"):
        raise UsageError(f"the position must be median or medoid, got {position!r}")
    if alignments is None:
        alignments = align(data, progress=progress, **options)
    frequency = Counter(data.label[data.label >= 0].tolist())
    found = [
        row
        for alignment in alignments
        for row in _elements(data, alignment, keep, max_disorder, position, frequency)
    ]
    elements = tuple(element for _, element, _ in found)
    resolution = resolve(elements, decisions or Ledger())
    rows: list[dict[str, Any]] = []
    kept: list[tuple[str, str, float, float, str | None]] = []
    matched = Counter[str]()
    lost = []
    for i, (row, element, present) in enumerate(found):
        row["item"] = resolution.names[i]
        decision = resolution.decision(i)
        if decision is not None and not _fits(data, row["document"], decision.value):
            lost.append(resolution.held[i])
        elif decision is not None:
            _settle(row, decision, element, present)
        rows.append(row)
        if row["kept"]:
            kept.append((row["document"], name, row["start"], row["end"], row["label"]))
            matched.update(present)
    covered = [a.document for a in alignments]
    for standing in resolution.added:
        unit = _added(standing, covered, name)
        if unit is None or not _fits(data, unit[0], {"end": unit[3]}):
            lost.append(standing)
        elif standing.in_force is not None and standing.in_force.kind == "label":
            kept.append(unit)
            rows.append(_decided(standing.item, unit))
    resolution = resolution.without(lost)
    reference = Units.from_rows(
        kept,
        lengths={
            d: float(data.lengths[data.documents.index(d)])
            for d in covered
            if np.isfinite(data.lengths[data.documents.index(d)])
        },
        coverage=[(d, name) for d in covered],
        texts=_texts(data),
        categories=_categories(data, kept),
        points=bool(np.any(data.start == data.end)),
    )
    alone = [d for d in data.documents if d not in set(covered)]
    warnings = [f"{a.document}: the alignment is within {a.gap:.3g} of the best" for a in alignments
                if not a.proven]  # fmt: skip
    if alone:
        warnings.append(
            f"{len(alone)} documents seen by fewer than two annotators have no consensus: {some(alone)}"
        )
    warnings.extend(resolution.sentences(elements))
    warnings.extend(_foreign(data, kept))
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return Consensus(
        method="consensus",
        data=data,
        reference=reference,
        rows=tuple(rows),
        elements=elements,
        resolution=resolution,
        alignments=tuple(alignments),
        annotators=_quality(data, covered, matched, Counter(unit[0] for unit in kept)),
        terms={
            "units": len(kept),
            "considered": len(rows),
            "label_ties": sum(r["tie"] for r in rows),
            "weak": weak,
            "weak_share": weak / len(rows) if rows else 0.0,
        },
        warnings=tuple(warnings),
        signature=signature(
            "gold:consensus", len(covered), keep=keep, position=position,
            max_disorder=max_disorder, **options,
        ),
    )  # fmt: skip


def _elements(
    data: Units,
    alignment: Alignment,
    keep: float,
    max_disorder: float | None,
    position: str,
    frequency: Counter[int],
) -> list[tuple[dict[str, Any], Element, list[str]]]:
    """Each unitary alignment of a document: its row, its element, who takes part."""
    out = []
    used = Counter[str]()
    n = len(alignment.annotators)
    for members, disorder in alignment:
        inside = members[members >= 0]
        present = [alignment.annotators[a] for a in np.flatnonzero(members >= 0)]
        start, end = _place(data, inside, position)
        code, share, tie = _label(data, inside, frequency)
        m = len(inside)
        holds = m > keep * n and (max_disorder is None or disorder <= max_disorder)
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
            "confidence": m / n * share if holds else 1 - m / n,
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


def _settle(
    row: dict[str, Any], decision: Decision, element: Element, present: Sequence[str]
) -> None:
    """A person's word over the rule's."""
    holds = decision.kind == "label"
    everybody = sorted(a for v in element.versions for a in v.annotators)
    row["dissent"] = ";".join(a for a in everybody if (a in present) != holds)
    if holds:
        value = decision.value
        if isinstance(value, Mapping):
            row["start"], row["end"] = float(value["start"] or 0), float(value["end"] or 0)
            value = value.get("label")
        row["label"] = None if value is None else str(value)
    row |= {"kept": holds, "confidence": 1.0, "source": "human"}


def _added(
    standing: Standing, covered: Sequence[str], name: str
) -> tuple[str, str, float, float, str | None] | None:
    """The unit that a person added."""
    decision = standing.in_force
    place = parsed(standing.item)
    if place is None or str(place["document"]) not in covered or decision is None:
        return None
    if isinstance(decision.value, Mapping):
        place = {**place, **decision.value}
        label = place.get("label")
    else:
        label = decision.value
    said = None if label is None else str(label)
    return str(place["document"]), name, float(place["start"]), float(place["end"]), said


def _fits(data: Units, document: str, value: Any) -> bool:
    """Whether a decided unit lies within its document as it is now."""
    if not isinstance(value, Mapping):
        return True
    length = float(data.lengths[data.documents.index(document)])
    return not np.isfinite(length) or float(value["end"] or 0) <= length


def _foreign(
    data: Units, kept: Sequence[tuple[str, str, float, float, str | None]]
) -> tuple[str, ...]:
    """Labels that only decisions have: perhaps the annotators' were renamed since."""
    extra = sorted({label for *_, label in kept if label is not None} - set(data.categories))
    if not extra:
        return ()
    return (
        f"decisions use labels that no annotator uses now: {some(extra)}; were labels renamed?",
    )


def _decided(item: str, unit: tuple[str, str, float, float, str | None]) -> dict[str, Any]:
    document, _, start, end, label = unit
    return {
        "item": item, "document": document, "start": start, "end": end, "label": label,
        "support": 0, "annotators": 0, "label_share": 0.0, "tie": False, "disorder": 0.0,
        "kept": True, "confidence": 1.0, "source": "human", "dissent": "",
    }  # fmt: skip


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


def _label(data: Units, inside: Any, frequency: Counter[int]) -> tuple[int, float, bool]:
    counts = Counter(data.label[inside].tolist())
    top = max(counts.values())
    best = [code for code, count in counts.items() if count == top]
    chosen = min(best, key=lambda code: (-frequency.get(code, 0), code))
    return chosen, top / len(inside), len(best) > 1


def _texts(data: Units) -> dict[str, str] | None:
    if data.texts is None:
        return None
    return {d: t for d, t in zip(data.documents, data.texts, strict=True) if t is not None}


def _categories(data: Units, kept: list[tuple[str, str, float, float, str | None]]) -> list[str]:
    """The campaign's categories, and any that a person added."""
    extra = {label for *_, label in kept if label is not None} - set(data.categories)
    return [*data.categories, *sorted(extra)]


def _quality(
    data: Units, covered: list[str], matched: Counter[str], kept: Counter[str]
) -> tuple[Row, ...]:
    """How each annotator's units meet the consensus: precision, and recall where they saw it."""
    where = np.isin(np.array(data.documents)[data.document] if len(data) else [], covered)
    rows = []
    for a, who in enumerate(data.annotators):
        given = int(np.sum(where & (data.annotator == a)))
        asked = sum(kept[name] for d, name in enumerate(data.documents) if data.coverage[d, a])
        rows.append(
            {
                "annotator": who,
                "n": given,
                "matched": matched[who],
                "precision": matched[who] / given if given else np.nan,
                "recall": matched[who] / asked if asked else np.nan,
            }
        )
    return tuple(rows)
