"""Who annotated a file, and which document it is about, from its place in the export."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from accord.data.reading import Answer, Decision
from accord.errors import InputError, UsageError
from accord.files.archive import Entry, Tree, archive_stem
from accord.formats.export import Export, Sheet, TextConflictError
from accord.formats.format import ReadOptions
from accord.formats.ways import (
    FILE,
    FOLDER,
    Way,
    choose,
    flat_ways,
    named_by,
    nested_pattern,
    nested_ways,
    split,
)

_ONE_RECORDING = Answer("each file is an annotator of one recording", ("annotator_from", FILE))
_ONE_ANNOTATOR = Answer("files are recordings of one annotator", ("annotator_from", FOLDER))


class Place(NamedTuple):
    """One annotation file, whose it is and what it is about."""

    entry: Entry
    document: str
    annotator: str


def places(
    tree: Tree, entries: Sequence[Entry], options: ReadOptions, *, default: str = FOLDER
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
    if way not in (FOLDER, FILE):
        raise UsageError(f"these files name their annotator by folder or file, not by {way}")
    return _placed(tree, entries, way)


def _placed(tree: Tree, entries: Sequence[Entry], way: str) -> list[Place]:
    common, named = named_parts(entries)
    around = common[-1] if common else _root(tree.path)
    found = []
    for entry, parts in named:
        who, document = split(parts, way)
        if not document:
            who, document = (around, who) if way == FOLDER else (who, around)
        found.append(Place(entry, document, who))
    return found


def recordings(export: Export) -> Iterator[tuple[Entry, Sheet]]:
    """Files that hold no text to tell whether they are about the same recording.

    Folders are likely annotators. Files that stand together without folders are likely annotators of one
    recording, unless their names hold a recording and an annotator each.
    """
    tree, entries, options, record = export.tree, export.files, export.options, export.record
    record.path = str(tree.path)
    named = named_parts(entries)[1]
    together = len(entries) > 1 and all(len(parts) == 1 for _, parts in named)
    way = FILE if together or tree.single else FOLDER
    found = places(tree, entries, options, default=way)
    if options.annotator_from is None and options.path is None:
        if tree.single:
            # one file alone: its recording is called as it is, so that files given one by one match
            found = [place._replace(document="recording") for place in found]
        elif not together:
            ways = [way for way in nested_ways(named) if way.shares]
            taken = choose(ways, record, likely=FOLDER)
            found = found if taken is None else by_way(taken, entries)
        else:
            pairs = tuple([way.answer for way in flat_ways(named)])
            record.take(
                Decision(
                    about="path",
                    taken=None if pairs else _ONE_RECORDING,
                    others=(*pairs, _ONE_RECORDING, _ONE_ANNOTATOR) if pairs else (_ONE_ANNOTATOR,),
                    why="holds files that may be called after recordings, annotators or both",
                )
            )
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
            document = named.document or PurePosixPath(entry.without_suffix()).name
            fitting.append((entry, document, named.annotator or root, named.rest))
    if not fitting and entries:
        raise InputError(
            f"has no file whose path fits {pattern!r}",
            path=tree.path,
            hint=f"it has, for example, {entries[0].name!r}",
        )
    # two batches may hold documents of one name: then the batch is part of it
    twice = len({place[1:3] for place in fitting}) < len(fitting)
    return [
        Place(entry, f"{rest}/{document}" if rest and twice else document, annotator)
        for entry, document, annotator, rest in fitting
    ]


def named_files(
    export: Export, own: Sequence[tuple[Entry, str]]
) -> list[tuple[Entry, str, str | None]]:
    """Document and annotator of files that name their annotators themselves, unless places are asked."""
    if export.options.annotator_from not in (FOLDER, FILE):
        return [(entry, document, None) for entry, document in own]
    return [(*place,) for place in places(export.tree, [e for e, _ in own], export.options)]


def documents(entries: Sequence[Entry]) -> list[tuple[Entry, str]]:
    """Each file as a document of its own, where the files themselves name the annotators."""
    return [(entry, "/".join(parts)) for entry, parts in named_parts(entries)[1]]


def by_place(
    export: Export,
    entries: Sequence[Entry],
    read_one: Callable[[Entry, str, str], None],
    *,
    default: str = FILE,
    options: ReadOptions | None = None,
) -> None:
    """Read files of which the texts tell whether folders and names are annotators' or documents'.

    Taken is the way in which the files of a document hold one text and people share documents; where
    two such ways differ, it is open. Files that stand together are one document where they hold one
    text, else documents of one annotator.
    """
    tree, options = export.tree, options or export.options
    usual = places(tree, entries, options, default=default)
    if options.path is not None or options.annotator_from is not None:
        ways = []
    else:
        ways = _ways(tree, entries, default)
    notes, read, nested = len(export.notes), None, any(way.nested for way in ways)

    def read_as(placed: Sequence[Place]) -> None:
        nonlocal read
        if read == placed:
            return
        if read is not None:
            export.clear(notes)
        read = placed
        for entry, document, annotator in placed:
            read_one(entry, document, annotator)

    consistent: list[Way] = []
    problems: list[tuple[int, TextConflictError]] = []
    for way in ways:
        if consistent and not nested:
            break
        try:
            read_as(by_way(way, entries))
            consistent.append(way)
        except TextConflictError as problem:
            problems.append((len(export.seen), problem))
    told = export.texts or problems
    if not told and not (nested and any(way.name == default for way in consistent)):
        consistent = [way for way in consistent if way.name == default]
    export.record.path = str(tree.path)
    # a format that has folders of annotators, and texts, is written so unless the texts deny it
    likely = default if default == FOLDER and export.texts else None
    taken = choose(consistent, export.record, likely=likely)
    if taken is not None:
        read_as(by_way(taken, entries))
    elif nested and any(way.name == default for way in ways):
        raise max(problems, key=lambda problem: problem[0])[1]
    elif nested or not problems:
        read_as(usual)
    else:
        apart = _placed(tree, entries, FOLDER)
        read_as(apart)
        if default == FILE:
            named = options.annotator
            export.notes.append(
                "the files hold different texts: each is taken as a document of one annotator, "
                + (
                    f"{apart[0].annotator!r} (rename with `annotator`)"
                    if named is None
                    else repr(named)
                )
            )


def _ways(tree: Tree, entries: Sequence[Entry], default: str) -> list[Way]:
    """The ways in which people share documents, the usual one last: the others fail early or not at all."""
    named = named_parts(entries)[1]
    nested = any(len(parts) > 1 for _, parts in named)
    found = [
        Way(
            name,
            tuple([(p.annotator, p.document) for p in _placed(tree, entries, name)]),
            nested_pattern(named, name) if nested else "",
        )
        for name in ((FOLDER, FILE) if nested else (FILE,))
        if nested or name == default
    ]
    found = [way for way in found if way.shares]
    return sorted(found, key=lambda way: way.name == default) + ([] if nested else flat_ways(named))


def by_way(way: Way, entries: Sequence[Entry]) -> list[Place]:
    """Document and annotator of each file, as one way reads its name."""
    return [Place(e, document, who) for e, (who, document) in zip(entries, way.said, strict=True)]


def named_parts(
    entries: Sequence[Entry],
) -> tuple[tuple[str, ...], list[tuple[Entry, tuple[str, ...]]]]:
    """The folders that all files share, and each file's name below them, without its ending."""
    paths = [PurePosixPath(entry.without_suffix()) for entry in entries]
    levels = zip(*(path.parent.parts for path in paths), strict=False)
    common = tuple([level[0] for level in takewhile(lambda each: len(set(each)) == 1, levels)])
    parts = [path.parts[len(common) :] for path in paths]
    return common, list(zip(entries, parts, strict=True))


