"""``accord rank``: where do systems stand among the human judges?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import reading

if TYPE_CHECKING:
    from accord.data import Ratings
    from accord.evaluation import Ranking


@reading.reads
def rank(
    ratings: Annotated[Path, typer.Argument(help="Long table of all judges.")],
    system: Annotated[
        list[Path] | None, typer.Argument(help="One file per system; or name them with --systems.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Measures to rank by; all that apply by default."),
    ] = None,
    paired: Annotated[
        bool, typer.Option("--paired", help="Also judge against system, both against the others.")
    ] = False,
    metric: Annotated[str | None, typer.Option(help="Distance between classes.")] = None,
    merge: Annotated[
        list[str] | None, typer.Option(help="NEW=A,B: take values as one class. Repeatable.")
    ] = None,
    ties: Annotated[
        str, typer.Option(help="Ties of the judges: split, abstain, first, random, error.")
    ] = "split",
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: reading.How,
) -> None:
    """Rank systems among the judges, by every measure side by side."""
    from accord.cli.measuring import names
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.evaluation import rank as ranked
    from accord.evaluation.merging import merged, read_merges

    judges, systems = read_judges(ratings, system, how)
    merges = read_merges(merge)
    if merges:
        judges = merged(judges, merges)
        systems = {name: merged(s, merges) for name, s in systems.items()}
    with progress_bar("rank") as progress:
        found = ranked(
            judges, systems, measures=names(measure), paired=paired, metric=metric, ties=ties,
            level=level, resamples=resamples, seed=seed, progress=progress,
        )  # fmt: skip
    notes = [*judges.notes, *(n for s in systems.values() for n in s.notes)]
    if as_json:
        print_json(found.to_dict() | {"warnings": [*notes, *found.warnings]})
        return
    say(notes)
    _show(found)
    say(found.warnings, prefix="warning")


def read_judges(
    ratings: Path,
    paths: list[Path] | None,
    how: reading.How,
) -> tuple[Ratings, dict[str, Ratings]]:
    """The judges and the systems, each system called after its file."""
    from accord.data import Ratings
    from accord.errors import InputError, UsageError

    paths = paths or []
    judges, found = how.read_with_systems(ratings, paths, shape="ratings")
    if not isinstance(judges, Ratings):
        raise InputError("holds no ratings", path=ratings)
    systems: dict[str, Ratings] = {}
    files = [None] * (len(found) - len(paths)) + paths
    for (name, answers), path in zip(found.items(), files, strict=True):
        if not isinstance(answers, Ratings):
            raise InputError("holds no ratings", path=path)
        reading.require_one(answers, path or ratings, "give each system in a file of its own")
        systems[name] = answers
    if not systems:
        raise UsageError(
            "there is no system; give its file, or name it among the annotators with --systems"
        )
    return judges, systems


def _show(found: Ranking) -> None:
    from rich.console import Console

    from accord.report.tables import comparisons_table, rows_table

    console = Console()
    of = len(found.participants)
    console.print(f"[bold]Rank among {len(found.judges)} judges[/bold] · {of} participants")
    for key in ("weak_majority", "unanimous"):
        console.print(f"  {key}: {found.terms[key]:.1%}")
    for name, spread in found.terms["rank_spread"].items():
        rows = [
            {k: v for k, v in r.items() if k not in ("system", "of")}
            for r in found.systems
            if r["system"] == name
        ]
        console.print()
        title = f"{name}: rank {spread['best_rank']} to {spread['worst_rank']} of {of}, by measure"
        console.print(rows_table(title, rows))
        for key, table in found.breakdowns[name].items():
            console.print(rows_table(f"{name}: accuracy by {key}", list(table)))
    if found.paired:
        console.print(
            rows_table("judge against system, both against the other judges", found.paired)
        )
    if found.comparisons:
        console.print(comparisons_table("systems two by two", found.comparisons))
    console.print(f"  {found.signature}", style="dim", highlight=False)
