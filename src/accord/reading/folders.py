"""Folders and archives of single-file formats: every file read by itself, then put together."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Units
from accord.data.join import joined
from accord.data.protocol import changed
from accord.data.reading import Answer, Record
from accord.errors import InputError, some
from accord.files.archive import Entry, Tree, open_tree
from accord.formats.coreference.brackets import bare_name
from accord.formats.format import Format, ReadOptions
from accord.formats.places import named_parts
from accord.formats.ways import FILE, Way, choose, flat_ways, named_by, nested_ways
from accord.formats.writing import file_names, write_bytes
from accord.reading.file import called, read_file, unread
from accord.reading.sidecars import is_sidecar
from accord.reading.together import tables_of

_EACH = Answer("each file is an annotator", ("path", "{annotator}.*"))
#: what files call a document that has no name
_UNNAMED = re.compile(r"^document(?= \d+$|$)")


def tree_of(paths: Sequence[Path], found: Format) -> Tree:
    """The files of several paths, called by where they stand below the folder that all share."""
    root = Path(os.path.commonpath([path.resolve().parent for path in paths]))
    whole = Tree(path=root)
    for path in paths:
        tree = open_tree(path)
        tree.add_beside(found.beside)
        where = path.resolve() if path.is_dir() else path.resolve().parent
        prefix = where.relative_to(root).as_posix()
        for entry in tree:
            name = entry.name if prefix == "." else f"{prefix}/{entry.name}"
            whole.entries.append(replace(entry, name=name))
        whole.notes.extend(tree.notes)
    whole.entries.sort(key=lambda entry: entry.name)
    return whole


def read_each(tree: Tree, found: Format, options: ReadOptions) -> Annotations:
    """Read all files of this format in a folder or an archive as one campaign."""
    path = tree.path
    entries = found.among(tree)
    wanted = [e for e in entries if not is_sidecar(e.name)]
    if not wanted:
        raise InputError(f"holds no file of the format {found.name}", path=path)
    record = Record(path=str(path))
    notes = [*tree.notes, *unread(entries, tree, found, record)]
    data = record.kept_by(_together(entries, wanted, path, found, options))
    return changed(data, notes=(*data.notes, *notes)) if notes else data


def _together(
    entries: Sequence[Entry],
    wanted: Sequence[Entry],
    path: Path,
    found: Format,
    options: ReadOptions,
) -> Annotations:
    files = [e.file for e in wanted if e.file is not None]
    whole = len(files) == len(wanted)
    tables = tables_of(wanted, found, options) if whole else None
    if tables is not None:
        nameless = tables.nameless and options.annotator is None
        return _by_way(tables.read, wanted, path) if nameless else tables.read()
    if whole:
        parts = [read_file(file, found, options) for file in files]
    else:
        parts = _of_copies(entries, wanted, found, options)
    sources = [e.name for e in wanted]

    def read(way: Way | None = None) -> Annotations:
        if way is None:
            return _joined([_called_after(p, e.name, options) for p, e in own], path, sources)
        told = [_told(p, *said) for (p, _), said in zip(own, way.said, strict=True)]
        _refuse_unlike(told)
        return joined(told, sources=sources)

    own = list(zip(parts, wanted, strict=True))
    if options.annotator is None and all(p.annotators == (bare_name(e.name),) for p, e in own):
        # (tables have no texts that could tell)
        known = [p.documents for p in parts] if found.load is None else ()
        return _by_way(read, wanted, path, own=known)
    return read()


def _by_way(
    read: Callable[[Way | None], Annotations],
    entries: Sequence[Entry],
    path: Path,
    own: Sequence[Sequence[str] | None] = (),
) -> Annotations:
    """Files that do not say who annotated, read in the way in which people share what they annotate.

    Where two such ways differ, it is open; where there is none, each file is an annotator. `own` is what
    the files themselves call their documents.
    """
    named = named_parts(entries)[1]
    flat = flat_ways(named)
    for way in flat:
        if own and [(document,) for _, document in way.said] == list(own):
            return read(way)
    if {len(parts) for _, parts in named} == {1}:
        if not flat:
            return read(None)
        # (a way that says nothing new, so that words are compared; tables have none)
        with suppress(InputError):
            if own:
                return read(Way(FILE, tuple([(parts[0], "document") for _, parts in named]), ""))
    consistent: list[tuple[Way, Annotations]] = []
    for way in nested_ways(named) or flat:
        with suppress(InputError):
            data = read(way)
            if data.contents().used.get("annotators", 0) > 1:
                consistent.append((way, data))
    record = Record(path=str(path))
    more = () if own or not flat else (_EACH,)
    taken = choose([way for way, _ in consistent], record, more=more)
    if taken is None:
        return read(None)
    return record.kept_by(next(d for way, d in consistent if way is taken))


def _told(data: Annotations, annotator: str, document: str) -> Annotations:
    """The annotations of one file, with the names that its place gives to what it does not name."""
    named = changed(data, annotators=(annotator,))
    if isinstance(data, Ratings):
        return named
    documents = tuple([_UNNAMED.sub(document, name) for name in data.documents])
    return changed(named, documents=documents)


def _refuse_unlike(parts: Sequence[Annotations]) -> None:
    """Two files of a document have the same words."""
    known: dict[str, tuple[str, ...]] = {}
    for part in parts:
        if isinstance(part, Units):
            for name, words in zip(part.documents, part.words or (), strict=False):
                if words is not None and known.setdefault(name, words) != words:
                    raise InputError(f"document {name!r} has other words in another file")


def _of_copies(
    entries: Sequence[Entry], wanted: Sequence[Entry], found: Format, options: ReadOptions
) -> list[Annotations]:
    """Read files out of an archive: engines read paths, so they are written to a folder of our own."""
    with tempfile.TemporaryDirectory() as folder:
        names = file_names([e.name for e in entries])
        for entry in entries:
            write_bytes(Path(folder) / names[entry.name], entry.read())
        return [_read_copy(found, Path(folder) / names[e.name], e.path, options) for e in wanted]


def _called_after(data: Annotations, file: str, options: ReadOptions) -> Annotations:
    """Documents that have no name of their own are called after the file, when all are one person's."""
    if not isinstance(data, Chains) or options.annotator is None or len(data.annotators) > 1:
        return data
    return _told(data, options.annotator, bare_name(file))


