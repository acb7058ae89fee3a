"""The store of decisions beside a reference: opened, and filled from files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accord.gold import Reference, Store


def open_store(
    decisions: Path | None, output: Path | None, wanted: bool
) -> tuple[Store | None, list[str]]:
    """Open the store that was named, else the one beside the output when it is there or wanted.

    Logs of earlier versions that lie beside the output are taken in once.
    """
    from accord.gold.decisions import Store, store_path
    from accord.gold.decisions.exchange import read_records, take_in

    beside = None if output is None else store_path(None, output)
    old = None if output is None else output.with_name(output.stem + ".decisions.jsonl")
    path = decisions or beside
    if path is None:
        note = "the decisions are used and not kept; keep them with --decisions FILE.db"
        return (Store(":memory:"), [note]) if wanted else (None, [])
    if decisions is None and not wanted and not path.exists() and not (old and old.exists()):
        return None, []
    notes = [] if path.exists() or wanted else [f"{path} is new and holds no decisions"]
    store = Store(path)
    notes += store.notes
    if old is not None and old.exists():
        found, _, problems = read_records(old, who="unknown")
        notes += problems
        added = take_in(store, found)
        if added:
            notes.append(f"{added} decisions of {old} were taken into {path}")
    return store, notes


def take_in_file(
    store: Store,
    path: Path,
    reference: Reference | None,
    *,
    new_labels: bool,
    who: str | None,
) -> tuple[int, list[str]]:
    """Store what is new in a file, checked against the data if there are some: how much, and notes."""
    import getpass

    from accord.gold.adjudication import adjudicate, check_of
    from accord.gold.decisions.exchange import read_records, take_in, take_in_remarks

    found, remarks, notes = read_records(path, who=who or getpass.getuser())
    if reference is None:
        added = take_in(store, found)
    else:
        added = adjudicate(store, found, check_of(reference, new_labels=new_labels), path=str(path))
    take_in_remarks(store, remarks)
    return added, notes
