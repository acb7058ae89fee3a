"""Numbers, text, lists and dicts only: what JSON can hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

#: what JSON can hold
Plain: TypeAlias = "bool | int | float | str | list[Plain] | dict[str, Plain] | None"


def to_plain(value: object) -> Plain:
    """Numbers, text, lists and dicts only, fit for JSON; NaN and infinities become None."""
    if value is None or isinstance(value, (bool, str, int)):
        return value
    if isinstance(value, (np.bool_, np.integer)):
        return value.item()
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, np.ndarray):
        return to_plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(k): to_plain(v) for k, v in value.items()}
    if isinstance(value, Sequence):
        return [to_plain(v) for v in value]
    if isinstance(value, (set, frozenset)):
        return [to_plain(v) for v in sorted(value)]
    return str(value)
