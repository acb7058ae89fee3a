"""``accord limits``: how far two annotators' numbers lie apart (Bland and Altman)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from accord.cli import inputs
from accord.cli.keywords import AsJson, Levels, Output
from accord.cli.output import answer, table
from accord.language import figures, spoken
from accord.options import LEVEL, Said


@inputs.reads
def limits(
    data: Annotated[list[Path], Said("Ratings that are numbers.")],
    *,
    others: Annotated[
        bool, Said("Each annotator against the mean of the others.", first=True)
    ] = False,
    level: Levels = LEVEL,
    svg: Annotated[Path | None, Output("Draw the differences into this SVG file.")] = None,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """Limits of agreement: bias, and where 95 % of the differences lie."""
    from accord.files.atomic import write_text
    from accord.measures.ratings.limits import growing, limits_of_agreement
    from accord.report.curves import limits_figure, stacked

    ratings = how.read_ratings(data, "limits of agreement are")
    found = limits_of_agreement(ratings, others=others, level=level)
    warnings = [w for one in found if (w := growing(one)) is not None]
    if svg is not None:
        drawn = [limits_figure(one) for one in found]
        if len(drawn) == 1:
            drawn[0].save(svg)
        else:
            write_text(svg, stacked(drawn))
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
    warnings = [*ratings.notes, *warnings]
    answer(
        as_json,
        {"limits": [one.to_dict() for one in found], "warnings": warnings},
        ratings.reading,
        lambda: table("first − second", shown),
        warnings=warnings,
    )
