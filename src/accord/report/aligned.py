"""The best alignment of what a measure aligned, under the options that both take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.alignment.align import align
from accord.alignment.alignment import Alignment
from accord.data import Boxes, Units


def aligned(data: Units | Boxes, options: Mapping[str, Any]) -> tuple[Alignment, ...]:
    """Align every document; what γ aligned stays with the data and is not computed again."""
    import inspect

    known = inspect.signature(align).parameters
    found: tuple[Alignment, ...] = align(data, **{k: v for k, v in options.items() if k in known})
    return found