def _read_copy(found: Format, copy: Path, original: str, options: ReadOptions) -> Annotations:
    """Read a copy; its errors and its source name the original."""
    try:
        return called(read_file(copy, found, options), original)
    except InputError as problem:
        raise problem.at(original) from None


def read_by_pattern(tree: Tree, found: Format, options: ReadOptions) -> Annotations:
    """Read each file whose path fits the pattern as its annotator's, then put them together."""
    pattern, path = options.path or "", tree.path
    tree.add_beside(found.beside)
    parts: list[Annotations] = []
    sources: list[str] = []
    unfit: list[str] = []
    entries, record = found.among(tree), Record()
    notes = unread(entries, tree, found, record)
    for entry in entries:
        if is_sidecar(entry.name):
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
        # a file alone, under its own name: no table beside it is read by accident
        named_alone = replace(entry, name=entry.name.rpartition("/")[2])
        alone = Tree(path=Path(entry.path), entries=[named_alone], single=True)
        data = read_file(alone, found, own, beside=False)
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
    data = record.kept_by(_joined(parts, path, sources))
    if unfit:
        notes.append(f"not read, not fitting `path`: {some(unfit)}")
    return changed(data, notes=(*data.notes, *notes)) if notes else data


def _joined(parts: list[Annotations], path: Path, sources: list[str]) -> Annotations:
    try:
        return joined(parts, sources=sources)
    except InputError as problem:
        where = path if problem.path is None else path / problem.path
        raise problem.at(where) from None
