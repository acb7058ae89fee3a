"""The store of a campaign's decisions: one SQLite file that only ever grows.

Every write is on the disk before it is acknowledged (write-ahead log, full synchronisation), several
people and programs may write at once, and triggers keep rows from being changed or deleted, by
accord or by anybody who opens the file with another tool. Every row carries a checksum of what it
says and of the rows before it, which is compared whenever it is read: damage is said, not used.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from accord.errors import AccordError, InputError
from accord.files.atomic import founding
from accord.gold.decisions.chain import Chain
from accord.gold.decisions.decision import KINDS, Decision
from accord.gold.decisions.journal import Broken, broken
from accord.gold.decisions.ledger import Ledger, Standing

#: "acrd": how other tools (and we) know the file
_APPLICATION = 0x61637264
#: 1 had no checksums; it is read as it is, and gets its column with the first row written to it
_VERSION = 2

_SCHEMA = """
CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  item TEXT NOT NULL CHECK (item <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('label', 'reject', 'none', 'withdraw')),
  value TEXT,
  who TEXT NOT NULL CHECK (who <> ''),
  "when" TEXT NOT NULL CHECK ("when" <> ''),
  why TEXT NOT NULL,
  replaces TEXT,
  digest TEXT,
  place TEXT,
  batch TEXT,
  independent INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE remarks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  item TEXT NOT NULL CHECK (item <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('flag', 'unflag', 'comment')),
  text TEXT NOT NULL,
  who TEXT NOT NULL CHECK (who <> ''),
  "when" TEXT NOT NULL
);
"""
#: what tells one store from every other, wherever it is moved: a word of its own, given once (SQLite
#: lets one writer in at a time: the second finds the word of the first)
_IDENTITY = (
    "CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL)",
    "INSERT INTO identity SELECT ? WHERE NOT EXISTS (SELECT 1 FROM identity)",
)

#: what the checksum of a row is of, by table
COLUMNS = {
    "decisions": ("id", "item", "kind", "value", "who", "when", "why", "replaces", "digest", "place",
                  "batch", "independent"),
    "remarks": ("id", "item", "kind", "text", "who", "when"),
}  # fmt: skip


class ConflictError(AccordError):
    """A decision that does not name the one in force; it was not stored."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing
        there = standing.in_force
        super().__init__(
            f"{standing.item!r} was decided by {there.who} ({there.kind}) in the meantime"
            if there is not None
            else f"the decision on {standing.item!r} was withdrawn in the meantime"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A flag for discussion, or a comment: something said about an item that decides nothing."""

    item: str
    kind: Literal["flag", "unflag", "comment"]
    text: str = ""
    who: str
    when: str = ""
    id: str = ""


class Store:
    """Decisions in a file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(Path(folder) / "c.db") as store:
    ...     first = store.decide(Decision(item="7", kind="label", value="yes", who="Ann"))
    ...     second = store.decide(Decision(item="7", kind="none", who="Bob", replaces=first.id))
    ...     store.ledger.standing("7").in_force.who, len(store.ledger)
    ('Bob', 2)
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.ledger = Ledger()
        self.remarks: list[Remark] = []
        #: items flagged for discussion
        self.flagged: set[str] = set()
        self._chains = {table: Chain() for table in COLUMNS}
        # one writer at a time within this process; SQLite's own lock keeps other processes apart
        self._turn = threading.RLock()
        self._version = _VERSION
        #: whether decisions can be added: not where the file or its folder may only be read
        self.writable = True
        self._broken: Broken | None = None
        self._file = self._open()
        try:
            with named(self.path):
                ends = dict(self._file.execute("SELECT name, seq FROM sqlite_sequence"))
            self.refresh()
            for table, chain in self._chains.items():
                if ends.get(table, chain.seq) > chain.seq:
                    raise _damaged(self.path, table, chain.seq, LAST)
        except BaseException:
            self._file.close()
            raise

    @property
    def identity(self) -> str:
        """What tells this store from every other: its copies, wherever they are, are the same store.

        A store of an older accord is given its word now; one that may only be read goes by its place.
        """
        with self._turn, named(self.path):
            if self.writable:
                _identify(self._file)
            place = blake2b(str(self.path.resolve()).encode(), digest_size=8).hexdigest()
            return identity_of(self._file) or place

    @property
    def notes(self) -> list[str]:
        """What a reader should know of the file."""
        chain, notes = self._chains["decisions"], []
        if chain.bare and not chain.marked:
            notes.append(
                f"{self.path} is of an older accord: {chain.bare} decisions carry no checksum, so that "
                "changes to them would not show"
            )
        if self._broken is not None:
            notes.append(f"{self.path}: {self._broken.sentence}")
        return notes

    def decide(self, decision: Decision, *, beside: bool = False) -> Decision:
        """Store one decision and return it as stored, or raise :class:`ConflictError`."""
        stored = self.decide_all([decision], beside=beside)[0]
        if isinstance(stored, ConflictError):
            raise stored
        return stored

    def decide_all(
        self, decisions: Sequence[Decision], *, beside: bool = False
    ) -> list[Decision | ConflictError]:
        """Store several decisions in one write; each stands or falls on its own.

        A decision that does not replace the one in force is a conflict and not stored, unless
        `beside`: then it is kept as a rival of the one in force (files of several people) or, as an
        independent second opinion. One whose `id` is stored already was sent again: nothing happens.
        """
        out: list[Decision | ConflictError] = []
        if not decisions:
            return out
        with self._writing():
            chain = replace(self._chains["decisions"])
            # what this batch does to an item must be seen by its next decision on it
            drafts: dict[str, Standing] = {}
            fresh: dict[str, Decision] = {}
            for decision in decisions:
                sent = fresh.get(decision.id) or self.ledger.find(decision.id)
                if sent is not None:
                    out.append(sent)
                    continue
                held = self.ledger.standing(decision.item)
                standing = drafts.setdefault(
                    decision.item,
                    Standing(held.item, list(held.history), held.in_force, held.rivals),
                )
                if not (beside or decision.independent or standing.accepts(decision.replaces)):
                    out.append(ConflictError(standing))
                    continue
                stamped = decision.stamped()
                standing.add(stamped)
                fresh[stamped.id] = stamped
                out.append(stamped)
                self._insert("decisions", _cells(stamped), chain)
        return out

    def remark(self, remark: Remark) -> Remark:
        """Store a flag or a comment."""
        stamp = Decision(item=remark.item, kind="none", who=remark.who, id=remark.id,
                         when=remark.when).stamped()  # fmt: skip
        stamped = replace(remark, id=stamp.id, when=stamp.when)
        with self._writing():
            if not any(r.id == stamped.id for r in self.remarks):
                cells = [getattr(stamped, name) for name in COLUMNS["remarks"]]
                self._insert("remarks", cells, replace(self._chains["remarks"]))
        return stamped

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One write, done or not done: nobody else writes meanwhile, and all that is there was read."""
        if not self.writable:
            raise InputError(
                "can only be read: the file, its folder or its disk may not be written",
                path=self.path, hint="copy it to where it can be, or change its rights",
            )  # fmt: skip
        with self._turn, named(self.path):
            self._file.execute("BEGIN IMMEDIATE")
            try:
                if self._version < _VERSION:
                    self._upgrade()
                self.refresh()
                yield
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
            self.refresh()

    def refresh(self) -> int:
        """Read what others wrote since; returns the number of new decisions."""
        with self._turn, named(self.path):
            made = self._new("decisions")
            for record in made:
                self.ledger.add(read_row(record))
            for record in self._new("remarks"):
                remark = Remark(**record)
                self.remarks.append(remark)
                if remark.kind == "flag":
                    self.flagged.add(remark.item)
                elif remark.kind == "unflag":
                    self.flagged.discard(remark.item)
            return len(made)

    def _new(self, table: str) -> list[dict[str, Any]]:
        """Rows that were not read yet, each held against its checksum."""
        chain = self._chains[table]
        query = f"{rows_of(table, self._version)} WHERE seq > ? ORDER BY seq"
        found = []
        for seq, *cells, mark in self._file.execute(query, (chain.seq,)).fetchall():
            problem = chain.follow(seq, cells, mark)[0]
            if problem or (mark is None and (problem := unreadable(table, cells))):
                raise _damaged(self.path, table, seq, problem)
            found.append(dict(zip(COLUMNS[table], cells, strict=True)))
        return found

    def relieve(self) -> None:
        """Move what is in the log into the file, on a connection of its own, while others write.

        SQLite does it by itself after a commit now and then, and that commit takes fifty times as
        long. Once this is called it leaves it to the caller; the log is whole either way.
        """
        if not self.writable:
            return
        with self._turn:
            self._file.execute("PRAGMA wal_autocheckpoint = 0")
        with named(self.path), closing(sqlite3.connect(self.path, timeout=30)) as aside:
            aside.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _insert(self, table: str, cells: Sequence[Any], chain: Chain) -> None:
        self._file.execute(_insertion(table), (*cells, chain.mark(cells)))

    def _upgrade(self) -> None:
        """Make room for checksums in a store of an older accord, unless another program just did."""
        if self._file.execute("PRAGMA user_version").fetchone()[0] < _VERSION:
            _add_marks(self._file)
        self._version = _VERSION

    def _open(self) -> sqlite3.Connection:
        with named(self.path):
            address: str | Path = self.path
            if str(self.path) != ":memory:":
                if not self.path.exists():
                    self.path.parent.mkdir(parents=True, exist_ok=True)
                    # (another program may make it in the same moment)
                    with suppress(FileExistsError), founding(self.path) as new:
                        make(new)
                _is_file(self.path)
                # (the log stands beside the file)
                self._broken = broken(self.path)
                if self._broken is not None and self._broken.acknowledged:
                    raise InputError(self._broken.sentence, path=self.path, hint=_REPAIR)
                self.writable = all(os.access(p, os.W_OK) for p in (self.path, self.path.parent))
                address = self.path if self.writable else to_read(self.path)
            # transactions are begun by hand (isolation None), so that they are exactly ours
            file = sqlite3.connect(
                address, uri=not self.writable, timeout=30, isolation_level=None,
                check_same_thread=False,
            )  # fmt: skip
            try:
                if address == Path(":memory:"):
                    _furnish(file)
                self._version = version_of(file, self.path)
                if self.writable:
                    file.execute("PRAGMA journal_mode = WAL")
                    file.execute("PRAGMA synchronous = FULL")
            except BaseException:
                file.close()
                raise
            return file


def version_of(file: sqlite3.Connection, path: Path) -> int:
    """Return the version of an open store; refuse what is none, or is newer than this accord."""
    file.execute("PRAGMA busy_timeout = 30000")
    if file.execute("PRAGMA application_id").fetchone()[0] != _APPLICATION:
        raise InputError(
            "is a database of another program", path=path,
            hint="name the file that accord made, or a new one",
        )  # fmt: skip
    version = int(file.execute("PRAGMA user_version").fetchone()[0])
    if version > _VERSION:
        raise InputError(
            f"was written by a newer accord (version {version} of the store)",
            path=path, hint="update accord",
        )  # fmt: skip
    return version


def identity_of(file: sqlite3.Connection) -> str | None:
    """The word of an open store's own; None where an older accord gave it none."""
    if not file.execute("SELECT 1 FROM sqlite_master WHERE name = 'identity'").fetchone():
        return None
    found = file.execute("SELECT id FROM identity").fetchone()
    # (another table's page is no word: the first cell of its rows is their number)
    return found[0] if found is not None and isinstance(found[0], str) else None


@cache
def rows_of(table: str, version: int) -> str:
    """The query of a table's rows: their number, what they say, and their checksum."""
    names = ", ".join(f'"{c}"' for c in COLUMNS[table])
    return f"SELECT seq, {names}, {'mark' if version > 1 else 'NULL'} FROM {table}"


@cache
def _insertion(table: str) -> str:
    names = [f'"{c}"' for c in (*COLUMNS[table], "mark")]
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"


def unreadable(table: str, cells: Sequence[Any]) -> str:
    """Say why a row is none that accord wrote, or nothing."""
    record = dict(zip(COLUMNS[table], cells, strict=True))
    known = KINDS if table == "decisions" else ("flag", "unflag", "comment")
    optional = {"value", "replaces", "digest", "place", "batch"}
    independent = record.pop("independent", 0)
    wrong = [n for n, c in record.items() if not isinstance(c, str) and (c or n not in optional)]
    if wrong or record["kind"] not in known or independent not in (0, 1):
        return "cannot be read as what accord writes"
    try:
        for name in ("value", "place"):
            json.loads(record.get(name) or "null")
    except (ValueError, RecursionError):
        return "cannot be read as what accord writes"
    return ""


def store_path(decisions: str | PathLike[str] | None, data: object) -> Path:
    """The file of the decisions on data: the one that was named, else theirs with ``.decisions.db``.

    >>> store_path(None, "claims.csv").name, store_path(None, []).name, store_path("my.db", "x.csv").name
    ('claims.decisions.db', 'accord.decisions.db', 'my.db')
    """
    if decisions is not None:
        return Path(decisions)
    beside = Path(data) if isinstance(data, (str, PathLike)) else Path("accord")
    return beside.with_name(f"{beside.stem}.decisions.db")


def _protections() -> Iterable[str]:
    """Triggers: no update, no delete, and no insert that would put one row in place of another."""
    for table in ("decisions", "remarks"):
        for action in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER {table}_no_{action.lower()} BEFORE {action} ON {table} "
                "BEGIN SELECT RAISE(ABORT, 'decisions are only ever added'); END"
            )
        yield (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE id = NEW.id OR seq = NEW.seq) "
            "BEGIN SELECT RAISE(ABORT, 'decisions are only ever added'); END"
        )


