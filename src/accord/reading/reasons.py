"""The column ``reason`` of a reference: why an item has no value, which is then never scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data.ratings import label_of
from accord.data.reasons import REASONS, SAID, leave_out
from accord.data.schema import GIVEN, Schema
from accord.data.values import Column, listed
from accord.errors import InputError
from accord.formats.tables.table import Table


def left_out(table: Table, values: Column, items: Column) -> NDArray[np.bool_]:
    """Which rows say why they have no value; the record keeps how many, and why.

    A column that is called so and holds other words is somebody's remark.
    """
    none = np.zeros(table.height, dtype=bool)
    if "reason" not in table.columns:
        return none
    reasons = ["" if cell is None or cell != cell else cell for cell in table.columns["reason"]]
    if not any(reasons) or not all(reason in REASONS for reason in reasons):
        return none
    for row, (reason, value) in enumerate(zip(reasons, values, strict=True)):
        none[row] = reason != ""
        if none[row] and value is not None and value == value:
            raise InputError(
                f"item {str(items[row])!r} has a value, {str(value)!r}, and a reason why it has none, "
                f"{reason!r}",
                path=table.path,
                line=table.line(row),
                hint="empty one of the two cells",
            )
    if none.all():
        raise InputError(
            "is a reference in which no item has a value",
            path=table.path,
            hint="decide items with accord gold --adjudicate, or lower its threshold",
        )
    leave_out(reasons, table.record)
    return none


def without(cells: Column, gone: NDArray[np.bool_]) -> Column:
    """The cells, empty in these rows."""
    if not gone.any():
        return cells
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf":
        return np.where(gone, np.nan, cells)
    return [None if empty else cell for cell, empty in zip(cells, gone, strict=True)]


def placed(table: Table, found: Mapping[str, str], schema: Schema) -> Table:
    """The rows of a table of located annotations that have a value, where it is a reference.

    The record keeps the others, and who decided what; all documents are covered.
    """
    columns = table.columns
    if not columns.keys() >= {"reason", "confidence"}:
        return table
    reasons = ["" if cell is None or cell != cell else cell for cell in listed(columns["reason"])]
    if not all(reason in REASONS for reason in reasons):
        return table
    given = {*GIVEN} <= found.keys()
    roles = {r: n for r, n in found.items() if r in schema.roles and (given or r not in GIVEN)}
    said = {n: n for n in (*SAID, "decided", "length") if n in columns and n not in roles.values()}
    cells = {role: listed(columns[name]) for role, name in {**said, **roles}.items()}
    document = cells.get("document", ["document"] * len(reasons))
    for row, reason in enumerate(reasons):
        label = cells["label"][row] if "label" in cells else None
        if reason and label not in (None, "") and label == label:
            raise InputError(
                f"an element has a label, {str(label)!r}, and a reason why it has none, {reason!r}",
                path=table.path,
                line=table.line(row),
                hint="empty one of the two cells",
            )
    table.record.elements = tuple(
        {role: _none(column[row]) for role, column in cells.items()}
        | {"document": str(document[row])}
        for row in range(len(reasons))
    )
    leave_out((r for r in reasons if r != "nobody"), table.record, "element")
    kept = [row for row, reason in enumerate(reasons) if not reason]
    who = cells.get("annotator", [table.source] * len(reasons))
    rest = {name: column for name, column in columns.items() if name not in said}
    return replace(
        table,
        columns={name: _of_rows(column, kept) for name, column in rest.items()},
        line=lambda row: table.line(kept[row]),
        seen=sorted({(label_of(d), label_of(a)) for d, a in zip(document, who, strict=True)}),
        lengths={
            label_of(d): float(n)
            for d, n in zip(document, cells.get("length", ()), strict=False)
            if n not in (None, "") and n == n
        },
    )


def _none(cell: Any) -> Any:
    return None if cell is None or cell == "" or cell != cell else cell


def _of_rows(column: Column, rows: Sequence[int]) -> Column:
    if isinstance(column, np.ndarray):
        return column[np.array(rows, dtype=np.int64)]
    return [column[row] for row in rows]
