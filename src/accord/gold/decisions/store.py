"""The store of a campaign's decisions: one SQLite file that only ever grows.

Every write is on the disk before it is acknowledged (write-ahead log, full synchronisation), several
people and programs may write at once, and triggers keep rows from being changed or deleted, by
accord or by anybody who opens the file with another tool.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from accord.errors import AccordError, InputError
from accord.gold.decisions.decision import Decision
from accord.gold.decisions.ledger import Ledger, Standing

#: "acrd": how other tools (and we) know the file
_APPLICATION = 0x61637264
_VERSION = 1

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

_COLUMNS = ("id", "item", "kind", "value", "who", "when", "why", "replaces", "digest", "place",
            "batch", "independent")  # fmt: skip


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
        self._seen = self._heard = 0
        # one writer at a time within this process; SQLite's own lock keeps other processes apart
        self._turn = threading.RLock()
        self._file = self._open()
        self.refresh()

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
        with self._turn, _named(self.path):
            self._file.execute("BEGIN IMMEDIATE")
            try:
                self.refresh()
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
                    self._insert(stamped)
                self._file.execute("COMMIT")
            except BaseException:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")
                raise
            self.refresh()
        return out

    def remark(self, remark: Remark) -> Remark:
        """Store a flag or a comment."""
        stamp = Decision(item=remark.item, kind="none", who=remark.who, id=remark.id,
                         when=remark.when).stamped()  # fmt: skip
        stamped = replace(remark, id=stamp.id, when=stamp.when)
        with self._turn, _named(self.path):
            self.refresh()
            if any(r.id == stamped.id for r in self.remarks):
                return stamped
            self._file.execute(
                'INSERT INTO remarks (id, item, kind, text, who, "when") VALUES (?, ?, ?, ?, ?, ?)',
                (stamped.id, stamped.item, stamped.kind, stamped.text, stamped.who, stamped.when),
            )
            self.refresh()
        return stamped

    def refresh(self) -> int:
        """Read what others wrote since; returns the number of new decisions."""
        with self._turn:
            names = ", ".join(f'"{c}"' for c in _COLUMNS)
            rows = self._file.execute(
                f"SELECT seq, {names} FROM decisions WHERE seq > ? ORDER BY seq",
                (self._seen,),
            ).fetchall()
            for seq, *cells in rows:
                self.ledger.add(_decision(dict(zip(_COLUMNS, cells, strict=True))))
                self._seen = seq
            said = self._file.execute(
                'SELECT seq, id, item, kind, text, who, "when" FROM remarks WHERE seq > ? ORDER BY seq',
                (self._heard,),
            ).fetchall()
            for seq, key, item, kind, text, who, when in said:
                self.remarks.append(
                    Remark(id=key, item=item, kind=kind, text=text, who=who, when=when)
                )
                self._heard = seq
                if kind == "flag":
                    self.flagged.add(item)
                elif kind == "unflag":
                    self.flagged.discard(item)
            return len(rows)

    def relieve(self) -> None:
        """Move what is in the log into the file, on a connection of its own, while others write.

        SQLite does it by itself after a commit now and then, and that commit takes fifty times as
        long. Once this is called it leaves it to the caller; the log is whole either way.
        """
        with self._turn:
            self._file.execute("PRAGMA wal_autocheckpoint = 0")
        with _named(self.path), closing(sqlite3.connect(self.path, timeout=30)) as aside:
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

    def _insert(self, decision: Decision) -> None:
        self._file.execute(
            f"INSERT INTO decisions ({', '.join(chr(34) + c + chr(34) for c in _COLUMNS)}) "
            f"VALUES ({', '.join('?' * len(_COLUMNS))})",
            (
                decision.id,
                decision.item,
                decision.kind,
                _json(decision.value),
                decision.who,
                decision.when,
                decision.why,
                decision.replaces,
                decision.digest,
                _json(decision.place),
                decision.batch,
                int(decision.independent),
            ),
        )

    def _open(self) -> sqlite3.Connection:
        with _named(self.path):
            if self.path.is_dir():
                raise InputError(
                    "is a folder", path=self.path, hint="name a file, for example campaign.db"
                )
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # transactions are begun by hand (isolation None), so that they are exactly ours
            file = sqlite3.connect(
                self.path, timeout=30, isolation_level=None, check_same_thread=False
            )
            file.execute("PRAGMA busy_timeout = 30000")
            tables = {row[0] for row in file.execute("SELECT name FROM sqlite_master")}
            application = file.execute("PRAGMA application_id").fetchone()[0]
            if tables and application != _APPLICATION:
                file.close()
                raise InputError(
                    "is a database of another program", path=self.path,
                    hint="name the file that accord made, or a new one",
                )  # fmt: skip
            file.execute("PRAGMA journal_mode = WAL")
            file.execute("PRAGMA synchronous = FULL")
            file.execute("BEGIN IMMEDIATE")
            version = file.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in (*_SCHEMA.split(";\n"), *_protections()):
                    if statement.strip():
                        file.execute(statement)
                file.execute(f"PRAGMA application_id = {_APPLICATION}")
                file.execute(f"PRAGMA user_version = {_VERSION}")
            file.execute("COMMIT")
            if version > _VERSION:
                file.close()
                raise InputError(
                    f"was written by a newer accord (version {version} of the store)",
                    path=self.path, hint="update accord",
                )  # fmt: skip
            return file


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


class _named:  # noqa: N801
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
        if isinstance(problem, sqlite3.DatabaseError):
            hint = "is it a file of decisions?" if "not a database" in str(problem) else None
            raise InputError(f"cannot be used ({problem})", path=self.path, hint=hint) from None
        if isinstance(problem, OSError):
            raise InputError(f"cannot be written ({problem.strerror})", path=self.path) from None


def _json(value: Any) -> str | None:
    return None if value is None else json.dumps(value, ensure_ascii=False)


def _decision(row: dict[str, Any]) -> Decision:
    for name in ("value", "place"):
        row[name] = None if row[name] is None else json.loads(row[name])
    return Decision(**{**row, "independent": bool(row["independent"])})
