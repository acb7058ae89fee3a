"""Segments: a consensus of boundaries, near misses pooled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Segments
from accord.errors import UsageError
from accord.gold.consensus import Consensus, orphans, unused
from accord.result import signature


def segment_consensus(
    data: Segments,
    *,
    name: str = "reference",
    window: int = 1,
    keep: float = 0.5,
    decisions: Mapping[str, Mapping[str, Any]] | None = None,
) -> Consensus:
    """The segmentation that is nearest to those of all annotators together.

    The boundaries of one document, of all annotators, are pooled into groups: neighbours that lie
    within `window` atoms of the group's median, at most one per annotator. A group of m boundaries
    among n annotators becomes a boundary when m > `keep` × n, at the median of its positions (the
    one more annotators chose, then the lower, when it falls between two). The grouping is the one
    that costs least, found exactly by dynamic programming over the sorted boundaries: a kept group
    costs 1 per annotator without it and d / (`window` + 1) per near miss at distance d, a dropped
    boundary costs 1. With window 0 and keep ½ this is the plain majority vote at each position.

    A boundary that a person decided is named ``document:position``; decided *(none)* or *(reject)* it
    is dropped, decided with a position it moves there.
    """
    if window < 0:
        raise UsageError(f"the window must be 0 or more atoms, got {window}")
    if not 0 <= keep < 1:
        raise UsageError(f"keep must be at least 0 and below 1, got {keep}")
    rows: list[dict[str, Any]] = []
    held: dict[int, set[int]] = {}
    for d, document in enumerate(data.documents):
        who = [a for a in range(len(data.annotators)) if (d, a) in data.boundaries]
        if not who:
            continue
        marks = sorted((int(p), a) for a in who for p in set(data.boundaries[d, a].tolist()))
        kept: set[int] = set()
        for start, stop in _grouped(marks, len(who), window, keep):
            group = marks[start:stop]
            position = _median([p for p, _ in group])
            m, n = len(group), len(who)
            holds = m > keep * n
            item = f"{document}:{position}"
            decision = (decisions or {}).get(item)
            if decision is not None:
                holds = decision["kind"] == "label"
                position = _position(decision["value"], position) if holds else position
            if holds:
                kept.add(position)
            rows.append(
                {
                    "item": item,
                    "document": document,
                    "position": position,
                    "support": m,
                    "annotators": n,
                    "kept": holds,
                    "confidence": 1.0 if decision else max(m, n - m) / n,
                    "source": "human" if decision else "rule",
                    "dissent": ";".join(
                        data.annotators[a] for a in who if (a in {b for _, b in group}) != holds
                    ),
                }
            )
        held[d] = kept
    lost = _apply_orphans(data, decisions or {}, rows, held)
    boundaries = {(d, 0): np.array(sorted(kept), dtype=np.int64) for d, kept in held.items()}
    reference = replace(
        data, annotators=(name,), boundaries=boundaries, types=None, categories=(), notes=()
    )
    weak = sum(r["confidence"] <= 0.5 for r in rows)
    return Consensus(
        method="consensus",
        data=data,
        reference=reference,
        rows=tuple(rows),
        terms={
            "boundaries": sum(len(b) for b in boundaries.values()),
            "considered": len(rows),
            "weak": weak,
            "weak_share": weak / len(rows) if rows else 0.0,
        },
        warnings=(
            *(("the types of the boundaries are not part of the consensus",) if data.types else ()),
            *unused(lost),
        ),
        signature=signature("gold:consensus", len(boundaries), window=window, keep=keep),
    )


def _apply_orphans(
    data: Segments,
    decisions: Mapping[str, Mapping[str, Any]],
    rows: list[dict[str, Any]],
    held: dict[int, set[int]],
) -> list[str]:
    """Keep boundaries that a person decided though no pool gives rise to them now."""
    lost = []
    place = {name: d for d, name in enumerate(data.documents)}
    for item, decision in orphans(decisions, rows).items():
        document, _, text = item.rpartition(":")
        d = place.get(document, -1)
        position = _position(str(decision["value"]), _position(text, -1))
        if d not in held or not 0 < position < int(data.lengths[d]) or decision["kind"] != "label":
            lost.append(item)
            continue
        held[d].add(position)
        rows.append(
            {
                "item": item, "document": document, "position": position, "support": 0,
                "annotators": 0, "kept": True, "confidence": 1.0, "source": "human", "dissent": "",
            }
        )  # fmt: skip
    return lost


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


def _position(text: str, default: int) -> int:
    try:
        return int(text)
    except ValueError:
        return default
