"""A cell of a table on a terminal: numbers, names, intervals, the axis from 0 to 1."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from rich.markup import escape
from rich.text import Text

from accord.language import figures, spoken
from accord.report.name import LEAST_WORD, Name, Prose
from accord.result import Result

#: cells of the axis 0…1, at least and at most
_BAR = (8, 14)
#: columns that hold names of things
_NAMES = {
    "category",
    "annotator",
    "document",
    "item",
    "first",
    "second",
    "label",
    "system",
    "a",
    "b",
}


#: columns that hold words of ours
_WORDS = {"error"}


def cell(value: Any, column: str = "", among: Sequence[Any] = ()) -> str | Name | Prose:
    """A value as a cell: a name may be cut, so that it differs from those `among` which it stands."""
    if isinstance(value, str) and column in _WORDS:
        return escape(spoken(value))
    if isinstance(value, str) and (column in _NAMES or " " not in value):
        return Name(value, among=[v for v in among if isinstance(v, str)])
    if isinstance(value, (str, Mapping, list, tuple)):
        text = _plain(value)
        if any(len(word) > LEAST_WORD for word in text.split()):
            return Prose(text, among=[_plain(v) for v in among])
    return written(value)


def _plain(value: Any) -> str:
    return Text.from_markup(written(value)).plain


def probability(p: float | None) -> str:
    return "" if p is None else figures("<.001" if p < 0.001 else f"{p:.3f}")


def written(value: Any) -> str:
    if isinstance(value, bool):
        return spoken("yes" if value else "no")
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Mapping):
        return escape(", ".join(f"{k}: {written(v)}" for k, v in value.items()))
    if isinstance(value, (list, tuple)):
        return escape(", ".join(written(v) for v in value))
    return "" if value is None else escape(str(value))


def share(result: Result, value: float | None) -> str:
    """Observed or expected agreement; D marks the measures that count disagreement."""
    return f"D {number(value)}" if value is not None and "D_o" in result.terms else number(value)


def number(value: float | None) -> str:
    if value is None:
        return ""
    if math.isnan(value):
        return "—"
    # a value that rounds to nothing has no sign
    return figures(f"{value:z.4f}" if abs(value) < 1000 else f"{value:,.1f}")


def interval(result: Result) -> str:
    if result.interval is None:
        return ""
    i = result.interval
    return escape(figures(f"[{i.low:.3f}, {i.high:.3f}]"))


def bar_width(room: int) -> int:
    """Steps of the axis where so many cells are left beside the other columns; 0: it stays out."""
    steps = room - 3  # two cells before it, and both ends have one
    return 0 if steps < _BAR[0] else min(steps, _BAR[1])


def bar(result: Result, width: int) -> Text:
    """The value on the axis 0…1, its interval as a thin line."""
    if not -1 <= result.value <= 1:
        return Text("")

    def place(x: float) -> int:
        return round(max(0.0, min(1.0, x)) * width)

    low = high = place(result.value)
    if result.interval is not None:
        low, high = place(result.interval.low), place(result.interval.high)
    cells = ["─" if low <= i <= high else "·" for i in range(width + 1)]
    cells[place(result.value)] = "●"
    bar = Text("".join(cells), style="dim")
    bar.stylize("bold cyan", place(result.value), place(result.value) + 1)
    return bar
