"""Folders and archives of single-file formats: every file read by itself, then put together."""

from __future__ import annotations

import tempfile
from pathlib import Path

from accord.data import Annotations
from accord.data.join import joined
from accord.errors import InputError
from accord.formats.archive import open_tree
from accord.formats.format import Format, ReadOptions
from accord.formats.writing import file_names, write_bytes

#: tables that tell about the annotations beside them
_SIDECARS = ("documents.csv", "coverage.csv")


def read_each(path: Path, found: Format, options: ReadOptions) -> Annotations:
    """Read all files of this format under a folder or in an archive as one campaign."""
    tree = open_tree(path)
    entries = [e for e in tree if found.recognise(Path(e.name), e.head(1 << 18))]
    wanted = [e for e in entries if e.name.rpartition("/")[2] not in _SIDECARS]
    if not wanted:
        raise InputError(f"holds no file of the format {found.name}", path=path)
    sources = [e.name for e in wanted]
    if all(e.file is not None for e in entries):
        return _joined([found.read(e.file, options) for e in wanted if e.file], path, sources)
    # engines read paths: the entries are written to a folder of our own, under names of our own
    with tempfile.TemporaryDirectory() as folder:
        names = file_names([e.name for e in entries])
        for entry in entries:
            write_bytes(Path(folder) / names[entry.name], entry.read())
        read = [_read_copy(found, Path(folder) / names[e.name], e.path, options) for e in wanted]
        return _joined(read, path, sources)


def _read_copy(found: Format, copy: Path, original: str, options: ReadOptions) -> Annotations:
    """Read a copy; its errors name the original."""
    try:
        return found.read(copy, options)
    except InputError as problem:
        raise InputError(
            problem.problem, path=original, line=problem.line, hint=problem.hint
        ) from None


def _joined(parts: list[Annotations], path: Path, sources: list[str]) -> Annotations:
    try:
        return joined(parts, sources=sources)
    except InputError as problem:
        where = path if problem.path is None else path / problem.path
        raise InputError(problem.problem, path=where, hint=problem.hint) from None
