"""One path in a known format: an export, a table, or annotations as they stand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from accord.data import Annotations
from accord.data.protocol import changed
from accord.data.reading import Provenance, Record, Source
from accord.errors import UnreadableError, UsageError, some
from accord.files.archive import Entry, Tree, open_tree
from accord.formats.format import Format, ReadOptions
from accord.formats.tables.table import Table
from accord.reading.recode import relabelled
from accord.reading.shape import from_table
from accord.reading.sidecars import is_sidecar, with_sidecars

if TYPE_CHECKING:
    from accord.formats.export import Export

Held = TypeVar("Held")


def read_file(
    place: Path | Tree, found: Format, options: ReadOptions, *, beside: bool = True
) -> Annotations:
    """Read what stands at one place in this format, with what tables `beside` a table tell."""
    if isinstance(place, Path):
        with open_tree(place) as tree:
            return read_file(tree, found, options)
    path = place.path
    if found.collect is not None:
        return collected(place, found, options, [path])
    file = place.entries[0]
    if found.load is not None:
        held = found.load(file, options)
        options = with_sidecars(path, options) if beside else options
        if isinstance(held, Table):
            source = Source(path=str(path), format=found.title, rows=held.height)
            return read_from(from_table(held, options), source)
        from accord.reading.frame import read_frame

        data = read_frame(held, options, path=str(path), source=path.stem)
        return read_from(data, Source(path=str(path), format=found.title, rows=len(held)))
    if found.read is None:
        raise UsageError(f"the format {found.name} can be written and not read")
    record = Record(path=str(path))
    data = relabelled(found.read(file, options), options, record)
    return read_from(record.kept_by(data), Source(path=str(path), format=found.title))


def collected(
    tree: Tree, found: Format, options: ReadOptions, paths: Sequence[Path]
) -> Annotations:
    """Read an export, a file or a folder of them."""
    from accord.reading.layers import data_of

    export = export_of(tree, found, options)
    data = data_of(export, options)
    layer = ",".join(sorted(export.chosen)) or None
    return read_from(
        data, *(Source(path=str(path), format=found.title, layer=layer) for path in paths)
    )


def export_of(tree: Tree, found: Format, options: ReadOptions) -> Export:
    """All that an export holds, and a note of the files that are no part of it."""
    from accord.formats.export import Export

    assert found.collect is not None
    tree.add_beside(found.beside)
    export = Export(found, tree.recoded(options.encoding), options, list(tree.notes))
    found.collect(export)
    read = [e for e in tree if e.was_read]
    export.notes.extend(unread(read, tree, found, export.record))
    return export


def read_sound(read: Callable[[], Held], leave: Callable[[str], str | None]) -> tuple[Held, Record]:
    """Read files without those of which nothing can be read, each of which is left out by name.

    `leave` takes a path, leaves its file out of what is read next and returns its name, or None where
    nothing would be left.
    """
    record = Record()
    while True:
        try:
            return read(), record
        except UnreadableError as problem:
            name = leave(problem.path or "")
            if name is None:
                raise
            record.leave_out(name, why=problem.problem)


def unread(read: Sequence[Entry], tree: Tree, found: Format, record: Record) -> list[str]:
    """Name the files beside those that were read: in the header where they are called like these."""
    names, endings = {e.name for e in read}, {e.suffix for e in read}
    others = []
    for entry in () if tree.single else tree:
        if entry.name in names:
            continue
        if entry.suffix not in endings or entry.suffix in found.beside or is_sidecar(entry.name):
            others.append(entry.name)
            continue
        empty = not entry.head(1 << 16).strip()
        record.leave_out(entry.name, why="is empty" if empty else "is not of this format")
    return [f"ignored, not {found.title}: {some(others)}"] if others else []


def called(data: Annotations, path: str) -> Annotations:
    """The data of a copy, whose source is the original."""
    known = data.provenance or Provenance()
    named = [replace(source, path=path) for source in known.sources]
    return changed(data, provenance=replace(known, sources=tuple(named)))


def read_from(data: Annotations, *sources: Source) -> Annotations:
    """The data, which know where they come from."""
    known = data.provenance or Provenance()
    return changed(data, provenance=replace(known, sources=sources))
