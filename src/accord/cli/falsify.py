"""``accord falsify``: is this score a metric? Counterexamples if not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.errors import UsageError
from accord.language import figures, spoken


@inputs.told
def falsify(
    measure: Annotated[
        list[str] | None,
        typer.Argument(
            help="Score by name, or module:function of your own, given two lists of clusters."
        ),
    ] = None,
    max_n: Annotated[
        int | None, typer.Option("--max-n", help="Most mentions for pairs (6; predicted 5).")
    ] = None,
    max_n_triples: Annotated[
        int | None,
        typer.Option("--max-n-triples", help="Most mentions for the triangle (5; predicted 4)."),
    ] = None,
    predicted_mentions: Annotated[
        bool,
        typer.Option("--predicted-mentions", help="The two sides may have different mentions."),
    ] = False,
    space: Annotated[
        str | None,
        typer.Option("--space", help="partitions, segmentations or units; else from the measure."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", help="Differences up to this are rounding.")
    ] = 1e-9,
    table: Annotated[
        bool, typer.Option("--table", help="The paper's Table 1, alternatives, predicted mentions.")
    ] = False,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the smallest counterexample here.")
    ] = None,
    draw: Annotated[
        str | None, typer.Option("--draw", help="Property (1 to 8) whose counterexample is drawn.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Try whether a score is a normalised similarity metric, on everything small."""
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.simulate.falsify import PROPERTIES
    from accord.simulate.falsify import falsify as falsified
    from accord.simulate.falsify_table import property_tables

    if draw is not None and draw not in PROPERTIES:
        raise UsageError(f"--draw must be one of {', '.join(PROPERTIES)}, got {draw!r}")
    if table:
        with progress_bar("scores") as progress:
            tables = property_tables(max_n=max_n, max_n_triples=max_n_triples, progress=progress)
        if as_json:
            print_json({"tables": [t.to_dict() for t in tables]}, None)
        else:
            typer.echo("\n\n".join(_headed(str(one)) for one in tables))
        if not measure:
            return
    if not measure:
        raise UsageError("name a measure (or module:function), or pass --table")
    results = []
    for name in measure:
        with progress_bar(name) as progress:
            results.append(
                falsified(
                    name,
                    max_n=max_n,
                    max_n_triples=max_n_triples,
                    predicted_mentions=predicted_mentions,
                    space=space,
                    tolerance=tolerance,
                    progress=progress,
                )
            )
    if svg is not None:
        from accord.files.atomic import write_text
        from accord.report.counterexample import counterexample_svg

        write_text(svg, counterexample_svg(results[0], draw))
        say([f"drawn in {svg}"])
    if as_json and not table:
        found = [r.to_dict() for r in results]
        print_json(found[0] if len(found) == 1 else {"results": found}, None)
    elif not as_json:
        for result in results:
            _print(result)


def _headed(table: str) -> str:
    """A table of crosses under its title in the language that is spoken."""
    title, _, rest = table.partition("\n")
    return f"{spoken(title)}\n{rest}"


def _print(result: object) -> None:
    from rich.console import Console
    from rich.table import Table

    from accord.cli.output import indented
    from accord.simulate.falsify import PROPERTIES, Falsification

    if not isinstance(result, Falsification):
        raise TypeError("not a falsification")
    console = Console()
    title = f"{result.measure} over {result.space}: pairs to n = {result.max_n}, "
    title += f"triples to n = {result.max_n_triples}"
    grid = Table(title=spoken(title), title_justify="left", box=None, pad_edge=False)
    for column in ("", "property", "cases", "violations"):
        grid.add_column(
            spoken(column), justify="right" if column in ("cases", "violations") else "left"
        )
    for number, finding in result.findings.items():
        grid.add_row(
            number,
            spoken(PROPERTIES[number]),
            figures(f"{finding.cases:,}"),
            figures(f"{finding.violations:,}") if finding.violations else "–",
        )
    console.print(grid)
    for number in result.violated:
        example = result.findings[number].counterexample
        told = spoken(f"{number} fails, n = {example.n if example else '?'}")
        shown = figures(str(example)).replace(" though ", f" {spoken('though')} ")
        indented(console, f"{told}: {shown}")
    if result.undefined:
        indented(
            console, spoken(f"undefined on {result.undefined:,} pairs, which count as no case")
        )
    if not result.violated:
        told = "No property is falsified; that is not a proof that all hold beyond these n."
        indented(console, spoken(told))
