"""``accord agree``: do the annotators agree, beyond chance, and where not?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, keywords, measure_options
from accord.cli.first_screens import after_agreement, first_of
from accord.cli.jobs import start_workers
from accord.cli.keywords import Which
from accord.cli.measure_options import given
from accord.cli.output import exit_under, is_verbose, print_results
from accord.cli.progress import progress_bar
from accord.errors import in_command

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.result import Result


@measure_options.takes(measure_options.of_measures("agree"))
@inputs.reads
def agree(
    data: keywords.Data,
    *,
    measure: keywords.Measures = None,
    by: keywords.AgreeBy = None,
    intervals: keywords.Intervals,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    fail_under: keywords.FailUnder = None,
    fail_on: keywords.FailOn = "value",
    jobs: keywords.Jobs = 1,
    compare: Annotated[
        bool, Which("Compare the measures two by two (joint resampling).", first=True)
    ] = False,
    against: Annotated[
        Path | None, Which("Another campaign to compare each measure with.", first=True)
    ] = None,
    diagnose: Annotated[bool, Which("Ratings: what may mislead.")] = False,
    propose_distances: Annotated[
        Path | None, Which("Ratings: write category distances from the confusions.")
    ] = None,
    merges: Annotated[bool, Which("Ratings: what if two categories were one?")] = False,
    how: inputs.How,
    **options: Any,
) -> None:
    """Measure the agreement among annotators."""
    from accord.study import entered
    from accord.study.ask import Ask

    start_workers(jobs, data)
    found = how.read(*data, partly=against is not None)
    other = None if against is None else how.read(against, partly=True)
    how.refuse_unknown_labels(found, other)
    typed = given({**options, "jobs": None if jobs == 1 else jobs})
    ask = Ask(
        question="agree",
        measures=inputs.names(measure),
        options=typed,
        certainty=intervals.certainty(),
        by=inputs.names(by),
    ).settled(found)
    records = ask.records(found)
    sets = found.shape == "ratings" and getattr(found, "kind", None) == "sets"
    if sets and not ask.by and all("label" in r.breakdowns for r in records):
        # without its labels the value of sets misleads
        ask = replace(ask, by=("label",))
    answered = ask.answer(found, told=in_command, watch=progress_bar)
    results = answered.results
    asked = [(record, ask.options_of(record)) for record in records]
    read = [entered(one, asked) for one in (found, other) if one is not None]
    extra: dict[str, Any] = {}
    if compare or other is not None or (found.roles is not None and found.roles.groups):
        from accord.evaluation.groups import beside

        extra |= beside(ask, found, results, compare=compare, other=other)
    if diagnose or merges or propose_distances is not None:
        from accord.cli.ratings_extras import extras

        extra |= extras(
            found,
            diagnose=diagnose,
            merges=merges,
            distances=propose_distances,
            seed=intervals.seed,
        )
    everything = as_json or is_verbose()
    translated = _translated(found, results) if everything else []
    if translated:
        extra |= {"translations": translated} if as_json else {}
    print_results(
        as_json,
        found.shape,
        answered,
        read if against is not None else read[0],
        notes=found.notes,
        extra=extra,
        paper=paper,
        remarks=translated,
        first=first_of(found, results, ask.options_of(records[0])),
        asked=ask.by,
        steps=after_agreement(found, results, data, how, typed, inputs.names(measure)),
    )
    exit_under(results, fail_under, on=fail_on)


def _translated(data: Annotations, results: Sequence[Result]) -> list[str]:
    """One sentence per result of units that a reading grid can translate."""
    if data.shape != "units":
        return []
    from accord.simulate import translate

    sentences = [translate(r, data=data) for r in results if r.undefined is None]
    return [s for s in sentences if s]
