"""A long name cut to the room there is: in the middle, or down to what tells it from others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile


def cut(text: str, room: int, among: Sequence[str] = ()) -> str:
    """At most `room` cells of a name: its head, an ellipsis, its tail.

    Names that would look alike in this way lose what they have in common instead.

    >>> cut("corpus/part-one/document-17.xml", 15), cut("short", 15)
    ('corpus/…-17.xml', 'short')
    >>> names = ["annotator-1@example.org", "annotator-2@example.org"]
    >>> [cut(name, 12, names) for name in names]
    ['…ator-1@exa…', '…ator-2@exa…']
    """
    from rich.cells import cell_len

    if cell_len(text) <= room:
        return text
    short = _ends(text, room)
    alike = {other for other in among if other != text and _ends(other, room) == short}
    return _middle(text, room, [text, *alike]) if alike else short


def _middle(text: str, room: int, alike: Sequence[str]) -> str:
    """What differs from the names that look alike, with as much around it as there is room for."""
    from rich.cells import cell_len

    start = _common(alike)
    rest = [name[start:] for name in alike]
    end = _common([name[::-1] for name in rest])
    inner = rest[0][: len(rest[0]) - end]
    free = room - 2 - cell_len(inner)
    if free < 0 or cell_len(text) != len(text):
        return f"…{_ends(inner, max(room - 2, 1))}…"
    left = min(start, (free + 1) // 2)
    right = min(end, free - left)
    shown = text[start - left : start + len(inner) + right]
    return f"…{shown}…" if right < end else f"…{shown}"


def _common(names: Sequence[str]) -> int:
    """Characters with which all of them begin."""
    return sum(1 for _ in takewhile(lambda found: len(set(found)) == 1, zip(*names, strict=False)))


def _ends(text: str, room: int) -> str:
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= room:
        return text
    head = max(1, (room - 1) // 2)
    tail, size = "", 0
    for character in reversed(text):
        size += cell_len(character)
        if size > room - 1 - head:
            break
        tail = character + tail
    return f"{set_cell_size(text, head)}…{tail}"
