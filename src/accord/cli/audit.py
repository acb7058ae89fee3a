"""``accord audit``: can this number be trusted, and is it the right measure?"""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import inputs
from accord.errors import UsageError, in_command

if TYPE_CHECKING:
    from accord.audit import Findings, Recommendation
    from accord.data import Annotations
    from accord.data.reading import Reading


@inputs.reads
def audit(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    reference: Annotated[Path | None, typer.Option(help="The reference of a system.")] = None,
    system: Annotated[Path | None, typer.Option(help="A system scored against it.")] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="The measure you mean to report.")
    ] = None,
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", help="Exit with 1 on a finding of serious, caution or note."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: inputs.How,
) -> None:
    """Say what to trust, what to change, and which measure to report."""
    from accord.audit import SEVERITIES, recommend
    from accord.audit import audit as audited
    from accord.cli.jobs import with_workers
    from accord.cli.progress import progress_bar
    from accord.data.progress import stages

    if fail_on is not None and fail_on not in SEVERITIES:
        raise UsageError(f"`fail_on` must be one of {', '.join(SEVERITIES)}, got {fail_on!r}")
    found = how.read(*data, partly=True)
    beside = {
        name: None if path is None else how.read_other(path)
        for name, path in (("reference", reference), ("system", system))
    }
    how.refuse_unknown_labels(found, *beside.values())
    words = (*(shlex.quote(str(path)) for path in data), *how.words)
    with progress_bar("audit"), with_workers(1):
        # (ratings are measured at once, and the rules look long; the others are aligned first)
        first, then = stages((3, 7) if found.shape == "ratings" else (8, 2))
        with first:
            advice = recommend(found, " ".join(words), seed=seed)
        with then:
            findings = audited(
                found,
                reference=beside["reference"],
                system=beside["system"],
                measure=measure,
                result=advice.result,
                seed=seed,
            )
    read = _entered(found, advice)
    if reference is not None and beside["reference"] is not None:
        read = read.beside("reference", beside["reference"], "reference")
    if system is not None and beside["system"] is not None:
        read = read.beside(system.stem, beside["system"])
    if as_json:
        _print_json(found, findings, advice, read)
    else:
        _print(found, findings, advice, read)
    if fail_on is not None and findings.at_least(fail_on):
        raise typer.Exit(1)


def _entered(data: Annotations, advice: Recommendation) -> Reading:
    """What was read, as the measure that is advised uses it."""
    from accord.measures import find
    from accord.study import entered

    return entered(data, [(find(advice.measure, "agree"), advice.options)])


def _print_json(
    data: Annotations, findings: Findings, advice: Recommendation, read: Reading
) -> None:
    from accord.cli.output import print_json
    from accord.language import spoken

    print_json(
        {
            "shape": data.shape,
            "findings": [
                {
                    **asdict(f),
                    "statement": in_command(spoken(f.statement)),
                    "advice": in_command(spoken(f.advice)),
                }
                for f in findings
            ],
            "skipped": [
                {"rule": s.rule, "reason": in_command(spoken(s.reason))} for s in findings.skipped
            ],
            "recommendation": {
                "measure": advice.measure,
                "options": advice.options,
                "why": in_command(spoken(advice.why)),
                "command": advice.command,
                "sentence": advice.sentence and spoken(advice.sentence),
                "result": None if advice.result is None else advice.result.to_dict(),
            },
            "warnings": list(data.notes),
        },
        read,
    )


def _print(data: Annotations, findings: Findings, advice: Recommendation, read: Reading) -> None:
    from rich.console import Console
    from rich.padding import Padding
    from rich.text import Text

    from accord.cli.output import introduce
    from accord.language import headed, quoted, spoken

    introduce(read, data.notes)
    console = Console(highlight=False)
    if not findings:
        console.print(f"[bold green]{spoken('Nothing to object to.')}[/bold green]")
        console.print()
    style = {"serious": "bold red", "caution": "bold yellow", "note": "bold blue"}
    for f in findings:
        console.print(f"[{style[f.severity]}]{spoken(f.severity)}[/] [dim]{f.rule}[/dim]")
        console.print(Padding(Text(in_command(spoken(f.statement))), (0, 0, 0, 2)))
        if f.advice:
            console.print(Padding(Text(f"→ {in_command(spoken(f.advice))}"), (0, 0, 0, 2)))
        console.print(Padding(Text(f.citation, style="dim"), (0, 0, 0, 2)))
        console.print()
    why = in_command(spoken(advice.why))
    console.print(f"[bold]{spoken('Report')}[/bold] {headed(advice.measure, why)}.")
    # a command is copied: it must not be broken into lines
    console.print(f"  {advice.command}", markup=False, soft_wrap=True)
    if advice.sentence:
        console.print(Padding(Text(quoted(spoken(advice.sentence)), style="dim"), (0, 0, 0, 2)))
    if findings.skipped:
        console.print()
        console.print(f"[bold]{spoken('Not looked at')}[/bold]")
        for s in findings.skipped:
            console.print(
                Padding(
                    Text(headed(s.rule, in_command(spoken(s.reason))), style="dim"), (0, 0, 0, 2)
                )
            )
