"""``accord agree``: do the annotators agree, beyond chance, and where not?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs, measure_options
from accord.cli.jobs import Jobs, start_workers
from accord.cli.measure_options import given

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.registry import Measure

MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        help="Measures by name: a,b,c, or all; accord measures lists them. By default the one that "
        "suits the data.",
        autocompletion=measure_options.measure_names,
    ),
]
By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        help="Breakdowns: a,b,c. All: pair, annotator, document. Ratings: category, item, time, "
        "confusion, coincidence, repeats; sets: label. Units: category. Chains: item, mention, "
        "unmatched. Relations: label. Boxes: label, errors.",
    ),
]
#: what `metric` takes, for commands whose options are not made from the measures' records
METRICS = (
    "nominal, ordinal, interval, ratio, circular, bipolar, linear, jaccard, masi, edit, token-f1, "
    "cosine, euclidean, kendall, footrule, bracket-f1, path, wu-palmer, or a file"
)
Metric = Annotated[str | None, typer.Option("--metric", help=f"Distance of α: {METRICS}.")]
Ci = Annotated[
    str,
    typer.Option(
        "--ci", help="auto, dirichlet, bootstrap, jackknife, analytic, krippendorff or none."
    ),
]
Level = Annotated[float, typer.Option("--level", help="Level of the interval.")]
Resamples = Annotated[int, typer.Option("--resamples", help="Resamples of the interval.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of everything random.")]
ResampleUnit = Annotated[
    str | None,
    typer.Option(
        "--unit",
        help="Resample item or document (when there are some); annotator: other people too.",
    ),
]
Threshold = Annotated[
    list[float] | None,
    typer.Option(
        "--threshold", help="The probability that the true value is below it. Repeatable."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
FailUnder = Annotated[
    float | None, typer.Option("--fail-under", help="Exit with 1 when a value is below this.")
]
FailOn = Annotated[
    str, typer.Option("--fail-on", help="What --fail-under looks at: value, or low, its limit.")
]


@measure_options.takes(measure_options.of_measures("agree"))
@inputs.reads
def agree(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    measure: MeasureNames = None,
    by: By = None,
    ci: Ci = "auto",
    level: Level = 0.95,
    resamples: Resamples = 2000,
    seed: Seed = 0,
    unit: ResampleUnit = None,
    threshold: Threshold = None,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    fail_on: FailOn = "value",
    jobs: Jobs = 1,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare the measures two by two (joint resampling).")
    ] = False,
    against: Annotated[
        Path | None, typer.Option(help="Another campaign to compare each measure with.")
    ] = None,
    diagnose: Annotated[
        bool, typer.Option("--diagnose", help="Ratings: what may mislead.")
    ] = False,
    propose_distances: Annotated[
        Path | None, typer.Option(help="Ratings: write category distances from the confusions.")
    ] = None,
    merges: Annotated[
        bool, typer.Option("--merges", help="Ratings: what if two categories were one?")
    ] = False,
    *,
    how: inputs.How,
    **options: Any,
) -> None:
    """Measure the agreement among annotators."""
    from accord.cli.measure_choice import chosen, chosen_because, names, run_measures
    from accord.cli.output import failed_under, print_json, print_results, say
    from accord.measures import agree as measured
    from accord.study import entered

    start_workers(jobs, data)
    found = how.read(*data, partly=against is not None)
    typed = given({**options, "jobs": None if jobs == 1 else jobs})
    records = chosen(measure, found, "agree")
    common: dict[str, Any] = {
        "ci": None if ci == "none" else ci,
        "level": level,
        "resamples": resamples,
        "seed": seed,
        "unit": unit,
        "by": names(by) or _always(found, records),
        "threshold": threshold or (),
    }
    results, warnings = run_measures(
        records,
        typed,
        lambda name, own: measured(found, name if measure else None, **common, **own),
        strict=measure is None or "all" not in measure,
    )
    extra: dict[str, Any] = {}
    asked = [(record, typed) for record in records]
    readings = [entered(found, asked)]
    if compare or against is not None:
        from accord.uncertainty.family import between_campaigns, between_measures, comparisons

        pairs = between_measures(results) if compare else []
        if against is not None:
            other = how.read(against, partly=True)
            how.refuse_unknown_labels(found, other)
            readings.append(entered(other, asked))
            elsewhere, _ = run_measures(
                records,
                typed,
                lambda name, own: measured(other, name if measure else None, seed=seed, **own),
            )
            pairs += between_campaigns(results, elsewhere)
            from accord.data import Ratings

            if isinstance(found, Ratings) and isinstance(other, Ratings):
                from accord.evaluation.groups import replication

                row = replication(
                    found, other, metric=_metric(typed, records, found), level=level, seed=seed
                )
                extra |= {} if row is None else {"replication": [row]}
        extra["comparisons"] = comparisons(
            pairs, level=level, resamples=resamples, seed=seed, unit=unit
        )
    if diagnose or merges or propose_distances is not None:
        from accord.cli.ratings_extras import extras

        extra |= extras(
            found, diagnose=diagnose, merges=merges, distances=propose_distances, seed=seed
        )
    if found.roles is not None and found.roles.groups:
        from accord.evaluation.groups import group_tables

        own = {k: v for k, v in typed.items() if records[0].takes(k)}
        extra |= group_tables(
            found,
            found.roles.groups,
            lambda part: measured(part, records[0].name, seed=seed, **own),
            metric=_metric(typed, records, found),
            seed=seed,
        )
    from accord.cli.translation import translations

    read = readings if against is not None else readings[0]
    translated = translations(results, found)
    if as_json:
        print_json(
            {
                "shape": found.shape,
                "results": [r.to_dict() for r in results],
                "warnings": [*found.notes, *warnings],
                **extra,
                **({"translations": translated} if translated else {}),
            },
            read,
        )
    else:
        because = [] if measure else [chosen_because(found)]
        print_results(
            results, read, notes=found.notes, extra=extra, remarks=[*because, *translated]
        )
    if why := failed_under(results, fail_under, on=fail_on):
        say(why, prefix="failed")
        raise typer.Exit(1)


def _always(data: Annotations, records: list[Measure]) -> tuple[str, ...]:
    """Breakdowns without which a value misleads: sets of labels are shown label by label too."""
    sets = data.shape == "ratings" and getattr(data, "kind", None) == "sets"
    return ("label",) if sets and all("label" in r.breakdowns for r in records) else ()


def _metric(typed: dict[str, Any], records: Sequence[Measure], data: Annotations) -> str:
    """The metric that groups and campaigns are compared with: the one given, or that of the data."""
    from accord.measures.choice import choose

    given = typed.get("metric") if records[0].takes("metric") else None
    return str(given or choose(data).options.get("metric", "nominal"))
