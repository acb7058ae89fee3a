"""Reading a source: the only road from what people give to data."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Literal, Unpack, overload

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.protocol import changed
from accord.data.ratings import label_of
from accord.data.reading import OpenQuestionError, Record
from accord.data.reading import Source as Origin
from accord.data.roles import Choice, assign, rename
from accord.data.slips import in_two_ways
from accord.errors import InputError, UsageError, some
from accord.files.archive import Tree, open_tree
from accord.files.pipe import as_file, is_piped, named_after
from accord.formats import detect
from accord.formats.format import Format, ReadOptions, Source
from accord.options.kinds import refuses_other_kinds
from accord.reading.file import called, collected, read_file, read_from, read_sound
from accord.reading.keywords import Keywords, KeywordsButShape
from accord.reading.recode import asked, refuse_unknown
from accord.reading.request import options_of
from accord.reading.sidecars import with_coverage, with_silence

#: what addresses, globs and Parquet files have in their names
_ELSEWHERE = re.compile(r":/|[*?\[]|[.](parquet|parq|pq)$", re.IGNORECASE)

#: ratings whose items are compared by the way in which they are written
_COMPARED = 100_000


@overload
def read(
    source: Source,
    *,
    shape: Literal["ratings"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Ratings: ...
@overload
def read(
    source: Source,
    *,
    shape: Literal["units"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Units: ...
@overload
def read(
    source: Source,
    *,
    shape: Literal["segments"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Segments: ...
@overload
def read(
    source: Source,
    *,
    shape: Literal["chains"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Chains: ...
@overload
def read(
    source: Source,
    *,
    shape: Literal["relations"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Relations: ...
@overload
def read(
    source: Source,
    *,
    shape: Literal["boxes"],
    format: str | None = ...,
    **options: Unpack[KeywordsButShape],
) -> Boxes: ...
@overload
def read(
    source: Source, *, format: str | None = ..., **options: Unpack[Keywords]
) -> Annotations: ...
@refuses_other_kinds
def read(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    **options: Unpack[Keywords],
) -> Annotations:
    """Read annotations from a file, a folder, an archive or any dataframe.

    Parameters
    ----------
    source : path, or a pandas, polars, pyarrow, DuckDB or other dataframe (lazy ones too), or plain
        values: records, columns, lists, an array
    format : name of the format; recognised from the content when not given
    **options : those of :class:`accord.options.reading.ReadOptions`, among them who is who:
        ``annotators``, ``without``, ``documents``, ``items``, ``systems``,
        ``reference_annotator``, ``rename``

    >>> import polars as pl
    >>> read(pl.DataFrame({"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"]})).n_items
    1
    """
    return read_many([source], format=format, **options)


@dataclass(frozen=True, slots=True)
class _Reader:
    """As what sources are read: a format, where one was named, and the options."""

    format: str | None
    options: ReadOptions

    def one(self, source: Source) -> Annotations:
        """Read one source of any kind."""
        if isinstance(source, (str, PathLike)):
            if not str(source):
                raise UsageError("the path is empty; name a file or a folder")
            path = Path(source)
            if is_piped(path):
                with as_file(path) as copy, named_after(copy, path):
                    return called(self.one(copy), str(path))
            if not path.exists():
                raise InputError("does not exist", path=path, hint="check the path")
            with open_tree(path) as tree, _collector_asleep():
                data, left = read_sound(lambda: self._tree(tree), tree.leave)
                return left.kept_by(data)
        from accord.reading.lists import People, are_values, indexed, read_people, read_values

        if isinstance(source, People):
            return read_people(source, self.options)
        source = indexed(source)
        if are_values(source):
            return read_values(source, self.options)
        library = type(source).__module__.partition(".")[0]
        from accord.reading.frame import read_frame

        frame = read_frame(source, self.options, path="the dataframe")
        return read_from(frame, Origin(path="the dataframe", format=library))

    def _tree(self, tree: Tree) -> Annotations:
        found, options = detect(tree, self.format), self.options
        found.check_annotator_from(options.annotator_from)
        by_pattern = options.path is not None and found.people in ("records", "judges")
        if not by_pattern and (found.collect is not None or tree.single):
            return read_file(tree, found, options)
        from accord.reading.folders import read_by_pattern, read_each

        return (read_by_pattern if by_pattern else read_each)(tree, found, options)

    def parts(self, sources: Sequence[Source]) -> list[Annotations]:
        """Read all as one, where they are tables or their places tell them apart, or each by itself."""
        from accord.data.join import joined

        paths = _plain_paths(sources)
        whole = self._tables(paths)
        if whole is not None:
            return [whole]
        parts: list[Annotations] = []
        problem: InputError | None = None
        try:
            parts = [rename(self.one(s), _renaming(self.options, s)) for s in sources]
            if not _apart(paths) or _shared(joined(parts)):
                return parts
        except OpenQuestionError:
            raise
        except InputError as raised:
            if not _apart(paths):
                raise
            problem = raised
        # only their places may tell people and documents apart
        found = self._one_format(paths)
        try:
            whole = None if found is None else self._by_place(paths, found)
            if whole is not None and _shared(whole):
                return [whole]
        except OpenQuestionError:
            raise
        except InputError as raised:
            problem = problem or raised
        if problem is not None and not parts:
            raise problem
        return parts

    def _tables(self, paths: Sequence[Path]) -> Annotations | None:
        """Several tables read as one; None when they are not all tables."""
        options = self.options
        if not paths or options.path is not None or not all(p.is_file() for p in paths):
            return None
        found = self._one_format(paths)
        if found is None or found.load is None:
            return None
        from accord.formats.places import named_parts
        from accord.formats.ways import flat_ways
        from accord.reading.together import tables_of

        with ExitStack() as held:
            files = [held.enter_context(open_tree(path)).entries[0] for path in paths]
            if not options.rename and (_apart(paths) or flat_ways(named_parts(files)[1])):
                return self._by_place(paths, found)
            tables = tables_of(files, found, options)
        return None if tables is None else tables.read()

    def _by_place(self, paths: Sequence[Path], found: Format) -> Annotations:
        """Read files and folders of one format as the parts of one folder."""
        from accord.reading.folders import read_by_pattern, read_each, tree_of

        options = self.options

        def read() -> Annotations:
            if found.collect is not None and (options.path is None or found.people != "records"):
                return collected(tree, found, options, paths)
            return (read_each if options.path is None else read_by_pattern)(tree, found, options)

        with tree_of(paths, found) as tree, _collector_asleep():
            whole, left = read_sound(read, tree.leave)
            return rename(left.kept_by(whole), options.rename)

    def _one_format(self, paths: Sequence[Path]) -> Format | None:
        kinds = {found.name: found for found in (detect(path, self.format) for path in paths)}
        return next(iter(kinds.values())) if len(kinds) == 1 else None


@contextmanager
def _collector_asleep() -> Iterator[None]:
    """Readers make millions of small objects and no cycles: searching for some doubles the time."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            gc.enable()


