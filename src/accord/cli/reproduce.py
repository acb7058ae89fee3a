"""``accord reproduce``: the tables of the papers, recomputed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import inputs
from accord.cli.keywords import AsJson, Output
from accord.cli.output import blank, print_json, say, table, tell
from accord.cli.progress import progress_bar
from accord.language import figures, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.report.reproduce import Check


@inputs.told
def reproduce(
    which: Annotated[
        str | None, Said("A paper (such as tal2016) or a table ('Table 1').", metavar="TABLE")
    ] = None,
    *,
    html: Annotated[Path | None, Output("Write the page 'the papers, recomputed'.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the papers' tables: their value, ours, the difference."""
    from accord.files.atomic import write_text
    from accord.report.reproduce import PAPERS, cannot
    from accord.report.reproduce import figures as drawings
    from accord.report.reproduce import reproduce as recomputed
    from accord.report.reproduce.page import papers_page, summary

    with progress_bar("reproduce"):
        checks = recomputed(which)
    rows = [
        {
            "paper": c.paper,
            "table": c.table,
            "what": c.what,
            "printed": c.printed,
            "as_printed": c.as_printed or None,
            "ours": c.ours,
            "difference": c.difference,
            "computed_by": c.how,
            "status": c.status,
            "slip": c.slip,
        }
        for c in checks
    ]
    off = [c for c in checks if c.status == "OFF"]
    if html is not None:
        write_text(html, papers_page(checks, PAPERS, cannot(), drawings()))
    if as_json:
        print_json({"papers": PAPERS, "checks": rows, "cannot": cannot(), "ok": not off}, None)
    else:
        for key in dict.fromkeys(c.paper for c in checks):
            for place in dict.fromkeys(c.table for c in checks if c.paper == key):
                mine = [c for c in checks if (c.paper, c.table) == (key, place)]
                tell(f"{PAPERS[key].split(',')[0]}, {place}", style="bold")
                table("", _shown(mine), most=200)
                blank()
            for what, why in cannot()[key].items():
                tell(spoken(f"{what}: cannot be recomputed: {why}"), style="dim")
            blank()
        tell(spoken(summary(checks)))
    if off:
        say(
            [f"{c.paper} {c.table}, {c.what}: {c.ours:.4f}, printed {c.printed}" for c in off],
            prefix="off",
        )
        raise typer.Exit(1)


def _shown(checks: Sequence[Check]) -> list[dict[str, object]]:
    """The rows of one table as they are read, in the language that is spoken; no empty columns."""
    rows = [
        {
            "what": spoken(c.what),
            "printed": figures(c.as_printed),
            "ours": c.ours,
            "difference": "" if c.difference is None else c.difference,
            "computed by": c.how,
            "status": spoken(c.status),
            "slip": spoken(c.slip or ""),
        }
        for c in checks
    ]
    return [{k: v for k, v in row.items() if any(r[k] != "" for r in rows)} for row in rows]
