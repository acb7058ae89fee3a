"""What a value on units means, by the reading grids."""

from __future__ import annotations

from collections.abc import Sequence

from accord.data import Annotations
from accord.result import Result


def translations(results: Sequence[Result], data: Annotations) -> list[str]:
    """One sentence per result that a reading grid can translate."""
    if data.shape != "units":
        return []
    from accord.simulate import translate

    sentences = [translate(r, data=data) for r in results if r.undefined is None]
    return [s for s in sentences if s]
