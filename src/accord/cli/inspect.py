"""`accord inspect`: what is in there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.output import print_json, say

if TYPE_CHECKING:
    from accord.formats.inspection import Inspection

_ROWS = 20


@inputs.reads
def inspect(
    path: Annotated[Path, typer.Argument(help="A file, a folder or a zip archive.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Show what a file, folder or archive holds: documents, annotators, layers, labels, coverage."""
    from accord.formats.inspection import inspect as look

    found = look(path, format=how.format, **how.options)
    if json:
        print_json(found.to_dict())
    else:
        _show(found)


def _show(found: Inspection) -> None:
    from rich.console import Console

    console = Console()
    console.print(f"{found.path}: {found.title}", markup=False, highlight=False)
    read_as = found.shape or "more than one thing: choose"
    console.print(
        f"read as {read_as}; {len(found.documents)} documents, {len(found.annotators)} annotators, "
        f"{found.coverage.get('pairs', 0)} of {found.coverage.get('of', 0)} pairs seen",
        markup=False,
        highlight=False,
    )
    _table(console, "annotators", found.annotators)
    _table(console, "layers", [_layer(row) for row in found.layers])
    _table(console, "questions", [_labels(row, "values") for row in found.questions])
    _table(console, "further columns, kept", found.columns)
    _table(
        console,
        "documents",
        [{**row, "annotators": len(row["annotators"])} for row in found.documents],
    )
    if found.relations:
        rows = [{"relation": name, "count": n} for name, n in found.relations.items()]
        _table(console, "relations (counted, not used)", rows)
    _table(console, "ignored", found.ignored)
    say(found.notes)
    if found.problem:
        say([found.problem], prefix="to read it")


def _layer(row: dict[str, Any]) -> dict[str, Any]:
    shown = _labels(row, "labels")
    shown["features"] = ", ".join(shown.get("features") or ())
    return {k: v for k, v in shown.items() if v not in (None, "", False, 0) or k == "layer"}


def _labels(row: dict[str, Any], key: str) -> dict[str, Any]:
    counts = row[key]
    few = ", ".join(f"{label} {n}" for label, n in list(counts.items())[:8])
    more = f" and {len(counts) - 8} more" if len(counts) > 8 else ""
    return {**row, key: few + more}


def _table(console: Any, title: str, rows: list[dict[str, Any]]) -> None:
    from accord.report.tables import rows_table

    if rows:
        console.print()
        console.print(rows_table(title, rows[:_ROWS], most=_ROWS))
    if len(rows) > _ROWS:
        console.print(f"… and {len(rows) - _ROWS} more", highlight=False)
