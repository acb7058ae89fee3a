"""``accord rank``: where do systems stand among the human judges?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.agree import METRICS
from accord.language import spoken

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from accord.data import Annotations, Ratings
    from accord.data.reading import Reading
    from accord.evaluation import Ranking


@inputs.reads
def rank(
    ratings: Annotated[Path, typer.Argument(help="Long table of all judges.")],
    system: Annotated[
        list[Path] | None, typer.Argument(help="One file per system; or name them with --systems.")
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(help="Rank by this reference, not by the majority of the judges."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option("--measure", "-m", help="Measures to rank by; all that apply by default."),
    ] = None,
    paired: Annotated[
        bool, typer.Option("--paired", help="Also judge against system, both against the others.")
    ] = False,
    metric: Annotated[
        str | None, typer.Option("--metric", help=f"Distance between classes: {METRICS}.")
    ] = None,
    ties: Annotated[
        str, typer.Option(help="Ties of the judges: split, abstain, first, random, error.")
    ] = "split",
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples.")] = 500,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    system_annotator: inputs.SystemAnnotator = None,
    each: inputs.Each = False,
    *,
    how: inputs.How,
) -> None:
    """Rank systems among the judges, by every measure side by side."""
    from accord.cli.measure_choice import names
    from accord.cli.output import introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.data.reading import beside
    from accord.evaluation import rank as ranked
    from accord.evaluation.entrants import key_of

    people, found_systems = read_people(
        ratings, system, how, system_annotator, each=each, alone=True
    )
    given = None if reference is None else how.read_other(reference, shape=people.shape)
    key = key_of(people, given)
    read = beside(people, found_systems, key=given)
    if people.shape != "ratings":
        _located(people, found_systems, key, read, names(measure), level, resamples, seed, as_json)
        return
    judges, systems = as_ratings(people, found_systems, ratings)
    with progress_bar("rank") as progress:
        found = ranked(
            judges, systems, reference=key, measures=names(measure), paired=paired, metric=metric, ties=ties,
            level=level, resamples=resamples, seed=seed, progress=progress,
        )  # fmt: skip
    notes = [n for one in (judges, given, *systems.values()) if one is not None for n in one.notes]
    if as_json:
        print_json(found.to_dict() | {"warnings": [*notes, *found.warnings]}, read)
        return
    introduce(read, notes)
    _show(found)
    say([w for w in found.warnings if w not in notes], prefix="warning")


def read_people(
    data: Path,
    paths: list[Path] | None,
    how: inputs.How,
    system_annotator: str | None,
    *,
    each: bool,
    alone: bool = False,
) -> tuple[Annotations, dict[str, Annotations]]:
    """The people and the systems, each system called after its file or its name in the data.

    People may be `alone` where it is told later whether systems are needed.
    """
    from accord.errors import UsageError
    from accord.evaluation.entrants import NO_SYSTEM

    people, found = how.read_with_systems(
        data, paths or [], system_annotator=system_annotator, each=each
    )
    if not found and not alone:
        raise UsageError(NO_SYSTEM)
    return people, found


def as_ratings(
    people: Annotations, systems: Mapping[str, Annotations], path: Path
) -> tuple[Ratings, dict[str, Ratings]]:
    """The same, which must be ratings."""
    from accord.data import Ratings
    from accord.errors import InputError

    if not isinstance(people, Ratings):
        raise InputError("holds no ratings", path=path)
    return people, {name: s for name, s in systems.items() if isinstance(s, Ratings)}


def _located(
    people: Annotations,
    systems: Mapping[str, Annotations],
    key: Annotations | None,
    read: Reading,
    measures: Sequence[str],
    level: float,
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Units, segments and chains: everybody by their mean score against the people."""
    from rich.console import Console

    from accord.cli.output import indented, introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.evaluation.located import rank_located
    from accord.report.tables import rows_table

    with progress_bar("rank"):
        found = rank_located(
            people, systems, reference=key, measure=measures[0] if measures else None, level=level,
            resamples=resamples, seed=seed,
        )  # fmt: skip
    if as_json:
        print_json(found.to_dict() | {"warnings": [*people.notes, *found.warnings]}, read)
        return
    console = Console()
    introduce(read, people.notes)
    console.print(
        rows_table(
            f"Rank among {len(found.judges)} people by {found.measure}, {found.documents} documents",
            [{**row, "role": spoken(row["role"])} for row in found.participants],
        )
    )
    indented(console, found.signature, "dim")
    say([w for w in found.warnings if w not in people.notes], prefix="warning")


#: what is said of the judges, from 0 to 1
_TOLD = {
    "weak_majority": "on {:.1%} of the items no value has half of the votes",
    "unanimous": "on {:.1%} of the items all judges agree",
}
#: breakdown → its title
_BREAKDOWNS = {
    "majority": "accuracy by the share of the majority",
    "unanimous": "accuracy where all judges agree, and where not",
    "unanimity_effect": "accuracy if only unanimous items were kept",
}


def _show(found: Ranking) -> None:
    from rich.console import Console

    from accord.cli.output import indented
    from accord.report.tables import comparisons_table, rows_table

    console = Console()
    of = len(found.participants)
    title = spoken(f"Rank among {len(found.judges)} judges")
    console.print(f"[bold]{title}[/bold] · {spoken(f'{of} participants')}")
    for key, sentence in _TOLD.items():
        if key in found.terms:
            indented(console, spoken(sentence.format(found.terms[key])))
    if any("others" in row for row in found.participants):
        title = "everybody against the reference, and against the others"
        console.print()
        console.print(rows_table(title, _everybody(found)))
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
            console.print(
                rows_table(
                    f"{name}: {_BREAKDOWNS.get(key, f'accuracy by {key}')}",
                    [_told(row, key) for row in table],
                )
            )
    for name in dict.fromkeys(row["system"] for row in found.paired or ()):
        mine = [
            {k: v for k, v in row.items() if k not in ("system", "duels", "of")}
            for row in found.paired
            if row["system"] == name
        ]
        console.print()
        console.print(rows_table(f"{name} against each judge, both against the other judges", mine))
    if found.comparisons:
        console.print(comparisons_table("systems two by two", found.comparisons))
    indented(console, found.signature, "dim")


def _everybody(found: Ranking) -> list[dict[str, Any]]:
    """The participants by the first measure, the best first."""
    by = found.measures[0]
    rows = [
        {
            "name": row["name"],
            "role": spoken(row["role"]),
            "n": row["n"],
            "rank": row["ranks"][by],
            by: row["scores"][by],
            "others": row["others"][by],
        }
        for row in found.participants
    ]
    return sorted(rows, key=lambda row: (row["rank"], row["name"]))


def _told(row: Mapping[str, Any], key: str) -> dict[str, Any]:
    """A row of a breakdown, its first cell in words of ours unless it is a category of theirs."""
    first = row.get(key)
    ours = isinstance(first, str) and (key != "category" or first == "(tie)")
    return {**row, key: spoken(str(first))} if ours else dict(row)
