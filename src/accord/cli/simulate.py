"""``accord simulate``: reading grids, prevalence, sample size, measures under degradation.

Each sub-command is a function with ``@simulate.command``; a new one is added at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs, keywords, measure_options
from accord.cli.help import Grouped
from accord.cli.keywords import OfMeasure, Random
from accord.cli.output import answer, say, table, tell
from accord.cli.progress import progress_bar
from accord.cli.simulate_chains import chains
from accord.cli.simulate_reliability import reliability
from accord.errors import UsageError
from accord.language import figures, spoken
from accord.options import LEVEL, Said
from accord.options.reading import PEOPLE_PANEL
from accord.printed import Printed

if TYPE_CHECKING:
    from accord.data.reading import Reading
    from accord.simulate.grid import Grid
    from accord.simulate.settings import Setting

simulate = typer.Typer(
    help="What a value means: reading grids, prevalence curves, sample sizes, measures compared.",
    no_args_is_help=True,
    cls=Grouped,
)

Data = Annotated[
    list[Path] | None,
    Said("A campaign to take the statistics from; else the 2011 paper's setting."),
]
Degradations = Annotated[
    str | None,
    Said(
        "Of units: shift, omission, false-positives, confusion, splits, together; ratings: "
        "noise,neighbour,habit.",
        typed="--degradation",
        first=True,
    ),
]
Annotators = Annotated[
    int | None, Said("Number of annotators; else as found.", panel=PEOPLE_PANEL, first=True)
]
Steps = Annotated[int, Said("Levels of each degradation after 0.", first=True)]
Campaigns = Annotated[int, Said("Made-up campaigns per level.", first=True)]


@simulate.command()
@measure_options.takes(measure_options.of_measures("agree"))
@inputs.reads
def grid(
    data: Data = None,
    *,
    measure: Annotated[
        str | None,
        OfMeasure("Any agreement measure; γ, or α.", first=True),
    ] = None,
    value: Annotated[
        float | None, Said("Read the grid backwards at this value.", first=True)
    ] = None,
    degradation: Degradations = None,
    annotators: Annotators = None,
    steps: Steps = 10,
    campaigns: Campaigns = 10,
    seed: keywords.Seed = 0,
    jobs: keywords.Jobs = 1,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    svg: keywords.Svg = None,
    how: inputs.How,
    **options: Any,
) -> None:
    """How a measure falls as annotations are damaged, and what a value is like."""
    from accord.report.curves import grid_figure
    from accord.simulate import reading_grid
    from accord.simulate.translation import in_words

    read, setting = _setting(how, data, annotators)
    with progress_bar("degrading") as progress:
        made = reading_grid(
            measure,
            setting,
            degradations=None if degradation is None else inputs.names([degradation]),
            steps=steps,
            campaigns=campaigns,
            seed=seed,
            jobs=jobs,
            progress=progress,
            **measure_options.given(options),
        )
    if svg is not None:
        grid_figure(made, value=value).save(svg)
    document: dict[str, Any] = made.to_dict()
    if value is not None:
        document |= {"value": value, "like": made.read(value), "limits": made.limits(value)}

    def show() -> None:
        _show(f"{made.measure} under damage: {made.setting}", _wide(made), made.notes)
        if value is None:
            return
        limits = made.limits(value)
        for curve in made.curves:
            name, level = curve.degradation, curve.level_at(value)
            if level is None:
                words = f"worse than anything the grid reaches by {name}"
            else:
                words = f"like {in_words(name, level, limits[name], curve.levels[-1])}"
            tell(spoken(f"{made.measure} {value:g} is {words}"))
        tell(spoken("In brackets, the levels at which nine campaigns in ten hold the value."))

    answer(as_json, document, read, show, paper=(paper, made))


@simulate.command()
@inputs.reads
def damage(
    data: Data = None,
    *,
    target: Annotated[
        Path | None,
        Said("File or folder to write the campaign to.", typed="--output -o", first=True),
    ] = None,
    degradation: Annotated[str | None, Said("One of those that simulate grid lists.")] = None,
    level: Annotated[float | None, Random("How strong: k, p and so on of the grid.")] = None,
    annotators: Annotators = None,
    campaign: Annotated[
        int, Said("Which campaign of the grid: 0, 1, 2, and so on.", first=True)
    ] = 0,
    to: keywords.WriteAs = None,
    seed: keywords.Seed = 0,
    as_json: keywords.AsJson = False,
    how: inputs.How,
) -> None:
    """Write one damaged campaign of a grid, to measure it with anything."""
    from accord.formats import write
    from accord.simulate.grid import damaged
    from accord.simulate.translation import in_words

    if target is None or degradation is None or level is None:
        raise UsageError("a damaged campaign needs --degradation, --level and --output")
    read, setting = _setting(how, data, annotators)
    made = damaged(setting, degradation, level, seed=seed, campaign=campaign)
    lost = write(made, target, format=to, overwrite=how.overwrite)
    document = {
        "written": str(target), "shape": made.shape, "degradation": degradation, "level": level,
        "seed": seed, "campaign": campaign, "setting": setting.sentence, "lost": lost,
    }  # fmt: skip

    def show() -> None:
        say(lost, prefix="lost")
        words = in_words(degradation, level)
        say([f"{target} written: each annotator after the first is made by {words}"])

    answer(as_json, document, read, show)


@simulate.command()
@inputs.told
def prevalence(
    *,
    sensitivity: Annotated[float, Said("Positives that are seen.")] = 0.9,
    specificity: Annotated[float, Said("Negatives left alone.")] = 0.9,
    at: Annotated[str | None, Said("Prevalences, such as 0.5,0.1,0.01.")] = None,
    measure: Annotated[
        list[str] | None,
        OfMeasure("Repeatable: κ, π, S, AC1, α.", first=True),
    ] = None,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    svg: keywords.Svg = None,
) -> None:
    """What prevalence alone does to the coefficients of two equally good annotators."""
    from accord.report.curves import prevalence_figure
    from accord.simulate.prevalence import MEASURES, PREVALENCES, prevalence_curves

    found = prevalence_curves(
        sensitivity=sensitivity,
        specificity=specificity,
        prevalence=inputs.numbers("--at", at) or PREVALENCES,
        measures=inputs.names(measure) or MEASURES,
    )
    if svg is not None:
        prevalence_figure(found).save(svg)
    title = f"Two annotators, sensitivity {sensitivity:g}, specificity {specificity:g}"
    answer(
        as_json,
        {"sensitivity": sensitivity, "specificity": specificity, "points": found.rows()},
        None,
        lambda: _show(title, found.rows()),
        paper=(paper, found),
    )


@simulate.command()
@inputs.reads
def size(
    data: Data = None,
    *,
    measure: Annotated[str, OfMeasure("Measure on ratings.", first=True)] = "alpha",
    width: Annotated[float | None, Said("Wanted width of the interval; .1.", first=True)] = None,
    threshold: Annotated[
        float | None, Random("Instead: show that the value is above this.", first=True)
    ] = None,
    assurance: Annotated[
        float, Said("Share of campaigns that shall meet the aim.", first=True)
    ] = 0.8,
    level: keywords.Level = LEVEL,
    agreement: Annotated[float, Said("Without data: the agreement expected.")] = 0.7,
    annotators: Annotated[int, Said("Without data.", panel=PEOPLE_PANEL)] = 2,
    shares: Annotated[str, Said("Without data: shares of the categories.")] = "0.5,0.5",
    costs: Annotated[
        str | None, Said("Without data: cost of an item and of a label, as 2,1: how many of each.")
    ] = None,
    metric: keywords.Metric = None,
    campaigns: Annotated[int, Said("Made-up campaigns per size.")] = 200,
    seed: keywords.Seed = 0,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    svg: keywords.Svg = None,
    how: inputs.How,
) -> None:
    """How many items, or annotators, an interval of the wanted width needs."""
    from accord.report.curves import size_figure
    from accord.simulate import annotators_or_items, planned, sample_size

    parts = inputs.numbers("--shares", shares) or []
    aim: dict[str, Any] = {
        "width": width, "threshold": threshold, "assurance": assurance, "level": level,
        "campaigns": campaigns, "seed": seed,
        **({} if metric is None else {"metric": metric}),
    }  # fmt: skip
    if costs is not None:
        if data:
            raise UsageError("--costs compares plans: give --agreement and --shares, not data")
        prices = inputs.numbers("--costs", costs) or []
        if len(prices) != 2:
            raise UsageError(f"--costs must be two numbers, as 2,1, got {costs!r}")
        with progress_bar("planning") as progress:
            rows = annotators_or_items(
                agreement, shares=parts, item_cost=prices[0], label_cost=prices[1],
                measure=measure, progress=progress, **aim,
            )  # fmt: skip

        def plans() -> None:
            _show(f"Annotators against items: {measure} about {agreement:g}", rows)
            tell(
                spoken(
                    "This is for these annotators: for others of their kind (accord agree --unit "
                    "annotator) the width hardly falls with the number of items."
                )
            )

        answer(
            as_json,
            {"measure": measure, "agreement": agreement, "plans": rows},
            None,
            plans,
            paper=(paper, Printed.of_rows(rows)),
        )
        return
    source = read = None
    if data:
        ratings = how.read_ratings(data, "sample sizes are")
        read = ratings.reading
    else:
        ratings = planned(agreement, annotators=annotators, shares=parts, seed=seed)
        source = (
            f"a planned campaign: agreement {agreement:g}, {annotators} annotators, "
            f"shares {shares.replace(',', ' / ')}"
        )
    with progress_bar("planning"):
        found = sample_size(ratings, measure, source=source, **aim)
    if svg is not None:
        size_figure(found).save(svg)

    def show() -> None:
        _show(f"Campaigns for {found.measure}, {level:.0%} interval", found.rows())
        what = (
            f"an interval no wider than {found.width:g}"
            if found.width is not None
            else f"P({found.measure} < {found.threshold:g}) < .05"
        )
        tell(
            spoken(
                f"{found.needed} {found.unit}s give {what} in {found.reached:.0%} of campaigns "
                f"({assurance:.0%} asked for), judged from {found.source} "
                f"({found.measure} {found.value:.3f})."
            )
        )

    answer(as_json, found.to_dict(), read, show, warnings=found.warnings, paper=(paper, found))


@simulate.command()
@inputs.reads
def measures(
    data: Data = None,
    *,
    measure: Annotated[
        list[str] | None,
        OfMeasure("Measures to compare; repeatable.", first=True),
    ] = None,
    degradation: Degradations = None,
    steps: Steps = 4,
    campaigns: Campaigns = 10,
    seed: keywords.Seed = 0,
    jobs: keywords.Jobs = 1,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    svg: keywords.Svg = None,
    how: inputs.How,
) -> None:
    """Which measure falls under which damage, and which does not."""
    from accord.files.atomic import write_text
    from accord.report.curves import comparison_figures, stacked
    from accord.simulate import compare_measures

    read, setting = _setting(how, data)
    with progress_bar("comparing") as progress:
        made = compare_measures(
            inputs.names(measure),
            setting,
            degradations=None if degradation is None else inputs.names([degradation]),
            steps=steps,
            campaigns=campaigns,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if svg is not None:
        write_text(svg, stacked(comparison_figures(made)))
    notes = [note for g in made.grids for note in g.notes]
    document = {
        "setting": setting.sentence,
        "measures": [g.measure for g in made.grids],
        "points": made.rows(),
        "falls": made.falls(),
        "notes": notes,
    }

    def show() -> None:
        _show(f"Measures under damage: {setting.sentence}", _named(made.rows()), notes)
        _show("How far each falls by half of the damage", _named(made.falls()))

    answer(as_json, document, read, show, paper=(paper, made))


simulate.command()(chains)
simulate.command()(reliability)


# --- what the sub-commands share -----------------------------------------------------------------


def _setting(
    how: inputs.How, data: Sequence[Path] | None, annotators: int | None = None
) -> tuple[Reading | None, Setting]:
    """What was read, and the setting that it gives: the papers' own where nothing was."""
    from accord.simulate import PAPER, PLAIN_RATINGS, setting_of

    shape, read = how.options["shape"], None
    if data:
        found = how.read(*data)
        read, setting = found.reading, setting_of(found)
    elif shape not in (None, "units", "ratings"):
        raise UsageError(f"degradations are simulated on units and ratings, not on {shape}")
    else:
        setting = PLAIN_RATINGS if shape == "ratings" else PAPER
    if annotators is None:
        return read, setting
    if annotators < 2:
        raise UsageError(f"--annotators must be at least 2, got {annotators}")
    said = setting.sentence.replace(f"{setting.annotators} annotators", f"{annotators} annotators")
    return read, replace(setting, annotators=annotators, sentence=said)


def _show(title: str, rows: Sequence[Mapping[str, Any]], notes: Iterable[str] = ()) -> None:
    # a title longer than the table would be folded to its width
    tell(spoken(title), style="bold")
    table("", rows, most=100)
    say(notes)


def _wide(made: Grid) -> list[dict[str, Any]]:
    """The rows of a grid in words of the language."""
    return [
        {
            "degradation": spoken(row.pop("degradation")),
            "up to": figures(row.pop("up to")),
            **{share: figures(f"{value:.2f}") for share, value in row.items()},
        }
        for row in map(dict, made.shares())
    ]


def _named(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the names of the degradations in the language that is spoken."""
    return [{**row, "degradation": spoken(row["degradation"])} for row in rows]
