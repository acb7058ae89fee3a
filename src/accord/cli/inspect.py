"""`accord inspect`: what is in there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.output import print_json, say, tell
from accord.language import headed, spoken

if TYPE_CHECKING:
    from accord.reading.inspection import Inspection

_ROWS = 20
#: labels that are named, with their counts
_FEW = 8


@inputs.reads
def inspect(
    source: Annotated[
        Path, typer.Argument(help="A file, a folder or a zip archive.", metavar="PATH")
    ],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Show what a file, folder or archive holds: documents, annotators, layers, labels, coverage."""
    from accord.cli.progress import progress_bar
    from accord.reading.inspection import inspect as look

    with progress_bar(f"reading {source.name}"):
        found = look(source, format=how.format, **how.options)
    if json:
        print_json(found.to_dict())
    else:
        _show(found)


def _show(found: Inspection) -> None:
    from rich.console import Console

    console = Console()
    tell(headed(str(found.path), spoken(found.title)))
    read_as = found.shape or "more than one thing: choose"
    # of ratings, what an annotator has before them is an item
    rated = found.shape == "ratings"
    what = "items" if rated else "documents"
    seen = f"{found.coverage.get('pairs', 0)} of {found.coverage.get('of', 0)} pairs seen"
    counts = ((len(found.documents), what), (len(found.annotators), "annotators"))
    size = ", ".join(f"{n} {many if n != 1 else many[:-1]}" for n, many in counts) + f", {seen}"
    tell(spoken(f"read as {read_as}; {size}"))
    _table(console, "annotators", _of_raters(found.annotators) if rated else found.annotators)
    # segments and chains have no labels but these words of ours
    ours = {"(no label)", {"segments": "boundary", "chains": "mention"}.get(found.shape or "")}
    _table(console, "layers", [_layer(row, ours) for row in found.layers])
    _table(console, "questions", [_labels(row, "values") for row in found.questions])
    _table(console, "further columns, kept", found.columns)
    if rated:
        _table(console, "items", _items(found.documents))
    else:
        counted = [{**row, "annotators": len(row["annotators"])} for row in found.documents]
        _table(console, "documents", counted)
    if found.relations:
        rows = [{"relation": name, "count": n} for name, n in found.relations.items()]
        unused = "" if found.shape == "relations" else " (read with --shape relations)"
        _table(console, f"relations{unused}", rows)
    _table(console, "ignored", found.ignored)
    say(found.notes)
    if found.problem:
        say([found.problem], prefix="to read it")


def _of_raters(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"annotator": r["annotator"], "items": r["documents"], "ratings": r["annotations"]}
        for r in rows
    ]


def _items(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """How many items have how many annotators; there may be thousands of them."""
    counts = Counter(len(row["annotators"]) for row in rows)
    return [{"annotators": k, "items": n} for k, n in sorted(counts.items(), reverse=True)]


def _layer(row: dict[str, Any], ours: Container[str | None]) -> dict[str, Any]:
    told = {spoken(name) if name in ours else name: n for name, n in row["labels"].items()}
    shown = _labels({**row, "labels": told}, "labels")
    shown["features"] = ", ".join(shown.get("features") or ())
    return {k: v for k, v in shown.items() if v not in (None, "", False, 0) or k == "layer"}


def _labels(row: dict[str, Any], key: str) -> dict[str, Any]:
    counts = row[key]
    row = {k: v for k, v in row.items() if v != ""}
    numbers = _numbers(counts)
    if len(counts) > _FEW and numbers is not None:
        return {**row, key: spoken(f"numbers from {min(numbers):g} to {max(numbers):g}")}
    few = ", ".join(f"{label} {n}" for label, n in list(counts.items())[:_FEW])
    more = f" {spoken(f'and {len(counts) - _FEW} more')}" if len(counts) > _FEW else ""
    return {**row, key: few + more}


def _numbers(labels: Iterable[str]) -> list[float] | None:
    try:
        return [float(label) for label in labels]
    except ValueError:
        return None


def _table(console: Any, title: str, rows: list[dict[str, Any]]) -> None:
    from accord.report.tables import rows_table

    if rows:
        console.print()
        console.print(rows_table(title, rows[:_ROWS], most=_ROWS))
    if len(rows) > _ROWS:
        tell(f"… {spoken(f'and {len(rows) - _ROWS} more')}")
