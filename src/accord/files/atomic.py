"""Writing that is done or not done: killed at any moment, the old file or folder is whole.

A file is written beside its place under another name, forced to the disc, and renamed onto it; a
folder is written aside and exchanged. Nothing that was there is touched before the new is complete.
What cannot be written (no room, no right, no such place) is one sentence.
"""

from __future__ import annotations

import csv
import ctypes
import errno
import io
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from accord.errors import InputError, UsageError

__all__ = ["founding", "replacing", "staged", "table", "write_bytes", "write_csv", "write_text"]

_EXCHANGE = 2
_HERE = -100


def write_text(path: str | Path, text: str) -> None:
    """Write a text as UTF-8, line ends as they are."""
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file."""
    with replacing(path) as beside, beside.open("wb") as file:
        file.write(data)


def write_csv(path: str | Path, header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> None:
    """Write a table."""
    write_text(path, table(header, rows))


def table(header: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """Return a table as the text of its file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A file to write, which takes the place of `path` once it is complete.

    A device or a pipe is written directly; of a symbolic link, what it points to is replaced.
    """
    target = Path(path)
    with _told(target):
        real = target.resolve()
        if real.is_dir():
            raise InputError("is a folder", path=target, hint="name a file to write")
        if _special(real):
            yield real
            return
        real.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(
            prefix=f".{real.name[:100]}.", suffix=".tmp", dir=real.parent
        )
        os.close(handle)
        beside = Path(name)
        try:
            yield beside
            _keep_mode(beside, real)
            _to_disc(beside)
            beside.replace(real)
            _to_disc(real.parent)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def founding(path: str | Path) -> Iterator[Path]:
    """A new file to write, which takes its place once it is complete.

    Raises FileExistsError when something stands there by then, and leaves that as it is.
    """
    target = Path(path)
    with _stage(target) as stage:
        beside = stage / target.name
        yield beside
        beside.chmod(0o666 & ~_umask())
        _to_disc(beside)
        try:
            target.hardlink_to(beside)
        except FileExistsError:
            raise
        except OSError:  # no second names on this disc
            if target.exists():
                raise FileExistsError(errno.EEXIST, "File exists", str(target)) from None
            beside.rename(target)
        _to_disc(target.parent)


@contextmanager
def staged(
    path: str | Path, *, overwrite: bool = False, written: list[Path] | None = None
) -> Iterator[Path]:
    """A place to write a file or a folder with all that belongs to it; it is then put in place.

    Yields the path to write under. Everything found beside it afterwards is moved as well (a type
    system beside an export); `written` receives every file. A folder that holds something is replaced
    only with `overwrite`.
    """
    target = Path(path)
    files = [] if written is None else written
    with _told(target):
        real = target.resolve()
        if _special(real):
            with _spooled(real, target) as beside:
                yield beside
            files.append(target)
            return
        if real.is_dir() and any(real.iterdir()) and not overwrite:
            raise UsageError(
                f"{target} is a folder that is not empty; name a new one, or pass `overwrite=True`"
            )
        real.parent.mkdir(parents=True, exist_ok=True)
        with _stage(real) as stage:
            try:
                yield stage / real.name
            except InputError as problem:
                if problem.path is None or not problem.path.startswith(str(stage)):
                    raise
                raise InputError(problem.problem, path=target, hint=problem.hint) from None
            made = sorted(stage.iterdir(), key=lambda p: p.name == real.name)
            new = (file.relative_to(stage) for file in stage.rglob("*") if file.is_file())
            files.extend(target.parent / file for file in sorted(new))
            for entry in made:
                _put(entry, real.parent / entry.name)
            _to_disc(real.parent)


@contextmanager
def _stage(target: Path) -> Iterator[Path]:
    """A folder beside what is written, gone afterwards."""
    stage = Path(
        tempfile.mkdtemp(prefix=f".{target.name[:100]}.", suffix=".tmp", dir=target.parent)
    )
    try:
        yield stage
    finally:
        shutil.rmtree(stage, ignore_errors=True)


def _special(path: Path) -> bool:
    """A device or a pipe: written into, and never replaced."""
    return path.exists() and not path.is_dir() and not path.is_file()


@contextmanager
def _spooled(real: Path, target: Path) -> Iterator[Path]:
    """A file that is copied into a device or a pipe when it is complete."""
    with tempfile.TemporaryDirectory() as folder:
        beside = Path(folder) / real.name
        yield beside
        if not beside.is_file() or len(list(Path(folder).iterdir())) > 1:
            raise InputError(
                "is a device, which can hold one file and no folder",
                path=target,
                hint="name a folder",
            )
        with real.open("wb") as out, beside.open("rb") as file:
            shutil.copyfileobj(file, out)


def _put(made: Path, place: Path) -> None:
    """Move a file or folder onto its place in one step; what was there goes into the stage."""
    for file in [made, *(made.rglob("*") if made.is_dir() else ())]:
        if file.is_file():
            file.chmod(0o666 & ~_umask())
        elif file.is_dir():
            file.chmod(0o777 & ~_umask())
        _to_disc(file)
    if made.is_dir() and place.is_dir():
        if not any(place.iterdir()):
            place.rmdir()
            made.rename(place)
        elif not _exchanged(made, place):
            # no exchange here: between two renames the old folder stands, whole, under another name
            old = place.with_name(f".{place.name}.old-{os.getpid()}")
            place.rename(old)
            made.rename(place)
            shutil.rmtree(old)
        return
    if place.exists():
        _keep_mode(made, place)
    made.replace(place)


def _exchanged(one: Path, other: Path) -> bool:
    """Exchange two names in one step, where the system can (Linux)."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (OSError, AttributeError):
        return False
    return bool(rename(_HERE, os.fsencode(one), _HERE, os.fsencode(other), _EXCHANGE) == 0)


def _keep_mode(new: Path, old: Path) -> None:
    new.chmod(stat.S_IMODE(old.stat().st_mode) if old.exists() else 0o666 & ~_umask())


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _to_disc(path: Path) -> None:
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return  # folders cannot be opened everywhere
    try:
        os.fsync(handle)
    except OSError as problem:
        if not path.is_dir():
            raise OSError(problem.errno, problem.strerror, str(path)) from None
    finally:
        os.close(handle)


@contextmanager
def _told(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise InputError(
            f"cannot be written ({problem.strerror or problem})",
            path=target,
            hint="choose another place, or make room",
        ) from None
