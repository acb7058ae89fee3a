"""What tells one store from every other, wherever it is moved: a word of its own, kept in the file."""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from hashlib import blake2b
from pathlib import Path


def store_identity(path: Path) -> str:
    """The store's own word, made when it is first asked for.

    A store that may only be read and has none goes by its place.
    """
    try:
        with closing(sqlite3.connect(path, timeout=30)) as file, file:
            file.execute("CREATE TABLE IF NOT EXISTS identity (id TEXT NOT NULL)")
            # (SQLite lets one writer in at a time: the second finds the word of the first)
            file.execute(
                "INSERT INTO identity SELECT ? WHERE NOT EXISTS (SELECT 1 FROM identity)",
                (secrets.token_hex(8),),
            )
            return str(file.execute("SELECT id FROM identity ORDER BY rowid").fetchone()[0])
    except sqlite3.Error:
        return blake2b(str(path.resolve()).encode(), digest_size=8).hexdigest()