def _root(path: Path) -> str:
    resolved = path.resolve()
    if path.is_dir():
        return resolved.name
    return archive_stem(resolved.name) or resolved.parent.name


def by_files(
    read: Callable[[Entry, Sheet], None], *, then: Callable[[Export], None] | None = None
) -> Callable[[Export], None]:
    """Collect files that each hold what one annotator says of one document, as their places tell."""

    def collect(export: Export) -> None:
        files = export.files or list(export.tree if export.tree.single else ())

        def read_one(entry: Entry, document: str, annotator: str) -> None:
            read(entry, export.see(document, annotator))

        by_place(export, files, read_one)
        if then is not None:
            then(export)

    return collect


class SameItems:
    """Names texts by the order of their first appearance, across files.

    A text that occurs twice in one file is two items; the second is matched with the second of the
    other files.

    >>> names = SameItems()
    >>> names.begin_file()
    >>> names.name("x"), names.name("y"), names.name("x")
    ('1', '2', '3')
    >>> names.begin_file()
    >>> names.name("y"), names.name("x")
    ('2', '1')
    """

    def __init__(self) -> None:
        self._names: dict[tuple[str, int], str] = {}
        self._here: Counter[str] = Counter()

    def begin_file(self) -> None:
        self._here.clear()

    def name(self, text: str) -> str:
        self._here[text] += 1
        return self._names.setdefault((text, self._here[text]), str(len(self._names) + 1))

    def known(self, text: str) -> str:
        """The name of a text, however often it occurs."""
        return self._names.setdefault((text, 1), str(len(self._names) + 1))
