"""Words and the text they are words of: where each stands, or a text made of them."""

from __future__ import annotations

from collections.abc import Sequence

from accord.errors import InputError


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
