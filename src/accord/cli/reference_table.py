"""What ``accord gold`` shows of a reference on the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from accord.cli.output import (
    Step,
    blank,
    fitted,
    headline,
    indented,
    is_verbose,
    show_steps,
    table,
    tell,
)
from accord.language import headed, spoken

if TYPE_CHECKING:
    from rich.table import Table

    from accord.gold import PlacedReference, Reference
    from accord.gold.by_group import GroupReferences


#: items of a reference that is shown whole, annotators and open items of a first screen
_ITEMS = 6
_PEOPLE, _OPEN = 4, 3


def show_reference(
    reference: Reference,
    todo: Sequence[Mapping[str, Any]],
    written: Path | None,
    steps: Sequence[Step],
) -> None:
    """Print how a reference was made and what it says, or where it was written, and what is open."""
    from rich.console import Console

    from accord.gold import PlacedReference

    size = spoken(f"{len(reference)} items")
    where = "" if written is None else f", {spoken(f'written to {written}')}"
    headline(headed(spoken(f"Reference by {reference.method}"), size + where))
    told = [spoken(sentence) for sentence in _told(_known(reference))]
    if told:
        tell(fitted(" · ".join(told)))
    if written is None and (is_verbose() or len(reference) <= _ITEMS):
        brief = _brief(reference) if isinstance(reference, PlacedReference) else _plain(reference)
        table("reference" if is_verbose() else "", brief)
    people = reference.annotators
    if people:
        table(
            "how each annotator compares with it",
            sorted(people, key=_agrees),
            most=None if is_verbose() else _PEOPLE,
        )
    if todo:
        Console().print(_todo_table(todo, 20 if is_verbose() else _OPEN))
    if is_verbose():
        indented(reference.signature, "dim")
    show_steps(steps)


def _agrees(row: Mapping[str, Any]) -> float:
    """How much of what somebody did the reference has: the least comes first."""
    known = (row.get(name) for name in ("accuracy", "recall", "agreement"))
    return next((v for v in known if isinstance(v, (int, float)) and v == v), 1.0)


def show_groups(found: GroupReferences, written: Path | None) -> None:
    """Print what each group's reference rests on, and the items on which they differ."""
    table("A reference of each group", [_group(found, name) for name in found.references])
    differing = found.differing()
    if differing:
        blank()
        title = f"{len(differing)} item{'s' * (len(differing) != 1)} on which the groups differ"
        table(title, differing, most=15)
    if written is not None:
        tell(spoken(f"written to {written}, the groups as annotators"), style="dim")


def _group(found: GroupReferences, name: str) -> Mapping[str, Any]:
    from accord.gold import PlacedReference

    reference = found.references[name]
    row: dict[str, Any] = {"group": name, "annotators": len(found.members[name])}
    if isinstance(reference, PlacedReference):
        return {**row, "kept": sum(1 for held in reference.considered if held.get("kept", True))}
    rows = list(reference.rows())
    sure = [r["confidence"] for r in rows if isinstance(r["confidence"], (int, float))]
    decided = sum(r["value"] not in (None, "") for r in rows)
    mean = sum(sure) / len(sure) if sure else None
    return {**row, "items": len(rows), "decided": decided, "mean_confidence": mean}


#: what a term of a reference says, of one and of several; those that are nothing to speak of (0) are not said
_TOLD = {
    "weak_items": (
        "1 item has a majority under half the votes",
        "{} items have a majority under half the votes",
    ),
    "ties": ("1 item ties", "{} items tie"),
    "abstained": ("1 item has no value", "{} items have no value"),
    "unrated": ("1 item was rated by nobody", "{} items were rated by nobody"),
    "decided": ("1 item was decided by people", "{} items were decided by people"),
    "rejected": ("1 item was rejected by people", "{} items were rejected by people"),
    "units": ("1 unit is in the reference", "{} units are in the reference"),
    "boundaries": ("1 boundary is in the reference", "{} boundaries are in the reference"),
    "mentions": ("1 mention is in the reference", "{} mentions are in the reference"),
    "entities": ("1 entity is in the reference", "{} entities are in the reference"),
    "relations": ("1 relation is in the reference", "{} relations are in the reference"),
    "shapes": ("1 shape is in the reference", "{} shapes are in the reference"),
    "label_ties": (
        "1 has as many votes for one label as for another",
        "{} have as many votes for one label as for another",
    ),
    "weak": (
        "1 rests on a minority, or on a label without a majority",
        "{} rest on a minority, or on a label without a majority",
    ),
    "confidence": ("", "confidences are {}"),
    "disagreement": ("", "it contradicts {} of what annotators say of two mentions, on average"),
    "proven": ("no other entities contradict them less (proven)", ""),
    "layers": ("", "units overlap: {} layers were made of them"),
}
_CONFIDENCES = {
    "model": "the model's own posteriors",
    "bagged": "means over annotators drawn again (bagged)",
    "known": "tempered until known items are judged rightly as often as said",
    "held-out": "tempered on votes held out",
}
#: told in another way, or of no use on a terminal
_UNTOLD = {
    "weak_majority",
    "weak_share",
    "bound",
    "gap",
    "nodes",
    "components",
    "largest",
    "considered",
}


