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

    from accord.data import Annotations
    from accord.data.reading import Reading
    from accord.evaluation import Ranking
    from accord.evaluation.located import LocatedRanking


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
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write all ranks as a table (CSV).")
    ] = None,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the ranks into this SVG file.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Draw the ranks on a page, with their table.")
    ] = None,
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
    from accord.evaluation.located import rank_located

    people, found_systems = read_people(
        ratings, system, how, system_annotator, each=each, alone=True
    )
    given = None if reference is None else how.read_other(reference, shape=people.shape)
    key = key_of(people, given)
    read = beside(people, found_systems, key=given)
    asked = names(measure)
    found: Ranking | LocatedRanking
    with progress_bar("rank") as progress:
        if people.shape == "ratings":
            found = ranked(
                people, found_systems, reference=key, measures=asked, paired=paired, metric=metric, ties=ties,
                level=level, resamples=resamples, seed=seed, progress=progress,
            )  # fmt: skip
        else:
            _refuse_for_located(
                people.shape, asked, paired=paired, metric=metric, ties=ties != "split"
            )
            found = rank_located(
                people, found_systems, reference=key, measure=asked[0] if asked else None, level=level,
                resamples=resamples, seed=seed,
            )  # fmt: skip
    sides = (people, given, *found_systems.values())
    notes = [n for one in sides if one is not None for n in one.notes]
    _write(found, read, output, svg, html)
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


def _refuse_for_located(shape: str, measures: Sequence[str], **typed: object) -> None:
    """What is of ratings alone would change nothing here; ranks are by one measure."""
    from accord.errors import UsageError

    for name, value in typed.items():
        if value:
            raise UsageError(f"`{name}` is for ratings, these data are {shape}")
    if len(measures) > 1:
        raise UsageError(f"{shape} are ranked by one measure, got {', '.join(measures)}")


def _write(
    found: Ranking | LocatedRanking,
    read: Reading,
    output: Path | None,
    svg: Path | None,
    html: Path | None,
) -> None:
    """Write the table and the drawings that were asked for."""
    from accord.data.header import under_title
    from accord.files.atomic import write_text
    from accord.report.curves import stacked
    from accord.report.figure import Table
    from accord.report.scores import figures_page
    from accord.report.sections.ranks import rank_figures

    if output is not None:
        write_text(output, Table.of(found.table).csv())
    if svg is not None:
        drawn = rank_figures(found)
        write_text(svg, drawn[0].standalone() if len(drawn) == 1 else stacked(drawn))
    if html is not None:
        told = [*under_title(read), *map(spoken, found.warnings), found.signature]
        measures = {str(row["measure"]) for row in found.table}
        write_text(html, figures_page("Ranks", rank_figures(found), told, measures))


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


def _show(found: Ranking | LocatedRanking) -> None:
    from rich.console import Console

    from accord.cli.output import indented
    from accord.evaluation import Ranking
    from accord.report.tables import comparisons_table, rows_table

    console = Console()
    if not isinstance(found, Ranking):
        title = (
            f"Rank among {len(found.judges)} people by {found.measure}, {found.documents} documents"
        )
        rows = [{**row, "role": spoken(row["role"])} for row in found.participants]
        console.print(rows_table(title, rows))
        indented(console, found.signature, "dim")
        return
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
