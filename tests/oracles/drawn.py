"""Aligned units made by hand, for the tests of the drawings."""

from __future__ import annotations

import numpy as np

from accord.alignment.alignment import Alignment
from accord.data import Units


def aligned(
    *,
    documents: int = 1,
    groups: int = 8,
    annotators: int = 3,
    categories: int = 3,
    text: bool = False,
    seed: int = 0,
) -> tuple[Units, tuple[Alignment, ...]]:
    """Groups of units around common places; some annotators miss some, some differ in label."""
    rng = np.random.default_rng(seed)
    rows: list[tuple[str, str, float, float, str]] = []
    group_of: dict[tuple[str, str, float], int] = {}
    for d in range(documents):
        for k in range(groups):
            place, size = 20 * k + int(rng.integers(0, 5)), int(rng.integers(6, 12))
            label = int(rng.integers(categories))
            who = np.flatnonzero(rng.random(annotators) < 0.8)
            for a in who if len(who) else [0]:
                start = place + int(rng.integers(0, 3))
                own = label if rng.random() < 0.8 else int(rng.integers(categories))
                rows.append((f"text {d + 1}", f"annotator {a + 1}", start, start + size, f"c{own}"))
                group_of[f"text {d + 1}", f"annotator {a + 1}", start] = k
    names = sorted({r[0] for r in rows})
    texts = dict.fromkeys(names, ("some words to mark " * (groups + 2))[: 20 * groups + 20])
    units = Units.from_rows(
        rows,
        lengths=dict.fromkeys(names, 20.0 * groups + 20),
        texts=texts if text else None,
        coverage=[(n, f"annotator {a + 1}") for n in names for a in range(annotators)],
    )
    members = {name: np.full((groups, annotators), -1, dtype=np.int64) for name in units.documents}
    for i, unit in enumerate(units):
        k = group_of[unit.document, unit.annotator, unit.start]
        members[unit.document][k, units.annotators.index(unit.annotator)] = i
    found = []
    for name in units.documents:
        table = members[name]
        disorders = 1 - (table >= 0).mean(axis=1)
        total = float(disorders.sum())
        found.append(
            Alignment(
                document=name,
                annotators=units.annotators,
                members=table,
                disorders=disorders,
                disorder=total,
                bound=total,
                method="exact",
                objective="gamma",
            )
        )
    return units, tuple(found)
