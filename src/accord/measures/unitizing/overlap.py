"""Units of one annotator that overlap, resolved by a stated rule where a measure allows none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from accord.data import Units
from accord.errors import UsageError

#: keep the longer or the shorter of two that overlap
RULES = ("outermost", "innermost")


def without_overlap(units: Units, rule: str, *, by_value: bool = False) -> tuple[Units, int]:
    """The units that are left, and how many had to go.

    *outermost*: the longest units first, a unit that overlaps one already kept is dropped;
    *innermost*: the shortest first. Of equal lengths the earlier is kept, then the first label. With
    `by_value` only units of one label are compared.

    >>> rows = [("d", "A", 0, 9, "x"), ("d", "A", 2, 4, "y"), ("d", "A", 6, 8, "x")]
    >>> for rule in RULES:
    ...     kept, lost = without_overlap(Units.from_rows(rows), rule)
    ...     print([(u.start, u.end) for u in kept], lost)
    [(0.0, 9.0)] 2
    [(2.0, 4.0), (6.0, 8.0)] 1
    """
    if rule not in RULES:
        raise UsageError(f"overlaps must be one of {', '.join(RULES)}, got {rule!r}")
    layer = units.label if by_value else np.zeros_like(units.label)
    length = units.end - units.start
    sign = -1.0 if rule == "outermost" else 1.0
    order = np.lexsort(
        (units.label, units.start, sign * length, layer, units.annotator, units.document)
    )
    kept = np.zeros(len(units), dtype=bool)
    columns = [x[order] for x in (units.document, units.annotator, layer)]
    new = np.zeros(len(order), dtype=bool)
    new[:1] = True
    for column in columns:
        new[1:] |= column[1:] != column[:-1]
    for part in np.split(order, np.flatnonzero(new)[1:]):
        kept[_apart(part, units.start, units.end)] = True
    left = np.flatnonzero(kept)
    lost = len(units) - len(left)
    if not lost:
        return units, 0
    return (
        replace(
            units,
            document=units.document[left],
            annotator=units.annotator[left],
            start=units.start[left],
            end=units.end[left],
            label=units.label[left],
        ),
        lost,
    )


def left_out(lost: int, rule: str) -> tuple[str, ...]:
    """What a reader must know about the units that went."""
    if not lost:
        return ()
    return (
        f"{lost} units overlap another of the same annotator and were left out: only the {rule} count",
    )


def _apart(
    order: NDArray[np.int64], start: NDArray[np.float64], end: NDArray[np.float64]
) -> list[int]:
    """Units taken in this order, each unless it overlaps one taken before."""
    from bisect import bisect_left, insort

    taken: list[tuple[float, float]] = []
    found = []
    for i in order.tolist():
        s, e = float(start[i]), float(end[i])
        place = bisect_left(taken, (s, e))
        before = taken[place - 1][1] if place else -np.inf
        after = taken[place][0] if place < len(taken) else np.inf
        if before <= s and e <= after:
            insort(taken, (s, e))
            found.append(i)
    return found
