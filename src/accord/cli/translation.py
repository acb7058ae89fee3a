"""What a value on units means: the reading grids, when they are there."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from accord.data import Annotations
from accord.result import Result


def translations(results: Sequence[Result], data: Annotations) -> list[str]:
    """One sentence per result that a reading grid can translate."""
    if data.shape != "units" or find_spec("accord.simulate.translation") is None:
        return []
    from importlib import import_module

    translate = import_module("accord.simulate.translation").translate
    sentences = [translate(r.value, r.measure, data) for r in results if r.undefined is None]
    return [s for s in sentences if s]
