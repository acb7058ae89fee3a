"""``accord align`` of chains: the entities of every two annotators, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from accord.data import Chains
    from accord.report.chain_explorer import Compared


def align_chains(data: Chains, *, html: Path | None, csv: Path | None, as_json: bool) -> None:
    """Align the entities of every two annotators one to one, and show what differs."""
    from accord.cli.output import introduce, print_json
    from accord.report.chain_explorer import chains_html, compared_annotators

    pairs = compared_annotators(data)
    if html is not None:
        from accord.errors import in_command
        from accord.files.atomic import write_text

        notes = [in_command(note) for note in data.notes]
        title = "Entities of two annotators"
        write_text(html, chains_html(pairs, title=title, notes=notes, reading=data.reading))
    rows = [row for pair in pairs for row in _rows(pair)]
    if csv is not None:
        from accord.files.atomic import write_text
        from accord.report.figure import Table

        write_text(csv, Table.of([_written(row) for row in rows]).csv())
    if as_json:
        print_json(
            {
                "pairs": [
                    {
                        "first": p.first,
                        "second": p.second,
                        "documents": _documents(p, [r for r in rows if r["pair"] is p]),
                    }
                    for p in pairs
                ],
                "signature": f"align|entities:dice|documents:{len(data.documents)}",
                "warnings": list(data.notes),
            },
            data.reading,
        )
        return
    introduce(data.reading, data.notes)
    _print(pairs)


def _rows(pair: Compared) -> list[dict[str, Any]]:
    """One row per pair of aligned entities, or entity that stands alone."""
    from accord.measures.coreference.aligned_entities import aligned_entities
    from accord.measures.coreference.corrections import corrections

    found = corrections(pair.paired)
    sides = found.key, found.response
    out = []
    for aligned in aligned_entities(found):
        own = [
            None if entity is None else side.entities[entity]
            for side, entity in zip(sides, (aligned.first, aligned.second), strict=True)
        ]
        document = (aligned.first or aligned.second or (0, 0))[0]
        out.append(
            {
                "pair": pair,
                "document": pair.paired.table.documents[document],
                **{
                    name: None if rows is None else side.mentions(rows)
                    for name, side, rows in zip(("first", "second"), sides, own, strict=True)
                },
                **{
                    f"{name}_text": None
                    if rows is None
                    else [side.rows.chains.text(side.where[r], side.which[r]) for r in rows]
                    for name, side, rows in zip(("first", "second"), sides, own, strict=True)
                },
                "common": aligned.common,
                "dice": aligned.dice,
            }
        )
    return out


def _documents(pair: Compared, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    from accord.measures.coreference.corrections import CLASSES, corrections

    errors = corrections(pair.paired).found
    out = []
    for d, name in enumerate(pair.paired.table.documents):
        here = [c.error for c in errors if c.document == d]
        out.append(
            {
                "document": name,
                "entities": [
                    {k: v for k, v in row.items() if k not in ("pair", "document")}
                    for row in rows
                    if row["document"] == name
                ],
                "differences": {error: here.count(error) for error in CLASSES},
            }
        )
    return out


def _written(row: dict[str, Any]) -> dict[str, Any]:
    def joined(texts: list[str] | None) -> str:
        return " | ".join(texts or ())

    return {
        "document": row["document"],
        "annotator": row["pair"].first,
        "other": row["pair"].second,
        "entity": joined(row["first_text"]),
        "other_entity": joined(row["second_text"]),
        "common": row["common"],
        "dice": row["dice"],
    }


def _print(pairs: list[Compared]) -> None:
    from rich.console import Console

    from accord.measures.coreference.corrections import CLASSES, corrections
    from accord.report.tables import rows_table

    console = Console()
    for pair in pairs:
        found = corrections(pair.paired).found
        rows = []
        for d, name in enumerate(pair.paired.table.documents):
            here = [c.error for c in found if c.document == d]
            rows.append({"document": name, **{error: here.count(error) for error in CLASSES}})
        console.print(rows_table(f"What it takes from {pair.second} to {pair.first}", rows))
