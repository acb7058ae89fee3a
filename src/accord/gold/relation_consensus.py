"""Relations: a consensus of links between consensus units, or between given items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from accord.alignment.align import align
from accord.alignment.alignment import Alignment
from accord.data import Relations, Units
from accord.gold.aligned import check_keep, doubts, quality, terms
from accord.gold.decisions.decision import Decision, number
from accord.gold.decisions.element import JOINT, NO_LABEL, Element, versions_of
from accord.gold.decisions.identity import resolve
from accord.gold.decisions.ledger import Ledger
from accord.gold.placed_reference import PlacedReference
from accord.gold.unit_consensus import unit_consensus
from accord.measures.relations.pairs import Judged, Place, groups_of
from accord.result import Row, signature


def relation_consensus(
    data: Relations,
    *,
    name: str = "reference",
    keep: float | None = None,
    undirected: bool = False,
    decisions: Ledger | None = None,
    alignments: Sequence[Alignment] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PlacedReference:
    """Which units are linked, how, and how sure.

    Units are brought together first (:func:`accord.gold.unit_consensus.unit_consensus`; given items are
    what they are). A pair of them is linked when more than `keep` (½) of the annotators who saw the document
    link it and both units are in the consensus; its label (or labels) is the one that most of these give, a
    tie going to the one more frequent in the campaign, and marked. The confidence of a kept relation is the
    share of annotators who link the pair times the share of these who give the label; that of a dropped one
    is the share who do not link it.

    Elements are named ``document:source→target``. A person's decision *(reject)* or *(none)* drops one, a
    label keeps it under that label. `options` are those of :func:`accord.align`.
    """
    check_keep(keep)
    units: PlacedReference | None = None
    if not data.given:
        ends = data.ends_as_units()
        if alignments is None:
            alignments = align(ends, progress=progress, **options)
        units = unit_consensus(
            ends, name=name, keep=0.5 if keep is None else keep, alignments=alignments
        )
    found: list[_Pair] = []
    covered = []
    first = 0
    for document in groups_of(data, alignments):
        covered.append(document.name)
        places = _places(data, document, units, first)
        first += len(document.members)
        found += _pairs(data, document, places, 0.5 if keep is None else keep, undirected)
    return _consensus(
        data, found, covered, name, decisions or Ledger(), units, keep, undirected, options
    )


@dataclass(frozen=True, slots=True)
class _End:
    """An end of the reference: where it is, and whether it is in the consensus of units."""

    place: Place
    kept: bool
    written: str


@dataclass(frozen=True, slots=True)
class _Pair:
    row: dict[str, Any]
    element: Element
    source: _End
    target: _End
    present: tuple[str, ...]


def _places(
    data: Relations, document: Judged, units: PlacedReference | None, first: int
) -> list[_End]:
    """The end that each group of units becomes."""
    if units is None:
        named = {g: place for (_, place), g in document.group.items()}
        return [
            _End(named[g], True, str(data.end(np.array(named[g]))))
            for g in range(len(document.members))
        ]
    rows = units.considered[first : first + len(document.members)]
    return [
        _End((r["start"], r["end"]), bool(r["kept"]), f"{number(r['start'])}-{number(r['end'])}")
        for r in rows
    ]


def _pairs(
    data: Relations, document: Judged, ends: Sequence[_End], keep: float, undirected: bool
) -> list[_Pair]:
    d = data.documents.index(document.name)
    here = data.document.searchsorted([d, d + 1])
    said: dict[tuple[int, int], dict[int, set[str]]] = {}
    frequency: Counter[str] = Counter()
    for i in range(int(here[0]), int(here[1])):
        who = int(data.annotator[i])
        g, h = (
            document.group[who, (float(p[0]), float(p[1]))]
            for p in (data.source[i], data.target[i])
        )
        label = NO_LABEL if data.label[i] < 0 else data.categories[data.label[i]]
        pair = (min(g, h), max(g, h)) if undirected else (g, h)
        said.setdefault(pair, {}).setdefault(who, set()).add(label)
        frequency[label] += 1
    out = []
    used: Counter[str] = Counter()
    everybody = [data.annotators[a] for a in document.annotators]
    for (g, h), told in sorted(said.items()):
        values = {data.annotators[a]: JOINT.join(sorted(labels)) for a, labels in told.items()}
        counts = Counter(values.values())
        top = max(counts.values())
        best = sorted(
            (v for v, n in counts.items() if n == top),
            key=lambda v: (-sum(frequency[x] for x in v.split(JOINT)), v),
        )
        share, support = top / len(values), len(values) / len(everybody)
        source, target = ends[g], ends[h]
        kept = support > keep and source.kept and target.kept
        item = f"{document.name}:{source.written}→{target.written}"
        used[item] += 1
        if used[item] > 1:
            item += f"#{used[item]}"
        row = {
            "item": item,
            "document": document.name,
            "from": source.written,
            "to": target.written,
            "label": best[0],
            "support": len(values),
            "annotators": len(everybody),
            "label_share": share,
            "tie": len(best) > 1,
            "kept": kept,
            "confidence": support * share if kept else 1 - support if support <= keep else 1 - keep,
            "source": "rule",
            "dissent": ";".join(a for a in everybody if (a in values) != kept),
        }
        place = {
            "document": document.name,
            "relation": f"{source.written}→{target.written}",
            "ends": [list(source.place), list(target.place)] if not data.given else [],
        }
        versions = versions_of((a, values.get(a)) for a in everybody)
        element = Element(item=item, document=document.name, place=place, versions=versions)
        out.append(_Pair(row, element, source, target, tuple(values)))
    return out


def _consensus(
    data: Relations,
    found: Sequence[_Pair],
    covered: Sequence[str],
    name: str,
    decisions: Ledger,
    units: PlacedReference | None,
    keep: float | None,
    undirected: bool,
    options: Mapping[str, Any],
) -> PlacedReference:
    elements = tuple(pair.element for pair in found)
    resolution = resolve(elements, decisions)
    rows: list[Row] = []
    kept: list[tuple[str, str, Any, Any, str | None]] = []
    matched: Counter[str] = Counter()
    for i, pair in enumerate(found):
        row = {**pair.row, "item": resolution.names[i]}
        decision = resolution.decision(i)
        if decision is not None:
            _settle(row, decision, pair)
        rows.append(row)
        if row["kept"]:
            matched.update(pair.present)
            for label in str(row["label"]).split(JOINT):
                ends = [e.written if data.given else e.place for e in (pair.source, pair.target)]
                said = None if label == NO_LABEL else label
                kept.append((pair.element.document, name, ends[0], ends[1], said))
    extra = {r[4] for r in kept if r[4] is not None} - set(data.categories)
    reference = Relations.from_rows(
        kept,
        coverage=[(d, name) for d in covered],
        units=None if units is None else _with_ends(units.reference, kept),
        texts=None
        if data.texts is None
        else {d: t for d, t in zip(data.documents, data.texts, strict=True) if t is not None},
        categories=[*data.categories, *sorted(extra)],
        duplicates="first",
    )
    warnings = [*resolution.sentences(elements), *doubts(data, covered, ())]
    lost = sum(1 for p in found if not (p.source.kept and p.target.kept))
    if lost:
        warnings.append(f"{lost} linked pairs have a unit that is not in the consensus of units")
    return PlacedReference(
        method="consensus",
        data=data,
        name=name,
        reference=replace(reference, notes=()),
        considered=tuple(rows),
        elements=elements,
        resolution=resolution,
        alignments=() if units is None else units.alignments,
        annotators=quality(data, reference, covered, matched),
        terms=terms("relations", len(kept), rows),
        warnings=tuple(warnings),
        signature=signature(
            "gold:consensus",
            len(covered),
            keep=f"{0.5 if keep is None else keep:g}",
            undirected="yes" if undirected else None,
            **options,
        ),
    )


def _settle(row: dict[str, Any], decision: Decision, pair: _Pair) -> None:
    """A person's word over the rule's."""
    holds = decision.kind == "label"
    everybody = sorted(a for v in pair.element.versions for a in v.annotators)
    row["dissent"] = ";".join(a for a in everybody if (a in pair.present) != holds)
    if holds and decision.value is not None:
        row["label"] = str(decision.value)
    row |= {"kept": holds, "confidence": 1.0, "source": "human"}


def _with_ends(reference: Any, kept: Sequence[tuple[str, str, Any, Any, str | None]]) -> Units:
    """The consensus units, and those that a person linked all the same."""
    assert isinstance(reference, Units)
    held = {(u.document, u.start, u.end) for u in reference}
    more = {
        (d, who, float(end[0]), float(end[1]), None)
        for d, who, source, target, _ in kept
        for end in (source, target)
        if (d, float(end[0]), float(end[1])) not in held
    }
    if not more:
        return reference
    return Units.from_rows(
        [*(tuple(u) for u in reference), *sorted(more)],  # type: ignore[list-item]
        coverage=reference.seen_pairs(),
        categories=reference.categories,
    )
