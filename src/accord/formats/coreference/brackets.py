"""Mentions written as brackets on tokens: ``(1``, ``1)``, ``(2)``, as CoNLL-2012 and CorefUD do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from accord.files.archive import Entry
from accord.files.text import decode

#: one bracket: opening (closed at once or not) or closing
_BRACKET = re.compile(r"\((?P<opened>[^()|]+)(?P<at_once>\))?|(?P<closed>[^()|]+)\)")


@dataclass(slots=True)
class OpenMentions:
    """Brackets still open in a document, and the mentions completed so far."""

    file: Entry
    document: str
    #: (entity, attributes, first token, last token) in the order the mentions end
    found: list[tuple[str, str, int, int]] = field(default_factory=list)
    #: where each entity is first opened: on one token, mentions of one token come first
    opened: dict[str, tuple[int, bool, int]] = field(default_factory=dict)
    _open: dict[str, list[tuple[int, str, int]]] = field(default_factory=dict)

    def read(self, cell: str, token: int, line: int, *, separator: str = "\0") -> None:
        """Read the brackets of one token; what follows `separator` in a name are attributes."""
        end = 0
        for match in _BRACKET.finditer(cell):
            if cell[end : match.start()].strip("|"):
                break
            end = match.end()
            if match["closed"] is not None:
                self._close(match["closed"].partition(separator)[0], token, line)
                continue
            name, _, attributes = match["opened"].partition(separator)
            place = (token, not match["at_once"], len(self.opened))
            self.opened[name] = min(self.opened.get(name, place), place)
            if match["at_once"]:
                self.found.append((name, attributes, token, token))
            else:
                self._open.setdefault(name, []).append((token, attributes, line))
        if cell[end:].strip("|"):
            raise self.file.wrong(
                f"cannot read the coreference brackets {cell!r}",
                line,
                hint="they look like (1, 1) or (1)",
            )

    def finish(self) -> None:
        """The document ends here: every bracket must be closed."""
        for name, opened in self._open.items():
            if opened:
                raise self.file.wrong(
                    f"the mention of entity {name!r} opened here is never closed "
                    f"in document {self.document!r}",
                    opened[0][2],
                    hint=f"close it with {name})",
                )

    def _close(self, name: str, token: int, line: int) -> None:
        opened = self._open.get(name)
        if not opened:
            raise self.file.wrong(
                f"{name}) closes a mention of entity {name!r} that was never opened "
                f"in document {self.document!r}",
                line,
                hint=f"open it with ({name}",
            )
        start, attributes, _ = opened.pop()
        self.found.append((name, attributes, start, token))


def text_lines(file: Entry) -> Iterator[tuple[int, str]]:
    """Numbered lines of a text file."""
    for number, line in enumerate(decode(file.read(), file.path).split("\n"), 1):
        yield number, line.rstrip("\r")


def bare_name(name: str) -> str:
    """The name of a file without its endings.

    >>> bare_name("out/lee.conll.gz")
    'lee'
    """
    return Path(Path(name).name.removesuffix(".gz")).stem
