"""Long names in a table: cut in the middle; where heads and tails are alike, what differs is kept."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text

from accord.report.cut import cut

#: a name is never cut shorter than this
LEAST = 10
#: and a long word of a sentence is not cut shorter than this
LEAST_WORD = 18


class Name:
    """A name as a cell: whole where there is room, else what tells it from the others of its column."""

    def __init__(self, text: str, style: str = "", among: Sequence[str] = ()) -> None:
        self.text, self.style, self.among = text, style, among

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(
            cut(self.text, options.max_width, self.among),
            style=self.style,
            no_wrap=True,
            overflow="crop",
        )

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        whole = Text(self.text).cell_len
        return Measurement(min(whole, LEAST), whole)


class Prose:
    """Words as a cell: they are wrapped, and names among them that are too long for that are cut."""

    def __init__(self, text: str, among: Sequence[str] = ()) -> None:
        self.text, self.among = text, {word: None for t in (text, *among) for word in _names(t)}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        room = min(options.max_width, max(options.max_width // 2, LEAST_WORD))
        shown = self.text
        for name in _names(self.text):
            shown = shown.replace(name, cut(name, room, list(self.among)))
        yield Text(shown, overflow="fold")

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(LEAST_WORD, max(Text(self.text).cell_len, LEAST_WORD))


def _names(text: str) -> list[str]:
    """The words of a text that are too long to be wrapped, the longest first.

    >>> _names("'http://example.org/labels#claim': Ana, Ben")
    ['http://example.org/labels#claim']
    """
    words = {word.strip("\"'“”«»()[],;:.") for word in text.split()}
    return sorted((w for w in words if len(w) > LEAST_WORD), key=lambda w: (-len(w), w))
