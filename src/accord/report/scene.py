"""One aligned document made ready to draw: rows, lanes, groups; no pixels yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.alignment import Alignment
from accord.data import Units
from accord.data.continuum import Pieces, pieces_of
from accord.data.progress import counted
from accord.data.statements import matched
from accord.data.units import Unit
from accord.errors import UsageError
from accord.report.palette import Paint, paint

#: what a second is worth on the axis
SECONDS = {"s": 1.0, "ms": 1000.0}


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What a drawing of one document needs, its units numbered from 0.

    `row` is the annotator (one row each), `lane` the place within the row that keeps overlapping
    units apart, `groups[k]` the units of unitary alignment k in row order.
    """

    document: str
    annotators: tuple[str, ...]
    start: NDArray[np.float64]
    end: NDArray[np.float64]
    label: NDArray[np.int64]
    row: NDArray[np.int64]
    lane: NDArray[np.int64]
    #: number of lanes of each row
    lanes: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    disorders: NDArray[np.float64]
    disorder: float
    gap: float
    extent: tuple[float, float]
    text: str | None
    #: how each category is painted
    looks: tuple[Paint, ...]
    #: relations between units of one annotator: (from, to, label)
    relations: tuple[tuple[int, int, str], ...] = ()
    #: what discontinuous units leave out: (unit, from, to)
    gaps: tuple[tuple[int, float, float], ...] = ()

    def look(self, unit: int) -> Paint:
        """How a unit is painted."""
        label = int(self.label[unit])
        return self.looks[label] if label >= 0 else paint(-1)

    @property
    def alone(self) -> NDArray[np.bool_]:
        """Units aligned with nothing."""
        single = np.zeros(len(self.start), dtype=bool)
        shared = np.zeros(len(self.start), dtype=bool)
        for group in self.groups:
            (single if len(group) == 1 else shared)[list(group)] = True
        return single & ~shared

    @property
    def most(self) -> float:
        """The largest disorder of a unitary alignment, the end of the colour scale."""
        return float(self.disorders.max(initial=0.0)) or 1.0


def scenes(units: Units, alignments: Sequence[Alignment]) -> Iterator[Scene]:
    """Lay out several documents."""
    number = {name: d for d, name in enumerate(units.documents)}
    painted, pieces = looks(units), pieces_of(units)
    for alignment in counted(alignments, 500):
        if alignment.document not in number:
            raise UsageError(f"the units have no document {alignment.document!r} to draw")
        yield _scene(units, alignment, number[alignment.document], painted, pieces)


def scene(units: Units, alignment: Alignment) -> Scene:
    """Lay out one document of `units` under its alignment."""
    return next(scenes(units, [alignment]))


def _scene(
    units: Units,
    alignment: Alignment,
    d: int,
    painted: tuple[Paint, ...],
    pieces: Pieces | None,
) -> Scene:
    # the units are sorted by document
    rows = np.arange(*np.searchsorted(units.document, [d, d + 1]))
    number = {name: i for i, name in enumerate(alignment.annotators)}
    names = [units.annotators[a] for a in units.annotator[rows]]
    seen = np.array([name in number for name in names], dtype=bool)
    rows = rows[seen]
    row = np.array([number[n] for n, s in zip(names, seen, strict=True) if s], dtype=np.int64)
    place = {int(r): i for i, r in enumerate(rows)}
    groups = tuple(tuple(place[int(m)] for m in members if m >= 0) for members in alignment.members)
    lane, lanes = _lanes(row, units.start[rows], units.end[rows], len(number))
    length = float(units.lengths[d])
    low = min(0.0, float(units.start[rows].min(initial=0.0)))
    text = None if units.texts is None else units.texts[d]
    reach = max(float(units.end[rows].max(initial=1.0)), len(text or ""))
    high = length if np.isfinite(length) else reach
    return Scene(
        document=alignment.document,
        annotators=alignment.annotators,
        start=units.start[rows],
        end=units.end[rows],
        label=units.label[rows].astype(np.int64),
        row=row,
        lane=lane,
        lanes=lanes,
        groups=groups,
        disorders=np.asarray(alignment.disorders, dtype=np.float64),
        disorder=alignment.disorder,
        gap=alignment.gap,
        extent=(low, max(high, low + 1e-9)),
        text=text,
        looks=painted,
        relations=tuple(_relations(units, alignment.document, rows)),
        gaps=() if pieces is None else tuple(_gaps(pieces.take(rows))),
    )


