"""Lines that never end: refused before they are parsed, whatever the format.

A record is one line in most exports, and what is parsed costs many times its size in memory. A file
whose line goes on for longer than any platform writes is refused in a sentence, having been looked
through and not loaded.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import BinaryIO

from accord.errors import InputError

#: bytes of the longest line that is read: some exports are one line, and this is a large one
LONGEST = 1 << 28
_HEAD = 1 << 16


def refuse_long_lines(data: bytes | mmap.mmap, path: str | Path) -> None:
    """Refuse text with a line of more than :data:`LONGEST` bytes."""
    size = len(data)
    if size <= LONGEST or _binary(bytes(data[:_HEAD])):
        return
    place = 0
    while size - place > LONGEST:
        # the last line end within reach: a file of short lines is hardly looked at
        last = data.rfind(b"\n", place, place + LONGEST + 1)
        if last < 0:
            raise InputError(
                f"has a line of more than {LONGEST >> 20} MB, which cannot be read safely",
                path=path,
                hint="export it in parts, or as one record a line (JSON Lines)",
            )
        place = last + 1


def refuse_long_lines_of(file: BinaryIO, path: Path) -> None:
    """The same for an open file, without loading it."""
    if os.fstat(file.fileno()).st_size > LONGEST:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            refuse_long_lines(mapped, path)


def _binary(head: bytes) -> bool:
    """Tables and databases have no lines; UTF-16 has zeros and lines."""
    return b"\0" in head and head[:2] not in (b"\xff\xfe", b"\xfe\xff")
