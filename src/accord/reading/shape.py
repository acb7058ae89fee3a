"""Tables to the shapes: which columns there are decides which shape it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Annotations, Chains, Ratings
from accord.data.located import Located
from accord.data.protocol import Shape, changed
from accord.data.ratings import label_of
from accord.data.roles import Choice, Roles
from accord.data.schema import SCHEMAS
from accord.data.tables import ratings_from_long, ratings_from_wide
from accord.data.values import Column
from accord.errors import InputError, some
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, shape_of
from accord.reading.distributions import probability_columns, with_distributions
from accord.reading.layout import (
    ask_of_twins,
    is_wide,
    ratings_from_counts,
    turned,
    wide_of,
    without_total,
)
from accord.reading.located import (
    boxes_of,
    chains_of,
    extras_of,
    refuse_unnamed,
    relations_of,
    segments_of,
    units_of,
    with_points,
)
from accord.reading.missing import trimmed
from accord.reading.reasons import left_out, without
from accord.reading.recode import with_new_categories
from accord.reading.scale import Values, values_of
from accord.reading.sidecars import belonging
from accord.reading.unclaimed import claimed

#: shapes in which an annotator may mark nothing
MARKED = ("units", "chains", "relations", "boxes")


def from_table(table: Table, options: ReadOptions) -> Annotations:
    """Find the columns, decide the shape, and build it; the data keep what was decided."""
    table.record.path = table.path
    return table.record.kept_by(_built(table, options))


def _built(table: Table, options: ReadOptions) -> Annotations:
    if not table.columns:
        raise InputError("has no columns", path=table.path, hint="give it a header row")
    if table.objects:
        table = _flat(table, options)
    found = find_columns(table.columns, options, table.path)
    table.record.columns.update(found)
    if options.counts:
        return _counts(table, found, options)
    if is_wide(table.columns, found, options):
        return _wide(table, found, options)
    columns = with_distributions(table.columns, options, table.path, table.line)
    if columns is not table.columns:
        table = replace(table, columns=columns)
        found = find_columns(table.columns, options, table.path)
    soft = probability_columns(table.columns)
    if soft and (options.multiple or options.separator or options.values == "sets"):
        what = f"{len(soft):,} columns of probabilities"
        table.record.leave_out(what, len(soft), why="of single labels, not of sets")
        soft = {}
    if soft and "item" in found and options.shape in (None, "ratings") and "start" not in found:
        # probabilities are an answer, with or without a value
        return _grouped(_ratings(table, found, options, soft), table, found, options)
    shape = options.shape or shape_of(table.columns, found, table.path)
    ways = SCHEMAS[shape].ways
    if not any(found.keys() >= {*needed} for needed in ways):
        needed = ways[0]
        lacking = [c for c in needed if c not in found]
        raise InputError(
            f"has no column for {' and '.join(lacking)}; it has {some(list(table.columns))}",
            path=table.path,
            hint=f"name it with `columns={{{lacking[0]}: NAME}}`",
        )
    if table.height == 0 and not (options.empty and shape in MARKED):
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    if table.height == 0:
        name = Path(table.path or "the table").name
        table.record.assume(f"in {name}, which has no rows, nothing was marked")
    if shape == "ratings":
        ask_of_twins(table.columns, found, options, table.record)
    else:
        options = with_new_categories(options, table.record)
        found = claimed(table.columns, found, shape, options, table.record)
        named = table.columns.get(found.get("document", ""), [options.document or "document"])
        options = belonging(named, table.path, options, table.record)
    made = _BUILDERS[shape](table, found, options)
    if not made.annotators:
        made = _of_nobody(made, options.annotator or table.source)
    return _grouped(made, table, found, options)


def _flat(table: Table, options: ReadOptions) -> Table:
    """The table without blanks around its texts, without distributions in cells; nothing nests."""
    from accord.reading.nesting import refuse_nesting, unnested

    table = unnested(table, options)

    plain = {name: trimmed(column) for name, column in table.columns.items()}
    columns = with_distributions(plain, options, table.path, table.line)
    flat = replace(table, columns=columns, objects=False)
    refuse_nesting(flat, options)
    return flat


def _of_nobody(data: Annotations, name: str) -> Annotations:
    """An empty table is somebody's who marked nothing, in whatever documents there are."""
    if isinstance(data, Located):
        seen = np.ones((len(data.documents), 1), dtype=bool)
        return changed(data, annotators=(name,), coverage=seen)
    if isinstance(data, Chains):
        return replace(data, annotators=(name,))
    return data


