"""``accord judge``: may this model stand in for people, and what is the rate given its errors?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs

if TYPE_CHECKING:
    from rich.console import Console

    from accord.data import Annotations
    from accord.evaluation.judges import JudgeAnswer, JudgeStudy


@inputs.reads
def judge(
    data: Annotated[
        list[Path], typer.Argument(help="People's labels of some items, the judge's of all.")
    ],
    judge: Annotated[
        list[str], typer.Option("--judge", help="Annotators that are models: NAME or NAME,NAME.")
    ],
    positive: Annotated[
        str | None, typer.Option(help="Value whose rate is meant; not needed for yes/no and 0/1.")
    ] = None,
    method: Annotated[
        str, typer.Option(help="auto, post-stratified, ppi++, ppi, rogan-gladen or human.")
    ] = "auto",
    sampling: Annotated[
        str,
        typer.Option(help="How people's items were chosen: random, by-judge, by-class or weights."),
    ] = "random",
    population: Annotated[
        str | None, typer.Option(help="finite: exactly these items, not items like these.")
    ] = None,
    strata: Annotated[
        str | None, typer.Option(help="Column of strata, estimated apart and put together.")
    ] = None,
    unlabelled: Annotated[
        list[Path] | None, typer.Option(help="More answers of the judge, without people's labels.")
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="Column of groups (or a number): the judge's bias in each.")
    ] = None,
    width: Annotated[
        float | None, typer.Option(help="Wanted width of the interval: how many more labels?")
    ] = None,
    epsilon: Annotated[
        float, typer.Option(help="Price of a human: .2 experts, .15 skilled, .1 crowd.")
    ] = 0.2,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="Units, segments, chains: the score.")
    ] = None,
    level: Annotated[float, typer.Option(help="Level of the intervals.")] = 0.95,
    resamples: Annotated[int, typer.Option(help="Resamples of the agreement.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Judge a model as an annotator: agreement, the right to replace people, the corrected rate."""
    from accord.cli.measure_choice import names
    from accord.cli.output import introduce, print_json, say
    from accord.cli.progress import progress_bar
    from accord.errors import InputError
    from accord.evaluation.judges import judge as judged

    # repeated runs of a model are averaged; people who label twice are refused by the library
    once = {"duplicates": "first"} if how.options["duplicates"] == "error" else {}
    found = how.read(*data, partly=True, **once)
    if not once:
        found = _settled(found, names(judge))
    more = None if not unlabelled else how.read(*unlabelled, partly=True, **once)
    how.refuse_unknown_labels(found, more)
    if more is not None and more.shape != "ratings":
        raise InputError("holds no ratings", path=unlabelled[0] if unlabelled else None)
    options: dict[str, Any] = {
        "positive": positive, "method": method, "sampling": sampling, "strata": strata,
        "unlabelled": more, "group": group, "width": width, "epsilon": epsilon,
        "measure": measure, "level": level, "resamples": resamples, "seed": seed,
    }  # fmt: skip
    if population is not None:
        options["population"] = population
    with progress_bar("judge"):
        study = judged(found, names(judge), **options)
    notes = [n for n in found.notes if not once or "repeated ratings" not in n]
    read = found.reading.with_role("system", names(judge)).whole()
    if as_json:
        print_json(study.to_dict() | {"warnings": [*notes, *study.warnings]}, read)
        return
    introduce(read, notes)
    _show(study)
    say(study.warnings, prefix="warning")


def _settled(found: Annotations, judges: Sequence[str]) -> Annotations:
    """The data with one label of each person for an item, where --duplicates said which."""
    from accord.data import Ratings

    if not isinstance(found, Ratings):
        return found
    models = {found.annotators.index(name) for name in judges if name in found.annotators}
    return replace(found, repeats=tuple(r for r in found.repeats if r[1] in models))


