"""``accord score``: how good is a system against a reference?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs, measure_options
from accord.cli.inputs import names
from accord.cli.keywords import (
    OUTPUT,
    WHICH,
    AsJson,
    Each,
    FailOn,
    FailUnder,
    Intervals,
    Jobs,
    Measures,
    SystemAnnotator,
)
from accord.cli.measure_options import given
from accord.cli.output import failed_under, print_json, print_results, say
from accord.errors import UsageError, some
from accord.options import Said

if TYPE_CHECKING:
    from accord.data import Annotations
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
    measure: Measures = None,
    by: Annotated[
        list[str] | None,
        Said(
            "Breakdowns: a,b,c. All: document. Ratings: category, item, confusion, majority, difficulty, "
            "unanimous, bin. Units: category, confusion, errors. Chains: entity, size, type, upos, error, "
            "error-type, error-size, error-document, correction. Relations: label. Boxes: label, errors.",
            panel=WHICH,
            words="document category item confusion majority difficulty unanimous bin errors entity size "
            "type upos error error-type error-size error-document correction label",
        ),
    ] = None,
    intervals: Intervals,
    as_json: AsJson = False,
    fail_under: FailUnder = None,
    fail_on: FailOn = "value",
    jobs: Jobs = 1,
    compare: Annotated[
        bool, Said("Compare the systems two by two (joint resampling).", panel=WHICH)
    ] = False,
    allow_agreement: Annotated[
        bool,
        Said("Compute an agreement coefficient as a score, with its warning.", panel=WHICH),
    ] = False,
    system_annotator: SystemAnnotator = None,
    each: Each = False,
    svg: Annotated[
        Path | None,
        Said("Draw --by confusion, or ece --by bin, into this SVG file.", panel=OUTPUT),
    ] = None,
    html: Annotated[
        Path | None,
        Said(
            "The same, of all systems, as a page; of chains, the text with the entities of both sides "
            "and their differences.",
            panel=OUTPUT,
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
    from accord.cli.measure_choice import chosen, run_measures
    from accord.data.reading import beside
    from accord.evaluation.datasets import mean_over_datasets
    from accord.evaluation.scores import are_votes, scores
    from accord.registry import Measure
    from accord.uncertainty.family import between_systems, comparisons

    level, resamples, seed, unit = (
        intervals.level,
        intervals.resamples,
        intervals.seed,
        intervals.unit,
    )
    certainty = intervals.certainty()
    typed = given({**options, "jobs": None if jobs == 1 else jobs})
    asked = names(by)
    results: list[Result] = []
    warnings: list[str] = []
    sides: list[tuple[Annotations, Annotations, str]] = []
    for dataset, (gold, answers) in _pairs(reference, system or [], datasets, compare).items():
        key, responses = _read(
            how,
            gold,
            answers,
            system_annotator,
            each=each,
            votes=are_votes(names(measure)),
            several=allow_agreement,
        )
        records: list[Measure] = chosen(measure or _reported(typed), key, "score")
        warnings.extend(key.notes)
        for name, (response, path) in responses.items():
            warnings.extend(response.notes)
            place = path.parent.name if dataset and not each else name
            sides.append((key, response, f"{place}, {dataset}" if dataset else place))
            for group, people in _people(key).items():
                found, skipped = run_measures(
                    records,
                    typed,
                    lambda name, own, key=people, response=response: scores(  # type: ignore[misc]
                        key,
                        response,
                        name,
                        own,
                        certainty,
                        by=asked,
                        allow_agreement=allow_agreement,
                    ),
                    strict=measure is None or "all" not in measure,
                )
                warnings.extend(skipped)
                results.extend(_placed(r, place, dataset, group) for r in found)
    if datasets:
        results.extend(mean_over_datasets(results))
    if "across" in typed:
        warnings = [w for w in warnings if "`across`" not in w]
    read = [beside(key, {name: answers}, scored=True) for key, answers, name in sides]
    if not datasets:
        read = [beside(key, {name: answers for _, answers, name in sides}, scored=True)]
    reading = read if datasets else read[0]
    if html is not None and sides and sides[0][0].shape == "chains":
        from accord.files.atomic import write_text
        from accord.report.chain_scores import scored_chains_html

        write_text(html, scored_chains_html(sides, results, typed, read[0]))
        html = None
    _draw(results, svg, html)
    compared = (
        comparisons(
            [pair for pair in between_systems(results) if _comparable(*pair)],
            level=level,
            resamples=resamples,
            seed=seed,
            unit=unit,
        )
        if compare
        else []
    )
    if as_json:
        print_json(
            {
                "shape": key.shape,
                "results": [r.to_dict() for r in results],
                "warnings": list(dict.fromkeys(warnings)),
                **({"comparisons": compared} if compare else {}),
            },
            reading,
        )
    else:
        # what is said of the data is said once
        shown = [replace(r, warnings=_not_in(r.warnings, warnings)) for r in results]
        extra = {"comparisons": compared} if compare else {}
        print_results(shown, reading, notes=warnings, extra=extra)
    if why := failed_under(results, fail_under, on=fail_on):
        say(why, prefix="failed")
        raise typer.Exit(1)


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


def _people(key: Annotations) -> dict[str, Annotations]:
    """The judges of each group, where groups were given; else all of them."""

    groups = {} if key.roles is None else key.roles.groups
    if not groups:
        return {"": key}
    if key.shape != "ratings":
        raise UsageError(
            f"--groups scores against the votes of each group, and {key.shape} have none; make a "
            "reference of each group with accord gold --groups"
        )
    members: dict[str, list[str]] = {}
    for annotator in key.annotators:
        if annotator in groups:
            members.setdefault(groups[annotator], []).append(annotator)
    if not members:
        raise UsageError(f"no judge has a group; the judges are {some(key.annotators)}")
    return {name: key.select(annotators=who) for name, who in members.items()}


def _comparable(first: tuple[str, Result], second: tuple[str, Result]) -> bool:
    """Two systems by the same group, or one system by two groups."""
    a, b = first[1].terms.get("group"), second[1].terms.get("group")
    return a == b or first[0].removesuffix(f", {a}") == second[0].removesuffix(f", {b}")


def _placed(result: Result, system: str, dataset: str, group: str = "") -> Result:
    """The result with whose it is and what it is about."""
    about = {name: value for name, value in (("dataset", dataset), ("group", group)) if value}
    return replace(
        result,
        system=", ".join([system, *about.values()]),
        terms={**about, **result.terms},
    )


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
    from accord.evaluation.entrants import NO_SYSTEM, systems_in

    people = how.read_reference(reference)
    key = reference_of(people)
    if people.shape != "ratings" and not several:
        inputs.require_one(
            people if key is None else key,
            reference,
            "choose the one that is the reference with --reference-annotator",
        )
    found = {name: (answers, reference) for name, answers in systems_of(people).items()}
    for path in systems:
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


def _reported(typed: dict[str, Any]) -> list[str] | None:
    """The measures that the shared task of a preset reports."""
    from accord.measures.coreference.presets import PRESETS

    preset = PRESETS.get(typed.get("preset", ""))
    return None if preset is None else list(preset.shown)


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


def _not_in(said: tuple[str, ...], before: list[str]) -> tuple[str, ...]:
    return tuple(w for w in said if w not in before)
