"""``accord gold --groups``: a reference of each group of annotators, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.language import spoken

if TYPE_CHECKING:
    from accord.gold.by_group import GroupReferences


def written(found: GroupReferences, path: Path, to: str | None, *, overwrite: bool) -> list[str]:
    """Write the references of all groups as one campaign whose annotators are the groups."""
    from accord.formats import write
    from accord.gold import Consensus
    from accord.gold.worklist import write_table

    plain = {n: r for n, r in found.references.items() if not isinstance(r, Consensus)}
    if len(plain) < len(found.references) or to is not None:
        lost = write(found.together(), path, format=to, overwrite=overwrite)
        return [f"{path} cannot hold {what}" for what in lost]
    rows = [
        {
            "item": row["item"],
            "annotator": name,
            "value": row["value"],
            "confidence": row["confidence"],
        }
        for name, reference in plain.items()
        for row in reference.rows()
    ]
    write_table(path, rows, ("item", "annotator", "value", "confidence"))
    return []


def show(found: GroupReferences, *, output: Path | None) -> None:
    """What each group's reference rests on, and the items on which they differ."""
    from rich.console import Console

    from accord.report.tables import rows_table

    console = Console()
    console.print(
        rows_table("A reference of each group", [_row(found, n) for n in found.references])
    )
    differing = found.differing()
    if differing:
        console.print()
        title = f"{len(differing)} item{'s' * (len(differing) != 1)} on which the groups differ"
        console.print(rows_table(title, differing, most=15))
    if output is not None:
        console.print(
            spoken(f"written to {output}, the groups as annotators"), style="dim", highlight=False
        )


def _row(found: GroupReferences, name: str) -> Mapping[str, Any]:
    from accord.gold import Consensus

    reference = found.references[name]
    row: dict[str, Any] = {"group": name, "annotators": len(found.members[name])}
    if isinstance(reference, Consensus):
        return {**row, "kept": _kept(reference)}
    rows = list(reference.rows())
    sure = [r["confidence"] for r in rows if isinstance(r["confidence"], (int, float))]
    decided = sum(r["value"] not in (None, "") for r in rows)
    return {
        **row,
        "items": len(rows),
        "decided": decided,
        "mean_confidence": sum(sure) / len(sure) if sure else None,
    }


def _kept(reference: Any) -> int:
    """Units, boundaries or mentions of a reference."""
    data = reference.reference
    if data.shape == "units":
        return len(data)
    if data.shape == "chains":
        return len(data.mention)
    return sum(len(p) for p in data.boundaries.values())
