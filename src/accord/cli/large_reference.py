"""``accord gold`` of ratings that are too many to hold: written to a file, chunk by chunk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from accord.language import spoken

if TYPE_CHECKING:
    from accord.data import Annotations, Ratings

#: values and annotators shown
_SHOWN = 10


def is_large(data: Annotations) -> TypeGuard[Ratings]:
    """Whether an engine counted the items, and they are too many to fetch."""
    from accord.data import Ratings

    return isinstance(data, Ratings) and data.engine is not None and not data.engine.few


def write_large(
    data: Ratings,
    output: Path | None,
    method: str,
    annotators: Path | None,
    *,
    refused: Sequence[str],
    as_json: bool,
    **options: Any,
) -> None:
    """Build the reference and write it; say what was found."""
    from rich.console import Console

    from accord.cli.output import indented, introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.errors import UsageError
    from accord.gold.chunks import gold_file
    from accord.gold.worklist import write_table
    from accord.report.tables import rows_table

    if refused:
        raise UsageError(
            f"{refused[0]} needs the single items, and these are too many to fetch; choose documents "
            "or annotators first"
        )
    if output is None:
        raise UsageError("a reference of so many items is not shown: write it to a file with -o")
    with progress_bar(method) as progress:
        made = gold_file(data, output, method, progress=progress, **options)
    if annotators is not None:
        write_table(annotators, made.annotators, ("annotator",))
    if as_json:
        report = made.to_dict()
        warnings = [*data.notes, *report["warnings"]]
        print_json(report | {"warnings": warnings}, data.reading.whole())
        return
    introduce(data.reading.whole(), data.notes)
    console = Console()
    console.print(
        f"[bold]{spoken('Reference')}[/bold] · {made.method}, "
        + spoken(f"{made.items:,} items of {made.ratings:,} ratings")
        + ", "
        + spoken(f"{made.undecided:,} without a value")
    )
    shares = sorted(zip(made.labels, made.prevalence, strict=True), key=lambda pair: -pair[1])
    console.print(rows_table("values", [{"value": k, "share": s} for k, s in shares[:_SHOWN]]))
    worst = sorted(made.annotators, key=lambda row: row["agreement"])[:_SHOWN]
    name = "annotators" if len(made.annotators) <= _SHOWN else "annotators who agree least with it"
    console.print(rows_table(name, worst))
    indented(console, made.signature, "dim")
    say(made.warnings, prefix="warning")