def read_many(
    sources: Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002
    partly: bool = False,
    **options: Unpack[Keywords],
) -> Annotations:
    """Read several sources as one campaign; each must bring annotations of the same shape.

    Files that name no annotator are taken to be one annotator each, called after the file. What is
    read `partly` need not hold every label that is recoded or merged.
    """
    chosen, said = options_of(options)
    if not sources:
        raise UsageError("there is nothing to read")
    scanned = None
    if chosen.engine != "auto" or any(map(_may_be_scanned, sources)):
        from accord.large.scanned import addresses, at_home, read_scanned

        sources = [at_home(source) for source in sources]
        scanned = addresses(sources, format, chosen)
    if isinstance(chosen.units, Path):
        from accord.reading.relations import lists_items

        if not lists_items(chosen.units):
            own = ReadOptions(shape="units", duplicates="first", curation="include")
            beside = _Reader(None, own).one(chosen.units)
            chosen = replace(chosen, units=beside if isinstance(beside, Units) else None)
    left, sources = Record(), list(sources)

    def leave(path: str) -> str | None:
        """Leave a path out of the sources, unless it is the last."""
        named = [isinstance(s, (str, PathLike)) and str(Path(s)) == path for s in sources]
        if True not in named or all(named):
            return None
        del sources[named.index(True)]
        return path

    if scanned is not None:
        parts = [rename(read_scanned(scanned, chosen), _renaming(chosen, sources[0]))]
    else:
        parts, left = read_sound(lambda: _Reader(format, chosen).parts(sources), leave)

    files = [
        str(s) if isinstance(s, (str, PathLike)) else f"source {i}"
        for i, s in enumerate(sources, 1)
    ]
    whole = parts[0]
    if len(parts) > 1:
        from accord.data.join import joined

        whole = joined(parts, sources=files)
    whole = left.kept_by(whole)
    if chosen.seen is not None:
        whole = with_coverage(whole, chosen.seen, chosen.rename)
    _refuse_unknown_names(whole, chosen)
    if not partly:
        refuse_unknown(chosen, [whole], path=", ".join(files))
    found = assign(
        whole,
        _with_groups(chosen, parts),
        kind=chosen.values,
        declared=chosen.categories is not None,
    )
    if chosen.ordered and whole.shape != "ratings":
        raise UsageError(f"`ordered` is for ratings, the data are {whole.shape}")
    found = with_silence(_with_names_in_two_ways(asked(found, chosen)))
    return changed(found, notes=tuple(dict.fromkeys([*found.notes, *said]))) if said else found


