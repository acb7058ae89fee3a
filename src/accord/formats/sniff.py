"""How a file is known: by what it begins with, what it holds and how it is called; data, not code.

A format lists the ways to know its files (:class:`Sniff`). They are written into ``index.json``, so that
a file is recognised without loading any format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

_MARK = b"\xef\xbb\xbf"
#: bytes of a first line that may name columns
_LONGEST_HEADER = 1 << 14


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
        return self.text.lstrip(b"\xef\xbb\xbf \t\r\n")[:1]

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


def _there(mark: Mark, text: bytes) -> bool:
    return re.search(mark.pattern, text) is not None if isinstance(mark, Regex) else mark in text