def to_read(path: Path) -> str:
    """The address of a store that is only read: nothing is written beside it, where none needs be."""
    _is_file(path)
    beside = path.with_name(path.name + "-wal")
    if not beside.exists() or not beside.stat().st_size:
        return f"{path.resolve().as_uri()}?immutable=1"
    return f"{path.resolve().as_uri()}?mode=ro"


def _is_file(path: Path) -> None:
    if path.is_dir():
        raise InputError("is a folder", path=path, hint="name a file, for example campaign.db")
    if path.is_file() and not path.stat().st_size:
        raise InputError(
            "is empty, and no store of decisions", path=path,
            hint="if nothing was in it, delete it and begin anew; else take your copy",
        )  # fmt: skip


def make(path: Path, identity: str | None = None) -> None:
    """Make a new store, or one that goes on from the store of this identity."""
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        _furnish(file, identity)


def _furnish(file: sqlite3.Connection, identity: str | None = None) -> None:
    """The tables of a new store."""
    file.execute("BEGIN IMMEDIATE")
    for statement in (*_SCHEMA.split(";\n"), *_protections()):
        if statement.strip():
            file.execute(statement)
    file.execute(f"PRAGMA application_id = {_APPLICATION}")
    _add_marks(file)
    _identify(file, identity)
    file.execute("COMMIT")


