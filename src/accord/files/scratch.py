"""Folders for what engines cannot hold: named after their process, so that dead ones are swept away.

A process that is killed leaves gigabytes behind. Its folder says whose it was: ``accord-KIND-PID-…``; when
no such process is there, the next one that needs a folder deletes it.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from shutil import rmtree
from uuid import uuid4

_OURS = re.compile(r"accord-(?:duckdb|parts)-([0-9]+)-[0-9a-f]{32}")


def own_folder(kind: str) -> Path:
    """The name of a new folder of this process; nobody else uses it, and it is not made yet."""
    return Path(tempfile.gettempdir()) / f"accord-{kind}-{os.getpid()}-{uuid4().hex}"


def sweep() -> None:
    """Delete what processes left behind that were killed; of others and of other users nothing."""
    try:
        there = list(Path(tempfile.gettempdir()).glob("accord-*"))
    except OSError:
        return
    for folder in there:
        named = _OURS.fullmatch(folder.name)
        if named is None or _lives(int(named[1])):
            continue
        try:
            # (a link may lead anywhere)
            mine = not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()
            if mine and folder.is_dir() and not folder.is_symlink():
                rmtree(folder, ignore_errors=True)
        except OSError:
            continue  # another process swept it


def _lives(process: int) -> bool:
    if os.name == "nt":  # pragma: no cover # there `kill` would end it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):  # somebody else's, or no number of a process
        return True
    return True
