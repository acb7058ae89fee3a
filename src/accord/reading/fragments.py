"""Discontinuous units in a table: a column ``fragments`` such as ``0-3;7-9``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any

from accord.data.statements import Statement
from accord.data.units import Units
from accord.errors import InputError

#: document, annotator, start, end, label, fragments
Row = tuple[str, str, float, float, str | None, Any]
_NUMBER = r"\s*(-?\d+(?:\.\d+)?)\s*"
_FRAGMENT = re.compile(f"{_NUMBER}-{_NUMBER}")


def places_of(cell: str) -> tuple[tuple[float, float], ...] | None:
    """The fragments that a cell spells, None when it spells none.

    >>> places_of("0-3; 7-9.5"), places_of("first half")
    (((0.0, 3.0), (7.0, 9.5)), None)
    """
    found = [_FRAGMENT.fullmatch(part) for part in cell.split(";")]
    if any(one is None for one in found):
        return None
    return tuple((float(one[1]), float(one[2])) for one in found if one is not None)


def with_fragments(
    units: Units, rows: Iterable[Row], *, path: str | PathLike[str] | None, lines: Sequence[int]
) -> Units:
    """The units with what some of them leave out; a cell must begin and end where its unit does."""
    said: dict[tuple[str, str], list[Statement]] = {}
    for k, (document, annotator, start, end, label, cell) in enumerate(rows):
        if cell is None or not str(cell).strip():
            continue
        places = places_of(str(cell))
        if places is None or any(not a < b for a, b in places):
            problem = f"the fragments {str(cell)!r} are not written like 0-3;7-9"
            raise InputError(problem, path=path, line=lines[k])
        own = said.setdefault((document, annotator), [])
        one = Statement(f"T{len(own) + 1}", "unit", label or "", places=places)
        if one.hull != (start, end):
            problem = f"the fragments {str(cell)!r} do not go from {start:g} to {end:g} as their unit does"
            raise InputError(problem, path=path, line=lines[k])
        own.append(one)
    return (
        replace(units, statements={key: tuple(own) for key, own in said.items()}) if said else units
    )
