"""``accord align`` of chains: the entities of every two annotators, side by side."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.cli.output import answer, table
from accord.errors import in_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from accord.data import Chains
    from accord.report.chain_explorer import Compared


def align_chains(data: Chains, *, html: Path | None, csv: Path | None, as_json: bool) -> None:
    """Align the entities of every two annotators one to one, and show what differs."""
    from accord.files.atomic import write_text
    from accord.report.chain_explorer import chains_html, compared_annotators
    from accord.report.figure import Table

    pairs = compared_annotators(data)
    if html is not None:
        notes = [in_command(note) for note in data.notes]
        title = "Entities of two annotators"
        write_text(html, chains_html(pairs, title=title, notes=notes, reading=data.reading))
    entities = {(p.first, p.second): _entities(p) for p in pairs}
    differences = {(p.first, p.second): _differences(p) for p in pairs}
    if csv is not None:
        written = [
            _written(first, second, name, row)
            for (first, second), documents in entities.items()
            for name, rows in documents.items()
            for row in rows
        ]
        write_text(csv, Table.of(written).csv())

    def show() -> None:
        for (first, second), counted in differences.items():
            rows = [{"document": name, **counts} for name, counts in counted.items()]
            table(f"What it takes from {second} to {first}", rows)

    compared = [
        {
            "first": pair[0],
            "second": pair[1],
            "documents": [
                {"document": name, "entities": rows, "differences": differences[pair][name]}
                for name, rows in documents.items()
            ],
        }
        for pair, documents in entities.items()
    ]
    signature = f"align|entities:dice|documents:{len(data.documents)}"
    answer(
        as_json,
        {"pairs": compared, "signature": signature, "warnings": []},
        data.reading,
        show,
        notes=data.notes,
    )


def _entities(pair: Compared) -> dict[str, list[dict[str, Any]]]:
    """Return, of each document, a row for two entities that are aligned, or one that stands alone."""
    from accord.measures.coreference.aligned_entities import aligned_entities
    from accord.measures.coreference.corrections import corrections

    found = corrections(pair.paired)
    names = pair.paired.table.documents
    listed: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
    for aligned in aligned_entities(found):
        mentions: dict[str, Any] = {}
        texts: dict[str, Any] = {}
        for name, entity in (("first", aligned.first), ("second", aligned.second)):
            side = found.key if name == "first" else found.response
            rows = () if entity is None else side.entities[entity]
            mentions[name] = None if entity is None else side.mentions(rows)
            texts[f"{name}_text"] = (
                None
                if entity is None
                else [side.rows.chains.text(side.where[r], side.which[r]) for r in rows]
            )
        document, _ = aligned.first or aligned.second or (0, 0)
        shared = {"common": aligned.common, "dice": aligned.dice}
        listed[names[document]].append(mentions | texts | shared)
    return listed


def _differences(pair: Compared) -> dict[str, dict[str, int]]:
    """Return, of each document, how often each kind of correction is needed."""
    from accord.measures.coreference.corrections import CLASSES, corrections

    counted = {name: dict.fromkeys(CLASSES, 0) for name in pair.paired.table.documents}
    for one in corrections(pair.paired).found:
        counted[pair.paired.table.documents[one.document]][one.error] += 1
    return counted


def _written(first: str, second: str, document: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "document": document,
        "annotator": first,
        "other": second,
        "entity": " | ".join(row["first_text"] or ()),
        "other_entity": " | ".join(row["second_text"] or ()),
        "common": row["common"],
        "dice": row["dice"],
    }
