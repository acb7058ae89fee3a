"""What ``accord gold`` shows of a reference on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from accord.gold import Consensus, Reference


def show_reference(
    reference: Reference | Consensus, todo: Sequence[Mapping[str, Any]], written: Path | None
) -> None:
    from rich.console import Console

    from accord.cli.output import indented
    from accord.gold import Consensus
    from accord.report.tables import rows_table

    console = Console()
    size = len(reference.rows) if isinstance(reference, Consensus) else len(reference)
    console.print(f"[bold]Reference[/bold] · {reference.method}, {size} items")
    for sentence in _told(reference.terms):
        indented(console, sentence)
    if written is None:
        short = _brief(reference) if isinstance(reference, Consensus) else list(reference.rows())
        console.print(rows_table("reference", short))
    if reference.annotators:
        console.print(rows_table("annotators", list(reference.annotators)))
    if todo:
        console.print(_todo_table(todo))
    indented(console, reference.signature, "dim")


#: what a term of a reference says; those that are nothing to speak of (0) are not said
_TOLD = {
    "weak_items": "{} items have a majority under half the votes",
    "ties": "{} items tie",
    "abstained": "{} items have no value",
    "unrated": "{} items were rated by nobody",
    "decided": "{} items were decided by people",
    "rejected": "{} items were rejected by people",
    "considered": "{} candidates were considered",
    "units": "{} units are in the reference",
    "boundaries": "{} boundaries are in the reference",
    "mentions": "{} mentions are in the reference",
    "entities": "{} entities are in the reference",
    "label_ties": "{} units have as many votes for one label as for another",
    "weak": "{} rest on a minority, or on a label without a majority",
    "confidence": "confidences are {}",
}
_CONFIDENCES = {
    "model": "the model's own posteriors",
    "bagged": "means over annotators drawn again (bagged)",
    "known": "tempered until known items are judged rightly as often as said",
    "held-out": "tempered on votes held out",
}
#: told in another way, or of no use on a terminal
_UNTOLD = {"weak_majority", "weak_share"}


def _told(terms: Mapping[str, Any]) -> list[str]:
    """The terms of a reference as sentences."""
    said = []
    for key, value in terms.items():
        if key in _UNTOLD or value in (0, 0.0, None):
            continue
        if isinstance(value, dict):
            inner = ", ".join(f"{k.replace('_', ' ')} {_figure(v)}" for k, v in value.items())
            said.append(f"{key.replace('_', ' ')}: {inner}")
        elif key in _TOLD:
            word = _CONFIDENCES.get(str(value), _figure(value))
            said.append(_TOLD[key].format(word))
        else:
            said.append(f"{key.replace('_', ' ')}: {_figure(value)}")
    return said


def _figure(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _brief(reference: Consensus) -> list[dict[str, Any]]:
    """The elements in few columns; the whole rows are in --json."""
    kept = ("item", "label", "position", "entity", "kept", "confidence", "source")
    return [
        {k: r[k] for k in kept if k in r} | {"support": f"{r['support']} of {r['annotators']}"}
        for r in reference.rows
    ]


def _todo_table(todo: Sequence[Mapping[str, Any]], most: int = 20) -> Table:
    """What needs a human, few enough columns to be read on a terminal; the rest is in the file."""
    from rich.markup import escape
    from rich.table import Table

    from accord.report.name import Name, cut

    more = (
        f"{len(todo) - most:,} more; --worklist FILE writes them all" if len(todo) > most else None
    )
    table = Table(
        title=f"needs a human ({len(todo)})", title_justify="left", title_style="bold", box=None,
        pad_edge=False, header_style="dim", padding=(0, 2, 0, 0), caption=more, caption_justify="left",
    )  # fmt: skip
    table.add_column("item", max_width=24)
    table.add_column("gain", justify="right", no_wrap=True)
    table.add_column("proposed", max_width=16)
    table.add_column("why a human · what to judge by", overflow="fold")
    for row in todo[:most]:
        proposed = row.get("proposed", row.get("label", row.get("position", row.get("entity", ""))))
        others = f"dissent: {row['dissent']}" if row.get("dissent") else ""
        text = str(row.get("text") or row.get("votes") or others)
        words = " ".join(cut(word, 24) for word in text.split())
        words = words if len(words) <= 120 else f"{words[:119]}…"
        told = row["reason"] + (f" · {words}" if words else "")
        table.add_row(
            Name(str(row["item"])),
            f"{row['gain']:.2f}",
            Name("" if proposed is None else str(proposed)),
            escape(told),
        )
    return table