def _gaps(pieces: Pieces) -> Iterator[tuple[int, float, float]]:
    """Between two fragments of a unit."""
    for unit, (a, b) in enumerate(pairwise(pieces.offsets.tolist())):
        for k in range(a + 1, b):
            yield unit, float(pieces.end[k - 1]), float(pieces.start[k])


def _relations(
    units: Units, document: str, rows: NDArray[np.int64]
) -> Iterator[tuple[int, int, str]]:
    """Relations, and events as one relation from the trigger to each argument, by place in `rows`."""
    if not units.statements:
        return
    for a in np.unique(units.annotator[rows]).tolist():
        said = units.statements.get((document, units.annotators[a]))
        if said is None:
            continue
        mine = [i for i, r in enumerate(rows.tolist()) if units.annotator[r] == a]
        listed = [_unit(units, int(rows[i])) for i in mine]
        found, standing, _ = matched(listed, said)
        place = {one.name: i for one, i in zip(found, mine, strict=True) if one is not None}
        # an event stands where its trigger stands
        place |= {
            one.name: place[target]
            for one in standing
            if one.kind == "event"
            for role, target in one.targets
            if role == "" and target in place
        }
        for one in standing:
            if one.kind == "relation" and len(one.targets) == 2:
                ends = [place.get(name) for _, name in one.targets]
                if ends[0] is not None and ends[1] is not None:
                    yield ends[0], ends[1], one.label
            elif one.kind == "event" and one.name in place:
                for role, name in one.targets:
                    if role and name in place:
                        yield place[one.name], place[name], role


def _unit(units: Units, row: int) -> Unit:
    label = int(units.label[row])
    return Unit(
        units.documents[units.document[row]],
        units.annotators[units.annotator[row]],
        float(units.start[row]),
        float(units.end[row]),
        units.categories[label] if label >= 0 else None,
    )


def looks(units: Units) -> tuple[Paint, ...]:
    """The paint of each category: the most frequent take the plain hues, the rest the patterns."""
    counts = np.bincount(units.label[units.label >= 0], minlength=len(units.categories))
    rank = np.empty(len(counts), dtype=np.int64)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    return tuple(paint(int(r)) for r in rank)


def time_unit(units: Units, time: str | None) -> str | None:
    """ "s" or "ms" when offsets are time, as asked for or as the data say; None when they are places."""
    if time not in (None, *SECONDS):
        raise UsageError(f"time must be s or ms, got {time!r}")
    return time or {"seconds": "s", "milliseconds": "ms"}.get(units.unit or "")


def compact(drawn: Scene) -> dict[str, Any]:
    """The scene as small JSON data for the explorer; the keys are explained in explorer.js."""
    return {
        "n": drawn.document,
        "w": list(drawn.annotators),
        "s": _short(drawn.start),
        "e": _short(drawn.end),
        "l": drawn.label.tolist(),
        "r": drawn.row.tolist(),
        "z": drawn.lane.tolist(),
        "h": list(drawn.lanes),
        "k": [list(g) for g in drawn.groups],
        "d": [round(v, 4) for v in drawn.disorders.tolist()],
        # (a document without units has no disorder)
        "o": round(drawn.disorder, 4) if len(drawn.start) else None,
        "g": round(drawn.gap, 6) if len(drawn.start) else 0,
        "x": list(drawn.extent),
        **({"b": [[i, *_short(np.array(gap))] for i, *gap in drawn.gaps]} if drawn.gaps else {}),
        **({"a": [list(r) for r in drawn.relations]} if drawn.relations else {}),
        **({} if drawn.text is None else {"t": drawn.text}),
    }


def _lanes(
    row: NDArray[np.int64], start: NDArray[np.float64], end: NDArray[np.float64], rows: int
) -> tuple[NDArray[np.int64], tuple[int, ...]]:
    """First lane of its row in which each unit fits: as few lanes as the deepest overlap."""
    lane = np.zeros(len(start), dtype=np.int64)
    ends: list[list[float]] = [[] for _ in range(rows)]
    for i in np.lexsort((-end, start)):
        taken = ends[row[i]]
        free = next((z for z, e in enumerate(taken) if e <= start[i]), len(taken))
        if free == len(taken):
            taken.append(0.0)
        taken[free] = float(end[i])
        lane[i] = free
    return lane, tuple(max(1, len(e)) for e in ends)


def _short(values: NDArray[np.float64]) -> Sequence[float]:
    """Offsets with no more digits than they have: whole numbers as integers."""
    return [int(v) if float(v).is_integer() else float(f"{v:.7g}") for v in values.tolist()]
