"""The header: what was read, in at most five lines of plain words, above every value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

from accord.errors import in_command, in_python
from accord.language import figures, headed, speaks, spoken

if TYPE_CHECKING:
    from accord.data.reading import LeftOut, Person, Reading, Source

#: lines of a header, and people who are named
_LINES, _NAMED = 5, 8
#: labels that are named where there is room for all
_LABELS = 20
#: slips that are told; the audit has all
_SLIPS = 2
#: items and documents of one annotator that are named
_ALONE = 3
#: stands for a blank that no line ends at
_GLUE = "\0"
#: what the size counts: of one, of several
_COUNTED = {
    "items": "item",
    "documents": "document",
    "ratings": "rating",
    "units": "unit",
    "boundaries": "boundary",
    "mentions": "mention",
    "relations": "relation",
    "boxes": "shape",
    "judgements": "judgement",
}
#: scale → how labels are told, beside their names
_SCALES = {
    "names": "labels (names)",
    "ordered": "labels (ordered)",
    "sets": "labels (sets)",
    "objects": "objects",
}
#: shapes that have no labels
_WITHOUT = ("segments", "chains")
#: people who are told after the annotators
_OTHERS = (("system", "system"), ("reference", "reference"), ("set aside", "set aside"))

Spelt = Callable[[str], str]


def header(
    reading: Reading, *more: Reading, width: int | None = 80, spelt: Spelt = in_python
) -> list[str]:
    """Return the lines; `spelt` writes options, `width` None leaves lines as long as they are.

    Of several readings each has a line.

    >>> from accord.data import Ratings
    >>> data = Ratings.from_matrix([["x", "y", "x"], ["x", None, "x"]], annotators=["A", "B"])
    >>> print("\\n".join(header(data.reading)))
    2 annotators: A, B
    3 items, 5 ratings; labels (names): x, y
    left out: item 2, rated by A only
    """
    room = width or 10_000
    every = (reading, *more)
    if more:
        lines = [_cut(_brief(one), room) for one in every[: _LINES - 2]]
        if len(every) > len(lines):
            lines.append(spoken(f"and {len(every) - len(lines):,} more"))
    else:
        lines = _sources(reading.provenance.sources, room)
        lines += _people(reading.people, room)
        size, labels = _size(reading.size), _labels(reading.labels, reading.scale, room)
        if not reading.labels and reading.shape in _WITHOUT:
            labels = ""
        both = _apart([size, labels]) if labels else size
        lines += [both] if len(both) <= room else [_cut(size, room), _cut(labels, room)]
    told, short = (
        list(dict.fromkeys(t for one in every for t in _told(one, spelt, why=why)))
        for why in (True, False)
    )
    lines += _wrapped(told, short, room, _LINES - len(lines))
    return [line.replace(_GLUE, " ") for line in lines]


def under_title(*readings: Reading) -> list[str]:
    """The lines as a page has them, which wraps them itself."""
    return header(*readings, width=None, spelt=in_command)


def _wrapped(told: Sequence[str], short: Sequence[str], room: int, most: int) -> list[str]:
    """What there is to tell in so many lines, else in short; the end says when there is more."""
    lines = _filled(told, room)
    for shown in range(len(short), 0, -1):
        if len(lines) <= most:
            break
        rest = len(short) - shown
        more = [spoken(f"and {rest:,} more")] if rest else []
        lines = _filled([*short[:shown], *more], room)
    if len(lines) > most:
        lines = [*lines[: most - 1], f"{lines[most - 1][: room - 2].rstrip()} …"]
    return lines


def _filled(told: Sequence[str], room: int) -> list[str]:
    return wrap(_apart(told), room, break_on_hyphens=False, break_long_words=False)


def _brief(reading: Reading) -> str:
    """One of several readings in a line."""
    people = sum(p.role == "annotator" for p in reading.people)
    names = ", ".join(s.path for s in reading.provenance.sources)
    size = f"{_count(people, 'annotator')}, {_size(reading.size)}"
    return headed(names, size) if names else size


def _sources(sources: Sequence[Source], room: int) -> list[str]:
    """Which files, in which format."""
    if not sources:
        return []
    named = []
    for s in sources:
        role = f" ({spoken(s.role)})" if s.role else ""
        layer = f", {s.layer}" if s.layer else ""
        named.append(f"{s.path}{layer}{role}")
    formats = ", ".join(dict.fromkeys(spoken(s.format) for s in sources))
    rows = [s.rows for s in sources if s.rows is not None]
    if len(rows) == len(sources):
        formats += f", {_count(sum(rows), 'row')}"
    shown = _listed(named, room - len(formats) - 2)
    return [_cut(headed(shown, formats), room)]


def _people(people: Sequence[Person], room: int) -> list[str]:
    """Who: annotators, then systems, references, and who was set aside, each with why."""
    annotators = [p.name for p in people if p.role == "annotator"]
    others = []
    for role, word in _OTHERS:
        named = [p for p in people if p.role == role]
        why = {p.why for p in named if p.why}
        reason = f" ({spoken(why.pop())})" if len(why) == 1 else ""
        if named:
            plural = "s" if role == "system" and len(named) > 1 else ""
            names = ", ".join(_first([p.name for p in named], 3))
            others.append(headed(spoken(word + plural), names) + reason)
    tail = _apart(others)
    if not annotators:
        return [_cut(tail, room)] if tail else []
    head = _count(len(annotators), "annotator")
    left = room - len(head) - 2 - (len(tail) + 2 if tail else 0)
    line = headed(head, _listed(annotators, max(left, room // 3)))
    return [_cut(_apart([line, tail] if tail else [line]), room)]


def _apart(parts: Sequence[str]) -> str:
    """Parts with semicolons, as the language that is spoken sets them."""
    return f"{'' if speaks() == 'en' else _GLUE}; ".join(parts)


def _size(size: Mapping[str, int]) -> str:
    return ", ".join(_count(n, _COUNTED.get(name, name)) for name, n in size.items())


def _labels(labels: Sequence[str], scale: str, room: int) -> str:
    """Which values there are and how they are read."""
    if scale == "numbers":
        if not labels:
            return spoken("numbers")
        values = list(map(float, labels))
        # (what is a number here is a name among the labels of the data)
        return figures(spoken(f"numbers from {min(values):g} to {max(values):g}"))
    if scale not in _SCALES:
        return spoken({"texts": "free texts"}.get(scale, scale))
    if not labels:
        return spoken("no labels")
    head = spoken(_SCALES[scale])
    between = " < " if scale == "ordered" else ", "
    return headed(head, _listed(labels, room - len(head) - 2, between=between, most=_LABELS))


def _told(reading: Reading, spelt: Spelt, *, why: bool) -> Iterator[str]:
    """What was assumed, left out and counted as missing, each with the option that says otherwise."""
    kept = reading.provenance
    found = [f"{spoken(what)} ({_glued(spelt(mend))})" for what, mend in reading.to_check[:_SLIPS]]
    yield from _under("to check", found)
    assumed: list[str] = []
    for d in kept.decisions:
        if d.taken is not None:
            others = f" {spoken('or')} ".join(_glued(spelt(a.typed)) for a in d.others)
            otherwise = f" ({spoken(f'otherwise {others}')})" if others else ""
            assumed.append(f"{spoken(d.taken.means)}{otherwise}")
    yield from _under("assumed", assumed)
    gone = [_gone(x, spelt, why) for x in (*kept.left_out, *reading.alone[:_ALONE])]
    if len(reading.alone) > _ALONE:
        gone.append(spoken(f"and {len(reading.alone) - _ALONE:,} more"))
    yield from _under("left out", gone)
    if kept.missing:
        words = ", ".join(f"{word} ({n:,})" for word, n in kept.missing.items())
        option = _glued(spelt(f"`keep_values={','.join(kept.missing)}`"))
        yield f"{headed(spoken('counted as missing'), figures(words))} ({spoken(f'otherwise {option}')})"


def _under(head: str, told: Sequence[str]) -> Iterator[str]:
    """Several of one kind: the first stands behind what they are."""
    if told:
        yield headed(spoken(head), told[0])
        yield from told[1:]


def _gone(one: LeftOut, spelt: Spelt, why: bool) -> str:
    text = spoken(one.what) + (f", {spoken(spelt(one.why))}" if one.why and why else "")
    if one.keep is None:
        return text
    return f"{text} ({spoken(f'kept by {_glued(spelt(one.kept_by))}')})"


def _glued(option: str) -> str:
    """An option that no line end tears apart."""
    return option.replace(" ", _GLUE)


def _count(n: int, one: str) -> str:
    many = {"boundary": "boundaries"}.get(one, f"{one}s")
    return spoken(f"{n:,} {one if n == 1 else many}")


def _first(names: Sequence[str], most: int) -> list[str]:
    """The first names, and how many more there are."""
    if len(names) <= most:
        return list(names)
    return [*names[:most], spoken(f"and {len(names) - most:,} more")]


def _listed(names: Sequence[str], room: int, *, between: str = ", ", most: int = _NAMED) -> str:
    """As many names as there is room for, at least one."""
    for shown in range(min(len(names), most), 0, -1):
        more = f" {spoken(f'and {len(names) - shown:,} more')}" if shown < len(names) else ""
        text = between.join(names[:shown]) + more
        if len(text) <= room:
            break
    return text


def _cut(line: str, room: int) -> str:
    return line if len(line) <= room else f"{line[: room - 1]}…"
