"""Several comparisons at once: Holm's correction."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Each p-value corrected for the whole family; None stays None and does not count.

    The smallest is multiplied by their number m, the next by m − 1, and so on; none may be smaller
    than the one before it (Holm 1979). The chance of one false alarm or more stays at the level.

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    known = sorted((value, i) for i, value in enumerate(p) if value is not None)
    corrected: list[float | None] = [None] * len(p)
    largest = 0.0
    for place, (value, i) in enumerate(known):
        largest = max(largest, min(1.0, value * (len(known) - place)))
        corrected[i] = largest
    return corrected
