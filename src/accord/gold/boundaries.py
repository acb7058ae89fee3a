"""Segments: a consensus of boundaries, near misses pooled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Segments
from accord.errors import UsageError
from accord.gold.decisions.decision import Decision
from accord.gold.decisions.element import Element, parsed, versions_of
from accord.gold.decisions.identity import resolve
from accord.gold.decisions.ledger import Ledger, Standing
from accord.gold.placed_reference import PlacedReference
from accord.result import signature


def segment_consensus(
    data: Segments,
    *,
    name: str = "reference",
    window: int = 1,
    keep: float = 0.5,
    decisions: Ledger | None = None,
) -> PlacedReference:
    """The segmentation that is nearest to those of all annotators together.

    The boundaries of one document, of all annotators, are pooled into groups: neighbours that lie
    within `window` atoms of the group's median, at most one per annotator. A group of m boundaries
    among n annotators becomes a boundary when m > `keep` × n, at the median of its positions (the
    one more annotators chose, then the lower, when it falls between two). The grouping is the one
    that costs least, found exactly by dynamic programming over the sorted boundaries: a kept group
    costs 1 per annotator without it and d / (`window` + 1) per near miss at distance d, a dropped
    boundary costs 1. With window 0 and keep ½ this is the plain majority vote at each position.

    A boundary that a person decided is named ``document:position``; decided *(none)* or *(reject)* it
    is dropped, decided with a position it moves there. One that annotators moved by `window` + 1 atoms
    at most keeps its decision.
    """
    if window < 0:
        raise UsageError(f"the window must be 0 or more atoms, got {window}")
    if not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    found = [
        pool
        for d in range(len(data.documents))
        for pool in _pools(data, d, window=window, keep=keep)
    ]
    elements = tuple(element for _, element in found)
    resolution = resolve(elements, decisions or Ledger(), near=window + 1)
    place = {name: d for d, name in enumerate(data.documents)}
    rows: list[dict[str, Any]] = []
    held: dict[int, set[int]] = {d: set() for d, _ in data.boundaries}
    lost: list[Standing] = []
    for i, (row, element) in enumerate(found):
        row["item"] = resolution.names[i]
        decision = resolution.decision(i)
        d = place[row["document"]]
        if decision is not None and not _fits(data, d, _decided(decision, row["position"])):
            lost.append(resolution.held[i])
        elif decision is not None:
            row |= {
                "position": _decided(decision, row["position"]),
                "kept": decision.kind == "label",
                "confidence": 1.0,
                "source": "human",
            }
        said = {a for v in element.versions if v.value is not None for a in v.annotators}
        everybody = [a for v in element.versions for a in v.annotators]
        row["dissent"] = ";".join(sorted(a for a in everybody if (a in said) != row["kept"]))
        if row["kept"]:
            held[d].add(row["position"])
        rows.append(row)
    for standing in resolution.added:
        more = _added(data, standing, place, held)
        rows += more
        if not more:
            lost.append(standing)
    resolution = resolution.without(lost)
    boundaries = {(d, 0): np.array(sorted(kept), dtype=np.int64) for d, kept in held.items()}
    reference = replace(
        data, annotators=(name,), boundaries=boundaries, types=None, categories=(), notes=()
    )
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return PlacedReference(
        method="consensus",
        data=data,
        name=name,
        reference=reference,
        considered=tuple(rows),
        elements=elements,
        resolution=resolution,
        terms={
            "boundaries": sum(len(b) for b in boundaries.values()),
            "considered": len(rows),
            "weak": weak,
            "weak_share": weak / len(rows) if rows else 0.0,
        },
        warnings=(
            *(("the types of the boundaries are not part of the consensus",) if data.types else ()),
            *resolution.sentences(elements),
        ),
        signature=signature("gold:consensus", len(boundaries), window=window, keep=keep),
    )


def _pools(
    data: Segments, d: int, *, window: int, keep: float
) -> list[tuple[dict[str, Any], Element]]:
    """The groups of boundaries of one document, as rows and elements."""
    document = data.documents[d]
    who = [a for a in range(len(data.annotators)) if (d, a) in data.boundaries]
    marks = sorted((int(p), a) for a in who for p in set(data.boundaries[d, a].tolist()))
    out = []
    for start, stop in _grouped(marks, len(who), window, keep):
        group = {a: p for p, a in marks[start:stop]}
        position = _median(list(group.values()))
        m, n = len(group), len(who)
        item = f"{document}:{position}"
        row = {
            "item": item,
            "document": document,
            "position": position,
            "support": m,
            "annotators": n,
            "kept": m > keep * n,
            "confidence": max(m, n - m) / n,
            "source": "rule",
        }
        element = Element(
            item=item,
            document=document,
            place={"document": document, "position": position},
            versions=versions_of((data.annotators[a], group.get(a)) for a in who),
        )
        out.append((row, element))
    return out


def _added(
    data: Segments, standing: Standing, place: dict[str, int], held: dict[int, set[int]]
) -> Sequence[dict[str, Any]]:
    """The row of a boundary that a person added."""
    where, decision = parsed(standing.item), standing.in_force
    if where is None or decision is None or decision.kind != "label":
        return ()
    d = place.get(str(where["document"]), -1)
    position = _decided(decision, -1)
    if d not in held or not _fits(data, d, position):
        return ()
    held[d].add(position)
    return (
        {
            "item": standing.item, "document": data.documents[d], "position": position, "support": 0,
            "annotators": 0, "kept": True, "confidence": 1.0, "source": "human", "dissent": "",
        },
    )  # fmt: skip


def _decided(decision: Decision, default: int) -> int:
    """Where a decision puts its boundary."""
    try:
        return int(float(decision.value))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return default


def _fits(data: Segments, d: int, position: int) -> bool:
    return 0 < position < int(data.lengths[d])


def _grouped(
    marks: list[tuple[int, int]], n: int, window: int, keep: float
) -> list[tuple[int, int]]:
    """Runs of the sorted marks, as (start, stop), of least total cost."""
    best = [0.0] + [np.inf] * len(marks)
    back = [0] * (len(marks) + 1)
    for start in range(len(marks)):
        seen: set[int] = set()
        for stop in range(start + 1, len(marks) + 1):
            position, annotator = marks[stop - 1]
            if annotator in seen or position - marks[start][0] > 2 * window:
                break
            seen.add(annotator)
            places = [p for p, _ in marks[start:stop]]
            middle = _median(places)
            if max(places[-1] - middle, middle - places[0]) > window:
                continue
            m = stop - start
            cost = float(m)
            if m > keep * n:
                cost = (n - m) + sum(abs(p - middle) for p in places) / (window + 1)
            if best[start] + cost < best[stop] - 1e-12:
                best[stop], back[stop] = best[start] + cost, start
    runs = []
    stop = len(marks)
    while stop:
        runs.append((back[stop], stop))
        stop = back[stop]
    return runs[::-1]


def _median(places: list[int]) -> int:
    """A median that somebody chose: between two middle ones, the more frequent, then the lower."""
    ordered = sorted(places)
    low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
    return high if places.count(high) > places.count(low) else low
