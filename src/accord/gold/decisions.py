"""Adjudication: an append-only log of human decisions, which no automatic rule overrides.

One decision is one line of JSON: {"item", "value", "kind", "who", "when", "why"}. `kind` is *label*
(the value is the label), *reject* (the item does not belong in the reference) or *none* (the item
was looked at and has no annotation). Lines are only ever added; the last decision on an item is the
one in force, and the earlier ones stay readable.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from accord.data.choose import some
from accord.errors import InputError, UsageError

Decision = Mapping[str, str]

#: what people write in the decision column when no label is meant
REJECT, NONE = "(reject)", "(none)"
FIELDS = ("item", "value", "kind", "who", "when", "why")


def read_decisions(path: Path) -> list[dict[str, str]]:
    """Read decisions from a filled-in worklist, any CSV with item and decision, or a log (.jsonl).

    A CSV needs the columns `item` and `decision` (or `value`); `who`, `when` and `why` are kept.
    Rows without a decision are still to be made and are passed over.
    """
    if not path.exists():
        raise InputError("does not exist", path=path, hint="check the path")
    if path.suffix in (".jsonl", ".ndjson"):
        return read_log(path)[0]
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"cannot be read ({problem})", path=path) from None
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    names = reader.fieldnames or []
    column = next((c for c in ("decision", "value") if c in names), None)
    if "item" not in names or column is None:
        raise InputError(
            f"needs the columns item and decision; it has {some([str(n) for n in names])}",
            path=path,
            line=1,
            hint="fill in the worklist that accord gold --worklist writes",
        )
    found: list[dict[str, str]] = []
    for row in reader:
        if None in row or None in row.values():
            raise InputError(
                f"has another number of cells than its header ({len(names)})",
                path=path,
                line=reader.line_num,
                hint="quote cells that contain the delimiter",
            )
        value = str(row[column]).strip()
        if not value:
            continue
        item = str(row["item"])
        if not item:
            raise InputError("a decision names no item", path=path, line=reader.line_num)
        found.append(_decision(item, value, row))
    return found


def read_log(path: Path) -> tuple[list[dict[str, str]], list[str]]:
    """All decisions of a log in order, and what is wrong with it.

    A last line that a crash cut short is passed over with a note: it was never acknowledged.
    """
    if not path.exists():
        return [], []
    decisions: list[dict[str, str]] = []
    notes: list[str] = []
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            decisions.append({name: str(record.get(name, "")) for name in FIELDS})
            if not decisions[-1]["item"] or decisions[-1]["kind"] not in (
                "label",
                "reject",
                "none",
            ):
                raise ValueError
        except (ValueError, AttributeError):
            notes.append(f"{path}:{number}: is not a decision and was passed over")
    return decisions, notes


def append(path: Path, decisions: Sequence[Decision]) -> int:
    """Add decisions that the log does not hold yet; returns how many were added.

    Two people may append at once: writers take turns by a lock, and each batch is one write that is
    on the disk before this returns. A line that a crash cut short is closed, never removed.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        in_force = latest(read_log(path)[0])
        new = [d for d in decisions if not _same(d, in_force.get(d["item"]))]
        if not new:
            return 0
        text = "".join(
            json.dumps({k: d[k] for k in FIELDS}, ensure_ascii=False) + "\n" for d in new
        )
        if path.exists() and not _ends_with_newline(path):
            text = "\n" + text
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            data = text.encode("utf-8")
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
    return len(new)


def latest(decisions: Sequence[Decision]) -> dict[str, dict[str, str]]:
    """The decision in force for each item: the last one."""
    return {d["item"]: dict(d) for d in decisions}


def log_beside(output: Path) -> Path:
    """The log that belongs to a reference: gold.csv → gold.decisions.jsonl."""
    return output.with_name(output.stem + ".decisions.jsonl")


def _decision(item: str, value: str, row: Mapping[str, Any]) -> dict[str, str]:
    kind = {REJECT: "reject", NONE: "none"}.get(value, "label")
    when = str(row.get("when") or "").strip()
    return {
        "item": item,
        "value": value if kind == "label" else "",
        "kind": kind,
        "who": str(row.get("who") or "").strip(),
        "when": when or datetime.now(UTC).isoformat(timespec="seconds"),
        "why": str(row.get("why") or "").strip(),
    }


def _same(new: Decision, old: Decision | None) -> bool:
    """The same decision read again: all but the moment, which may have been filled in on reading."""
    return old is not None and all(new[k] == old[k] for k in FIELDS if k != "when")


def _delimiter(text: str) -> str:
    header = text.split("\n", 1)[0]
    return max(",;\t", key=header.count)


def _ends_with_newline(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(0, os.SEEK_END)
        if file.tell() == 0:
            return True
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the lock of a log; other writers wait."""
    guard = path.with_name(path.name + ".lock")
    try:
        import fcntl
    except ImportError:  # no POSIX locks: a file that only one writer can create
        yield from _exclusive(guard)
        return
    with guard.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(file, fcntl.LOCK_UN)


def _exclusive(guard: Path) -> Iterator[None]:
    import time

    for _ in range(600):
        try:
            handle = os.open(guard, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
            break
        except FileExistsError:
            time.sleep(0.05)
    else:
        raise UsageError(f"{guard} is held by another writer; remove it if that writer is gone")
    try:
        yield
    finally:
        os.close(handle)
        guard.unlink()
