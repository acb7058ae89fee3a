"""Who annotated a file, and which document it is about, from its place in the export."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from accord.errors import InputError, UsageError
from accord.files.archive import Entry, Tree, archive_stem
from accord.formats.export import Export, Sheet, TextConflictError
from accord.formats.format import ReadOptions
from accord.formats.path_pattern import named_by


class Place(NamedTuple):
    """One annotation file, whose it is and what it is about."""

    entry: Entry
    document: str
    annotator: str


def places(
    tree: Tree, entries: Sequence[Entry], options: ReadOptions, *, default: str = "folder"
) -> list[Place]:
    """Document and annotator of each file.

    ``folder``: one folder per annotator (``alice/doc1.ann``), the outermost that differs; files
    directly in the root belong to one annotator, called after the root. ``file``: the file is
    called after its annotator and stands in a folder called after its document
    (``doc1/alice.tsv``), or, when all stand together, they are about one document. A name given for
    the annotator has no say here: it is put on afterwards (:meth:`Export.name_annotator`), so that
    documents are called the same with it and without.
    """
    if options.path is not None:
        return _by_pattern(tree, entries, options, options.path)
    way = options.annotator_from or default
    if way not in ("folder", "file"):
        raise UsageError(f"these files name their annotator by folder or file, not by {way}")
    common, named = _named(entries)
    root = _root(tree.path)
    found = []
    for entry, parts in named:
        if way == "folder":
            if len(parts) > 1:
                who, document = parts[0], "/".join(parts[1:])
            else:
                who, document = (common[-1] if common else root), parts[0]
        else:
            who = parts[-1]
            document = "/".join(parts[:-1]) or (common[-1] if common else root)
        found.append(Place(entry, document, who))
    return found


def recordings(export: Export) -> Iterator[tuple[Entry, Sheet]]:
    """Files that hold no text to tell whether they are about the same recording.

    Folders are annotators. Files that stand together without folders are annotators of one recording,
    and a note says so.
    """
    tree, entries, options = export.tree, export.files, export.options
    folders = {PurePosixPath(entry.name).parent for entry in entries}
    together = len(folders) == 1 and len(entries) > 1 and not tree.single
    if options.annotator_from is None and together:
        export.notes.append(
            "the files stand together: each is taken as an annotator of one recording "
            "(`annotator_from=folder` takes them as recordings of one annotator)"
        )
    way = "file" if together or tree.single else "folder"
    found = places(tree, entries, options, default=way)
    if tree.single and options.annotator_from is None:
        # one file alone: its recording is called as it is, so that files given one by one match
        found = [place._replace(document="recording") for place in found]
    for entry, document, annotator in found:
        yield entry, export.see(document, annotator)


def _by_pattern(
    tree: Tree, entries: Sequence[Entry], options: ReadOptions, pattern: str
) -> list[Place]:
    """Documents and annotators as the paths say; files that do not fit are left unread."""
    if options.annotator_from is not None:
        raise UsageError("`path` and `annotator_from` both say what names the annotator; give one")
    root = _root(tree.path)
    fitting: list[tuple[Entry, str, str, str]] = []
    for entry in entries:
        whole = entry.path.replace("\\", "/") if tree.single else entry.name
        named = named_by(pattern, whole)
        if named is not None:
            document = named.document or PurePosixPath(_bare(entry.name)).name
            fitting.append((entry, document, named.annotator or root, named.rest))
    if not fitting and entries:
        raise InputError(
            f"has no file whose path fits {pattern!r}",
            path=tree.path,
            hint=f"it has, for example, {entries[0].name!r}",
        )
    # two batches may hold documents of one name: then the batch is part of it
    places = [(document, annotator) for _, document, annotator, _ in fitting]
    if len(set(places)) < len(places):
        return [
            Place(entry, f"{rest}/{document}" if rest else document, annotator)
            for entry, document, annotator, rest in fitting
        ]
    return [Place(entry, document, annotator) for entry, document, annotator, _ in fitting]


def documents(entries: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Each file as a document of its own, where the files themselves name the annotators."""
    return [(entry, "/".join(parts)) for entry, parts in _named(entries)[1]]


def by_place(
    tree: Tree,
    entries: Sequence[Entry],
    options: ReadOptions,
    export: Export,
    read_one: Callable[[Entry, str, str], None],
) -> None:
    """Read files that are called after their annotators, in folders called after documents.

    Files that stand together without folders may be one document of several annotators or several
    documents of one: the texts tell. When they differ, each file is a document.
    """
    named = options.annotator
    try:
        for entry, document, annotator in places(tree, entries, options, default="file"):
            read_one(entry, document, annotator)
    except TextConflictError:
        folders = {entry.parts[:-1] for entry in entries}
        if len(folders) > 1 or options.annotator_from is not None:
            raise
        export.clear()
        for entry, document, annotator in places(tree, entries, options, default="folder"):
            read_one(entry, document, annotator)
        export.notes.append(
            "the files hold different texts: each is taken as a document of one annotator, "
            + (f"{annotator!r} (rename with `annotator`)" if named is None else repr(named))
        )


def _named(
    entries: Sequence[Entry],
) -> tuple[tuple[str, ...], list[tuple[Entry, tuple[str, ...]]]]:
    """The folders that all files share, and each file's name below them, without its ending."""
    paths = [PurePosixPath(_bare(entry.name)) for entry in entries]
    common = _common([path.parent.parts for path in paths])
    parts = [path.parts[len(common) :] for path in paths]
    return common, list(zip(entries, parts, strict=True))


def _common(folders: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The folders that all files share: they say nothing about who annotated."""
    if not folders:
        return ()
    shortest = min(folders, key=len)
    for i, part in enumerate(shortest):
        if any(folder[i] != part for folder in folders):
            return shortest[:i]
    return shortest


def _root(path: Path) -> str:
    resolved = path.resolve()
    if path.is_dir():
        return resolved.name
    return archive_stem(resolved.name) or resolved.parent.name


def _bare(name: str) -> str:
    head, dot, tail = name.rpartition(".")
    return head if dot and "/" not in tail and head and not head.endswith("/") else name


def by_files(
    read: Callable[[Entry, Sheet], None], *, then: Callable[[Export], None] | None = None
) -> Callable[[Export], None]:
    """Collect files that each hold what one annotator says of one document, as their places tell."""

    def collect(export: Export) -> None:
        files = export.files or list(export.tree if export.tree.single else ())

        def read_one(entry: Entry, document: str, annotator: str) -> None:
            read(entry, export.see(document, annotator))

        by_place(export.tree, files, export.options, export, read_one)
        if then is not None:
            then(export)

    return collect
