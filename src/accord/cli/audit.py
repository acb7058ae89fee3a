"""``accord audit``: can this number be trusted, and is it the right measure?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from accord.cli import reading


@reading.reads
def audit(
    data: Annotated[list[Path], typer.Argument(help="Files, or folders, of one campaign.")],
    reference: Annotated[Path | None, typer.Option(help="The reference of a system.")] = None,
    system: Annotated[Path | None, typer.Option(help="A system scored against it.")] = None,
    measure: Annotated[
        str | None, typer.Option("--measure", "-m", help="The measure you mean to report.")
    ] = None,
    systems: Annotated[
        str | None, typer.Option(help="Annotators in the data that are systems: a,b.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of everything random.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    *,
    how: reading.How,
) -> None:
    """Say what to trust, what to change, and which measure to report."""
    from accord.audit import audit as audited
    from accord.audit import recommend
    from accord.cli.output import print_json, say

    found = how.read(*data)
    beside = {
        name: None if path is None else how.read(path)
        for name, path in (("reference", reference), ("system", system))
    }
    advice = recommend(found, " ".join(map(str, data)), seed=seed)
    findings = audited(
        found,
        reference=beside["reference"],
        system=beside["system"],
        measure=measure,
        systems=tuple((systems or "").split(",")) if systems else (),
        result=advice.result,
        seed=seed,
    )
    if as_json:
        rows: list[dict[str, Any]] = [
            {
                "rule": f.rule,
                "severity": f.severity,
                "statement": f.statement,
                "evidence": f.evidence,
                "advice": f.advice,
                "citation": f.citation,
            }
            for f in findings
        ]
        print_json(
            {
                "shape": found.shape,
                "findings": rows,
                "recommendation": {
                    "measure": advice.measure,
                    "options": advice.options,
                    "why": advice.why,
                    "command": advice.command,
                    "sentence": advice.sentence,
                    "result": None if advice.result is None else advice.result.to_dict(),
                },
                "warnings": list(found.notes),
            }
        )
        return
    from rich.console import Console

    say(found.notes)
    console = Console(highlight=False)
    if not findings:
        console.print("[bold]Nothing to object to.[/bold]")
    style = {"serious": "bold red", "caution": "bold yellow", "note": "bold blue"}
    for f in findings:
        console.print(f"[{style[f.severity]}]{f.severity}[/] [dim]{f.rule}[/dim]")
        console.print(f"  {f.statement}", markup=False)
        console.print(f"  → {f.advice}", markup=False)
        console.print(f"  {f.citation}", style="dim", markup=False)
        console.print()
    console.print(f"[bold]Report[/bold] {advice.measure}: {advice.why}.")
    console.print(f"  {advice.command}", markup=False)
    if advice.sentence:
        console.print(f"  “{advice.sentence}”", markup=False, style="dim")
