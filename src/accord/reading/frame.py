"""Dataframes of any library, through narwhals; lazy ones are counted by their own engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.frame import column, declared, in_memory, is_numbering, opened, written
from accord.data.names import places
from accord.data.probabilities import PREFIX
from accord.data.reading import Record
from accord.data.roles import EVERY
from accord.data.tables import ratings_from_wide
from accord.data.values import Column, is_number, listed
from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import SYNONYMS, find_columns, matching_shape, plain_name
from accord.reading.distributions import NAMES, with_distributions
from accord.reading.layout import Wide, is_wide, wide_of, without_total
from accord.reading.missing import trimmed
from accord.reading.named import Named
from accord.reading.nesting import refuse_nesting
from accord.reading.people import TOTALS
from accord.reading.scale import values_of
from accord.reading.shape import from_table

if TYPE_CHECKING:
    import narwhals as nw

#: rows of a lazy wide table that are looked at to tell annotators from other columns
_SAMPLED = 2_000


def read_frame(
    frame: Any,
    options: ReadOptions,
    *,
    path: str | None = None,
    source: str = "annotator",
    files: Sequence[Path] = (),
) -> Annotations:
    """Read a dataframe. A lazy frame of ratings stays where it is: only counts come back.

    `files` are the Parquet files that a lazy frame reads, where they are known.
    """
    import narwhals as nw

    kind = type(frame)
    if kind.__module__ == "pyarrow.lib" and kind.__name__ != "Table":
        frame = _as_table(frame)
    if kind.__module__.startswith("pyarrow") and kind.__name__.endswith("Dataset"):
        from accord.large.engines import lazy_dataset

        frame = lazy_dataset(frame)
    elif kind.__module__.startswith(("daft.", "ray.data.")):
        from accord.large.engines import streamed

        frame = streamed(frame) or frame
    frame, options = _with_index(frame, options)
    wrapped = opened(frame, path, wanted="a path or a dataframe")
    if isinstance(wrapped, nw.LazyFrame):
        try:
            names = wrapped.collect_schema().names()
        except Exception as problem:  # every engine has errors of its own
            first = str(problem).strip().split("\n")[0]
            raise InputError(f"cannot be read ({first})", path=path) from None
        table = Table(columns=dict.fromkeys(names, ()), path=path, source=source)
        named = Named.of(table, options)
        found = named.found
        wrapped = _of_items(wrapped, named)
        # counts of answers would forget how probable each was
        soft = any(name.startswith(PREFIX) for name in names)
        table.record.columns.update(found)
        rows = _first_rows(wrapped, named)
        if rows is not None:
            made = _counted(wrapped, rows)
            if made is not None:
                return table.record.kept_by(made)
        elif not soft and {"item", "annotator", "value"} <= set(found) and "start" not in found:
            from accord.large.counted import Counter

            counter = Counter(
                wrapped, table, found, options, _reader(table, options), files=tuple(files)
            )
            return table.record.kept_by(counter.trimmed().counted())
        wrapped = in_memory(wrapped, path)
    names = wrapped.columns
    plain = dict.fromkeys(names, ())
    found = find_columns(plain, options, path)
    # columns that nothing asks for may hold anything, such as images: they stay where they are
    wanted = {name for name in names if name.strip().lower() in NAMES}
    # the image that boxes are drawn on is a name; where it is the picture itself, nobody asks for it
    wanted |= {n for role, n in found.items() if role != "image" or _is_plain(wrapped[n].dtype)}
    if options.counts or options.wide or options.rows:
        wanted = set(names)
    elif matching_shape(found) is None:
        wanted |= {n for n in names if _is_plain(wrapped[n].dtype, nested=True)}
    record = Record(path=path)
    columns: dict[str, Column] = {}
    for name in names:
        columns[name] = [None] * len(wrapped)
        if name in wanted:
            columns[name] = trimmed(column(wrapped[name], path))
        elif _is_plain(wrapped[name].dtype):
            try:
                columns[name] = trimmed(column(wrapped[name], path))
            except InputError as problem:
                record.leave_out(f"column {name!r}", why=f"it {problem.problem}")
    table = Table(columns=columns, path=path, source=source, record=record)
    options = _in_order(wrapped, Named(table, found, options))
    table = replace(table, columns=with_distributions(columns, options, path))
    kept = [wrapped[name].dtype for name in wanted if name in table.columns]
    if any(kind.is_nested() or kind == nw.Object for kind in kept):
        refuse_nesting(table, options)
    return from_table(table, options)


def _with_index(frame: Any, options: ReadOptions) -> tuple[Any, ReadOptions]:
    """The frame with its index among its columns, where it has one that says something.

    What is called like nothing else names the items. An index without a name that a long table has
    no need of is what filtering has left.
    """
    import narwhals as nw

    table = nw.from_native(frame, pass_through=True)
    if not isinstance(table, nw.DataFrame) or not table.implementation.is_pandas_like():
        return frame, options
    native = _with_one_level(table.to_native())
    if native.columns.nlevels > 1:
        return frame, options
    frame = native
    plain = replace(options, columns={})
    there = [written(name) for name in native.columns]
    called = [None if n is None or n in there else str(n) for n in native.index.names]
    known = find_columns(dict.fromkeys(there, ()), plain, None)
    if options.rows is None and matching_shape(known) is None:
        options = replace(options, rows=_rows_of(native.columns.name))
    if not any(called) and (is_numbering(native.index) or matching_shape(known) is not None):
        return frame, options
    free = [n for n in ("index", "document", "item") if n not in {*there, *called}]
    names = [n or free.pop() if n or free else f"level {i}" for i, n in enumerate(called[::-1])][
        ::-1
    ]
    found = find_columns(dict.fromkeys([*names, *there], ()), plain, None)
    taken = {n for role, n in found.items() if role != "text"}
    rest = [n for n in names if n not in taken]
    if called == [None] and options.rows is None and len(there) > len(native) > 1:
        # (which way it lies is asked where more columns than rows may be people, or items)
        return native.reset_index(names=["index"]), options
    unnamed = not {"item"} & {*options.columns, *found}
    if rest and unnamed and matching_shape(found) in (None, "ratings"):
        options = replace(options, columns={**options.columns, "item": rest[-1]})
    return native.reset_index(names=names), options


def _as_table(batches: Any) -> Any:
    """A batch of Arrow, or what reads batches, as a table."""
    if hasattr(batches, "read_all"):
        return batches.read_all()
    import pyarrow as arrow

    return arrow.Table.from_batches([batches])


def _with_one_level(native: Any) -> Any:
    """A frame of pandas with columns of one level, where the others say the same of every column."""
    if native.columns.nlevels < 2:
        return native
    same = [i for i, level in enumerate(native.columns.levels) if len(level) == 1]
    if len(same) != native.columns.nlevels - 1:
        return native
    return native.set_axis(native.columns.droplevel(same), axis=1)


def _rows_of(name: object) -> Literal["items", "annotators"] | None:
    """What the rows of a pivoted frame are, by the name that all its columns have together."""
    called = {role: plain_name(str(name)) in SYNONYMS[role] for role in ("item", "annotator")}
    if called["item"] == called["annotator"]:
        return None
    return "annotators" if called["item"] else "items"


def _first_rows(frame: nw.LazyFrame[Any], named: Named) -> Named | None:
    """The first rows of a lazy frame, where they say (or it is said) that it is a wide table."""
    if matching_shape(named.found) is not None and not is_wide(named):
        return None
    first = frame.head(_SAMPLED).collect()
    known = set(named.found.values())
    told = [n for n in named.columns if n in known or _is_plain(first[n].dtype)]
    rows = named.with_columns({n: trimmed(column(first[n], named.table.path)) for n in told})
    return rows if is_wide(rows) else None


def _in_order(frame: nw.DataFrame[Any], named: Named) -> ReadOptions:
    """The options with the categories that the frame declares, where it says their order."""
    options, found = named.options, named.found
    if "start" in found:
        return options
    if "value" in found:
        orders = [declared(frame[found["value"]])]
    elif is_wide(named):
        others = [declared(frame[name]) for name in named.without(*found)]
        orders = [o for o in others if o is not None]
    else:
        return options
    first = orders[0] if orders else None
    if first is None or any(o != first for o in orders):
        return options
    if options.categories is not None and {*options.categories} != {*first}:
        return options
    return replace(options, categories=tuple(first), ordered=True)


def _reader(table: Table, options: ReadOptions) -> Callable[[Any], Ratings]:
    """How the ratings are read once their lazy frame is collected."""

    def read(collected: Any) -> Ratings:
        found = read_frame(collected, options, path=table.path, source=table.source)
        if not isinstance(found, Ratings):
            raise InputError(f"holds {found.shape}, not ratings", path=table.path)
        return found

    return read


def _is_plain(kind: Any, *, nested: bool = False) -> bool:
    """Whether cells are words or numbers; lists of them too, where they may be `nested`."""
    import narwhals as nw

    if nested and isinstance(kind, (nw.List, nw.Object)):
        return True
    return bool(kind.is_numeric()) or kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _without_total(frame: nw.LazyFrame[Any], wide: Wide, named: Named) -> nw.LazyFrame[Any]:
    """The frame without a row of sums or means, which what names the items calls so."""
    import narwhals as nw

    name = wide.names
    if name is None or frame.collect_schema()[name] != nw.String:
        return frame
    called = nw.col(name).str.strip_chars().str.to_lowercase().is_in(sorted(TOTALS))
    found = frame.filter(called).head(2).collect()
    if len(found) != 1:
        return frame
    others = frame.filter(~called)
    above = others.head(_SAMPLED).collect()
    whole = named.with_columns(
        {n: [*listed(column(above[n])), *listed(column(found[n]))] for n in named.columns}
    )
    return frame if without_total(whole, wide) is whole else others


def _of_items(frame: nw.LazyFrame[Any], named: Named) -> nw.LazyFrame[Any]:
    """The rows of the items that were named, which an engine that counts forgets the names of."""
    import narwhals as nw

    names, item = named.options.items, named.found.get("item")
    if names is None or item is None or EVERY in names:
        return frame
    kinds = frame.collect_schema()
    cells = nw.col(item)
    if kinds[item].is_numeric():
        kept = frame.filter(cells.is_in([float(n) for n in names if is_number(n)]))
    else:
        kept = frame.filter(cells.cast(nw.String).str.strip_chars().is_in(list(names)))
    there = {written(v) for v in kept.select(item).unique().collect()[item].to_list()}
    places([n for n in names if n.strip() not in {t.strip() for t in there}], (), "item")
    return kept


def _counted(frame: nw.LazyFrame[Any], named: Named) -> Ratings | None:
    """Ratings of a wide table whose items are the distinct rows, each with its number of occurrences.

    The first rows of it, which are `named`, tell who is an annotator. The engine groups; nothing but
    the counts is collected. Items of different documents, moments or weights are counted apart. None
    where its rows are people, who are few.
    """
    import narwhals as nw

    from accord.large.counted import MOST_PROFILES, Fetched
    from accord.large.queries import collected

    table, found, options = named.table, named.found, named.options
    wide = wide_of(named)
    if wide.rows == "annotators":
        return None
    frame = _without_total(frame, wide, named)
    raters = wide.columns
    roles: tuple[str, ...] = ("document", "time", "weight")
    apart = {role: found[role] for role in roles if role in found}
    apart = {role: n for role, n in apart.items() if n not in (wide.names, *raters)}
    grid = frame.select(
        *(nw.col(name) for name in raters),
        *(nw.col(name).alias(f"__{role}") for role, name in apart.items()),
    )
    keys = [*raters, *(f"__{role}" for role in apart)]
    groups = grid.group_by(*keys).agg(nw.len().alias("__count"))
    counted = collected(groups.head(MOST_PROFILES + 1))
    if len(counted) > MOST_PROFILES:
        raise InputError(
            f"the items fall into more than {MOST_PROFILES} different profiles; counting does not help",
            path=table.path,
            hint="collect the frame first",
        )
    if not len(counted):
        raise InputError("has no rows", path=table.path)
    counts = counted["__count"].to_numpy().astype(np.int64)
    cells = {name: trimmed(column(counted[name], table.path)) for name in raters}
    values = values_of(cells, options, table.record, times=counts)
    said = {role: column(counted[f"__{role}"], table.path) for role in apart}
    ratings = ratings_from_wide(
        values.columns,
        documents=said.get("document"),
        times=said.get("time"),
        weights=said.get("weight"),
        separator=options.separator,
        multiple=options.multiple,
        none=options.none,
        path=table.path,
        **values.options,
    )
    notes = [*table.notes, f"{int(counts.sum())} items counted by the frame's own engine"]
    engine = Fetched(frame, table, found, options, _reader(table, options))
    return replace(ratings, multiplicity=counts, engine=engine, notes=tuple(notes))
