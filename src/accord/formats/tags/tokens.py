"""Sentences and tokens of a text, cut so that every unit begins and ends with a token.

What formats of tokens share when they are written: lines are sentences and words tokens, and words are
cut where units start and end.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from accord.errors import InputError

Span = tuple[int, int]
_WORD = re.compile(r"\S+")


def cut(text: str, units: Sequence[Span]) -> list[tuple[Span, list[Span]]]:
    """Sentences with their tokens.

    >>> cut("one two", [(2, 4)])
    [((0, 7), [(0, 2), (2, 4), (4, 7)])]
    """
    starts, ends = {start for start, _ in units}, {end for _, end in units}
    edges = sorted(starts | ends)
    return [
        (line, list(_tokens(text, line, edges, starts, ends))) for line in _sentences(text, units)
    ]


def covered(tokens: Sequence[tuple[int, int, *tuple[Any, ...]]], start: int, end: int) -> range:
    """The numbers of the tokens that a unit covers."""
    return range(
        bisect_right(tokens, start, key=lambda t: t[1]),
        bisect_left(tokens, end, key=lambda t: t[0]),
    )


def _sentences(text: str, units: Sequence[Span]) -> list[Span]:
    """Lines as sentences, without blanks around them; a line end inside a unit ends nothing.

    >>> _sentences("one two \\n three\\nfour", [(8, 11)])
    [(0, 15), (16, 20)]
    """
    breaks = [m.start() for m in re.finditer("\n", text)]
    inside: set[int] = set()
    for start, end in units:
        inside.update(breaks[bisect_left(breaks, start) : bisect_left(breaks, end)])
    ordered = sorted(units)
    found: list[Span] = []
    begin = next_unit = 0
    for stop in [*(b for b in breaks if b not in inside), len(text)]:
        piece = text[begin:stop]
        left, right = begin + len(piece) - len(piece.lstrip()), begin + len(piece.rstrip())
        if not piece.strip():
            left = right = stop
        while next_unit < len(ordered) and ordered[next_unit][0] < stop:
            left = min(left, ordered[next_unit][0])
            right = max(right, ordered[next_unit][1])
            next_unit += 1
        if left < right:
            found.append((left, right))
        begin = stop + 1
    return found


def _tokens(
    text: str, sentence: Span, edges: Sequence[int], starts: set[int], ends: set[int]
) -> Iterator[Span]:
    """Words, cut where units start and end; blanks at a unit's own edge belong to its token."""
    begin, end = sentence
    inside = edges[bisect_right(edges, begin) : bisect_left(edges, end)]
    for left, right in pairwise([begin, *inside, end]):
        words = [m.span() for m in _WORD.finditer(text, left, right)]
        if not words:
            words = [(left, right)] if left in starts or right in ends else []
        elif left in starts:
            words[0] = (left, words[0][1])
        if words and right in ends:
            words[-1] = (words[-1][0], right)
        yield from words


def placed(
    words: Sequence[str], text: str | None, path: str, line: int | None = None
) -> tuple[str, list[tuple[int, int]]]:
    """The text and the place of every word in it; without a text, words are joined by blanks.

    >>> placed(["New", "York", "."], "in New York.", "f")
    ('in New York.', [(3, 6), (7, 11), (11, 12)])
    >>> placed(["New", "York"], None, "f")
    ('New York', [(0, 3), (4, 8)])
    """
    places: list[tuple[int, int]] = []
    if text is None:
        offset = 0
        for word in words:
            places.append((offset, offset + len(word)))
            offset += len(word) + 1
        return " ".join(words), places
    place = 0
    for word in words:
        found = text.find(word, place)
        if found < 0:
            raise InputError(
                f"the token {word[:30]!r} is not where the text goes on",
                path=path,
                line=line,
                hint="export the document again",
            )
        place = found + len(word)
        places.append((found, place))
    return text, places
