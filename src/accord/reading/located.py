"""Tables of located annotations to units, segments, chains, relations and boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Boxes, Chains, Relations, Segments, Units
from accord.data.boxes import with_outlines
from accord.data.ratings import label_of
from accord.data.values import Column, is_number
from accord.errors import InputError
from accord.formats.coreference.entity_names import shared_names
from accord.formats.format import ReadOptions
from accord.formats.tables.cells import Cells
from accord.formats.tables.table import Table
from accord.reading.columns import NEEDED
from accord.reading.scale import labels_of, with_decimal_points


def units_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Units:
    height = table.height
    documents = _texts(table, found.get("document"), [options.document or "document"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    refuse_unnamed(table, "document", documents)
    refuse_unnamed(table, "annotator", who)
    labels = _labels(table, found.get("label"), options)
    (start, end), counted = _places(table, found, "start", "end")
    lengths = None
    if options.length is not None:
        lengths = dict.fromkeys(documents, options.length)
    from accord.reading.sidecars import counted_in, coverage_of, lengths_of

    if options.lengths is not None:
        lengths = lengths_of(options.lengths)
    coverage = None if options.coverage is None else coverage_of(options.coverage)
    beside = {Path(p).name for p in (options.lengths, options.coverage) if p is not None}
    extras = extras_of(table, found, _placed(found))
    units = Units.from_columns(
        documents,
        who,
        start,
        end,
        labels,
        lengths=lengths,
        coverage=coverage,
        notes=[
            *table.notes,
            *(f"lengths or coverage taken from {name}" for name in sorted(beside)),
        ],
        categories=options.categories,
        points=options.points,
        duplicates=options.duplicates,
        path=table.path,
        lines=_Lines(table),
        extras={
            name: [None if cell is None else label_of(cell) for cell in column]
            for name, column in extras.items()
        },
    )
    if options.lengths is not None:
        units = replace(units, unit=counted_in(options.lengths))
    if counted is not None:
        units = _counting(units, counted, table)
    if "fragments" not in extras:
        return units
    from accord.reading.fragments import with_fragments

    rows = zip(documents, who, start, end, labels, extras["fragments"], strict=True)
    return with_fragments(units, rows, path=table.path, lines=_Lines(table))


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
    from accord.reading.sidecars import coverage_of, sizes_of

    height = table.height
    image = found.get("document")
    documents = _texts(table, image, [options.document or "image"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    refuse_unnamed(table, "document", documents)
    refuse_unnamed(table, "annotator", who)
    labels = _labels(table, found.get("label"), options)
    cells = _listed_cells(table, found.get("points"))
    corners = np.column_stack(
        [_corner(table, found.get(c), cells) for c in ("x0", "y0", "x1", "y1")]
    )
    corners, outlines = with_outlines(corners, cells, path=table.path, line=table.line)
    sizes, images = ({}, {}) if options.lengths is None else sizes_of(options.lengths)
    beside = {Path(p).name for p in (options.lengths, options.coverage) if p is not None}
    used = [
        image,
        *(found.get(c) for c in ("annotator", "label", "points", "x0", "y0", "x1", "y1")),
    ]
    return Boxes.from_columns(
        documents,
        who,
        corners,
        labels,
        outlines=outlines,
        sizes=sizes,
        images=images,
        coverage=None if options.coverage is None else coverage_of(options.coverage),
        categories=options.categories,
        # people do draw the same box twice, and rows of a table are easily copied: an error as for units
        duplicates=options.duplicates,
        notes=[
            *table.notes,
            *(f"sizes or coverage taken from {name}" for name in sorted(beside)),
        ],
        path=table.path,
        lines=_Lines(table),
        extras={
            name: [None if cell is None else label_of(cell) for cell in column]
            for name, column in extras_of(table, found, used).items()
        },
    )


def _listed_cells(table: Table, name: str | None) -> list[Any]:
    if name is None:
        return [None] * table.height
    column = table.columns[name]
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _corner(table: Table, name: str | None, outlines: Sequence[Any]) -> NDArray[np.float64]:
    """One coordinate of every rectangle; rows with an outline need none."""
    if name is None:
        return np.full(table.height, np.nan)
    if all(cell in (None, "") for cell in outlines):
        return _numbers(table, name)
    own = [
        "nan" if value in (None, "") and cell not in (None, "") else value
        for value, cell in zip(_listed_cells(table, name), outlines, strict=True)
    ]
    rows = [i for i, value in enumerate(own) if value != "nan"]
    read = replace(
        table, columns={name: [own[i] for i in rows]}, line=lambda k: table.line(rows[k])
    )
    found = np.full(table.height, np.nan)
    found[rows] = _numbers(read, name)
    return found


def _placed(found: Mapping[str, str]) -> list[str | None]:
    return [found.get(c) for c in ("document", "annotator", "start", "end", "label")]


def segments_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Segments:
    documents = _texts(
        table, found.get("document"), [options.document or "document"] * table.height
    )
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * table.height)
    if "masses" not in found:
        return _boundaries(table, found, options, documents, who)
    rows = []
    for i, text in enumerate(table.columns[found["masses"]]):
        parts = text if isinstance(text, (list, tuple)) else str(text).replace(",", " ").split()
        try:
            masses = [int(p) for p in parts]
        except (ValueError, TypeError, OverflowError):
            raise InputError(
                f"the masses must be whole numbers, got {text!r}",
                path=table.path,
                line=table.line(i),
            ) from None
        rows.append((documents[i], who[i], masses))
    return Segments.from_masses(rows, path=table.path, lines=_Lines(table))


def _boundaries(
    table: Table,
    found: Mapping[str, str],
    options: ReadOptions,
    documents: Sequence[str],
    who: Sequence[str],
) -> Segments:
    """One boundary (or several, separated by spaces) a row, with a type when there is a column."""
    from accord.reading.sidecars import lengths_of

    if options.lengths is not None:
        lengths = {d: int(n) for d, n in lengths_of(options.lengths).items()}
    elif options.length is not None:
        lengths = dict.fromkeys(documents, int(options.length))
    else:
        raise InputError(
            "lists boundaries without the length of the documents",
            path=table.path,
            hint="give it with `length` or `lengths`, or give masses (segment lengths)",
        )
    types = _labels(table, found.get("type"), options)
    rows: list[tuple[str, str, int, str | None]] = []
    lines: list[int] = []
    for i, text in enumerate(table.columns[found["boundary"]]):
        for part in ("" if text is None else str(text)).replace(",", " ").split():
            if not part.isdecimal():
                raise InputError(
                    f"a boundary must be a whole number, got {part!r}",
                    path=table.path,
                    line=table.line(i),
                )
            rows.append((documents[i], who[i], int(part), types[i]))
            lines.append(table.line(i) or 0)
    return Segments.from_boundaries(
        rows,
        lengths=lengths,
        coverage=list(zip(documents, who, strict=True)),
        categories=options.categories,
        path=table.path,
        lines=lines,
    )


def chains_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Chains:
    height = table.height
    documents = _texts(table, found.get("document"), [options.document or "document"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    entities = _texts(table, found["entity"], [])
    if "mention" in found:
        mentions: Sequence[Any] = _texts(table, found["mention"], [])
    else:
        start, end = (_numbers(table, found[c]) for c in ("start", "end"))
        mentions = [(int(s), int(e)) for s, e in zip(start, end, strict=True)]
    clusters: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for d, a, m, e in zip(documents, who, mentions, entities, strict=True):
        clusters.setdefault((d, a), {}).setdefault(e, []).append(m)
    if options.coverage is not None:
        from accord.reading.sidecars import coverage_of

        for pair in coverage_of(options.coverage):
            clusters.setdefault(pair, {})
    names = {key: list(entities) for key, entities in clusters.items()}
    used = {*found.values()}
    groups = {
        column: own
        for column in table.columns
        if column not in used and (own := _per_document(_texts(table, column, []), documents))
    }
    return Chains.from_clusters(
        {key: list(entities.values()) for key, entities in clusters.items()},
        names=names,
        groups=groups,
        notes=shared_names(names),
    )


def _per_document(values: Sequence[str], documents: Sequence[str]) -> dict[str, str | None]:
    """What a column says about each document; nothing when it says several things about one."""
    found: dict[str, str | None] = {}
    for document, value in zip(documents, values, strict=True):
        if found.setdefault(document, value) != value:
            return {}
    return found


def relations_of(table: Table, found: Mapping[str, str], options: ReadOptions) -> Relations:
    height = table.height
    documents = _texts(table, found.get("document"), [options.document or "document"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    refuse_unnamed(table, "document", documents)
    refuse_unnamed(table, "annotator", who)
    labels = _labels(table, found.get("label"), options)
    from accord.reading.relations import units_beside
    from accord.reading.sidecars import coverage_of

    columns: dict[str, Sequence[Any]] = {}
    if all(name in found for name in NEEDED["relations"][0]):
        places, _ = _places(table, found, *NEEDED["relations"][0])
        columns["source"] = list(zip(places[0].tolist(), places[1].tolist(), strict=True))
        columns["target"] = list(zip(places[2].tolist(), places[3].tolist(), strict=True))
    else:
        for name in ("source", "target"):
            columns[name] = _texts(table, found[name], [])
            refuse_unnamed(table, name, columns[name])
    kinds = [_texts(table, found.get(f"{end}_label"), [None] * height) for end in columns]
    seen = options.coverage
    return Relations.from_rows(
        list(
            zip(
                documents,
                who,
                columns["source"],
                columns["target"],
                labels,
                strict=True,
            )
        ),
        coverage=None if seen is None else coverage_of(seen),
        units=units_beside(options, given="source_start" not in found, annotators=who),
        categories=options.categories,
        kinds=list(zip(*kinds, strict=True)),
        duplicates=options.duplicates,
        notes=[*table.notes, *([] if seen is None else [f"coverage taken from {Path(seen).name}"])],
        path=table.path,
        lines=_Lines(table),
    )


class _Lines(Sequence[int]):
    """Line numbers looked up only when an error needs one."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return self._table.height

    def __getitem__(self, row: Any) -> Any:
        return self._table.line(row)


def _texts(table: Table, name: str | None, default: Sequence[Any]) -> Sequence[Any]:
    if name is None:
        return list(default)
    column = table.columns[name]
    if isinstance(column, Cells):
        return column
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    if set(map(type, listed)) == {str} and "" not in listed:
        return list(listed)
    return [
        None if v is None or v == "" or v != v else (v if isinstance(v, str) else label_of(v))
        for v in listed
    ]


def _labels(table: Table, name: str | None, options: ReadOptions) -> Sequence[str | None]:
    """A column of labels under the names that they are given, None where there is none."""
    if name is None:
        return [None] * table.height
    return labels_of(_texts(table, name, []), options, table.record)


def _places(
    table: Table, found: Mapping[str, str], *roles: str
) -> tuple[list[NDArray[np.float64]], str | None]:
    """The columns of places, and what they count where they say it: clocks show seconds."""
    names = [found[role] for role in roles]
    try:
        return [_numbers(table, name) for name in names], None
    except InputError:
        from accord.reading.times import in_seconds

        seconds = in_seconds(table, names)
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
