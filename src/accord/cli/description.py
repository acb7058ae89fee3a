"""What a docstring says, for a terminal: paragraphs, and lines that stand as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent

from accord.cli.plain_formula import plain_formula

_MATH = ".. math::"
_ROLES = (
    (re.compile(r":math:`([^`]*)`"), lambda m: " ".join(plain_formula(m[1]))),
    # (a function by its own name)
    (re.compile(r":\w+:`~?(?:[\w.]*\.)?(\w+)`"), lambda m: m[1]),
    (re.compile(r"``([^`]+)``|`([^`]+)`"), lambda m: m[1] or m[2]),
    (re.compile(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])"), lambda m: m[1]),
)


def described(docstring: str) -> Iterator[tuple[str, bool]]:
    r"""Paragraphs and formulas in turn, each with whether its lines stand as they are.

    Parameters are left out: they are told as options.

    >>> told = "By *pairs*.\n\n.. math:: A = \\frac12\n\nover ``n``\nitems::\n\n    x = 1\n\n>>> 1\n1"
    >>> list(described(told))
    [('By pairs.', False), ('A = 1/2', True), ('over n items:', False), ('x = 1', True), ('>>> 1\n1', True)]
    """
    for block in re.split(r"\n\s*\n", docstring.strip()):
        if block.startswith(_MATH):
            yield "\n".join(plain_formula(block.removeprefix(_MATH))), True
        elif block.startswith("Parameters\n---"):
            continue
        elif block.startswith((" ", ">>>")):
            yield dedent(block), True
        elif text := _plain(" ".join(block.split())):
            yield text, False


def _plain(text: str) -> str:
    """A paragraph without marks of reStructuredText."""
    for mark, shown in _ROLES:
        text = mark.sub(shown, text)
    return "" if text == "::" else re.sub(r"::$", ":", text)
