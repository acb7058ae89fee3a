"""Text and the offsets into it: bytes to characters, UTF-16 and graphemes to code points.

Inside accord an offset counts code points. Platforms count other things: Java and JavaScript count
UTF-16 code units (an emoji is two), some count graphemes (a flag of two code points is one), and
files come with a byte-order mark or with line ends of two characters that the platform did or did
not count. Where an export repeats the text that each unit covers, :func:`settle` checks the offsets
against it, and takes another reading only when that one explains every covered text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import InputError, missing_dependency

Counting = Literal["code-points", "utf-16", "graphemes"]

#: how many mismatches are spelt out before they are only counted
_SHOWN = 3


class Span(NamedTuple):
    """Offsets as a file gives them, the text it says they cover, and where it says so."""

    start: int
    end: int
    covered: str | None = None
    name: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """The text the offsets count in, the offsets in code points, and what had to be said."""

    text: str
    starts: list[int]
    ends: list[int]
    notes: tuple[str, ...] = ()


def to_code_points(text: str, offsets: Sequence[int], counting: Counting) -> list[int]:
    """Offsets counted in `counting` as offsets in code points; -1 for one that cuts a character.

    Offsets past the end stay past the end by as much.

    >>> to_code_points("🥳 hi", [0, 1, 2, 3], "utf-16")
    [0, -1, 1, 2]
    >>> to_code_points("e\\u0301🇫🇷!", [1, 2, 3], "graphemes")
    [2, 4, 5]
    """
    edges = _edges(text, counting)
    if edges is None:
        return list(offsets)
    points, counted = edges
    wanted = np.asarray(offsets, dtype=np.int64)
    place = np.minimum(np.searchsorted(counted, wanted), len(counted) - 1)
    past = wanted - counted[-1]
    found = np.where(counted[place] == wanted, points[place], -1)
    result: list[int] = np.where(past > 0, len(text) + past, found).tolist()
    return result


def from_code_points(text: str, offsets: Sequence[int], counting: Counting) -> list[int]:
    """Offsets in code points as a platform counts them.

    >>> from_code_points("🥳 hi", [0, 1, 2], "utf-16")
    [0, 2, 3]
    """
    edges = _edges(text, counting)
    if edges is None:
        return list(offsets)
    points, counted = edges
    result: list[int] = counted[np.searchsorted(points, offsets)].tolist()
    return result


def settle(
    text: str,
    spans: Sequence[Span],
    *,
    path: str,
    counting: Counting = "code-points",
    forced: Counting | None = None,
) -> Settled:
    """Turn a file's offsets into code points and check them against the covered text.

    `counting` is what the format is documented to count, `forced` what the person says it counts.
    When covered texts do not match, the other readings (UTF-16, code points, without the byte-order
    mark, line ends as one character) are tried; one that explains *every* covered text is taken,
    with a note. Otherwise each mismatch is reported and the offsets are kept.

    >>> s = settle("🥳 hi", [Span(3, 5, "hi")], path="f")
    >>> s.starts, s.ends, s.notes
    ([2], [4], ('f: offsets count UTF-16 code units, as the covered text shows; converted',))
    """
    first = _read(text, spans, forced or counting)
    wrong = _mismatches(first, spans)
    if wrong and forced is None and any(span.covered for span in spans):
        for other, way, sentence in _alternatives(text, counting):
            trial = _read(other, spans, way)
            if not _mismatches(trial, spans):
                return Settled(trial.text, trial.starts, trial.ends, (f"{path}: {sentence}",))
    _refuse_outside(first, spans, path)
    return Settled(first.text, first.starts, first.ends, _reported(first, spans, wrong, path))


def same_text(expected: str, found: str) -> bool:
    """Equal, or equal once all white space is one blank (several platforms rewrite line ends)."""
    return expected == found or expected.split() == found.split()


def _read(text: str, spans: Sequence[Span], counting: Counting) -> Settled:
    starts = to_code_points(text, [s.start for s in spans], counting)
    ends = to_code_points(text, [s.end for s in spans], counting)
    return Settled(text, starts, ends)


def _mismatches(read: Settled, spans: Sequence[Span]) -> list[int]:
    text, length = read.text, len(read.text)
    wrong = []
    for i, (start, end, span) in enumerate(zip(read.starts, read.ends, spans, strict=True)):
        if start < 0 or end > length or end < start:
            wrong.append(i)
        elif span.covered is not None:
            found = text[start:end]
            if found != span.covered and not same_text(span.covered, found):
                wrong.append(i)
    return wrong


def _alternatives(text: str, counting: Counting) -> list[tuple[str, Counting, str]]:
    found: list[tuple[str, Counting, str]] = []
    if _astral(text) and counting != "utf-16":
        said = "offsets count UTF-16 code units, as the covered text shows; converted"
        found.append((text, "utf-16", said))
    elif _astral(text):
        found.append((text, "code-points", "offsets count code points, as the covered text shows"))
    bare = text.removeprefix("\ufeff")
    if bare != text:
        found.append((bare, counting, "offsets do not count the byte-order mark; it was left out"))
    if "\r\n" in text:
        said = "offsets count a line end (CR LF) as one character; the text was changed to LF"
        found.append((text.replace("\r\n", "\n"), counting, said))
        if bare != text:
            both = bare.replace("\r\n", "\n")
            found.append((both, counting, said + ", and the byte-order mark was left out"))
    return found


def _refuse_outside(read: Settled, spans: Sequence[Span], path: str) -> None:
    for start, end, span in zip(read.starts, read.ends, spans, strict=True):
        if start < 0 or end < 0:
            what = (
                "starts before the text"
                if span.start < 0 or span.end < 0
                else "cuts a character in two"
            )
        elif end > len(read.text):
            what = f"ends past the end of the text, which has {len(read.text)} characters"
        elif end < start:
            what = "ends before it starts"
        else:
            continue
        raise InputError(
            f"unit {span.name or '(unnamed)'} [{span.start}, {span.end}) {what}",
            path=path,
            line=span.line,
            hint="check that the text is the one that was annotated",
        )


def _reported(
    read: Settled, spans: Sequence[Span], wrong: Sequence[int], path: str
) -> tuple[str, ...]:
    notes = []
    for i in wrong[:_SHOWN]:
        span = spans[i]
        where = path if span.line is None else f"{path}:{span.line}"
        found = _brief(read.text[read.starts[i] : read.ends[i]])
        notes.append(
            f"{where}: unit {span.name or '(unnamed)'} [{span.start}, {span.end}) should cover "
            f"{_brief(span.covered or '')!r} but the text has {found!r} there; kept as it is"
        )
    if len(wrong) > _SHOWN:
        notes.append(f"{path}: {len(wrong) - _SHOWN} more units do not match their covered text")
    return tuple(notes)


def _brief(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _astral(text: str) -> bool:
    return not text.isascii() and max(text) > "\uffff"


def _edges(text: str, counting: Counting) -> tuple[NDArray[np.int64], NDArray[np.int64]] | None:
    """Where each character starts and the text ends, in code points and as counted; None when equal."""
    if counting == "graphemes":
        starts = _grapheme_edges(text)
        return starts, np.arange(len(starts))
    if counting == "code-points" or not _astral(text):
        return None
    units = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4") > 0xFFFF
    return np.arange(len(units) + 1), np.concatenate([[0], np.cumsum(1 + units)])


def _grapheme_edges(text: str) -> NDArray[np.int64]:
    """Where each grapheme starts, in code points, and where the text ends."""
    try:
        import regex
    except ImportError:
        raise missing_dependency("regex", "graphemes", "counting offsets in graphemes") from None
    edges = [m.start() for m in regex.finditer(r"\X", text)]
    return np.array([*edges, len(text)], dtype=np.int64)
