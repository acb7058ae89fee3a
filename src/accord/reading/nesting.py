"""Cells that hold more than one thing: people's answers nested in a record become rows of their own.

A list in the value may be a set of labels or a vector; nothing else stays nested.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from accord.data.ratings import label_of
from accord.data.values import Column
from accord.errors import InputError
from accord.formats.format import ReadOptions
from accord.formats.tables.table import Table
from accord.reading.columns import SYNONYMS, plain_name, shape_of
from accord.reading.layout import is_wide
from accord.reading.named import Named


def unnested(table: Table, options: ReadOptions) -> Table:
    """Give each answer that is nested in a record a row: lists of objects, and answers by person.

    >>> nested = {"text": ["t"], "votes": [{"ana": "A", "ben": "B"}]}
    >>> dict(unnested(Table(columns=nested, objects=True), ReadOptions()).columns)
    {'text': ['t', 't'], 'annotator': ['ana', 'ben'], 'value': ['A', 'B']}
    """
    if not table.objects or options.wide or options.counts:
        return table
    name = _nested_column(table.columns)
    if name is None:
        return table
    outer = [n for n in table.columns if n != name]
    rows: list[dict[str, Any]] = []
    origin: list[int] = []
    named: list[dict[str, Any]] = []
    for row, cell in enumerate(table.columns[name]):
        shared = {n: table.columns[n][row] for n in outer}
        named.append(shared)
        for answer in _answers(cell):
            rows.append(
                shared | {f"{name}.{k}" if k in shared else k: v for k, v in answer.items()}
            )
            origin.append(row)
    if not rows:
        return table
    seen: Sequence[tuple[str, str]] = table.seen
    if any("start" in _roles(row) for row in rows[:1]):
        rows, seen = _in_documents(rows, named)
        if len(set(seen)) < len(seen):
            document, who = next(pair for pair, n in Counter(seen).items() if n > 1)
            raise InputError(
                f"has two records of annotator {who!r} for {document[:40]!r}",
                path=table.path,
                hint="give each record an `id` of its own, or put their answers together",
            )
    names = list(dict.fromkeys([*outer, *(n for row in rows for n in row)]))
    deeper = replace(
        table,
        columns={n: [row.get(n) for row in rows] for n in names},
        line=lambda row: table.line(origin[row]),
        seen=seen,
    )
    return unnested(deeper, options)


def _in_documents(
    rows: list[dict[str, Any]], records: Sequence[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[tuple[str, str]]]:
    """Located answers with the document that they are in, and who saw which, marked or not."""
    roles = _roles(records[0])
    key = next((roles[r] for r in ("document", "item", "text") if r in roles), None)
    if key is None:
        return rows, []
    if "document" not in roles:
        rows = [{"document": label_of(row[key]), **row} for row in rows]
    who = roles.get("annotator")
    if who is None:
        return rows, []
    return rows, [(label_of(r[key]), label_of(r[who])) for r in records]


def _nested_column(columns: Mapping[str, Column]) -> str | None:
    """The column of which the cells hold the answers: with people in them, or places."""
    samples: dict[str, dict[str, Any]] = {}
    for name, cells in columns.items():
        cell = next((c for c in cells if isinstance(c, (list, dict)) and c), None)
        if isinstance(cell, list) and all(isinstance(one, dict) for one in cell):
            samples[name] = cell[0]
        elif isinstance(cell, dict) and not any(isinstance(v, (int, float)) for v in cell.values()):
            samples[name] = {"annotator": ""}
    for role in ("annotator", "start", "value"):
        found = [name for name, one in samples.items() if role in _roles(one)]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _roles(names: Iterable[str]) -> dict[str, str]:
    """Role → the name that is called so."""
    plain = {plain_name(str(name)): name for name in reversed(list(names))}
    roles = ("annotator", "document", "item", "text", "start", "value")
    return {r: plain[n] for r in roles for n in reversed(SYNONYMS[r]) if n in plain}


def _answers(cell: Any) -> list[dict[str, Any]]:
    """The answers of a record, one object each."""
    if isinstance(cell, list):
        return [one for one in cell if isinstance(one, dict)]
    if not isinstance(cell, dict):
        return []
    return [
        {"annotator": who} | (said if isinstance(said, dict) else {_called(said): said})
        for who, said in cell.items()
    ]


def _called(said: Any) -> str:
    """What a person's answer is: places, or a value."""
    return "spans" if isinstance(said, list) and any(isinstance(v, dict) for v in said) else "value"


def refuse_nesting(table: Table, options: ReadOptions) -> None:
    """Lists of words stand in the values of ratings and in masses; other columns hold one thing."""
    if options.counts:
        return
    named = Named.of(table, options)
    found = named.found
    if is_wide(named):
        values = {*named.without("item", "document", "time", "weight")}
        single = table.columns.keys() - values
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
