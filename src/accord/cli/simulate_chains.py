"""``accord simulate chains``: what coreference scores owe to entity size, number, singletons."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs
from accord.cli.keywords import AsJson, OfMeasure, Seed, Svg
from accord.cli.output import answer, blank, say, table, tell
from accord.cli.progress import progress_bar
from accord.errors import InputError, UsageError
from accord.language import figures, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.simulate.chains import InfluenceCurves
    from accord.simulate.own_chains import OwnBias


@inputs.told
def chains(
    factor: Annotated[
        str | None, Said("size, entities or singletons; all three by default.")
    ] = None,
    *,
    measure: Annotated[
        list[str] | None,
        OfMeasure("Scores; the usual ones by default."),
    ] = None,
    levels: Annotated[str | None, Said("Levels of the factor: 0,0.25,0.5.")] = None,
    error: Annotated[
        str, Said("move, isolate, omit, split, merge, all-singletons or one-entity.")
    ] = "move",
    rate: Annotated[float, Said("How often the error is made.")] = 0.2,
    mentions: Annotated[int, Said("Mentions per document.")] = 200,
    size: Annotated[float, Said("Mentions per entity.")] = 4.0,
    singletons: Annotated[float, Said("Share of singletons.")] = 0.0,
    repetitions: Annotated[
        int | None, Said("Made-up documents per level (200), or responses to --like (20).")
    ] = None,
    like: Annotated[
        Path | None, Said("The same on your own chains: what a wrong mention costs there.")
    ] = None,
    seed: Seed = 0,
    svg: Svg = None,
    as_json: AsJson = False,
) -> None:
    """Influence of entity size, number of entities and singletons on coreference scores."""
    from accord.files.atomic import write_text
    from accord.report.curves import influence_figures, stacked
    from accord.simulate.chains import FACTORS, SHOWN, influence

    common: dict[str, Any] = {
        "measures": inputs.names(measure) or SHOWN, "error": error, "rate": rate, "seed": seed
    }  # fmt: skip
    if like is not None:
        if factor is not None or levels is not None:
            raise UsageError("--like takes the sizes that your data have: leave FACTOR out")
        _own(like, as_json, repetitions=repetitions or 20, **common)
        return
    chosen = inputs.numbers("--levels", levels)
    if chosen is not None and factor is None:
        raise UsageError("--levels needs the factor they are levels of")
    found = []
    for name in [factor] if factor else list(FACTORS):
        with progress_bar(name) as progress:
            curves = influence(
                name,
                levels=chosen,
                mentions=mentions,
                size=size,
                singletons=singletons,
                repetitions=repetitions or 200,
                progress=progress,
                **common,
            )
        found.append(curves)
    if svg is not None:
        write_text(svg, stacked(influence_figures(found)))
        say([f"drawn in {svg}"])
    answer(as_json, {"results": [c.to_dict() for c in found]}, None, lambda: _show(found))


def _show(found: Sequence[InfluenceCurves]) -> None:
    from rich.console import Console
    from rich.table import Table

    for curves in found:
        title = spoken(f"{curves.factor}: {curves.sentence}")
        shown = Table(title=title, title_justify="left", box=None)
        shown.add_column(spoken(curves.factor))
        for name in curves.values:
            shown.add_column(name, justify="right")
        for i, level in enumerate(curves.levels):
            values = (figures(f"{p[i].mean:.3f}") for p in curves.values.values())
            shown.add_row(figures(f"{level:g}"), *values)
        Console().print(shown)


def _own(path: Path, as_json: bool, **options: Any) -> None:
    """The bias of scores on one's own data."""
    from accord.data import Chains
    from accord.reading import read
    from accord.simulate.own_chains import own_bias

    data = read(path)
    if not isinstance(data, Chains):
        raise InputError(f"holds {data.shape}", path=path, hint="--like needs chains")
    with progress_bar("chains") as progress:
        found = own_bias(data, progress=progress, **options)
    answer(as_json, {"results": found.to_dict()}, data.reading.whole(), lambda: _show_own(found))


def _show_own(found: OwnBias) -> None:
    tell(spoken(found.sentence))
    blank()
    counted = ("size", "entities", "mentions")
    table("Entities by size", [{k: row[k] for k in counted} for row in found.sizes])
    blank()
    # a row for each score: there are more of them than a terminal has room for side by side
    costs = [
        {"measure": name, **{str(row["size"]): row[name] for row in found.sizes}}
        for name in found.sizes[0]
        if name not in counted
    ]
    table("What a wrong mention costs, by the size of its entity (1: a mention)", costs)
    blank()
    table("The same errors with and without singletons", found.singletons)
    tell(found.signature, style="dim")
