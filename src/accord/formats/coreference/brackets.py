"""Mentions written as brackets on tokens: ``(1``, ``1)``, ``(2)``, as CoNLL-2012 and CorefUD do."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from accord.errors import InputError
from accord.files.text import read_bytes

#: one bracket: opening (closed at once or not) or closing
_BRACKET = re.compile(r"\((?P<opened>[^()|]+)(?P<at_once>\))?|(?P<closed>[^()|]+)\)")


@dataclass(slots=True)
class OpenMentions:
    """Brackets still open in a document, and the mentions completed so far."""

    path: Path
    document: str
    #: (entity, attributes, first token, last token) in the order the mentions end
    found: list[tuple[str, str, int, int]] = field(default_factory=list)
    #: where each entity is first opened: on one token, mentions of one token come first
    opened: dict[str, tuple[int, bool, int]] = field(default_factory=dict)
    _open: dict[str, list[tuple[int, str, int]]] = field(default_factory=dict)

    def read(self, cell: str, token: int, line: int, *, separator: str | None = None) -> None:
        """Read the brackets of one token; what follows `separator` in a name are attributes."""
        end = 0
        for match in _BRACKET.finditer(cell):
            if cell[end : match.start()].strip("|"):
                break
            end = match.end()
            if match["closed"] is not None:
                self._close(_name(match["closed"], separator)[0], token, line)
                continue
            name, attributes = _name(match["opened"], separator)
            place = (token, not match["at_once"], len(self.opened))
            self.opened[name] = min(self.opened.get(name, place), place)
            if match["at_once"]:
                self.found.append((name, attributes, token, token))
            else:
                self._open.setdefault(name, []).append((token, attributes, line))
        if cell[end:].strip("|"):
            raise InputError(
                f"cannot read the coreference brackets {cell!r}",
                path=self.path,
                line=line,
                hint="they look like (1, 1) or (1)",
            )

    def finish(self) -> None:
        """The document ends here: every bracket must be closed."""
        for name, opened in self._open.items():
            if opened:
                raise InputError(
                    f"the mention of entity {name!r} opened here is never closed "
                    f"in document {self.document!r}",
                    path=self.path,
                    line=opened[0][2],
                    hint=f"close it with {name})",
                )

    def _close(self, name: str, token: int, line: int) -> None:
        opened = self._open.get(name)
        if not opened:
            raise InputError(
                f"{name}) closes a mention of entity {name!r} that was never opened "
                f"in document {self.document!r}",
                path=self.path,
                line=line,
                hint=f"open it with ({name}",
            )
        start, attributes, _ = opened.pop()
        self.found.append((name, attributes, start, token))


def _name(text: str, separator: str | None) -> tuple[str, str]:
    if separator is None:
        return text, ""
    name, _, attributes = text.partition(separator)
    return name, attributes


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines of a text file, gzipped or not."""
    raw = read_bytes(path)
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error):
            raise InputError(
                "is a damaged gzip file", path=path, hint="compress or copy it again"
            ) from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise InputError(
            "is not UTF-8 text",
            path=path,
            line=raw.count(b"\n", 0, problem.start) + 1,
            hint="save it as UTF-8",
        ) from None
    for number, line in enumerate(text.split("\n"), 1):
        yield number, line.rstrip("\r")


def opened_head(head: bytes) -> str:
    """The first bytes of a file as text, gzipped or not."""
    if head[:2] == b"\x1f\x8b":
        try:
            head = zlib.decompressobj(31).decompress(head, 65_536)
        except zlib.error:
            return ""
    return head.decode("utf-8-sig", errors="replace")


def bare_name(path: Path) -> str:
    """The name of a file without its endings.

    >>> bare_name(Path("out/lee.conll.gz"))
    'lee'
    """
    name = path.name.removesuffix(".gz")
    stem = Path(name).stem
    return stem or name
