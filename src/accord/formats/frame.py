"""Dataframes of any library, through narwhals; lazy ones are counted by their own engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.choose import some
from accord.data.tables import ratings_from_wide
from accord.data.values import Column
from accord.errors import InputError, UsageError
from accord.formats.format import ReadOptions
from accord.formats.shapes import Table, find_columns, from_table

if TYPE_CHECKING:
    import narwhals as nw

#: annotators and distinct values that a lazy frame may have: more means that counting is no help
_MOST_ANNOTATORS = 64
_MOST_PROFILES = 2_000_000


def read_frame(
    frame: Any, options: ReadOptions, *, path: str | None = None, source: str = "annotator"
) -> Annotations:
    """Read a dataframe. A lazy frame of ratings stays where it is: only counts come back."""
    import narwhals as nw

    try:
        wrapped = nw.from_native(frame)
    except TypeError:
        raise UsageError(
            f"cannot read a {type(frame).__name__}; give a path or a dataframe"
        ) from None
    if isinstance(wrapped, nw.LazyFrame):
        names = wrapped.collect_schema().names()
        table = Table(columns=dict.fromkeys(names, ()), path=path, source=source)
        found = find_columns(table, options)
        if options.wide or ({"item", "annotator", "value"} <= set(found) and "start" not in found):
            return _counted(wrapped, table, found, options)
        wrapped = wrapped.collect()
    columns = {name: _column(wrapped[name]) for name in wrapped.columns}
    return from_table(Table(columns=columns, path=path, source=source), options)


def _column(series: nw.Series[Any]) -> Column:
    """Numbers as an array (null → NaN), anything else as a list."""
    if series.dtype.is_numeric():
        if series.is_null().any():
            return np.array([np.nan if v is None else float(v) for v in series.to_list()])
        array: np.ndarray[Any, Any] = series.to_numpy()
        return array if array.dtype.kind in "iuf" else array.astype(np.float64)
    return [None if v is None or v != v else v for v in series.to_list()]


def _counted(
    frame: nw.LazyFrame[Any], table: Table, found: dict[str, str], options: ReadOptions
) -> Ratings:
    """Ratings whose items are the distinct profiles, each with its number of occurrences.

    The engine pivots (for a long table) and groups; nothing but the counts is collected.
    """
    import narwhals as nw

    if options.wide:
        apart = {found[c] for c in ("item", "document", "time", "weight") if c in found}
        raters = [n for n in table.columns if n not in apart]
        wide = frame.select(*raters)
    else:
        item, who, value = (found[c] for c in ("item", "annotator", "value"))
        names = frame.select(nw.col(who)).unique().collect()[who].to_list()
        if len(names) > _MOST_ANNOTATORS:
            raise InputError(
                f"{len(names)} annotators are too many to count lazily (at most {_MOST_ANNOTATORS})",
                path=table.path,
                hint="collect the frame first",
            )
        if None in names:
            raise InputError("the annotator is empty in some rows", path=table.path)
        names = sorted(names, key=str)
        raters = [str(n) for n in names]
        marked = frame.select(
            nw.col(item).alias("__item"),
            *(
                nw.when(nw.col(who) == n).then(nw.col(value)).alias(f"__v{i}")
                for i, n in enumerate(names)
            ),
        )
        grouped = marked.group_by("__item").agg(
            *(nw.col(f"__v{i}").max().alias(raters[i]) for i in range(len(names))),
            *(nw.col(f"__v{i}").count().alias(f"__n{i}") for i in range(len(names))),
        )
        if options.duplicates == "error":
            most = grouped.select(*(nw.col(f"__n{i}").max() for i in range(len(names)))).collect()
            for i, rater in enumerate(raters):
                if (most[f"__n{i}"].to_list()[0] or 0) > 1:
                    raise InputError(
                        f"annotator {rater!r} rates some item twice",
                        path=table.path,
                        hint="drop the repeats in the frame before reading it",
                    )
        else:
            raise UsageError("a lazy frame cannot resolve duplicates; drop the repeats first")
        wide = grouped.select(*raters)
    counted = wide.group_by(*raters).agg(nw.len().alias("__count")).collect()
    if len(counted) > _MOST_PROFILES:
        raise InputError(
            f"the items fall into {len(counted)} different profiles; counting does not help",
            path=table.path,
            hint="collect the frame first",
        )
    if not len(counted):
        raise InputError("has no rows", path=table.path)
    counts = counted["__count"].to_numpy().astype(np.int64)
    ratings = ratings_from_wide(
        {name: _column(counted[name]) for name in raters},
        kind=options.values,
        categories=options.categories,
        missing=options.missing,
        separator=options.separator,
        path=table.path,
    )
    from dataclasses import replace

    ignored = [c for c in ("document", "time", "weight") if c in found]
    notes = [f"{int(counts.sum())} items counted by the frame's own engine"]
    if ignored:
        notes.append(f"a lazy frame is counted without its {some(ignored)} column")
    return replace(ratings, multiplicity=counts, notes=tuple(notes))
