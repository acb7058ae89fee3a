"""What reaches the terminal: text, colours of ours, and no command hidden in a label.

An encoding that lacks a character (a Windows redirect, LANG=C) gets it in ASCII: α is alpha, ─ is -.
"""

from __future__ import annotations

import codecs
import os
import re
import unicodedata
from typing import Any, TextIO

#: control characters, but line ends, tabs and the colours and links that rich writes
_COLOURS = r"\x1b\[[0-9;]*m|\x1b\]8;[^\x07\x1b]*\x1b\\\\"
_CONTROLS = re.compile(rf"({_COLOURS})|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")
_PLAIN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)")


class Terminal:
    """A stream that shows control characters of the data as pictures (␛) instead of obeying them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_READABLE)

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


#: the name of :func:`_replaced` among Python's ways with what an encoding lacks
_READABLE = "accord-readable"
_ASCII = {
    **dict.fromkeys("−–—‐‑", "-"),
    **dict.fromkeys("“”«»„″", '"'),
    **dict.fromkeys("‘’′", "'"),
    **dict.fromkeys("●•✓", "*"),
    **{"→": "->", "←": "<-", "⇥": "->", "≥": ">=", "≤": "<=", "≠": "!=", "≈": "~", "±": "+/-"},
    **{"×": "x", "√": "sqrt", "∞": "inf", "∩": "&", "∪": "|", "‖": "||", "⁄": "/", "·": "."},
    **{"œ": "oe", "§": "par. ", "⚠": "!"},
}


def writable(text: str, stream: TextIO) -> str:
    """The text as this stream can write it, for who writes past the stream."""
    encoding = stream.encoding or "utf-8"
    return text.encode(encoding, errors=_READABLE).decode(encoding)


def in_ascii(character: str) -> str:
    """A character as ASCII writes it; ? for one that it cannot.

    >>> "".join(map(in_ascii, "κ ≥ ½ ² é λ Σ ─┼│ █▌ 字 " + chr(0xDCFF)))
    'kappa >= 1/2 2 e lambda Sigma -+| ## ? \\\\xff'
    """
    if character in _ASCII or character.isascii():
        return _ASCII.get(character, character)
    if "\udc80" <= character <= "\udcff":  # a byte of a file name that is no text
        return f"\\x{ord(character) - 0xDC00:02x}"
    kind, _, letter = unicodedata.name(character, "").partition(" LETTER ")
    if kind in ("GREEK SMALL", "GREEK CAPITAL"):
        name = letter.split(" ")[0].lower().replace("lamda", "lambda")
        return name.title() if kind == "GREEK CAPITAL" else name
    if kind.startswith("BOX DRAWINGS"):
        ways = {"HORIZONTAL", "VERTICAL"} & set(kind.split())
        crossed = len(ways) > 1 or {"UP", "DOWN", "AND"} & set(kind.split())
        return "+" if crossed else "-" if "HORIZONTAL" in ways else "|"
    if "BLOCK" in kind:
        return "#"
    plain = unicodedata.normalize("NFKD", character)
    if plain == character:
        return "" if unicodedata.combining(character) else "?"
    return "".join(map(in_ascii, plain))


def _replaced(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    lacking = problem.object[problem.start : problem.end]
    return "".join(map(in_ascii, lacking)), problem.end


codecs.register_error(_READABLE, _replaced)


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
