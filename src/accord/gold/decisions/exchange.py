"""Decisions in and out of files: filled-in worklists and other tables (CSV), logs (JSON Lines)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from os import PathLike
from pathlib import Path
from typing import Any

from accord.errors import AccordError, InputError, UsageError, some
from accord.files.atomic import write_text
from accord.files.text import read_bytes
from accord.gold.decisions.decision import WORDS, Decision, Value, canonical
from accord.gold.decisions.ledger import Ledger
from accord.gold.decisions.store import Remark, Store

#: columns of an exported table
COLUMNS = ("item", "decision", "who", "when", "why", "replaces", "id", "digest", "place")
_REMARKS = ("flag", "unflag", "comment")


def read_decisions(path: str | PathLike[str], *, who: str | None = None) -> list[Decision]:
    """Read decisions from a filled-in worklist, any table with item and decision, or a log.

    A table needs the columns `item` and `decision` (or `value`): a label, (reject), (none) or
    (withdraw); a unit may be given as JSON, {"start": 3, "end": 9, "label": "x"}. Rows without a
    decision are still to be made and are passed over. `who` is the person where the file names none.
    """
    return read_records(path, who=who)[0]


def read_records(
    path: str | PathLike[str], *, who: str | None = None
) -> tuple[list[Decision], list[Remark], list[str]]:
    """Decisions, remarks, and what was passed over."""
    source = Path(path)
    if not source.exists():
        raise InputError("does not exist", path=source, hint="check the path")
    if source.suffix in (".jsonl", ".ndjson", ".json"):
        return _read_log(source, who)
    if source.is_file() and _begins(source) == b"SQLite format 3\x00":
        with Store(source) as store:
            return list(store.ledger.decisions), list(store.remarks), store.notes
    return _read_table(source, who), [], []


def _begins(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(16)


def take_in(store: Store, decisions: Sequence[Decision]) -> int:
    """Add decisions that the store does not hold yet; returns how many.

    Reading a file again changes nothing, also when its items were decided anew since. A decision that
    does not know of the one in force is kept beside it, as a conflict to be settled by a person. A row
    of an exported table that was edited replaces the decision it was; a withdrawal that names none
    withdraws what is in force.
    """
    new: list[Decision] = []
    seen = Ledger()
    for read in decisions:
        decision = _meant(read, store.ledger)
        if store.ledger.holds(decision) or seen.holds(decision):
            continue
        seen.add(decision)
        new.append(decision)
    store.decide_all(new, beside=True)
    return len(new)


def _meant(decision: Decision, ledger: Ledger) -> Decision:
    """What a row means, given what is stored."""
    stored = ledger.find(decision.id)
    if stored is not None and stored.item == decision.item and stored.says != decision.says:
        return replace(decision, id="", when="", replaces=stored.id)
    there = ledger.standing(decision.item).in_force
    bare = decision.kind == "withdraw" and decision.replaces is None and not decision.id
    if bare and there is not None and not ledger.holds(decision):
        return replace(decision, replaces=there.id)
    return decision


def take_in_remarks(store: Store, remarks: Sequence[Remark]) -> int:
    """Add flags and comments that the store does not hold yet."""
    known = {r.id for r in store.remarks}
    new = [r for r in remarks if r.id not in known]
    for remark in new:
        store.remark(remark)
    return len(new)


def write_decisions(store: Store, path: str | PathLike[str]) -> int:
    """Write all decisions, in order: a table (.csv) or everything (.jsonl); returns how many."""
    target = Path(path)
    if target.suffix == ".csv":
        write_text(target, as_table(store.ledger.decisions))
    elif target.suffix in (".jsonl", ".ndjson"):
        write_text(target, as_log(store))
    else:
        raise UsageError(f"decisions are written as .jsonl or .csv, not {target.name!r}")
    return len(store.ledger)


def as_log(store: Store) -> str:
    """Everything the store holds as JSON Lines, remarks after decisions."""
    records: list[dict[str, Any]] = [d.to_dict() for d in store.ledger.decisions]
    records += [asdict(r) for r in store.remarks]
    return "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)


def as_table(decisions: Iterable[Decision]) -> str:
    """Decisions as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for d in decisions:
        writer.writerow(
            [
                *(d.item, word(d), d.who, d.when, d.why, d.replaces or "", d.id, d.digest or ""),
                "" if d.place is None else json.dumps(d.place, ensure_ascii=False),
            ]
        )
    return out.getvalue()