def _with_names_in_two_ways(data: Annotations) -> Annotations:
    """The data that know, where no item is shared, of two that may be one, written in two ways."""
    if not isinstance(data, Ratings) or data.anonymous or data.sums is not None:
        return data
    few = len(data.annotators) > 1 and len(data.item) <= _COMPARED
    if data.multiplicity is not None or not few or data.per_item.max(initial=0) > 1:
        return data
    rated = [(label_of(data.items[i]), a) for i, a in zip(data.item, data.annotator, strict=True)]
    pair = in_two_ways([name for name, a in rated if not a], [name for name, a in rated if a])
    if pair is None:
        return data
    record, (one, other) = Record(), pair
    record.assume(f"items {one!r} and {other!r} are two; if they are one, write them alike")
    return record.kept_by(data)


def _shared(data: Annotations) -> bool:
    """Whether people share something that they annotated."""
    return data.contents().used.get("annotators", 0) > 1


def _plain_paths(sources: Sequence[Source]) -> list[Path]:
    """The sources, where all are files or folders and several; none otherwise."""
    paths = [Path(s) for s in sources if isinstance(s, (str, PathLike))]
    if len(paths) < len(sources) or len(paths) < 2:
        return []
    for path in paths:
        if is_piped(path) or not path.exists():
            return []
        with open_tree(path) as tree:
            if not tree.single and path.is_file():
                return []
    return paths


def _apart(paths: Sequence[Path]) -> bool:
    """Whether their folders may say something: they are folders, or files of several."""
    folders = any(p.is_dir() for p in paths) or len({p.resolve().parent for p in paths}) > 1
    return folders and len({p.resolve() for p in paths}) == len(paths)


def _may_be_scanned(source: Source) -> bool:
    """Whether it is an address, a glob, a folder or a Parquet file, which an engine may read."""
    if not isinstance(source, (str, PathLike)):
        return False
    return _ELSEWHERE.search(str(source)) is not None or Path(source).is_dir()


def _renaming(options: ReadOptions, source: Source) -> dict[str, str]:
    """Old → new name for one source; ``file:old`` speaks of that file alone."""
    found: dict[str, str] = {}
    own: dict[str, str] = {}
    path = Path(source) if isinstance(source, (str, PathLike)) else None
    places = () if path is None else (str(path), path.name, path.stem)
    for old, new in options.rename.items():
        where, colon, who = old.rpartition(":")
        if colon and where in places:
            own[who] = new
        found[old] = new
    return found | own


def _refuse_unknown_names(data: Annotations, options: ReadOptions) -> None:
    """A name that was to be changed and is not there is a slip."""
    for old, new in options.rename.items():
        if new not in data.annotators:
            raise InputError(
                f"no annotator is called {old!r}", hint=f"the data have {some(data.annotators)}"
            )


def _with_groups(options: ReadOptions, parts: Sequence[Annotations]) -> Choice:
    choice = Choice(
        annotators=options.annotators,
        without=options.without,
        documents=options.documents,
        items=options.items,
        systems=options.systems,
        reference=options.reference_annotator,
        groups=options.groups if isinstance(options.groups, Mapping) else {},
        include_references=options.curation != "leave-out",
    )
    if isinstance(options.groups, str):
        held: dict[str, str] = {}
        for roles in (part.roles for part in parts):
            held |= {} if roles is None else roles.groups
        if not held:
            raise InputError(f"no file and no column is called {options.groups!r}")
        return replace(choice, groups=held)
    return choice
