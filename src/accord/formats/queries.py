"""What is asked of an engine, in words that every engine knows (narwhals)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import narwhals as nw

from accord.errors import InputError

#: rows whose items are held at once
_PART = 10_000_000


def profiles(
    marked: nw.LazyFrame[Any], keys: Sequence[str], roles: Mapping[str, str]
) -> nw.LazyFrame[Any]:
    """How many items have each profile: a sum over the rows of an item, then a count of the sums."""
    items = marked.group_by("__item").agg(
        *(nw.col(k).sum() for k in (*keys, "__n")),
        nw.len().alias("__rows"),
        *(nw.col(f"__{role}").max() for role in roles),
        *(nw.col(f"__{role}").min().alias(f"__least_{role}") for role in roles),
        *(nw.col(f"__{role}").count().alias(f"__said_{role}") for role in roles),
    )
    # whether all rows of an item say the same of it is part of what is counted
    one = [
        (
            (nw.col(f"__said_{role}") == 0)
            | (
                (nw.col(f"__{role}") == nw.col(f"__least_{role}"))
                & (nw.col(f"__said_{role}") == nw.col("__rows"))
            )
        ).alias(f"__one_{role}")
        for role in roles
    ]
    told = items.select(
        *(nw.col(k).cast(nw.Int64) for k in (*keys, "__n")),
        *(nw.col(f"__{role}") for role in roles),
        *one,
    )
    groups = [*keys, "__n", *(f"__{role}" for role in roles), *(f"__one_{r}" for r in roles)]
    return told.group_by(*groups).agg(nw.len().alias("__count"))


def case(name: nw.Expr, worth: Mapping[Any, int]) -> nw.Expr:
    """A number for each value of a column, 0 for all others."""
    made: nw.Expr = nw.lit(0)
    for value, number in worth.items():
        made = nw.when(name == value).then(nw.lit(number)).otherwise(made)
    return made


def collected(frame: nw.LazyFrame[Any]) -> nw.DataFrame[Any]:
    """What the engine finds, out of core where it can."""
    streaming: dict[str, Any] = {"engine": "streaming"} if frame.implementation.is_polars() else {}
    try:
        return frame.collect(**streaming)
    except Exception as problem:  # every engine has errors of its own
        first = str(problem).strip().split("\n")[0]
        raise InputError(
            f"the engine ({frame.implementation.name.lower()}) cannot count the frame: {first}"
        ) from None


def in_parts(frame: nw.LazyFrame[Any], item: str, rows: int) -> list[nw.LazyFrame[Any]]:
    """The frame in parts by item, where the engine would hold all its items at once.

    Counts of parts add up, since all rows of an item are in one of them.
    """
    number = -(-rows // _PART)
    if number == 1:
        return [frame]
    native = frame.to_native()
    if frame.implementation.is_polars():
        import polars

        place = polars.col(item).hash(seed=0) % number
        return [nw.from_native(native.filter(place == p)) for p in range(number)]
    if frame.implementation.is_duckdb():
        said = f'hash("{item}") % {number}'
        return [nw.from_native(native.filter(f"{said} = {p}")) for p in range(number)]
    return [frame]
