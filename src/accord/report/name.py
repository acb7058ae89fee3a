"""Long names in a table: cut in the middle, so that their heads and tails still tell them apart."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

#: a name is never cut shorter than this
LEAST = 10


class Name:
    """A name as a cell: whole where there is room, else its head and its tail."""

    def __init__(self, text: str, style: str = "") -> None:
        self.text, self.style = text, style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(
            cut(self.text, options.max_width), style=self.style, no_wrap=True, overflow="crop"
        )

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        whole = Text(self.text).cell_len
        return Measurement(min(whole, LEAST), whole)


def cut(text: str, room: int) -> str:
    """At most `room` cells of a name: its head, an ellipsis, its tail.

    >>> cut("corpus/part-one/document-17.xml", 15), cut("short", 15)
    ('corpus/…-17.xml', 'short')
    """
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
