"""Square tables of distances or weights, as files, arrays, dicts or dataframes: one check for all.

A distance is symmetric, finite, from 0, and 0 from a label to itself; a weight of agreement is
symmetric, between 0 and 1, and 1 for a label with itself. What is neither is refused with its cell.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.data.values import is_number
from accord.errors import InputError, UsageError, some
from accord.files.text import open_table

Array = NDArray[np.float64]
Role = Literal["distances", "weights"]
#: the entry of a label with itself
_OWN = {"distances": 0.0, "weights": 1.0}


def square(
    given: Any,
    labels: Sequence[str],
    role: Role,
    *,
    most: float | None = None,
    directed: bool = False,
) -> Array:
    """The matrix in the order of `labels`, checked; `most` is its largest entry, weights end at 1.

    `directed` lets the two halves differ: weights of κ of two annotators, whose rows are the first.

    >>> square({"a": {"a": 0, "b": 0.5}, "b": {"a": 0.5, "b": 0}}, ["b", "a"], "distances").tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    >>> square(np.array([[0.0, 1.0], [1.0, 0.0]]), ["a", "b"], "weights")
    Traceback (most recent call last):
    ...
    accord.errors.UsageError: the matrix holds distances, for each label is 0 with itself, and weights of \
agreement are asked for: give 1 less each of them
    """
    path = given if isinstance(given, (str, PathLike)) else None
    if path is not None:
        table, names = _read(path)
        lacking = [label for label in labels if label not in names]
        if lacking:
            raise InputError(f"has no row for {some(lacking)}", path=path, hint="add it")
    elif isinstance(given, np.ndarray):
        table, names = _array(given, labels, role), list(labels)
    else:
        table, names = _of_rows(given, labels), list(labels)
    wrong = _wrong(table, names, role, 1.0 if role == "weights" else most, directed)
    if wrong is not None:
        raise UsageError(f"the matrix {wrong}") if path is None else InputError(wrong, path=path)
    order = [names.index(label) for label in labels]
    return table[np.ix_(order, order)]


def _wrong(
    table: Array, names: Sequence[str], role: Role, most: float | None, directed: bool
) -> str | None:
    """What keeps the matrix from being one of this role; None when nothing does."""
    own = np.diag(table)
    if role == "weights" and len(own) > 1 and np.all(own == 0):
        return (
            "holds distances, for each label is 0 with itself, and weights of agreement are asked for: "
            "give 1 less each of them"
        )
    odd = np.argwhere(
        ~np.isfinite(table) | (table < 0) | (table > (np.inf if most is None else most))
    )
    if len(odd):
        i, j = odd[0].tolist()
        range_ = "a number from 0" if most is None else f"a number from 0 to {most:g}"
        return f"must have {range_} for {names[i]!r}, {names[j]!r}, got {table[i, j]:g}"
    if not directed and not np.array_equal(table, table.T):
        i, j = np.argwhere(table != table.T)[0].tolist()
        return (
            f"is not symmetric: {table[i, j]:g} for {names[i]!r}, {names[j]!r} and {table[j, i]:g} for "
            f"{names[j]!r}, {names[i]!r}; give every pair the same number twice"
        )
    if np.any(own != _OWN[role]):
        i = int(np.argmax(own != _OWN[role]))
        what = (
            "distance of a label to itself"
            if role == "distances"
            else "weight of a label with itself"
        )
        return (
            f"must have {_OWN[role]:g} for {names[i]!r}, {names[i]!r} (the {what}), got {own[i]:g}"
        )
    return None


def _array(given: NDArray[Any], labels: Sequence[str], role: Role) -> Array:
    size = len(labels)
    if given.shape != (size, size):
        raise UsageError(
            f"the matrix of {role} must be {size} × {size}, one row and column for each value, got "
            f"{' × '.join(map(str, given.shape))}"
        )
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"the matrix of {role} must hold numbers, got {given.dtype}") from None


def _of_rows(table: Any, labels: Sequence[str]) -> Array:
    """A matrix from a dict of dicts or a dataframe, whose labels are its index or its first column."""
    if isinstance(table, Mapping):
        rows = {str(k): {str(j): v for j, v in row.items()} for k, row in table.items()}
    elif hasattr(table, "index") and hasattr(table, "to_dict"):
        rows = {str(k): {str(j): v for j, v in r.items()} for k, r in table.T.to_dict().items()}
    else:
        import narwhals as nw

        try:
            frame = nw.from_native(table, eager_only=True)
        except TypeError:
            raise UsageError(
                f"a matrix is a file, an array, a dict of dicts or a dataframe, got {type(table).__name__}"
            ) from None
        first, *others = frame.columns
        rows = {
            str(row[first]): {str(j): row[j] for j in others} for row in frame.iter_rows(named=True)
        }
    try:
        return np.array([[float(rows[a][b]) for b in labels] for a in labels]).reshape(
            len(labels), len(labels)
        )
    except (TypeError, ValueError):
        raise UsageError("the matrix must hold numbers") from None
    except KeyError as missing:
        raise UsageError(f"the matrix does not name the label {missing.args[0]!r}") from None


def _read(path: str | PathLike[str]) -> tuple[Array, list[str]]:
    """A square CSV with labels on the first row and column; it may name more labels than are asked for."""
    file = Path(path)
    try:
        with open_table(file) as handle:
            rows = [r for r in csv.reader(handle) if any(cell.strip() for cell in r)]
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    except (UnicodeDecodeError, csv.Error) as problem:
        raise InputError(f"is not a readable matrix ({problem})", path=path) from None
    if len(rows) < 2:
        raise InputError("is not a matrix with labels on its first row and column", path=path)
    names = [cell.strip() for cell in rows[0][1:]]
    place = {name: i for i, name in enumerate(names)}
    found = np.full((len(names), len(names)), np.nan)
    for number, row in enumerate(rows[1:], 2):
        name = row[0].strip()
        if name not in place:
            raise InputError(f"the row {name!r} has no column of that name", path=path, line=number)
        if len(row) - 1 != len(names):
            raise InputError(
                f"has {len(row) - 1} numbers for {len(names)} labels", path=path, line=number
            )
        for other, cell in zip(names, row[1:], strict=True):
            if not is_number(cell.strip()) or float(cell) < 0:
                raise InputError(
                    f"the entry {name!r}, {other!r} must be a number from 0, got {cell!r}",
                    path=path,
                    line=number,
                )
            found[place[name], place[other]] = float(cell)
    return found, names
