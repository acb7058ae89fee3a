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
from accord.data.values import Column, is_number, listed
from accord.errors import InputError
from accord.formats.coreference.entity_names import shared_names
from accord.formats.format import ReadOptions
from accord.formats.tables.cells import Cells
from accord.formats.tables.table import Table
from accord.reading.scale import labels_of, with_decimal_points


def _columns(
    schema: Schema, table: Table, found: Mapping[str, str], options: ReadOptions
) -> tuple[dict[str, Any], str | None]:
    """The columns of a shape by role, each read as its kind, and what its places count.

    Places are read together: where one is a time, all are.
    """
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
            columns[role] = _texts(table, found[role])
            if kind == "label":
                columns[role] = labels_of(columns[role], options, table.record)
            else:
                refuse_unnamed(table, role, columns[role])
    places, counted = _places(table, [found[role] for role in numbers], schema.timed)
    return columns | dict(zip(numbers, places, strict=True)), counted


def _beside(
    schema: Schema, table: Table, found: Mapping[str, str], options: ReadOptions, lengths: str = ""
) -> dict[str, Any]:
    """What tables tell beside the rows; `lengths` is what a table of documents is said to have."""
    from accord.reading.sidecars import SIDECARS, coverage_of, sidecars_of

    used = [found[role] for role in schema.roles if role in found]
    sides = (options.lengths if lengths else None, options.coverage)
    own = {} if table.path is None else sidecars_of(Path(table.path))
    known = {*SIDECARS, *(path.name for path in own.values())}
    # (who names another table knows that it is read)
    told = {Path(path).name for path in sides if path is not None} & known
    what = f"{lengths} or coverage" if lengths else "coverage"
    if told:
        table.record.assume(f"{what} taken from {' and '.join(sorted(told))}")
    return {
        "coverage": (table.seen or None)
        if options.coverage is None
        else coverage_of(options.coverage),
        "categories": options.categories,
        "duplicates": options.duplicates,
        "notes": table.notes,
        "path": table.path,
        "lines": _Lines(table),
        "extras": {
            name: [None if cell is None else label_of(cell) for cell in column]
            for name, column in extras_of(table, found, used).items()
        },
    }


def units_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Units:
    from accord.reading.sidecars import counted_in, lengths_of

    columns, counted = _columns(UNITS, table, found, options)
    lengths = None
    if options.length is not None:
        lengths = dict.fromkeys(columns["document"], options.length)
    if options.lengths is not None:
        lengths = lengths_of(options.lengths)
    rows = [columns[role] for role in UNITS.roles]
    beside = _beside(UNITS, table, found, options, "lengths")
    units = Units.from_columns(*rows, lengths=lengths, points=options.points, **beside)
    if options.lengths is not None:
        units = replace(units, unit=counted_in(options.lengths))
    if counted is not None:
        units = _counting(units, counted, table)
    if "fragments" not in beside["extras"]:
        return units
    from accord.reading.fragments import with_fragments

    fragments = zip(*rows, table.columns["fragments"], strict=True)
    return with_fragments(units, fragments, path=table.path, lines=beside["lines"])


def _counting(units: Units, counted: str, table: Table) -> Units:
    """The units with what their places count; the lengths of their documents must count the same."""
    if units.unit not in (None, counted):
        raise InputError(
            f"has places in {counted} and lengths of documents in {units.unit}",
            path=table.path,
            hint=f"give the lengths in {counted}",
        )
    return replace(units, unit=counted)


def boxes_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Boxes:
    """One shape a row: the corners of a rectangle, or the points of a polygon."""
    from accord.reading.sidecars import sizes_of

    if "points" in found:
        outlined = [cell not in (None, "") for cell in listed(table.columns[found["points"]])]
        corners = {name: found[name] for name in CORNERS if name in found}
        table = replace(table, columns=_without_corners(table, corners.values(), outlined))
    columns, _ = _columns(BOXES, table, found, options)
    sizes, images = ({}, {}) if options.lengths is None else sizes_of(options.lengths)
    beside = _beside(BOXES, table, found, options, "sizes")
    return Boxes.of(columns, sizes=sizes, images=images, **beside)


def _without_corners(
    table: Table, names: Iterable[str], outlined: Sequence[bool]
) -> dict[str, Column]:
    """The columns, with corners that are no numbers where a row has an outline, which needs none."""
    columns = dict(table.columns)
    for name in names:
        columns[name] = [
            nan if outline and value in (None, "") else value
            for value, outline in zip(listed(columns[name]), outlined, strict=True)
        ]
    return columns


