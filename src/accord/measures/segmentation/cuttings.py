"""Reference and system cuttings side by side: the same documents, the same types of boundaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Segments
from accord.data.segments import Positions
from accord.errors import InputError
from accord.result import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two cuttings of one document; types index `categories`, the same on both sides."""

    document: str
    length: int
    first: Positions
    second: Positions
    first_types: Positions | None = None
    second_types: Positions | None = None


def pair_up(reference: Segments, system: Segments) -> tuple[list[Pair], tuple[str, ...]]:
    """The documents of a reference and a system, and the boundary types of both."""
    who = [
        sole_annotator(side, name) for side, name in ((reference, "reference"), (system, "system"))
    ]
    there = {name: d for d, name in enumerate(system.documents)}
    lost = [d for d in reference.documents if d not in there]
    added = sorted(set(system.documents) - set(reference.documents))
    if lost or added:
        side, name = ("system", lost[0]) if lost else ("reference", added[0])
        raise InputError(
            f"document {name!r} is missing in the {side}",
            hint="both sides must cut the same documents",
        )
    categories = tuple(dict.fromkeys([*reference.categories, *system.categories]))
    pairs = []
    for d, name in enumerate(reference.documents):
        one, two = (d, who[0]), (there[name], who[1])
        lengths = int(reference.lengths[d]), int(system.lengths[two[0]])
        if lengths[0] != lengths[1]:
            raise InputError(
                f"the reference cuts {lengths[0]} atoms of document {name!r}, "
                f"the system {lengths[1]}",
                hint="both sides must cut the same atoms",
            )
        pairs.append(
            Pair(
                document=name,
                length=lengths[0],
                first=reference.boundaries[one],
                second=system.boundaries[two],
                first_types=types_of(reference, one, categories),
                second_types=types_of(system, two, categories),
            )
        )
    return pairs, categories


def sole_annotator(data: Segments, side: str) -> int:
    """The number of the only annotator of one side."""
    if len(data.annotators) != 1:
        raise InputError(
            f"the {side} has {len(data.annotators)} annotators: {', '.join(data.annotators)}",
            hint=f"choose one: {side}.select(annotators=[…])",
        )
    missing = [name for d, name in enumerate(data.documents) if (d, 0) not in data.boundaries]
    if missing:
        raise InputError(f"the {side} does not cut document {missing[0]!r}")
    return 0


def types_of(data: Segments, key: tuple[int, int], categories: Sequence[str]) -> Positions | None:
    """Types of one cutting, numbered by the common list of categories; None when there are none."""
    if not categories:
        return None
    if data.types is None:
        raise InputError(
            "boundaries have types on one side only", hint="give both sides types, or neither"
        )
    number = np.array([categories.index(c) for c in data.categories], dtype=np.int64)
    return number[data.types[key]]


def by_type(
    function: Callable[..., Result],
    reference: Segments,
    system: Segments,
    options: Mapping[str, Any],
) -> dict[str, list[tuple[str, Result]]]:
    """The same measure on the boundaries of each type, and on each level of the hierarchy."""
    categories = tuple(dict.fromkeys([*reference.categories, *system.categories]))
    if reference.types is None or system.types is None or len(categories) < 2:
        return {}
    found = {
        "type": [
            (t, function(_only(reference, t), _only(system, t), **options)) for t in categories
        ]
    }
    if reference.categories == system.categories:
        levels = reference.levels(), system.levels()
        found["level"] = [(t, function(levels[0][t], levels[1][t], **options)) for t in categories]
    return found


def _only(data: Segments, name: str) -> Segments:
    if name in data.categories:
        return data.of_type(name)
    nothing = {k: np.empty(0, dtype=np.int64) for k in data.boundaries}
    return Segments(
        documents=data.documents,
        annotators=data.annotators,
        lengths=data.lengths,
        boundaries=nothing,
    )
