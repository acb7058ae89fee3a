"""Dataframes of any library, through narwhals; lazy ones are counted by their own engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.frame import column, declared
from accord.data.probabilities import PREFIX
from accord.data.tables import ratings_from_wide
from accord.data.values import Column
from accord.errors import InputError, UsageError
from accord.formats.columns import find_columns
from accord.formats.distributions import NAMES, with_distributions
from accord.formats.format import ReadOptions
from accord.formats.nesting import refuse_nesting
from accord.formats.shapes import Table, from_table, is_wide
from accord.formats.spelling import missing_words, trimmed
from accord.formats.wide import annotator_columns

if TYPE_CHECKING:
    import narwhals as nw

#: annotators and distinct values that a lazy frame may have: more means that counting is no help
_MOST_ANNOTATORS = 500
_MOST_PROFILES = 2_000_000
#: rows of a lazy wide table that are looked at to tell annotators from other columns
_SAMPLED = 2_000


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
    except UnicodeDecodeError:
        raise InputError(
            "has a column whose name is not UTF-8 text",
            path=path,
            hint="rename it, or save it again",
        ) from None
    except nw.exceptions.DuplicateError:
        raise InputError(
            "has two columns of one name", path=path, hint="rename or drop one of them"
        ) from None
    if isinstance(wrapped, nw.LazyFrame):
        names = wrapped.collect_schema().names()
        table = Table(columns=dict.fromkeys(names, ()), path=path, source=source)
        found = find_columns(table.columns, options, path)
        # counts of answers would forget how probable each was
        soft = any(name.startswith(PREFIX) for name in names)
        if is_wide(table.columns, found, options) or (
            not soft and {"item", "annotator", "value"} <= set(found) and "start" not in found
        ):
            return _counted(wrapped, table, found, options)
        wrapped = wrapped.collect()
    names = wrapped.columns
    plain = dict.fromkeys(names, ())
    found = find_columns(plain, options, path)
    # columns that nothing asks for may hold anything, such as images: they stay where they are
    wanted = set(found.values()) | {name for name in names if name.strip().lower() in NAMES}
    if options.counts or is_wide(plain, found, options):
        wanted = set(names)
    options = _in_order(wrapped, found, options)
    notes: list[str] = []
    columns: dict[str, Column] = {}
    for name in names:
        columns[name] = [None] * len(wrapped)
        if name in wanted:
            columns[name] = trimmed(column(wrapped[name], path))
        elif _is_plain(wrapped[name].dtype):
            try:
                columns[name] = trimmed(column(wrapped[name], path))
            except InputError as problem:
                notes.append(f"the column {name!r} is left out: it {problem.problem}")
    columns = dict(with_distributions(columns, options, path))
    table = Table(columns=columns, path=path, source=source, notes=notes)
    kept = [wrapped[name].dtype for name in wanted if name in columns]
    if any(kind.is_nested() or kind == nw.Object for kind in kept):
        refuse_nesting(table, options)
    return from_table(table, options)


def _in_order(
    frame: nw.DataFrame[Any], found: Mapping[str, str], options: ReadOptions
) -> ReadOptions:
    """The options with the categories that the frame declares, where it says their order."""
    if options.categories is not None or "start" in found:
        return options
    if "value" in found:
        orders = [declared(frame[found["value"]])]
    elif is_wide(dict.fromkeys(frame.columns, ()), found, options):
        apart = set(found.values())
        orders = [declared(frame[name]) for name in frame.columns if name not in apart]
        orders = [o for o in orders if o is not None]
    else:
        return options
    first = orders[0] if orders else None
    if first is None or any(o != first for o in orders):
        return options
    return replace(options, categories=tuple(first))


def _is_plain(kind: Any) -> bool:
    import narwhals as nw

    return bool(kind.is_numeric()) or kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _counted(
    frame: nw.LazyFrame[Any], table: Table, found: dict[str, str], options: ReadOptions
) -> Ratings:
    """Ratings whose items are the distinct profiles, each with its number of occurrences.

    The engine pivots (for a long table) and groups; nothing but the counts is collected. Items of
    different documents, moments or weights are counted apart.
    """
    import narwhals as nw

    roles: tuple[str, ...] = ("document", "time", "weight")
    apart = {role: found[role] for role in roles if role in found}
    if is_wide(table.columns, found, options):
        others = {found[c] for c in ("item", *apart) if c in found} - set(options.annotators or ())
        # the first rows tell who is an annotator
        first = frame.head(_SAMPLED).collect()
        seen = {n: column(first[n], table.path) for n in table.columns if n not in others}
        raters = annotator_columns(seen, options, table.path, table.notes)
        wide = frame.select(
            *(nw.col(name) for name in raters),
            *(nw.col(name).alias(f"__{role}") for role, name in apart.items()),
        )
    else:
        wide, raters = _pivoted(frame, table, found, apart, options)
    keys = [*raters, *(f"__{role}" for role in apart)]
    counted = wide.group_by(*keys).agg(nw.len().alias("__count")).collect()
    if len(counted) > _MOST_PROFILES:
        raise InputError(
            f"the items fall into {len(counted)} different profiles; counting does not help",
            path=table.path,
            hint="collect the frame first",
        )
    if not len(counted):
        raise InputError("has no rows", path=table.path)
    counts = counted["__count"].to_numpy().astype(np.int64)
    values = {name: column(counted[name], table.path) for name in raters}
    said = {role: column(counted[f"__{role}"], table.path) for role in apart}
    ratings = ratings_from_wide(
        values,
        documents=said.get("document"),
        times=said.get("time"),
        weights=said.get("weight"),
        kind=options.values,
        categories=options.categories,
        missing=missing_words(list(values.values()), options, table.notes),
        separator=options.separator,
        multiple=options.multiple,
        none=options.none,
        path=table.path,
    )
    notes = [*table.notes, f"{int(counts.sum())} items counted by the frame's own engine"]
    return replace(ratings, multiplicity=counts, notes=tuple(notes))


def _pivoted(
    frame: nw.LazyFrame[Any],
    table: Table,
    found: Mapping[str, str],
    apart: Mapping[str, str],
    options: ReadOptions,
) -> tuple[nw.LazyFrame[Any], list[str]]:
    """One row per item and one column per annotator, made by the engine; and the annotators."""
    import narwhals as nw

    if options.duplicates != "error":
        raise UsageError("a lazy frame cannot resolve duplicates; drop the repeats first")
    item, who, value = (found[c] for c in ("item", "annotator", "value"))
    names = frame.select(nw.col(who)).unique().collect()[who].to_list()
    if len(names) > _MOST_ANNOTATORS:
        raise InputError(
            f"{len(names)} annotators are too many to count lazily (at most {_MOST_ANNOTATORS})",
            path=table.path,
            hint="collect the frame first",
        )
    if any(_absent(name) for name in names):
        raise InputError("the annotator is empty in some rows", path=table.path)
    names = sorted(names, key=str)
    raters = [str(n) for n in names]
    marked = frame.select(
        nw.col(item).alias("__item"),
        *(nw.col(name).alias(f"__{role}") for role, name in apart.items()),
        *(
            nw.when(nw.col(who) == n).then(nw.col(value)).alias(f"__v{i}")
            for i, n in enumerate(names)
        ),
    )
    grouped = marked.group_by("__item").agg(
        *(nw.col(f"__v{i}").max().alias(raters[i]) for i in range(len(names))),
        *(nw.col(f"__v{i}").count().alias(f"__n{i}") for i in range(len(names))),
        *(nw.col(f"__{role}").max() for role in apart),
        *(nw.col(f"__{role}").min().alias(f"__least_{role}") for role in apart),
    )
    checks = grouped.select(
        *(nw.col(f"__n{i}").max() for i in range(len(names))),
        *(
            (nw.col(f"__{role}") != nw.col(f"__least_{role}")).max().alias(f"__two_{role}")
            for role in apart
        ),
    ).collect()
    for i, rater in enumerate(raters):
        if (checks[f"__n{i}"].to_list()[0] or 0) > 1:
            raise InputError(
                f"annotator {rater!r} rates some item twice",
                path=table.path,
                hint="drop the repeats in the frame before reading it",
            )
    for role in apart:
        if checks[f"__two_{role}"].to_list()[0]:
            raise InputError(
                f"some item has two values in the {role} column {apart[role]!r}",
                path=table.path,
                hint=f"an item has one {role}: make its name part of the item's",
            )
    return grouped.select(*raters, *(f"__{role}" for role in apart)), raters


def _absent(value: Any) -> bool:
    return value is None or value != value
