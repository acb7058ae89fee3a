"""``accord reproduce``: the tables of the papers, recomputed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from accord.cli import inputs
from accord.language import spoken


@inputs.told
def reproduce(
    table: Annotated[
        str | None, typer.Argument(help="A paper (such as tal2016) or a table ('Table 1').")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write the page 'the papers, recomputed'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Recompute the papers' tables: their value, ours, the difference."""
    from accord.cli.output import print_json, say
    from accord.cli.progress import progress_bar
    from accord.report.reproduce import PAPERS, cannot
    from accord.report.reproduce import reproduce as recomputed

    with progress_bar("reproduce"):
        checks = recomputed(table)
    rows = [
        {
            "paper": c.paper,
            "table": c.table,
            "what": c.what,
            "printed": c.printed,
            "ours": c.ours,
            "difference": c.difference,
            "status": c.status,
            "slip": c.slip,
        }
        for c in checks
    ]
    off = [c for c in checks if c.status == "OFF"]
    if html is not None:
        from accord.files.atomic import write_text
        from accord.report.reproduce.page import papers_page

        write_text(html, papers_page(checks, PAPERS, cannot()))
    if as_json:
        print_json({"papers": PAPERS, "checks": rows, "cannot": cannot(), "ok": not off}, None)
    else:
        from rich.console import Console

        from accord.report.tables import rows_table

        console = Console()
        for name in dict.fromkeys((c.paper, c.table) for c in checks):
            mine = [
                {
                    k: _told(v)
                    for k, v in row.items()
                    if k not in ("paper", "table") and v is not None
                }
                for row in rows
                if (row["paper"], row["table"]) == name
            ]
            title = f"{PAPERS[name[0]].split(',')[0]}, {name[1]}"
            console.print(title, style="bold", highlight=False, markup=False)
            console.print(rows_table("", mine, most=200))
            console.print()
        for key, reasons in cannot().items():
            for what, why in reasons.items():
                told = spoken(f"{what}: cannot be recomputed: {why}")
                console.print(f"[dim]{key}, {told}[/dim]", highlight=False)
        console.print(
            spoken(f"{len(checks) - len(off)} of {len(checks)} values as printed or known slips")
        )
    if off:
        say(
            [f"{c.paper} {c.table}, {c.what}: {c.ours:.4f}, printed {c.printed}" for c in off],
            prefix="off",
        )
        raise typer.Exit(1)


def _told(value: object) -> object:
    """What stands in a cell, in the language that is spoken."""
    return spoken(value) if isinstance(value, str) else value
