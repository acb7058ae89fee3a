"""``accord score``: how good is a system against a reference?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs, keywords, measure_options
from accord.cli.first_screens import after_scores, score_of
from accord.cli.keywords import Output, Which
from accord.cli.measure_options import given
from accord.cli.output import exit_under, print_results
from accord.cli.progress import progress_bar
from accord.errors import InputError, UsageError, in_command, some
from accord.options import Said

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.evaluation.scores import Side
    from accord.result import Result


@measure_options.takes(
    measure_options.of_measures("score"), hidden=measure_options.of_measures("agree")
)
@inputs.reads
def score(
    reference: Annotated[Path, Said("The reference (or the judges' ratings).")],
    system: Annotated[
        list[Path] | None, Said("One file per system; or --systems of the reference's file.")
    ] = None,
    *,
    measure: keywords.Measures = None,
    by: Annotated[
        list[str] | None,
        Which(
            "Breakdowns: a,b,c. All: document. Ratings: category, item, confusion, majority, difficulty, "
            "unanimous, bin. Units: category, confusion, errors. Chains: entity, size, type, upos, error, "
            "error-type, error-size, error-document, correction. Relations: label. Boxes: label, errors.",
            words="document category item confusion majority difficulty unanimous bin errors entity size "
            "type upos error error-type error-size error-document correction label",
            first=True,
        ),
    ] = None,
    intervals: keywords.Intervals,
    as_json: keywords.AsJson = False,
    paper: keywords.Paper,
    fail_under: keywords.FailUnder = None,
    fail_on: keywords.FailOn = "value",
    jobs: keywords.Jobs = 1,
    compare: Annotated[
        bool, Which("Compare the systems two by two (joint resampling).", first=True)
    ] = False,
    allow_agreement: Annotated[
        bool,
        Which("Compute an agreement coefficient as a score, with its warning."),
    ] = False,
    system_annotator: keywords.SystemAnnotator = None,
    each: keywords.Each = False,
    svg: Annotated[
        Path | None,
        Output("Draw --by confusion, or ece --by bin, into this SVG file."),
    ] = None,
    html: Annotated[
        Path | None,
        Output(
            "The same, of all systems, as a page; of chains, the text with the entities of both sides "
            "and their differences.",
            first=True,
        ),
    ] = None,
    datasets: Annotated[
        bool,
        Said("Folders of one file per dataset on both sides: a row for each, and their mean."),
    ] = False,
    how: inputs.How,
    **options: Any,
) -> None:
    """Score systems against a reference."""
    from accord.data.reading import beside
    from accord.evaluation.scores import Side, are_votes, reported, scored
    from accord.study.ask import Ask
    from accord.uncertainty.family import between_systems, comparisons

    typed = given({**options, "jobs": None if jobs == 1 else jobs})
    named = inputs.names(measure)
    ask = Ask(
        question="score",
        measures=named or reported(typed),
        options=typed,
        certainty=intervals.certainty(),
        by=inputs.names(by),
        allow_agreement=allow_agreement,
    )
    sides: list[Side] = []
    for dataset, (gold, answers) in _pairs(reference, system or [], datasets, compare).items():
        key, responses = _read(
            how,
            gold,
            answers,
            system_annotator,
            each=each,
            votes=are_votes(named),
            several=allow_agreement,
        )
        for name, (response, path) in responses.items():
            place = path.parent.name if dataset and not each else name
            sides.append(Side(reference=key, system=response, name=place, dataset=dataset))
    answered = scored(ask, sides, told=in_command, watch=progress_bar)
    results = answered.results
    said = [w for w in answered.left_out if "across" not in typed or "`across`" not in w]
    if datasets:
        read = [beside(s.reference, {_named(s): s.system}, scored=True) for s in sides]
    else:
        read = [beside(key, {s.name: s.system for s in sides}, scored=True)]
    if html is not None and key.shape == "chains":
        from accord.files.atomic import write_text
        from accord.report.chain_scores import scored_chains_html

        shown = [(s.reference, s.system, _named(s)) for s in sides]
        write_text(html, scored_chains_html(shown, results, typed, read[0]))
        html = None
    _draw(results, svg, html)
    extra: dict[str, Any] = {}
    if compare:
        extra["comparisons"] = comparisons(
            between_systems(results),
            level=intervals.level,
            resamples=intervals.resamples,
            seed=intervals.seed,
            unit=intervals.unit,
        )
    reading = read if datasets else read[0]
    told = replace(answered, left_out=())
    print_results(
        as_json,
        key.shape,
        told,
        reading,
        notes=said,
        extra=extra,
        first=score_of(sides, results, typed),
        steps=after_scores(
            results,
            [reference, *(system or ())],
            how,
            typed,
            named,
            {
                "--allow-agreement": allow_agreement,
                "--each": each,
                "--datasets": datasets,
                "--system-annotator": system_annotator,
            },
        ),
        asked=ask.by,
        paper=paper,
    )
    exit_under(results, fail_under, on=fail_on)


def _named(side: Side) -> str:
    return f"{side.name}, {side.dataset}" if side.dataset else side.name


def _pairs(
    reference: Path, systems: list[Path], datasets: bool, compare: bool
) -> dict[str, tuple[Path, list[Path]]]:
    """The files to compare: those given, or one pair per dataset of the folders given."""
    from accord.evaluation.datasets import paired_files

    if not datasets:
        return {"": (reference, systems)}
    if not systems:
        raise UsageError("--datasets compares folders: give the system's after the reference's")
    if compare:
        raise UsageError("--compare compares systems on one dataset: leave --datasets out")
    return paired_files(reference, systems)


def _read(
    how: inputs.How,
    reference: Path,
    systems: list[Path],
    system_annotator: str | None,
    *,
    each: bool,
    votes: bool,
    several: bool,
) -> tuple[Annotations, dict[str, tuple[Annotations, Path]]]:
    """The reference, and each system with the file it is in."""
    from accord.data.roles import reference_of, systems_of
    from accord.evaluation.entrants import (
        NO_SYSTEM,
        entrants_of,
        is_name,
        systems_in,
        told_apart,
    )

    people = how.read_reference(reference)
    entrants = entrants_of(list(systems), people)
    people, _ = told_apart(people, entrants)
    key = reference_of(people)
    whose = (people if key is None else key).annotators
    if people.shape != "ratings" and not several and len(whose) > 1:
        raise InputError(
            f"holds {len(whose)} annotators: {some(whose)}",
            path=reference,
            hint="choose the one that is the reference with --reference-annotator",
        )
    found = {name: (answers, reference) for name, answers in systems_of(people).items()}
    for path in [Path(str(own)) for own in entrants.values() if not is_name(own)]:
        response = how.read_system(path)
        name = path.stem if path.stem not in found else path.name
        own = systems_in(
            response,
            name,
            system_annotator=system_annotator,
            each=each,
            path=path,
            taken=found,
            votes=votes,
        )
        found |= {who: (answers, path) for who, answers in own.items()}
    how.refuse_unknown_labels(people, *(answers for answers, _ in found.values()))
    if not found and key is not None:
        found = {n: (people.select(annotators=[n]), reference) for n in people.annotators}
    if not found:
        raise UsageError(NO_SYSTEM)
    return people if key is None else key, found


def _draw(results: list[Result], svg: Path | None, html: Path | None) -> None:
    """Write the drawings that were asked for."""
    if svg is None and html is None:
        return
    from accord.files.atomic import write_text
    from accord.report.scores import figures_page, score_figures

    figures = score_figures(results)
    page = figures_page("Scores", figures)
    if svg is not None:
        if len(figures) > 1:
            raise UsageError(f"--svg holds one drawing and there are {len(figures)}; use --html")
        figures[0].save(svg)
    if html is not None:
        write_text(html, page)