def segments_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Segments:
    """Masses, or one boundary (or several, separated by spaces) a row."""
    from accord.reading.sidecars import lengths_of

    columns, _ = _columns(SEGMENTS, table, found, options)
    lengths = None
    if options.lengths is not None:
        lengths = {d: int(n) for d, n in lengths_of(options.lengths).items()}
    elif options.length is not None:
        lengths = dict.fromkeys(columns["document"], int(options.length))
    return Segments.of(
        columns,
        lengths=lengths,
        categories=options.categories,
        path=table.path,
        lines=_Lines(table),
    )


def chains_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Chains:
    """One mention a row; further columns that say one thing about each document group documents."""
    from accord.reading.sidecars import coverage_of

    columns, _ = _columns(CHAINS, table, found, options)
    used = {*found.values()}
    groups = {
        name: own
        for name in table.columns
        if name not in used and (own := _per_document(_texts(table, name), columns["document"]))
    }
    seen = () if options.coverage is None else coverage_of(options.coverage)
    chains = Chains.of(columns, coverage=seen, groups=groups)
    return shared_names(
        {
            (chains.documents[d], chains.annotators[a]): own
            for (d, a), own in (chains.names or {}).items()
        }
    ).kept_by(chains)


def _per_document(values: Sequence[str], documents: Sequence[str]) -> dict[str, str | None]:
    """What a column says about each document; nothing when it says several things about one."""
    found: dict[str, str | None] = {}
    for document, value in zip(documents, values, strict=True):
        if found.setdefault(document, value) != value:
            return {}
    return found


def relations_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Relations:
    from accord.reading.relations import units_beside

    columns, _ = _columns(RELATIONS, table, found, options)
    given = "source" in columns
    units = units_beside(options, given=given, annotators=columns["annotator"])
    return Relations.of(columns, units=units, **_beside(RELATIONS, table, found, options))


class _Lines(Sequence[int]):
    """Line numbers looked up only when an error needs one."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return self._table.height

    def __getitem__(self, row: Any) -> Any:
        return self._table.line(row)


def _texts(table: Table, name: str) -> Sequence[Any]:
    column = table.columns[name]
    if isinstance(column, Cells):
        return column
    cells = listed(column)
    if set(map(type, cells)) == {str} and "" not in cells:
        return cells
    return [
        None if v is None or v == "" or v != v else (v if isinstance(v, str) else label_of(v))
        for v in cells
    ]


def _places(
    table: Table, names: Sequence[str], timed: bool
) -> tuple[list[NDArray[np.float64]], str | None]:
    """The columns of places, and what they count where they say it: clocks show seconds."""
    try:
        return [_numbers(table, name) for name in names], None
    except InputError:
        from accord.reading.times import in_seconds

        seconds = in_seconds(table, names) if timed else None
        if seconds is None:
            raise
        return seconds, "seconds"


def _numbers(table: Table, name: str) -> NDArray[np.float64]:
    column = with_points(table, name)
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    if isinstance(column, Cells):
        numbers = column.numbers()
        if numbers is not None:
            return numbers
    out = []
    for i, value in enumerate(column):
        if isinstance(value, str) and not is_number(value.strip()):
            raise InputError(
                f"the {name} must be a number, got {value!r}", path=table.path, line=table.line(i)
            )
        try:
            out.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"the {name} must be a number, got {value!r}", path=table.path, line=table.line(i)
            ) from None
    return np.array(out, dtype=np.float64)


def refuse_unnamed(table: Table, what: str, column: Column) -> None:
    """Every row must name its item and its annotator."""
    if isinstance(column, np.ndarray):
        column = (
            [None if v != v else v for v in column.tolist()] if column.dtype.kind == "f" else [0]
        )
    if None in column or "" in column:
        row = next(i for i, v in enumerate(column) if v is None or v == "")
        raise InputError(
            f"the {what} is empty",
            path=table.path,
            line=table.line(row),
            hint="name it or drop the row",
        )


def with_points(table: Table, name: str) -> Column:
    column = table.columns[name]
    return with_decimal_points(column) if table.decimal_comma else column


def extras_of(
    table: Table, found: Mapping[str, str], used: Sequence[str | None]
) -> dict[str, Column]:
    """The columns that nothing else uses, such as texts and remarks; the text is called so."""
    taken = {*used, *(found[c] for c in ("document", "time", "weight") if c in found)}
    called = {found["text"]: "text"} if "text" in found else {}
    return {called.get(n, n): c for n, c in table.columns.items() if n not in taken}
