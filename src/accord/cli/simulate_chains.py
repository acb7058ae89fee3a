"""``accord simulate chains``: what coreference scores owe to entity size, number, singletons."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.language import figures, spoken


@inputs.told
def chains(
    factor: Annotated[
        str | None, typer.Argument(help="size, entities or singletons; all three by default.")
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="Scores; the usual ones by default.")
    ] = None,
    levels: Annotated[
        str | None, typer.Option("--levels", help="Levels of the factor: 0,0.25,0.5.")
    ] = None,
    error: Annotated[
        str,
        typer.Option(
            "--error",
            help="move, isolate, omit, split, merge, all-singletons or one-entity.",
        ),
    ] = "move",
    rate: Annotated[float, typer.Option("--rate", help="How often the error is made.")] = 0.2,
    mentions: Annotated[int, typer.Option("--mentions", help="Mentions per document.")] = 200,
    size: Annotated[float, typer.Option("--size", help="Mentions per entity.")] = 4.0,
    singletons: Annotated[float, typer.Option("--singletons", help="Share of singletons.")] = 0.0,
    repetitions: Annotated[
        int | None,
        typer.Option(
            "--repetitions", help="Made-up documents per level (200), or responses to --like (20)."
        ),
    ] = None,
    like: Annotated[
        Path | None,
        typer.Option(
            "--like", help="The same on your own chains: what a wrong mention costs there."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw into this SVG file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Influence of entity size, number of entities and singletons on coreference scores."""
    from accord.errors import UsageError

    if like is not None:
        if factor is not None or levels is not None:
            raise UsageError("--like takes the sizes that your data have: leave FACTOR out")
        _own(like, measure, error, rate, repetitions or 20, seed, as_json)
        return
    from accord.cli.measure_choice import names
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.simulate.chains import FACTORS, SHOWN, influence

    try:
        chosen = None if levels is None else [float(x) for x in levels.split(",")]
    except ValueError:
        raise UsageError(f"--levels must be numbers separated by commas, got {levels!r}") from None
    if chosen is not None and factor is None:
        raise UsageError("--levels needs the factor they are levels of")
    found = []
    for name in [factor] if factor else list(FACTORS):
        with progress_bar(name) as progress:
            found.append(
                influence(
                    name,
                    levels=chosen,
                    measures=names(measure) or SHOWN,
                    error=error,
                    rate=rate,
                    mentions=mentions,
                    size=size,
                    singletons=singletons,
                    repetitions=repetitions or 200,
                    seed=seed,
                    progress=progress,
                )
            )
    if svg is not None:
        from accord.files.atomic import write_text
        from accord.report.curves import influence_figures, stacked

        write_text(svg, stacked(influence_figures(found)))
        say([f"drawn in {svg}"])
    if as_json:
        print_json({"results": [curves.to_dict() for curves in found]}, None)
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for curves in found:
        table = Table(
            title=spoken(f"{curves.factor}: {curves.sentence}"), title_justify="left", box=None
        )
        table.add_column(spoken(curves.factor))
        for name in curves.values:
            table.add_column(name, justify="right")
        for i, level in enumerate(curves.levels):
            table.add_row(
                figures(f"{level:g}"),
                *(figures(f"{p[i].mean:.3f}") for p in curves.values.values()),
            )
        console.print(table)


def _own(
    path: Path,
    measure: list[str] | None,
    error: str,
    rate: float,
    repetitions: int,
    seed: int,
    as_json: bool,
) -> None:
    """The bias of scores on one's own data."""
    from accord.cli.measure_choice import names
    from accord.cli.output import introduce, print_json
    from accord.cli.progress import progress_bar
    from accord.data import Chains
    from accord.errors import InputError
    from accord.reading import read
    from accord.simulate.chains import SHOWN
    from accord.simulate.own_chains import own_bias

    data = read(path)
    if not isinstance(data, Chains):
        raise InputError(f"holds {data.shape}", path=path, hint="--like needs chains")
    with progress_bar("chains") as progress:
        found = own_bias(
            data,
            measures=names(measure) or SHOWN,
            error=error,
            rate=rate,
            repetitions=repetitions,
            seed=seed,
            progress=progress,
        )
    if as_json:
        print_json({"results": found.to_dict()}, data.reading.whole())
        return
    from rich.console import Console

    from accord.report.tables import rows_table

    introduce(data.reading.whole())
    console = Console()
    console.print(spoken(found.sentence), highlight=False)
    console.print()
    counted = ("size", "entities", "mentions")
    console.print(
        rows_table("Entities by size", [{k: row[k] for k in counted} for row in found.sizes])
    )
    console.print()
    # a row for each score: there are more of them than a terminal has room for side by side
    measured = [name for name in found.sizes[0] if name not in counted]
    costs = [
        {"measure": name, **{str(row["size"]): row[name] for row in found.sizes}}
        for name in measured
    ]
    console.print(
        rows_table("What a wrong mention costs, by the size of its entity (1: a mention)", costs)
    )
    console.print()
    console.print(rows_table("The same errors with and without singletons", found.singletons))
    console.print(found.signature, style="dim", highlight=False, markup=False)
