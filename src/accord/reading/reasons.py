"""The column ``reason`` of a reference: why an item has no value, which is then never scored."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data.reasons import REASONS, leave_out
from accord.data.values import Column
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
