"""The disorder that chance alone would give, document by document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import product
from math import ceil, prod
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from accord.alignment.layout import TOGETHER
from accord.alignment.relations import Costs, Network, Work
from accord.chance.relations import (
    Drawn,
    Linked,
    all_arrangements,
    arrangements,
    from_units,
    rearranged,
)
from accord.data.parallel import map_tasks
from accord.data.progress import Course
from accord.measures.gamma.expected import Z
from accord.sample import Array

#: weight of a draw, that of 500 relations of three annotators, from which on it is told by itself
LONG = 500.0**1.5
#: draws of each document at a time, and in all when nobody says how many
ROUND, MOST = 10, 300
#: draws of all documents at a time from which on fewer of each, two at least, say as much
ENOUGH = 100
#: relative precision of what chance gives at which drawing stops
PRECISE = 0.02
#: arrangements of all documents together that are taken one by one instead of drawn
EVERY = 10_000


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Expected:
    """Σδ(K) by chance of each document: its mean, the variance of that mean, and how it was found."""

    model: str
    mean: Array
    variance: Array
    #: draws of each document; 0 where every arrangement was taken
    samples: int
    exact: int
    #: what the draws leave to know their spread by
    freedom: int
    gap: float
    #: draws that kept a loop, or repeated a pair of units, because nothing else was found
    forced: int

    @property
    def total(self) -> float:
        return float(self.mean.sum())

    @property
    def error(self) -> float:
        return float(np.sqrt(self.variance.sum()))


def expected(
    network: Network,
    costs: Costs,
    model: str,
    *,
    samples: int | None,
    seed: int,
    jobs: int,
    time_limit: float | None,
    course: Course,
) -> Expected:
    """Draw chance for every document that two or more annotators saw."""
    documents = network.shared.tolist()
    cells = {d: linked(network, costs, d) for d in documents}
    mean, variance = np.zeros(len(documents)), np.zeros(len(documents))
    place = {d: i for i, d in enumerate(documents)}
    every: list[int] = []
    if model == "endpoints":
        most = max(samples or 3 * ROUND, EVERY // max(1, len(documents)))
        every = [
            d
            for d in documents
            if 0 < prod(arrangements(c) if len(c) else 1 for c in cells[d]) <= most
        ]
    gap = exactly = 0.0
    for d in every:
        mean[place[d]], more = _exactly(network, costs, d, cells[d])
        exactly += more
    exact = set(every)
    drawn = [d for d in documents if d not in exact]
    keys = _keys(cells, drawn)
    tasks = [
        _Task(work=work, cells=tuple(cells[d] for d in work.documents),
              keys=tuple(keys[d] for d in work.documents))
        for work in network.works(drawn)
    ]  # fmt: skip
    weights = np.array([task.weight for task in tasks])
    sums, squares = np.zeros(len(documents)), np.zeros(len(documents))
    where = np.array([place[d] for t in tasks for d in t.work.documents], dtype=np.int64)
    count = forced = 0
    wanted = (samples or MOST) if tasks else 0
    step = min(ROUND, max(2, -(-ENOUGH // max(1, len(drawn)))))
    while count < wanted:
        draws = min(step, wanted - count) if samples is None else wanted
        run = partial(
            _sampled,
            tasks=tasks,
            costs=costs,
            model=model,
            draws=draws,
            seed=(seed, count),
            time_limit=time_limit,
        )
        # a long one is many pieces, draw by draw
        pieces = [
            (k, first, min(draws, first + size))
            for k, task in enumerate(tasks)
            for size in [1 if task.weight > LONG else draws]
            for first in range(0, draws, size)
        ]
        tell = course.round([weights[k] * (last - first) for k, first, last in pieces])
        found = _joined(pieces, map_tasks(run, pieces, jobs=jobs, progress=tell))
        totals = np.concatenate([f[0] for f in found], axis=1)
        sums[where] += totals.sum(axis=0)
        squares[where] += (totals**2).sum(axis=0)
        gap += sum(f[1] for f in found) * draws
        forced += sum(f[2] for f in found)
        count += draws
        mean[where] = sums[where] / count
        if count > 1:
            spread = np.maximum(0.0, squares[where] / count - mean[where] ** 2)
            variance[where] = spread / (count - 1)
        short = _shortfall(mean, variance)
        if samples is None and short <= 1:
            break
        # how many more it will take, as far as can be told
        course.later = (
            min(wanted, max(count + step, ceil(count * short**2))) - count
        ) * weights.sum()
    return Expected(
        model=model,
        mean=mean,
        variance=variance,
        samples=count,
        exact=len(every),
        freedom=max(1, (count - 1) * len(drawn)),
        gap=exactly + (gap / count if count else 0.0),
        forced=forced,
    )


def linked(network: Network, costs: Costs, document: int) -> list[Linked]:
    """The relations of each annotator who saw the document, for chance to draw."""
    r, low = network.relations, int(network.ends.first[document])
    found = []
    for a in network.annotators(document).tolist():
        rows = slice(int(network.own[document, a]), int(network.own[document, a + 1]))
        unit = kind = np.empty(0, dtype=np.int32)
        if network.unit is not None:
            mine = (
                (network.unit_annotator == a)
                & (network.unit >= low)
                & (network.unit < network.ends.first[document + 1])
            )
            assert network.unit_kind is not None
            unit, kind = network.unit[mine] - low, network.unit_kind[mine]
        elif r.given:
            # given items are everybody's
            ends = network.ends.first[document + 1] - low
            unit = np.arange(ends, dtype=np.int32)
            kind = np.full(ends, -1, dtype=np.int32)
        label = r.label[rows]
        typed = network.unit is not None
        nothing = np.full(len(label), -1, dtype=np.int32)
        found.append(
            Linked(
                source=network.source[rows] - low,
                target=network.target[rows] - low,
                # (labels that cost nothing need not be shuffled)
                label=label if costs.labels.any() else np.zeros_like(label),
                unordered=costs.unordered[label] > 0,
                source_kind=r.source_kind[rows] if typed else nothing,
                target_kind=r.target_kind[rows] if typed else nothing,
                unit=unit,
                unit_kind=kind,
            )
        )
    shared = sum(one.loops for one in found) > 1
    return [replace(one, shares_loops=shared) for one in found]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Task:
    work: Work
    cells: tuple[list[Linked], ...]
    keys: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def weight(self) -> float:
        """How much a draw is: two are assigned to each other, those of more are compared in tuples.

        Measured on logs of 3, 5 and 6 annotators with 500 to 1 700 relations: between a half and twice that.
        """
        relations, people = float(max(1, len(self.work))), self.work.annotators
        return float(relations**1.5 * max(0.01, (people - 2.0) ** 2))


def _joined(
    pieces: Sequence[tuple[int, int, int]], found: Sequence[tuple[Array, float, int]]
) -> list[tuple[Array, float, int]]:
    """The draws of each task together again."""
    parts: dict[int, list[tuple[Array, float, int]]] = {}
    for (k, _, _), one in zip(pieces, found, strict=True):
        parts.setdefault(k, []).append(one)
    return [
        (np.concatenate([o[0] for o in own]), sum(o[1] for o in own), own[0][2])
        for own in parts.values()
    ]


@lru_cache(maxsize=1)
def _drawn(task: _Task, model: str, draws: int, seed: tuple[int, int]) -> tuple[Drawn, int] | None:
    """All draws of a task, which its pieces share, and how many were forced; None where nobody links."""
    draw = rearranged if model == "endpoints" else from_units
    parts: list[Drawn] = []
    forced = 0
    for place, cells, keys in zip(task.work.place.tolist(), task.cells, task.keys, strict=True):
        for cell, key in zip(cells, keys, strict=True):
            if not len(cell):
                continue
            (source, target, label), short = draw(cell, draws, np.random.default_rng((*seed, *key)))
            parts.append((source + np.int32(place), target + np.int32(place), label))
            forced += short
    if not parts:
        return None
    source, target, label = (np.concatenate([part[k] for part in parts], axis=1) for k in range(3))
    return (source, target, label), forced


def _sampled(
    piece: tuple[int, int, int],
    *,
    tasks: Sequence[_Task],
    costs: Costs,
    model: str,
    draws: int,
    seed: tuple[int, int],
    time_limit: float | None,
) -> tuple[Array, float, int]:
    """draws × documents: Σδ(K) of each; what is missing of proofs; draws that were forced.

    A piece is a task and which of its draws: all are drawn, so that they do not depend on the pieces.
    """
    number, first, last = piece
    task = tasks[number]
    made = _drawn(task, model, draws, seed)
    if made is None:
        return np.zeros((last - first, len(task.work.documents))), 0.0, 0
    (source, target, label), forced = made
    totals, gap = [], 0.0
    for k in range(first, last):
        found, more = task.work.totals(
            costs,
            source=source[k],
            target=target[k],
            label=label[k],
            time_limit=time_limit,
            # random relations have many alignments that are equally good, hard to tell apart beyond two
            # annotators: there the bound of the linear programme stands for them
            proof=False,
        )
        totals.append(found)
        gap += more / draws
    return np.array(totals), gap, forced


def _exactly(
    network: Network, costs: Costs, document: int, cells: Sequence[Linked]
) -> tuple[float, float]:
    """The mean of Σδ(K) over every arrangement of the annotators' targets and labels."""
    size = sum(map(len, cells))
    if not size:
        return 0.0, 0.0
    ways = [list(all_arrangements(c)) if len(c) else [((), ())] for c in cells]
    together = max(1, TOGETHER // size)
    total = gap = 0.0
    count = 0
    waiting: list[tuple[list[int], list[int]]] = []

    def settle() -> None:
        nonlocal total, gap, count
        work = network.work([document] * len(waiting))
        target = np.array([t for t, _ in waiting], dtype=np.int32)
        label = np.array([c for _, c in waiting], dtype=np.int32)
        target += work.place.astype(np.int32)[:, None]
        found, more = work.totals(costs, target=target.ravel(), label=label.ravel())
        total += float(found.sum())
        gap += more
        count += len(waiting)
        waiting.clear()

    for combination in product(*ways):
        waiting.append(
            ([t for way in combination for t in way[0]], [c for way in combination for c in way[1]])
        )
        if len(waiting) == together:
            settle()
    if waiting:
        settle()
    return total / count, gap / count


def _keys(
    cells: dict[int, list[Linked]], documents: Sequence[int]
) -> dict[int, tuple[tuple[int, ...], ...]]:
    """Streams of draws that depend on what is linked, not on names or the order of documents.

    Annotators (and documents) that are alike in everything have streams of their own.
    """
    seen: Counter[int] = Counter()
    found: dict[int, tuple[tuple[int, ...], ...]] = {}
    for d in documents:
        own = [c.content for c in cells[d]]
        whole = crc32(np.sort(np.array(own, dtype=np.int64)).tobytes())
        alike: Counter[int] = Counter()
        streams = []
        for content in own:
            streams.append((whole, seen[whole], content, alike[content]))
            alike[content] += 1
        seen[whole] += 1
        found[d] = tuple(streams)
    return found


def _shortfall(mean: NDArray[np.float64], variance: NDArray[np.float64]) -> float:
    """How many times too uncertain the sum is; at most 1 when it is precise enough."""
    total = float(mean.sum())
    return Z * float(np.sqrt(variance.sum())) / (PRECISE * total) if total else 0.0
