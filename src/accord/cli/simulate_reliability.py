"""``accord simulate reliability``: how many annotators per item are enough."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import inputs
from accord.cli.keywords import AsJson, Paper, Random, Seed, Svg
from accord.cli.output import answer, table
from accord.cli.progress import progress_bar
from accord.language import headed, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.simulate.reliability import Reliability


@inputs.reads
def reliability(
    data: Annotated[list[Path], Said("A campaign, or a pilot, of ratings.")],
    *,
    target: Annotated[float, Said("Reliability wanted.", first=True)] = 0.8,
    most: Annotated[int, Said("Most annotators per item.", first=True)] = 20,
    nested: Annotated[
        bool, Said("Other annotators for each item, not told apart.", first=True)
    ] = False,
    level: Annotated[float, Random("Level of the limits.")] = 0.95,
    seed: Seed = 0,
    svg: Svg = None,
    as_json: AsJson = False,
    paper: Paper,
    how: inputs.How,
) -> None:
    """What the mean of k labels is worth, and how many labels reach the target."""
    from accord.report.curves import reliability_figure
    from accord.simulate.reliability import reliability as studied

    ratings = how.read_ratings(data, "reliability is")
    with progress_bar("reliability"):
        found = studied(ratings, target=target, most=most, nested=nested, level=level, seed=seed)
    if svg is not None:
        reliability_figure(found).save(svg)
    answer(
        as_json,
        found.to_dict(),
        ratings.reading,
        lambda: _show(found, target),
        warnings=found.warnings,
        paper=(paper, found),
    )


def _show(found: Reliability, target: float) -> None:
    if found.components:
        rows = [{**row, "source": spoken(row["source"])} for row in found.components]
        table("Where the variance comes from", rows)
    table("Reliability of the mean of k labels", found.rows, most=100)
    words = {"consistency": "rank items", "agreement": "judge their level"}
    for name, k in found.needed.items():
        aim = f"{target:g} to {words[name]}" if found.components else f"{target:g}"
        enough = (
            "no number of annotators is enough" if k is None
            else "1 annotator per item" if k == 1
            else f"{k} annotators per item"
        )  # fmt: skip
        typer.echo(headed(f"{spoken(name)} {spoken(aim)}", spoken(enough)))