def _identify(file: sqlite3.Connection, identity: str | None = None) -> None:
    """Give a store its word, unless it has one."""
    for statement, values in zip(_IDENTITY, ((), (identity or secrets.token_hex(8),)), strict=True):
        file.execute(statement, values)


def _add_marks(file: sqlite3.Connection) -> None:
    for table in COLUMNS:
        file.execute(f"ALTER TABLE {table} ADD COLUMN mark TEXT")
    file.execute(f"PRAGMA user_version = {_VERSION}")


def _damaged(path: Path, table: str, seq: int, problem: str) -> InputError:
    return InputError(f"row {seq} of the {table} {problem}", path=path, hint=_REPAIR)


#: what is said of the last row that is there, when more were written
LAST = "is the last that is there, and more were written"
#: what to do about a damaged store
_REPAIR = "`accord decisions FILE --verify` lists the damage, `--salvage NEW` writes what is whole"


class named:  # noqa: N801
    """Errors of the disk name the file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(problem, (sqlite3.DatabaseError, UnicodeDecodeError)):
            said = " ".join(str(problem).split())
            none = "not a database" in str(problem)
            broken = type(problem) is sqlite3.DatabaseError or "no such" in str(problem)
            hint = "is it a file of decisions?" if none else _REPAIR if broken else None
            raise InputError(f"cannot be used ({said[:200]})", path=self.path, hint=hint) from None
        if isinstance(problem, OSError):
            raise InputError(f"cannot be written ({problem.strerror})", path=self.path) from None


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _cells(decision: Decision) -> list[Any]:
    """A decision as its row."""
    return [
        _json(cell) if name in ("value", "place") else int(cell) if name == "independent" else cell
        for name in COLUMNS["decisions"]
        for cell in (getattr(decision, name),)
    ]


def read_row(row: dict[str, Any]) -> Decision:
    """A decision from its row, whose cells are sound."""
    for name in ("value", "place"):
        row[name] = None if row[name] is None else json.loads(row[name])
    return Decision(**{**row, "independent": bool(row["independent"])})
