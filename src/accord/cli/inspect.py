"""`accord inspect`: what is in there."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Container, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs
from accord.cli.keywords import AsJson
from accord.cli.output import blank, copied, fitted, introduce, print_json, say, table, tell
from accord.cli.progress import progress_bar
from accord.errors import in_command
from accord.language import headed, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.data.reading import Reading
    from accord.reading.inspection import Inspection

_ROWS = 20
#: labels that are named, with their counts
_FEW = 8


@inputs.reads
def inspect(
    data: Annotated[
        list[Path], Said("Files, folders or zip archives of one campaign.", metavar="PATH...")
    ],
    *,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """Show what a file, folder or archive holds: documents, annotators, layers, labels, coverage.

    What can be read in two ways is shown in both, each with the command that reads it so.
    """
    from accord.reading.inspection import inspect as look

    with progress_bar(f"reading {data[0].name}"):
        found = look(*data, format=how.format, **how.options)
    words = " ".join([*(shlex.quote(str(path)) for path in data), *how.words])
    if as_json:
        answers = [
            {**way.to_dict(), "command": _command(way.reading, words, in_command(way.option))}
            for way in found.ways
        ]
        command = None if found.reading is None else _command(found.reading, words)
        read = [way.reading for way in found.ways if way.reading] if answers else found.reading
        print_json(found.to_dict() | {"ways": answers, "command": command}, read)
    elif found.ways:
        _ask(found, words)
    else:
        _show(found)
        if found.reading is not None:
            blank()
            copied(_command(found.reading, words))


def _command(reading: Reading | None, words: str, *options: str) -> str:
    """What is typed to measure what was read so; one person's answers are scored."""
    people = [] if reading is None else [p for p in reading.people if p.role == "annotator"]
    verb, others = ("score", ["SYSTEM"]) if len(people) == 1 else ("agree", [])
    return " ".join(["accord", verb, words, *others, *options])


def _ask(found: Inspection, words: str) -> None:
    """The ways to read what can be read in several, each with its first rows and its command."""
    tell(headed(str(found.path), spoken(found.title)), in_command(spoken(found.problem or "")))
    for way in found.ways:
        blank()
        tell(spoken(way.means), style="bold")
        if way.reading is None:
            tell(in_command(spoken(way.problem or "")))
            continue
        introduce(way.reading)
        table("", way.rows, most=len(way.rows))
        blank()
        copied(_command(way.reading, words, in_command(way.option)))


def _show(found: Inspection) -> None:
    tell(headed(str(found.path), spoken(found.title)))
    read_as = found.shape or "more than one thing: choose"
    # of ratings, what an annotator has before them is an item
    rated = found.shape == "ratings"
    what = "items" if rated else "documents"
    pairs, of = (found.coverage.get(name, 0) for name in ("pairs", "of"))
    done = f"{pairs} of {of} {what[:-1]} × annotator combinations were annotated"
    counts = ((len(found.documents), what), (len(found.annotators), "annotators"))
    size = ", ".join(f"{n} {many if n != 1 else many[:-1]}" for n, many in counts)
    tell(fitted(f"{spoken(f'read as {read_as}; {size}')}, {spoken(done)}"))
    _table("annotators", _of_raters(found.annotators) if rated else found.annotators)
    # segments and chains have no labels but these words of ours
    ours = {"(no label)", {"segments": "boundary", "chains": "mention"}.get(found.shape or "")}
    _table("layers", [_layer(row, ours) for row in found.layers])
    _table("questions", [_labels(row, "values") for row in found.questions])
    _table("further columns, kept", found.columns)
    if rated:
        _table("items", _items(found.documents))
    else:
        counted = [{**row, "annotators": len(row["annotators"])} for row in found.documents]
        _table("documents", counted)
    if found.relations:
        rows = [{"relation": name, "count": n} for name, n in found.relations.items()]
        unused = "" if found.shape == "relations" else " (read with --shape relations)"
        _table(f"relations{unused}", rows)
    _table("ignored", found.ignored)
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


def _table(title: str, rows: list[dict[str, Any]]) -> None:
    if rows:
        blank()
        table(title, rows[:_ROWS], most=_ROWS)
    if len(rows) > _ROWS:
        tell(f"… {spoken(f'and {len(rows) - _ROWS} more')}")
