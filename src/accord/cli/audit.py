"""``accord audit``: can this number be trusted, and is it the right measure?"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.jobs import with_workers
from accord.cli.keywords import AsJson, Data, OfMeasure, Output, Seed
from accord.cli.output import answer, blank, copied, headline, indented
from accord.cli.progress import progress_bar
from accord.errors import UsageError, in_command
from accord.language import headed, quoted, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.audit import Findings, Recommendation


@inputs.reads
def audit(
    data: Data,
    *,
    reference: Annotated[Path | None, Said("The reference of a system.")] = None,
    system: Annotated[Path | None, Said("A system scored against it.")] = None,
    measure: Annotated[str | None, OfMeasure("The measure you mean to report.")] = None,
    fail_on: Annotated[
        str | None,
        Output(
            "Exit with 1 on a finding of serious, caution or note.",
            words="note caution serious",
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
    answer(
        as_json,
        {"shape": found.shape, **_document(findings, advice), "warnings": []},
        read,
        lambda: _show(findings, advice),
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


def _show(findings: Findings, advice: Recommendation) -> None:
    from rich.console import Console

    console = Console(highlight=False)
    if not findings:
        console.print(f"[bold green]{spoken('Nothing to object to.')}[/bold green]\n")
    for f in findings:
        console.print(f"[bold {_STYLE[f.severity]}]{spoken(f.severity)}[/] [dim]{f.rule}[/dim]")
        indented(_told(f.statement))
        if f.advice:
            indented(f"→ {_told(f.advice)}")
        indented(f.citation, "dim")
        blank()
    headline(spoken("Report"), f" {headed(advice.measure, _told(advice.why))}.")
    copied(f"  {advice.command}")
    if advice.sentence:
        indented(quoted(spoken(advice.sentence)), "dim")
    if findings.skipped:
        blank()
        headline(spoken("Not looked at"))
        for s in findings.skipped:
            indented(headed(s.rule, _told(s.reason)), "dim")
