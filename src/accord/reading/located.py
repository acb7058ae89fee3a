"""Tables of located annotations to units, segments, chains, relations and boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Boxes, Chains, Relations, Segments, Units
from accord.data.boxes import CORNERS
from accord.data.ratings import label_of
from accord.data.schema import BOXES, CHAINS, RELATIONS, ROLES, SEGMENTS, UNITS, Schema
from accord.data.values import Column, listed
from accord.errors import InputError
from accord.formats.coreference.entity_names import shared_names
from accord.formats.tables.table import Table
from accord.reading.named import Named
from accord.reading.scale import labels_of
from accord.reading.sidecars import (
    SIDECARS,
    counted_in,
    coverage_of,
    lengths_of,
    sidecars_of,
    sizes_of,
)


def _columns(schema: Schema, named: Named) -> tuple[dict[str, Any], str | None]:
    """The columns of a shape by role, each read as its kind, and what its places count.

    Places are read together: where one is a time, all are.
    """
    table, found, options = named.table, named.found, named.options
    default = {
        "document": options.document or schema.default("document"),
        "annotator": options.annotator or table.source,
    }
    needed = (*schema.needed(found, found), "annotator")
    columns: dict[str, Any] = {}
    numbers = []
    for role in schema.roles:
        kind = ROLES[role].kind
        absent = default.get(role, schema.default(role))
        if role not in found:
            columns |= {} if absent is ... else {role: [absent] * table.height}
        elif absent is ... and role not in needed:
            continue
        elif kind == "number":
            numbers.append(role)
        elif kind == "cell":
            columns[role] = listed(table.columns[found[role]])
        else:
            columns[role] = named.texts(found[role])
            if kind == "label":
                columns[role] = labels_of(columns[role], options, table.record)
            else:
                named.refuse_unnamed(role, columns[role])
    places, counted = _places(named, [found[role] for role in numbers], schema.timed)
    return columns | dict(zip(numbers, places, strict=True)), counted


def _beside(schema: Schema, named: Named, lengths: str = "") -> dict[str, Any]:
    """What tables tell beside the rows; `lengths` is what a table of documents is said to have."""
    table, options = named.table, named.options
    used = [named.found[role] for role in schema.roles if role in named.found]
    sides = (options.lengths if lengths else None, options.coverage)
    own = {} if table.path is None else sidecars_of(Path(table.path))
    known = {*SIDECARS, *(path.name for path in own.values())}
    # (who names another table knows that it is read)
    told = {Path(path).name for path in sides if path is not None} & known
    what = f"{lengths} or coverage" if lengths else "coverage"
    if told:
        table.record.assume(f"{what} taken from {' and '.join(sorted(told))}")
    told_pairs = None if options.coverage is None else coverage_of(options.coverage)
    return {
        "coverage": told_pairs if told_pairs is not None else table.seen or None,
        "categories": options.categories,
        "duplicates": options.duplicates,
        "notes": table.notes,
        "path": table.path,
        "lines": _Lines(table),
        "extras": {
            name: [None if cell is None else label_of(cell) for cell in column]
            for name, column in named.extras(used).items()
        },
    }


def units_of(named: Named) -> Units:
    options = named.options
    columns, counted = _columns(UNITS, named)
    lengths: Mapping[str, float] | None = named.table.lengths or None
    if options.length is not None:
        lengths = dict.fromkeys(columns["document"], options.length)
    if options.lengths is not None:
        lengths = lengths_of(options.lengths)
    rows = [columns[role] for role in UNITS.roles]
    beside = _beside(UNITS, named, "lengths")
    units = Units.from_columns(*rows, lengths=lengths, points=options.points, **beside)
    if options.lengths is not None:
        units = replace(units, unit=counted_in(options.lengths))
    if counted is not None:
        units = _counting(units, counted, named.table)
    if "fragments" not in beside["extras"]:
        return units
    from accord.reading.fragments import with_fragments

    fragments = zip(*rows, named.columns["fragments"], strict=True)
    return with_fragments(units, fragments, path=named.table.path, lines=beside["lines"])


def _counting(units: Units, counted: str, table: Table) -> Units:
    """The units with what their places count; the lengths of their documents must count the same."""
    if units.unit not in (None, counted):
        raise InputError(
            f"has places in {counted} and lengths of documents in {units.unit}",
            path=table.path,
            hint=f"give the lengths in {counted}",
        )
    return replace(units, unit=counted)


def boxes_of(named: Named) -> Boxes:
    """One shape a row: the corners of a rectangle, or the points of a polygon."""
    points, lengths = named.column("points"), named.options.lengths
    if points is not None:
        outlined = [cell not in (None, "") for cell in listed(points)]
        corners = [named.found[name] for name in CORNERS if name in named.found]
        named = named.with_columns(_without_corners(named.columns, corners, outlined))
    columns, _ = _columns(BOXES, named)
    sizes, images = ({}, {}) if lengths is None else sizes_of(lengths)
    return Boxes.of(columns, sizes=sizes, images=images, **_beside(BOXES, named, "sizes"))


def _without_corners(
    columns: Mapping[str, Column], names: Iterable[str], outlined: Sequence[bool]
) -> dict[str, Column]:
    """The columns, with corners that are no numbers where a row has an outline, which needs none."""
    cut = {
        name: [
            nan if outline and value in (None, "") else value
            for value, outline in zip(listed(columns[name]), outlined, strict=True)
        ]
        for name in names
    }
    return {**columns, **cut}


def segments_of(named: Named) -> Segments:
    """Masses, or one boundary (or several, separated by spaces) a row."""
    table, options = named.table, named.options
    columns, _ = _columns(SEGMENTS, named)
    lengths = {d: int(n) for d, n in table.lengths.items()} or None
    if options.lengths is not None:
        lengths = {d: int(n) for d, n in lengths_of(options.lengths).items()}
    elif options.length is not None:
        lengths = dict.fromkeys(columns["document"], int(options.length))
    return Segments.of(
        columns,
        lengths=lengths,
        coverage=table.seen,
        categories=options.categories,
        path=table.path,
        lines=_Lines(table),
    )


def chains_of(named: Named) -> Chains:
    """One mention a row; further columns that say one thing about each document group documents."""
    columns, _ = _columns(CHAINS, named)
    groups = {
        name: own
        for name in named.without(*named.found)
        if (own := _per_document(named.texts(name), columns["document"]))
    }
    coverage = named.options.coverage
    seen = named.table.seen if coverage is None else coverage_of(coverage)
    chains = Chains.of(columns, coverage=seen, groups=groups)
    names = {
        (chains.documents[d], chains.annotators[a]): own
        for (d, a), own in (chains.names or {}).items()
    }
    return shared_names(names).kept_by(chains)


def _per_document(values: Sequence[str], documents: Sequence[str]) -> dict[str, str | None]:
    """What a column says about each document; nothing when it says several things about one."""
    found: dict[str, str | None] = {}
    for document, value in zip(documents, values, strict=True):
        if found.setdefault(document, value) != value:
            return {}
    return found


def relations_of(named: Named) -> Relations:
    from accord.reading.relations import units_beside

    columns, _ = _columns(RELATIONS, named)
    given = "source" in columns
    units = units_beside(named.options, given=given, annotators=columns["annotator"])
    return Relations.of(columns, units=units, **_beside(RELATIONS, named))


class _Lines(Sequence[int]):
    """Line numbers looked up only when an error needs one."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return self._table.height

    def __getitem__(self, row: Any) -> Any:
        return self._table.line(row)


def _places(
    named: Named, names: Sequence[str], timed: bool
) -> tuple[list[NDArray[np.float64]], str | None]:
    """The columns of places, and what they count where they say it: clocks show seconds."""
    try:
        return [named.numbers(name) for name in names], None
    except InputError:
        from accord.reading.times import in_seconds

        seconds = in_seconds(named.table, names) if timed else None
        if seconds is None:
            raise
        return seconds, "seconds"
