"""Folders and archives of single-file formats: every file read by itself, then put together."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path

from accord.data import Annotations, Boxes, Chains, Relations, Units
from accord.data.join import joined
from accord.data.protocol import changed
from accord.errors import InputError, some
from accord.files.archive import Tree
from accord.formats.coreference.brackets import bare_name
from accord.formats.format import Format, ReadOptions
from accord.formats.path_pattern import named_by
from accord.formats.writing import file_names, write_bytes
from accord.reading.file import read_file
from accord.reading.sidecars import is_sidecar
from accord.reading.together import read_as_one


def read_each(tree: Tree, found: Format, options: ReadOptions) -> Annotations:
    """Read all files of this format under a folder or in an archive as one campaign."""
    path = tree.path
    entries = found.among(tree)
    wanted = [e for e in entries if not is_sidecar(e.name)]
    if not wanted:
        raise InputError(f"holds no file of the format {found.name}", path=path)
    sources = [e.name for e in wanted]
    known = {e.name for e in entries}
    others = [e.name for e in tree if e.name not in known]
    notes = [
        *tree.notes,
        *([f"not read, as no {found.name} files: {some(others)}"] if others else []),
    ]
    if all(e.file is not None for e in entries):
        together = read_as_one(wanted, found, options)
        if together is not None:
            return _noted(together, notes)
        parts = [
            _called_after(read_file(e.file, found, options), e.name, options)
            for e in wanted
            if e.file
        ]
        return _noted(_joined(parts, path, sources), notes)
    # engines read paths: the entries are written to a folder of our own, under names of our own
    with tempfile.TemporaryDirectory() as folder:
        names = file_names([e.name for e in entries])
        for entry in entries:
            write_bytes(Path(folder) / names[entry.name], entry.read())
        read = [
            _called_after(
                _read_copy(found, Path(folder) / names[e.name], e.path, options), e.name, options
            )
            for e in wanted
        ]
        return _noted(_joined(read, path, sources), notes)


def _called_after(data: Annotations, file: str, options: ReadOptions) -> Annotations:
    """Documents that have no name of their own are called after the file, when all are one person's."""
    if not isinstance(data, Chains) or options.annotator is None:
        return data
    stem = bare_name(file)
    names = tuple(re.sub(r"^document(?= \d+$|$)", stem, name) for name in data.documents)
    return replace(data, documents=names)


def _noted(data: Annotations, notes: list[str]) -> Annotations:
    return changed(data, notes=(*data.notes, *notes)) if notes else data


def _read_copy(found: Format, copy: Path, original: str, options: ReadOptions) -> Annotations:
    """Read a copy; its errors name the original."""
    try:
        return read_file(copy, found, options)
    except InputError as problem:
        raise InputError(
            problem.problem, path=original, line=problem.line, hint=problem.hint
        ) from None


def read_by_pattern(tree: Tree, found: Format, options: ReadOptions) -> Annotations:
    """Read each file whose path fits the pattern as its annotator's, then put them together."""
    pattern = options.path or ""
    path = tree.path
    tree.add_beside(found.beside)
    parts: list[Annotations] = []
    sources: list[str] = []
    unfit: list[str] = []
    for entry in tree:
        if is_sidecar(entry.name):
            continue
        if not found.recognises(Path(entry.name), entry.head(1 << 18)):
            continue
        whole = entry.path.replace("\\", "/") if tree.single else entry.name
        named = named_by(pattern, whole)
        if named is None:
            unfit.append(entry.name)
            continue
        each = named.annotator is not None and named.document is not None
        own = replace(
            options,
            path=None,
            annotator=named.annotator,
            document=named.document,
            empty=options.empty or each,
        )
        with tempfile.TemporaryDirectory() as folder:
            # a file alone, under its own name: nothing beside it is read by accident
            alone = Path(folder) / file_names([entry.name])[entry.name].rpartition("/")[2]
            write_bytes(alone, entry.read())
            data = _read_copy(found, alone, entry.path, own)
        if named.document is not None and len(data.documents) == 1:
            data = changed(data, documents=(named.document,))
        if each and isinstance(data, (Units, Boxes, Relations)):
            # a file of each annotator for each document: where there is none, nothing was seen
            if not data.documents:
                pair = (named.document or "", named.annotator or "")
                data = type(data).from_rows([], coverage=[pair], notes=data.notes)
            data = data.covered("all")
        parts.append(data)
        sources.append(entry.name)
    if not parts:
        raise InputError(f"has no file whose path fits {pattern!r}", path=path)
    data = _joined(parts, path, sources)
    if unfit:
        data = changed(data, notes=(*data.notes, f"not read, not fitting `path`: {some(unfit)}"))
    return data


def _joined(parts: list[Annotations], path: Path, sources: list[str]) -> Annotations:
    try:
        return joined(parts, sources=sources)
    except InputError as problem:
        where = path if problem.path is None else path / problem.path
        raise InputError(problem.problem, path=where, hint=problem.hint) from None
