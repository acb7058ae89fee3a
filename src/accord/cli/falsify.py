"""``accord falsify``: is this score a metric? Counterexamples if not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import inputs
from accord.cli.keywords import AsJson, Output, Which
from accord.cli.output import indented, print_json, say
from accord.cli.progress import progress_bar
from accord.errors import UsageError
from accord.language import figures, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.simulate.falsify import Falsification


@inputs.told
def falsify(
    measure: Annotated[
        list[str] | None,
        Which("Score by name, or module:function of your own, given two lists of clusters."),
    ] = None,
    *,
    max_n: Annotated[int | None, Said("Most mentions for pairs (6; predicted 5).")] = None,
    max_n_triples: Annotated[
        int | None, Said("Most mentions for the triangle (5; predicted 4).")
    ] = None,
    predicted_mentions: Annotated[bool, Said("The two sides may have different mentions.")] = False,
    space: Annotated[
        str | None, Said("partitions, segmentations or units; else from the measure.")
    ] = None,
    tolerance: Annotated[float, Said("Differences up to this are rounding.")] = 1e-9,
    table: Annotated[bool, Said("The paper's Table 1, alternatives, predicted mentions.")] = False,
    svg: Annotated[Path | None, Output("Draw the smallest counterexample here.")] = None,
    draw: Annotated[str | None, Said("Property (1 to 8) whose counterexample is drawn.")] = None,
    as_json: AsJson = False,
) -> None:
    """Try whether a score is a normalised similarity metric, on everything small."""
    from accord.simulate.falsify import PROPERTIES
    from accord.simulate.falsify import falsify as falsified
    from accord.simulate.falsify_table import property_tables

    if draw is not None and draw not in PROPERTIES:
        raise UsageError(f"--draw must be one of {', '.join(PROPERTIES)}, got {draw!r}")
    if svg is None and draw is not None:
        raise UsageError("--draw says what --svg FILE draws: give both")
    if svg is not None and len(measure or ()) != 1:
        raise UsageError("--svg draws a counterexample of one score: name one")
    if not measure and not table:
        raise UsageError("name a measure (or module:function), or pass --table")
    document: dict[str, object] = {}
    if table:
        with progress_bar("scores") as progress:
            tables = property_tables(max_n=max_n, max_n_triples=max_n_triples, progress=progress)
        document["tables"] = [t.to_dict() for t in tables]
        if not as_json:
            typer.echo("\n\n".join(_headed(str(one)) for one in tables))
    results = []
    for name in measure or ():
        with progress_bar(name) as progress:
            one = falsified(
                name,
                max_n=max_n,
                max_n_triples=max_n_triples,
                predicted_mentions=predicted_mentions,
                space=space,
                tolerance=tolerance,
                progress=progress,
            )
        results.append(one)
    if svg is not None:
        from accord.files.atomic import write_text
        from accord.report.counterexample import counterexample_svg

        write_text(svg, counterexample_svg(results[0], draw))
        say([f"drawn in {svg}"])
    for result in results:
        if not as_json:
            _print(result)
        say(result.warnings, prefix="warning")
    if as_json:
        found = [r.to_dict() for r in results]
        if len(found) == 1 and not table:
            document = found[0]
        elif found:
            document["results"] = found
        print_json(document, None)


def _headed(table: str) -> str:
    """A table of crosses under its title in the language that is spoken."""
    title, _, rest = table.partition("\n")
    return f"{spoken(title)}\n{rest}"


def _print(result: Falsification) -> None:
    from rich.console import Console
    from rich.table import Table

    from accord.simulate.falsify import PROPERTIES

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
            figures(f"{finding.violations:,}")
            if finding.violations
            else "–"
            if finding.cases
            else spoken("not tried"),
        )
    Console().print(grid)
    for number in result.violated:
        example = result.findings[number].counterexample
        told = spoken(f"{number} fails, n = {example.n if example else '?'}")
        shown = figures(str(example)).replace(" though ", f" {spoken('though')} ")
        indented(f"{told}: {shown}")
    for kind, failing in result.failing.items():
        told = spoken(_FAILING[kind].format(pairs=f"{failing.pairs:,}"))
        pair, _, why = str(failing.first).partition(": ")
        indented(f"{told}: {pair}: {spoken(figures(why))}")
    if result.verdict == "nothing was tried":
        indented(spoken("Nothing was tried: the score has no value on any pair."))
    elif result.untried:
        untried = ", ".join(result.untried)
        indented(spoken(f"Nothing was tried of {untried}, which had no case."))
    if result.verdict == "not falsified":
        cases = ", ".join(f"{f.cases:,} ({p})" for p, f in result.findings.items() if f.cases)
        told = "No property is falsified; that is not a proof that all hold beyond these n."
        indented(f"{spoken(told)} {spoken('Cases of each:')} {figures(cases)}.")


_FAILING = {
    "nan": "undefined on {pairs} pairs, which count as no case",
    "infinite": "infinite on {pairs} pairs, which count as cases",
    "exception": "an exception on {pairs} pairs, which count as no case",
}