def _grouped(
    data: Annotations, table: Table, found: Mapping[str, str], options: ReadOptions
) -> Annotations:
    """The data with the groups of their annotators, where a column says them."""
    column = options.groups
    if not isinstance(column, str) or column not in table.columns or "annotator" not in found:
        return data
    groups: dict[str, str] = {}
    pairs = zip(table.columns[found["annotator"]], table.columns[column], strict=True)
    for row, (who, group) in enumerate(pairs):
        name = label_of(group)
        if groups.setdefault(label_of(who), name) != name:
            raise InputError(
                f"annotator {label_of(who)!r} is in group {groups[label_of(who)]!r} and in {name!r}",
                path=table.path,
                line=table.line(row),
                hint="a group is one of annotators; put each in one",
            )
    roles = Roles(choice=Choice(groups=groups), systems=(), references=(), everybody=data)
    return changed(data, roles=roles)


# --- builders ------------------------------------------------------------------------------------


def _ratings(
    table: Table,
    found: Mapping[str, str],
    options: ReadOptions,
    soft: Mapping[str, str] | None = None,
) -> Ratings:
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    who = found.get("annotator")
    name = options.annotator or table.source
    annotators: Column = table.columns[who] if who else [name] * table.height
    if "item" not in found:
        found = {**found, "item": found["text"]}
        means = f"the column {found['text']!r} names the items"
        table.record.assume(means, ("columns", {"item": "NAME"}))
    items = table.columns[found["item"]]
    refuse_unnamed(table, "item", items)
    refuse_unnamed(table, "annotator", annotators)
    value = found.get("value")
    cells = {} if value is None else {value: table.columns[value]}
    values = _values(table, cells, options)
    likely = {label: with_points(table, name) for label, name in (soft or {}).items()}
    said = [None] * table.height if value is None else values.columns[value]
    gone = left_out(table, said, items)
    used = [found["item"], who, value, *(() if gone.any() else (soft or {}).values())]
    return ratings_from_long(
        items,
        annotators,
        said,
        probabilities={label: without(cells, gone) for label, cells in likely.items()} or None,
        extras=extras_of(table, found, used),
        **_ratings_options(table, found, options),
        **values.options,
    )


def _wide(table: Table, found: Mapping[str, str], options: ReadOptions) -> Ratings:
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    wide = wide_of(table, found, options)
    table, wide = without_total(table, wide, options)
    roles = {c: found[c] for c in ("document", "time", "weight") if c in found}
    roles = {c: n for c, n in roles.items() if n != wide.names and n not in wide.columns}
    used = {*roles.values(), *wide.columns, wide.names} - {None}
    table.record.columns.clear()
    table.record.columns.update(roles)
    table.record.unused.update({n: "" for n in table.columns if n not in used})
    if wide.rows == "annotators":
        table, wide = turned(table, wide)
        roles = {}
    elif wide.names is not None:
        table.record.columns["item"] = wide.names
    values = _values(table, wide.columns, options)
    return ratings_from_wide(
        values.columns,
        items=table.columns[wide.names] if wide.names is not None else None,
        extras=extras_of(table, found, [wide.names, *roles.values(), *wide.columns]),
        **_ratings_options(table, roles, options),
        **values.options,
    )


def _counts(table: Table, found: Mapping[str, str], options: ReadOptions) -> Ratings:
    """One row per item, one column per category: how many annotators chose it."""
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    apart = {found[c] for c in ("item", "document", "text", "comment") if c in found}
    categories = {n: c for n, c in table.columns.items() if n not in apart}
    if options.categories is not None:
        categories = {n: c for n, c in categories.items() if n in options.categories}
    if not categories:
        raise InputError("has no column of counts", path=table.path, hint="check `counts`")
    return ratings_from_counts(
        categories,
        table.columns[found["item"]] if "item" in found else None,
        documents=table.columns[found["document"]] if "document" in found else None,
        options=options,
        record=table.record,
        path=table.path,
        line=table.line,
        notes=table.notes,
    )


def _values(table: Table, columns: Mapping[str, Column], options: ReadOptions) -> Values:
    return values_of(columns, options, table.record, decimal_comma=table.decimal_comma)


def _ratings_options(
    table: Table, found: Mapping[str, str], options: ReadOptions
) -> dict[str, Any]:
    def column(name: str) -> Column | None:
        return table.columns[found[name]] if name in found else None

    return {
        "documents": column("document"),
        "times": column("time"),
        "weights": column("weight"),
        "separator": options.separator,
        "multiple": options.multiple,
        "none": options.none,
        "duplicates": options.duplicates,
        "notes": table.notes,
        "path": table.path,
        "line": table.line,
    }


_BUILDERS: Mapping[Shape, Callable[[Table, Mapping[str, str], ReadOptions], Annotations]] = {
    "ratings": _ratings,
    "units": units_of,
    "segments": segments_of,
    "chains": chains_of,
    "relations": relations_of,
    "boxes": boxes_of,
}
