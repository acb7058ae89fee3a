"""Samples of chance: random continua drawn and aligned, each by its number, wherever that is done."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.alignment.batch import guessed_seconds, relative_work
from accord.chance import NAMES, ChanceModel
from accord.data.parallel import map_tasks, workers_of
from accord.data.progress import Course
from accord.distance.units import Array, Dissimilarity
from accord.errors import UsageError
from accord.measures.gamma.observed import tallies

#: steps of search that the proof of one sample is worth, a few seconds; with many annotators it
#: rarely succeeds
_EFFORT, _EFFORT_OF_MANY = 500_000_000, 50_000_000
_MANY = 12
#: units that one task draws, where documents are small; and the work in it, where they are large (some tenths
#: of a second)
_TOGETHER, _TOLD = 4_000, 100_000.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How chance is sampled."""

    chance: str
    #: None: 30, and for several documents up to 300 while chance is known to worse than ± 2 %
    samples: int | None
    precision: float | None
    seed: int
    jobs: int
    by_category: bool
    time_limit: float | None
    method: str = "exact"
    #: what points are widened to, after they were drawn
    tolerance: float = 0.0
    #: labels are mapped between annotators, in the data and by chance
    own_labels: bool = False

    def __post_init__(self) -> None:
        if self.chance not in (*NAMES, "min"):
            raise UsageError(
                f"chance must be one of {', '.join(NAMES)} or min, got {self.chance!r}"
            )
        if self.samples is not None and self.samples < 2:
            raise UsageError(f"the number of samples must be at least 2, got {self.samples}")
        if self.precision is not None and not 0 < self.precision < 1:
            raise UsageError(f"the precision must be between 0 and 1, got {self.precision}")

    def seconds(
        self,
        d: Dissimilarity,
        units: NDArray[Any],
        annotators: NDArray[Any],
        often: NDArray[Any] | int = 1,
    ) -> float | None:
        """A guess of the time to align documents of so many units and annotators, each so often.

        None where it is open.
        """
        if self.method != "exact" or self.own_labels:
            return None
        return guessed_seconds(d, units, annotators, often)


#: group, first and last number of samples; several of them where documents are small
Draws = list[tuple[int, int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Samples to draw: a function of tasks, and a guess of the seconds that all take."""

    tasks: list[Draws]
    run: Callable[[Draws], list[Array]]
    seconds: float | None


@dataclass(slots=True, eq=False)
class Samples:
    """The samples drawn so far of one chance model for each group; more are drawn when asked.

    A row holds numerators, denominators (in the columns of :class:`Expected`) and the gap.
    """

    models: Sequence[ChanceModel]
    #: units of the documents that each imitates, on average
    units: Sequence[float]
    d: Dissimilarity
    how: Sampling
    rows: list[list[Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rows = [[] for _ in self.models]

    def draw(self, needed: Sequence[int], course: Course) -> None:
        """Have at least so many samples of each group."""
        plan = self.plan(needed)
        if not plan.tasks:
            return
        found = map_tasks(
            plan.run,
            plan.tasks,
            jobs=self.how.jobs,
            seconds=plan.seconds,
            progress=course.round(self.work(plan)),
        )
        self.keep(plan, found)

    def plan(self, needed: Sequence[int]) -> Plan:
        """What is to be done to have so many of each group."""
        workers = workers_of(self.how.jobs)
        batches = [
            (g, first, last)
            for g, need in enumerate(needed)
            for first, last in _batches(len(self.rows[g]), need, workers, self.effort(g, 1))
        ]
        run = partial(
            _rows,
            # what is bound here is sent to each worker once: the templates that are drawn from, no others
            models={
                g: self.models[g].sent(range(len(self.rows[g]), need))
                for g, need in enumerate(needed)
                if need > len(self.rows[g])
            },
            d=self.d,
            by_category=self.how.by_category,
            time_limit=self.how.time_limit,
            method=self.how.method,
            tolerance=self.how.tolerance,
            own_labels=self.how.own_labels,
        )
        often = np.array([last - first for _, first, last in batches])
        units = np.array([self.units[g] for g, _, _ in batches])
        people = np.array([self.models[g].annotators for g, _, _ in batches])
        return Plan(
            list(self._tasks(batches)),
            run,
            self.how.seconds(self.d, units, people, often),
        )

    def _tasks(self, batches: Sequence[tuple[int, int, int]]) -> Iterator[Draws]:
        """Batches put together while their documents are small: those are aligned at once."""
        task: Draws = []
        units = work = 0.0
        for g, first, last in batches:
            size, more = (last - first) * self.units[g], self.effort(g, last - first)
            many = self.models[g].annotators > _MANY
            if task and (
                units + size > _TOGETHER
                or work + more > _TOLD
                or many != (self.models[task[0][0]].annotators > _MANY)
            ):
                yield task
                task, units, work = [], 0.0, 0.0
            task.append((g, first, last))
            units, work = units + size, work + more
        if task:
            yield task

    def work(self, plan: Plan) -> list[float]:
        """How much each task of a plan is."""
        return [sum(self.effort(g, last - first) for g, first, last in task) for task in plan.tasks]

    def effort(self, g: int, number: int) -> float:
        """How much so many samples of a group are."""
        size, people = np.array(self.units[g]), np.array(self.models[g].annotators)
        return number * float(relative_work(size + 1, people))

    def keep(self, plan: Plan, found: Sequence[Sequence[Array]]) -> None:
        """The samples that a plan gave."""
        for own, rows in zip(self.rows, self.sorted_out(plan, found), strict=True):
            own.extend(rows)

    def sorted_out(self, plan: Plan, found: Sequence[Sequence[Array]]) -> list[list[Array]]:
        """The samples of each group that the first tasks of a plan gave."""
        each: list[list[Array]] = [[] for _ in self.models]
        for task, rows in zip(plan.tasks, found, strict=False):
            taken = 0
            for g, first, last in task:
                each[g].extend(rows[taken : taken + last - first])
                taken += last - first
        return each


def _batches(have: int, need: int, workers: int, each: float) -> list[tuple[int, int]]:
    """Ranges of sample numbers; small ones, so that several workers finish together and progress is told.

    `each` is the work of one.
    """
    size = 10 if workers == 1 else max(1, math.ceil((need - have) / (16 * workers)))
    size = min(size, max(1, int(_TOLD / each)))
    return [(i, min(need, i + size)) for i in range(have, need, size)]


def _rows(
    task: Draws,
    *,
    models: Mapping[int, ChanceModel],
    d: Dissimilarity,
    by_category: bool,
    time_limit: float | None,
    method: str,
    tolerance: float,
    own_labels: bool,
) -> list[Array]:
    """Numerators, denominators and gap of the samples first..last of each model."""
    drawn = [models[g].draw(index) for g, first, last in task for index in range(first, last)]
    effort = effort_of(models[task[0][0]].annotators)
    return [
        np.concatenate([t.numerators, t.denominators, [t.gap]])
        for t in tallies(
            drawn,
            d,
            by_category=by_category,
            time_limit=time_limit,
            effort=effort,
            method=method,
            tolerance=tolerance,
            own_labels=own_labels,
        )
    ]


def effort_of(annotators: int) -> int:
    """Steps of search that the proof of one sample is worth."""
    return _EFFORT if annotators <= _MANY else _EFFORT_OF_MANY
