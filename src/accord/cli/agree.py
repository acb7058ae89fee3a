"""``accord agree``: do the annotators agree, beyond chance, and where not?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs, measure_options
from accord.cli.inputs import names
from accord.cli.jobs import start_workers
from accord.cli.keywords import (
    WHICH,
    AgreeBy,
    AsJson,
    Data,
    FailOn,
    FailUnder,
    Intervals,
    Jobs,
    Measures,
)
from accord.cli.measure_options import given
from accord.cli.output import failed_under, print_json, print_results, say
from accord.options import Said

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.registry import Measure


@measure_options.takes(measure_options.of_measures("agree"))
@inputs.reads
def agree(
    data: Data,
    *,
    measure: Measures = None,
    by: AgreeBy = None,
    intervals: Intervals,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    fail_on: FailOn = "value",
    jobs: Jobs = 1,
    compare: Annotated[
        bool, Said("Compare the measures two by two (joint resampling).", panel=WHICH)
    ] = False,
    against: Annotated[
        Path | None, Said("Another campaign to compare each measure with.", panel=WHICH)
    ] = None,
    diagnose: Annotated[bool, Said("Ratings: what may mislead.", panel=WHICH)] = False,
    propose_distances: Annotated[
        Path | None, Said("Ratings: write category distances from the confusions.", panel=WHICH)
    ] = None,
    merges: Annotated[bool, Said("Ratings: what if two categories were one?", panel=WHICH)] = False,
    how: inputs.How,
    **options: Any,
) -> None:
    """Measure the agreement among annotators."""
    from accord.cli.measure_choice import chosen, chosen_because, run_measures
    from accord.measures import agree as measured
    from accord.study import entered

    ci, level, resamples, seed = intervals.ci, intervals.level, intervals.resamples, intervals.seed
    unit, threshold = intervals.unit, intervals.threshold
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
