"""``accord limits``: how far two annotators' numbers lie apart (Bland and Altman)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.language import figures, spoken


@inputs.reads
def limits(
    data: Annotated[list[Path], typer.Argument(help="Ratings that are numbers.")],
    others: Annotated[
        bool, typer.Option("--others", help="Each annotator against the mean of the others.")
    ] = False,
    level: Annotated[float, typer.Option("--level", help="Level of the intervals.")] = 0.95,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw the differences into this SVG file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Limits of agreement: bias, and where 95 % of the differences lie."""
    from rich.console import Console

    from accord.cli.output import introduce, print_json, say
    from accord.data import Ratings
    from accord.errors import UsageError
    from accord.files.atomic import write_text
    from accord.measures.ratings.limits import growing, limits_of_agreement
    from accord.report.curves import limits_figure, stacked
    from accord.report.tables import rows_table

    ratings = how.read(*data)
    if not isinstance(ratings, Ratings):
        raise UsageError(f"limits of agreement are for ratings, these data are {ratings.shape}")
    found = limits_of_agreement(ratings, others=others, level=level)
    warnings = [*ratings.notes, *(w for one in found if (w := growing(one)) is not None)]
    if svg is not None:
        drawn = [limits_figure(one) for one in found]
        if len(drawn) == 1:
            drawn[0].save(svg)
        else:
            write_text(svg, stacked(drawn))
    if as_json:
        limits_of = [one.to_dict() for one in found]
        print_json({"limits": limits_of, "warnings": warnings}, ratings.reading)
        return
    introduce(ratings.reading)
    shown = [
        {
            "first": one.first,
            "second": spoken(one.second) if others else one.second,
            "n": one.n,
            "bias": one.bias,
            "95 % of differences": figures(f"[{one.lower:.3f}, {one.upper:.3f}]"),
            "±": one.margin,
        }
        for one in found
    ]
    Console().print(rows_table("first − second", shown))
    say(warnings, prefix="warning")
