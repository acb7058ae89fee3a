"""``accord gold`` of ratings that are too many to hold: written to a file, chunk by chunk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from accord.cli.output import answer, headline, indented, table
from accord.cli.progress import progress_bar
from accord.errors import UsageError
from accord.language import spoken

if TYPE_CHECKING:
    from accord.data import Annotations, Ratings
    from accord.gold.chunks import FileReference

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
    as_json: bool,
    **options: Any,
) -> None:
    """Build the reference and write it; say what was found."""
    from accord.gold.chunks import gold_file
    from accord.gold.tables import write_table

    if output is None:
        raise UsageError("a reference of so many items is not shown: write it to a file with -o")
    with progress_bar(method) as progress:
        made = gold_file(data, output, method, progress=progress, **options)
    if annotators is not None:
        write_table(annotators, made.annotators, ("annotator",))
    answer(
        as_json,
        made.to_dict(),
        data.reading.whole(),
        lambda: _show(made),
        notes=data.notes,
        warnings=made.warnings,
    )


def _show(made: FileReference) -> None:
    items = spoken(f"{made.items:,} items of {made.ratings:,} ratings")
    undecided = spoken(f"{made.undecided:,} without a value")
    headline(spoken("Reference"), f" · {made.method}, {items}, {undecided}")
    shares = sorted(zip(made.labels, made.prevalence, strict=True), key=lambda pair: -pair[1])
    table("values", [{"value": k, "share": s} for k, s in shares[:_SHOWN]])
    worst = sorted(made.annotators, key=lambda row: row["agreement"])[:_SHOWN]
    name = "annotators" if len(made.annotators) <= _SHOWN else "annotators who agree least with it"
    table(name, worst)
    indented(made.signature, "dim")
