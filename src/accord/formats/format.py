"""What a format is: how to recognise it, read it, and perhaps write it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from accord.data import Annotations
from accord.data.protocol import SHAPES, Shape
from accord.errors import UsageError
from accord.formats.sniff import Head, Sniff
from accord.options.reading import ReadOptions as ReadOptions

if TYPE_CHECKING:
    import narwhals as nw

    from accord.files.archive import Entry, Tree
    from accord.formats.export import Export
    from accord.formats.tables.table import Table

People = Literal["records", "judges", "folder", "file", "tier", "key"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a format without loading it: how its files are recognised and what it can hold."""

    name: str
    title: str
    #: ways to know a file: any of them
    sniff: tuple[Sniff, ...] = ()
    #: ways to know a folder: patterns, for each of which there is a file whose name holds it
    tree: tuple[tuple[str, ...], ...] = ()
    #: formats that would take its files
    over: tuple[str, ...] = ()
    #: takes what no other format knows
    fallback: bool = False
    #: who annotated stands in the records, or in the records as judges (of whom `annotator_from=file`
    #: makes systems), in the place of a file, in its tiers, or under any key of its records
    people: People = "records"
    #: endings under which the other half of a single file stands next to it
    beside: tuple[str, ...] = ()
    #: endings that `accord convert` takes to mean this format
    suffixes: tuple[str, ...] = ()
    #: shapes that `write` can hold
    holds: tuple[Shape, ...] = SHAPES

    def check_annotator_from(self, word: str | None) -> None:
        """Refuse a word that does not say where this format's people are named."""
        known = ("folder", "file", "tier", "author")
        if word is None or self.people == "key":
            return
        if word not in known:
            raise UsageError(f"annotator_from must be one of {', '.join(known)}, got {word!r}")
        if self.people == "records":
            raise UsageError(
                f"{self.title} names its annotators in its records or by one file each: "
                "`annotator_from` has no say there; leave it out, or use `path` or `rename`"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Format(Known):
    """One file format: how it is known, read and perhaps written.

    To add a format:

    1. Write a module in the room of its kind (`platforms`, `corpora`, `speech` …) with a record called
       `FORMAT`. Its `sniff` says how its files are known: bytes, columns, endings; `test` only where
       these do not tell, `over` where another format would take its files.
    2. Say what a file says, in one of three ways: `collect` fills an :class:`Export` with all that an
       export holds (`by_files` where each file is what one annotator says of one document), `load`
       gives the columns of a table, `read` the annotations where a file leaves nothing to decide.
       JSON is declared as records (:mod:`accord.formats.records`). What it means is not decided here.
    3. Put a small file of its real layout into `tests/samples`, and its line into `tests/test_samples.py`.
    4. Run `python scripts/make_index.py`. Reading, `inspect`, `convert`, completion and the fuzzers follow.
    """

    #: where bytes do not tell: what must hold beside a sniff, of a file and of a folder
    test: Callable[[Path, bytes], bool] | None = None
    test_tree: Callable[[Tree], bool] | None = None
    read: Callable[[Entry, ReadOptions], Annotations] | None = None
    #: the cells of a table, before anything is made of them
    load: Callable[[Entry, ReadOptions], Table | nw.DataFrame[Any]] | None = None
    #: fills in all that an export holds, before any choice
    collect: Callable[[Export], None] | None = None
    #: writes the data and returns what the format could not hold, one sentence each
    write: Callable[[Annotations, Path], Sequence[str]] | None = None

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether a file is of this format, by its path and first bytes."""
        seen = Head(path.name, head)
        return any(way.holds(seen) for way in self.sniff) and (
            self.test is None or self.test(path, seen.text)
        )

    def among(self, tree: Tree, size: int = 1 << 18) -> list[Entry]:
        """The files of this format, by their first bytes."""
        return [e for e in tree if self.recognises(Path(e.name), e.head(size))]


#: anything `accord.read` takes: a path or a dataframe
Source = Any
