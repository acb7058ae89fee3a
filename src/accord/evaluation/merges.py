"""Fewer classes: the same ratings with some values taken as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from accord.data import Ratings
from accord.data.values import is_number
from accord.errors import UsageError, some


def merged(data: Ratings, merges: Mapping[str, Sequence[str]]) -> Ratings:
    """The ratings with the values of each list renamed to its key; others stay.

    >>> r = Ratings.from_matrix([[-2.0, -1.0, 0.0, 2.0]])
    >>> merged(r, {"-1": ["-2", "-1"], "1": ["1", "2"]}).labels
    ('-1', '0', '1')
    """
    new_name: dict[str, str] = {}
    for name, olds in merges.items():
        for old in olds:
            if old in new_name:
                raise UsageError(f"the value {old!r} is merged twice")
            new_name[old] = name
    unknown = [old for old in new_name if old not in data.labels]
    if len(unknown) == len(new_name) and new_name:
        raise UsageError(f"none of the values to merge occurs; the data have {some(data.labels)}")
    names = [new_name.get(label, label) for label in data.labels]
    distinct = list(dict.fromkeys(names))
    if all(is_number(name) for name in distinct):
        numbers = np.unique([float(name) for name in distinct])
        codes = np.searchsorted(numbers, [float(name) for name in names]).astype(np.int32)
        return replace(
            data.recoded(codes, numbers.tolist(), "numbers"), declared=False, ordered=True
        )
    place = {name: i for i, name in enumerate(distinct)}
    codes = np.array([place[name] for name in names], dtype=np.int32)
    # neighbours merged in an ordered scale leave an ordered scale
    ordered = data.ordered and bool(np.all(np.diff(codes) >= 0))
    return replace(
        data.recoded(codes, tuple(distinct), "categories"), declared=False, ordered=ordered
    )


def read_merges(given: Sequence[str] | None) -> dict[str, list[str]]:
    """The words ``NEW=A,B`` as a mapping."""
    merges: dict[str, list[str]] = {}
    for text in given or ():
        name, equals, values = text.partition("=")
        if not equals or not values:
            raise UsageError(f"`merge` must be NEW=A,B, got {text!r}")
        merges[name.strip()] = [v.strip() for v in values.split(",") if v.strip()]
    return merges