def _show(study: JudgeStudy) -> None:
    from rich.console import Console

    from accord.cli.output import say, tell
    from accord.language import figures, spoken
    from accord.report.tables import comparisons_table

    console = Console()
    for answer in study.judges:
        _answer(console, answer)
        say(answer.warnings, prefix="warning", about=answer.judge)
        console.print()
    if study.panel is not None:
        tell(
            spoken(
                f"Errors in common: mean correlation {study.panel['mean_correlation']:.2f}; "
                f"{len(study.panel['judges'])} judges count for {study.panel['effective_number']:.2f}"
            )
        )
    if study.comparisons:
        rows = [
            {**row, "errors": figures(f"{row['error_a']:.3f} / {row['error_b']:.3f}")}
            if "error_a" in row
            else row
            for row in study.comparisons
        ]
        by_error = any("error_a" in row for row in rows)
        title = f"Judges two by two: {'mean error' if by_error else 'score against people'}"
        first = "errors" if by_error else "measure"
        console.print(comparisons_table(title, rows, first=first))


def _answer(console: Console, answer: JudgeAnswer) -> None:
    from accord.cli.output import indented, tell
    from accord.evaluation.judges.agreement import Agreement
    from accord.language import figures, headed, spoken
    from accord.report.tables import rows_table

    console.print(f"[bold]{answer.judge}[/bold]", highlight=False)
    tell(spoken(answer.verdict))
    console.print()
    if answer.corrected is not None:
        found = answer.corrected
        values: list[dict[str, Any]] = [
            {"": spoken(f"{answer.target}, by the judge alone"), "value": answer.raw},
            {"": spoken("by people's labels alone"), **_ends(found.people_alone)},
            {"": spoken(f"corrected ({found.method})"), **_ends(found)},
        ]
        if found.interval_people is not None:
            i = found.interval_people
            values.append(
                {"": f"  {spoken('for people like these')}", "low": i.low, "high": i.high}
            )
        console.print(rows_table("The value over all items", values))
        if found.reason is not None:
            indented(console, spoken(found.reason), "dim")
    rows: list[dict[str, Any]]
    if isinstance(answer.agreement, Agreement):
        shown: dict[str, Any] = answer.agreement.to_dict()
        rows = [{"": spoken("judge with people"), "share": shown["with_humans"]}]
        if shown["among_humans"] is not None:
            rows.append({"": spoken("people among themselves"), "share": shown["among_humans"]})
        for row, key in zip(rows, ("with_humans", "among_humans"), strict=False):
            ends = shown[f"{key}_interval"]
            row |= {} if ends is None else {"low": ends[0], "high": ends[1]}
    else:
        rows = []
        for words, key in (("judge with people", "with"), ("people among themselves", "among")):
            ends = answer.agreement.get(f"{key}_humans_interval")
            limits = {} if ends is None else {"low": ends[0], "high": ends[1]}
            rows.append(
                {"": spoken(words), answer.target: answer.agreement[f"{key}_humans"], **limits}
            )
    console.print()
    console.print(rows_table("Agreement", rows))
    if answer.classes:
        kept = ("sensitivity", "specificity", "precision")
        shares = [
            {"value": r["value"], "n": figures(f"{r['n']:.1f}"), **{k: r.get(k) for k in kept}}
            for r in answer.classes
        ]
        console.print()
        console.print(rows_table("Per value (n: labels of people, shares of items)", shares))
    if answer.alt_test is not None:
        console.print()
        console.print(
            rows_table(
                "Winning rate ω by the price of a human",
                [{"ε": e, "ω": w} for e, w in answer.alt_test.curve[:7]],
            )
        )
    if answer.bias:
        console.print()
        console.print(rows_table("Bias (judge − people) by group", list(answer.bias)))
    for name, table in (("Drift", answer.drift), ("Repeated runs", answer.repeats)):
        if table is not None:
            console.print(rows_table(name, [table]))
    if answer.calibration is not None:
        console.print(rows_table("Calibration", answer.calibration["bins"]))
    console.print()
    if answer.needed is not None:
        n = answer.needed
        if n.reachable:
            told = f"A width of {n.width:g} takes {n.labels} labelled items ({n.more} more)."
        else:
            told = f"A width of {n.width:g} is out of reach: all items labelled give {n.least_width:.3f}."
        tell(spoken(told))
        if n.reachable and n.more:
            first = ", ".join(str(i) for i in answer.next_items[:8])
            tell(spoken(f"Label next: {first} …"))
    if answer.sentence:
        tell(headed(spoken("For a paper"), spoken(answer.sentence)))
    indented(console, answer.signature, "dim")


def _ends(found: Any) -> dict[str, float]:
    row = {"value": found.value}
    if found.interval is not None:
        row |= {"low": found.interval.low, "high": found.interval.high}
    return row
