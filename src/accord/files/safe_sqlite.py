"""SQLite files that cannot bite: read from memory, nothing written, nothing in the schema trusted."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accord.errors import InputError

#: what a database begins with
MAGIC = b"SQLite format 3\0"


@contextmanager
def opened(data: bytes, path: str) -> Iterator[sqlite3.Connection]:
    """The database, in memory: the file is not locked, and no journal is written beside it."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.deserialize(data)
        # a view or trigger in a file from somewhere must not run functions
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA query_only = ON")
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        yield connection
    except (sqlite3.Error, OverflowError) as problem:
        raise InputError(f"is not a sound SQLite database ({problem})", path=path) from None
    finally:
        connection.close()


def whole(value: Any, what: str, path: str) -> int:
    """A whole number; SQLite lets every column hold anything."""
    if not isinstance(value, int) or abs(value) > 1 << 53:
        raise InputError(f"{what} must be a whole number, got {str(value)[:30]!r}", path=path)
    return value


def words(value: Any, what: str, path: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InputError(f"{what} must be a text, got {type(value).__name__}", path=path)
    return value
