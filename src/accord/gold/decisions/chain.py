"""Checksums of a store's rows: each of what its row says, and of that with all rows before it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

#: half of a checksum: sixteen hexadecimal digits
_HALF = 16
_encoded = json.JSONEncoder(default=repr).encode


@dataclass(slots=True)
class Chain:
    """How far a table was read, and what the checksum of its next row goes on from.

    The first half of a checksum is of the row alone, so that a row is known to be whole whatever
    stands before it; the second half goes on from the second half of the row before. Rows that were
    written before there were checksums have none: the first that has one covers them.
    """

    seq: int = 0
    links: tuple[str, ...] = ("",)
    #: rows without a checksum, and whether one with a checksum followed
    bare: int = 0
    marked: bool = False

    def mark(self, cells: Sequence[Any]) -> str:
        """Return the checksum of the next row, and go on from it."""
        said = _digest(_encoded(cells))
        self.links = (_digest(self.links[0] + said),)
        return said + self.links[0]

    def follow(self, seq: int, cells: Sequence[Any], mark: object) -> tuple[str, bool]:
        """Take in the next row: what is wrong ("" for nothing), and whether the row itself is whole."""
        gap, before = range(self.seq + 1, seq), self.seq
        self.seq = seq
        said = _digest(_encoded(cells))
        links = tuple(_digest(link + said) for link in self.links)
        if mark is None and not self.marked:
            self.bare += 1
            self.links = links
            return (missing(gap) if gap else "", True)
        self.marked = True
        own, link = str(mark)[:_HALF], str(mark)[_HALF:]
        # (the checksum may be what was damaged: the next row tells)
        self.links = tuple(dict.fromkeys((link, *links)))
        follows = link in links
        if gap:
            return missing(gap), own == said
        if own == said and follows:
            return "", True
        if own == said:
            return f"does not follow row {before}: rows were changed, moved or removed", True
        if follows:
            return "has a damaged checksum; what it says is whole", True
        return "was changed after it was written", False


def missing(rows: range) -> str:
    """Say which rows are not there.

    >>> missing(range(3, 4)), missing(range(3, 6))
    ('stands where row 3 is missing', 'stands where rows 3 to 5 are missing')
    """
    if len(rows) == 1:
        return f"stands where row {rows[0]} is missing"
    return f"stands where rows {rows[0]} to {rows[-1]} are missing"


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=_HALF // 2).hexdigest()
