"""``accord simulate``: reading grids, prevalence, sample size, measures under degradation.

Each sub-command is a function with ``@simulate.command``; a new one is added at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs, measure_options
from accord.cli.agree import Metric
from accord.cli.help import Grouped, epilog
from accord.cli.jobs import Jobs
from accord.cli.simulate_chains import chains
from accord.cli.simulate_reliability import reliability
from accord.language import figures, spoken

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.simulate.settings import Setting

simulate = typer.Typer(
    help="What a value means: reading grids, prevalence curves, sample sizes, measures compared.",
    no_args_is_help=True,
    cls=Grouped,
    epilog=epilog("simulate"),
)

Data = Annotated[
    list[Path] | None,
    typer.Argument(help="A campaign to take the statistics from; else the 2011 paper's setting."),
]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Draw into this SVG file.")]
Degradations = Annotated[
    str | None,
    typer.Option(
        "--degradation",
        help="Of units: shift, omission, false-positives, confusion, splits, together; "
        "ratings: noise,neighbour,habit.",
    ),
]
Steps = Annotated[int, typer.Option("--steps", help="Levels of each degradation after 0.")]
Campaigns = Annotated[int, typer.Option("--campaigns", help="Made-up campaigns per level.")]


@simulate.command()
@measure_options.takes(measure_options.of_measures("agree"))
@inputs.reads
def grid(
    data: Data = None,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="Any agreement measure; γ, or α.")
    ] = None,
    value: Annotated[
        float | None, typer.Option("--value", help="Read the grid backwards at this value.")
    ] = None,
    degradation: Degradations = None,
    annotators: Annotated[
        int | None, typer.Option("--annotators", help="Number of annotators; else as found.")
    ] = None,
    steps: Steps = 10,
    campaigns: Campaigns = 10,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: AsJson = False,
    svg: Svg = None,
    *,
    how: inputs.How,
    **options: Any,
) -> None:
    """How a measure falls as annotations are damaged, and what a value is like."""
    from accord.cli.progress import progress_bar
    from accord.report.curves import grid_figure
    from accord.simulate import reading_grid
    from accord.simulate.translation import in_words

    found = how.read(*data) if data else None
    setting = _with_annotators(_setting(found, how.options["shape"]), annotators)
    with progress_bar("degrading") as progress:
        made = reading_grid(
            measure,
            setting,
            degradations=_names(degradation),
            steps=steps,
            campaigns=campaigns,
            seed=seed,
            jobs=jobs,
            progress=progress,
            **measure_options.given(options),
        )
    from accord.cli.output import introduce, print_json, tell

    levels = None if value is None else made.read(value)
    if svg is not None:
        grid_figure(made, value=value).save(svg)
    if as_json:
        print_json(
            {
                **made.to_dict(),
                **(
                    {}
                    if value is None
                    else {"value": value, "like": levels, "limits": made.limits(value)}
                ),
            },
            None if found is None else found.reading,
        )
        return
    introduce(None if found is None else found.reading)
    rows = _wide(made.curves)
    _show(f"{made.measure} under damage: {made.setting}", rows, made.notes)
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


@simulate.command()
@inputs.reads
def damage(
    data: Data = None,
    target: Annotated[
        Path | None, typer.Option("--output", "-o", help="File or folder to write the campaign to.")
    ] = None,
    degradation: Annotated[
        str | None, typer.Option("--degradation", help="One of those that simulate grid lists.")
    ] = None,
    level: Annotated[
        float | None, typer.Option("--level", help="How strong: k, p and so on of the grid.")
    ] = None,
    annotators: Annotated[
        int | None, typer.Option("--annotators", help="Number of annotators; else as found.")
    ] = None,
    campaign: Annotated[
        int, typer.Option("--campaign", help="Which campaign of the grid: 0, 1, 2, and so on.")
    ] = 0,
    to: Annotated[
        str | None, typer.Option("--to", help="Format to write, where the ending does not tell.")
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    *,
    how: inputs.How,
) -> None:
    """Write one damaged campaign of a grid, to measure it with anything."""
    from accord.cli.output import introduce, print_json, say
    from accord.errors import UsageError
    from accord.formats import write
    from accord.simulate.grid import damaged
    from accord.simulate.translation import in_words

    if target is None or degradation is None or level is None:
        raise UsageError("a damaged campaign needs --degradation, --level and --output")
    found = how.read(*data) if data else None
    setting = _with_annotators(_setting(found, how.options["shape"]), annotators)
    made = damaged(setting, degradation, level, seed=seed, campaign=campaign)
    lost = write(made, target, format=to, overwrite=how.overwrite)
    read = None if found is None else found.reading
    if as_json:
        print_json(
            {"written": str(target), "shape": made.shape, "degradation": degradation,
             "level": level, "seed": seed, "campaign": campaign, "setting": setting.sentence,
             "lost": lost},
            read,
        )  # fmt: skip
        return
    introduce(read)
    say(lost, prefix="lost")
    words = in_words(degradation, level)
    say([f"{target} written: each annotator after the first is made by {words}"])


@simulate.command()
@inputs.told
def prevalence(
    sensitivity: Annotated[float, typer.Option(help="Positives that are seen.")] = 0.9,
    specificity: Annotated[float, typer.Option(help="Negatives left alone.")] = 0.9,
    at: Annotated[
        str | None, typer.Option("--at", help="Prevalences, such as 0.5,0.1,0.01.")
    ] = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="Repeatable: κ, π, S, AC1, α.")
    ] = None,
    as_json: AsJson = False,
    svg: Svg = None,
) -> None:
    """What prevalence alone does to the coefficients of two equally good annotators."""
    from accord.cli.measure_choice import names
    from accord.report.curves import prevalence_figure
    from accord.simulate.prevalence import MEASURES, PREVALENCES, prevalence_curves

    found = prevalence_curves(
        sensitivity=sensitivity,
        specificity=specificity,
        prevalence=_numbers("--at", at) or PREVALENCES,
        measures=names(measure) or MEASURES,
    )
    if svg is not None:
        prevalence_figure(found).save(svg)
    if as_json:
        from accord.cli.output import print_json

        points = {"sensitivity": sensitivity, "specificity": specificity, "points": found.rows()}
        print_json(points, None)
        return
    _show(f"Two annotators, sensitivity {sensitivity:g}, specificity {specificity:g}", found.rows())


@simulate.command()
@inputs.reads
def size(
    data: Data = None,
    measure: Annotated[str, typer.Option("--measure", "-m", help="Measure on ratings.")] = "alpha",
    width: Annotated[
        float | None, typer.Option("--width", help="Wanted width of the interval; .1.")
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option("--threshold", help="Instead: show that the value is above this."),
    ] = None,
    assurance: Annotated[
        float, typer.Option("--assurance", help="Share of campaigns that shall meet the aim.")
    ] = 0.8,
    level: Annotated[float, typer.Option("--level", help="Level of the interval.")] = 0.95,
    agreement: Annotated[
        float, typer.Option("--agreement", help="Without data: the agreement expected.")
    ] = 0.7,
    annotators: Annotated[int, typer.Option("--annotators", help="Without data.")] = 2,
    shares: Annotated[
        str, typer.Option("--shares", help="Without data: shares of the categories.")
    ] = "0.5,0.5",
    costs: Annotated[
        str | None,
        typer.Option(
            "--costs",
            help="Without data: cost of an item and of a label, as 2,1: how many of each.",
        ),
    ] = None,
    metric: Metric = None,
    campaigns: Annotated[
        int, typer.Option("--campaigns", help="Made-up campaigns per size.")
    ] = 200,
    seed: Seed = 0,
    as_json: AsJson = False,
    svg: Svg = None,
    *,
    how: inputs.How,
) -> None:
    """How many items, or annotators, an interval of the wanted width needs."""
    from accord.cli.output import introduce, print_json, say, tell
    from accord.cli.progress import progress_bar
    from accord.data import Ratings
    from accord.errors import UsageError
    from accord.report.curves import size_figure
    from accord.simulate import annotators_or_items, planned, sample_size

    parts = _numbers("--shares", shares) or []
    aim: dict[str, Any] = {
        "width": width, "threshold": threshold, "assurance": assurance, "level": level,
        "campaigns": campaigns, "seed": seed,
        **({} if metric is None else {"metric": metric}),
    }  # fmt: skip
    if costs is not None:
        if data:
            raise UsageError("--costs compares plans: give --agreement and --shares, not data")
        prices = _numbers("--costs", costs) or []
        if len(prices) != 2:
            raise UsageError(f"--costs must be two numbers, as 2,1, got {costs!r}")
        with progress_bar("planning") as progress:
            rows = annotators_or_items(
                agreement, shares=parts, item_cost=prices[0], label_cost=prices[1],
                measure=measure, progress=progress, **aim,
            )  # fmt: skip
        if as_json:
            print_json({"measure": measure, "agreement": agreement, "plans": rows}, None)
            return
        _show(f"Annotators against items: {measure} about {agreement:g}", rows)
        tell(
            spoken(
                "This is for these annotators: for others of their kind (accord agree --unit annotator) "
                "the width hardly falls with the number of items."
            )
        )
        return
    source = None
    if data:
        ratings: Any = how.read(*data)
        if not isinstance(ratings, Ratings):
            raise UsageError(f"sample sizes are for ratings, these data are {ratings.shape}")
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
    if as_json:
        print_json(found.to_dict(), ratings.reading if data else None)
        return
    introduce(ratings.reading if data else None)
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
    say(found.warnings, prefix="warning")


@simulate.command()
@inputs.reads
def measures(
    data: Data = None,
    measure: Annotated[
        list[str] | None, typer.Option("--measure", "-m", help="Measures to compare; repeatable.")
    ] = None,
    degradation: Degradations = None,
    steps: Steps = 4,
    campaigns: Campaigns = 10,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: AsJson = False,
    svg: Svg = None,
    *,
    how: inputs.How,
) -> None:
    """Which measure falls under which damage, and which does not."""
    from accord.cli.measure_choice import names
    from accord.cli.progress import progress_bar
    from accord.report.curves import comparison_figures, stacked
    from accord.simulate import compare_measures

    found = how.read(*data) if data else None
    setting = _setting(found, how.options["shape"])
    with progress_bar("comparing") as progress:
        made = compare_measures(
            names(measure),
            setting,
            degradations=_names(degradation),
            steps=steps,
            campaigns=campaigns,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    if svg is not None:
        from accord.files.atomic import write_text

        write_text(svg, stacked(comparison_figures(made)))
    notes = [note for g in made.grids for note in g.notes]
    from accord.cli.output import introduce, print_json

    read = None if found is None else found.reading
    if as_json:
        print_json(
            {
                "setting": setting.sentence,
                "measures": [g.measure for g in made.grids],
                "points": made.rows(),
                "falls": made.falls(),
                "notes": notes,
            },
            read,
        )
        return
    introduce(read)
    _show(f"Measures under damage: {setting.sentence}", _named(made.rows()), notes)
    _show("How far each falls by half of the damage", _named(made.falls()))


simulate.command()(chains)
simulate.command()(reliability)


# --- what the sub-commands share -----------------------------------------------------------------


def _setting(found: Annotations | None, shape: str | None) -> Setting:
    from accord.errors import UsageError
    from accord.simulate import PAPER, PLAIN_RATINGS, setting_of

    if found is not None:
        return setting_of(found)
    if shape not in (None, "units", "ratings"):
        raise UsageError(f"degradations are simulated on units and ratings, not on {shape}")
    return PLAIN_RATINGS if shape == "ratings" else PAPER


def _with_annotators(setting: Setting, annotators: int | None) -> Setting:
    """The same setting with another number of annotators."""
    from dataclasses import replace

    from accord.errors import UsageError

    if annotators is None:
        return setting
    if annotators < 2:
        raise UsageError(f"--annotators must be at least 2, got {annotators}")
    said = setting.sentence.replace(f"{setting.annotators} annotators", f"{annotators} annotators")
    return replace(setting, annotators=annotators, sentence=said)


def _show(title: str, rows: Sequence[Mapping[str, Any]], notes: Any = ()) -> None:
    from rich.console import Console

    from accord.cli.output import say
    from accord.report.tables import rows_table

    # a title longer than the table would be folded to its width
    Console().print(spoken(title), style="bold", highlight=False, markup=False)
    Console().print(rows_table("", rows, most=100))
    say(notes)


def _wide(curves: Any) -> list[dict[str, Any]]:
    """One row per degradation: its strongest level, and the value at some shares of it."""
    steps = len(curves[0].levels) - 1
    shown = sorted({round(steps * share / 5) for share in range(6)})
    return [
        {
            "degradation": spoken(c.degradation),
            "up to": figures(f"{c.symbol} = {c.levels[-1]:g}"),
            **{f"{100 * i / steps:.0f} %": figures(f"{c.value[i]:.2f}") for i in shown},
        }
        for c in curves
    ]


def _named(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The rows with the names of the degradations in the language that is spoken."""
    return [{**row, "degradation": spoken(row["degradation"])} for row in rows]


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [part.strip() for part in text.split(",") if part.strip()]


def _numbers(option: str, text: str | None) -> list[float] | None:
    from accord.errors import UsageError

    if text is None:
        return None
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise UsageError(f"{option} must be numbers separated by commas, got {text!r}") from None
