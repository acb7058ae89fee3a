"""``accord simulate reliability``: how many annotators per item are enough."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.language import headed, spoken


@inputs.reads
def reliability(
    data: Annotated[list[Path], typer.Argument(help="A campaign, or a pilot, of ratings.")],
    target: Annotated[float, typer.Option("--target", help="Reliability wanted.")] = 0.8,
    most: Annotated[int, typer.Option("--most", help="Most annotators per item.")] = 20,
    nested: Annotated[
        bool, typer.Option("--nested", help="Other annotators for each item, not told apart.")
    ] = False,
    level: Annotated[float, typer.Option("--level", help="Level of the limits.")] = 0.95,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    svg: Annotated[Path | None, typer.Option("--svg", help="Draw into this SVG file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """What the mean of k labels is worth, and how many labels reach the target."""
    from rich.console import Console

    from accord.cli.output import introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.data import Ratings
    from accord.errors import UsageError
    from accord.report.curves import reliability_figure
    from accord.report.tables import rows_table
    from accord.simulate.reliability import reliability as studied

    ratings = how.read(*data)
    if not isinstance(ratings, Ratings):
        raise UsageError(f"reliability is for ratings, these data are {ratings.shape}")
    with progress_bar("reliability"):
        found = studied(ratings, target=target, most=most, nested=nested, level=level, seed=seed)
    if svg is not None:
        reliability_figure(found).save(svg)
    if as_json:
        print_json(found.to_dict(), ratings.reading)
        return
    introduce(ratings.reading)
    console = Console()
    if found.components:
        console.print(
            rows_table(
                "Where the variance comes from",
                [{**row, "source": spoken(row["source"])} for row in found.components],
            )
        )
    console.print(rows_table("Reliability of the mean of k labels", found.rows, most=100))
    words = {"consistency": "rank items", "agreement": "judge their level"}
    for name, k in found.needed.items():
        aim = f"{target:g} to {words[name]}" if found.components else f"{target:g}"
        enough = (
            "no number of annotators is enough" if k is None
            else "1 annotator per item" if k == 1
            else f"{k} annotators per item"
        )  # fmt: skip
        typer.echo(headed(f"{spoken(name)} {spoken(aim)}", spoken(enough)))
    say(found.warnings, prefix="warning")
