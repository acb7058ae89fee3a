"""Dataframes of any library, through narwhals; lazy ones are counted by their own engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from accord.data import Annotations, Ratings
from accord.data.frame import column, declared, in_memory, opened
from accord.data.probabilities import PREFIX
from accord.data.tables import ratings_from_wide
from accord.data.values import Column
from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns
from accord.reading.distributions import NAMES, with_distributions
from accord.reading.layout import annotator_columns
from accord.reading.missing import trimmed
from accord.reading.nesting import refuse_nesting
from accord.reading.scale import values_of
from accord.reading.shape import from_table, is_wide

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
    if kind.__module__.startswith("pyarrow") and kind.__name__.endswith("Dataset"):
        from accord.large.engines import lazy_dataset

        frame = lazy_dataset(frame)
    elif kind.__module__.startswith(("daft.", "ray.data.")):
        from accord.large.engines import streamed

        frame = streamed(frame) or frame
    wrapped = opened(frame, path, wanted="a path or a dataframe")
    if isinstance(wrapped, nw.LazyFrame):
        try:
            names = wrapped.collect_schema().names()
        except Exception as problem:  # every engine has errors of its own
            first = str(problem).strip().split("\n")[0]
            raise InputError(f"cannot be read ({first})", path=path) from None
        table = Table(columns=dict.fromkeys(names, ()), path=path, source=source)
        found = find_columns(table.columns, options, path)
        # counts of answers would forget how probable each was
        soft = any(name.startswith(PREFIX) for name in names)
        table.record.columns.update(found)
        if is_wide(table.columns, found, options):
            return table.record.kept_by(_counted(wrapped, table, found, options))
        if not soft and {"item", "annotator", "value"} <= set(found) and "start" not in found:
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
    if "start" in found:
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


def _is_plain(kind: Any) -> bool:
    import narwhals as nw

    return bool(kind.is_numeric()) or kind in (nw.String, nw.Categorical, nw.Enum, nw.Boolean)


def _counted(
    frame: nw.LazyFrame[Any], table: Table, found: dict[str, str], options: ReadOptions
) -> Ratings:
    """Ratings of a wide table whose items are the distinct rows, each with its number of occurrences.

    The engine groups; nothing but the counts is collected. Items of different documents, moments or
    weights are counted apart.
    """
    import narwhals as nw

    from accord.large.counted import MOST_PROFILES, Fetched
    from accord.large.queries import collected

    roles: tuple[str, ...] = ("document", "time", "weight")
    apart = {role: found[role] for role in roles if role in found}
    others = {found[c] for c in ("item", *apart) if c in found} - set(options.annotators or ())
    # the first rows tell who is an annotator
    first = frame.head(_SAMPLED).collect()
    seen = {n: column(first[n], table.path) for n in table.columns if n not in others}
    raters = annotator_columns(seen, options, table.path, table.notes)
    wide = frame.select(
        *(nw.col(name) for name in raters),
        *(nw.col(name).alias(f"__{role}") for role, name in apart.items()),
    )
    keys = [*raters, *(f"__{role}" for role in apart)]
    groups = wide.group_by(*keys).agg(nw.len().alias("__count"))
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
