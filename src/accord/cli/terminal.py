"""What reaches the terminal: text, colours of ours, and no command hidden in a label."""

from __future__ import annotations

import os
import re
from typing import Any, TextIO

#: control characters, but line ends, tabs and the colours and links that rich writes
_COLOURS = r"\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*\x1b\\\\"
_CONTROLS = re.compile(rf"({_COLOURS})|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_PLAIN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")


class Terminal:
    """A stream that shows control characters of the data as pictures (␛) instead of obeying them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        coloured = self._stream.isatty() or bool(os.environ.get("FORCE_COLOR"))
        pattern = _CONTROLS if coloured else _PLAIN
        if pattern.search(text):
            text = pattern.sub(_picture, text)
        return self._stream.write(text)

    @property
    def obeyed(self) -> TextIO:
        """The stream itself, for what moves the cursor: a bar, whose words are :func:`harmless`."""
        return self._stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def harmless(text: str) -> str:
    """Text without any command for a terminal.

    >>> harmless("a\x1b[2Kb")
    'a␛[2Kb'
    """
    return _PLAIN.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    """A colour of ours as it is, a control character as its picture.

    >>> _picture(re.match("(x)|.", "\\x1b"))
    '␛'
    """
    if found.re.groups and found[1] is not None:
        return str(found[1])
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "\ufffd"
