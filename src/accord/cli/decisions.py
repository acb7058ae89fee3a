"""``accord decisions``: what people decided, who, when and why."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from accord.cli import inputs
from accord.cli.decision_store import take_in_file
from accord.cli.keywords import AsJson, NewLabels, Who
from accord.cli.output import answer, headline, print_json, say, table, tell
from accord.errors import InputError, UsageError
from accord.language import headed, spoken
from accord.options import Said

if TYPE_CHECKING:
    from accord.data import Annotations
    from accord.gold import Reference, Store


@inputs.reads
def decisions(
    store: Annotated[Path, Said("The store of the decisions (.db).")],
    *,
    export: Annotated[Path | None, Said("Write all decisions: .jsonl or .csv.", first=True)] = None,
    import_: Annotated[
        list[Path] | None,
        Said(
            "Take in decisions: .jsonl, .csv or another store. Repeatable.",
            typed="--import",
            first=True,
        ),
    ] = None,
    check: Annotated[
        list[Path] | None,
        Said("Check against these data, also before taking in. Repeatable.", first=True),
    ] = None,
    new_labels: NewLabels = False,
    who: Who = None,
    verify: Annotated[
        bool, Said("Hold every row against its checksum: exit 1 when one is damaged.", first=True)
    ] = False,
    salvage: Annotated[
        Path | None, Said("Write what is whole of a damaged store into a new one.", first=True)
    ] = None,
    as_json: AsJson = False,
    how: inputs.How,
) -> None:
    """List, take in, write out, check and repair the decisions of a campaign."""
    from accord.gold.decisions import Store
    from accord.gold.decisions.exchange import write_decisions

    if not store.exists() and not import_:
        raise InputError("does not exist", path=store, hint="check the path, or --import decisions")
    if verify or salvage is not None:
        if import_ or check or export is not None:
            raise UsageError(
                "--verify and --salvage read the store alone; check, import and export it afterwards"
            )
        _repair(store, salvage, as_json)
        return
    with Store(store) as held:
        data = how.read(*check) if check else None
        reference = _reference(data, held)
        added = 0
        notes: list[str] = [*held.notes]
        for path in import_ or ():
            more, said = take_in_file(held, path, reference, new_labels=new_labels, who=who)
            added, notes = added + more, [*notes, *said]
        if import_:
            notes.append(_counted(added, "added to", store))
            reference = _reference(data, held)
        if export is not None:
            count = write_decisions(held, export)
            notes.append(_counted(count, "written to", export))
        report: dict[str, Any] = {
            "store": str(store),
            "decisions": [d.to_dict() for d in held.ledger.decisions],
            "in_force": len(held.ledger.in_force),
            "conflicts": [_conflict(s) for s in held.ledger.conflicts],
            "flagged": sorted(held.flagged),
            "imported": added,
        }
        if reference is not None:
            report["check"] = _checked(held, reference, new_labels)
    read = None if data is None else data.reading.whole()
    answer(as_json, report | {"warnings": []}, read, lambda: _show(report), notes=notes)


def _repair(store: Path, new: Path | None, as_json: bool) -> None:
    """Say what is whole and what is damaged, and write what is whole where a new store was named."""
    from accord.gold.decisions.repair import salvage, verify

    found = verify(store) if new is None else salvage(store, new)
    if as_json:
        written = {} if new is None else {"salvaged": str(new)}
        print_json({"store": str(store), **found.to_dict(), **written}, None)
    else:
        say((d.sentence for d in found.damage), prefix="damage")
        print(spoken(found.sentence))  # noqa: T201
        if new is not None:
            print(spoken(_counted(len(found.decisions), "written to", new)))  # noqa: T201
    if found.damage and new is None:
        raise typer.Exit(1)


def _counted(number: int, done: str, where: Path) -> str:
    return f"{number} decision{' was' if number == 1 else 's were'} {done} {where}"


def _reference(data: Annotations | None, held: Store) -> Reference | None:
    from accord.gold import gold

    if data is None:
        return None
    found: Reference = gold(data, decisions=held.ledger)
    return found


def _conflict(standing: Any) -> dict[str, Any]:
    return {
        "item": standing.item,
        "in_force": None if standing.in_force is None else standing.in_force.to_dict(),
        "rivals": [r.to_dict() for r in standing.rivals],
    }


def _checked(held: Store, reference: Reference, new_labels: bool) -> dict[str, Any]:
    """What became of the decisions on these data, and which of them could not be made on them."""
    from accord.gold.adjudication import check_of

    told: dict[str, Any] = reference.to_dict()
    problems = []
    allowed = check_of(reference, new_labels=new_labels)
    aside = set(told["aside"])
    for item, decision in held.ledger.in_force.items():
        if item in aside:
            continue
        try:
            allowed(decision)
        except InputError as problem:
            problems.append({"item": item, "id": decision.id, "problem": str(problem)})
    kept = ("aside", "changed", "conflicts")
    return {"moved": told.get("moved", []), **{k: told[k] for k in kept}, "problems": problems}


def _show(report: dict[str, Any]) -> None:
    from accord.gold.decisions.decision import Decision
    from accord.gold.decisions.exchange import word

    total = len(report["decisions"])
    made = spoken(f"{total} made, {report['in_force']} in force")
    open_ = spoken(f"{len(report['conflicts'])} in conflict, {len(report['flagged'])} flagged")
    headline(spoken("Decisions"), f" · {made}, {open_}")
    rows = [
        {
            "item": d["item"],
            "decision": word(Decision.from_dict(d)),
            "who": d["who"],
            "when": d["when"][:16].replace("T", " "),
            "why": d["why"],
        }
        for d in report["decisions"]
    ]
    if rows:
        table("the latest" if total > 30 else "all", rows[::-1])
    for conflict in report["conflicts"]:
        said = [d for d in (conflict["in_force"], *conflict["rivals"]) if d is not None]
        words = "; ".join(f"{d['who']}: {word(Decision.from_dict(d))}" for d in said)
        where = spoken(f"conflict on {conflict['item']}")
        tell(f"  {where} · {words}", style="yellow")
    for name, found in report.get("check", {}).items():
        if found:
            tell(f"  {headed(spoken(name), str(len(found)))}")
        for entry in found[:10]:
            named = isinstance(entry, str)
            tell(f"    {entry if named else headed(entry['item'], spoken(entry['problem']))}")
