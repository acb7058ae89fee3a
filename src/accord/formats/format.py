"""What a format is: how to recognise it, read it, and perhaps write it.

How a file is known (what it begins with, what it holds, how it is called) is data, not code: the ways
that a format lists (:class:`Sniff`) are written into ``index.json``, so that a file is recognised
without loading any format.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from accord.data import Annotations
from accord.data.protocol import SHAPES, Shape
from accord.errors import UsageError
from accord.files.text import first_sign
from accord.options.reading import ReadOptions as ReadOptions

if TYPE_CHECKING:
    import narwhals as nw

    from accord.files.archive import Entry, Tree
    from accord.formats.export import Export
    from accord.formats.tables.table import Table

People = Literal["records", "judges", "folder", "file", "tier", "key"]


_MARK = b"\xef\xbb\xbf"
#: bytes of a first line that may name columns
_LONGEST_HEADER = 1 << 14
#: lines that are looked at one by one
_ROWS = 200


class Regex(NamedTuple):
    """A pattern of bytes, compiled when it is first looked for."""

    pattern: bytes


Mark = bytes | Regex


class Head:
    """The first bytes of a file, as the sniffs look at them."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name.lower()
        #: without a byte-order mark
        self.text = data
        while self.text.startswith(_MARK):
            self.text = self.text.removeprefix(_MARK)

    @cached_property
    def start(self) -> bytes:
        """The first sign after blanks, or nothing."""
        return first_sign(self.text)

    @cached_property
    def narrow(self) -> bytes:
        """Without the zeros of UTF-16."""
        return self.text.replace(b"\0", b"")

    @cached_property
    def columns(self) -> frozenset[str]:
        """The names in the first line, by their letters."""
        first = self.text[:_LONGEST_HEADER].partition(b"\n")[0]
        return frozenset(
            letters(n.decode("utf-8", "replace")) for n in re.split(rb"[,\t;|]", first)
        )


def letters(name: str) -> str:
    """A name by its letters: 'seg_id', 'Seg-ID' and 'segId' are one.

    >>> letters("Seg-ID")
    'segid'
    """
    return re.sub(r"[^a-z]", "", name.lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class Sniff:
    """One way to know a file: every field that is given must hold."""

    #: the first sign after a byte-order mark and blanks is one of these
    start: bytes = b""
    #: what stands at the very beginning, after a byte-order mark: a pattern, or one of these
    begins: Mark | tuple[bytes, ...] | None = None
    #: all of these are there, one of those, none of these
    every: tuple[Mark, ...] = ()
    some: tuple[Mark, ...] = ()
    none: tuple[Mark, ...] = ()
    #: columns that the first line names, by their letters
    columns: tuple[str, ...] = ()
    #: every line is so, blank ones apart, and the last of several, which may be cut
    rows: Regex | None = None
    #: the name ends so, in lower case
    endings: tuple[str, ...] = ()
    #: bytes that are looked at; all of the head when None
    within: int | None = None
    #: zeros are left out before it is looked at
    utf16: bool = False
    #: there is nothing but blanks
    empty: bool = False

    @property
    def is_of_name(self) -> bool:
        """Whether the name alone decides."""
        return self == Sniff(endings=self.endings)

    def holds(self, head: Head) -> bool:
        """Whether this file is known so."""
        if self.endings and not head.name.endswith(self.endings):
            return False
        if self.start and (not head.start or head.start not in self.start):
            return False
        text = (head.narrow if self.utf16 else head.text)[: self.within]
        return (
            (self.begins is None or _begins(self.begins, text))
            and (not self.empty or not text.strip())
            and (self.rows is None or _are_rows(self.rows, text))
            and all(_there(mark, text) for mark in self.every)
            and (not self.some or any(_there(mark, text) for mark in self.some))
            and not any(_there(mark, text) for mark in self.none)
            and (not self.columns or {letters(name) for name in self.columns} <= head.columns)
        )


def _begins(mark: Mark | tuple[bytes, ...], text: bytes) -> bool:
    return (
        re.match(mark.pattern, text) is not None
        if isinstance(mark, Regex)
        else text.startswith(mark)
    )


def _are_rows(mark: Regex, text: bytes) -> bool:
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")[:_ROWS] if line.strip()]
    return bool(lines) and all(re.fullmatch(mark.pattern, line) for line in lines[:-1] or lines)


def _there(mark: Mark, text: bytes) -> bool:
    return re.search(mark.pattern, text) is not None if isinstance(mark, Regex) else mark in text


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

    def known_by(self, head: Head) -> bool:
        """Whether one of the ways to know a file holds."""
        return any(way.holds(head) for way in self.sniff)

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
    3. Put a small file of its real layout into `tests/samples`, and its line into
       `tests/formats/test_samples.py`.
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
    #: the same into the records that the data were read from, with all else that stands there
    write_back: Callable[[Annotations, Path, Origin], Sequence[str]] | None = None

    @property
    def writes(self) -> bool:
        """Whether it can be written."""
        return self.write is not None or self.write_back is not None

    def recognises(self, path: Path, head: bytes) -> bool:
        """Whether a file is of this format, by its path and first bytes."""
        seen = Head(path.name, head)
        return self.known_by(seen) and (self.test is None or self.test(path, seen.text))

    def among(self, tree: Tree, size: int = 1 << 18) -> list[Entry]:
        """The files of this format, by their first bytes."""
        return [e for e in tree if self.recognises(Path(e.name), e.head(size))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What data were read from, for a writer that puts answers back where they belong."""

    #: the files, where they are there and of the format that is written
    entries: Sequence[Entry] = ()
    #: the layers or questions that were read of several; empty where there was one
    layers: frozenset[str] = frozenset()
    #: the annotator who is the reference, and no person of the platform
    reference: str | None = None


#: anything `accord.read` takes: a path or a dataframe
Source = Any