def _known(reference: Reference) -> Mapping[str, Any]:
    """The terms that mean something for this method: numbers have a mean and no majority."""
    from accord.gold.plan import NUMERIC

    terms = reference.terms
    if reference.method not in NUMERIC:
        return terms
    return {name: value for name, value in terms.items() if name != "weak_items"}


def _told(terms: Mapping[str, Any]) -> list[str]:
    """The terms of a reference as sentences."""
    said = []
    for key, value in terms.items():
        if key in _UNTOLD or value in (0, 0.0, None):
            continue
        if key == "unanimity":
            said += _unanimous(value)
        elif isinstance(value, dict):
            inner = ", ".join(f"{k.replace('_', ' ')} {_figure(v)}" for k, v in value.items())
            said.append(f"{key.replace('_', ' ')}: {inner}")
        elif key in _TOLD:
            word = _CONFIDENCES.get(str(value), _figure(value))
            one, many = _TOLD[key]
            if sentence := one if value == 1 else many.format(word):
                said.append(sentence)
        else:
            said.append(f"{key.replace('_', ' ')}: {_figure(value)}")
    return said


def _unanimous(found: Mapping[str, Any]) -> list[str]:
    """What it means to keep only what nobody disputes (Mathet & Widlöcher 2016, §6.2)."""
    kept, gone = found["kept_items"], found["dropped_items"]
    said = [f"{kept} of {kept + gone} items are kept, those on which all agree"]
    if gone and found.get("inflation") is not None:
        said.append(
            "these are the easy ones: an annotator scored against the others is right on "
            f"{found['accuracy_unanimous']:.0%} where they are unanimous, "
            f"on {found['accuracy_all']:.0%} of all"
        )
    return said


def _figure(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _plain(reference: Reference) -> list[dict[str, Any]]:
    """The items in few columns; the whole rows are in the file and in --json."""
    rows = list(reference.rows())
    kept = [
        "item",
        "value",
        "confidence",
        *(k for k in ("reason", "who") if any(r[k] for r in rows)),
    ]
    return [{k: spoken(r[k]) if k == "reason" else r[k] for k in kept} for r in rows]


def _brief(reference: PlacedReference) -> list[dict[str, Any]]:
    """The elements in few columns; the whole rows are in --json."""
    kept = ("item", "label", "position", "entity", "kept", "confidence", "source")
    return [
        {k: r[k] for k in kept if k in r}
        | {"support": spoken(f"{r['support']} of {r['annotators']}")}
        | ({"source": spoken(r["source"])} if "source" in r else {})
        for r in reference.considered
    ]


def _todo_table(todo: Sequence[Mapping[str, Any]], most: int) -> Table:
    """What needs a human, few enough columns to be read on a terminal; the rest is in the file."""
    from rich.markup import escape
    from rich.table import Table

    from accord.report.cut import cut
    from accord.report.name import Name

    more = None
    if len(todo) > most and is_verbose():
        more = spoken(f"{len(todo) - most:,} more; --worklist FILE writes them all")
    room = 120 if is_verbose() else 30
    title = spoken(f"To decide by hand ({len(todo):,}), most useful first")
    table = Table(
        title=title, title_justify="left", title_style="bold", box=None,
        pad_edge=False, header_style="dim", padding=(0, 1), caption=more, caption_justify="left",
    )  # fmt: skip
    table.add_column(spoken("item"), max_width=24)
    table.add_column(spoken("proposal"), max_width=16)
    table.add_column(spoken("why · votes or text"), overflow="fold")
    for row in todo[:most]:
        proposed = row.get("proposed", row.get("label", row.get("position", row.get("entity", ""))))
        others = spoken(f"dissent: {row['dissent']}") if row.get("dissent") else ""
        text = str(row.get("text") or row.get("votes") or others)
        words = " ".join(cut(word, 24) for word in text.split())
        if len(words) > room:
            words = f"{words[: room - 1].rpartition(' ')[0] or words[: room - 1]} …"
        reasons = row["reason"].split("; ")[: None if is_verbose() else 2]
        told = ", ".join(map(spoken, reasons)) + (f" · {words}" if words else "")
        table.add_row(
            Name(str(row["item"])),
            Name("" if proposed is None else str(proposed)),
            escape(told),
        )
    return table
