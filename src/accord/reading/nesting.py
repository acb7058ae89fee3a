"""Cells that hold more than one thing: a list may be a set of labels, nothing else nests."""

from __future__ import annotations

from typing import Any

from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import find_columns, shape_of
from accord.reading.shape import is_wide


def refuse_nesting(table: Table, options: ReadOptions) -> None:
    """Lists of words stand in the values of ratings and in masses; other columns hold one thing."""
    found = find_columns(table.columns, options, table.path)
    apart = {found[c] for c in ("item", "document", "time", "weight") if c in found}
    if options.counts:
        return
    if is_wide(table.columns, found, options):
        values, single = set(table.columns) - apart, apart
    else:
        shape = options.shape or shape_of(table.columns, found, table.path)
        values = {found["value"]} if shape == "ratings" and "value" in found else set()
        single = {theirs for ours, theirs in found.items() if ours != "masses"} - values
        if shape != "ratings":
            single -= {found[c] for c in ("value", "item") if c in found} - {found.get("label")}
    for name in table.columns:
        if name in values or name in single:
            _refuse_column(table, name, listed=name in values)


def _refuse_column(table: Table, name: str, *, listed: bool) -> None:
    for row, value in enumerate(table.columns[name]):
        if not isinstance(value, (list, dict)):
            continue
        if not listed:
            what = f"must be a name or a number, got a {type(value).__name__}"
        elif isinstance(value, dict) or not _alike(value):
            what = "must be a value or a list of words"
        else:
            continue
        raise InputError(
            f"the {name} {what}",
            path=table.path,
            line=table.line(row),
            hint="give each label, name or number a cell of its own",
        )


def _alike(values: list[Any]) -> bool:
    """All words, or all numbers."""
    words = all(isinstance(v, str) for v in values)
    return words or all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values)
