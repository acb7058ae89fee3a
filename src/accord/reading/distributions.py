"""Distributions in the cells of a table: JSON objects become columns ``p:<label>``."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from accord.data.probabilities import PREFIX
from accord.data.values import Column
from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.cells import Cells
from accord.reading.columns import find_columns

#: columns that people call a distribution
NAMES = ("p", "probabilities", "probability", "probs", "distribution", "soft_label", "soft_labels")


def with_distributions(
    columns: Mapping[str, Column],
    options: ReadOptions,
    path: str | None = None,
    line: Callable[[int], int | None] = lambda row: None,
) -> Mapping[str, Column]:
    """The columns with one ``p:<label>`` for every label of the distributions among them.

    A distribution is a JSON object of numbers, ``{"x": 0.6, "y": 0.4}``, in the value of a rating or
    in a column of its own.

    >>> dict(with_distributions({"item": ["i"], "value": [{"x": 0.6, "y": 0.4}]}, ReadOptions()))
    {'item': ['i'], 'p:x': [0.6], 'p:y': [0.4]}
    """
    found = find_columns(columns, options, path)
    wanted = [n for n in columns if n.strip().lower() in NAMES]
    if "value" in found and found["value"] not in wanted:
        wanted.append(found["value"])
    holding = [n for n in wanted if _holds(columns[n])]
    if not holding:
        return columns
    if len(holding) > 1 or any(n.startswith(PREFIX) for n in columns):
        raise InputError(
            "gives probabilities twice", path=path, hint="keep one column of distributions"
        )
    (name,) = holding
    others = {n: c for n, c in columns.items() if n != name}
    return {**others, **_spread(columns[name], name, path, line)}


def probability_columns(columns: Mapping[str, Column]) -> dict[str, str]:
    """Label → the column that holds its probability."""
    return {n[len(PREFIX) :]: n for n in columns if n.startswith(PREFIX) and n[len(PREFIX) :]}


def _holds(column: Column) -> bool:
    """Whether the first cell with something in it is a distribution."""
    cells = column.coded()[1] if isinstance(column, Cells) else column
    for cell in cells:
        if cell is not None and not (isinstance(cell, float) and cell != cell):
            if isinstance(cell, str):
                return cell.startswith('{"')
            return isinstance(cell, dict) and all(
                p is None or isinstance(p, (int, float)) for p in cell.values()
            )
    return False


def _spread(
    column: Column, name: str, path: str | None, line: Callable[[int], int | None]
) -> dict[str, Column]:
    rows: list[Mapping[str, Any]] = []
    for row, cell in enumerate(column):
        if isinstance(cell, str) and cell.startswith("{"):
            with suppress(ValueError, RecursionError):
                cell = json.loads(cell)
        if cell is None:
            cell = {}
        if not isinstance(cell, dict):
            raise InputError(
                f'the {name} must be a distribution such as {{"x": 0.6, "y": 0.4}} in every row, '
                f"got {cell!r}",
                path=path,
                line=line(row),
                hint="give every item a distribution, or put answers in a column of their own",
            )
        rows.append(cell)
    labels = dict.fromkeys(label for cell in rows for label in cell)
    return {f"{PREFIX}{label}": [cell.get(label) for cell in rows] for label in labels}
