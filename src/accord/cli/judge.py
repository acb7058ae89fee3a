"""``accord judge``: may this model stand in for people, and what is the rate given its errors?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from accord.cli import inputs
from accord.cli.first_screens import reading, switched
from accord.cli.keywords import (
    AsJson,
    FailOn,
    Levels,
    OfMeasure,
    Output,
    Paper,
    PriceOfAHuman,
    Random,
    Seed,
)
from accord.cli.output import (
    Gated,
    Step,
    blank,
    compared,
    exit_failed,
    failed_gate,
    fitted,
    headline,
    indented,
    is_verbose,
    say,
    show_steps,
    table,
    tell,
)
from accord.cli.output import answer as printed
from accord.cli.progress import progress_bar
from accord.errors import InputError, UsageError
from accord.language import figures, headed, spoken
from accord.options import LEVEL, Said

if TYPE_CHECKING:
    from accord.evaluation.judges import JudgeAnswer, JudgeStudy
    from accord.result import Row


@inputs.reads
def judge(
    data: Annotated[list[Path], Said("People's labels of some items, the judge's of all.")],
    *,
    judge: Annotated[list[str], Said("Annotators that are models: NAME or NAME,NAME.", first=True)],
    positive: Annotated[
        str | None, Said("Value whose rate is meant; not needed for yes/no and 0/1.", first=True)
    ] = None,
    method: Annotated[
        str,
        Said(
            "auto, post-stratified, ppi++, ppi, rogan-gladen or human.",
            words="auto post-stratified ppi++ ppi rogan-gladen human",
            first=True,
        ),
    ] = "auto",
    sampling: Annotated[
        str,
        Said(
            "How people's items were chosen: random, by-judge, by-class or weights.",
            words="random by-judge by-class weights",
        ),
    ] = "random",
    population: Annotated[
        str | None, Said("finite: exactly these items, not items like these.")
    ] = None,
    strata: Annotated[
        str | None, Said("Column of strata, estimated apart and put together.")
    ] = None,
    unlabelled: Annotated[
        list[Path] | None, Said("More answers of the judge, without people's labels.")
    ] = None,
    group: Annotated[
        str | None, Said("Column of groups (or a number): the judge's bias in each.")
    ] = None,
    width: Annotated[
        float | None, Said("Wanted width of the interval: how many more labels?", first=True)
    ] = None,
    epsilon: PriceOfAHuman = 0.2,
    measure: Annotated[
        str | None, OfMeasure("Units, segments, chains: the score.", first=True)
    ] = None,
    against: Annotated[
        str | None,
        Said(
            "Another annotator, such as the judge until now: how much better is this one?",
            first=True,
        ),
    ] = None,
    margin: Annotated[
        float | None, Said("How much worse than --against still counts as no worse: its p.")
    ] = None,
    level: Levels = LEVEL,
    resamples: Annotated[int, Random("Resamples of the agreement.")] = 1000,
    seed: Seed = 0,
    as_json: AsJson = False,
    paper: Paper,
    fail_under: Annotated[
        float | None, Output("Exit with 1 when the agreement with people is below this.")
    ] = None,
    fail_if_worse: Annotated[
        float | None,
        Output("Exit with 1 when it is worse than --against by more than this.", first=True),
    ] = None,
    fail_on: FailOn = "value",
    how: inputs.How,
) -> None:
    """Judge a model as an annotator: agreement, the right to replace people, the corrected rate."""
    from accord.evaluation.judges import judge as judged
    from accord.evaluation.judges.judge import once, settled

    _check_gates(against, fail_under, fail_if_worse, fail_on)
    twice = once(how.options)
    found = how.read(*data, partly=True, duplicates=twice)
    others = () if against is None else (against,)
    found = settled(found, how.options, (*inputs.names(judge), *others))
    more = None if not unlabelled else how.read_other(*unlabelled, duplicates=twice)
    how.refuse_unknown_labels(found, more)
    if more is not None and more.shape != "ratings":
        raise InputError("holds no ratings", path=unlabelled[0] if unlabelled else None)
    options: dict[str, Any] = {
        "positive": positive, "method": method, "sampling": sampling, "strata": strata,
        "unlabelled": more, "group": group, "width": width, "epsilon": epsilon, "measure": measure,
        "against": against, "margin": margin, "level": level, "resamples": resamples, "seed": seed,
        **({} if population is None else {"population": population}),
    }  # fmt: skip
    with progress_bar("judge"):
        study = judged(found, inputs.names(judge), **options)
    typed = {"--positive": positive, "--strata": strata, "--group": group, "--measure": measure}
    again = " ".join(
        [f"accord judge {reading(data, how)}", "--judge", ",".join(judge), *switched(typed)]
    )
    steps = [(f"{again} --verbose{how.speaking}", "every figure, and the sentence for a paper")]
    if width is None:
        more_labels = "how many labels a narrower interval takes"
        steps.append((f"{again} --width 0.1{how.speaking}", more_labels))
    printed(
        as_json,
        study.to_dict() | {"warnings": study.warnings},
        found.reading.with_role("system", inputs.names(judge)).whole(),
        lambda: _show(study, steps),
        notes=found.notes,
        warnings=study.warnings,
        paper=(paper, study),
    )
    worse = -fail_if_worse if fail_if_worse is not None else None
    exit_failed(
        [
            *failed_gate([_agreement(a) for a in study.judges], fail_under, on=fail_on),
            *failed_gate(
                [_difference(a.difference) for a in study.judges if a.difference is not None],
                worse,
                on=fail_on,
                shown=f"{worse} (--fail-if-worse {fail_if_worse})",
            ),
        ]
    )


def _check_gates(against: str | None, under: float | None, worse: float | None, on: str) -> None:
    """Refuse a gate that has nothing to look at, before anything is computed."""
    if worse is not None and against is None:
        raise UsageError("--fail-if-worse is about a difference: name the other with --against")
    if worse is not None and not worse >= 0:
        raise UsageError(f"--fail-if-worse must be 0 or more, got {worse:g}")
    if on == "low" and under is None and worse is None:
        raise UsageError(
            "--fail-on says what is looked at: give --fail-under or --fail-if-worse too"
        )


def _agreement(answer: JudgeAnswer) -> Gated:
    """The agreement of a judge with people, to be held against a threshold."""
    found: Any = answer.agreement
    row = found if isinstance(found, Mapping) else found.to_dict()
    ends = row.get("with_humans_interval")
    name = spoken(f"{answer.judge}: agreement with people")
    return Gated(name, row["with_humans"], None if ends is None else ends[0])


def _difference(row: Row) -> Gated:
    """The difference of a judge and another annotator, likewise."""
    ends = row["interval"]
    name = f"{row['judge']} − {row['against']}"
    return Gated(name, row["value"], None if ends is None else ends["low"])


def _show(study: JudgeStudy, steps: Sequence[Step]) -> None:
    for answer in study.judges:
        _answer(answer)
        say(answer.warnings, prefix="warning", about=answer.judge)
        if answer is not study.judges[-1] or is_verbose():
            blank()
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
        compared(title, rows, first=first)
    show_steps(steps)


def _answer(answer: JudgeAnswer) -> None:
    from accord.evaluation.judges.agreement import Agreement

    headline(answer.judge)
    tell(fitted(spoken(answer.verdict)))
    if is_verbose():
        blank()
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
        table("The value over all items", values)
        for reason in (found.people_alone.reason, found.reason):
            if reason is not None:
                indented(spoken(reason), "dim")
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
    if is_verbose():
        blank()
        table("Agreement", rows)
    else:
        tell(*(fitted(_in_words(row)) for row in rows))
    if answer.difference is not None:
        blank()
        tell(_told(answer.difference))
    if not is_verbose():
        _needed(answer)
        return
    if answer.classes:
        kept = ("sensitivity", "specificity", "precision")
        shares = [
            {"value": r["value"], "n": figures(f"{r['n']:.1f}"), **{k: r.get(k) for k in kept}}
            for r in answer.classes
        ]
        blank()
        table("Per value (n: labels of people, shares of items)", shares)
    if answer.alt_test is not None:
        blank()
        curve = [{"ε": e, "ω": w} for e, w in answer.alt_test.curve[:7]]
        table("Winning rate ω by the price of a human", curve)
    if answer.bias:
        blank()
        table("Bias (judge − people) by group", answer.bias)
    for name, part in (("Drift", answer.drift), ("Repeated runs", answer.repeats)):
        if part is not None:
            table(name, [part])
    if answer.calibration is not None:
        table("Calibration", answer.calibration["bins"])
    blank()
    _needed(answer)
    if answer.sentence:
        tell(headed(spoken("For a paper"), spoken(answer.sentence)))
    indented(answer.signature, "dim")


def _in_words(row: Mapping[str, Any]) -> str:
    """One agreement as a line: whose, the value, its interval."""
    from accord.report.cell import number

    who, value = row[""], next(v for k, v in row.items() if k not in ("", "low", "high"))
    told = headed(who, number(value))
    if row.get("low") is None:
        return told
    limits = figures(f"[{row['low']:.3f}, {row['high']:.3f}]")
    return f"{told} {limits}"


def _needed(answer: JudgeAnswer) -> None:
    """What more labels would bring."""
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


def _told(row: Row) -> str:
    """How much better than another annotator a judge is, in a sentence."""
    if row["value"] is None or row["interval"] is None:
        why = row.get("undefined") or "too few items, or none of them differs"
        return spoken(f"{row['judge']} and {row['against']} cannot be told apart: {why}.")
    ends = row["interval"]
    said = [
        f"Closeness to people: {row['judge']} − {row['against']} = {row['value']:+.3f} "
        f"({ends['low']:.3f} to {ends['high']:.3f})."
    ]
    if row.get("p_margin") is not None:
        said.append(f"Not worse by more than {row['margin']:g}: p = {row['p_margin']:.4f}.")
    return " ".join(map(spoken, said))


def _ends(found: Any) -> dict[str, float]:
    row = {"value": found.value}
    if found.interval is not None:
        row |= {"low": found.interval.low, "high": found.interval.high}
    return row
