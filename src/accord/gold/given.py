"""What is settled before any rule runs: known values, human decisions, weights of annotators."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.encode import Codes
from accord.data.label_sets import LabelSets
from accord.data.ratings import label_of
from accord.errors import InputError, some
from accord.gold.labels import Array


def weight_of(data: Ratings, given: Mapping[str, float] | None, start: Array) -> Array:
    """Weight of each annotator: that of correlated groups, times the one given."""
    weight = start.copy()
    if given is not None:
        unknown = [name for name in given if name not in data.annotators]
        if unknown:
            raise InputError(f"weights are given for an unknown annotator {unknown[0]!r}")
        each = np.array([float(given.get(name, 1.0)) for name in data.annotators])
        if np.any(each < 0) or not np.all(np.isfinite(each)):
            raise InputError("the weights of annotators must be numbers from 0")
        weight = weight * each
    return weight


def clamped(data: Ratings, settled: Mapping[str, Any], place: Mapping[str, int]) -> Codes:
    clamp = np.full(len(data.indptr) - 1, -1, dtype=np.int32)
    number = {name: i for i, name in enumerate(data.labels)}
    for item, value in settled.items():
        clamp[place[item]] = number[label_of(value)]
    return clamp


def with_values(data: Ratings, more: Iterable[Any]) -> Ratings:
    """The data with values that only known items or decisions have added to the list."""
    known = set(data.labels)
    extra = sorted({label_of(v) for v in more} - known)
    if not extra:
        return data
    if data.declared:
        raise InputError(
            f"the value {extra[0]!r} is not among the declared {some(list(data.labels))}"
        )
    if data.kind == "numbers":
        try:
            order = np.union1d(data.numbers, [float(v) for v in extra])
        except ValueError:
            raise InputError(
                f"the known value {extra[0]!r} is not a number, the ratings are"
            ) from None
        codes = np.searchsorted(order, data.numbers).astype(np.int32)
        return replace(data.recoded(codes, order.tolist(), "numbers"), declared=False, ordered=True)
    return replace(data, values=(*data.values, *extra), _profiles={})


def as_set(value: Any) -> frozenset[str]:
    if isinstance(value, (set, frozenset, list, tuple)):
        return frozenset(map(str, value))
    return LabelSets().read(str(value))
