"""Input that is no file: standard input and pipes are put into a file first, devices are refused."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from accord.errors import InputError
from accord.files.text import first_sign

#: bytes that a pipe may give
MOST = 1 << 30
#: seconds that a pipe into which nobody writes is waited for
PATIENCE = 5.0
_CHUNK = 1 << 20


def is_piped(path: Path) -> bool:
    """Whether a path stands for standard input, a pipe or a device."""
    if str(path) == "-":
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


@contextmanager
def as_file(path: Path) -> Iterator[Path]:
    """A file with what the pipe gave, called as its contents suggest; it is gone afterwards."""
    if str(path) != "-" and (path.is_char_device() or path.is_block_device()):
        raise InputError("is a device, not a file", path=path, hint="name a file, or - for a pipe")
    with tempfile.TemporaryDirectory() as folder:
        spooled = Path(folder) / "piped"
        with spooled.open("wb") as file:
            for chunk in _standard_input() if str(path) == "-" else _pipe(path):
                file.write(chunk)
                if file.tell() > MOST:
                    raise InputError(
                        f"gives more than {MOST >> 30} GB",
                        path=path,
                        hint="save it to a file first",
                    )
        with spooled.open("rb") as file:
            begin = first_sign(file.read(64))
        ending = {b"{": ".jsonl", b"[": ".json", b"<": ".xml"}.get(begin, ".csv")
        yield spooled.rename(spooled.with_suffix(ending))


@contextmanager
def named_after(copy: Path, original: Path) -> Iterator[None]:
    """Errors about a copy name the original."""
    try:
        yield
    except InputError as problem:
        where = str(original) if problem.path == str(copy) else problem.path
        raise InputError(
            problem.problem, path=where, line=problem.line, hint=problem.hint
        ) from None


def _standard_input() -> Iterator[bytes]:
    source: BinaryIO = sys.stdin.buffer
    while chunk := source.read(_CHUNK):
        yield chunk


def _pipe(path: Path) -> Iterator[bytes]:
    """What is written into a pipe; nothing at all for some seconds means that nobody does."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        began, written = time.monotonic(), False
        while True:
            try:
                chunk = os.read(handle, _CHUNK)
            except BlockingIOError:  # somebody has it open and has not written yet
                began, chunk = time.monotonic(), None
            if chunk:
                written = True
                yield chunk
            elif chunk == b"" and written:
                return
            elif chunk == b"" and time.monotonic() - began > PATIENCE:
                raise InputError(
                    "is a pipe into which nobody writes",
                    path=path,
                    hint="start what writes into it",
                )
            else:
                time.sleep(0.01)
    finally:
        os.close(handle)
