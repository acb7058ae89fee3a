"""``accord alt-test``: may this system replace a human annotator?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.language import spoken


@inputs.reads
def alt_test(
    ratings: Annotated[
        Path, typer.Argument(help="The humans: ratings, units, segments or chains.")
    ],
    system: Annotated[
        list[Path] | None,
        typer.Argument(help="The system's answers, several are compared; or --systems."),
    ] = None,
    epsilon: Annotated[
        float, typer.Option(help="Price of a human: .2 experts, .15 skilled, .1 crowd.")
    ] = 0.2,
    q: Annotated[float, typer.Option("--q", help="False discovery rate.")] = 0.05,
    least_items: Annotated[
        int, typer.Option(help="Humans with fewer items are named and left out.")
    ] = 30,
    scoring: Annotated[
        str | None,
        typer.Option(
            help="accuracy or rmse (numbers); units, segments, chains: a score such as f1."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    system_annotator: inputs.SystemAnnotator = None,
    each: inputs.Each = False,
    *,
    how: inputs.How,
) -> None:
    """Test whether a system may stand in for the human annotators."""
    from dataclasses import replace

    from accord.cli.output import indented, introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.cli.rank import read_people
    from accord.data.reading import beside
    from accord.evaluation import alt_test as tested

    judges, systems = read_people(ratings, system, how, system_annotator, each=each)
    found = []
    with progress_bar("alt-test") as progress:
        for name, answers in systems.items():
            result = tested(
                judges, answers, epsilon=epsilon, q=q, least_items=least_items, scoring=scoring
            )
            found.append(replace(result, system=name))
            progress(len(found), len(systems))
    read = beside(judges, systems)
    if as_json:
        print_json(
            found[0].to_dict() if len(found) == 1 else {"systems": [f.to_dict() for f in found]},
            read,
        )
        return
    from rich.console import Console

    from accord.report.tables import rows_table

    introduce(read)
    console = Console()
    for result in found:
        console.print(f"[bold]{spoken(str(result))}[/bold]", highlight=False)
        console.print(rows_table("annotators", list(result.annotators)))
        indented(console, result.signature, "dim")
        say(result.warnings, prefix="warning")