def word(decision: Decision) -> str:
    """A decision as a table writes it."""
    if decision.kind != "label":
        return f"({decision.kind})"
    value = decision.value
    if isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    return canonical(value)


def ledger_of(decisions: Any) -> Ledger:
    """A ledger from a store, its file, a ledger, or item → label or record."""
    if decisions is None:
        return Ledger()
    if isinstance(decisions, Ledger):
        return decisions
    if isinstance(decisions, Store):
        decisions.refresh()
        decisions.ledger.notes = tuple(decisions.notes)
        return decisions.ledger
    if isinstance(decisions, (str, PathLike)):
        path = Path(decisions)
        if not path.exists():
            raise InputError("does not exist", path=path, hint="check the path")
        ledger = Ledger()
        found, _, notes = read_records(path, who="unknown")
        ledger.notes = tuple(notes)
        for decision in found:
            ledger.add(decision if decision.id else replace(decision.stamped(), when=decision.when))
        return ledger
    if isinstance(decisions, Mapping):
        ledger = Ledger()
        for item, said in decisions.items():
            record = dict(said) if isinstance(said, Mapping) and "kind" in said else {"value": said}
            told = {"who": "unknown", "kind": "label"} | record | {"item": str(item)}
            ledger.add(Decision.from_dict(told).stamped())
        return ledger
    raise UsageError(
        f"decisions must be a store, its file or a mapping, got {type(decisions).__name__}"
    )


def _read_log(path: Path, who: str | None) -> tuple[list[Decision], list[Remark], list[str]]:
    """A log, those of earlier versions too. A line that a crash cut short was never acknowledged."""
    decisions: list[Decision] = []
    remarks: list[Remark] = []
    notes: list[str] = []
    lines = read_bytes(path).decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    for line_number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            notes.append(f"{path}:{line_number}: is not a decision and was passed over")
            continue
        if not isinstance(record, dict):
            notes.append(f"{path}:{line_number}: is not a decision and was passed over")
            continue
        if not record.get("who"):
            record["who"] = who
        try:
            if record.get("kind") in _REMARKS:
                remarks.append(_remark(record))
            else:
                decisions.append(Decision.from_dict(record))
        except InputError as problem:
            raise InputError(
                problem.problem, path=path, line=line_number, hint=problem.hint
            ) from None
    return decisions, remarks, notes


def _remark(record: Mapping[str, Any]) -> Remark:
    if not record.get("who") or not record.get("item"):
        raise InputError("a remark names no person or no item")
    return Remark(
        item=str(record["item"]),
        kind=record["kind"],
        text=str(record.get("text") or ""),
        who=str(record["who"]),
        when=str(record.get("when") or ""),
        id=str(record.get("id") or ""),
    )


def _read_table(path: Path, who: str | None) -> list[Decision]:
    try:
        text = read_bytes(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        raise InputError(f"cannot be read ({problem})", path=path) from None
    delimiter = max(",;\t", key=text.split("\n", 1)[0].count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    names = [str(n) for n in reader.fieldnames or []]
    column = next((c for c in ("decision", "value") if c in names), None)
    if "item" not in names or column is None:
        raise InputError(
            f"needs the columns item and decision; it has {some(names)}",
            path=path,
            line=1,
            hint="fill in the `worklist` of a reference",
        )
    found: list[Decision] = []
    try:
        for row in reader:
            if None in row or None in row.values():
                raise InputError(
                    f"has another number of cells than its header ({len(names)})",
                    path=path,
                    line=reader.line_num,
                    hint="quote cells that contain the delimiter",
                )
            decision = _row(row, column, who, path, reader.line_num)
            if decision is not None:
                found.append(decision)
    except csv.Error as problem:
        raise InputError(f"is not a readable table ({problem})", path=path) from None
    return found


def _row(
    row: Mapping[str, str], column: str, who: str | None, path: Path, line: int
) -> Decision | None:
    said = row[column].strip()
    if not said:
        return None
    value: Value = _object(said) or said
    kind = WORDS.get(said, "label")
    record = {
        "item": row["item"],
        "kind": kind,
        "value": value if kind == "label" else None,
        "who": (row.get("who") or "").strip() or who,
        **{k: (row.get(k) or "").strip() for k in ("when", "why", "replaces", "id", "digest")},
        "place": _object(row.get("place") or ""),
    }
    try:
        return Decision.from_dict(record)
    except AccordError as problem:
        raise InputError(str(problem), path=path, line=line) from None


def _object(text: str) -> dict[str, Any] | None:
    """A cell that holds a JSON object."""
    if not text.startswith("{"):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
