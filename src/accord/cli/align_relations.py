"""`accord align` of relations: which of them belong together, what that costs, and a page of arcs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.data import Relations


def align_relations(
    relations: Relations,
    options: dict[str, Any],
    *,
    html: Path | None,
    csv: Path | None,
    as_json: bool,
) -> None:
    """Print, draw or write the best alignment of every document's relations."""
    from accord.cli.output import print_json, say
    from accord.measures.relations.aligned import aligned_relations

    found = aligned_relations(relations, **options)
    if csv is not None:
        from accord.gold.worklist import write_table

        write_table(csv, [row for a in found for row in a.rows()], ("document", "alignment"))
    if html is not None:
        from accord.report.relations_page import draw_relations

        draw_relations(relations, html)
    if as_json:
        print_json(
            {
                "documents": [a.to_dict() for a in found],
                "signature": found[0].signature if found else "",
                "warnings": list(relations.notes),
            }
        )
        return
    say(relations.notes)
    from rich.console import Console

    from accord.report.tables import rows_table

    rows = [
        {
            "document": a.document,
            "relations": a.size,
            "aligned": sum(len(g.present) > 1 for g in a.groups),
            "alone": sum(len(g.present) == 1 for g in a.groups),
            "disorder": a.disorder,
        }
        for a in found[:50]
    ]
    console = Console()
    console.print(rows_table("alignment of relations", rows))
    if len(found) > 50:
        console.print(f"… and {len(found) - 50} more documents (all with --json or --csv)")
    if found:
        console.print(found[0].signature, style="dim", highlight=False, markup=False)
