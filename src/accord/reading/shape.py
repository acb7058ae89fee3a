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
from accord.errors import InputError, some
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import shape_of
from accord.reading.distributions import probability_columns, with_distributions
from accord.reading.layout import (
    ask_of_twins,
    ask_who,
    is_wide,
    ratings_from_counts,
    turned,
    wide_of,
    without_total,
)
from accord.reading.located import (
    boxes_of,
    chains_of,
    relations_of,
    segments_of,
    units_of,
)
from accord.reading.missing import trimmed
from accord.reading.named import Named
from accord.reading.nesting import refuse_nesting, unnested
from accord.reading.reasons import left_out, placed, without
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
    named = Named.of(table, options)
    table.record.columns.update(named.found)
    if options.counts:
        _refuse_empty(table)
        return ratings_from_counts(named)
    if is_wide(named):
        _refuse_empty(table)
        return _wide(named)
    columns = with_distributions(table.columns, options, table.path, table.line)
    if columns is not table.columns:
        named = Named.of(replace(table, columns=columns), options)
    soft = probability_columns(columns)
    if soft and (options.multiple or options.separator or options.values == "sets"):
        what = f"{len(soft):,} columns of probabilities"
        table.record.leave_out(what, len(soft), why="of single labels, not of sets")
        soft = {}
    rated = options.shape in (None, "ratings") and {"item", "start"} & named.found.keys() == {
        "item"
    }
    if not (soft and rated):
        return _grouped(_of_shape(named), named)
    # probabilities are an answer, with or without a value
    _refuse_empty(table)
    return _grouped(_ratings(named, soft), named)


def _of_shape(named: Named) -> Annotations:
    """The data of a long table, in the shape that its columns make."""
    table, found, options = named.table, named.found, named.options
    shape = options.shape or shape_of(table.columns, found, table.path)
    ways = SCHEMAS[shape].ways
    if not any(found.keys() >= {*needed} for needed in ways):
        lacking = [c for c in ways[0] if c not in found]
        raise InputError(
            f"has no column for {' and '.join(lacking)}; it has {some(list(table.columns))}",
            path=table.path,
            hint=f"name it with `columns={{{lacking[0]}: NAME}}`",
        )
    if shape != "ratings":
        table = placed(table, found, SCHEMAS[shape])
        held = {role: name for role, name in found.items() if name in table.columns}
        named = replace(named, table=table, found=held, _words={})
    if not table.seen and not (options.empty and shape in MARKED):
        _refuse_empty(table)
    if table.height == 0 and not table.seen:
        name = Path(table.path or "the table").name
        table.record.assume(f"in {name}, which has no rows, nothing was marked")
    if shape == "ratings":
        ask_of_twins(named)
        ask_who(named)
        return _ratings(named)
    options = with_new_categories(options, table.record)
    named = claimed(named, shape)
    documents = named.column("document")
    there = [options.document or "document"] if documents is None else documents
    options = belonging(there, table.path, options, table.record)
    made = _BUILDERS[shape](replace(named, options=options))
    return made if made.annotators else _of_nobody(made, options.annotator or table.source)


def _refuse_empty(table: Table) -> None:
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")


def _flat(table: Table, options: ReadOptions) -> Table:
    """The table without blanks around its texts, without distributions in cells; nothing nests."""
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
    return changed(data, annotators=(name,)) if isinstance(data, Chains) else data


def _grouped(data: Annotations, named: Named) -> Annotations:
    """The data with the groups of their annotators, where a column says them."""
    table, column = named.table, named.options.groups
    people = named.column("annotator")
    if not isinstance(column, str) or column not in table.columns or people is None:
        return data
    groups: dict[str, str] = {}
    for row, (who, group) in enumerate(zip(people, table.columns[column], strict=True)):
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


def _ratings(named: Named, soft: Mapping[str, str] | None = None) -> Ratings:
    table, found, options = named.table, named.found, named.options
    annotators = named.column("annotator")
    if annotators is None:
        annotators = [options.annotator or table.source] * table.height
    if "item" not in found:
        named = replace(named, found={**found, "item": found["text"]})
        means = f"the column {found['text']!r} names the items"
        table.record.assume(means, ("columns", {"item": "NAME"}))
    item, value = named.found["item"], found.get("value")
    items = table.columns[item]
    named.refuse_unnamed("item", items)
    named.refuse_unnamed("annotator", annotators)
    values = _values(named, () if value is None else (value,))
    likely = {label: named.with_points(name) for label, name in (soft or {}).items()}
    said = [None] * table.height if value is None else values.columns[value]
    gone = left_out(table, said, items)
    used = [item, found.get("annotator"), value, *(() if gone.any() else (soft or {}).values())]
    return ratings_from_long(
        items,
        annotators,
        said,
        probabilities={label: without(cells, gone) for label, cells in likely.items()} or None,
        extras=named.extras(used),
        **_ratings_options(named),
        **values.options,
    )


def _wide(named: Named) -> Ratings:
    wide = wide_of(named)
    named = without_total(named, wide)
    roles = {c: named.found[c] for c in ("document", "time", "weight") if c in named.found}
    roles = {c: n for c, n in roles.items() if n != wide.names and n not in wide.columns}
    extras = named.extras([wide.names, *roles.values(), *wide.columns])
    table = named.table
    table.record.columns.clear()
    table.record.columns.update(roles)
    used = {*roles.values(), *wide.columns, wide.names}
    table.record.unused.update({n: "" for n in table.columns if n not in used})
    if wide.rows == "annotators":
        table, wide = turned(table, wide)
        roles, extras = {}, {}
    elif wide.names is not None:
        table.record.columns["item"] = wide.names
    known = replace(named, table=table, found=roles)
    values = _values(known, wide.columns)
    return ratings_from_wide(
        values.columns,
        items=table.columns[wide.names] if wide.names is not None else None,
        extras=extras,
        **_ratings_options(known),
        **values.options,
    )


def _values(named: Named, columns: tuple[str, ...]) -> Values:
    table = named.table
    cells = {name: table.columns[name] for name in columns}
    return values_of(cells, named.options, table.record, decimal_comma=table.decimal_comma)


def _ratings_options(named: Named) -> dict[str, Any]:
    table, options = named.table, named.options
    return {
        "documents": named.column("document"),
        "times": named.column("time"),
        "weights": named.column("weight"),
        "separator": options.separator,
        "multiple": options.multiple,
        "none": options.none,
        "duplicates": options.duplicates,
        "notes": table.notes,
        "path": table.path,
        "line": table.line,
    }


_BUILDERS: Mapping[Shape, Callable[[Named], Annotations]] = {
    "units": units_of,
    "segments": segments_of,
    "chains": chains_of,
    "relations": relations_of,
    "boxes": boxes_of,
}
