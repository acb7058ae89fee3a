"""``accord audit``: can this number be trusted, and is it the right measure?"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.jobs import with_workers
from accord.cli.keywords import AsJson, Data, OfMeasure, Output, Seed
from accord.cli.output import (
    Step,
    answer,
    blank,
    fitted,
    headline,
    indented,
    is_verbose,
    show_steps,
    tell,
)
from accord.cli.progress import progress_bar
from accord.errors import UsageError, in_command
from accord.language import headed, quoted, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.audit import Finding, Findings, Recommendation


@inputs.reads
def audit(
    data: Data,
    *,
    reference: Annotated[Path | None, Said("The reference of a system.", first=True)] = None,
    system: Annotated[Path | None, Said("A system scored against it.", first=True)] = None,
    measure: Annotated[str | None, OfMeasure("The measure you mean to report.", first=True)] = None,
    fail_on: Annotated[
        str | None,
        Output(
            "Exit with 1 on a finding of serious, caution or note.",
            words="note caution serious",
            first=True,
        ),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """Say what to trust, what to change, and which measure to report."""
    from accord.audit import SEVERITIES, recommend
    from accord.audit import audit as audited
    from accord.data.progress import stages
    from accord.measures import find
    from accord.study import entered

    if fail_on is not None and fail_on not in SEVERITIES:
        raise UsageError(f"`fail_on` must be one of {', '.join(SEVERITIES)}, got {fail_on!r}")
    found = how.read(*data, partly=True)
    standard, answers = (
        None if path is None else how.read_other(path) for path in (reference, system)
    )
    how.refuse_unknown_labels(found, standard, answers)
    words = (*(shlex.quote(str(path)) for path in data), *how.words)
    with progress_bar("audit"), with_workers(1):
        # (ratings are measured at once, and the rules look long; the others are aligned first)
        first, then = stages((3, 7) if found.shape == "ratings" else (8, 2))
        with first:
            advice = recommend(found, " ".join(words), seed=seed)
        with then:
            findings = audited(
                found,
                reference=standard,
                system=answers,
                measure=measure,
                result=advice.result,
                seed=seed,
            )
    # what was read, as the measure that is advised uses it
    read = entered(found, [(find(advice.measure, "agree"), advice.options)])
    if standard is not None:
        read = read.beside("reference", standard, "reference")
    if system is not None and answers is not None:
        read = read.beside(system.stem, answers)
    steps = [
        (f"accord audit {' '.join(words)} --verbose", "all findings, with their sources"),
        (advice.command, "the measure to report"),
    ]
    steps = [(command + how.speaking, purpose) for command, purpose in steps]
    answer(
        as_json,
        {"shape": found.shape, **_document(findings, advice), "warnings": []},
        read,
        lambda: _show(findings, advice, steps),
        notes=found.notes,
    )
    if fail_on is not None and findings.at_least(fail_on):
        raise typer.Exit(1)


def _told(sentence: str) -> str:
    return in_command(spoken(sentence))


def _document(findings: Findings, advice: Recommendation) -> dict[str, Any]:
    return {
        "findings": [
            {**asdict(f), "statement": _told(f.statement), "advice": _told(f.advice)}
            for f in findings
        ],
        "skipped": [{"rule": s.rule, "reason": _told(s.reason)} for s in findings.skipped],
        "recommendation": {
            "measure": advice.measure,
            "options": advice.options,
            "why": _told(advice.why),
            "command": advice.command,
            "sentence": advice.sentence and spoken(advice.sentence),
            "result": None if advice.result is None else advice.result.to_dict(),
        },
    }


_STYLE = {"serious": "red", "caution": "yellow", "note": "blue"}


#: lines that findings take on a first screen; the others are named
_ROOM = 6


def _show(findings: Findings, advice: Recommendation, steps: Sequence[Step]) -> None:
    from accord.report.first_screen import value_line
    from accord.study.verdict import verdict

    if advice.result is not None:
        tell(value_line(advice.result), style="bold")
        if sentence := verdict(advice.result):
            tell(fitted(spoken(sentence)))
        tell(*(fitted(f"→ {_told(f.advice)}") for f in _echoes(findings, advice)))
        blank()
    if not findings:
        tell(spoken("Nothing to object to."), style="bold green")
    if is_verbose():
        _all(findings)
    else:
        _worst(findings, advice)
    if advice.sentence:
        told = spoken(advice.sentence)
        # (how to compute it again is for who wants everything)
        short = told if is_verbose() else told.rpartition(", ")[0]
        blank()
        tell(fitted(headed(spoken("for the paper"), quoted(short))))
    if findings.skipped:
        skipped = {s.rule: _told(s.reason) for s in findings.skipped}
        if is_verbose():
            blank()
            headline(spoken("Not checked"))
            for rule, reason in skipped.items():
                indented(headed(rule, reason), "dim")
        else:
            tell(headed(spoken("not checked"), ", ".join(skipped)), style="dim")
    show_steps(steps)


def _all(findings: Findings) -> None:
    """Every finding with what it rests on."""
    from rich.console import Console

    console = Console(highlight=False)
    for f in findings:
        console.print(f"[bold {_STYLE[f.severity]}]{spoken(f.severity)}[/] [dim]{f.rule}[/dim]")
        indented(_told(f.statement))
        if f.advice:
            indented(f"→ {_told(f.advice)}")
        indented(f.citation, "dim")
        blank()


def _echoes(findings: Findings, advice: Recommendation) -> list[Finding]:
    """The findings that say what the value itself says."""
    from accord.study.verdict import verdict

    said = "" if advice.result is None else verdict(advice.result).partition(". ")[0]
    return [f for f in findings if said and said in f.statement]


def _worst(findings: Findings, advice: Recommendation) -> None:
    """The most serious findings as far as there is room; the rest by name.

    What the value itself says stands above.
    """
    above = _echoes(findings, advice)
    left = [f for f in findings if f not in above]
    room = _ROOM
    while left:
        f = left[0]
        told = f" · {_told(f.statement)}"
        lines = [fitted(spoken(f.severity) + told), *([f"→ {_told(f.advice)}"] if f.advice else [])]
        room -= sum(fitted(line).count("\n") + 1 for line in lines)
        if room < 0 and len(left) < len(findings) - len(above):
            break
        headline(spoken(f.severity), told)
        tell(*map(fitted, lines[1:]))
        left.pop(0)
    if left:
        names = ", ".join(dict.fromkeys(f.rule for f in left))
        tell(headed(spoken(f"{len(left)} more with --verbose"), names), style="dim")
