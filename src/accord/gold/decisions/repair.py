"""A store held against itself, and what is whole of a damaged one written into a new one."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from accord.errors import InputError, UsageError
from accord.files.atomic import founding
from accord.gold.decisions.chain import Chain
from accord.gold.decisions.decision import Decision
from accord.gold.decisions.exchange import take_in_remarks
from accord.gold.decisions.journal import broken
from accord.gold.decisions.store import (
    COLUMNS,
    LAST,
    Remark,
    Store,
    identity_of,
    make,
    named,
    read_row,
    rows_of,
    to_read,
    unreadable,
    version_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """Something that is wrong with a store: with a row of it, or with all (row 0)."""

    problem: str
    table: str = ""
    row: int = 0
    item: str | None = None

    @property
    def sentence(self) -> str:
        """Say it, with the row and its item."""
        about = "" if self.item is None else f" (item {self.item!r})"
        return (
            f"row {self.row} of the {self.table}{about} {self.problem}"
            if self.row
            else self.problem
        )


@dataclass(slots=True)
class Found:
    """What a store holds: the rows that are whole, those without a checksum, and the damage."""

    decisions: list[Decision] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    #: of the decisions, those that carry no checksum, and those that were written and are not whole
    unchecked: int = 0
    lost: int = 0
    damage: list[Damage] = field(default_factory=list)
    #: which store it is: what is waiting for it in a browser goes to the one that takes its place
    identity: str | None = None

    @property
    def sentence(self) -> str:
        """Say how much is whole and how much is not."""
        return (
            f"decisions: {len(self.decisions)} whole ({self.unchecked} without a checksum), "
            f"{self.lost} damaged or missing; flags and comments: {len(self.remarks)} whole"
        )

    def to_dict(self) -> dict[str, object]:
        """As plain data."""
        return {
            "whole": len(self.decisions),
            "remarks": len(self.remarks),
            "unchecked": self.unchecked,
            "lost": self.lost,
            "sentence": self.sentence,
            "damage": [asdict(d) | {"sentence": d.sentence} for d in self.damage],
        }


def verify(path: str | Path) -> Found:
    """Read every row of a store for itself and hold it against its checksum; nothing is written."""
    source = Path(path)
    with named(source):
        log = broken(source) if source.is_file() else None
        try:
            found = _found(source, source)
        except sqlite3.DatabaseError as problem:
            if type(problem) is not sqlite3.DatabaseError:  # it is in use, or its disk is away
                raise
            with tempfile.TemporaryDirectory() as folder:
                found = _found(_with_first_page(source, Path(folder) / "store.db"), source)
            if not found.decisions and not found.remarks:  # it never was a store
                raise
            said = f"the first page is damaged ({problem}): the rows were read without it"
            found.damage.insert(0, Damage(problem=said))
    if log is not None:
        found.damage.insert(0, Damage(problem=log.sentence))
    return found


def _with_first_page(source: Path, copy: Path) -> Path:
    """A copy whose first page, which says where the tables are, is that of a new store."""
    make(copy)
    first = copy.read_bytes()
    size = int.from_bytes(first[16:18], "big")
    shutil.copyfile(source, copy)
    log = source.with_name(f"{source.name}-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(f"{copy.name}-wal"))
    # (one of an older accord ends before the page of the last table)
    pages = max(len(first), -(-copy.stat().st_size // size) * size) // size
    with copy.open("r+b") as file:
        file.write(first[:28] + pages.to_bytes(4, "big") + first[32:size])
        file.truncate(pages * size)
    return copy


def _found(path: Path, source: Path) -> Found:
    """What a file holds; `source` is its name for people."""
    found = Found()
    with closing(sqlite3.connect(to_read(path), uri=True, isolation_level=None)) as file:
        version = version_of(file, source)
        # (all of it as of one moment, while others write)
        file.execute("BEGIN")
        if path == source:
            try:
                said = [str(row[0]) for row in file.execute("PRAGMA integrity_check(20)")]
            except (sqlite3.DatabaseError, UnicodeDecodeError) as problem:
                said = [str(problem)]
            found.damage += [Damage(problem=f"SQLite: {s}") for s in said if s != "ok"]
        for table in COLUMNS:
            for record in _whole(file, table, version, found):
                if table == "decisions":
                    found.decisions.append(read_row(record))
                else:
                    found.remarks.append(Remark(**record))
        found.lost = _last(file, "decisions") - len(found.decisions)
        with suppress(sqlite3.DatabaseError):
            found.identity = identity_of(file)
    return found


def salvage(path: str | Path, new: str | Path) -> Found:
    """Write what is whole of a store into a new one, in its order; nothing is overwritten."""
    found, target = verify(path), Path(new)
    if not found.decisions and not found.remarks:
        raise InputError("holds no row that can be read whole; nothing was written", path=path)
    with named(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with founding(target) as beside:
                make(beside, found.identity)
                with Store(beside) as store:
                    store.decide_all(found.decisions, beside=True)
                    take_in_remarks(store, found.remarks)
        except FileExistsError:
            raise UsageError(f"{target} exists already; name a new file") from None
    return found


def _whole(
    file: sqlite3.Connection, table: str, version: int, found: Found
) -> Iterator[dict[str, Any]]:
    """The rows of a table that are whole; what is wrong with the others is noted."""
    chain, query = Chain(), f"{rows_of(table, version)} WHERE seq = ?"
    last = _last(file, table)
    for seq in range(1, last + 1):
        try:
            row = file.execute(query, (seq,)).fetchone()
        except sqlite3.DatabaseError as unread:
            found.damage.append(Damage(table=table, row=seq, problem=f"cannot be read ({unread})"))
            continue
        if row is None:
            # one that could not be read, or none at all: said by the next that is there
            continue
        _, *cells, mark = row
        record = dict(zip(COLUMNS[table], cells, strict=True))
        problem, whole = chain.follow(seq, cells, mark)
        odd = unreadable(table, cells)
        if problem or odd:
            item = record["item"] if isinstance(record["item"], str) else None
            found.damage.append(Damage(table=table, row=seq, item=item, problem=problem or odd))
        if whole and not odd:
            found.unchecked += table == "decisions" and mark is None
            yield record
    if chain.seq < last:
        found.damage.append(Damage(table=table, row=chain.seq, problem=LAST))


def _last(file: sqlite3.Connection, table: str) -> int:
    """The number of the last row that was ever written, as far as that can be read."""
    pages: int = file.execute("PRAGMA page_count").fetchone()[0]
    size: int = file.execute("PRAGMA page_size").fetchone()[0]
    numbers: list[int] = []
    for query in (
        f"SELECT ifnull(max(seq), 0) FROM {table}",
        f"SELECT seq FROM sqlite_sequence WHERE name = '{table}'",
    ):
        with suppress(sqlite3.DatabaseError):
            numbers += [n for (n,) in file.execute(query) if isinstance(n, int)]
    # no row takes less room than this: a number beyond it is damage itself
    return min(max(numbers, default=pages * size), pages * size // 32)
