"""Examples of units and boxes behind the cells of a matrix: unitary alignments, in their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from numpy.typing import NDArray

from accord.alignment.alignment import Alignment
from accord.data import Boxes, Units
from accord.report.sections.examples import Behind
from accord.report.svg import escaped, shortened

#: what an annotator marked where others marked something, in a matrix
NOTHING = "(nothing)"
NO_LABEL = "(no label)"
#: characters of the text before and after the units
_AROUND = 60
#: people of one alignment who are told, those who marked something first
MOST_PEOPLE = 12

_WHAT = ("alignment", "alignments")


@dataclass(frozen=True, slots=True)
class _Case:
    """One unitary alignment: the row of each annotator's unit, −1 for none."""

    alignment: Alignment
    members: NDArray[Any]
    disorder: float


def confused_units(data: Units | Boxes, alignments: Sequence[Alignment]) -> Behind:
    """For each two labels (or nothing), the unitary alignments in which two annotators gave them."""
    found: dict[tuple[str, str], list[_Case]] = {}
    order = {name: k for k, name in enumerate((*data.categories, NO_LABEL, NOTHING))}
    for case in _ranked(alignments):
        given = sorted({_label(data, m) for m in case.members.tolist()}, key=order.__getitem__)
        for pair in combinations(given, 2):
            found.setdefault(pair, []).append(case)
    return Behind(found, _in_context(data), _WHAT)


def divided_units(
    data: Units | Boxes, alignments: Sequence[Alignment], who: Sequence[str]
) -> Behind:
    """For each two annotators, the unitary alignments in which they differ, the worst first."""
    found: dict[tuple[str, str], list[_Case]] = {}
    for case in _ranked(alignments):
        there = [
            (name, m)
            for name, m in zip(case.alignment.annotators, case.members.tolist(), strict=True)
            if name in who
        ]
        for (a, x), (b, y) in combinations(there, 2):
            if (x >= 0 or y >= 0) and (min(x, y) < 0 or _marked(data, x) != _marked(data, y)):
                found.setdefault((a, b), []).append(case)
    return Behind(found, _in_context(data), _WHAT)


def _ranked(alignments: Sequence[Alignment]) -> list[_Case]:
    cases = [_Case(a, members, float(disorder)) for a in alignments for members, disorder in a]
    return sorted(cases, key=lambda case: -case.disorder)


def _label(data: Units | Boxes, row: int) -> str:
    if row < 0:
        return NOTHING
    return data.categories[data.label[row]] if data.label[row] >= 0 else NO_LABEL


def _marked(data: Units | Boxes, row: int) -> tuple[float | str, ...]:
    if isinstance(data, Boxes):
        place = (data.x0[row], data.y0[row], data.x1[row], data.y1[row])
        return (*map(float, place), _label(data, row))
    return (float(data.start[row]), float(data.end[row]), _label(data, row))


def _in_context(data: Units | Boxes) -> Callable[[_Case], str]:
    def line(case: _Case) -> str:
        rows = [m for m in case.members.tolist() if m >= 0]
        name = case.alignment.document
        people = list(zip(case.alignment.annotators, case.members.tolist(), strict=True))
        if len(people) > MOST_PEOPLE:
            # of a crowd, those who marked something
            people.sort(key=lambda one: one[1] < 0)
        said = ", ".join(
            f"{escaped(who)} <b>{escaped(_label(data, m).strip('()'))}</b>{_place(data, m)}"
            for who, m in people[:MOST_PEOPLE]
        )
        more = len(people) - MOST_PEOPLE
        rest = f" <span>and {more} more</span>" if more > 0 else ""
        return f"<code>{escaped(name)}</code>{_text(data, name, rows)}<br>{said}{rest}"

    return line


def _place(data: Units | Boxes, row: int) -> str:
    if row < 0:
        return ""
    *place, _ = _marked(data, row)
    if isinstance(data, Boxes):
        x0, y0, x1, y1 = place
        return f" ({x0:g}, {y0:g})–({x1:g}, {y1:g})"
    return f" {place[0]:g}–{place[1]:g}"


def _text(data: Units | Boxes, document: str, rows: Sequence[int]) -> str:
    """The words of the units with those around them."""
    if not isinstance(data, Units) or data.texts is None:
        return ""
    text = data.texts[data.documents.index(document)]
    if text is None:
        return ""
    low = int(min(data.start[row] for row in rows))
    high = int(max(data.end[row] for row in rows))
    before, after = text[max(0, low - _AROUND) : low], text[high : high + _AROUND]
    words = escaped(shortened(text[low:high], 240))
    return (
        f' <q translate="no">{"…" * (low > _AROUND)}{escaped(before)}<mark>{words}</mark>'
        f"{escaped(after)}{'…' * (high + _AROUND < len(text))}</q>"
    )
